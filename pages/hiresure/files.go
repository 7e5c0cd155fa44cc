package hiresure

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/web"
)

// fileState is an upload in progress, or its result.
type fileState struct {
	ID              string        `json:"id"`
	Address         string        `json:"address"`
	Kind            document.Kind `json:"kind"`
	Name            string        `json:"name"`
	Size            int64         `json:"size"`
	SHA256          string        `json:"sha256"`
	Received        int64         `json:"received"`
	State           string        `json:"state"`           // receiving, checking, ready, refused
	Message         string        `json:"message"`         // reason of a refusal
	Document        string        `json:"document"`        // id, once there is one
	DocumentAddress string        `json:"documentAddress"` // set once it can be opened
}

// documentState is a stored document.
type documentState struct {
	ID       string        `json:"id"`
	Kind     document.Kind `json:"kind"`
	Name     string        `json:"name"`
	Type     string        `json:"type"`
	Size     int64         `json:"size"`
	State    string        `json:"state"`   // checking, ready
	Address  string        `json:"address"` // set once it can be opened
	StoredAt time.Time     `json:"storedAt"`
}

// filesState lists the uploads and documents of an application.
type filesState struct {
	Registration string          `json:"registration"`
	Uploads      []fileState     `json:"uploads"` // the newest of each kind that is not a document yet
	Documents    []documentState `json:"documents"`
}

func fileStateOf(u document.Upload) fileState {
	state := map[document.UploadState]string{document.Receiving: "receiving", document.Whole: "checking", document.Accepted: "ready", document.Refused: "refused"}[u.State]
	return fileState{
		ID: u.ID, Address: web.FilePath(u.ID), Kind: u.Kind, Name: u.Name, Size: u.Size, SHA256: u.Hash, Received: u.Received, State: state, Message: u.Refusal, Document: u.DocumentID,
	}
}

func documentStateOf(d document.Document) documentState {
	state := documentState{ID: d.ID, Kind: d.Kind, Name: d.Name, Type: d.ContentType, Size: d.Size, State: "ready", Address: web.DocumentPath(d.ID), StoredAt: d.StoredAt.UTC()}
	if d.Checking {
		state.State, state.Address = "checking", ""
	}
	return state
}

// listFiles returns the uploads and documents of the applicant, from any browser.
func (h *home) listFiles(c *echo.Context) error {
	v, standing, err := h.Applicant(c)
	if err != nil {
		return err
	}
	all, err := h.Document.Overview(c.Request().Context(), v, "")
	if err != nil {
		return err
	}
	state := filesState{Registration: standing.Registration.ID, Uploads: []fileState{}, Documents: []documentState{}}
	for _, u := range all.Uploads {
		state.Uploads = append(state.Uploads, fileStateOf(u))
	}
	for _, d := range all.Documents {
		state.Documents = append(state.Documents, documentStateOf(d))
	}
	return c.JSON(http.StatusOK, state)
}

// uploadResult returns the result of an upload; NotFound once its document is deleted.
func (h *home) uploadResult(c *echo.Context) error {
	v, u, err := h.requestedUpload(c)
	if err != nil {
		return err
	}
	state := fileStateOf(u)
	if u.State == document.Accepted {
		all, err := h.Document.Overview(c.Request().Context(), v, "")
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all.Documents, func(d document.Document) bool { return d.ID == u.DocumentID })
		if i < 0 {
			return admission.NotFoundProblem("Document")
		}
		kept := documentStateOf(all.Documents[i])
		state.State, state.DocumentAddress = kept.State, kept.Address
	}
	return c.JSON(http.StatusOK, state)
}
