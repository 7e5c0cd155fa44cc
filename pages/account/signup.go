package account

import (
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// signUp shows the sign-up page, with the address that this browser has just verified.
func (h handlers) signUp(c *echo.Context) error {
	next := h.next(c.QueryParam(web.NextQuery))
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	if v.AccountID != "" {
		return redirect(c, next)
	}
	proven, err := h.Account.VerifiedAddress(c.Request().Context(), v)
	if err != nil {
		return err
	}
	return h.showSignUp(c, v, next, proven, nil, nil)
}

func (h handlers) showSignUp(c *echo.Context, v admission.Visitor, next, proven string, typed map[string]string, refused *admission.Problem) error {
	d, err := h.signUpView(c, v, next, proven, typed)
	if err != nil {
		return err
	}
	return h.show(c, d, refused)
}

// signUpView asks for the details of a new account. proven is an address verified to sign in, "" for none. An enrolment whose
// phone this browser has verified fills in the form, and is shown if that was to sign in.
func (h handlers) signUpView(c *echo.Context, v admission.Visitor, next, proven string, typed map[string]string) (authView, error) {
	due, err := h.enrolled(c, v, proven)
	if err != nil {
		return authView{}, err
	}
	if due != nil && typed == nil {
		typed = map[string]string{"fullname": due.Registration.FullName, "email": due.Registration.Email, "phone_number": tenDigits(due.Registration.Phone)}
	}
	d := h.newAccountView(next, proven, typed)
	if due == nil || proven == "" || next == web.VerifyPath { // who comes to apply has seen the enrolment
		return d, nil
	}
	enrolled := due.Registration
	d.Question, d.Promise = "Your enrolment is here, "+content.FirstName(enrolled.FullName)+".", "See it now, or keep it in an account."
	d.Enrolled = h.enrolledStripOf(due)
	d.Enrolled.See = components.Link{Text: "See your enrolment", Href: web.ScholarshipPath(enrolled.EventSlug)}
	keeps, without, fixed := "enrolment", "can continue", "enrolment"
	if enrolled.Paid() {
		d.Enrolled.See.Text = "See ticket and receipt"
		keeps, without, fixed = "ticket, receipt", "stay enrolled", "ticket"
	}
	d.Lead = "A free account keeps your " + keeps + " and later applications. You " + without + " without one."
	d.Form.Special["fullname"] = components.Special{Change: func(p *components.FieldProps) {
		p.Hint = "For the account. Your " + fixed + " keeps the name " + enrolled.FullName + "."
	}}
	email := d.Form.Special["email"].Change
	d.Form.Special["email"] = components.Special{Change: func(p *components.FieldProps) {
		email(p)
		p.Hint = "For the account. Mails about your enrolment keep going to " + enrolled.Email + "."
	}}
	d.Button = "Create my account"
	d.Small.Before, d.Small.After = "Our ", " says what we keep. There is no password: next time you sign in with a code."
	d.Other = []authLine{h.support("Something wrong? Call")}
	if change := pages.ChangeOf(*due); change != "" {
		d.Other = []authLine{{Words: "Something wrong?", Link: components.Link{Text: "Change what you typed", Href: change}}}
	}
	return d, nil
}

// enrolledStripOf returns an enrolment in one line, with its payment status.
func (h handlers) enrolledStripOf(due *payment.Due) *enrolledStrip {
	r := due.Registration
	strip := enrolledStrip{Name: r.FullName, Course: enrol.CourseLabel(r.Course), Paid: r.Paid(), Payment: pages.DueStanding(h.Content.Current(), *due, h.Clock()).Unpaid.SignUp.Title}
	if page, known := h.Content.Current().Landing(r.EventSlug, h.Clock()); known {
		strip.Day, strip.Month, strip.Weekday = page.Event.Exam.Parts()
	}
	return &strip
}

// enrolled returns the latest enrolment with proven or, with "", with a phone that this browser has verified to enrol; nil
// for none and for one that ended. A verified e-mail finds none: an enrolment's e-mail is unverified, and would reveal a stranger's name and number.
func (h handlers) enrolled(c *echo.Context, v admission.Visitor, proven string) (*payment.Due, error) {
	ctx := c.Request().Context()
	r, err := h.Enrol.VerifiedEnrolment(ctx, v, proven)
	if err != nil || r == nil || r.Refunded {
		return nil, err
	}
	due, err := h.Payment.Due(ctx, v, r.ID)
	if err != nil || !r.Paid() && due.Open == nil && due.Refusal != "" { // enrolment closed unpaid
		return nil, err
	}
	return &due, nil
}

// newAccountView asks for the details of a new account without an enrolment.
func (h handlers) newAccountView(next, proven string, typed map[string]string) authView {
	d := authView{
		Title: "Sign up", Here: withNext(web.SignUpPath, next), Action: web.SignUpPath, Place: "you", Button: "Send code",
		AuthPageProps: components.AuthPageProps{
			Drawn: 3, Question: "Create your account",
			Promise: "We save your application. Continue it on any phone or computer.",
		},
		Form:   components.FormProps{Form: h.Forms.Get("sign-up"), Values: typed},
		Hidden: []pages.HiddenField{{Name: web.NextQuery, Value: next}},
		Small: small{
			Before: "No password. We use these for your application: ", Link: components.Link{Text: "Privacy notice", Href: web.PrivacyPath},
		},
		Other: []authLine{{Words: "Have an account?", Link: components.Link{Text: "Sign in", Href: withNext(web.SignInPath, next)}}},
	}
	d.Form.Special = map[string]components.Special{"email": {Change: func(p *components.FieldProps) { p.Placeholder = "name@example.com" }}}
	if proven == "" {
		return d
	}
	field, value := "phone_number", tenDigits(proven)
	if strings.Contains(proven, "@") {
		field, value = "email", proven
		d.ByNumber, d.Other = withNext(web.SignInPath, next), nil
	}
	d.Form.Values = map[string]string{}
	for name, text := range typed {
		d.Form.Values[name] = text
	}
	d.Form.Values[field] = value
	d.Drawn, d.Button = 9, "Sign up"
	d.Lead = "No account signs in with " + nonBreaking(pages.Mobile(proven)) + " yet."
	d.Form.Special["phone_number"] = components.Special{Change: func(p *components.FieldProps) { p.Hint = "We verify it later, with a code of its own." }}
	d.Form.Special[field] = components.Special{Change: func(p *components.FieldProps) {
		p.ReadOnly, p.Hint, p.Verified = true, "", "Verified"
	}}
	return d
}

// tenDigits formats a phone for its field.
func tenDigits(phone string) string { return strings.TrimPrefix(pages.Mobile(phone), "+91 ") }

// sendSignUp creates the account of a verified address, or sends a code to the typed phone.
func (h handlers) sendSignUp(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	proven, err := h.Account.VerifiedAddress(ctx, p.visitor)
	if err != nil {
		return err
	}
	done, code, err := h.Account.SignUp(ctx, p.visitor, p.values())
	step := signInStep(p.next, signUpFields(p.Values))
	switch {
	case p.asksForHuman(err):
		return h.CheckPage(c, web.SignUpPath, p.Values, err)
	case code != nil && isSent(*code, err):
		to := admission.IndianPhone(forms.TenDigits(p.Get("phone_number")))
		return h.showCodeSent(c, p, h.sent(*code, to), step)
	case err != nil:
		d, fault := h.signUpView(c, p.visitor, p.next, proven, p.values())
		if fault != nil {
			return fault
		}
		return h.refuseToSend(c, d, h.ProblemOf(c, err), step)
	}
	if err := h.Session.Renew(c, done.Token); err != nil {
		return err
	}
	return h.finishSignIn(c, p, done.Account.ID)
}
