package web

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"
)

// pieceSize is how much of a streamed answer is in memory before it goes out.
const pieceSize = 32 << 10

// Stream answers with what write writes, in pieces: however long the answer is, memory holds one of them. It is compressed
// for who takes gzip, unless its content type or a Content-Encoding says that it is compressed already. The route's policy
// says how long it may take to leave.
//
// An error before the first piece has left is refused as any other. After that nothing can be said any more: the connection
// breaks, so that nobody takes half an answer for a whole one. Where the client has gone, or is too slow, Write fails.
// HEAD gets the header alone, and write is not called.
func Stream(c *echo.Context, contentType string, write func(*Pieces) error) error {
	r, header := c.Request(), c.Response().Header()
	header.Set("Content-Type", contentType)
	p := &Pieces{ctx: r.Context(), response: c.Response(), control: http.NewResponseController(c.Response())}
	if header.Get("Content-Encoding") == "" && isPlain(contentType) {
		header.Add("Vary", "Accept-Encoding")
		if takesGzip(r.Header) {
			header.Set("Content-Encoding", "gzip")
			p.gzip, _ = gzip.NewWriterLevel(c.Response(), gzip.BestSpeed) // fails for unknown levels alone
		}
	}
	p.buffer = bufio.NewWriterSize(piece{p}, pieceSize)
	if r.Method == http.MethodHead {
		c.Response().WriteHeader(http.StatusOK)
		return nil
	}
	err := write(p)
	if err == nil {
		err = p.end()
	}
	if err != nil && !p.begun {
		for _, said := range []string{"Content-Type", "Content-Encoding", "Vary", "Content-Disposition"} {
			header.Del(said) // of an answer that does not come
		}
		return err
	}
	return brokenOff(err)
}

// Pieces is where a streamed answer is written to. It is not safe for concurrent use.
type Pieces struct {
	ctx      context.Context
	response http.ResponseWriter
	control  *http.ResponseController
	gzip     *gzip.Writer // nil: the answer leaves as it is
	buffer   *bufio.Writer
	begun    bool // the header has left
}

func (p *Pieces) Write(text []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, fmt.Errorf("the client has gone: %w", err)
	}
	return p.buffer.Write(text)
}

func (p *Pieces) WriteString(text string) (int, error) { return p.Write([]byte(text)) }

// Flush sends what was written so far. A piece that is full goes out by itself.
func (p *Pieces) Flush() error {
	if err := p.ctx.Err(); err != nil {
		return fmt.Errorf("the client has gone: %w", err)
	}
	return p.buffer.Flush()
}

func (p *Pieces) end() error {
	if err := p.Flush(); err != nil {
		return err
	}
	if p.gzip == nil {
		return nil
	}
	p.begun = true // also where nothing was written: Close writes gzip's head and tail
	return p.gzip.Close()
}

// piece sends what the buffer has gathered.
type piece struct{ of *Pieces }

func (p piece) Write(text []byte) (int, error) {
	p.of.begun = true
	var out io.Writer = p.of.response
	if p.of.gzip != nil {
		out = p.of.gzip
	}
	n, err := out.Write(text)
	if err == nil && p.of.gzip != nil {
		err = p.of.gzip.Flush()
	}
	if err == nil {
		err = p.of.control.Flush()
	}
	return n, err
}

// isPlain reports whether a content type is text that gzip makes shorter.
func isPlain(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	for _, plain := range []string{"application/json", "application/x-ndjson", "application/xml", "text/javascript", "image/svg+xml"} {
		if kind == plain {
			return true
		}
	}
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}

// takesGzip reports whether a client said that it reads gzip.
func takesGzip(h http.Header) bool {
	for offer := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, parameter, _ := strings.Cut(offer, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		weight, given := strings.CutPrefix(strings.ReplaceAll(parameter, " ", ""), "q=")
		q, err := strconv.ParseFloat(weight, 64)
		return !given || err == nil && q > 0
	}
	return false
}

// broken is the end of an answer of which a part has left.
type broken struct{ cause error }

func (b broken) Error() string { return b.cause.Error() }
func (b broken) Unwrap() error { return b.cause }

func brokenOff(err error) error {
	if err == nil {
		return nil
	}
	return broken{err}
}

// breaksOff reports whether a handler's error means that half of its answer has left.
func breaksOff(err error) bool {
	_, is := errors.AsType[broken](err)
	return is
}
