// Package webtest has checks and helpers for tests of servers built on package web.
package webtest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
)

// RejectsCrossSitePosts sends cross-site requests to every route that is not a GET and reports those not refused with 403,
// except the open ones ("POST /payments/webhook/:gateway"), which verify signatures.
func RejectsCrossSitePosts(t *testing.T, e *echo.Echo, baseURL string, open ...string) {
	t.Helper()
	for _, route := range e.Router().Routes() {
		method := route.Method
		switch method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
			continue
		case echo.RouteAny, echo.RouteNotFound:
			method = http.MethodPost
		}
		name := method + " " + route.Path
		for _, contentType := range []string{"application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			for title, headers := range map[string]map[string]string{
				"another site":      {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
				"a sister host":     {"Sec-Fetch-Site": "same-site", "Origin": strings.Replace(baseURL, "://", "://sister.", 1)},
				"an old browser":    {"Origin": "https://evil.example"},
				"a sandboxed frame": {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
			} {
				r := httptest.NewRequest(method, baseURL+concrete(route), strings.NewReader("{}"))
				r.Header.Set("Content-Type", contentType)
				for header, value := range headers {
					r.Header.Set(header, value)
				}
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				refused, mayPass := w.Code == http.StatusForbidden, slices.Contains(open, name)
				if refused == mayPass {
					t.Errorf("%s from %s as %s answers %d", name, title, contentType, w.Code)
				}
			}
		}
	}
}

// concrete returns an address that a route matches.
func concrete(route echo.RouteInfo) string {
	path := route.Path
	for _, parameter := range route.Parameters {
		path = strings.Replace(path, ":"+parameter, "x", 1)
	}
	return strings.ReplaceAll(path, "*", "x")
}
