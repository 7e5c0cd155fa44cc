package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ownOrigin rejects unsafe requests from other origins; Policy.Open exempts a route.
type ownOrigin struct {
	*http.CrossOriginProtection
	secure bool // BASE_URL is https
}

// Check also compares the scheme. Without Sec-Fetch-Site net/http accepts our host over http, where others on the network can change pages.
func (o ownOrigin) Check(r *http.Request) error {
	if o.secure && !safe(r.Method) && strings.HasPrefix(strings.ToLower(r.Header.Get("Origin")), "http:") {
		return errPlainOrigin
	}
	return o.CrossOriginProtection.Check(r)
}

var errPlainOrigin = errors.New("the page that sent this came over http")

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func newOwnOrigin(baseURL string) (ownOrigin, error) {
	protection := http.NewCrossOriginProtection()
	// A proxy may forward another Host than browsers use.
	if err := protection.AddTrustedOrigin(baseURL); err != nil {
		return ownOrigin{}, fmt.Errorf("cross-origin protection: %w", err)
	}
	return ownOrigin{protection, strings.HasPrefix(baseURL, "https:")}, nil
}
