package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"hiresure/admission"
)

func TestErrorTrackerGetsNoPersonalData(t *testing.T) {
	var mutex sync.Mutex
	var sent []string
	tracker := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mutex.Lock()
		defer mutex.Unlock()
		sent = append(sent, string(body))
	}))
	defer tracker.Close()
	report, flush, err := StartSentry(strings.Replace(tracker.URL, "http://", "http://key@", 1)+"/1", "test")
	if err != nil {
		t.Fatal(err)
	}
	report(fmt.Errorf("save enquiry of asha.rao@example.com: %w", errors.New("duplicate +919876543210, link abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ")), "REQUEST1")
	flush(2 * time.Second)
	mutex.Lock()
	defer mutex.Unlock()
	got := strings.Join(sent, "\n")
	for _, part := range []string{"save enquiry of a***@example.com", "duplicate 98******10, link abcd…", "REQUEST1"} {
		if !strings.Contains(got, part) {
			t.Errorf("the report lacks %q: %s", part, got)
		}
	}
	for _, secret := range []string{"asha.rao", "9876543210", "abcdefghij"} {
		if strings.Contains(got, secret) {
			t.Errorf("the report holds %s", secret)
		}
	}
}

func TestSpan(t *testing.T) {
	before := otel.GetTracerProvider()
	defer otel.SetTracerProvider(before)
	kept := tracetest.NewInMemoryExporter()
	otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSyncer(kept)))
	e := echo.New()
	e.Use(TraceRequests)
	e.GET("/receipt/:token", func(c *echo.Context) error { return c.NoContent(http.StatusNotFound) })
	e.POST("/enquiry", func(c *echo.Context) error { return c.NoContent(http.StatusServiceUnavailable) })
	for _, test := range []struct {
		method, address, name, route string
		status                       int
	}{
		{"GET", "/receipt/secret?utm_source=x", "GET /receipt/:token", "/receipt/:token", 404},
		{"POST", "/enquiry", "POST /enquiry", "/enquiry", 503},
	} {
		kept.Reset()
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(test.method, test.address, nil))
		spans := kept.GetSpans()
		if len(spans) != 1 || spans[0].Name != test.name {
			t.Fatalf("%s %s: spans %+v", test.method, test.address, spans)
		}
		got := attribute.NewSet(spans[0].Attributes...)
		want := attribute.NewSet(attribute.String("http.request.method", test.method), attribute.String("http.route", test.route), attribute.Int("http.response.status_code", test.status))
		if !got.Equals(&want) {
			t.Errorf("%s: %v, want %v", test.name, spans[0].Attributes, want.ToSlice())
		}
	}
}

func TestDatabaseDownAlert(t *testing.T) {
	m := NewMetrics()
	var reported []string
	w := Watcher{m, func(fault error, requestID string) { reported = append(reported, requestID+" "+fault.Error()) }}
	w.Broke(context.Background(), errors.New("a mistake"), "r1")
	w.Broke(context.Background(), fmt.Errorf("save enquiry: %w", admission.ErrUnavailable), "r2")
	shown := httptest.NewRecorder()
	m.Handler("").ServeHTTP(shown, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if want := `alerts_total{what="database does not answer or cannot write"} 1`; strings.Count(shown.Body.String(), "alerts_total{") != 1 || !strings.Contains(shown.Body.String(), want+"\n") {
		t.Errorf("the metrics lack %s", want)
	}
	if got := strings.Join(reported, "; "); got != "r1 a mistake; r2 save enquiry: the database is unavailable" {
		t.Errorf("reported %q", got)
	}
}
