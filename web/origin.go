package web

import (
	"fmt"
	"net/http"
)

// crossOriginProtection lets our own pages change things; a policy says where other sites may, too.
func crossOriginProtection(baseURL string) (*http.CrossOriginProtection, error) {
	protection := http.NewCrossOriginProtection()
	// A proxy may call us by another host name than the one that browsers see.
	if err := protection.AddTrustedOrigin(baseURL); err != nil {
		return nil, fmt.Errorf("cross-origin protection: %w", err)
	}
	return protection, nil
}
