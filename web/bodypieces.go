package web

import (
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"
)

// PieceLimits configure when BodyPieces ends a piece.
type PieceLimits struct {
	Quiet time.Duration // no byte arrived for this long
	Whole time.Duration // maximum time since the first byte of the piece
}

// chunkSize is the size of one read, in bytes.
const chunkSize = 32 << 10

// BodyPieces splits a request body into pieces as it arrives, so that a caller that saves each piece keeps all bytes received
// before a connection breaks. A piece ends at a limit, at the end of the body, or where the connection breaks. Pieces
// are never empty; bytes that the caller leaves unread start the next piece. An incomplete body yields its last piece and
// then a Refusal (see Part.Read).
//
// If the caller stops early, the rest of the body is dropped and the connection is closed.
func BodyPieces(c *echo.Context, cuts PieceLimits) iter.Seq2[io.Reader, error] {
	return func(yield func(io.Reader, error) bool) {
		b := &bodyReader{body: c.Request().Body, chunks: make(chan []byte), stop: make(chan struct{})}
		go b.read()
		defer func() {
			close(b.stop)
			if !b.over {
				_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now()) // unsupported by test recorders
			}
			for range b.chunks { // wait for the reader goroutine: the body is invalid after the handler returns
			}
		}()
		for len(b.left) > 0 || b.wait(nil) {
			if !yield(&bodyPiece{bodyReader: b, PieceLimits: cuts, begun: time.Now()}, nil) { // network timing uses the system clock
				return
			}
		}
		if b.err != io.EOF {
			yield(nil, BodyFault(b.err))
		}
	}
}

// bodyReader reads a body in its own goroutine, so that the consumer can stop waiting for it.
type bodyReader struct {
	body   io.Reader
	chunks chan []byte   // closed at the body's end
	stop   chan struct{} // closed when the consumer stops
	err    error         // the final read error; valid once chunks is closed

	left []byte // received, not yet read by the consumer
	over bool   // chunks is closed; used by the consumer only
}

func (b *bodyReader) read() {
	defer close(b.chunks)
	var chunks [2][chunkSize]byte // double buffer: the consumer reads one while the other fills
	for turn := 0; b.err == nil; turn = 1 - turn {
		var n int
		n, b.err = b.body.Read(chunks[turn][:])
		if n == 0 {
			continue
		}
		select {
		case b.chunks <- chunks[turn][:n]:
		case <-b.stop:
			return
		}
	}
}

// wait reports whether another chunk arrived before the late channel fired.
func (b *bodyReader) wait(late <-chan time.Time) bool {
	if b.over {
		return false
	}
	select {
	case chunk, more := <-b.chunks:
		b.left, b.over = chunk, !more
		return more
	case <-late:
		return false
	}
}

// bodyPiece is one piece of a body.
type bodyPiece struct {
	*bodyReader
	PieceLimits
	begun time.Time
	ended bool
}

func (p *bodyPiece) Read(to []byte) (int, error) {
	if len(p.left) == 0 && !p.ended {
		most := min(p.Quiet, p.Whole-time.Since(p.begun))
		p.ended = most <= 0 || !p.wait(time.After(most))
	}
	if p.ended {
		return 0, io.EOF
	}
	n := copy(to, p.left)
	p.left = p.left[n:]
	return n, nil
}
