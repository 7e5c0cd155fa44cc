package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment/method"
	"hiresure/api"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

const (
	feePath        = "/v2scholarship/v2/initiate-payment"
	feeOutcomePath = "/v2scholarship/v2/verify-payment"
)

// applicant signs in with a bearer token to a new account whose application is at a step, and returns the application's id.
func (b *browser) applicant(step enrol.Step) string {
	b.t.Helper()
	return b.applies(phone, email, step)
}

func (b *browser) applies(phone, email string, step enrol.Step) string {
	b.t.Helper()
	client := b.site.client()
	asked := client.post(loginCodePath, newAccountRequest(object{"mobile_number": phone, "email": email, "captcha_token": "good " + phone}))
	got := client.post(loginTokenPath, object{"request_id": asked.text("request_id"), "otp": b.code(phone)})
	want(b.t, got, http.StatusOK, "You are signed in.")
	b.headers = client.as(holds(got).access).headers
	now := b.clock.Now()
	r := enrol.Registration{
		ID: admission.NewID(), EventSlug: enrol.ApplicationCode, EventCode: enrol.ApplicationCode, AccountID: b.accountOf(holds(got)), FullName: "Asha Rao", Email: email, Phone: "+91" + phone,
		StateCode: "29", Adult: true, Step: step, CreatedAt: now, ModifiedAt: now, TermsAt: now,
	}
	b.site.update(func(tx store.Tx) error { return tx.AddRegistration(&r) })
	return r.ID
}

func withSupplier(n *business.Config, _ *api.Config) {
	n.Supplier = func(time.Time) *invoice.Supplier { return businesstest.Supplier() }
}

func TestAnApplicationIsPaidOverTheCalls(t *testing.T) { storetest.EachURL(t, onAnApplicationIsPaid) }

func onAnApplicationIsPaid(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL, withSupplier)
	b := s.client()
	id := b.applicant(enrol.StepAgreed)
	started := b.post(feePath, object{"scholarship_requested_id": id, "redirection_url": baseURL + "/hiresure/payment"})
	want(t, started, http.StatusOK, "Payment started.")
	txn := started.text("transactionResponse", "payment_transaction_id")
	for name, want := range map[string]string{"amount": "2500", "currency": "INR", "redirectUrl": "/hiresure/payment", "pe_txnId": txn, "txId": txn} {
		if got := started.text("transactionResponse", name); strings.TrimPrefix(got, baseURL) != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := started.text("transactionResponse", "checkout_url"); !regexp.MustCompile(`^/checkout/` + txn + `\?key=[0-9a-z]+-[0-9a-f]{64}$`).MatchString(got) {
		t.Errorf("checkout_url is %q, want one with a key", got)
	}
	again := b.post(feePath, object{"scholarship_requested_id": id})
	if got := again.text("transactionResponse", "payment_transaction_id"); got != txn {
		t.Errorf("started again: %q, want %q", got, txn)
	}
	ask := object{"payment_transaction_id": txn, "scholarship_requested_id": id}
	outcome := func(want string) {
		t.Helper()
		got := b.post(feeOutcomePath, ask)
		if got.status != http.StatusOK || got.text("payment_status") != want || got.text("isOk") != "true" {
			t.Errorf("outcome %d %s, want %s", got.status, got.raw, want)
		}
	}
	outcome("PAYMENT_PENDING")
	if got := (reply{body: b.get(ownPath).records()[0]}).text("actions", "payNow"); got != "/hiresure/payment" {
		t.Errorf("payNow %q", got)
	}
	complete := func(txn string, how sandbox.Outcome) {
		t.Helper()
		if _, err := s.services.Payment.Complete(t.Context(), txn, method.Return{Form: s.gateway.Press(txn, how)}); err != nil {
			t.Fatal(err)
		}
	}
	complete(txn, sandbox.Failed)
	outcome("FAILED")
	txn = b.post(feePath, object{"scholarship_requested_id": id}).text("transactionResponse", "payment_transaction_id")
	ask["payment_transaction_id"] = txn
	complete(txn, sandbox.Paid)
	outcome("PAYMENT_PAID")
	outcome("PAYMENT_PAID")
	paid := reply{body: b.get(ownPath).records()[0]}
	for name, want := range map[string]string{"profile_step": "6", "profile_status": "Documents Pending", "payment_paid": "2500", "program_name": "HireSure Scholarship"} {
		if got := paid.text(name); got != want {
			t.Errorf("paid: %s is %q, want %q", name, got, want)
		}
	}
	want(t, b.post(feePath, object{"scholarship_requested_id": id}), http.StatusConflict, enrol.AlreadyPaid)
}

func TestAnApplicationIsPaidAtItsStepsAlone(t *testing.T) {
	for step, want := range map[enrol.Step]int{
		enrol.StepVerified: 409, enrol.StepPersonal: 409, enrol.StepAcademic: 409, enrol.StepScholarship: 409, enrol.StepAgreed: 200, enrol.StepPaying: 200, enrol.StepUnpaid: 200,
	} {
		s := newSite(t)
		b := s.client()
		id := b.applicant(step)
		got := b.post(feePath, object{"scholarship_requested_id": id})
		if got.status != want || want == 409 && got.message() != "Please complete the form and agree to the terms first." {
			t.Errorf("step %d: %d %q, want %d", step, got.status, got.message(), want)
		}
	}
}

func TestFeeCallsNeedTheOwner(t *testing.T) {
	s := newSite(t)
	owner, other := s.client(), s.client()
	id := owner.applicant(enrol.StepAgreed)
	others := other.applies("9123456789", "ravi@example.com", enrol.StepAgreed)
	txn := owner.post(feePath, object{"scholarship_requested_id": id}).text("transactionResponse", "txId")
	s.clock.Pass(61 * time.Second)
	enrolled := s.browser().proves("9123456780", "third@example.com").enrols(object{"email": "third@example.com", "phone_number": "9123456780"})
	for _, row := range []struct {
		sentence string
		who      *browser
		path     string
		body     object
		status   int
		logged   string // id logged as another visitor's; "" for none
	}{
		{"another's application", other, feePath, object{"scholarship_requested_id": id}, 404, id},
		{"an enrolment of nobody's", owner, feePath, object{"scholarship_requested_id": enrolled}, 404, enrolled},
		{"what is no id", owner, feePath, object{"scholarship_requested_id": ".."}, 404, ""},
		{"nothing is named", owner, feePath, object{}, 404, ""},
		{"an address of another site", owner, feePath, object{"scholarship_requested_id": id, "redirection_url": "https://evil.example/"}, 422, ""},
		{"an unknown method", owner, feePath, object{"scholarship_requested_id": id, "gateway": "wallet"}, 422, ""},
		{"another's payment", other, feeOutcomePath, object{"payment_transaction_id": txn, "scholarship_requested_id": id}, 404, id},
		{"another's payment of the own application", other, feeOutcomePath, object{"payment_transaction_id": txn, "scholarship_requested_id": others}, 404, txn},
		{"a payment that nobody has", owner, feeOutcomePath, object{"payment_transaction_id": admission.NewID(), "scholarship_requested_id": id}, 404, ""},
		{"no payment", owner, feeOutcomePath, object{"scholarship_requested_id": id}, 404, ""},
		{"no registration", owner, feeOutcomePath, object{"payment_transaction_id": txn}, 404, ""},
	} {
		before := len(s.logs.String())
		if got := row.who.post(row.path, row.body); got.status != row.status {
			t.Errorf("%s: %d %q, want %d", row.sentence, got.status, got.message(), row.status)
		}
		log := s.logs.String()[before:]
		if strings.Contains(log, "access to another visitor's record denied") != (row.logged != "") || row.logged != "" && !strings.Contains(log, `"id":"`+row.logged[:8]) {
			t.Errorf("%s: want %q in the log: %s", row.sentence, row.logged, log)
		}
	}
	for _, path := range []string{feePath, feeOutcomePath} {
		wantSignedOut(t, path, s.client().post(path, object{"scholarship_requested_id": id, "payment_transaction_id": txn}))
	}

	key := owner.with("Idempotency-Key", "one")
	first, second := key.post(feePath, object{"scholarship_requested_id": id}), key.post(feePath, object{"scholarship_requested_id": id})
	if first.status != http.StatusOK || string(first.raw) != string(second.raw) {
		t.Errorf("with a key: %s, then %s", first.raw, second.raw)
	}
}

func TestAnApplicantPaysByCookieToo(t *testing.T) {
	s := newSite(t)
	b := proven(s.browser()).opensAccount(phone, email)
	now := s.clock.Now()
	r := enrol.Registration{
		ID: admission.NewID(), EventSlug: enrol.ApplicationCode, EventCode: enrol.ApplicationCode, AccountID: b.cookieSession().AccountID, FullName: "Asha Rao", Email: email, Phone: "+91" + phone,
		StateCode: "29", Adult: true, Step: enrol.StepAgreed, CreatedAt: now, ModifiedAt: now, TermsAt: now,
	}
	s.update(func(tx store.Tx) error { return tx.AddRegistration(&r) })
	want(t, b.post(feePath, object{"scholarship_requested_id": r.ID}), http.StatusOK, "Payment started.")
}
