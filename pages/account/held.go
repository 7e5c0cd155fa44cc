package account

import (
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// A form that was posted by who was not signed in any more comes along to the sign-in (web.Elsewhere). It travels from page to
// page under this prefix, until the account has signed in that it was opened in, which then sends it: nothing of it is stored.
const heldPrefix = "held."

// doStart is what the button does that leads back from a code to the address that it went to.
const doStart = "start"

// heldIn are the fields of a form that waits, under their prefix.
func heldIn(values url.Values) (fields []pages.HiddenField) {
	for name, all := range values {
		if !strings.HasPrefix(name, heldPrefix) {
			continue
		}
		for _, value := range all {
			fields = append(fields, pages.HiddenField{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(fields, func(a, b pages.HiddenField) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// hold takes in a form that was posted elsewhere, and asks who sends it. A form that does not say whose page it stood on is
// a button without any text: it is pressed again.
func (h handlers) hold(c *echo.Context, p posted) error {
	if p.Get(pages.OwnerField) == "" && p.Get(pages.RegistrationField) == "" {
		next := h.next(c.QueryParam(web.NextQuery))
		if next == web.SessionsPath { // no page
			next = web.AccountPath
		}
		return landed(c, withNext(web.SignInPath, next))
	}
	held := url.Values{}
	for name, all := range p.Values {
		held[heldPrefix+name] = all
	}
	c.Request().PostForm, p.Values, p.next = held, held, h.next(c.QueryParam(web.NextQuery))
	if p.visitor.AccountID != "" { // signed in since, in another tab
		return h.lands(c, p, p.visitor.AccountID)
	}
	return h.show(c, h.signInDoor(p.next), nil)
}

// holding adds a form that waits to a door. What leads away by a link would lose it.
func (d *door) holding(c *echo.Context) {
	if d.Held = heldIn(c.Request().PostForm); len(d.Held) == 0 {
		return
	}
	d.Here, d.Hidden = "", append(d.Hidden, d.Held...)
	if d.Lead == "" && d.Code == nil {
		d.Lead = "You were signed out meanwhile. What you typed comes along, and is sent when you are signed in."
	}
	d.Other = slices.DeleteFunc(d.Other, func(w way) bool { return strings.HasPrefix(w.Link.Href, "/") })
}

// lands answers a post with which an account has signed in: it leads on, or asks to send what waits, which is refused where
// it was typed in another account. The pages of the application judge that themselves.
func (h handlers) lands(c *echo.Context, p posted, accountID string) error {
	held := heldIn(p.Values)
	if len(held) == 0 {
		return landed(c, p.next)
	}
	if isAnothers(p.Get(heldPrefix+pages.OwnerField), accountID) {
		return admission.ConflictProblem("", pages.OtherAccount)
	}
	for i := range held {
		held[i].Name = strings.TrimPrefix(held[i].Name, heldPrefix)
	}
	c.Request().PostForm = nil
	return h.show(c, door{
		Title: "Signed in", Action: p.next, Place: "none", Button: "Go on", Hidden: held, Sends: true,
		DoorProps: components.DoorProps{
			Drawn: 12, Question: "You are signed in again.", Promise: "Nothing that you typed is lost.",
		},
		Form: components.FormProps{Form: h.Forms.Get("sign-in")},
		Lead: "What you typed before is still here. Go on, and it is sent as if nothing had happened.",
	}, nil)
}
