package demo

import (
	"bytes"
	"fmt"
	"maps"
	"strconv"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// person has a browser and a phone.
type person struct {
	*demo
	region            region
	name, father      string
	phone, email      string // the phone as typed: ten digits
	visitor           admission.Visitor
	event             admission.Event // of the enrolment
	registration, txn string          // ids; of the last payment
}

var browsers = []string{
	"Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
}

// openBrowser gives the person a new session, which the first accepted call stores.
func (p *person) openBrowser() {
	p.visitor = admission.Visitor{
		SessionID: admission.NewID(), Offered: &admission.NewSession{TokenHash: admission.HashToken(admission.NewToken())},
		IP: "198.51.100." + strconv.Itoa(1+p.people%250), UserAgent: browsers[p.people%len(browsers)], Page: "/",
	}
}

// verify requests a code for a phone and enters it.
func (p *person) verify(ask access.PhoneCodeInput) error {
	ask.Email, ask.EventCode, ask.SubeventCode = p.email, p.event.Code, p.event.SubeventCode
	sent, err := p.Business.Access.RequestCode(p.ctx, p.visitor, ask)
	if err != nil {
		return err
	}
	_, err = p.Business.Access.VerifyCode(p.ctx, p.visitor, access.EnteredCode{Purpose: ask.Purpose, RequestID: sent.RequestID, Phone: ask.Phone, Code: p.codes["+91"+ask.Phone]})
	return err
}

func (p *person) verifyPhone() error {
	return p.verify(access.PhoneCodeInput{Purpose: access.ForPhone, Phone: p.phone})
}

// guardianPhone returns the number of the person's guardian.
func (p *person) guardianPhone() string { return "90001" + p.phone[5:] }

func (p *person) verifyGuardian() error {
	return p.verify(access.PhoneCodeInput{Purpose: access.ForGuardian, Phone: p.guardianPhone(), GuardianOf: access.Student{Name: p.name, Phone: p.phone}})
}

// enrol submits the enrolment form.
func (p *person) enrol(more map[string]string) error {
	in := map[string]string{
		"fullname": p.name, "email": p.email, "phone_number": p.phone, "selected_course": pick(p.demo, p.event.Courses), "state": p.region.state,
		"adult": "true", "agreed_terms_conditions": "true",
	}
	maps.Copy(in, more)
	r, err := p.Business.Enrol.Enrol(p.ctx, p.visitor, p.event.Code, p.event.SubeventCode, in)
	p.registration = r.ID
	return err
}

// start opens a payment.
func (p *person) start() error {
	t, err := p.Business.Payment.Start(p.ctx, p.visitor, payment.StartRequest{RegistrationID: p.registration, Gateway: p.bank.Name})
	p.txn = t.ID
	return err
}

// pay opens a payment and presses a button on the bank's page, unless a coupon covers the fee.
func (p *person) pay(outcome sandbox.Outcome) error {
	t, err := p.Business.Payment.Start(p.ctx, p.visitor, payment.StartRequest{RegistrationID: p.registration, Gateway: p.bank.Name})
	p.txn = t.ID
	if err != nil || t.Charge.Minor == 0 {
		return err
	}
	_, err = p.Business.Payment.Complete(p.ctx, t.ID, method.Return{Form: p.bank.Press(t.ID, outcome), RemoteIP: p.visitor.IP})
	return err
}

// payUnnoticed pays while the bank answers no question about it.
func (p *person) payUnnoticed() error {
	if err := p.pay(sandbox.Error500); err != nil {
		return err
	}
	return p.silence(p.txn)
}

// atBank lets something happen to a paid payment at the bank.
func (p *person) atBank(txn string, what sandbox.ChargeEvent) error {
	return p.bank.Apply(p.ctx, txn, what)
}

// decide ends the review of the person's payment.
func (p *person) decide(how office.Decision) error {
	_, err := p.Office.Decide(p.ctx, p.txn, how, p.colleagues[1].actor())
	return err
}

// refundFee orders the refund of a part of the fee, in paise; 0 for all of it.
func (p *person) refundFee(minor int64, cause payment.Cause, words string) error {
	draft, err := p.Business.Payment.DraftRefund(p.ctx, p.txn, minor)
	if err != nil {
		return err
	}
	order := payment.FeeRefund{TxnID: p.txn, Minor: draft.Amount.Minor, LeftMinor: draft.Left.Minor, Cause: cause, Words: words}
	_, err = p.Business.Payment.RefundFee(p.ctx, order, p.colleagues[1].actor())
	return err
}

// signIn signs the person in, and up where there is no account.
func (p *person) signIn() error {
	sent, to, err := p.Business.Account.RequestCode(p.ctx, p.visitor, p.phone)
	if err != nil {
		return err
	}
	in, err := p.Business.Account.SignIn(p.ctx, p.visitor, sent.RequestID, p.codes[to])
	if err == nil && in.Account == nil {
		var again *access.CodeSent
		in, again, err = p.Business.Account.SignUp(p.ctx, p.visitor, map[string]string{"fullname": p.name, "email": p.email, "phone_number": p.phone})
		if err == nil && again != nil {
			err = fmt.Errorf("another code is sent to %s", p.phone)
		}
	}
	return p.remember(in, err)
}

func (p *person) remember(in account.SignedIn, err error) error {
	if in.Account != nil {
		p.visitor.AccountID = in.Account.ID
	}
	return err
}

// deleteAccount signs in again and requests the deletion, which follows in seven days.
func (p *person) deleteAccount() error {
	p.openBrowser()
	if err := p.signIn(); err != nil {
		return err
	}
	return p.Business.MyData.RequestDeletion(p.ctx, p.visitor)
}

// beginApplication opens the application.
func (p *person) beginApplication() error {
	standing, err := p.Business.Apply.Begin(p.ctx, p.visitor, "", "")
	if err == nil {
		p.registration = standing.Registration.ID
	}
	return err
}

// saveStep saves a step of the application.
func (p *person) saveStep(step string, in map[string]string) error {
	_, err := p.Business.Apply.SaveStep(p.ctx, p.visitor, step, in, apply.AnyVersion)
	return err
}

func (p *person) personal() error {
	born := p.clock.now().AddDate(-18-p.random.IntN(6), -1-p.random.IntN(10), -p.random.IntN(27))
	return p.saveStep("personal", map[string]string{
		"dob": born.Format("02-01-2006"), "gender": pick(p.demo, []string{"F", "F", "F", "M", "M", "M", "O"}), "fatherName": p.father,
		"address": fmt.Sprintf("%d Temple Road, %s", 1+p.random.IntN(90), p.region.city), "state": p.region.state, "zip": p.region.pin + fmt.Sprintf("%02d", 1+p.random.IntN(9)),
	})
}

func (p *person) academic() error {
	return p.saveStep("academic", map[string]string{
		"institution": p.region.college, "course": pick(p.demo, []string{"B.Sc. Statistics", "B.Com.", "B.Tech. Civil", "BCA", "B.A. Economics"}), "yearSemester": pick(p.demo, []string{"Semester 3", "Semester 5", "Completed"}),
		"examName": "HSC", "examYear": strconv.Itoa(p.clock.now().In(admission.IST).Year() - 2), "percentage": fmt.Sprintf("%.1f", 55+40*p.random.Float64()),
	})
}

func (p *person) scholarship() error {
	in := map[string]string{
		"received_other_scholarship": "false", "annualIncome": strconv.Itoa(90_000 + 10_000*p.random.IntN(40)),
		"reason": pick(p.demo, []string{"With the tuition paid I can finish the course.", "My father's shop closed this year, and my sister also studies.", "I work in the mornings and want to study in the evenings."}),
	}
	if p.people%3 == 0 {
		in["received_other_scholarship"], in["details"] = "true", "State merit scholarship, since 2025"
	}
	return p.saveStep("scholarship", in)
}

func (p *person) agree() error {
	_, err := p.Business.Apply.AgreeTerms(p.ctx, p.visitor, map[string]string{"agreed_terms_conditions": "true"}, "")
	return err
}

// upload uploads a document, which the inspector checks.
func (p *person) upload(kind document.Kind, side int) error {
	file := specimen(kind, p.people, side)
	_, err := p.Business.Document.UploadFile(p.ctx, p.visitor, document.NewFile{Kind: kind, Name: string(kind) + ".png", Type: "image/png", Size: int64(len(file))}, bytes.NewReader(file))
	if err == nil {
		p.uploads++
	}
	return err
}

func (p *person) submit() error { return p.Business.Document.Submit(p.ctx, p.visitor, nil) }

// minutes returns a time some minutes after at.
func minutes(at time.Time, n int) time.Time { return at.Add(time.Duration(n) * time.Minute) }
