// Package sitetest builds a whole site for tests, with a visitor.
package sitetest

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"hiresure/cmd/site/config"
	"hiresure/cmd/site/site"
	"hiresure/inspect"
)

// Main runs the tests of a package, or the site's child process for inspections, which is the test's own program.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" {
		os.Exit(inspect.Child(os.Stdin, os.Stdout, os.Args[2:]))
	}
	os.Exit(m.Run())
}

// Key and FileKey are good values of SECRET_KEY and STORAGE_KEYS.
const (
	Key     = "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a"
	FileKey = "2026:7b1e0c64d5a9f38260e74cb1d98f2a530f6be7411c8d9a25e3740fb86dc2915e"
)

// Development returns a configuration with a new folder and any free port.
func Development(t *testing.T, changes ...string) (*config.Config, map[string]string) {
	t.Helper()
	environ := map[string]string{"DATA_DIR": t.TempDir(), "ADDR": "127.0.0.1:0", "CAPTCHA": "off", "CHROME_URL": "off"}
	for i := 0; i+1 < len(changes); i += 2 {
		environ[changes[i]] = changes[i+1]
	}
	cfg, err := config.Read(environ)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, environ
}

// New builds a site without serving.
func New(t *testing.T, environ map[string]string) *site.Site {
	t.Helper()
	all := map[string]string{"DATA_DIR": t.TempDir(), "CAPTCHA_SITE_KEY": "6Lsite", "CAPTCHA_SECRET": "secret"}
	maps.Copy(all, environ)
	cfg, err := config.Read(all)
	if err != nil {
		t.Fatal(err)
	}
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.WithoutCancel(t.Context())) })
	return s
}

// Get requests a page of a site.
func Get(s *site.Site, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}
