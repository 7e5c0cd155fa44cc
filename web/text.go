package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v5"
)

// isText reports whether the database can store text: PostgreSQL rejects invalid UTF-8 and NUL.
func isText(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// CheckText returns 400 for a name or value that the database cannot store.
func CheckText(values url.Values) error {
	for name, all := range values {
		if !isText(name) {
			return echo.ErrBadRequest
		}
		for _, value := range all {
			if !isText(value) {
				return echo.ErrBadRequest
			}
		}
	}
	return nil
}

// checkAddress rejects a path (404), and a query that changes something (400), which the database cannot store. Of other queries
// it removes the names and values that cannot be read: an advertiser's broken utm_campaign must not break a page. CheckText
// checks forms, and the API checks JSON.
func checkAddress(r *http.Request) error {
	if !isText(r.URL.Path) {
		return echo.ErrNotFound
	}
	if r.URL.RawQuery == "" {
		return nil
	}
	query := r.URL.Query()
	err := CheckText(query)
	if err == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return err
	}
	maps.DeleteFunc(query, func(name string, all []string) bool {
		return !isText(name) || slices.ContainsFunc(all, func(value string) bool { return !isText(value) })
	})
	r.URL.RawQuery = query.Encode()
	return nil
}
