package account

import (
	"net/url"

	"github.com/labstack/echo/v5"

	"hiresure/admission/account"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// signIn is the page where one signs in. Who is signed in goes on at once.
func (h handlers) signIn(c *echo.Context) error {
	next := h.next(c.QueryParam(web.NextQuery))
	in, err := h.isSignedIn(c)
	if err != nil {
		return err
	}
	if in {
		return landed(c, next)
	}
	return h.show(c, h.signInDoor(next), nil)
}

func (h handlers) signInDoor(next string) door {
	return door{
		Title: "Sign in", Action: web.SignInPath, Place: "address", Button: "Send code",
		DoorProps: components.DoorProps{
			Drawn: 5, Question: "Which number is yours?",
			Promise: "Your application stands where you left it. A code to your phone brings you back to it.",
		},
		Form:   components.FormProps{Form: h.Forms.Get("sign-in")},
		Hidden: []pages.HiddenField{{Name: web.NextQuery, Value: next}},
		Small:  small{Before: "No password. We send a code of six digits, valid for 10\u00a0minutes."},
		Other: []way{
			{Words: "First time here?", Link: components.Link{Text: "Sign up", Href: withNext(web.SignUpPath, next)}},
			h.support("Lost the number?"),
		},
	}
}

// requestCode sends a code to whatever address was typed, known or not.
func (h handlers) requestCode(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	if c.QueryParam(web.NextQuery) != "" { // no form of this page has it in its address
		return h.hold(c, p)
	}
	code, to, err := h.Account.RequestCode(c.Request().Context(), p.visitor, p.Get("identifier"))
	switch {
	case err == nil:
		return h.show(c, h.codeDoor(h.sent(code, to, withNext(web.SignInPath, p.next)), web.SignInCodePath, p.next, nil), nil)
	case p.asksForHuman(err):
		return h.CheckPage(c, web.SignInPath, p.Values, err)
	}
	d := h.signInDoor(p.next)
	d.Form.Values = p.values()
	return h.show(c, d, h.ProblemOf(c, err))
}

// giveCode judges a code, and signs in. Where nobody has signed up with its address, what was typed to sign up makes the
// account, or else the page where one signs up comes next.
func (h handlers) giveCode(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	kept, change := signUpFields(p.Values), withNext(web.SignInPath, p.next)
	if len(kept) > 0 {
		change = withNext(web.SignUpPath, p.next)
	}
	switch p.Get(doField) {
	case doStart:
		return h.show(c, h.signInDoor(p.next), nil)
	case doResend:
		return h.resend(c, p, web.SignInCodePath, change, kept)
	}
	in, err := h.Account.SignIn(c.Request().Context(), p.visitor, p.Get(requestField), p.Get(otpField))
	if err != nil {
		return h.refuseCode(c, p, h.codeDoor(p.sentBefore(change), web.SignInCodePath, p.next, kept), err)
	}
	if in.Account == nil && len(kept) > 0 {
		return h.afterProof(c, p, in)
	}
	if err := h.Session.Renew(c, in.Token); err != nil {
		return err
	}
	switch held := len(heldIn(p.Values)) > 0; {
	case in.Account == nil && held:
		return h.show(c, h.signUpDoor(p.next, in.Address, nil), nil)
	case in.Account == nil:
		return landed(c, withNext(web.SignUpPath, p.next))
	}
	return h.lands(c, p, in.Account.ID)
}

// afterProof makes the account that was typed before its code.
func (h handlers) afterProof(c *echo.Context, p posted, proven account.SignedIn) error {
	done, _, err := h.Account.SignUp(c.Request().Context(), p.visitor, p.values())
	if err == nil && done.Account != nil {
		if err := h.Session.Renew(c, done.Token); err != nil {
			return err
		}
		return h.lands(c, p, done.Account.ID)
	}
	if renewed := h.Session.Renew(c, proven.Token); renewed != nil {
		return renewed
	}
	if err == nil { // another number was typed than the one that is proven
		return landed(c, withNext(web.SignUpPath, p.next))
	}
	return h.show(c, h.signUpDoor(p.next, proven.Address, p.values()), h.ProblemOf(c, err))
}

// signUpFields are those of a posted form that say who signs up; none where somebody signs in.
func signUpFields(typed url.Values) url.Values {
	kept := url.Values{}
	for _, name := range []string{"fullname", "email", "phone_number"} {
		if value := typed.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	return kept
}
