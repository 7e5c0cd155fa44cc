package web

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"net/http"
	"os"

	"github.com/labstack/echo/v5"
)

// PartLimits bound the parts of a multipart body. The whole is bounded by the route's Policy.Body.
type PartLimits struct {
	Parts int   // so many at most
	Field int64 // most bytes of a part without a file name
	File  int64 // most bytes of a part with one
}

// A Part is one part of a multipart body: a field, or a file. Read it before the next one is asked for; what is left of it
// then is skipped. Its Read fails with a Refusal: 413 behind its limit or that of the whole, 408 behind the route's
// deadline, 400 where the body breaks off.
type Part struct {
	Name        string // of the field
	FileName    string // as the sender calls it, without folders; "" for a field that is no file
	ContentType string // as the sender says; believe the bytes instead
	part        *multipart.Part
	body        *remembering
	left        int64
}

// Parts reads a multipart/form-data body as it arrives, part by part: neither memory nor a file ever holds more than what
// the caller keeps of it. It ends with the first error, a Refusal as those of Part.Read; 415 for another kind of body.
//
// Whether the body comes from our own pages was decided by its headers, before a byte of it is read (see Policy.Open).
func Parts(c *echo.Context, limits PartLimits) iter.Seq2[*Part, error] {
	return func(yield func(*Part, error) bool) {
		r := c.Request()
		source := &remembering{ReadCloser: r.Body}
		r.Body = source
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // MultipartReader looks at the rest
		body, err := r.MultipartReader()
		if err != nil || kind != "multipart/form-data" {
			yield(nil, echo.ErrUnsupportedMediaType)
			return
		}
		for n := 0; ; n++ {
			part, err := body.NextRawPart() // as it is: no part of ours is quoted-printable
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(nil, source.fault(err))
				return
			case n == limits.Parts:
				yield(nil, echo.ErrStatusRequestEntityTooLarge)
				return
			}
			if !yield(limits.part(part, source), nil) {
				return
			}
		}
	}
}

func (l PartLimits) part(part *multipart.Part, body *remembering) *Part {
	p := &Part{Name: part.FormName(), FileName: part.FileName(), ContentType: part.Header.Get("Content-Type"), part: part, body: body, left: l.Field}
	if p.FileName != "" {
		p.left = l.File
	}
	return p
}

func (p *Part) Read(into []byte) (int, error) {
	if int64(len(into)) > p.left+1 {
		into = into[:p.left+1] // a byte more tells a part that fits from one that does not
	}
	n, err := p.part.Read(into)
	if p.left -= int64(n); p.left < 0 {
		return 0, echo.ErrStatusRequestEntityTooLarge
	}
	if err != nil && err != io.EOF {
		err = p.body.fault(err)
	}
	return n, err
}

// remembering is a body whose error is not lost: package multipart calls a part's head that does not come malformed.
type remembering struct {
	io.ReadCloser
	err error // the first that is not its end
}

func (b *remembering) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil && err != io.EOF && b.err == nil {
		b.err = err
	}
	return n, err
}

func (b *remembering) fault(err error) error { return BodyFault(cmp.Or(b.err, err)) }

// BodyFault says in words of ours why a body did not arrive whole, of which err was read.
func BodyFault(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return echo.ErrStatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return Refusal{Status: http.StatusRequestTimeout, Message: "This took too long to arrive. Please try again, on a faster connection if you can."}
	}
	return echo.ErrBadRequest
}
