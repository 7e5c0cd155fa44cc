package account

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// signIn shows the sign-in page. A signed-in visitor continues at once.
func (h handlers) signIn(c *echo.Context) error {
	next := h.next(c.QueryParam(web.NextQuery))
	in, err := h.isSignedIn(c)
	if err != nil {
		return err
	}
	if in {
		return redirect(c, next)
	}
	return h.show(c, h.signInView(next), nil)
}

func (h handlers) signInView(next string) authView {
	view := authView{
		Title: "Sign in", Here: withNext(web.SignInPath, next), Action: web.SignInPath, Place: "address", Button: "Send code",
		AuthPageProps: components.AuthPageProps{Drawn: 5, Question: "Sign in, or see your ticket", Promise: "Find your ticket and receipt, or continue with your application."},
		Form:          components.FormProps{Form: h.Forms.Get("sign-in")},
		Hidden:        []pages.HiddenField{{Name: web.NextQuery, Value: next}},
		Small:         small{Before: "No password. We send a 6-digit code."},
		Other: []authLine{
			{Words: "New here?", Link: components.Link{Text: "Sign up", Href: withNext(web.SignUpPath, next)}},
			h.support("Changed your number?"),
		},
	}
	if toPay(next) {
		view.Title, view.Question = "Continue to pay", "Continue to pay"
		view.Promise = "Your enrolment is saved. It was started in another browser, so we send a code to your number first."
		view.Other[0] = authLine{Words: "Not enrolled yet?", Link: components.Link{Text: "Start here", Href: web.EventPath}}
	}
	return view
}

// toPay reports whether a page is the payment page of an enrolment.
func toPay(next string) bool { return next == web.PayPath || strings.HasPrefix(next, web.PayPath+"?") }

// signInStep returns the step that takes the code of a sign-in, or of a sign-up with its typed fields.
func signInStep(next string, typed url.Values) codeStep {
	step := codeStep{
		Here: withNext(web.SignInCodePath, next), Action: web.SignInCodePath, Change: withNext(web.SignInPath, next), Next: next, Kept: typed,
		Fits: func(code access.OpenCodeRequest) bool { return code.Purpose == access.ForSignIn },
	}
	if len(typed) > 0 {
		step.Change = withNext(web.SignUpPath, next)
	}
	return step
}

// signInCode shows the page of the open code, or redirects to the sign-in when there is none.
func (h handlers) signInCode(c *echo.Context) error {
	next := h.next(c.QueryParam(web.NextQuery))
	v, openCode, err := h.openCode(c, signInStep(next, nil))
	switch {
	case err != nil:
		return err
	case openCode == nil && v.AccountID != "":
		return redirect(c, next)
	case openCode == nil:
		return redirect(c, withNext(web.SignInPath, next))
	}
	typed := url.Values{}
	if openCode.FullName != "" {
		typed = url.Values{"fullname": {openCode.FullName}, "email": {openCode.Other}, "phone_number": {admission.TenDigits(openCode.To)}}
	}
	return h.show(c, h.openCodeView(openCode, signInStep(next, typed)), nil)
}

// requestCode sends a code to the typed address, known or not.
func (h handlers) requestCode(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	if c.QueryParam(web.NextQuery) != "" { // only forms of other pages post to an address with it
		return h.holdForm(c, p)
	}
	code, to, err := h.Account.RequestCode(c.Request().Context(), p.visitor, p.Get("identifier"))
	step := signInStep(p.next, nil)
	switch {
	case isSent(code, err):
		return h.showCodeSent(c, p, h.sent(code, to), step)
	case p.asksForHuman(err):
		return h.CheckPage(c, web.SignInPath, p.Values, err)
	}
	d := h.signInView(p.next)
	d.Form.Values = p.values()
	return h.refuseToSend(c, d, h.ProblemOf(c, err), step)
}

// giveCode checks a code and signs in. If no account has its address, the fields of a sign-up create one; without them the
// sign-up page follows.
func (h handlers) giveCode(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	kept := signUpFields(p.Values)
	step := signInStep(p.next, kept)
	switch p.Get(doField) {
	case doStart:
		return h.show(c, h.signInView(p.next), nil)
	case doResend:
		return h.resend(c, p, step)
	}
	in, err := h.Account.SignIn(c.Request().Context(), p.visitor, p.Get(requestField), p.Get(otpField))
	switch given, fault := h.alreadyRedeemed(c, p, access.ForSignIn, err); {
	case fault != nil:
		return fault
	case given != nil && given.AccountID != "":
		return h.finishSignIn(c, p, given.AccountID)
	case given != nil:
		in.Address = given.To
	case err != nil:
		return h.refuseCode(c, p, h.codeView(p.postedCode(), step), err)
	}
	if in.Account == nil && len(kept) > 0 {
		return h.createAccount(c, p, in)
	}
	if err := h.Session.Renew(c, in.Token); err != nil {
		return err
	}
	switch held := len(heldIn(p.Values)) > 0; {
	case in.Account != nil:
		return h.finishSignIn(c, p, in.Account.ID)
	case !held:
		return welcomeWithoutAccount(c, p, in.Address)
	}
	return h.showSignUp(c, p.visitor, p.next, in.Address, nil, nil)
}

// welcomeWithoutAccount follows a sign-in whose address has no account: the home page shows a phone's enrolment or that it has
// none, the payment page what it owes, and a checkout its payment. A page that needs an account, and an e-mail, lead to the sign-up.
func welcomeWithoutAccount(c *echo.Context, p posted, verified string) error {
	opensByPhone := p.next == web.HomePath || toPay(p.next) || strings.HasPrefix(p.next, web.CheckoutPath(""))
	if opensByPhone && !strings.Contains(verified, "@") {
		return redirect(c, p.next)
	}
	return redirect(c, withNext(web.SignUpPath, p.next))
}

// createAccount creates the account that was typed before its code was checked.
func (h handlers) createAccount(c *echo.Context, p posted, proven account.SignedIn) error {
	done, _, err := h.Account.SignUp(c.Request().Context(), p.visitor, p.values())
	if err == nil && done.Account != nil {
		if err := h.Session.Renew(c, done.Token); err != nil {
			return err
		}
		return h.finishSignIn(c, p, done.Account.ID)
	}
	if renewed := h.Session.Renew(c, proven.Token); renewed != nil {
		return renewed
	}
	if err == nil { // the typed number is not the verified one
		return redirect(c, withNext(web.SignUpPath, p.next))
	}
	return h.showSignUp(c, p.visitor, p.next, proven.Address, p.values(), h.ProblemOf(c, err))
}

// signUpFields returns the fields of a posted sign-up; none for a sign-in.
func signUpFields(typed url.Values) url.Values {
	kept := url.Values{}
	for _, name := range []string{"fullname", "email", "phone_number"} {
		if value := typed.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	return kept
}
