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

// Names of the form's fields besides its files, which are named by document.Kind.
const (
	doField     = "do"
	deleteField = "delete" // id of a document
	doSubmit    = "submit"
	doUpload    = "upload"
)

const (
	maxUploadBytes = 32 << 20 // four phone photos: each that is too large gets an error at its field and is not stored
	uploadTimeout  = 10 * time.Minute
	doneQuery      = "done" // shows the page after submission
	openQuery      = "open" // shows what is missing after SUBMIT, so that the browser's Back button passes pages only
	lateQuery      = "late" // shows the note about documents sent after submission
)

// tooMuch is the message for files that are rejected unread because of their total size.
const tooMuch = "These files are too large together. Those that say “Uploaded” are kept. Send the others one by one, each up to 2 MB."

// upload shows the page of an application's documents.
func (h *home) upload(c *echo.Context) error {
	v, standing, err := h.Applicant(c)
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

// sent is a posted form of documents with its result.
type sent struct {
	fields  url.Values
	faults  []forms.Fault // of files not stored, other than refused ones
	refused bool          // a file was checked and refused
	status  int
}

func (s *sent) fault(field string, problem *admission.Problem) {
	s.faults = append(s.faults, forms.Fault{Field: field, Message: problem.Message})
	s.status = web.StatusOf(problem)
}

// sendDocuments stores every valid file, then runs the pressed button.
func (h *home) sendDocuments(c *echo.Context) error {
	v, standing, err := h.Applicant(c)
	if err != nil {
		return err
	}
	if standing.Step == enrol.StepComplete { // ignores an outdated page
		_, _ = io.Copy(io.Discard, c.Request().Body) // reads the body: a browser that is cut off shows no answer
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

// readDocuments parses the form as it arrives; no file is held in memory.
func (h *home) readDocuments(c *echo.Context, v admission.Visitor, standing apply.Standing, s *sent) error {
	limits := web.PartLimits{Parts: 16, Field: 4 << 10, File: document.MaxBytes + 1} // one byte more is refused with the kind's message
	for part, err := range web.Parts(c, limits) {
		switch {
		case errors.Is(err, echo.ErrUnsupportedMediaType): // not a form
			return err
		case err != nil:
			s.fault("", h.incompleteProblem(c, err))
			return nil
		case part.FileName != "":
			if !h.keepDocument(c, v, part, s) {
				return nil
			}
			continue
		}
		text, err := io.ReadAll(part)
		if err != nil {
			s.fault("", h.incompleteProblem(c, err))
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

// keepDocument stores one file. It returns false if nothing more can be read.
func (h *home) keepDocument(c *echo.Context, v admission.Visitor, part *web.Part, s *sent) bool {
	kind := document.Kind(part.Name)
	if _, known := kind.Fact(); !known {
		return true
	}
	u, err := h.Document.UploadFile(c.Request().Context(), v, document.NewFile{Kind: kind, Name: part.FileName, Type: part.ContentType}, part)
	problem := h.ProblemOf(c, err) // logs server errors
	switch {
	case err == nil:
		s.refused = s.refused || u.State == document.Refused
	case document.NotStored(err) != nil:
		s.fault(part.Name, document.NotStored(err))
	case u.State == document.Whole: // stored, and checked within a minute
	case isIncomplete(err):
		s.fault(part.Name, h.incompleteProblem(c, err))
		return false
	default:
		s.fault(part.Name, problem)
		return admission.AsProblem(err) != nil
	}
	return true
}

// isIncomplete reports whether a body arrived incomplete.
func isIncomplete(err error) bool {
	_, refusal := errors.AsType[web.Refusal](err)
	return refusal || errors.Is(err, echo.ErrBadRequest) || errors.Is(err, echo.ErrStatusRequestEntityTooLarge)
}

// incompleteProblem returns the problem of an incomplete form.
func (h *home) incompleteProblem(c *echo.Context, err error) *admission.Problem {
	if errors.Is(err, echo.ErrStatusRequestEntityTooLarge) {
		return &admission.Problem{Kind: admission.Invalid, Message: tooMuch}
	}
	return h.ProblemOf(c, err)
}

// openDocument sends a document to its owner. The thumbnail on our pages does not count as a view; an API client has no
// pages, so all its requests do.
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

// disposition returns a Content-Disposition with the sender's file name (RFC 6266): in ASCII and unchanged.
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
	return how + `; filename="` + ascii + `"; filename*=UTF-8''` + extValue(name)
}

// extValue encodes text as an ext-value of RFC 8187.
func extValue(text string) string {
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
