package businesstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/contact"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store/storetest"
)

// A Person has a browser and a phone.
type Person struct {
	*World
	admission.Visitor
	Phone, Email   string // phone as typed: ten digits
	RegistrationID string
	TxnID          string
}

// Somebody returns a new person with a phone, an e-mail and a browser.
func (w *World) Somebody() *Person {
	w.T.Helper()
	w.people++
	p := &Person{World: w, Phone: fmt.Sprintf("98%08d", w.people), Email: fmt.Sprintf("asha%d@example.com", w.people)}
	p.NewBrowser()
	return p
}

// NewBrowser gives the person a new session.
func (p *Person) NewBrowser() {
	p.T.Helper()
	_, session, err := storetest.AddSession(p.Ctx, p.Database, p.Clock.Now().AddDate(10, 0, 0))
	p.Must(err)
	p.Visitor = admission.Visitor{SessionID: session.ID, IP: "198.51.100.7", UserAgent: "test"}
}

// Verified returns a person with a verified phone.
func (w *World) Verified() *Person {
	w.T.Helper()
	return w.Somebody().VerifyPhone()
}

// VerifyPhone verifies the person's phone for an enrolment.
func (p *Person) VerifyPhone() *Person {
	p.T.Helper()
	p.Must(p.VerifyCode(access.ForPhone, p.Phone))
	return p
}

// VerifyCode requests a code for a phone and enters it.
func (p *Person) VerifyCode(purpose access.Purpose, phone string) error {
	ask := access.PhoneCodeInput{Purpose: purpose, Phone: phone, Email: p.Email, EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025"}
	if purpose == access.ForGuardian {
		ask.GuardianOf = access.Student{Name: "Asha Verma", Phone: p.Phone, SharesPhone: phone == p.Phone}
	}
	sent, err := p.Access.RequestCode(p.Ctx, p.Visitor, ask)
	if err == nil {
		_, err = p.Access.VerifyCode(p.Ctx, p.Visitor, access.EnteredCode{Purpose: purpose, RequestID: sent.RequestID, Phone: phone, Code: p.Recorder.Code("+91" + phone)})
	}
	return err
}

// Fields are changes to the answers of a form, by field name.
type Fields map[string]string

// SubmitEnrolment submits the enrolment form with changes to the defaults.
func (p *Person) SubmitEnrolment(changes Fields) (enrol.Registration, error) {
	code, in := "KS_Mgrow", formstest.Good("enrolment")
	in["email"], in["phone_number"] = p.Email, p.Phone
	for name, value := range changes {
		if name == "event" {
			code = value
			continue
		}
		in[name] = value
	}
	r, err := p.Enrol.Enrol(p.Ctx, p.Visitor, code, "", in)
	if err == nil {
		p.RegistrationID = r.ID
	}
	return r, err
}

// Enrolled returns an enrolled person.
func (w *World) Enrolled(changes Fields) *Person {
	w.T.Helper()
	p := w.Verified()
	_, err := p.SubmitEnrolment(changes)
	p.Must(err)
	return p
}

// Start starts a payment with a gateway, "" for the first.
func (p *Person) Start(gateway string) (payment.Transaction, error) {
	t, err := p.Payment.Start(p.Ctx, p.Visitor, payment.StartRequest{RegistrationID: p.RegistrationID, Gateway: gateway})
	if err == nil {
		p.TxnID = t.ID
	}
	return t, err
}

// Paying returns a person with an open attempt.
func (w *World) Paying(changes Fields) *Person {
	w.T.Helper()
	p := w.Enrolled(changes)
	p.MustStart("")
	return p
}

// AbandonedAttempt returns a person who abandoned a first attempt, which will be paid late, for a second one.
func (w *World) AbandonedAttempt(changes Fields) (p *Person, first string) {
	w.T.Helper()
	p = w.Paying(changes)
	first = p.TxnID
	w.Sandbox.PressWithoutReturn(first, sandbox.LateExpired)
	p.MustStart("second")
	return p, first
}

// MustStart is Start for a payment that must start.
func (p *Person) MustStart(gateway string) payment.Transaction {
	p.T.Helper()
	t, err := p.Start(gateway)
	p.Must(err)
	return t
}

// Paid returns a person who has paid and returned.
func (w *World) Paid(changes Fields) *Person {
	w.T.Helper()
	p := w.Paying(changes)
	p.ReturnWith(sandbox.Paid)
	return p
}

// ReturnWith presses a button on the first provider's page; the browser returns to us.
func (p *Person) ReturnWith(outcome sandbox.Outcome) payment.Transaction {
	p.T.Helper()
	t, err := p.Payment.Complete(p.Ctx, p.TxnID, method.Return{Form: p.Sandbox.Press(p.TxnID, outcome)})
	p.Must(err)
	return t
}

// VerifyPayment asks the provider about the last payment.
func (p *Person) VerifyPayment() payment.Transaction {
	p.T.Helper()
	t, err := p.Payment.Verify(p.Ctx, p.TxnID)
	p.Must(err)
	return t
}

// Poll polls a payment as the worker does and returns the delay until the next poll.
func (w *World) Poll(txn string) time.Duration {
	w.T.Helper()
	again, err := w.Payment.Poll(w.Ctx, txn)
	w.Must(err)
	return again
}

// PaymentState is a person's state as every payment test compares it.
type PaymentState struct {
	State    payment.State // of the payment that is looked at
	Outcome  payment.Outcome
	Step     enrol.Step
	Coupon   enrol.UseState // of that payment; "" where none was used
	Invoices int            // of that payment
	Mails    string         // to the person, by template
	Timeline string         // of the registration, by name
}

// State runs all due jobs and returns the state of a payment.
func (p *Person) State(txn string) PaymentState {
	p.T.Helper()
	p.RunJobs()
	payment, err := p.Payment.Find(p.Ctx, txn)
	p.Must(err)
	joined := func(query string, args ...any) string { return strings.Join(p.Texts(query, args...), ", ") }
	return PaymentState{
		State: payment.Transaction.State, Outcome: payment.Transaction.Outcome(), Step: payment.Registration.Step,
		Coupon:   enrol.UseState(joined("SELECT state FROM coupon_uses WHERE txn_id = $1", txn)),
		Invoices: p.Count("invoices WHERE txn_id = $1", txn),
		Mails:    p.Mails(),
		Timeline: joined("SELECT what FROM entries WHERE registration_id = $1 ORDER BY what", p.RegistrationID),
	}
}

// Mails returns the templates of the person's mails.
func (p *Person) Mails() string {
	var templates []string
	for _, m := range p.Post.To(p.Email) {
		templates = append(templates, m.Template)
	}
	slices.Sort(templates)
	return strings.Join(templates, ", ")
}

// ExpectState expects a payment's state and all that follows from it.
func (p *Person) ExpectState(txn string, want PaymentState) {
	p.T.Helper()
	if got := p.State(txn); got != want {
		p.T.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

// PaidOnce is the state after one payment with a coupon.
var PaidOnce = PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Coupon: enrol.UseTaken, Invoices: 1, Mails: "receipt", Timeline: "enrolled, paid"}

// WithCoupon are answers with a coupon of ₹500.
var WithCoupon = Fields{"coupon_code": "MGROW500"}

// RunRefund runs the refund job of a payment until it is done.
func (w *World) RunRefund(txn string) {
	w.T.Helper()
	again, err := w.Payment.Refund(w.Ctx, txn)
	w.Must(err)
	Equal(w.T, "asks again in", again, 0)
	w.RunJobs()
}

// Complain submits a complaint with changes.
func (w *World) Complain(v admission.Visitor, change Fields) (contact.Grievance, error) {
	in := map[string]string{"name": "Asha Rao", "email": "asha@example.com", "category": "payment", "message": "I paid twice for one enrolment."}
	maps.Copy(in, change)
	return w.Contact.SendGrievance(w.Ctx, v, in)
}

// PayLater starts a payment a while after enrolling and presses a button on the provider's page, "" for none.
func (p *Person) PayLater(outcome sandbox.Outcome) *Person {
	p.T.Helper()
	p.Clock.Pass(time.Minute)
	p.MustStart("")
	if outcome != "" {
		p.ReturnWith(outcome)
	}
	return p.SignedIn()
}

// RefundAll refunds the whole fee at the provider.
func (p *Person) RefundAll() {
	p.T.Helper()
	p.Clock.Pass(time.Minute)
	p.Sandbox.EventAfterPayment(p.TxnID, sandbox.RefundedThere)
	p.RunJobs()
}
