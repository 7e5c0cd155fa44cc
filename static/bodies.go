package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"math/bits"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Bodies is one body as identity, gzip and brotli, ready to be served.
type Bodies struct {
	identity, gzip, brotli *encoded
}

// encoded holds header values as http.Header wants them, so that a request for it allocates nothing.
type encoded struct {
	body                 []byte
	encoding, etag, size []string
}

// Compress makes the Bodies of a body, at the highest levels: for what is made once and served often. An encoding that would
// not be shorter is left out.
func Compress(body []byte) Bodies {
	var zipped, squeezed bytes.Buffer
	// Writing to a bytes.Buffer cannot fail, and BestCompression is a level.
	g, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	_, _ = g.Write(body)
	_ = g.Close()
	// A window that holds the body is enough; the default one takes 40 MB to fill.
	b := brotli.NewWriterOptions(&squeezed, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: min(max(16, bits.Len(uint(len(body)))+1), 24)})
	_, _ = b.Write(body)
	_ = b.Close()
	return newBodies(body, zipped.Bytes(), squeezed.Bytes())
}

// newBodies takes nil for an encoding that there is not.
func newBodies(identity, gzip, brotli []byte) Bodies {
	tag := hash(identity)
	encode := func(body []byte, encoding string) *encoded {
		return &encoded{body, []string{encoding}, []string{`"` + tag + "-" + encoding + `"`}, []string{strconv.Itoa(len(body))}}
	}
	bodies := Bodies{identity: encode(identity, "identity")}
	if gzip != nil && len(gzip) < len(identity) {
		bodies.gzip = encode(gzip, "gzip")
	}
	if brotli != nil && len(brotli) < len(identity) {
		bodies.brotli = encode(brotli, "br")
	}
	return bodies
}

// Identity returns the body as it was given to Compress. Do not change it.
func (b *Bodies) Identity() []byte { return b.identity.body }

// Gzip returns the body for Content-Encoding: gzip, or nil where it would not be shorter.
func (b *Bodies) Gzip() []byte { return b.gzip.bytes() }

// Brotli returns the body for Content-Encoding: br, or nil where it would not be shorter.
func (b *Bodies) Brotli() []byte { return b.brotli.bytes() }

func (e *encoded) bytes() []byte {
	if e == nil {
		return nil
	}
	return e.body
}

var varyByEncoding = []string{"Accept-Encoding"}

// Serve answers GET or HEAD with the encoding that the request prefers, or with 304 where the browser has it already. As with
// http.ServeContent, the caller has set Content-Type and Cache-Control before. ETag, Vary, Content-Encoding and Content-Length
// are set here.
func Serve(w http.ResponseWriter, r *http.Request, b *Bodies) {
	chosen := b.negotiate(r.Header["Accept-Encoding"])
	header := w.Header()
	varies(header)
	header["Etag"] = chosen.etag
	if known := r.Header["If-None-Match"]; len(known) > 0 && matches(known, chosen.etag[0]) {
		delete(header, "Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if chosen != b.identity {
		header["Content-Encoding"] = chosen.encoding
	}
	header["Content-Length"] = chosen.size
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(chosen.body) // an error here means that the visitor has left
	}
}

func varies(header http.Header) {
	if others := header["Vary"]; len(others) > 0 {
		header["Vary"] = append(others[:len(others):len(others)], varyByEncoding...)
	} else {
		header["Vary"] = varyByEncoding
	}
}

// worthZipping is the length from which a body fills more than one packet.
const worthZipping = 1400

var fastZippers = sync.Pool{New: func() any {
	zipper, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level
	return zipper
}}

// ServeOnce answers with a body that is made for one request: as gzip at the fastest level, where the request accepts it. The
// caller has set Content-Type and Cache-Control before. A body that holds a secret must not repeat what another site can send.
func ServeOnce(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	header := w.Header()
	varies(header)
	offer := Bodies{identity: &encoded{}, gzip: &encoded{}}
	if len(body) >= worthZipping && offer.negotiate(r.Header["Accept-Encoding"]) == offer.gzip {
		var zipped bytes.Buffer
		zipper := fastZippers.Get().(*gzip.Writer)
		zipper.Reset(&zipped)
		_, _ = zipper.Write(body) // into a buffer
		_ = zipper.Close()
		fastZippers.Put(zipper)
		header["Content-Encoding"] = []string{"gzip"}
		body = zipped.Bytes()
	}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // an error here means that the visitor has left
	}
}

// negotiate follows RFC 9110 §12.5.3; of equals it takes the shortest. Where nothing is accepted it sends the identity, which the
// RFC allows and every client understands.
func (b *Bodies) negotiate(accepted []string) *encoded {
	const unlisted = -1
	br, gz, identity, others := unlisted, unlisted, unlisted, unlisted
	for _, list := range accepted {
		for list != "" {
			var item string
			item, list, _ = strings.Cut(list, ",")
			coding, parameter, _ := strings.Cut(item, ";")
			switch coding, q := strings.TrimSpace(coding), thousandths(parameter); {
			case strings.EqualFold(coding, "br"):
				br = q
			case strings.EqualFold(coding, "gzip"), strings.EqualFold(coding, "x-gzip"):
				gz = q
			case strings.EqualFold(coding, "identity"):
				identity = q
			case coding == "*":
				others = q
			}
		}
	}
	if br == unlisted {
		br = others
	}
	if gz == unlisted {
		gz = others
	}
	switch {
	case b.brotli != nil && br > 0 && br >= gz && br >= identity:
		return b.brotli
	case b.gzip != nil && gz > 0 && gz >= identity:
		return b.gzip
	}
	return b.identity
}

// thousandths reads the weight in " q=0.8" as 800; without one it is 1000, and what is no weight counts as 0.
func thousandths(parameter string) int {
	parameter = strings.TrimSpace(parameter)
	if parameter == "" {
		return 1000
	}
	name, value, _ := strings.Cut(parameter, "=")
	if !strings.EqualFold(name, "q") || value == "" || value[0] != '0' && value[0] != '1' {
		return 0
	}
	q, digit := int(value[0]-'0')*1000, 100
	for i := 2; i < len(value) && i < 5 && value[i] >= '0' && value[i] <= '9'; i++ {
		q += int(value[i]-'0') * digit
		digit /= 10
	}
	return min(q, 1000)
}

// matches compares weakly, as RFC 9110 §13.1.2 asks: a proxy may have marked our tag with W/.
func matches(known []string, tag string) bool {
	for _, list := range known {
		for list != "" {
			var item string
			item, list, _ = strings.Cut(list, ",")
			item = strings.TrimSpace(item)
			if item == "*" || strings.TrimPrefix(item, "W/") == tag {
				return true
			}
		}
	}
	return false
}

func hash(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}
