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

// sentCode describes a code that was sent. The form carries it, so that a page refers to its own code even if another was
// requested since; a page that is opened anew refers to the latest (access.OpenCode).
type sentCode struct {
	RequestID string
	To        string // E.164, or an e-mail
	ResendAt  time.Time
	Wait      int    // seconds until it may be resent
	Change    string // page on which another address is typed
	Ended     bool   // no code that was sent works any more
}

// codeStep describes a page that takes a code.
type codeStep struct {
	Here   string // path of the page
	Action string // path that the form posts to
	Change string // page on which another address is typed
	Next   string
	Kept   url.Values                        // fields of the previous form that the next one needs
	Fits   func(access.OpenCodeRequest) bool // reports whether a code belongs to this step
}

// Names of the fields that carry a sent code, and values of the buttons.
const (
	requestField = "request_id"
	toField      = "to"
	resendField  = "resend_at"
	doField      = "do"
	doVerify     = "verify"
	doResend     = "resend"
)

// By returns the channel.
func (s sentCode) By() string {
	if strings.Contains(s.To, "@") {
		return "e-mail"
	}
	return "SMS"
}

// pressedByEnter returns the button that the Enter key presses.
func (s sentCode) pressedByEnter() string {
	if s.Ended {
		return doResend
	}
	return doVerify
}

// NotYours returns the words of the link to Change.
func (s sentCode) NotYours() string {
	if strings.Contains(s.To, "@") {
		return "Change e-mail"
	}
	return "Change number"
}

// sent describes the code just sent to an address.
func (h handlers) sent(code access.CodeSent, to string) *sentCode {
	return &sentCode{RequestID: code.RequestID, To: to, ResendAt: h.Clock().Add(code.ResendAfter)}
}

// openCode returns the latest open code that the browser requested for a step; nil for none.
func (h handlers) openCode(c *echo.Context, step codeStep) (v admission.Visitor, openCode *access.OpenCodeRequest, err error) {
	if v, err = h.Session.Visitor(c); err != nil {
		return v, nil, err
	}
	openCode, err = h.Access.OpenCode(c.Request().Context(), v, step.Fits)
	return v, openCode, err
}

// openCodeView asks for a code that was requested earlier.
func (h handlers) openCodeView(openCode *access.OpenCodeRequest, step codeStep) authView {
	d := h.codeView(h.sent(access.CodeSent{RequestID: openCode.RequestID, ResendAfter: openCode.ResendAfter}, openCode.To), step)
	if openCode.Refusal != "" {
		d.Code.Ended = true
		d.Form.Faults = faultsOf(d.Form.Form, admission.FieldProblem(otpField, openCode.Refusal))
		d.Form.Special = map[string]components.Special{otpField: {Change: func(f *components.FieldProps) { f.Hint = "The OTPs sent so far no longer work." }}}
	}
	return d
}

// isSent reports whether a code is on its way, sent now or a moment ago.
func isSent(code access.CodeSent, err error) bool {
	return err == nil || code.RequestID != "" && admission.AsProblem(err) != nil
}

// refuseToSend shows the page with the problem, and links to the code that the browser already waits for.
func (h handlers) refuseToSend(c *echo.Context, d authView, problem *admission.Problem, step codeStep) error {
	if problem.Kind == admission.TooMany {
		_, openCode, err := h.openCode(c, step)
		if err != nil {
			return err
		}
		if openCode != nil {
			d.Other = append([]authLine{{Words: "A code is on its way to you already.", Link: components.Link{Text: "Enter the code", Href: step.Here}}}, d.Other...)
		}
	}
	return h.show(c, d, problem)
}

// showCodeSent redirects to the code's page. While a form is held, which is stored nowhere, it renders that page instead.
func (h handlers) showCodeSent(c *echo.Context, p posted, code *sentCode, step codeStep) error {
	if len(heldIn(p.Values)) > 0 {
		return h.show(c, h.codeView(code, step), nil)
	}
	return redirect(c, step.Here)
}

// postedCode returns the code that a posted form carries.
func (p posted) postedCode() *sentCode { // an invalid time means no wait
	at, _ := strconv.ParseInt(p.Get(resendField), 10, 64) // what is no number waits for nothing
	return &sentCode{RequestID: p.Get(requestField), To: p.Get(toField), ResendAt: time.Unix(at, 0)}
}

// codeView asks for a code that was sent.
func (h handlers) codeView(code *sentCode, step codeStep) authView {
	code.Change = step.Change
	code.Wait = int(math.Ceil(min(time.Minute, max(0, code.ResendAt.Sub(h.Clock()))).Seconds()))
	d := authView{
		Title: "Your OTP", Here: step.Here, Action: step.Action, Place: "code", Button: "Verify", Code: code,
		AuthPageProps: components.AuthPageProps{Drawn: 9, Question: "Enter the OTP"},
		Form:          components.FormProps{Form: h.Forms.Get("sign-in"), Step: "code", Focus: otpField},
		Hidden: []pages.HiddenField{
			{Name: requestField, Value: code.RequestID}, {Name: toField, Value: code.To},
			{Name: resendField, Value: strconv.FormatInt(code.ResendAt.Unix(), 10)}, {Name: web.NextQuery, Value: step.Next},
		},
		Other: []authLine{h.support("No " + map[bool]string{true: "SMS", false: "mail"}[code.By() == "SMS"] + "? Call")},
	}
	for name, values := range step.Kept {
		for _, value := range values {
			d.Hidden = append(d.Hidden, pages.HiddenField{Name: name, Value: value})
		}
	}
	return d
}

// alreadyRedeemed returns the code that another tab of the same browser has redeemed already; nil for any other refusal.
func (h handlers) alreadyRedeemed(c *echo.Context, p posted, purpose access.Purpose, refusal error) (*access.RedeemedCode, error) {
	if problem := admission.AsProblem(refusal); problem == nil || problem.Kind != admission.Invalid {
		return nil, nil
	}
	return h.Access.AlreadyRedeemed(c.Request().Context(), p.visitor, access.EnteredCode{Purpose: purpose, RequestID: p.Get(requestField), Code: p.Get(otpField)})
}

// refuseCode shows the code's page with the problem and what was typed.
func (h handlers) refuseCode(c *echo.Context, p posted, d authView, err error) error {
	problem := h.ProblemOf(c, err)
	if d.Code.Ended = access.CodeEnded(problem); d.Code.Ended {
		return h.show(c, d, problem)
	}
	d.Form.Values = map[string]string{otpField: p.Get(otpField)}
	typed := len(strings.Join(strings.Fields(p.Get(otpField)), ""))
	d.Form.Special = map[string]components.Special{otpField: {Change: func(f *components.FieldProps) {
		if f.Digits = min(typed, 6); typed == 6 && problem.Kind == admission.Invalid {
			f.Hint = "Use the latest OTP sent from this page, or press Resend."
		}
	}}}
	return h.show(c, d, problem)
}

// resend sends the code of a posted form again. Without an open request it redirects to the previous page.
func (h handlers) resend(c *echo.Context, p posted, step codeStep) error {
	before := p.postedCode()
	code, err := h.Access.ResendCode(c.Request().Context(), p.visitor, before.RequestID)
	problem := admission.AsProblem(err)
	switch {
	case err == nil:
		return h.showCodeSent(c, p, h.sent(code, before.To), step)
	case p.asksForHuman(err):
		return h.CheckPage(c, step.Action, p.Values, err)
	case problem != nil && problem.Kind == admission.NotFound && len(heldIn(p.Values)) > 0:
		return h.show(c, h.signInView(p.next), nil)
	case problem != nil && problem.Kind == admission.NotFound:
		return redirect(c, step.Change)
	case problem != nil && problem.RetryAfter > 0:
		before.ResendAt = h.Clock().Add(problem.RetryAfter)
	}
	return h.refuseCode(c, p, h.codeView(before, step), err)
}
