package hiresure

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/pages"
	"hiresure/web"
)

// A script sends documents by tus 1.0.0 (https://tus.io/protocols/resumable-upload), its core with the extensions creation and
// termination, so that a file goes on where it stopped, in whichever browser:
//
//	POST   /hiresure/upload-doc/files               begins an upload: 201, its Location, and how much of this file is here already
//	HEAD   /hiresure/upload-doc/files/{id}          how much is here
//	PATCH  /hiresure/upload-doc/files/{id}          takes the rest, and keeps what has come when it breaks off
//	DELETE /hiresure/upload-doc/files/{id}          forgets the upload
//	GET    /hiresure/upload-doc/files/{id}/verdict  what has become of it (fileState): a file that has arrived may still be refused
//	GET    /hiresure/upload-doc/files               what goes on and what is kept (filesState)
//
// Upload-Metadata has registration (the application whose page it is), kind, sha256 (of the whole, hexadecimal), filename and
// filetype. The same kind, hash and length is the same upload. The statuses of refusals, which are JSON:
//
//	400 a head that cannot be read      412 another version of tus          422 no such kind, an empty file, no hash
//	404 another's, or gone: begin again 413 longer than may be, or than said 423 it goes on in another tab or on another device
//	408 too slow: ask how much is here  415 another kind of body            429 uploads of a day
//	409 another step, another account, or not as much is here as the script says: ask how much is
//
// Ids are ours and random, and Location is a path: neither of what is asked for nor of a Host header a path is made.
// Another method by X-HTTP-Method-Override is none.
const (
	tusVersion    = "1.0.0"
	tusHeader     = "Tus-Resumable"
	tusBody       = "application/offset+octet-stream"
	offsetHeader  = "Upload-Offset"
	lengthHeader  = "Upload-Length"
	aboutHeader   = "Upload-Metadata"
	versionHeader = "Tus-Version"
)

// filesRoutes mounts them. The time of a route is a whole file's on a slow connection.
func (h *home) filesRoutes(r *web.Routes) {
	mine := web.Call.For(web.SignedInCall)
	r.Each(web.FilesPath, mine, map[string]echo.HandlerFunc{
		http.MethodGet: h.listFiles, http.MethodPost: ofTus(h.beginFile), http.MethodOptions: h.tellTus,
	})
	r.Each(web.FilePath(":id"), mine.Takes(document.MaxBytes).Within(sentSlow, sentSlow+2*time.Minute), map[string]echo.HandlerFunc{
		http.MethodHead: ofTus(h.tellOffset), http.MethodPatch: ofTus(h.receiveFile), http.MethodDelete: ofTus(h.forgetFile), http.MethodOptions: h.tellTus,
	})
	r.Only(http.MethodGet, web.VerdictPath(":id"), mine, h.verdict)
}

// ofTus refuses another version of the protocol than ours.
func ofTus(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		header := c.Response().Header()
		header.Set(tusHeader, tusVersion)
		if c.Request().Header.Get(tusHeader) != tusVersion {
			header.Set(versionHeader, tusVersion)
			return web.Refusal{Status: http.StatusPreconditionFailed, Message: "Tus-Resumable must be " + tusVersion + "."}
		}
		return next(c)
	}
}

// tellTus says what of the protocol is here.
func (h *home) tellTus(c *echo.Context) error {
	header := c.Response().Header()
	header.Set(versionHeader, tusVersion)
	header.Set("Tus-Extension", "creation,termination")
	header.Set("Tus-Max-Size", strconv.Itoa(document.MaxBytes))
	return c.NoContent(http.StatusNoContent)
}

// beginFile begins an upload, or finds the one of the same file.
func (h *home) beginFile(c *echo.Context) error {
	v, standing, err := h.applicant(c)
	if err != nil {
		return err
	}
	size, err := bytesOf(c, lengthHeader)
	if err != nil {
		return err
	}
	about, err := aboutFile(c.Request().Header.Get(aboutHeader))
	if err != nil {
		return err
	}
	if about.Get(pages.RegistrationField) != standing.RegistrationID() {
		return admission.ConflictProblem("", pages.OtherAccount)
	}
	file := document.NewFile{Kind: document.Kind(about.Get("kind")), Name: about.Get("filename"), Type: about.Get("filetype"), Size: size, Hash: about.Get("sha256")}
	if fact, known := file.Kind.Fact(); known && size > document.MaxBytes && standing.Step == enrol.StepPaid {
		return web.Refusal{Status: http.StatusRequestEntityTooLarge, Message: fact.TooLarge, Errors: map[string]string{string(file.Kind): fact.TooLarge}}
	}
	u, err := h.Document.Begin(c.Request().Context(), v, file)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderLocation, web.FilePath(u.ID))
	header.Set(offsetHeader, strconv.FormatInt(u.Received, 10))
	return c.NoContent(http.StatusCreated)
}

// bytesOf reads a header that counts bytes.
func bytesOf(c *echo.Context, name string) (int64, error) {
	n, err := strconv.ParseUint(c.Request().Header.Get(name), 10, 62)
	if err != nil {
		return 0, unreadable(name + " must count bytes.")
	}
	return int64(n), nil
}

func unreadable(why string) error { return web.Refusal{Status: http.StatusBadRequest, Message: why} }

// aboutFile reads Upload-Metadata: pairs of a key and its value in base64, each key once.
func aboutFile(header string) (url.Values, error) {
	about := url.Values{}
	for pair := range strings.SplitSeq(header, ",") {
		key, encoded, _ := strings.Cut(strings.TrimSpace(pair), " ")
		value, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || key == "" || about.Has(key) {
			return nil, unreadable("Upload-Metadata cannot be read.")
		}
		about.Set(key, string(value))
	}
	return about, web.CheckText(about)
}

// owned is the upload that a request names.
func (h *home) owned(c *echo.Context) (v admission.Visitor, u document.Upload, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, u, err
	}
	u, err = h.Document.Status(c.Request().Context(), v, c.Param("id"))
	return v, u, err
}

// tellOffset says how much of a file is here. One that was refused has arrived, too: its verdict says the rest.
func (h *home) tellOffset(c *echo.Context) error {
	_, u, err := h.owned(c)
	if err != nil {
		return err
	}
	said := func(key, value string) string { return key + " " + base64.StdEncoding.EncodeToString([]byte(value)) }
	header := c.Response().Header()
	header.Set(offsetHeader, strconv.FormatInt(u.Received, 10))
	header.Set(lengthHeader, strconv.FormatInt(u.Size, 10))
	header.Set(aboutHeader, strings.Join([]string{
		said(pages.RegistrationField, u.RegistrationID), said("kind", string(u.Kind)), said("filename", u.Name), said("filetype", u.Type), said("sha256", u.Hash),
	}, ","))
	return c.NoContent(http.StatusOK)
}

// forgetFile forgets an upload; a document that was made of it stays.
func (h *home) forgetFile(c *echo.Context) error {
	v, u, err := h.owned(c)
	if err != nil {
		return err
	}
	if err := h.Document.Cancel(c.Request().Context(), v, u.ID); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// cuts are how what arrives is kept: what came in so long at most is lost, and sent again, when a connection breaks unseen.
var cuts = web.PieceLimits{Quiet: 300 * time.Millisecond, Whole: time.Second}

// What the sender of a piece is told.
const (
	otherOffset = "Another part of this file is asked for next."
	goesOnThere = "This upload goes on in another tab or on another device."
	notStored   = "The rest of this file cannot be stored at the moment. What arrived is kept. Please go on in a few minutes."
	longerFile  = "This is more than the file whose upload began here has. Please choose it again."
)

// receiveFile takes the rest of a file, or as much of it as arrives. Who has sent the last of it waits until it is judged.
func (h *home) receiveFile(c *echo.Context) error {
	v, u, err := h.owned(c)
	if err != nil {
		return err
	}
	r, header := c.Request(), c.Response().Header()
	if kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)); kind != tusBody {
		return web.Refusal{Status: http.StatusUnsupportedMediaType, Message: "Content-Type must be " + tusBody + "."}
	}
	offset, err := bytesOf(c, offsetHeader)
	if err != nil {
		return err
	}
	header.Set(offsetHeader, strconv.FormatInt(u.Received, 10))
	switch {
	case offset != u.Received || u.State != document.Receiving:
		return admission.ConflictProblem("", otherOffset)
	case r.ContentLength > u.Size-offset:
		return web.Refusal{Status: http.StatusRequestEntityTooLarge, Message: longerFile}
	}
	writer, err := h.Document.StartPiece(r.Context(), v, u.ID, offset)
	if err != nil {
		return err
	}
	u, err = h.keepPieces(c, u, writer)
	header.Set(offsetHeader, strconv.FormatInt(u.Received, 10))
	if u.State == document.Whole {
		_ = h.ProblemOf(c, h.Document.Judge(context.WithoutCancel(r.Context()), u.ID)) // logs why it is judged later
	}
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// keepPieces keeps what arrives of an upload, and returns the upload as it is then, also beside an error.
func (h *home) keepPieces(c *echo.Context, u document.Upload, writer string) (document.Upload, error) {
	always := context.WithoutCancel(c.Request().Context()) // what arrived is kept, whether its sender is still there or not
	for piece, err := range web.Arriving(c, cuts) {
		if err != nil {
			return u, err
		}
		now, err := h.Document.Append(always, u.ID, writer, u.Received, http.MaxBytesReader(nil, io.NopCloser(piece), u.Size-u.Received))
		if _, longer := errors.AsType[*http.MaxBytesError](err); longer {
			return u, web.Refusal{Status: http.StatusRequestEntityTooLarge, Message: longerFile}
		}
		if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.Conflict {
			return u, web.Refusal{Status: http.StatusLocked, Message: goesOnThere}
		}
		if errors.Is(err, admission.ErrStorageFull) || errors.Is(err, admission.ErrStorageUnavailable) {
			_ = h.ProblemOf(c, err) // logs it
			return u, &admission.Problem{Kind: admission.Unavailable, Message: notStored}
		}
		if err != nil {
			return u, err
		}
		u = now
	}
	return u, nil
}
