package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/e2e"
)

// reader is a visitor of a serving site, with a mailbox.
type reader struct {
	*e2e.Visitor
	t    *testing.T
	site *site
	log  *synced       // warnings and errors
	late *atomic.Int64 // offset of the site's clock
}

// passes advances the site's clock.
func (r *reader) passes(d time.Duration) { r.late.Add(int64(d)) }

// synced is a buffer for concurrent writers.
type synced struct {
	bytes.Buffer
	mutex sync.Mutex
}

func (s *synced) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.Buffer.Write(p)
}

// openSite starts a serving site while enrolment is open.
func openSite(t *testing.T, changes ...string) *reader {
	t.Helper()
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	config, _ := development(t, append(changes, "BASE_URL", server.URL)...)
	late := new(atomic.Int64)
	clock := func() time.Time {
		return time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC).Add(time.Duration(late.Load()))
	}
	log := new(synced)
	s, err := build(t.Context(), config, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn})), clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(context.WithoutCancel(t.Context())) })
	handler = s.handler
	return &reader{e2e.NewVisitor(server.URL, 1), t, s, log, late}
}

func (r *reader) fetch(path string, header ...string) (*http.Response, string) {
	r.t.Helper()
	request, err := http.NewRequest(http.MethodGet, r.Base+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := r.Client.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer, string(body)
}

// call posts a JSON body and returns the status and body of the response.
func (r *reader) call(path string, body map[string]any) (int, string) {
	r.t.Helper()
	answer, err := r.Call(path, body)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := json.Marshal(answer.Fields)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.Status, string(text)
}

// mail runs the due jobs and returns subject and text of the newest message to an address.
func (r *reader) mail(to string) string {
	r.t.Helper()
	for _, worker := range r.site.workers {
		if _, err := worker.RunDue(r.t.Context()); err != nil {
			r.t.Fatal(err)
		}
	}
	got, _, err := r.site.outboxPage(r.t.Context(), to, "", 1)
	if err != nil || len(got) == 0 {
		r.t.Fatalf("nothing was sent to %s, %v", to, err)
	}
	return got[0].Subject + "\n" + got[0].Body
}
