package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/paths"
)

// Addresses of the staff area.
const (
	StaffPath         = "/admin"
	StaffSignInPath   = "/admin/sign-in"
	StaffCodePath     = "/admin/sign-in/code"
	StaffSetUpPath    = "/admin/sign-in/set-up"
	StaffSignOutPath  = "/admin/sign-out"
	StaffConfirmPath  = "/admin/confirm"
	StaffMenuPath     = "/admin/menu"
	StaffLogPath      = "/admin/log"
	StaffAccountsPath = "/admin/staff"
	StaffSessionsPath = "/admin/sessions"

	StaffRegistrationsPath = "/admin/registrations"
	StaffPrintPath         = "/admin/print"
	StaffRegisterPath      = "/admin/print/register"
)

// StaffWelcomePath returns the page of a link that sets up an account.
func StaffWelcomePath(token string) string { return paths.StaffWelcome(token) }

// StaffAccountPath returns the page of a colleague.
func StaffAccountPath(id string) string { return StaffAccountsPath + "/" + id }

// StaffRegistrationPath returns the page of a registration.
func StaffRegistrationPath(id string) string { return StaffRegistrationsPath + "/" + id }

// IsStaff reports whether a path belongs to the staff area.
func IsStaff(path string) bool { return path == StaffPath || strings.HasPrefix(path, StaffPath+"/") }

// StaffKeeper finds people who work here; implemented by staff.Service.
type StaffKeeper interface {
	Find(ctx context.Context, token string) (*staff.Person, error)
	Actor(v admission.Visitor, p *staff.Person, request string) staff.Actor
	Deny(ctx context.Context, by staff.Actor, p staff.Permission, address string) error
}

// Staff returns the policy of a page of the staff area that needs a permission.
func Staff(p staff.Permission) Policy { return Policy{Staff: p} }

// StaffDoor is the policy of the pages that lead into the staff area.
var StaffDoor = Policy{StaffDoor: true}

const (
	personKey        = "staff person"
	browserCookieAge = 180 * 24 * time.Hour
)

// admitStaff admits people who have the permission that a route of the staff area needs. Strangers learn nothing: for them there is no
// such page. A route without a permission is refused to everybody.
func (m *Manager) admitStaff(c *echo.Context, p *Policy) error {
	if p.StaffDoor {
		return nil
	}
	if m.Staff == nil {
		return echo.ErrNotFound
	}
	token := m.StaffToken(c)
	person, err := m.Staff.Find(c.Request().Context(), token)
	switch {
	case err != nil:
		return err
	case person == nil && (token == "" || p.Staff == ""):
		return echo.ErrNotFound
	case person == nil:
		return Redirect{Path: StaffSignInPath, Back: c.Request().Method == http.MethodGet}
	}
	c.Set(personKey, person)
	switch {
	case p.Staff == "":
		return echo.ErrNotFound
	case person.Can(p.Staff):
		return nil
	}
	if err := m.Staff.Deny(c.Request().Context(), m.StaffActor(c), p.Staff, c.Request().Method+" "+c.Request().URL.Path); err != nil {
		return err
	}
	return Refusal{Status: http.StatusForbidden, Message: "Your role does not open this page. Ask an admin."}
}

// StaffPerson returns the person that a page of the staff area serves; nil on other pages.
func StaffPerson(c *echo.Context) *staff.Person {
	person, _ := c.Get(personKey).(*staff.Person)
	return person
}

// StaffActor returns who acts in a request of the staff area.
func (m *Manager) StaffActor(c *echo.Context) staff.Actor {
	return m.Staff.Actor(m.StaffVisitor(c), StaffPerson(c), RequestID(c.Request().Context()))
}

// StaffVisitor returns where a request of the staff area comes from. It has no session: those of applicants count nothing here.
func (m *Manager) StaffVisitor(c *echo.Context) admission.Visitor {
	r := c.Request()
	return admission.Visitor{IP: clientAddress(r, m.TrustedProxies), UserAgent: short(r.UserAgent(), 300), Page: short(r.URL.Path, 200)}
}

func (m *Manager) staffCookie(name string) string {
	if strings.HasPrefix(m.BaseURL, "https://") {
		return "__Host-" + name
	}
	return name
}

// StaffToken returns the token of the request's staff session; "" for none.
func (m *Manager) StaffToken(c *echo.Context) string { return m.cookieValue(c, "staff") }

// StaffBrowser returns the value by which an account knows its browser; "" for none.
func (m *Manager) StaffBrowser(c *echo.Context) string { return m.cookieValue(c, "staff-browser") }

func (m *Manager) cookieValue(c *echo.Context, name string) string {
	cookie, err := c.Request().Cookie(m.staffCookie(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetStaff sends the cookies of a step of the sign-in. The session's cookie ends with the browser, or with the session.
func (m *Manager) SetStaff(c *echo.Context, in staff.SignedIn) {
	m.setCookie(c, "staff", in.Token, 0)
	if in.Browser != "" {
		m.setCookie(c, "staff-browser", in.Browser, browserCookieAge)
	}
}

// EndStaff deletes the cookie of the staff session.
func (m *Manager) EndStaff(c *echo.Context) { m.setCookie(c, "staff", "", -time.Second) }

func (m *Manager) setCookie(c *echo.Context, name, value string, age time.Duration) {
	http.SetCookie(c.Response(), &http.Cookie{
		Name: m.staffCookie(name), Value: value, Path: "/", MaxAge: int(age.Seconds()), Secure: strings.HasPrefix(m.BaseURL, "https://"), HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
}
