package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v5"
)

// isText reports whether a database holds a text as it is: PostgreSQL takes neither broken UTF-8 nor NUL.
func isText(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// CheckText refuses values with a name or a value that is no text, as a request that cannot be read.
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

// checkAddress refuses an address that is no text before any handler sees it: a path that is none leads nowhere, a query
// that is none cannot be read. Forms are judged where they are read, by CheckText; the JSON API judges its bodies. What is
// only badly escaped is left out of a query, as everywhere: people share links that a mail program has cut.
func checkAddress(there *url.URL) error {
	if !isText(there.Path) {
		return echo.ErrNotFound
	}
	if there.RawQuery == "" {
		return nil
	}
	return CheckText(there.Query())
}
