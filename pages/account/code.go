package account

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// sentCode is what is known of a code that was sent. It travels in the form, whose holder knows it anyway, so that a page
// speaks of its own code whatever was asked for since; a page that is opened anew speaks of the latest (access.OpenCode).
type sentCode struct {
	RequestID string
	To        string // E.164, or an e-mail
	ResendAt  time.Time
	Wait      int    // seconds until it may be sent again
	Change    string // address of the page where another one is typed
}

// codeStep is where a code is asked for, and what its page leads to.
type codeStep struct {
	Here   string // address of the page
	Action string // takes its form
	Change string // address of the page where another address is typed
	Next   string
	Kept   url.Values                        // fields of the form that it came from, which the next one needs too
	Fits   func(access.OpenCodeRequest) bool // whether a code is one that is asked for there
}

// The fields in which a sent code travels, and what its buttons do.
const (
	requestField = "request_id"
	toField      = "to"
	resendField  = "resend_at"
	doField      = "do"
	doVerify     = "verify"
	doResend     = "resend"
)

// By says how the code went.
func (s sentCode) By() string {
	if strings.Contains(s.To, "@") {
		return "e-mail"
	}
	return "SMS"
}

// NotYours asks whether the address is the right one.
func (s sentCode) NotYours() string {
	if strings.Contains(s.To, "@") {
		return "Not your e-mail? Change it"
	}
	return "Not your number? Change it"
}

// sent is the code that was just sent to an address.
func (h handlers) sent(code access.CodeSent, to string) *sentCode {
	return &sentCode{RequestID: code.RequestID, To: to, ResendAt: h.Clock().Add(code.ResendAfter)}
}

// asked is the code that the visitor's browser has asked for last, and gives at a step; nil for none.
func (h handlers) asked(c *echo.Context, step codeStep) (v admission.Visitor, asked *access.OpenCodeRequest, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, nil, err
	}
	asked, err = h.Access.OpenCode(c.Request().Context(), v, step.Fits)
	return v, asked, err
}

// askedDoor asks for a code that was asked for before.
func (h handlers) askedDoor(asked *access.OpenCodeRequest, step codeStep) door {
	d := h.codeDoor(h.sent(access.CodeSent{RequestID: asked.RequestID, ResendAfter: asked.ResendAfter}, asked.To), step)
	if asked.Refusal != "" {
		d.Form.Faults = faultsOf(d.Form.Form, admission.FieldProblem(otpField, asked.Refusal))
		d.Form.Special = map[string]components.Special{otpField: {Change: func(f *components.FieldProps) { f.Hint = "The codes sent so far no longer work." }}}
		d.Promise = ""
	}
	return d
}

// isSent reports whether a code is on its way, from now or from a moment ago, so that its page comes next.
func isSent(code access.CodeSent, err error) bool {
	return err == nil || code.RequestID != "" && admission.AsProblem(err) != nil
}

// refuseToSend writes the page where a code was refused, with the way to the one that the visitor's browser waits for already.
func (h handlers) refuseToSend(c *echo.Context, d door, problem *admission.Problem, step codeStep) error {
	if problem.Kind == admission.TooMany {
		_, asked, err := h.asked(c, step)
		if err != nil {
			return err
		}
		if asked != nil {
			d.Other = append([]way{{Words: "A code is on its way to you already.", Link: components.Link{Text: "Enter the code", Href: step.Here}}}, d.Other...)
		}
	}
	return h.show(c, d, problem)
}

// codeWent answers a post that has sent a code: it leads to the code's page, which can be read again and come back to. Where a
// form waits, which nothing keeps, the page is the answer.
func (h handlers) codeWent(c *echo.Context, p posted, code *sentCode, step codeStep) error {
	if len(heldIn(p.Values)) > 0 {
		return h.show(c, h.codeDoor(code, step), nil)
	}
	return landed(c, step.Here)
}

// sentBefore is the code that a posted form is about.
func (p posted) sentBefore() *sentCode {
	at, _ := strconv.ParseInt(p.Get(resendField), 10, 64) // what is no number waits for nothing
	return &sentCode{RequestID: p.Get(requestField), To: p.Get(toField), ResendAt: time.Unix(at, 0)}
}

// codeDoor asks for a code that was sent.
func (h handlers) codeDoor(code *sentCode, step codeStep) door {
	code.Change = step.Change
	code.Wait = int(math.Ceil(min(time.Minute, max(0, code.ResendAt.Sub(h.Clock()))).Seconds()))
	d := door{
		Title: "Your code", Here: step.Here, Action: step.Action, Place: "code", Button: "Verify", Code: code,
		DoorProps: components.DoorProps{
			Drawn: 9, Question: "Which six digits did you get?", Promise: "The code is valid for 10\u00a0minutes.", Scripted: "With the sixth digit the page goes on by itself.",
		},
		Form: components.FormProps{Form: h.Forms.Get("sign-in"), Step: "code", Focus: otpField},
		Hidden: []pages.HiddenField{
			{Name: requestField, Value: code.RequestID}, {Name: toField, Value: code.To},
			{Name: resendField, Value: strconv.FormatInt(code.ResendAt.Unix(), 10)}, {Name: web.NextQuery, Value: step.Next},
		},
		Other: []way{h.support("No " + map[bool]string{true: "SMS", false: "mail"}[code.By() == "SMS"] + "? Call")},
	}
	for name, values := range step.Kept {
		for _, value := range values {
			d.Hidden = append(d.Hidden, pages.HiddenField{Name: name, Value: value})
		}
	}
	return d
}

// givenBefore is a code that was refused because another tab of the same browser has given it; nil for any other.
func (h handlers) givenBefore(c *echo.Context, p posted, purpose access.Purpose, refusal error) (*access.RedeemedCode, error) {
	if problem := admission.AsProblem(refusal); problem == nil || problem.Kind != admission.Invalid {
		return nil, nil
	}
	return h.Access.AlreadyRedeemed(c.Request().Context(), p.visitor, access.EnteredCode{Purpose: purpose, RequestID: p.Get(requestField), Code: p.Get(otpField)})
}

// refuseCode writes the page of a code that was refused, or could not be sent again: the page stays, with what was typed.
func (h handlers) refuseCode(c *echo.Context, p posted, d door, err error) error {
	problem := h.ProblemOf(c, err)
	d.Form.Values = map[string]string{otpField: p.Get(otpField)}
	typed := len(strings.Join(strings.Fields(p.Get(otpField)), ""))
	d.Form.Special = map[string]components.Special{otpField: {Change: func(f *components.FieldProps) {
		if f.Digits = min(typed, 6); typed == 6 && problem.Kind == admission.Invalid {
			f.Hint = "Check the last message, or ask for a new code."
		}
	}}}
	return h.show(c, d, problem)
}

// resend sends the code of a posted form again, and writes its page. Where there is no such request any more, one
// begins anew.
func (h handlers) resend(c *echo.Context, p posted, step codeStep) error {
	before := p.sentBefore()
	code, err := h.Access.ResendCode(c.Request().Context(), p.visitor, before.RequestID)
	problem := admission.AsProblem(err)
	switch {
	case err == nil:
		return h.codeWent(c, p, h.sent(code, before.To), step)
	case p.asksForHuman(err):
		return h.CheckPage(c, step.Action, p.Values, err)
	case problem != nil && problem.Kind == admission.NotFound && len(heldIn(p.Values)) > 0:
		return h.show(c, h.signInDoor(p.next), nil)
	case problem != nil && problem.Kind == admission.NotFound:
		return landed(c, step.Change)
	case problem != nil && problem.RetryAfter > 0:
		before.ResendAt = h.Clock().Add(problem.RetryAfter)
	}
	return h.refuseCode(c, p, h.codeDoor(before, step), err)
}
