package web

import (
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/labstack/echo/v5"
)

// Cuts say where a body is cut into pieces as it arrives.
type Cuts struct {
	Quiet time.Duration // without another byte
	Whole time.Duration // from a piece's first byte on
}

// chunkSize is how much of a body is read at once.
const chunkSize = 32 << 10

// Arriving cuts a body into pieces as it arrives, so that whoever keeps each of them keeps what came before the connection
// breaks: a piece ends as Cuts say, at the body's end, and where the body breaks off. A piece is read while it arrives, and
// never empty; what a caller leaves of it begins the next one. A body that does not arrive whole ends with its last piece and
// then a Refusal, as those of Part.Read.
//
// A caller that stops early gets no more of the body, and the connection is not used again.
func Arriving(c *echo.Context, cuts Cuts) iter.Seq2[io.Reader, error] {
	return func(yield func(io.Reader, error) bool) {
		b := &arriving{body: c.Request().Body, chunks: make(chan []byte), stop: make(chan struct{})}
		go b.read()
		defer func() {
			close(b.stop)
			if !b.over {
				_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now()) // a recorder of a test has none, nor needs it
			}
			for range b.chunks { // until nobody reads the body any more: it ends with the handler
			}
		}()
		for len(b.left) > 0 || b.wait(nil) {
			if !yield(&arrival{arriving: b, Cuts: cuts, begun: time.Now()}, nil) { // time on the wire is the system's
				return
			}
		}
		if b.err != io.EOF {
			yield(nil, BodyFault(b.err))
		}
	}
}

// arriving is a body that one goroutine reads, so that another may stop waiting for it.
type arriving struct {
	body   io.Reader
	chunks chan []byte   // closed at the body's end
	stop   chan struct{} // closed where nobody wants more of it
	err    error         // of the end, once chunks is closed

	left []byte // of the one who waits: has come, and is in no piece yet
	over bool   // of the one who waits: chunks is closed
}

func (b *arriving) read() {
	defer close(b.chunks)
	var chunks [2][chunkSize]byte // one is read from the connection while the other is read by who waits
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

// wait reports whether more has come before it is too late.
func (b *arriving) wait(late <-chan time.Time) bool {
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

// arrival is a piece.
type arrival struct {
	*arriving
	Cuts
	begun time.Time
	ended bool
}

func (p *arrival) Read(to []byte) (int, error) {
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
