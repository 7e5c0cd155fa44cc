package business_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store/storetest"
)

// A person has a browser and a phone.
type person struct {
	*world
	admission.Visitor
	phone, email string // phone as typed: ten digits
	registration string
	txn          string
}

func (w *world) somebody() *person {
	w.t.Helper()
	w.people++
	p := &person{world: w, phone: fmt.Sprintf("98%08d", w.people), email: fmt.Sprintf("asha%d@example.com", w.people)}
	p.newBrowser()
	return p
}

func (p *person) newBrowser() {
	p.t.Helper()
	_, session, err := storetest.AddSession(p.ctx, p.database, p.clock.Now().AddDate(10, 0, 0))
	p.must(err)
	p.Visitor = admission.Visitor{SessionID: session.ID, IP: "198.51.100.7", UserAgent: "test"}
}

// verified returns a person with a verified phone.
func (w *world) verified() *person {
	w.t.Helper()
	return w.somebody().verify()
}

func (p *person) verify() *person {
	p.t.Helper()
	p.must(p.verifyCode(access.ForPhone, p.phone))
	return p
}

func (p *person) verifyCode(purpose access.Purpose, phone string) error {
	ask := access.PhoneCodeInput{Purpose: purpose, Phone: phone, Email: p.email, EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025"}
	if purpose == access.ForGuardian {
		ask.GuardianOf = p.phone
	}
	sent, err := p.Access.RequestCode(p.ctx, p.Visitor, ask)
	if err == nil {
		_, err = p.Access.VerifyCode(p.ctx, p.Visitor, access.EnteredCode{Purpose: purpose, RequestID: sent.RequestID, Phone: phone, Code: p.recorder.code("+91" + phone)})
	}
	return err
}

type fields map[string]string

// enrol submits the enrolment form with changes to the defaults.
func (p *person) enrol(changes fields) (enrol.Registration, error) {
	code, in := "KS_Mgrow", formstest.Good("enrolment")
	in["email"], in["phone_number"] = p.email, p.phone
	for name, value := range changes {
		if name == "event" {
			code = value
			continue
		}
		in[name] = value
	}
	r, err := p.Enrol.Enrol(p.ctx, p.Visitor, code, "", in)
	if err == nil {
		p.registration = r.ID
	}
	return r, err
}

// enrolled returns an enrolled person.
func (w *world) enrolled(changes fields) *person {
	w.t.Helper()
	p := w.verified()
	_, err := p.enrol(changes)
	p.must(err)
	return p
}

// start starts a payment with a gateway, "" for the first.
func (p *person) start(gateway string) (payment.Transaction, error) {
	t, err := p.Payment.Start(p.ctx, p.Visitor, payment.StartRequest{RegistrationID: p.registration, Gateway: gateway})
	if err == nil {
		p.txn = t.ID
	}
	return t, err
}

// paying returns a person with an open attempt.
func (w *world) paying(changes fields) *person {
	w.t.Helper()
	p := w.enrolled(changes)
	p.mustStart("")
	return p
}

// abandonedAttempt returns a person who abandoned a first attempt, which will be paid late, for a second one.
func (w *world) abandonedAttempt(changes fields) (p *person, first string) {
	w.t.Helper()
	p = w.paying(changes)
	first = p.txn
	w.sandbox.press(first, sandbox.LateExpired)
	p.mustStart("second")
	return p, first
}

func (p *person) mustStart(gateway string) payment.Transaction {
	p.t.Helper()
	t, err := p.start(gateway)
	p.must(err)
	return t
}

// paid returns a person who has paid and returned.
func (w *world) paid(changes fields) *person {
	w.t.Helper()
	p := w.paying(changes)
	p.returnWith(sandbox.Paid)
	return p
}

// returnWith presses a button on the first provider's page; the browser returns to us.
func (p *person) returnWith(outcome sandbox.Outcome) payment.Transaction {
	p.t.Helper()
	t, err := p.Payment.Complete(p.ctx, p.txn, method.Return{Form: p.sandbox.Press(p.txn, outcome)})
	p.must(err)
	return t
}

func (p *person) verifyPayment() payment.Transaction {
	p.t.Helper()
	t, err := p.Payment.Verify(p.ctx, p.txn)
	p.must(err)
	return t
}

// poll polls a payment as the worker does and returns the delay until the next poll.
func (w *world) poll(txn string) time.Duration {
	w.t.Helper()
	again, err := w.Payment.Poll(w.ctx, txn)
	w.must(err)
	return again
}

// paymentState is a person's state as every payment test compares it.
type paymentState struct {
	State    payment.State // of the payment that is looked at
	Outcome  payment.Outcome
	Step     enrol.Step
	Coupon   enrol.UseState // of that payment; "" where none was used
	Invoices int            // of that payment
	Mails    string         // to the person, by template
	Timeline string         // of the registration, by name
}

func (p *person) state(txn string) paymentState {
	p.t.Helper()
	p.runJobs()
	payment, err := p.Payment.Find(p.ctx, txn)
	p.must(err)
	joined := func(query string, args ...any) string { return strings.Join(p.texts(query, args...), ", ") }
	return paymentState{
		State: payment.Transaction.State, Outcome: payment.Transaction.Outcome(), Step: payment.Registration.Step,
		Coupon:   enrol.UseState(joined("SELECT state FROM coupon_uses WHERE txn_id = $1", txn)),
		Invoices: p.count("invoices WHERE txn_id = $1", txn),
		Mails:    p.mails(),
		Timeline: joined("SELECT what FROM entries WHERE registration_id = $1 ORDER BY what", p.registration),
	}
}

// mails returns the templates of the person's mails.
func (p *person) mails() string {
	var templates []string
	for _, m := range p.post.to(p.email) {
		templates = append(templates, m.Template)
	}
	slices.Sort(templates)
	return strings.Join(templates, ", ")
}

// expectState expects a payment's state and all that follows from it.
func (p *person) expectState(txn string, want paymentState) {
	p.t.Helper()
	if got := p.state(txn); got != want {
		p.t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}
