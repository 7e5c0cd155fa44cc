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
	Most  int           // bytes: a piece ends once it has them; it has chunkSize more at most
	Quiet time.Duration // without another byte
	Whole time.Duration // from a piece's first byte on
}

// chunkSize is how much of a body is read at once.
const chunkSize = 16 << 10

// Arriving cuts a body into pieces as it arrives, so that whoever keeps each of them keeps what came before the connection
// breaks: a piece ends as Cuts say, at the body's end, and where the body breaks off. A piece is the caller's until it asks
// for the next one. A body that does not arrive whole ends with its last piece and then a Refusal, as those of Part.Read.
//
// A caller that stops early gets no more of the body, and the connection is not used again.
func Arriving(c *echo.Context, cuts Cuts) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
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
		var begun time.Time
		piece, timer := make([]byte, 0, cuts.Most+chunkSize), time.NewTimer(cuts.Whole)
		defer timer.Stop()
		for !b.over {
			var due <-chan time.Time
			if len(piece) > 0 {
				due = timer.C
			}
			select {
			case chunk, more := <-b.chunks:
				if b.over = !more; more && len(piece) == 0 {
					begun = time.Now() // time on the wire is the system's
				}
				piece = append(piece, chunk...)
				timer.Reset(min(cuts.Quiet, cuts.Whole-time.Since(begun)))
				if !b.over && len(piece) < cuts.Most {
					continue
				}
			case <-due:
			}
			if len(piece) > 0 && !yield(piece, nil) {
				return
			}
			piece = piece[:0]
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
	over   bool          // of the one who waits: chunks is closed
}

func (b *arriving) read() {
	defer close(b.chunks)
	for b.err == nil {
		chunk := make([]byte, chunkSize)
		var n int
		n, b.err = b.body.Read(chunk)
		if n == 0 {
			continue
		}
		select {
		case b.chunks <- chunk[:n]:
		case <-b.stop:
			return
		}
	}
}
