package web

import (
	"fmt"
	"net/http"
)

// crossOriginProtection rejects unsafe requests from other origins; Policy.Open exempts a route.
func crossOriginProtection(baseURL string) (*http.CrossOriginProtection, error) {
	protection := http.NewCrossOriginProtection()
	// A proxy may forward another Host than browsers use.
	if err := protection.AddTrustedOrigin(baseURL); err != nil {
		return nil, fmt.Errorf("cross-origin protection: %w", err)
	}
	return protection, nil
}
