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

// pieceSize is the buffer of a streamed response, in bytes.
const pieceSize = 32 << 10

// Stream sends the output of write in pieces, so that memory holds one piece however long the response is. It compresses
// with gzip if the client accepts it and the content is not compressed already. The route's policy sets the deadline.
//
// An error before the first piece was sent becomes a normal refusal. After that the connection is aborted, so that the client
// does not take a partial response for a complete one. Write fails once the client has gone or is too slow. For HEAD only the
// header is sent and write is not called.
func Stream(c *echo.Context, contentType string, write func(*Pieces) error) error {
	r, header := c.Request(), c.Response().Header()
	header.Set("Content-Type", contentType)
	p := &Pieces{ctx: r.Context(), response: c.Response(), control: http.NewResponseController(c.Response())}
	if header.Get("Content-Encoding") == "" && isPlain(contentType) {
		header.Add("Vary", "Accept-Encoding")
		if takesGzip(r.Header) {
			header.Set("Content-Encoding", "gzip")
			p.gzip, _ = gzip.NewWriterLevel(c.Response(), gzip.BestSpeed) // fails only for unknown levels
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
			header.Del(said)
		}
		return err
	}
	return brokenOff(err)
}

// Pieces is the writer of a streamed response. It is not safe for concurrent use.
type Pieces struct {
	ctx      context.Context
	response http.ResponseWriter
	control  *http.ResponseController
	gzip     *gzip.Writer // nil: not compressed
	buffer   *bufio.Writer
	begun    bool // the header was sent
}

func (p *Pieces) Write(text []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, fmt.Errorf("the client has gone: %w", err)
	}
	return p.buffer.Write(text)
}

func (p *Pieces) WriteString(text string) (int, error) { return p.Write([]byte(text)) }

// Flush sends what is buffered. A full piece is sent without it.
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
	p.begun = true // even for empty output: Close writes gzip's header and trailer
	return p.gzip.Close()
}

// piece sends the contents of the buffer.
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

// isPlain reports whether gzip shortens a content type.
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

// takesGzip reports whether the client accepts gzip.
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

// broken is an error after a part of the response was sent.
type broken struct{ cause error }

func (b broken) Error() string { return b.cause.Error() }
func (b broken) Unwrap() error { return b.cause }

func brokenOff(err error) error {
	if err == nil {
		return nil
	}
	return broken{err}
}

// breaksOff reports whether a part of the response was sent before the error.
func breaksOff(err error) bool {
	_, is := errors.AsType[broken](err)
	return is
}
