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

// fileState is a file on its way, and what has become of it.
type fileState struct {
	ID              string        `json:"id"`
	Address         string        `json:"address"`
	Kind            document.Kind `json:"kind"`
	Name            string        `json:"name"`
	Size            int64         `json:"size"`
	SHA256          string        `json:"sha256"`
	Received        int64         `json:"received"`
	State           string        `json:"state"`           // receiving, checking, ready, refused
	Message         string        `json:"message"`         // why it was refused
	Document        string        `json:"document"`        // its id, once it is one
	DocumentAddress string        `json:"documentAddress"` // once it opens
}

// documentState is a document that is kept.
type documentState struct {
	ID       string        `json:"id"`
	Kind     document.Kind `json:"kind"`
	Name     string        `json:"name"`
	Type     string        `json:"type"`
	Size     int64         `json:"size"`
	State    string        `json:"state"`   // checking, ready
	Address  string        `json:"address"` // once it opens
	StoredAt time.Time     `json:"storedAt"`
}

// filesState is all that has come of an application's documents.
type filesState struct {
	Registration string          `json:"registration"`
	Uploads      []fileState     `json:"uploads"` // the newest of each kind that is no document yet
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

// listFiles tells what of the applicant's documents is here, whichever browser has sent it.
func (h *home) listFiles(c *echo.Context) error {
	v, standing, err := h.applicant(c)
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

// verdict tells what has become of a file. That of one whose document is deleted by now is not there any more.
func (h *home) verdict(c *echo.Context) error {
	v, u, err := h.owned(c)
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
