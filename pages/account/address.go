package account

import (
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// addressPage describes the page that changes a phone or an e-mail, or verifies the phone of an account that signed up by
// e-mail.
type addressPage struct {
	path, code         string // of the page and of its code page
	field, form, place string
	question, promise  string
	title              string
	next               string // path after the change
	saved              string // anchor there of the notice that the address changed
}

// addressPages maps paths to pages.
var addressPages = map[string]addressPage{
	web.PhonePath: {
		path: web.PhonePath, code: web.PhoneCodePath, field: "phone_number", form: "verify", place: "address", title: "Change your number", next: web.AccountPath, saved: phoneSavedID,
		question: "Which phone is yours, ", promise: "Codes and reminders go to this number. One number, one application.",
	},
	web.EmailPath: {
		path: web.EmailPath, code: web.EmailCodePath, field: "email", form: "sign-up", place: "you", title: "Change your e-mail", next: web.AccountPath, saved: emailSavedID,
		question: "Which address is yours, ", promise: "Receipts and dates go to this address. You can sign in with it.",
	},
	web.VerifyPath: {
		path: web.VerifyPath, code: web.VerifyCodePath, field: "phone_number", form: "verify", place: "address", title: "Verify your number", next: web.FormPath,
		question: "Which phone is yours, ", promise: "Codes and reminders go to this number. One number, one application.",
	},
}

// change shows the page of an address. A session that is no longer fresh must sign in again first.
func (h handlers) change(c *echo.Context) error {
	page := addressPages[c.Path()]
	v, me, err := h.Me(c)
	if err != nil {
		return err
	}
	switch {
	case page.path == web.EmailPath && !me.EmailVerified():
		return h.show(c, h.addressView(page, me, me.Email), nil)
	}
	fresh, err := h.Account.SignedInRecently(c.Request().Context(), v)
	if err != nil {
		return err
	}
	if !fresh {
		return h.show(c, h.signInAgainView(page, me), nil)
	}
	return h.show(c, h.addressView(page, me, ""), nil)
}

// codeStep returns the step that takes the code sent to a new address.
func (page addressPage) codeStep() codeStep {
	return codeStep{
		Here: page.code, Action: page.path, Change: page.path, Next: page.next,
		Fits: func(code access.OpenCodeRequest) bool {
			return code.Purpose == access.ForAddress && strings.Contains(code.To, "@") == (page.path == web.EmailPath)
		},
	}
}

// changeCode shows the page of a code sent to a new address, or redirects to the address page when there is none.
func (h handlers) changeCode(c *echo.Context) error {
	page := addressPages[strings.TrimSuffix(c.Path(), "/code")]
	v, openCode, err := h.openCode(c, page.codeStep())
	if err != nil {
		return err
	}
	current, err := h.applicationPath(c, page, v)
	switch {
	case err != nil:
		return err
	case openCode == nil, current != "":
		return redirect(c, page.path)
	}
	return h.show(c, h.openCodeView(openCode, page.codeStep()), nil)
}

func (h handlers) addressView(page addressPage, me account.Account, typed string) authView {
	d := authView{
		Title: page.title, Here: page.path, Action: page.path, Place: page.place, Button: "Send code",
		AuthPageProps: components.AuthPageProps{Drawn: 6, Question: page.question + content.FirstName(me.FullName) + "?", Promise: page.promise},
		Form:          components.FormProps{Form: h.Forms.Get(page.form), Special: map[string]components.Special{"fullname": {Absent: true}}},
		Small:         small{Before: "We check it with a code. We never call to ask for it."},
		Other: []authLine{
			{Words: "Signed in as", Bold: pages.VerifiedAddress(me)},
			{Link: components.Link{Text: "My profile", Href: web.AccountPath}},
		},
	}
	if page.path == web.VerifyPath {
		d.Other[1].Link = components.Link{Text: "Log out", Href: web.LogOutPath}
	}
	if page.field == "email" {
		d.Form.Special["phone_number"] = components.Special{Absent: true}
	} else {
		d.Small.Before = "We check it with a code by SMS. We never call to ask for it."
	}
	d.Form.Values = map[string]string{page.field: forms.TenDigits(typed)}
	if page.field == "email" {
		d.Form.Values[page.field] = typed
	}
	return d
}

// signInAgainView asks the account to sign in again before an address is changed.
func (h handlers) signInAgainView(page addressPage, me account.Account) authView {
	to := me.Email
	if me.PhoneVerified() {
		to = admission.TenDigits(me.Phone)
	}
	return authView{
		Title: page.title, Here: page.path, Action: web.SignInPath, Place: "none", Button: "Send code",
		AuthPageProps: components.AuthPageProps{
			Drawn: 5, Question: "Is it still you, " + content.FirstName(me.FullName) + "?",
			Promise: "You signed in a while ago. Before you change how you sign in, we send you a code.",
		},
		Form:   components.FormProps{Form: h.Forms.Get("sign-in")},
		Lead:   "You signed in a while ago. We send a code to " + nonBreaking(pages.VerifiedAddress(me)) + " first.",
		Hidden: []pages.HiddenField{{Name: "identifier", Value: to}, {Name: web.NextQuery, Value: page.path}},
		Small:  small{Before: "The code has six digits, and is valid for 10\u00a0minutes."},
		Other:  []authLine{{Link: components.Link{Text: "My profile", Href: web.AccountPath}}, h.support("Lost it?")},
	}
}

// sendChange sends a code to a new address, or checks the code.
func (h handlers) sendChange(c *echo.Context) error {
	page := addressPages[c.Path()]
	p, err := h.read(c)
	if err != nil {
		return err
	}
	switch current, err := h.applicationPath(c, page, p.visitor); {
	case err != nil:
		return err
	case current != "": // the application no longer needs this page
		return redirect(c, current)
	}
	switch p.Get(doField) {
	case doResend:
		return h.resend(c, p, page.codeStep())
	case doVerify:
		return h.takeAddress(c, page, p)
	case doBegin:
		return h.begin(c, p)
	}
	code, to, err := h.Account.RequestAddress(c.Request().Context(), p.visitor, page.field, p.Get(page.field))
	if isSent(code, err) {
		return h.showCodeSent(c, p, h.sent(code, to), page.codeStep())
	}
	if p.asksForHuman(err) {
		return h.CheckPage(c, page.path, p.Values, err)
	}
	_, me, fault := h.Me(c)
	if fault != nil {
		return fault
	}
	problem := h.ProblemOf(c, err)
	if problem.Kind == admission.Conflict {
		return h.show(c, h.signInAgainView(page, me), problem)
	}
	return h.refuseToSend(c, h.addressView(page, me, p.Get(page.field)), problem, page.codeStep())
}

// applicationPath returns the page of an application that has already begun, for the verify page; "" on other pages.
func (h handlers) applicationPath(c *echo.Context, page addressPage, v admission.Visitor) (current string, err error) {
	if page.path != web.VerifyPath {
		return "", nil
	}
	standing, err := h.Apply.Standing(c.Request().Context(), v)
	if err == nil && standing.Step != enrol.StepUnverified {
		current = pages.ContinuePath(standing)
	}
	return current, err
}

// takeAddress checks the code sent to a new address and changes the address.
func (h handlers) takeAddress(c *echo.Context, page addressPage, p posted) error {
	changed, err := h.Account.ChangeAddress(c.Request().Context(), p.visitor, p.Get(requestField), p.Get(otpField))
	given, fault := h.alreadyRedeemed(c, p, access.ForAddress, err)
	problem := admission.AsProblem(err)
	switch {
	case fault != nil:
		return fault
	case err == nil, given != nil:
		if err := h.Session.Renew(c, changed.Token); err != nil {
			return err
		}
		if page.path == web.VerifyPath {
			return h.begin(c, p)
		}
		return redirect(c, page.next+"#"+page.saved)
	case problem != nil && problem.Kind == admission.Conflict:
		_, me, fault := h.Me(c)
		if fault != nil {
			return fault
		}
		d := h.addressView(page, me, p.Get(toField))
		d.Other = append([]authLine{{Words: "Is it your own account?", Link: components.Link{Text: "Log out and sign in with it", Href: web.LogOutPath}}}, d.Other...)
		return h.show(c, d, problem)
	}
	return h.refuseCode(c, p, h.codeView(p.postedCode(), page.codeStep()), err)
}

// name shows the page that changes the name.
func (h handlers) name(c *echo.Context) error {
	_, me, err := h.Me(c)
	if err != nil {
		return err
	}
	return h.show(c, h.nameView(me.FullName), nil)
}

func (h handlers) nameView(typed string) authView {
	absent := components.Special{Absent: true}
	return authView{
		Title: "Change your name", Here: web.NamePath, Action: web.NamePath, Place: "you", Button: "Save",
		AuthPageProps: components.AuthPageProps{Drawn: 3, Question: "Change your name", Promise: "As on your student ID and on the certificate."},
		Form: components.FormProps{
			Form: h.Forms.Get("sign-up"), Values: map[string]string{"fullname": typed}, Special: map[string]components.Special{"email": absent, "phone_number": absent},
		},
		Small: small{Before: "Earlier enrolments keep the name that you gave there."},
		Other: []authLine{{Link: components.Link{Text: "My profile", Href: web.AccountPath}}},
	}
}

func (h handlers) rename(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	if err := h.Account.Rename(c.Request().Context(), p.visitor, p.Get("fullname")); err != nil {
		return h.show(c, h.nameView(p.Get("fullname")), h.ProblemOf(c, err))
	}
	return redirect(c, web.AccountPath+"#"+nameSavedID)
}
