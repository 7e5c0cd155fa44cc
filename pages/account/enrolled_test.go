package account_test

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

const (
	meera  = "meera@example.com"
	family = "9876500007"
	here   = "Your enrolment is here, Meera."
)

// enrols enrols Meera in another browser.
func (s *site) enrols(refunded bool) enrol.Registration {
	s.t.Helper()
	r := enrol.Registration{
		ID: admission.NewID(), EventSlug: "hiresure-mgrow-2025", EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", FullName: "Meera Rao", Email: meera,
		Phone: "+91" + family, Course: "Blockchain", StateCode: "27", Adult: true, Refunded: refunded, CreatedAt: s.clock.Now(), ModifiedAt: s.clock.Now(), TermsAt: s.clock.Now(),
	}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error { return tx.AddRegistration(&r) }))
	return r
}

// payment returns a payment for an enrolment.
func (s *site) payment(r enrol.Registration, state payment.State) payment.Transaction {
	s.t.Helper()
	now := s.clock.Now()
	made := payment.Transaction{ID: admission.NewID(), RegistrationID: r.ID, Gateway: "sandbox", State: state, CreatedAt: now, ModifiedAt: now, ExpiresAt: now.Add(time.Hour)}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error { return tx.AddTransaction(&made) }))
	s.comesTo(r, made)
	return made
}

// comesTo saves the state of a payment, and the step of its registration.
func (s *site) comesTo(r enrol.Registration, made payment.Transaction) {
	s.t.Helper()
	r.Step = map[payment.State]enrol.Step{payment.Pending: enrol.StepPaying, payment.Review: enrol.StepPaying, payment.Paid: enrol.StepComplete}[made.State]
	if r.Step == 0 {
		r.Step = enrol.StepUnpaid
	}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error { return cmp.Or(tx.SaveTransaction(&made), tx.SaveRegistration(&r)) }))
}

// typed returns the values of the page's text fields.
func (b *browser) typed() (values []string) {
	for _, field := range regexp.MustCompile(`<input class="input"[^>]* name="([^"]+)"[^>]* value="([^"]*)"`).FindAllStringSubmatch(b.body, -1) {
		values = append(values, field[1]+" "+field[2])
	}
	return values
}

func TestEnrolledPersonSignsUpByOnePress(t *testing.T) {
	s := newSite(t)
	r := s.enrols(false)
	b := s.browser()
	b.get("/account/sign-in").is(http.StatusOK, "For your ticket or payment: the number you enrolled with.")
	b.post("/account/sign-in", "identifier", family).asks("/account/sign-in/code").without("Meera", "enrolment")
	b.get("/account/sign-up").is(http.StatusOK, "Create your account").without("Meera", "enrolment") // the code is not entered
	b.get("/account/sign-in/code")
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+family)).leadsTo("/hiresure")
	b.get("/account/sign-up").is(http.StatusOK, here, "Meera Rao Blockchain Not paid yet 14 Exam March 2027 Sunday See your enrolment Keep it in an account (optional) A free account keeps your enrolment and later applications. You can continue without one.", "For the account. Your enrolment keeps the name Meera Rao.", "For the account. Mails about your enrolment keep going to "+meera+".", "Create my account Our Privacy notice says what we keep. There is no password: next time you sign in with a code. Something wrong? Change what you typed Shared device? Log out").
		without("No account signs in with", "Create your account", "stay enrolled")
	if got, want := b.typed(), []string{"fullname Meera Rao", "email " + meera, "phone_number 98765 00007"}; !slices.Equal(got, want) || strings.Count(b.body, " readonly") != 1 {
		t.Errorf("filled in %q, want %q, the last of them read-only", got, want)
	}
	if !strings.Contains(b.body, `<details class="more"><summary>Change name or e-mail`) {
		t.Error("what is known is not folded")
	}
	if !strings.Contains(b.body, `placeholder="name@example.com"`) {
		t.Error("the e-mail is not told by example, for who empties the field")
	}
	if !strings.Contains(b.body, `href="/scholarship/hiresure-mgrow-2025">See your enrolment`) {
		t.Error("nothing leads to the enrolment")
	}

	b.post("/account/sign-up", "fullname", "", "email", "other@example.com", "phone_number", family).is(http.StatusUnprocessableEntity, here, "Full name is required.")
	if !strings.Contains(b.body, `<details class="more" open><summary>Change name or e-mail`) {
		t.Error("what is wrong is folded away")
	}
	if got, want := b.typed(), []string{"fullname ", "email other@example.com", "phone_number 98765 00007"}; !slices.Equal(got, want) {
		t.Errorf("after a refusal %q, want what was typed: %q", got, want)
	}
	paid := s.payment(r, payment.Paid)
	r.PaidTxnID, r.Step = paid.ID, enrol.StepComplete
	check(t, s.store.Update(t.Context(), func(tx store.Tx) error { return tx.SaveRegistration(&r) }))
	b.get("/account/sign-up").is(http.StatusOK, here, "Meera Rao Blockchain Paid 14 Exam March 2027 Sunday See ticket and receipt Keep it in an account (optional) A free account keeps your ticket, receipt and later applications. You stay enrolled without one.", "For the account. Your ticket keeps the name Meera Rao.", "For the account. Mails about your enrolment keep going to "+meera+".", "Create my account Our", "Something wrong? Call +91 80 0000 0101 Shared device? Log out").without("Change what you typed")
	sent := len(s.written)
	b.post("/account/sign-up", "fullname", "Meera Rao", "email", meera, "phone_number", "98765 00007").leadsTo("/hiresure")
	if len(s.written) != sent {
		t.Errorf("another code is sent: %v", s.written[sent:])
	}
	b.get("/account").is(http.StatusOK, "Meera Rao", "+91 98765 00007")
	check(t, s.store.View(t.Context(), func(tx store.Tx) error {
		kept, err := tx.Registration(r.ID)
		if err == nil && kept.AccountID == "" {
			t.Error("the enrolment is not the account's")
		}
		return err
	}))
}

func TestAfterTheCode(t *testing.T) {
	for _, row := range []struct{ sentence, typed, to, next, leads string }{
		{"a phone without an account leads to its ticket, or to the page that it has none", family, "+91" + family, "", "/hiresure"},
		{"a page that needs an account leads to the sign-up", family, "+91" + family, "/account", "/account/sign-up?next=%2Faccount"},
		{"the payment page that a mail leads to shows what the phone owes", family, "+91" + family, "/pay?scholarship_requested_id=x", "/pay?scholarship_requested_id=x"},
		{"a checkout opens for the phone that enrolled", family, "+91" + family, "/checkout/x", "/checkout/x"},
		{"a receipt opens for the phone that paid", family, "+91" + family, "/checkout/x/receipt", "/checkout/x/receipt"},
		{"an e-mail alone pays nothing", meera, meera, "/pay", "/account/sign-up?next=%2Fpay"},
		{"an e-mail without an account has no ticket", meera, meera, "", "/account/sign-up?next=%2Fhiresure"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			s.enrols(false)
			s.browser().signsIn(row.typed, row.to, row.next).leadsTo(row.leads)
		})
	}
}

func TestPaymentInAnotherBrowserBeginsWithTheNumber(t *testing.T) {
	b := newSite(t).browser()
	b.get("/account/sign-in?next=/pay").is(http.StatusOK, "Continue to pay", "Your enrolment is saved. It was started in another browser, so we send a code to your number first.", "Send code", "Not enrolled yet? Start here").without("Find your ticket and receipt")
	b.get("/account/sign-in?next=/payments").is(http.StatusOK, "Find your ticket and receipt").without("Continue to pay")
}

func TestEnrolmentIsShownOnlyToItsPhone(t *testing.T) {
	const nobody = "No account signs in with "
	for sentence, row := range map[string]struct {
		typed, to, shown string
		refunded, there  bool // there: Meera has enrolled in this browser
	}{
		"an e-mail may have been typed there by anybody": {typed: meera, to: meera, shown: meera + " yet."},
		"another phone, where she has enrolled":          {typed: phone, to: "+91" + phone, shown: spoke + " yet.", there: true},
		"her e-mail, where she has enrolled":             {typed: meera, to: meera, shown: meera + " yet.", there: true},
		"an enrolment that has ended is none":            {typed: family, to: "+91" + family, shown: "+91 98765 00007 yet.", refunded: true},
	} {
		t.Run(sentence, func(t *testing.T) {
			s := newSite(t)
			r, b := s.enrols(row.refunded), s.browser()
			if row.there {
				token, _, err := storetest.AddSession(t.Context(), s.store, s.clock.Now().AddDate(1, 0, 0), r.ID)
				check(t, err)
				home, _ := url.Parse(s.url)
				b.client.Jar.SetCookies(home, []*http.Cookie{{Name: "hiresure", Value: token}})
			}
			b.signsIn(row.typed, row.to, "/account").leadsTo("/account/sign-up?next=%2Faccount")
			b.get(b.location).is(http.StatusOK, nobody+row.shown, "Create your account").without("Meera Rao", here, "See your enrolment")
			if tells := strings.Contains(b.text(), "98765 00007"); tells != (row.typed == family) {
				t.Error("the number is told")
			}
			if says := strings.Contains(b.text(), "Have you enrolled or signed up? Use your mobile number. Sign in with my number New here? Create an account"); says != strings.Contains(row.to, "@") {
				t.Errorf("that an enrolment goes by its number is said: %v", says)
			}
		})
	}
}

// An enrolment by code in this browser fills in the form; the strip and its receipt need a sign-in by code.
func TestSignUpIsFilledInForThePhoneThatEnrolledHere(t *testing.T) {
	for sentence, row := range map[string]struct {
		verified string // phone
		want     []string
	}{
		"the phone of the enrolment": {family, []string{"fullname Meera Rao", "email " + meera, "phone_number 98765 00007"}},
		"another phone":              {phone, []string{"fullname ", "email ", "phone_number "}},
		"no phone":                   {"", []string{"fullname ", "email ", "phone_number "}},
	} {
		t.Run(sentence, func(t *testing.T) {
			s := newSite(t)
			r, b := s.enrols(false), s.browser()
			token, session, err := storetest.AddSession(t.Context(), s.store, s.clock.Now().AddDate(1, 0, 0), r.ID)
			check(t, err)
			if row.verified != "" {
				session.Proven = map[string]time.Time{string(access.ForPhone) + "+91" + row.verified: s.clock.Now()}
				check(t, s.store.Update(t.Context(), func(tx store.Tx) error { return tx.SaveSession(&session) }))
			}
			home, _ := url.Parse(s.url)
			b.client.Jar.SetCookies(home, []*http.Cookie{{Name: "hiresure", Value: token}})
			b.get("/account/sign-up").is(http.StatusOK, "Create your account", "Send code").without(here, "verified")
			if got := b.typed(); !slices.Equal(got, row.want) || strings.Contains(b.body, " readonly") {
				t.Errorf("filled in %q, want %q, none read-only", got, row.want)
			}
			b.post("/account/sign-up", "fullname", "A B", "email", email, "phone_number", phone).asks("/account/sign-in/code", spoke) // typed values win
		})
	}
}

func TestSignUpShowsThePaymentStatus(t *testing.T) {
	s := newSite(t)
	r, b := s.enrols(false), s.browser()
	b.signsIn(family, "+91"+family, "/account")
	b.get(b.location).is(http.StatusOK, here, "Not paid yet")
	tried := s.payment(r, payment.Pending)
	b.get("/account/sign-up").is(http.StatusOK, here, "Payment is still open").without("Not paid yet")
	for _, row := range []struct {
		state  payment.State
		stands string
	}{{payment.Expired, "Not paid yet"}, {payment.Failed, "Payment did not go through"}} {
		tried.State = row.state
		s.comesTo(r, tried)
		b.get("/account/sign-up").is(http.StatusOK, here, row.stands).without("Payment is still open")
	}
	s.clock.Pass(-time.Minute)
	older := s.payment(r, payment.Pending)
	b.get("/account/sign-up").is(http.StatusOK, here, "Payment did not go through").without("Payment is still open")
	older.State = payment.Failed
	s.comesTo(r, older)
	s.payment(r, payment.Review)
	b.get("/account/sign-up").is(http.StatusOK, here, "Payment is being checked", "You can continue without one.", "Something wrong? Call +91").without("Not paid yet", "stay enrolled", "Change what you typed")
	event, _ := businesstest.Events().EventBySlug(r.EventSlug)
	s.clock.Set(event.ClosesAt)
	later := s.browser()
	later.signsIn(family, "+91"+family, "/account")
	later.get(later.location).is(http.StatusOK, here, "Payment is being checked") // its address is unchanged
}

func TestAnEnrolmentThatClosedBeforeItWasPaidIsNone(t *testing.T) {
	s := newSite(t)
	s.enrols(false)
	event, _ := businesstest.Events().EventBySlug("hiresure-mgrow-2025")
	s.clock.Set(event.ClosesAt)
	b := s.browser()
	b.signsIn(family, "+91"+family, "/account")
	b.get(b.location).is(http.StatusOK, "No account signs in with +91 98765 00007 yet.", "Create your account").without("Meera Rao", here, "See your enrolment")
}

func TestHeldFormPassesThroughTheEnrolmentsSignUp(t *testing.T) {
	s := newSite(t)
	s.enrols(false)
	b := s.browser()
	b.posts("/account/name", url.Values{"fullname": {"Asha Devi"}, "owner": {"another"}}).is(http.StatusOK, "Sign in, or see your ticket")
	b.post("/account/sign-in", "identifier", family).is(http.StatusOK)
	b.post("/account/sign-in/code", "do", "verify", "otp", s.code("+91"+family)).is(http.StatusOK, here).without("See your enrolment", "See ticket")
	if !strings.Contains(b.body, `name="held.fullname" value="Asha Devi"`) {
		t.Error("what was typed is gone")
	}
}

func TestDoorTellsAPayerThatTheExamDoesNotNeedIt(t *testing.T) {
	s := newSite(t)
	r := s.enrols(false)
	made := s.payment(r, payment.Paid)
	r.PaidTxnID, r.Step, r.Ticket = made.ID, enrol.StepComplete, "HS26-4K7M-2"
	check(t, s.store.Update(t.Context(), func(tx store.Tx) error { return tx.SaveRegistration(&r) }))
	b := s.browser()
	b.signsIn(family, "+91"+family, "")
	b.get("/hiresure/verify").is(http.StatusOK, "Your exam on 14 March 2027 does not need it. You can try for both. The better result counts.", "An application needs a free account. You need no other code. Create my account").without("Sign in to start.")
	b.get("/account/sign-up?next=%2Fhiresure%2Fverify").is(http.StatusOK, "Sign up").without("Your enrolment is here", "See ticket and receipt")
	if got := b.typed(); len(got) == 0 || !strings.HasPrefix(got[0], "fullname Meera") {
		t.Errorf("filled in: %q", got)
	}

	byMail := s.browser()
	byMail.signsIn(email, email, "")
	byMail.get("/hiresure/verify").is(http.StatusOK, "Sign in to start.").without("You need no other code") // a phone is needed
}
