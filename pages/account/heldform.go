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

// A form posted after its session expired is held through the sign-in (web.Elsewhere): its fields travel from page to page
// under this prefix and are sent once the same account has signed in. They are stored nowhere.
const heldPrefix = "held."

// doStart returns from a code to its address.
const doStart = "start"

// heldIn returns the fields of a held form, with their prefix.
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

// holdForm holds a form posted elsewhere and asks its account to sign in. A form that names no owner is only a button, which can
// be pressed again.
func (h handlers) holdForm(c *echo.Context, p posted) error {
	if p.Get(pages.OwnerField) == "" && p.Get(pages.RegistrationField) == "" {
		next := h.next(c.QueryParam(web.NextQuery))
		if next == web.SessionsPath { // no page
			next = web.AccountPath
		}
		return redirect(c, withNext(web.SignInPath, next))
	}
	held := url.Values{}
	for name, all := range p.Values {
		held[heldPrefix+name] = all
	}
	c.Request().PostForm, p.Values, p.next = held, held, h.next(c.QueryParam(web.NextQuery))
	if p.visitor.AccountID != "" { // signed in since, in another tab
		return h.finishSignIn(c, p, p.visitor.AccountID)
	}
	return h.show(c, h.signInView(p.next), nil)
}

// addHeld adds the held form to an authView and removes links, which would lose it.
func (d *authView) addHeld(c *echo.Context) {
	if d.Held = heldIn(c.Request().PostForm); len(d.Held) == 0 {
		return
	}
	d.Here, d.Hidden = "", append(d.Hidden, d.Held...)
	if d.Lead == "" && d.Code == nil {
		d.Lead = "You were logged out. Sign in, and we send what you typed."
	}
	d.Other = slices.DeleteFunc(d.Other, func(w authLine) bool { return strings.HasPrefix(w.Link.Href, "/") })
}

// finishSignIn ends a sign-in: it redirects, or asks to send the held form. A form of another account is rejected; the pages of the
// application check theirs themselves.
func (h handlers) finishSignIn(c *echo.Context, p posted, accountID string) error {
	held := heldIn(p.Values)
	if len(held) == 0 {
		return redirect(c, p.next)
	}
	if isOtherAccount(p.Get(heldPrefix+pages.OwnerField), accountID) {
		return admission.ConflictProblem("", pages.OtherAccount)
	}
	for i := range held {
		held[i].Name = strings.TrimPrefix(held[i].Name, heldPrefix)
	}
	c.Request().PostForm = nil
	return h.show(c, authView{
		Title: "Signed in", Action: p.next, Place: "none", Button: "Continue", Hidden: held, Sends: true,
		AuthPageProps: components.AuthPageProps{
			Drawn: 12, Question: "You are signed in again.", Promise: "Nothing that you typed is lost.",
		},
		Form: components.FormProps{Form: h.Forms.Get("sign-in")},
		Lead: "What you typed is still here. Continue to send it.",
	}, nil)
}
