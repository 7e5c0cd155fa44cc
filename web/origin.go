package web

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v5"
)

// crossOriginProtection lets our own pages change things, and other sites only where a route verifies a signature.
func crossOriginProtection(baseURL string, openToOthers []string) (*http.CrossOriginProtection, error) {
	protection := http.NewCrossOriginProtection()
	// A proxy may call us by another host name than the one that browsers see.
	if err := protection.AddTrustedOrigin(baseURL); err != nil {
		return nil, fmt.Errorf("cross-origin protection: %w", err)
	}
	for _, pattern := range openToOthers {
		protection.AddInsecureBypassPattern(pattern)
	}
	return protection, nil
}

func (m *Manager) crossOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if err := m.origins.Check(c.Request()); err != nil {
			return Refusal{Status: http.StatusForbidden, Message: "This request came from another site. Please use our own pages."}
		}
		return next(c)
	}
}
