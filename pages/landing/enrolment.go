package landing

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// enrol takes the enrolment form without scripts: POST /scholarship/:slug and /apply/:slug. The pressed button says
// what to do; whatever comes of it, the form returns with all that was typed, or payment begins.
func (l *Landing) enrol(c *echo.Context) error {
	page, layout, known := l.asked(c)
	if !known {
		return l.unknown(c, l.Content.Current())
	}
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	do, known := enrolmentDoings[typed.Get("do")]
	if !known {
		return web.Refusal{Status: http.StatusBadRequest, Message: "This button is unknown. Please go back, reload the page and try again."}
	}
	e := &enrolment{
		kit: l.Kit,
		in:  forms.Values(typed), view: l.enrolmentView(page, c.Request().URL.Path, invitation{Source: admission.Source(typed.Get(sourceField))}),
		renew: func(token string) error { return l.Session.Renew(c, token) },
	}
	e.view.Said = Said{}
	if !e.view.open() {
		return l.showLanding(c, http.StatusConflict, page, layout, e.view)
	}
	for _, phone := range []string{"phone_number", "guardian_phone"} {
		e.in[phone] = forms.TenDigits(e.in[phone])
	}
	var next string
	if e.visitor, err = l.Visitor(c, typed); err == nil {
		next, err = do(e, c.Request().Context())
	}
	switch {
	case pages.NeedsHuman(err) && typed.Get(pages.CaptchaName) == "", pages.PressedTooFast(err):
		return l.CheckPage(c, e.view.address(), typed, err)
	case next != "":
		return c.Redirect(http.StatusSeeOther, next)
	}
	problem := e.show(c, l.Kit, err)
	status := http.StatusOK
	if problem == nil {
		e.view.Focus = cmp.Or(e.focus, e.view.next())
	} else {
		status = web.StatusOf(problem)
		web.Refusal{RetryAfter: problem.RetryAfter}.SetHeaders(c.Response().Header())
	}
	return l.showLanding(c, status, page, layout, e.view)
}

// change writes the form with what an unpaid registration of the visitor holds; whoever holds none of that id gets an
// empty one.
func (l *Landing) change(c *echo.Context, page *content.Landing, layout Layout, registrationID string) error {
	v, err := l.Session.Visitor(c)
	if err != nil {
		return err
	}
	registration, typed, err := l.Enrol.Typed(c.Request().Context(), v, registrationID)
	if admission.AsProblem(err) != nil || err == nil && registration.EventSlug != page.Event.Slug {
		return c.Redirect(http.StatusSeeOther, c.Request().URL.Path+"#"+web.NoEnrolment)
	}
	if err != nil {
		return err
	}
	e := &enrolment{kit: l.Kit, visitor: v, in: typed, view: l.enrolmentView(page, c.Request().URL.Path, invitation{})}
	e.in["coupon_applied"], e.view.Said = registration.CouponCode, Said{}
	e.show(c, l.Kit, nil)
	return l.showLanding(c, http.StatusOK, page, layout, e.view)
}

// enrolment is one visit to the form.
type enrolment struct {
	kit     *pages.Kit
	visitor admission.Visitor
	in      map[string]string        // typed, by field, and what the hidden fields keep
	view    EnrolmentView            // what will be shown
	renew   func(token string) error // gives the browser its new session token
	price   *enrol.Price             // with the coupon, once it is known
	changed string                   // the step that is to stand open
	focus   string                   // what takes the focus, where that is not what is next
}

// enrolmentDoings are the buttons of the form. Each returns where to go on, or "" to show the form again.
var enrolmentDoings = map[string]func(*enrolment, context.Context) (next string, err error){
	"enter":                  (*enrolment).enter,
	"continue-you":           goOnFrom("you"),
	"continue-phone":         goOnFrom("phone"),
	"continue-course":        goOnFrom("course"),
	"change-you":             back("you"),
	"change-phone":           back("phone"),
	"change-course":          back("course"),
	"change-consent":         back("consent"),
	"change-number":          (*enrolment).changeNumber,
	"send-code":              (*enrolment).sendCode,
	"resend":                 (*enrolment).resend,
	"verify":                 (*enrolment).verify,
	"send-guardian-code":     (*enrolment).sendGuardianCode,
	"resend-guardian":        (*enrolment).resendGuardian,
	"change-number-guardian": (*enrolment).changeGuardian,
	"verify-guardian":        (*enrolment).verifyGuardian,
	"apply-coupon":           (*enrolment).applyCoupon,
	"remove-coupon":          (*enrolment).removeCoupon,
	"pay":                    (*enrolment).pay,
}

// goOnFrom folds a step that is filled in, where no script does.
func goOnFrom(name string) func(*enrolment, context.Context) (string, error) {
	return func(e *enrolment, ctx context.Context) (string, error) {
		env, err := e.env(ctx)
		if err != nil {
			return "", err
		}
		if _, faults := e.view.Form.CheckOnly(e.in, env, e.view.fieldsOf(name)...); len(faults) > 0 {
			e.changed = name
			return "", refusal(faults)
		}
		return "", nil
	}
}

// back opens a step that is done.
func back(name string) func(*enrolment, context.Context) (string, error) {
	return func(e *enrolment, _ context.Context) (string, error) {
		e.changed = name
		return "", nil
	}
}

// enter is the Enter key: it does what the visitor has come to. Where a script folds the form, what comes behind the step
// that stands open was not seen yet.
func (e *enrolment) enter(ctx context.Context) (string, error) {
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil {
		return "", err
	}
	env := forms.Env{Proven: proven}
	ready := func(names ...string) bool {
		for _, name := range names {
			if e.in[name] == "" || !e.view.Form.Applies(name, e.in, env) {
				return false
			}
		}
		return true
	}
	switch {
	case ready("otp"):
		return e.verify(ctx)
	case ready("guardian_otp"):
		return e.verifyGuardian(ctx)
	case ready("fullname", "email", "phone_number") && proven["phone_number"] == "" && !e.phoneAsked():
		return e.sendCode(ctx)
	case ready("guardian_phone") && proven["guardian_phone"] == "" && !e.guardianAsked():
		return e.sendGuardianCode(ctx)
	case ready("coupon_code") && !e.couponApplied():
		return e.applyCoupon(ctx)
	case e.in["phone_number"] == "":
		return goOnFrom("you")(e, ctx)
	case proven["phone_number"] != "" && e.in["adult"] == "" && e.in["agreed_terms_conditions"] == "":
		return goOnFrom("course")(e, ctx)
	}
	return e.pay(ctx)
}

func (e *enrolment) applyCoupon(ctx context.Context) (string, error) {
	delete(e.in, "coupon_applied")
	price, err := e.priceWithCoupon(ctx)
	if err != nil {
		return "", err
	}
	e.price = &price
	e.in["coupon_code"], e.in["coupon_applied"] = e.coupon(), e.coupon()
	e.focus = "pay"
	e.say("Coupon applied: "+price.Discount.Short()+" off. You pay "+price.Final.Short()+".", components.NoticeDone, "coupon_code")
	return "", nil
}

func (e *enrolment) removeCoupon(context.Context) (string, error) {
	counted := e.couponApplied()
	delete(e.in, "coupon_code")
	delete(e.in, "coupon_applied")
	if !counted { // one goes on without it
		e.say("No coupon. You pay "+e.view.Price.Fee+".", "", "")
		return "", nil
	}
	e.focus = "coupon_code"
	e.view.unfold("coupon")
	e.say("Coupon removed. You pay "+e.view.Price.Fee+".", "", "")
	return "", nil
}

// pay enrols and begins payment. What the form's rules refuse never reaches the business.
func (e *enrolment) pay(ctx context.Context) (string, error) {
	env, err := e.env(ctx)
	if err != nil {
		return "", err
	}
	if _, faults := e.view.Form.Check(e.in, env); len(faults) > 0 {
		return "", refusal(faults)
	}
	registration, err := e.kit.Enrol.Enrol(ctx, e.visitor, e.view.Code, e.view.Subevent, e.in)
	if err != nil {
		return "", e.withoutCoupon(err)
	}
	due, err := e.kit.Payment.Due(ctx, e.visitor, registration.ID)
	if err != nil {
		return "", err
	}
	if due.Choice() {
		return web.PayPath, nil
	}
	txn, err := e.kit.Payment.Start(ctx, e.visitor, payment.StartRequest{RegistrationID: registration.ID})
	if err != nil {
		return "", e.withoutCoupon(err)
	}
	switch {
	case status.MoneyOf(&txn, e.kit.Clock()) == status.MoneyPaid: // there was nothing to pay
		return web.PaymentPath(txn.ID), nil
	case txn.CouponCode != e.coupon(): // an attempt that was open keeps its price: seen before it is paid
		return web.PayPath, nil
	}
	return web.CheckoutPath(txn.ID), nil
}

// withoutCoupon takes the coupon off where it is what was refused: the full price is shown with the message.
func (e *enrolment) withoutCoupon(err error) error {
	if problem := admission.AsProblem(err); problem != nil && problem.Field == "coupon_code" {
		delete(e.in, "coupon_applied")
	}
	return err
}

// show makes the view of what this post has come to: what is typed, what is proven, the price, and what was refused. It
// returns the refusal, which may be that an applied coupon is worth nothing any more, or that we cannot answer at all.
func (e *enrolment) show(c *echo.Context, kit *pages.Kit, refused error) *admission.Problem {
	ctx, problem := c.Request().Context(), kit.ProblemOf(c, refused)
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil && problem == nil {
		problem = kit.ProblemOf(c, err)
	}
	v, faults := &e.view, e.faultsOf(problem)
	v.Phone = v.Phone.now(e.in["phone_number"], proven["phone_number"], e.in["sent_to"], e.in["request_id"])
	v.Guardian = v.Guardian.now(e.in["guardian_phone"], proven["guardian_phone"], e.in["guardian_sent_to"], e.in["guardian_request_id"])
	if e.price == nil && e.couponApplied() {
		price, err := e.priceWithCoupon(ctx)
		switch {
		case err == nil:
			e.price = &price
		case !pages.NeedsHuman(err):
			worthless := kit.ProblemOf(c, err)
			faults = append(faults, e.faultsOf(worthless)...)
			problem = cmp.Or(problem, worthless)
		}
	}
	if e.price != nil {
		v.Price.Final, v.Price.Coupon = e.price.Final.Short(), e.coupon()
		v.Price.Off, v.Price.Saved = e.price.Discount.Minor, e.price.Discount.Short()
	}
	v.Values = map[string]string{}
	for _, field := range v.Form.Fields {
		if value := e.in[field.Name]; value != "" {
			v.Values[field.Name] = value
		}
	}
	v.Phone.Digits, v.Guardian.Digits = digits(v.Values["otp"]), digits(v.Values["guardian_otp"])
	v.Open = v.Form.OpenGroups(v.Values, nil)
	v.refuse(faults)
	v.settle(e.changed)
	return problem
}

// faultsOf are the faults of a refusal by the form's fields; one of no field of the form speaks of the whole.
func (e *enrolment) faultsOf(problem *admission.Problem) []forms.Fault {
	if problem == nil {
		return nil
	}
	faults := slices.Clone(problem.Faults)
	if len(faults) == 0 {
		faults = []forms.Fault{{Field: problem.Field, Message: problem.Message}}
	}
	for i := range faults {
		if e.view.Form.Field(faults[i].Field) == nil {
			faults[i].Field = ""
		}
	}
	return faults
}

// say tells the visitor what has happened: it is read out and, with a look, also shown at a field.
func (e *enrolment) say(text string, look components.NoticeLook, at string) {
	e.view.Status = text
	if look != "" {
		e.view.Said = Said{Text: text, Look: look, At: at}
	}
}

// check judges some fields, as the press of a button beside them needs it.
func (e *enrolment) check(names ...string) error {
	if _, faults := e.view.Form.CheckOnly(e.in, forms.Env{}, names...); len(faults) > 0 {
		return refusal(faults)
	}
	return nil
}

// env is what the form's rules need to know: the event's choices, and what this visitor has proven or applied.
func (e *enrolment) env(ctx context.Context) (forms.Env, error) {
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil {
		return forms.Env{}, err
	}
	event, _ := e.kit.Events.EventByCode(e.view.Code)
	env := enrol.FormEnv(event)
	env.Proven = proven
	if e.couponApplied() {
		env.Proven["coupon_code"] = e.coupon()
	}
	return env, nil
}

// coupon is the typed coupon code, tidied.
func (e *enrolment) coupon() string {
	clean, _ := e.view.Form.CheckField("coupon_code", e.in, forms.Env{})
	return clean
}

// couponApplied reports whether the typed code is the one that "Apply" has shown the price of.
func (e *enrolment) couponApplied() bool {
	return e.in["coupon_applied"] != "" && e.in["coupon_applied"] == e.coupon()
}

func (e *enrolment) priceWithCoupon(ctx context.Context) (enrol.Price, error) {
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil {
		return enrol.Price{}, err
	}
	ask := enrol.CouponRequest{Code: e.coupon(), EventCode: e.view.Code, SubeventCode: e.view.Subevent}
	if number := proven["phone_number"]; number != "" {
		ask.Phone = "+91" + number
	}
	return e.kit.Enrol.ApplyCoupon(ctx, e.visitor, ask)
}

func refusal(faults []forms.Fault) *admission.Problem {
	return &admission.Problem{Kind: admission.Invalid, Field: faults[0].Field, Message: faults[0].Message, Faults: faults}
}
