package account

import (
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// doBegin starts an application. Any page may post it to web.VerifyPath.
const doBegin = "begin"

// verify shows the page that starts an application. It asks for a verified phone first; an application that has begun
// continues.
func (h handlers) verify(c *echo.Context, v admission.Visitor, me account.Account) error {
	standing, err := h.Apply.Standing(c.Request().Context(), v)
	switch {
	case err != nil:
		return err
	case standing.Step != enrol.StepUnverified:
		return redirect(c, pages.ContinuePath(standing))
	case me.PhoneVerified():
		return h.show(c, h.beginView(me), nil)
	}
	return h.show(c, h.addressView(addressPages[web.VerifyPath], me, me.Phone), nil)
}

// begin starts the application and continues with it.
func (h handlers) begin(c *echo.Context, p posted) error {
	standing, err := h.Apply.Begin(c.Request().Context(), p.visitor, "", "")
	if err == nil {
		return redirect(c, pages.ContinuePath(standing))
	}
	_, me, fault := h.Me(c)
	if fault != nil {
		return fault
	}
	problem := h.ProblemOf(c, err)
	if !me.PhoneVerified() {
		return h.show(c, h.addressView(addressPages[web.VerifyPath], me, me.Phone), problem)
	}
	return h.show(c, h.beginView(me), problem)
}

// beginView asks an account with a verified phone to start.
func (h handlers) beginView(me account.Account) authView {
	return authView{
		Title: "Apply", Here: web.VerifyPath, Action: web.VerifyPath, Place: "none", Button: "Apply Now", Do: doBegin,
		AuthPageProps: components.AuthPageProps{
			Drawn: 6, Question: "Shall we begin, " + content.FirstName(me.FullName) + "?",
			Promise: "Six steps, a few minutes each. Stop whenever you like: what you typed is kept.",
		},
		Form:  components.FormProps{Form: h.Forms.Get("verify")},
		Lead:  "Your application goes by your number " + strings.ReplaceAll(pages.Mobile(me.Phone), " ", "\u00a0") + ", which you have proven. One number, one application.",
		Small: small{Before: "Have your last marksheet at hand, and your ID."},
		Other: []authLine{
			{Words: "Another number?", Link: components.Link{Text: "Change it", Href: web.PhonePath}},
			{Link: components.Link{Text: "My profile", Href: web.AccountPath}},
		},
	}
}
