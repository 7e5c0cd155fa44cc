package telemetry_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v5"

	"hiresure/cmd/site/telemetry"
)

func TestSpansGoToTheTracesPathOfTheCollector(t *testing.T) {
	for under, want := range map[string]string{"": "/v1/traces", "/": "/v1/traces", "/otlp": "/otlp/v1/traces"} {
		paths := make(chan string, 1)
		collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { paths <- r.Method + " " + r.URL.Path }))
		stop, err := telemetry.StartTracing(t.Context(), collector.URL+under)
		if err != nil {
			t.Fatal(err)
		}
		e := echo.New()
		e.GET("/", telemetry.TraceRequests(func(c *echo.Context) error { return c.NoContent(http.StatusOK) }))
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
		if err := stop(t.Context()); err != nil {
			t.Error(err)
		}
		if got := <-paths; got != "POST "+want {
			t.Errorf("%q: got %s, want POST %s", under, got, want)
		}
		collector.Close()
	}
}
