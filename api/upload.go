package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/web"
)

var (
	deletionBody  = shape{"fileUrl": text}
	documentsBody = withDocuments(shape{"scholarship_code": text, "profile_step": whole, ownRegistration: text})
)

const (
	maxUpload     = 8 << 20 // bytes of a phone photo: one that is too large gets an error at its field and is not stored
	uploadTimeout = 5 * time.Minute

	fileField = "file"
	noAddress = "This is not the address of a document."
)

// withDocuments adds the documents' addresses to a shape.
func withDocuments(own shape) shape {
	takes := maps.Clone(own)
	for _, fact := range document.Kinds {
		takes[fact.Wire] = text
	}
	return takes
}

// fileInfo is a document in an answer.
type fileInfo struct {
	URL         string `json:"url"`
	Name        string `json:"name"`
	Size        int64  `json:"size"` // in bytes
	ContentType string `json:"content_type"`
}

type uploaded struct {
	done
	FileInfo fileInfo `json:"fileInfo"`
}

// uploadDocument stores a file as an unnamed document, while it arrives. An Idempotency-Key compares the file, because
// multipart bodies always differ.
func (a *api) uploadDocument(c *echo.Context) error {
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return err
	}
	work := func() encoded {
		sum := sha256.New()
		answer, err := a.keepFile(c, v, sum)
		out := a.encode(c)(answer, err)
		out.keep = slices.Concat(hexadecimal(sum), []byte("\n"), out.body)
		return out
	}
	return a.once(c, "a file", work, func(kept []byte) ([]byte, error) {
		of, body, _ := bytes.Cut(kept, []byte("\n"))
		sum := sha256.New()
		if err := fileOf(c, func(part *web.Part) error {
			_, err := io.Copy(hashName(sum, part), part)
			return err
		}); err != nil {
			return nil, err
		}
		if !bytes.Equal(of, hexadecimal(sum)) {
			return nil, otherRequest()
		}
		return body, nil
	})
}

func hexadecimal(sum hash.Hash) []byte { return []byte(hex.EncodeToString(sum.Sum(nil))) }

// hashName returns a hash that has consumed the file's name and type.
func hashName(sum hash.Hash, part *web.Part) io.Writer {
	_, _ = io.WriteString(sum, part.FileName+"\x00"+part.ContentType+"\x00") // a hash never fails
	return sum
}

// keepFile stores the file of a call, or returns why it was refused. Without an error there is an answer.
func (a *api) keepFile(c *echo.Context, v admission.Visitor, sum hash.Hash) (answer, error) {
	var u document.Upload
	err := fileOf(c, func(part *web.Part) (err error) {
		file := document.NewFile{Kind: document.Unnamed, Name: part.FileName, Type: part.ContentType}
		u, err = a.Document.UploadFile(c.Request().Context(), v, file, io.TeeReader(part, hashName(sum, part)))
		return err
	})
	switch rules := document.Unnamed.Rules(); {
	case err != nil:
		return nil, a.storageProblem(c, err)
	case u.State == document.Refused && u.Refusal == rules.TooLarge:
		return nil, web.Refusal{Status: http.StatusRequestEntityTooLarge, Message: u.Refusal, Errors: map[string]string{fileField: u.Refusal}}
	case u.State == document.Refused:
		return nil, admission.FieldProblem(fileField, u.Refusal)
	}
	all, err := a.Document.Overview(context.WithoutCancel(c.Request().Context()), v, "")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all.Unnamed, func(d document.Document) bool { return d.ID == u.DocumentID })
	if i < 0 {
		return nil, admission.NotFoundProblem("Document") // deleted meanwhile
	}
	d := all.Unnamed[i]
	message := "Your document is uploaded."
	if d.Checking {
		message = "Your document is uploaded, and being checked. Please submit in a minute."
	}
	return &uploaded{*success(message), fileInfo{web.DocumentPath(d.ID), d.FileName(), d.Size, d.ContentType}}, nil
}

// storageProblem returns the refusal of a storage error, and logs it.
func (a *api) storageProblem(c *echo.Context, err error) error {
	if problem := document.NotStored(err); problem != nil {
		_ = a.Sessions.RefusalOf(c, err) // logs it; the message is the storage's
		problem.Field, problem.Faults = fileField, append(problem.Faults, fault(fileField, problem.Message))
		return problem
	}
	return err
}

// fileOf reads the only file of a multipart body, and the rest of the body, so that the client receives the answer.
func fileOf(c *echo.Context, take func(*web.Part) error) error {
	found, problem := false, error(nil)
	for part, err := range web.Parts(c, web.PartLimits{Parts: 2, Field: maxName, File: document.MaxBytes + 1}) { // one byte more is refused with our message
		switch {
		case found:
			return problem
		case err != nil:
			return err
		case part.Name != fileField:
			return admission.FieldProblem(clip(part.Name), "This field is unknown.")
		case part.FileName == "":
			return admission.FieldProblem(fileField, "This must be a file.")
		}
		found, problem = true, take(part)
		if problem != nil && admission.AsProblem(problem) == nil {
			return problem // the body cannot be read on, or storing failed: the rest does not matter
		}
	}
	if !found {
		return admission.FieldProblem(fileField, "Please choose a file.")
	}
	return problem
}

// deleteDocument deletes the document at an address.
func (a *api) deleteDocument(c *echo.Context, in fields) (answer, error) {
	id, err := a.documentAt("fileUrl", in["fileUrl"])
	if err != nil {
		return nil, err
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	if err := a.Document.Delete(c.Request().Context(), v, id); err != nil {
		return nil, err
	}
	return success("Your document is deleted."), nil
}

// documentAt returns the id in a document's address, as fileInfo and my-registration have it.
func (a *api) documentAt(field, address string) (id string, err error) {
	id, is := strings.CutPrefix(strings.TrimPrefix(address, a.BaseURL), web.DocumentPath(""))
	if !is || !admission.IsID(id) {
		return "", admission.FieldProblem(field, noAddress)
	}
	return id, nil
}

// submitDocuments completes an application with the documents at the call's addresses.
func (a *api) submitDocuments(c *echo.Context, in fields) (answer, error) {
	var faults []forms.Fault
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if _, known := documentsBody[name]; !known {
			faults = append(faults, fault(name, otherStep))
		}
	}
	named := map[document.Kind]string{}
	for _, fact := range document.Kinds {
		if in[fact.Wire] == "" {
			continue
		}
		id, err := a.documentAt(fact.Wire, in[fact.Wire])
		if refused := admission.AsProblem(err); refused != nil {
			faults = append(faults, refused.Faults...)
		}
		named[fact.Kind] = id
	}
	if problem := admission.FormProblem(faults); problem != nil {
		return nil, problem
	}
	v, err := a.applicant(c, in[ownRegistration])
	if err != nil {
		return nil, err
	}
	if err := a.Document.Submit(c.Request().Context(), v, named); err != nil {
		return nil, renameFields(err, documentOnWire)
	}
	standing, err := a.Apply.Standing(c.Request().Context(), v)
	if err != nil {
		return nil, err
	}
	return &applicationStanding{*success("Documents Uploaded successfully!"), standing.Step, standing.Status, nextPath(standing)}, nil
}

// documentOnWire returns a document's name in a call.
func documentOnWire(field string) string {
	if fact, known := document.Kind(field).Fact(); known {
		return fact.Wire
	}
	return field
}

// documentsOf returns the documents of the visitor's application; nil before its upload step.
func (a *api) documentsOf(c *echo.Context, v admission.Visitor, r *enrol.Registration) ([]document.Document, error) {
	if r == nil || r.Product() != enrol.ProductApplication {
		return nil, nil
	}
	all, err := a.Document.Overview(c.Request().Context(), v, "")
	if admission.HasKind(err, admission.NotFound) {
		return nil, nil
	}
	return slices.DeleteFunc(all.Documents, func(d document.Document) bool { return d.RegistrationID != r.ID }), err
}

// documentAddress returns the address of a kind's document; "" for none.
func documentAddress(documents []document.Document, kind document.Kind) string {
	if d, there := document.OfKind(documents, kind); there {
		return web.DocumentPath(d.ID)
	}
	return ""
}
