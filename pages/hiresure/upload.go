package hiresure

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// The fields of the documents' form beside its files, each named by its document.Kind.
const (
	doField     = "do"
	deleteField = "delete" // the document to delete
	doSubmit    = "submit"
	doUpload    = "upload"
)

const (
	mostSent  = 32 << 20 // bytes of four photos as phones take them: each that is too large is told at its field, nothing of it is stored
	sentSlow  = 10 * time.Minute
	doneQuery = "done" // leads to the page of who has submitted a moment ago
	openQuery = "open" // says what is missing, after SUBMIT: so the browser's own Back comes by pages alone
	lateQuery = "late" // leads who has sent something after that to the registration, which says so
)

// What is told of files that could not be taken, whatever is in them.
const (
	tooMuch = "These files are too large together. What stands below as arrived is kept; send the others one after the other, each up to 2 MB."
)

// upload is where an application's documents are sent, and what has become of them.
func (h *home) upload(c *echo.Context) error {
	v, standing, err := h.applicant(c)
	if err != nil {
		return err
	}
	if standing.Step == enrol.StepComplete && c.Request().URL.Query().Has(doneQuery) {
		return h.showDone(c, v, standing)
	}
	if err := pages.CheckPlace(standing, enrol.PlaceUpload); err != nil {
		return err
	}
	return h.showUpload(c, http.StatusOK, v, standing, nil)
}

func (h *home) applicant(c *echo.Context) (v admission.Visitor, standing apply.Standing, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, standing, err
	}
	standing, err = h.Apply.Standing(c.Request().Context(), v)
	return v, standing, err
}

// sent is a form of documents: its fields, and what has become of its files.
type sent struct {
	fields  url.Values
	faults  []forms.Fault // of what was not kept for a reason that is no verdict
	refused bool          // a file was judged, and is none that we keep
	status  int
}

func (s *sent) fault(field string, problem *admission.Problem) {
	s.faults = append(s.faults, forms.Fault{Field: field, Message: problem.Message})
	s.status = web.StatusOf(problem)
}

// sendDocuments keeps every file that is good, whatever becomes of the others, and then does what was pressed.
func (h *home) sendDocuments(c *echo.Context) error {
	v, standing, err := h.applicant(c)
	if err != nil {
		return err
	}
	if standing.Step == enrol.StepComplete { // whatever was pressed on a page that is older: nothing of it is taken
		_, _ = io.Copy(io.Discard, c.Request().Body) // a browser that is cut off while it sends shows no answer
		return web.Redirect{Path: pages.ContinuePath(standing) + "?" + lateQuery}
	}
	if err := pages.CheckPlace(standing, enrol.PlaceUpload); err != nil {
		return err
	}
	s := sent{fields: url.Values{}}
	if err := h.readDocuments(c, v, standing, &s); err != nil {
		return err
	}
	ctx := c.Request().Context()
	if id := s.fields.Get(deleteField); id != "" {
		if err := h.Document.Delete(ctx, v, id); err != nil {
			return err
		}
	}
	if s.fields.Get(doField) == doSubmit && len(s.faults) == 0 && !s.refused {
		err := h.Document.Submit(ctx, v, nil)
		if err == nil {
			return c.Redirect(http.StatusSeeOther, web.UploadPath+"?"+doneQuery)
		}
		problem := h.ProblemOf(c, err)
		if len(problem.Faults) > 0 {
			return c.Redirect(http.StatusSeeOther, web.UploadPath+"?"+openQuery)
		}
		s.fault("", problem)
	}
	if len(s.faults) > 0 {
		return h.showUpload(c, s.status, v, standing, s.faults)
	}
	return c.Redirect(http.StatusSeeOther, web.UploadPath)
}

// readDocuments reads the form as it arrives: no file of it is ever held whole.
func (h *home) readDocuments(c *echo.Context, v admission.Visitor, standing apply.Standing, s *sent) error {
	limits := web.PartLimits{Parts: 16, Field: 4 << 10, File: document.MaxBytes + 1} // the byte more is refused in the kind's words
	for part, err := range web.Parts(c, limits) {
		switch {
		case errors.Is(err, echo.ErrUnsupportedMediaType): // nothing of it is a form
			return err
		case err != nil:
			s.fault("", h.brokenOff(c, err))
			return nil
		case part.FileName != "":
			if !h.keepDocument(c, v, part, s) {
				return nil
			}
			continue
		}
		text, err := io.ReadAll(part)
		if err != nil {
			s.fault("", h.brokenOff(c, err))
			return nil
		}
		s.fields.Set(part.Name, string(text))
		if err := web.CheckText(s.fields); err != nil {
			return err
		}
		if owner := s.fields.Get(pages.RegistrationField); owner != "" && owner != standing.Registration.ID {
			return admission.ConflictProblem("", pages.OtherAccount)
		}
	}
	return nil
}

// keepDocument keeps one file; false: nothing more can be read.
func (h *home) keepDocument(c *echo.Context, v admission.Visitor, part *web.Part, s *sent) bool {
	kind := document.Kind(part.Name)
	if _, known := kind.Fact(); !known {
		return true
	}
	u, err := h.Document.UploadFile(c.Request().Context(), v, document.NewFile{Kind: kind, Name: part.FileName, Type: part.ContentType}, part)
	problem := h.ProblemOf(c, err) // logs what is no fault of the sender
	switch {
	case err == nil:
		s.refused = s.refused || u.State == document.Refused
	case document.NotStored(err) != nil:
		s.fault(part.Name, document.NotStored(err))
	case u.State == document.Whole: // it is here, and judged in a minute
	case isBroken(err):
		s.fault(part.Name, h.brokenOff(c, err))
		return false
	default:
		s.fault(part.Name, problem)
		return admission.AsProblem(err) != nil
	}
	return true
}

// isBroken reports whether a body did not arrive whole.
func isBroken(err error) bool {
	_, refusal := errors.AsType[web.Refusal](err)
	return refusal || errors.Is(err, echo.ErrBadRequest) || errors.Is(err, echo.ErrStatusRequestEntityTooLarge)
}

// brokenOff says why a form did not arrive whole, with what was kept of it.
func (h *home) brokenOff(c *echo.Context, err error) *admission.Problem {
	if errors.Is(err, echo.ErrStatusRequestEntityTooLarge) {
		return &admission.Problem{Kind: admission.Invalid, Message: tooMuch}
	}
	return h.ProblemOf(c, err)
}

// openDocument sends a document to its owner. A passport photo is shown in pages of ours, to who is signed in there, which is
// no opening of it; an API client has no page of ours, so that whatever it asks for is one.
func (h *home) openDocument(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	open := h.Document.Open
	if _, byClient := web.Bearer(c.Request()); !byClient && c.Request().URL.Query().Has(web.ThumbnailQuery) {
		open = h.Document.Thumbnail
	}
	d, content, err := open(c.Request().Context(), v, c.Param("id"))
	if err != nil {
		return err
	}
	defer content.Close()
	header := c.Response().Header()
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "private, no-store")
	header.Set("Content-Disposition", disposition(d))
	return web.Stream(c, d.ContentType, func(to *web.Pieces) error {
		_, err := io.Copy(to, content)
		return err
	})
}

// disposition names a file as its sender did, by RFC 6266: in ASCII, and as it is.
func disposition(d document.Document) string {
	how := "attachment"
	if isPicture(d) {
		how = "inline"
	}
	name := d.FileName()
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%;`, r) {
			return '_'
		}
		return r
	}, name)
	return how + `; filename="` + ascii + `"; filename*=UTF-8''` + percented(name)
}

// percented is text as an ext-value of RFC 8187.
func percented(text string) string {
	const hexadecimal = "0123456789ABCDEF"
	var out strings.Builder
	for _, b := range []byte(text) {
		if b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || strings.IndexByte("!#$&+-.^_`|~", b) >= 0 {
			out.WriteByte(b)
			continue
		}
		out.WriteString("%" + string(hexadecimal[b>>4]) + string(hexadecimal[b&15]))
	}
	return out.String()
}
