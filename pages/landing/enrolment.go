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

// enrol handles a post of the enrolment form, which browsers without scripts send. It runs the pressed button's action,
// then redirects to the action's next page or renders the form with the typed answers.
func (l *Landing) enrol(c *echo.Context) error {
	page, layout, known := l.requestedPage(c)
	if !known {
		return l.unknown(c, l.Content.Current())
	}
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	do, known := enrolmentActions[typed.Get("do")]
	if !known {
		return web.Refusal{Status: http.StatusBadRequest, Message: "This button is unknown. Please go back, reload the page and try again."}
	}
	e := &enrolment{
		kit: l.Kit,
		in:  forms.Values(typed), view: l.enrolmentView(page, c.Request().URL.Path, invitation{Source: admission.Source(typed.Get(sourceField))}),
		renew: func(token string) error { return l.Session.Renew(c, token) },
	}
	e.view.Announcement = Announcement{}
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
	case pages.AsksForCheck(err, typed):
		return l.CheckPage(c, e.view.address(), typed, err)
	case next != "":
		return c.Redirect(http.StatusSeeOther, next)
	}
	problem := e.show(c, l.Kit, err)
	if problem == nil && len(e.view.toDos()) == 0 {
		e.view.Focus = cmp.Or(e.focus, e.view.next())
	}
	return l.showLanding(c, pages.StatusOf(c, problem), page, layout, e.view)
}

// change shows the form with the answers of a visitor's unpaid registration, or an empty form for an unknown one.
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
	e.in["coupon_applied"], e.view.Announcement = registration.CouponCode, Announcement{}
	e.show(c, l.Kit, nil)
	return l.showLanding(c, http.StatusOK, page, layout, e.view)
}

// enrolment is a post of the form.
type enrolment struct {
	kit     *pages.Kit
	visitor admission.Visitor
	in      map[string]string        // by field, with the hidden fields
	view    EnrolmentView            // the page's form
	renew   func(token string) error // sets the browser's new session token
	price   *enrol.Price             // with the coupon, once known
	changed string                   // step to unfold
	opened  string                   // group to unfold
	focus   string                   // field to focus, unless it is the next one
}

// enrolmentActions are the form's buttons. Each returns the next page, or "" for the form.
var enrolmentActions = map[string]func(*enrolment, context.Context) (next string, err error){
	"enter":                  (*enrolment).enter,
	"continue-you":           finishStep("you"),
	"continue-phone":         finishStep("phone"),
	"continue-course":        finishStep("course"),
	"change-you":             openStep("you"),
	"change-phone":           openStep("phone"),
	"change-course":          openStep("course"),
	"change-consent":         openStep("consent"),
	"change-guardian":        (*enrolment).openGuardian,
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

// finishStep checks the answers of a step. The page then folds the step.
func finishStep(name string) func(*enrolment, context.Context) (string, error) {
	return func(e *enrolment, ctx context.Context) (string, error) {
		env, err := e.env(ctx)
		if err != nil {
			return "", err
		}
		if _, faults := e.view.Form.CheckOnly(e.in, env, e.view.fieldsOf(name)...); len(faults) > 0 {
			e.changed = name
			return "", admission.FormProblem(faults)
		}
		return "", e.applyTypedCoupon(ctx)
	}
}

// applyTypedCoupon applies a coupon that was typed, or came by the address, without a press of Apply. Before the human check
// it waits.
func (e *enrolment) applyTypedCoupon(ctx context.Context) error {
	if e.coupon() == "" || e.couponApplied() {
		return nil
	}
	focus := e.focus
	if _, err := e.applyCoupon(ctx); !pages.NeedsHuman(err) {
		e.focus = focus
		return err
	}
	return nil
}

// openStep unfolds a step.
func openStep(name string) func(*enrolment, context.Context) (string, error) {
	return func(e *enrolment, _ context.Context) (string, error) {
		e.changed = name
		return "", nil
	}
}

// openGuardian shows the fields of a guardian who has agreed.
func (e *enrolment) openGuardian(context.Context) (string, error) {
	e.changed, e.opened, e.focus = "consent", guardianGroup, "guardian_name"
	return "", nil
}

// enter handles the Enter key by the answers given so far. A script hides the steps after the unfolded one, so they do not
// count.
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
	case ready("fullname", "email", "phone_number") && proven["phone_number"] == "" && !e.codeRequested():
		return e.sendCode(ctx)
	case ready("guardian_phone") && proven["guardian_phone"] == "" && !e.guardianCodeRequested():
		return e.sendGuardianCode(ctx)
	case ready("coupon_code") && !e.couponApplied():
		return e.applyCoupon(ctx)
	case e.in["fullname"] != "" && e.in["email"] == "":
		e.focus = "email"
		return "", nil
	case e.in["phone_number"] == "":
		return finishStep("you")(e, ctx)
	case proven["phone_number"] != "" && e.in["adult"] == "" && e.in["agreed_terms_conditions"] == "":
		return finishStep("course")(e, ctx)
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
	e.announce("Coupon applied: "+price.Discount.Short()+" off. You pay "+price.Final.Short()+".", components.NoticeDone, "coupon_code")
	return "", nil
}

func (e *enrolment) removeCoupon(context.Context) (string, error) {
	counted := e.couponApplied()
	delete(e.in, "coupon_code")
	delete(e.in, "coupon_applied")
	if !counted { // the visitor continues without it
		e.announce("No coupon. You pay "+e.view.Price.Fee+".", "", "")
		return "", nil
	}
	e.focus, e.opened = "coupon_code", "coupon"
	e.announce("Coupon removed. You pay "+e.view.Price.Fee+".", "", "")
	return "", nil
}

// pay checks a code that is typed, then enrols and starts the payment, if the form is valid.
func (e *enrolment) pay(ctx context.Context) (string, error) {
	if next, err := e.verifyTyped(ctx); err != nil || next != "" {
		return next, err
	}
	env, err := e.env(ctx)
	if err != nil {
		return "", err
	}
	if _, faults := e.view.Form.Check(e.in, env); len(faults) > 0 {
		return "", e.early(faults)
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
	case status.MoneyOf(&txn, e.kit.Clock()) == status.MoneyPaid: // nothing was due
		return web.PaymentPath(txn.ID), nil
	case txn.CouponCode != e.coupon(): // an open attempt keeps its price, which the payment page shows first
		return web.PayPath, nil
	}
	return web.CheckoutPath(txn.ID), nil
}

// early lists the steps left to do before the payment. It rejects only fields that have a value.
func (e *enrolment) early(faults []forms.Fault) error {
	typed := slices.DeleteFunc(slices.Clone(faults), func(f forms.Fault) bool { return e.in[f.Field] == "" })
	if slices.ContainsFunc(faults, func(f forms.Fault) bool { return f.Field != enrol.CouponField }) {
		e.view.Early = earlyAll
	}
	if len(typed) == 0 {
		return nil
	}
	return admission.FormProblem(typed)
}

// withoutCoupon removes a refused coupon, so that the full price is shown with the message.
func (e *enrolment) withoutCoupon(err error) error {
	if problem := admission.AsProblem(err); problem != nil && problem.Field == "coupon_code" {
		delete(e.in, "coupon_applied")
	}
	return err
}

// show fills the view: answers, verified numbers, price, and the refusal. It returns the refusal, which may be that an
// applied coupon no longer counts, or a server error.
func (e *enrolment) show(c *echo.Context, kit *pages.Kit, refused error) *admission.Problem {
	ctx, problem := c.Request().Context(), kit.ProblemOf(c, refused)
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil && problem == nil {
		problem = kit.ProblemOf(c, err)
	}
	v := &e.view
	faults := pages.FaultsOf(v.Form, problem)
	if v.Phone.Why != "" || v.Guardian.Why != "" {
		faults = nil // the number is not wrong
	}
	v.Phone = v.Phone.current(e.in["phone_number"], proven["phone_number"], e.in["sent_to"], e.in["request_id"])
	v.Guardian = v.Guardian.current(e.in["guardian_phone"], proven["guardian_phone"], e.in["guardian_sent_to"], e.in["guardian_request_id"])
	if err := cmp.Or(e.addWait(ctx, &v.Phone), e.addWait(ctx, &v.Guardian)); err != nil && problem == nil {
		problem = kit.ProblemOf(c, err)
	}
	if e.price == nil && e.couponApplied() {
		price, err := e.kit.Enrol.ShownPrice(ctx, e.visitor, e.couponRequest(proven))
		switch {
		case err == nil:
			e.price = &price
		case !admission.HasKind(err, admission.TooMany):
			worthless := kit.ProblemOf(c, err)
			faults = append(faults, pages.FaultsOf(v.Form, worthless)...)
			problem = cmp.Or(problem, worthless)
		}
	}
	if e.price != nil {
		v.Price.apply(*e.price, e.coupon())
	}
	v.Values = map[string]string{}
	for _, field := range v.Form.Fields {
		if value := e.in[field.Name]; value != "" {
			v.Values[field.Name] = value
		}
	}
	v.Phone.Digits, v.Guardian.Digits = digits(v.Values["otp"]), digits(v.Values["guardian_otp"])
	v.Open = v.Form.OpenGroups(v.Values, nil)
	if e.opened != "" {
		v.unfold(e.opened)
	}
	v.setFaults(faults)
	v.setSteps(e.changed)
	if len(v.toDos()) > 0 {
		v.Summary = []forms.Fault{}
	}
	return problem
}

// announce sets the status for screen readers and, with a look, a notice at a field.
func (e *enrolment) announce(text string, look components.NoticeLook, at string) {
	e.view.Status = text
	if look != "" {
		e.view.Announcement = Announcement{Text: text, Look: look, At: at}
	}
}

// check validates the fields that a button needs.
func (e *enrolment) check(names ...string) error {
	if _, faults := e.view.Form.CheckOnly(e.in, forms.Env{Today: e.view.Today}, names...); len(faults) > 0 {
		return admission.FormProblem(faults)
	}
	return nil
}

// env returns what the form's rules depend on: the event's choices, and what is verified or applied.
func (e *enrolment) env(ctx context.Context) (forms.Env, error) {
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil {
		return forms.Env{}, err
	}
	event, _ := e.kit.Events.EventByCode(e.view.Code)
	env := enrol.FormEnv(event, e.kit.Clock())
	env.Proven = proven
	if e.couponApplied() {
		env.Proven["coupon_code"] = e.coupon()
	}
	return env, nil
}

// coupon returns the typed coupon code in its normal form.
func (e *enrolment) coupon() string {
	clean, _ := e.view.Form.CheckField("coupon_code", e.in, forms.Env{})
	return clean
}

// couponApplied reports whether the typed code is the applied one.
func (e *enrolment) couponApplied() bool {
	return e.in["coupon_applied"] != "" && e.in["coupon_applied"] == e.coupon()
}

func (e *enrolment) priceWithCoupon(ctx context.Context) (enrol.Price, error) {
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil {
		return enrol.Price{}, err
	}
	return e.kit.Enrol.ApplyCoupon(ctx, e.visitor, e.couponRequest(proven))
}

func (e *enrolment) couponRequest(proven map[string]string) enrol.CouponRequest {
	ask := enrol.CouponRequest{Code: e.coupon(), EventCode: e.view.Code, SubeventCode: e.view.Subevent}
	if number := proven["phone_number"]; number != "" {
		ask.Phone = "+91" + number
	}
	return ask
}
