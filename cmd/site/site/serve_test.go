package site_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/static"
)

func TestFavicon(t *testing.T) {
	cfg, _ := sitetest.Development(t)
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	answer := httptest.NewRecorder()
	s.Handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/favicon.ico", nil))
	icon, kept := answer.Header().Get("Location"), answer.Header().Get("Cache-Control")
	if answer.Code != http.StatusFound || icon != static.Path("images/apple-touch-icon.png") || kept != "no-cache" {
		t.Errorf("%d to %q, kept %q", answer.Code, icon, kept)
	}
	answer = httptest.NewRecorder()
	s.Handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, icon, nil))
	if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "image/png" {
		t.Errorf("the icon answers %d, %s", answer.Code, answer.Header().Get("Content-Type"))
	}
}

func TestMetricsAreServedBeforeTheLogLine(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	cfg, _ := sitetest.Development(t, "METRICS_ADDR", address)
	var out bytes.Buffer
	err = site.Run(t.Context(), cfg, slog.New(slog.DiscardHandler), &out)
	if want := "METRICS_ADDR: listen tcp " + address + ": bind: address already in use"; err == nil || err.Error() != want || out.Len() != 0 {
		t.Errorf("a port that is taken: %v, said %q; want %s", err, out.String(), want)
	}
	cfg, _ = sitetest.Development(t, "METRICS_ADDR", "127.0.0.1:0")
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	ctx, stop := context.WithCancel(t.Context())
	status := 0
	if err := s.Server.Serve(ctx, nil, func(addresses []net.Addr) {
		defer stop()
		response, err := http.Get("http://" + addresses[1].String() + "/metrics")
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		status = response.StatusCode
	}); err != nil || status != http.StatusOK {
		t.Errorf("metrics answer %d, serving ended with %v", status, err)
	}
}
