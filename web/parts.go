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

// PartLimits limit the parts of a multipart body. Policy.Body limits the whole body.
type PartLimits struct {
	Parts int   // maximum number of parts
	Field int64 // maximum bytes of a part without a file name
	File  int64 // maximum bytes of a part with one
}

// A Part is one field or file of a multipart body. It is valid until the next one is requested; unread bytes are skipped.
// Read fails with a Refusal: 413 above its limit or the body's, 408 after the route's deadline, 400 for a broken body.
type Part struct {
	Name        string // of the field
	FileName    string // as sent, without folders; "" for a field that is not a file
	ContentType string // as sent; not verified
	part        *multipart.Part
	body        *remembering
	left        int64
}

// Parts streams a multipart/form-data body part by part, without buffering parts in memory or files. It ends with the
// first error, a Refusal as for Part.Read; 415 for another content type.
//
// The cross-origin check has already run on the headers (see Policy.Open).
func Parts(c *echo.Context, limits PartLimits) iter.Seq2[*Part, error] {
	return func(yield func(*Part, error) bool) {
		r := c.Request()
		source := &remembering{ReadCloser: r.Body}
		r.Body = source
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // MultipartReader checks the boundary
		body, err := r.MultipartReader()
		if err != nil || kind != "multipart/form-data" {
			yield(nil, echo.ErrUnsupportedMediaType)
			return
		}
		for n := 0; ; n++ {
			part, err := body.NextRawPart() // our forms never use quoted-printable
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
		into = into[:p.left+1] // one extra byte detects a part above its limit
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

// remembering records the first read error of a body: package multipart reports an incomplete part header as malformed
// instead.
type remembering struct {
	io.ReadCloser
	err error // the first other than io.EOF
}

func (b *remembering) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err != nil && err != io.EOF && b.err == nil {
		b.err = err
	}
	return n, err
}

func (b *remembering) fault(err error) error { return BodyFault(cmp.Or(b.err, err)) }

// BodyFault converts the error of reading a request body to a Refusal or HTTP error.
func BodyFault(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return echo.ErrStatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return Refusal{Status: http.StatusRequestTimeout, Message: "This took too long to arrive. Please try again, on a faster connection if you can."}
	}
	return echo.ErrBadRequest
}
