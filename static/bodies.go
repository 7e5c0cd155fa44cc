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

// Bodies is a response body as identity, gzip and brotli.
type Bodies struct {
	identity     *encoded
	gzip, brotli func() *encoded // returns nil if not shorter than identity
}

// encoded has header values in the form of http.Header, so that serving allocates nothing.
type encoded struct {
	body                 []byte
	encoding, etag, size []string
}

// Compress returns a body that is compressed at the highest level when a client first asks for an encoding, for bodies that are
// served often. It omits an encoding that is not shorter.
func Compress(body []byte) Bodies {
	return newBodies(body, func() []byte { return zipped(body) }, func() []byte { return squeezed(body) })
}

// Neither writes to a bytes.Buffer nor the constant level can fail.
func zipped(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

func squeezed(body []byte) []byte {
	var b bytes.Buffer
	// A window as large as the body is enough; filling the default one takes 40 MB.
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: min(max(16, bits.Len(uint(len(body)))+1), 24)})
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// newBodies returns Bodies; gzip and brotli return nil if there is no such encoding.
func newBodies(identity []byte, gzip, brotli func() []byte) Bodies {
	tag := hash(identity)
	encode := func(body []byte, encoding string) *encoded {
		return &encoded{body, []string{encoding}, []string{`"` + tag + "-" + encoding + `"`}, []string{strconv.Itoa(len(body))}}
	}
	shorter := func(compress func() []byte, encoding string) func() *encoded {
		return sync.OnceValue(func() *encoded {
			if body := compress(); body != nil && len(body) < len(identity) {
				return encode(body, encoding)
			}
			return nil
		})
	}
	return Bodies{encode(identity, "identity"), shorter(gzip, "gzip"), shorter(brotli, "br")}
}

// Identity returns the uncompressed body. Callers must not change it.
func (b *Bodies) Identity() []byte { return b.identity.body }

// Gzip returns the body for Content-Encoding: gzip; nil if not shorter.
func (b *Bodies) Gzip() []byte { return b.gzip().bytes() }

// Brotli returns the body for Content-Encoding: br; nil if not shorter.
func (b *Bodies) Brotli() []byte { return b.brotli().bytes() }

func (e *encoded) bytes() []byte {
	if e == nil {
		return nil
	}
	return e.body
}

var varyByEncoding = []string{"Accept-Encoding"}

// Serve responds to GET or HEAD with the client's preferred encoding, or with 304. As for http.ServeContent, the caller has set Content-Type
// and Cache-Control; Serve sets ETag, Vary, Content-Encoding and Content-Length.
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
		_, _ = w.Write(chosen.body) // fails only if the client has gone
	}
}

func varies(header http.Header) {
	if others := header["Vary"]; len(others) > 0 {
		header["Vary"] = append(others[:len(others):len(others)], varyByEncoding...)
	} else {
		header["Vary"] = varyByEncoding
	}
}

// worthZipping is the length above which a body fills more than one packet.
const worthZipping = 1400

var fastZippers = sync.Pool{New: func() any {
	zipper, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a valid level
	return zipper
}}

// ServeOnce sends a body made for one request, with gzip at the fastest level if the client accepts it. The caller has set Content-Type and
// Cache-Control. A body with a secret must not contain text that another site can choose (BREACH).
func ServeOnce(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	header := w.Header()
	varies(header)
	_, gz, identity := weights(r.Header["Accept-Encoding"])
	if len(body) >= worthZipping && gz > 0 && gz >= identity {
		var zipped bytes.Buffer
		zipper := fastZippers.Get().(*gzip.Writer)
		zipper.Reset(&zipped)
		_, _ = zipper.Write(body) // to memory
		_ = zipper.Close()
		fastZippers.Put(zipper)
		header["Content-Encoding"] = []string{"gzip"}
		body = zipped.Bytes()
	}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // fails only if the client has gone
	}
}

// negotiate chooses an encoding by RFC 9110 §12.5.3, among equals the shortest. If none is acceptable it sends identity, which the RFC permits.
func (b *Bodies) negotiate(accepted []string) *encoded {
	br, gz, identity := weights(accepted)
	if br > 0 && br >= gz && br >= identity {
		if body := b.brotli(); body != nil {
			return body
		}
	}
	if gz > 0 && gz >= identity {
		if body := b.gzip(); body != nil {
			return body
		}
	}
	return b.identity
}

// weights returns the weight of each encoding in Accept-Encoding, in thousandths; -1 if it is not listed.
func weights(accepted []string) (br, gz, identity int) {
	const unlisted = -1
	others := unlisted
	br, gz, identity = unlisted, unlisted, unlisted
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
	return br, gz, identity
}

// thousandths parses a weight: " q=0.8" is 800, none is 1000, an invalid one is 0.
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

// matches compares entity tags weakly (RFC 9110 §13.1.2): a proxy may have prefixed ours with W/.
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
