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

// Scripts upload documents by tus 1.0.0 (https://tus.io/protocols/resumable-upload), with the extensions creation and
// termination, so that an upload continues where it stopped, in any browser:
//
//	POST   /hiresure/upload-doc/files               starts an upload: 201, its Location and its offset
//	HEAD   /hiresure/upload-doc/files/{id}          its offset
//	PATCH  /hiresure/upload-doc/files/{id}          appends bytes, and keeps what arrived if the connection breaks
//	DELETE /hiresure/upload-doc/files/{id}          deletes the upload
//	GET    /hiresure/upload-doc/files/{id}/verdict  its result (fileState): a complete file may still be refused
//	GET    /hiresure/upload-doc/files               all uploads and documents (filesState)
//
// Upload-Metadata has registration (the page's application), kind, sha256 (of the file, hexadecimal), filename and filetype.
// Equal kind, hash and length identify the same upload. Refusals are JSON:
//
//	400 unreadable header               412 other version of tus            422 unknown kind, empty file, no hash
//	404 not the account's, or deleted   413 too long, or longer than stated 423 continued in another tab or on another device
//	408 too slow: read the offset       415 other content type              429 daily limit of uploads
//	409 other step, other account, or wrong offset: read the offset
//
// Ids are random, and Location is a path that ignores the Host header. X-HTTP-Method-Override is ignored.
const (
	tusVersion    = "1.0.0"
	tusHeader     = "Tus-Resumable"
	tusBody       = "application/offset+octet-stream"
	offsetHeader  = "Upload-Offset"
	lengthHeader  = "Upload-Length"
	aboutHeader   = "Upload-Metadata"
	versionHeader = "Tus-Version"
)

// uploadRoutes mounts the tus endpoints. Their time limit allows a whole file on a slow connection.
func (h *home) uploadRoutes(r *web.Routes) {
	mine := web.Call.For(web.SignedInCall)
	r.Each(web.FilesPath, mine, map[string]echo.HandlerFunc{
		http.MethodGet: h.listFiles, http.MethodPost: requireTus(h.createUpload), http.MethodOptions: h.tusOptions,
	})
	r.Each(web.FilePath(":id"), mine.Takes(document.MaxBytes).Within(uploadTimeout, uploadTimeout+2*time.Minute), map[string]echo.HandlerFunc{
		http.MethodHead: requireTus(h.uploadOffset), http.MethodPatch: requireTus(h.receiveUpload), http.MethodDelete: requireTus(h.deleteUpload), http.MethodOptions: h.tusOptions,
	})
	r.Only(http.MethodGet, web.VerdictPath(":id"), mine, h.uploadResult)
}

// requireTus rejects other versions of the protocol.
func requireTus(next echo.HandlerFunc) echo.HandlerFunc {
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

// tusOptions returns the supported version and extensions.
func (h *home) tusOptions(c *echo.Context) error {
	header := c.Response().Header()
	header.Set(versionHeader, tusVersion)
	header.Set("Tus-Extension", "creation,termination")
	header.Set("Tus-Max-Size", strconv.Itoa(document.MaxBytes))
	return c.NoContent(http.StatusNoContent)
}

// createUpload starts an upload, or returns the one of the same file.
func (h *home) createUpload(c *echo.Context) error {
	v, standing, err := h.Applicant(c)
	if err != nil {
		return err
	}
	size, err := byteHeader(c, lengthHeader)
	if err != nil {
		return err
	}
	about, err := parseMetadata(c.Request().Header.Get(aboutHeader))
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

// byteHeader parses a header that counts bytes.
func byteHeader(c *echo.Context, name string) (int64, error) {
	n, err := strconv.ParseUint(c.Request().Header.Get(name), 10, 62)
	if err != nil {
		return 0, unreadable(name + " must count bytes.")
	}
	return int64(n), nil
}

func unreadable(why string) error { return web.Refusal{Status: http.StatusBadRequest, Message: why} }

// parseMetadata parses Upload-Metadata: pairs of a key and a base64 value, each key once.
func parseMetadata(header string) (url.Values, error) {
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

// requestedUpload returns the upload that a request names.
func (h *home) requestedUpload(c *echo.Context) (v admission.Visitor, u document.Upload, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, u, err
	}
	u, err = h.Document.Status(c.Request().Context(), v, c.Param("id"))
	return v, u, err
}

// uploadOffset returns how many bytes of an upload have arrived. A refused one has arrived too: its verdict has the reason.
func (h *home) uploadOffset(c *echo.Context) error {
	_, u, err := h.requestedUpload(c)
	if err != nil {
		return err
	}
	pair := func(key, value string) string { return key + " " + base64.StdEncoding.EncodeToString([]byte(value)) }
	header := c.Response().Header()
	header.Set(offsetHeader, strconv.FormatInt(u.Received, 10))
	header.Set(lengthHeader, strconv.FormatInt(u.Size, 10))
	header.Set(aboutHeader, strings.Join([]string{
		pair(pages.RegistrationField, u.RegistrationID), pair("kind", string(u.Kind)), pair("filename", u.Name), pair("filetype", u.Type), pair("sha256", u.Hash),
	}, ","))
	return c.NoContent(http.StatusOK)
}

// deleteUpload deletes an upload; its document stays.
func (h *home) deleteUpload(c *echo.Context) error {
	v, u, err := h.requestedUpload(c)
	if err != nil {
		return err
	}
	if err := h.Document.Cancel(c.Request().Context(), v, u.ID); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// pieceLimits limits how much is lost when a connection breaks unnoticed.
var pieceLimits = web.PieceLimits{Quiet: 300 * time.Millisecond, Whole: time.Second}

// Messages to the sender of a piece.
const (
	otherOffset  = "This is not the next part of the file."
	lockedUpload = "This upload continues in another tab or on another device."
	notStored    = "We cannot store the rest of this file now. The first part is kept. Please continue in a few minutes."
	longerFile   = "This is larger than the file that you chose first. Please choose it again."
)

// receiveUpload stores the rest of a file, or what arrives of it. With the last piece it waits for the check.
func (h *home) receiveUpload(c *echo.Context) error {
	v, u, err := h.requestedUpload(c)
	if err != nil {
		return err
	}
	r, header := c.Request(), c.Response().Header()
	if kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)); kind != tusBody {
		return web.Refusal{Status: http.StatusUnsupportedMediaType, Message: "Content-Type must be " + tusBody + "."}
	}
	offset, err := byteHeader(c, offsetHeader)
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
	u, err = h.storePieces(c, u, writer)
	header.Set(offsetHeader, strconv.FormatInt(u.Received, 10))
	if u.State == document.Whole {
		_ = h.ProblemOf(c, h.Document.Judge(context.WithoutCancel(r.Context()), u.ID)) // logs why the check is late
	}
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// storePieces stores what arrives and returns the upload, also with an error.
func (h *home) storePieces(c *echo.Context, u document.Upload, writer string) (document.Upload, error) {
	always := context.WithoutCancel(c.Request().Context()) // stores what arrived even if the sender has gone
	for piece, err := range web.BodyPieces(c, pieceLimits) {
		if err != nil {
			return u, err
		}
		now, err := h.Document.Append(always, u.ID, writer, u.Received, http.MaxBytesReader(nil, io.NopCloser(piece), u.Size-u.Received))
		if _, longer := errors.AsType[*http.MaxBytesError](err); longer {
			return u, web.Refusal{Status: http.StatusRequestEntityTooLarge, Message: longerFile}
		}
		if admission.HasKind(err, admission.Conflict) {
			return u, web.Refusal{Status: http.StatusLocked, Message: lockedUpload}
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
