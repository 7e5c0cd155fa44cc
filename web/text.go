package web

import (
	"net/url"
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

// checkAddress rejects paths (404) and queries (400) that the database cannot store. Forms are checked when they are read,
// by CheckText, and JSON bodies by the API. Invalid percent-escapes in a query are ignored: people share truncated links.
func checkAddress(there *url.URL) error {
	if !isText(there.Path) {
		return echo.ErrNotFound
	}
	if there.RawQuery == "" {
		return nil
	}
	return CheckText(there.Query())
}
