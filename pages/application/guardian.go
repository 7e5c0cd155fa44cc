package application

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
)

// The guardian's group and fields, and the fields of a sent code, which its holder may know: the server checks every action.
const (
	guardianPlace = "guardian"
	nameField     = "guardian_name"
	phoneField    = "guardian_phone"
	codeField     = "guardian_otp"
	wireCode      = "phone_otp"

	sharesField    = "guardian_shares_phone"
	relationField  = "guardian_relation"
	birthYearField = "guardian_birth_year"

	requestField = "guardian_request_id"
	sentToField  = "guardian_sent_to"
	sentAtField  = "guardian_sent_at"

	doSend   = "send-guardian-code"
	doResend = "resend-guardian-code"
	doVerify = "verify-guardian"
)

const resendAfter = time.Minute // access enforces it

var guardianButtons = map[string]func(handlers, *echo.Context, posted) error{
	doSend: handlers.sendCode, doResend: handlers.resendCode, doVerify: handlers.verifyGuardian,
}

// guardianView asks for the guardian of a minor. Earlier answers are in the page only.
type guardianView struct {
	frame
	step
	Born       string
	Form       components.FormProps
	Hidden     []pages.HiddenField
	Sent       bool
	Ended      bool   // no code that was sent works any more
	StorageKey string // see step.storageKey
}

// needsGuardian reports whether the only faults are the guardian's.
func (h handlers) needsGuardian(problem *admission.Problem) bool {
	fields := h.Forms.Get(apply.FormName).FieldsOf(guardianPlace)
	ofGuardian := func(fault forms.Fault) bool {
		return slices.ContainsFunc(fields, func(field *forms.Field) bool { return field.Name == fault.Field })
	}
	return len(problem.Faults) > 0 && !slices.ContainsFunc(problem.Faults, func(fault forms.Fault) bool { return !ofGuardian(fault) })
}

// codeSent reports whether a code was sent to the typed number.
func (p posted) codeSent() bool {
	return p.in[requestField] != "" && p.in[sentToField] == forms.TenDigits(p.in[phoneField])
}

// student returns the applicant, for the guardian's message.
func (p posted) student() access.Student {
	r := p.standing.Registration
	return access.Student{Name: r.FullName, Phone: admission.TenDigits(r.Phone), SharesPhone: p.in[sharesField] == "true"}
}

// showGuardian shows the page that asks for the guardian. Nothing typed is stored anywhere else.
func (h handlers) showGuardian(c *echo.Context, p posted, refused *admission.Problem) error {
	typed, err := h.Apply.Draft(c.Request().Context(), p.visitor, p.name())
	if err != nil {
		return err
	}
	form := h.Forms.Get(apply.FormName)
	view := guardianView{
		frame: h.frame(p.place, "A parent or guardian agrees first", "You are under 18. We save this application only after a parent or guardian agrees, with a code sent to their phone.",
			components.SavedProps{Text: "Not saved yet", Sign: components.SignHeld}),
		step: p.step, StorageKey: p.storageKey(p.standing.Registration.ID), Born: bornOn(form, p.in, typed.Env), Sent: p.codeSent(),
		Form: components.FormProps{Form: form, Step: p.name(), Env: typed.Env, Values: map[string]string{}, Faults: pages.FaultsOf(form, refused)},
	}
	if view.Ended = access.CodeEnded(refused); view.Ended {
		delete(p.in, codeField)
	}
	for _, field := range form.FieldsOf(guardianPlace) {
		view.Form.Values[field.Name] = p.in[field.Name]
	}
	if _, asked := p.in[nameField]; !asked {
		view.Form.Values[nameField] = p.in["fatherName"]
	}
	view.Form.Values["dob"] = p.in["dob"]
	view.Hidden = hiddenOf(p.standing.Registration.ID, p.seen(), p.in[fromField])
	for _, field := range form.OfStep(p.name()) {
		if value := p.in[field.Name]; value != "" && field.Group != guardianPlace {
			view.Hidden = append(view.Hidden, pages.HiddenField{Name: field.Name, Value: value})
		}
	}
	h.addCodeState(&view, p)
	view.frame.refused(view.Form.Faults, view.Form.Values)
	view.Page.Scripts = []string{"signin.js"}
	switch {
	case len(view.Form.Faults) > 0 && !view.Form.Summarised():
		view.Form.Focus = view.Form.Faults[0].Field
	case len(view.Form.Faults) == 0 && view.Sent:
		view.Form.Focus = codeField
	}
	return h.Show(c, pages.StatusOf(c, refused), guardianPage(view))
}

// addCodeState adds the code's state to the guardian's fields.
func (h handlers) addCodeState(view *guardianView, p posted) {
	view.Form.Special = map[string]components.Special{
		phoneField: {Change: func(f *components.FieldProps) {
			f.Hint = "They get one SMS with a code."
		}},
		codeField: {Absent: !view.Sent},
	}
	if !view.Sent {
		return
	}
	for _, name := range []string{requestField, sentToField, sentAtField} {
		view.Hidden = append(view.Hidden, pages.HiddenField{Name: name, Value: p.in[name]})
	}
	phone, wait := view.Form.Special[phoneField], 0
	if at, err := strconv.ParseInt(p.in[sentAtField], 10, 64); err == nil {
		wait = int(min(resendAfter, max(0, time.Unix(at, 0).Add(resendAfter).Sub(h.Clock()))).Seconds())
		phone.Below = codeSentLine("Code sent " + admission.TimeOfDay(time.Unix(at, 0)))
	}
	view.Form.Special[phoneField] = phone
	typed := min(len(strings.Join(strings.Fields(p.in[codeField]), "")), 6)
	view.Form.Special[codeField] = components.Special{Change: func(f *components.FieldProps) { f.Digits = typed }, Below: resendButton(wait, view.Ended)}
}

// sendCode sends a code to the guardian's number.
func (h handlers) sendCode(c *echo.Context, p posted) error {
	ctx := c.Request().Context()
	typed, err := h.Apply.Draft(ctx, p.visitor, p.name())
	if err != nil {
		return err
	}
	if _, faults := h.Forms.Get(apply.FormName).CheckOnly(p.in, typed.Env, nameField, phoneField, sharesField, relationField, birthYearField); len(faults) > 0 {
		return h.showGuardian(c, p, admission.FormProblem(faults))
	}
	sent, err := h.Access.RequestCode(ctx, p.visitor, access.PhoneCodeInput{
		Purpose: access.ForGuardian, Phone: forms.TenDigits(p.in[phoneField]), GuardianOf: p.student(), EventCode: enrol.ApplicationCode,
	})
	if admission.HasKind(err, admission.AlreadyVerified) {
		return h.next(c, p)
	}
	return h.showCodeSent(c, p, sent, err)
}

func (h handlers) resendCode(c *echo.Context, p posted) error {
	if !p.codeSent() {
		return h.sendCode(c, p)
	}
	sent, err := h.Access.ResendCode(c.Request().Context(), p.visitor, p.in[requestField])
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		delete(p.in, requestField)
		return h.sendCode(c, p)
	}
	return h.showCodeSent(c, p, sent, err)
}

// showCodeSent shows the page after a code was sent or refused.
func (h handlers) showCodeSent(c *echo.Context, p posted, sent access.CodeSent, err error) error {
	values, fault := pages.PostForm(c)
	if fault != nil {
		return fault
	}
	if pages.AsksForCheck(err, values) {
		return h.CheckPage(c, p.path(), values, err)
	}
	if err != nil {
		field := phoneField
		if p.codeSent() {
			field = codeField
		}
		return h.showGuardian(c, p, at(field, h.ProblemOf(c, err)))
	}
	p.in[requestField], p.in[sentToField] = sent.RequestID, forms.TenDigits(p.in[phoneField])
	p.in[sentAtField] = strconv.FormatInt(h.Clock().Unix(), 10)
	delete(p.in, codeField)
	return h.showGuardian(c, p, nil)
}

// verifyGuardian checks the guardian's code, then saves the step.
func (h handlers) verifyGuardian(c *echo.Context, p posted) error {
	verified, err := h.Access.VerifyCode(c.Request().Context(), p.visitor, access.EnteredCode{
		Purpose: access.ForGuardian, RequestID: p.in[requestField], Phone: forms.TenDigits(p.in[phoneField]), EventCode: enrol.ApplicationCode, Code: p.in[codeField],
	})
	if err != nil {
		return h.showGuardian(c, p, at(codeField, h.ProblemOf(c, err)))
	}
	if err := h.Session.Renew(c, verified.Token); err != nil {
		return err
	}
	delete(p.in, codeField)
	return h.next(c, p)
}

// at assigns a problem without a field, or of a code, to a field of the form.
func at(field string, problem *admission.Problem) *admission.Problem {
	if problem.Field != "" && problem.Field != wireCode || problem.Kind == admission.Unavailable {
		return problem
	}
	moved := *problem
	moved.Field, moved.Faults = field, []forms.Fault{{Field: field, Message: problem.Message}}
	return &moved
}

// bornOn formats the date of birth.
func bornOn(form *forms.Form, in map[string]string, env forms.Env) string {
	clean, _ := form.CheckOnly(in, env, "dob")
	return form.Display("dob", clean["dob"])
}
