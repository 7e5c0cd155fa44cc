package web

import (
	"context"
	"log/slog"

	"github.com/gorilla/sessions"
	"github.com/labstack/echo/v5"
)

const auditValue valueName = "audit"

// audit logs the suspicious accesses of one request.
type audit struct {
	ctx     context.Context
	log     *slog.Logger
	route   string
	session *sessions.Session
	denied  map[string]bool
}

// audit returns the audit of the request and creates it on first use.
func (m *Manager) audit(c *echo.Context, s *sessions.Session) *audit {
	if found, known := s.Values[auditValue].(*audit); known {
		return found
	}
	made := &audit{c.Request().Context(), m.Log, c.Path(), s, map[string]bool{}}
	s.Values[auditValue] = made
	return made
}

// Denied logs, once per id, that the visitor requested a record of somebody else.
func (a *audit) Denied(id string) {
	if a.denied[id] {
		return
	}
	a.denied[id] = true
	a.log.WarnContext(a.ctx, "access to another visitor's record denied", "route", a.route, "id", id, "session", a.session.ID)
}
