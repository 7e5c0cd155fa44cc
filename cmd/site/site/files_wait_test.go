package site_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/inspect"
)

// The waiting files of a person are limited. Beyond that the person must wait, and no alert is raised.
func TestWaitingFilesAreLimited(t *testing.T) {
	inspector, goesOn := site.Inspector{inspect.New(inspect.Options{})}, make(chan struct{})
	const sent = 8
	ended := make(chan error, sent)
	for range sent {
		go func() {
			_, _, err := inspector.Inspect(t.Context(), "somebody", document.Upload{Kind: document.Photo, Name: "me.png", Type: "image/png"}, &gated{goesOn, strings.NewReader(sitetest.Picture(300))}, io.Discard)
			ended <- err
		}()
	}
	problem := admission.AsProblem(<-ended)
	if problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != 5*time.Second {
		t.Errorf("who sends %d at once is told %v", sent, problem)
	}
	close(goesOn)
	for range sent - 1 {
		if err := <-ended; err != nil && admission.AsProblem(err) == nil {
			t.Error(err)
		}
	}
}

// gated is a reader that blocks until its gate is open.
type gated struct {
	gate <-chan struct{}
	io.Reader
}

func (h *gated) Read(p []byte) (int, error) {
	<-h.gate
	return h.Reader.Read(p)
}
