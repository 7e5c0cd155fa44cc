package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/invoice"
	"hiresure/admission/payment/method"
	"hiresure/api"
	"hiresure/integrations/payment/sandbox"
)

const ownPath = "/v2scholarship/v1/my-registration"

// signsUp creates an account with the browser's verified phone and signs in.
func (b *browser) opensAccount(phone, email string) *browser {
	b.t.Helper()
	b.clock.Pass(61 * time.Second)
	v := func() admission.Visitor {
		session, err := b.services.Access.FindSession(b.t.Context(), b.cookies["__Host-hiresure"])
		if err != nil || session == nil {
			b.t.Fatal("no session", err)
		}
		return admission.Visitor{SessionID: session.ID, IP: "198.51.100.7", UserAgent: "test"}
	}
	in := map[string]string{"fullname": "Asha Meera Verma", "email": email, "phone_number": phone}
	sent, _, err := b.services.Account.RequestCode(b.t.Context(), v(), phone)
	if err != nil {
		b.t.Fatal(err)
	}
	proof, err := b.services.Account.SignIn(b.t.Context(), v(), sent.RequestID, b.code(phone))
	if err != nil {
		b.t.Fatal(err)
	}
	b.cookies["__Host-hiresure"] = proof.Token
	done, _, err := b.services.Account.SignUp(b.t.Context(), v(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	b.cookies["__Host-hiresure"] = done.Token
	return b
}

// records returns the records of a list.
func (r reply) records() (all []object) {
	list, _ := r.body["scholarshipRegistrationData"].([]any)
	for _, record := range list {
		all = append(all, record.(map[string]any))
	}
	return all
}

func TestListRegistrations(t *testing.T) {
	s := newSite(t, func(n *business.Config, _ *api.Config) {
		n.Supplier = func(time.Time) *invoice.Supplier { return businesstest.Supplier() }
	})
	b := proven(s.browser())
	id := b.enrols(object{"company_name": "R.V. College"})
	if got := b.get(ownPath); got.status != http.StatusUnauthorized || got.message() != "Something went wrong, Please login" {
		t.Errorf("who is not signed in: %d %q", got.status, got.message())
	}
	b.opensAccount(phone, email)
	for name, want := range map[string]string{
		"scholarship_requested_id": id, "program_name": "HireSure mGrow Scholarship", "profile_status": "Number Verified", "profile_step": "0",
		"email": email, "country_code": "+91", "mobile_number": phone, "state": "Karnataka", "institution_name": "R.V. College", "agreed_terms_conditions": "Yes",
		"received_other_scholarship": "", "gender": "", "payment_paid": "", "igst": "", "transaction_id": "", "payment_mode": "",
	} {
		if got := (reply{body: b.get(ownPath).records()[0]}).text(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, has := b.get(ownPath).records()[0]["actions"]; has {
		t.Error("there is something to pay or to download before anything was tried")
	}

	txn := b.starts(id).text("transactionResponse", "payment_transaction_id")
	open := reply{body: b.get(ownPath).records()[0]}
	if open.text("profile_status") != "Payment Initiated" || open.text("transaction_id") != txn || open.text("actions", "payNow") != "/pay?scholarship_requested_id="+id || open.text("payment_paid") != "" {
		t.Errorf("open: %v", open.body)
	}
	if _, err := s.services.Payment.Complete(t.Context(), txn, method.Return{Form: s.gateway.Press(txn, sandbox.Paid)}); err != nil {
		t.Fatal(err)
	}
	paid := reply{body: b.get(ownPath + "?scholarship_requested_id=" + id).records()[0]}
	for name, want := range map[string]string{
		"profile_status": "Completed", "profile_step": "8", "payment_paid": "1499", "amount_before_tax": "1270.34", "igst": "0", "cgst": "114.33", "sgst": "114.33",
	} {
		if got := paid.text(name); got != want {
			t.Errorf("paid: %s is %q, want %q", name, got, want)
		}
	}
	if paid.text("actions", "download") != "/checkout/"+txn+"/papers/invoice.pdf" || paid.text("actions", "payNow") != "" || paid.text("payment_mode") == "" {
		t.Errorf("paid: %v", paid.body)
	}
}

func TestListRegistrationsByPage(t *testing.T) {
	s := newSite(t)
	owner := proven(s.browser())
	id := owner.enrols(nil)
	owner.opensAccount(phone, email)
	other := s.browser().proves("9123456789", "ravi@example.com").opensAccount("9123456789", "ravi@example.com")
	for _, row := range []struct {
		sentence string
		who      *browser
		query    string
		status   int
		found    int
		errors   string // field at fault
	}{
		{"all", owner, "", 200, 1, ""},
		{"the first page", owner, "?limit=1&page=1", 200, 1, ""},
		{"the page behind the last", owner, "?limit=1&page=2", 200, 0, ""},
		{"no page", owner, "?page=0", 422, 0, "page"},
		{"a page that is none", owner, "?page=one", 422, 0, "page"},
		{"more than one may ask for", owner, "?limit=101", 422, 0, "limit"},
		{"the own one", owner, "?scholarship_requested_id=" + id, 200, 1, ""},
		{"another's", other, "?scholarship_requested_id=" + id, 404, 0, ""},
		{"one that nobody has", owner, "?scholarship_requested_id=" + strings.Repeat("0", len(id)), 404, 0, ""},
		{"what is no id", owner, "?scholarship_requested_id=..", 404, 0, ""},
		{"none is named", owner, "?scholarship_requested_id=", 404, 0, ""},
		{"who has nothing", other, "", 200, 0, ""},
	} {
		got := row.who.get(ownPath + row.query)
		if got.status != row.status || len(got.records()) != row.found || (got.errors()[row.errors] == "") != (row.errors == "") {
			t.Errorf("%s: %d with %d records, %s", row.sentence, got.status, len(got.records()), got.raw)
		}
	}
	if logged := s.logs.String(); strings.Count(logged, "access to another visitor's record denied") != 2 {
		t.Errorf("who asked for what is another's, or nobody's, is logged otherwise than twice: %s", logged)
	}
}
