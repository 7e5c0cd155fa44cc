package site_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/cmd/site/gateways/gatewaystest"
	"hiresure/cmd/site/site"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestRefundAtTheSandboxReachesTheReceipt(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		r := openSite(t, "DATABASE_URL", databaseURL)
		if _, page := r.Fetch("/dev/payments"); !strings.Contains(page, "Nothing has been charged yet.") {
			t.Error("nothing has been charged, and the page lists something")
		}
		txn := r.Pay()
		if _, page := r.Fetch("/dev/outbox"); !strings.Contains(page, `href="/dev/payments"`) {
			t.Error("the outbox does not lead to the payments")
		}
		if _, page := r.Fetch("/dev/payments"); !strings.Contains(page, `<a href="/dev/payments/`+txn+`">₹1,499.00 charged</a>`) {
			t.Errorf("the payments do not list %s", txn)
		}
		_, page := r.Fetch("/dev/payments/" + txn)
		for _, part := range []string{"paid, ₹0.00 refunded of ₹1,499.00", "₹1,499.00 charged", ">Refund it at the provider</button>", ">Open a dispute</button>", "Its staff send back all that is left."} {
			if !strings.Contains(page, part) {
				t.Errorf("the payment's page lacks %s", part)
			}
		}
		if strings.Contains(page, "Done at the provider") {
			t.Error("something is done before a button was pressed")
		}

		status, location, _ := r.Happen(txn, "refunded")
		if want := "/dev/payments/" + txn + "?done=refunded"; status != http.StatusSeeOther || location != want {
			t.Errorf("the button answers %d %s, want %s", status, location, want)
		}
		if found, err := r.Site.Business.Payment.Find(t.Context(), txn); err != nil || found.Transaction.State != payment.Paid {
			t.Errorf("before the worker has asked it is %s, %v", found.Transaction.State, err)
		}
		r.Mail(r.Email) // runs the due jobs; the next call runs those that they add
		r.Mail(r.Email)
		if mails, _, err := r.Site.Store.OutboxPage(t.Context(), r.Email, "", 10); err != nil || !slices.ContainsFunc(mails, func(m store.OutboxMessage) bool { return strings.Contains(m.Body, "KSC/26-27/000001") }) {
			t.Errorf("no mail tells of the credit note: %v", err)
		}
		if _, page := r.Fetch(location); !strings.Contains(page, "Done at the provider: Refund it at the provider.") || !strings.Contains(page, "refunded, ₹1,499.00 refunded of ₹1,499.00") || !strings.Contains(page, "₹1,499.00 charged, ₹1,499.00 refunded") {
			t.Error("the page does not show what has happened")
		}
		_, receipt := r.Fetch("/checkout/" + txn + "/receipt")
		for _, part := range []string{"We refunded ₹1,499.00 on ", "21 Nov 2026, should arrive by 1 Dec 2026, credit note", "<span>KSC/26-27/000001</span>"} {
			if !strings.Contains(receipt, part) {
				t.Errorf("the receipt lacks %s", part)
			}
		}

		for _, what := range []string{"refunded", "dispute_won", "dispute_lost", "nonsense", ""} {
			if status, _, page := r.Happen(txn, what); status != http.StatusConflict || !strings.Contains(page, "That cannot happen to this payment as it stands.") {
				t.Errorf("%q of what is refunded answers %d", what, status)
			}
		}
		status, location, _ = r.Happen(txn, "bounced")
		r.Site.Business.Payment.Clock = func() time.Time { return r.Site.Clock().Add(time.Second) } // later than the refund
		r.Mail(r.Email)
		if _, page := r.Fetch(location); status != http.StatusSeeOther || !strings.Contains(page, "paid, ₹0.00 refunded of ₹1,499.00") {
			t.Errorf("a refund that bounces answers %d, and its payment is not paid again", status)
		}
		if status, _, _ := r.Happen(txn, "bounced"); status != http.StatusConflict {
			t.Errorf("a refund that bounces once more answers %d", status)
		}
		for _, unknown := range []string{"00000000000000000000000000", "nobody-knows"} {
			if status, _, _ := r.Happen(unknown, "refunded"); status != http.StatusNotFound {
				t.Errorf("a button of %s answers %d", unknown, status)
			}
		}
	})
}

func TestSandboxButtonsRejectOtherSites(t *testing.T) {
	r := openSite(t)
	paid := r.Pay()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Base+"/dev/payments/"+paid, strings.NewReader("what=refunded"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	answer, err := r.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a post from another site answers %d", answer.StatusCode)
	}
	if _, page := r.Fetch("/dev/payments/" + paid); strings.Contains(page, "charged, ₹") {
		t.Error("another site has pressed a button")
	}
}

// A charge that changed on several days is shown once. Unpaid orders have no buttons.
func TestSandboxChargeIsListedOnce(t *testing.T) {
	d := &drill{t: t, bank: &gatewaystest.Bank{Orders: map[string]method.Status{}}, url: storetest.SQLite(t), now: drillNow}
	s := d.site("GATEWAYS", "sandbox")
	p := d.enrolled(s, "9876543210")
	txn := strings.TrimPrefix(p.answer.Get("Location"), "/checkout/")
	const button = "Refund it at the provider</button>"
	if p.get("/dev/payments/" + txn).answers(http.StatusOK).shows("Nothing is charged at the sandbox, so nothing can happen to it. Pay first."); strings.Contains(p.page, button) {
		t.Error("what was not paid has buttons")
	}
	entry, _ := s.Business.Payment.Gateways.Find("sandbox")
	played := entry.Gateway.(*sandbox.Gateway)
	p.send(http.MethodPost, "/checkout/"+txn+"/return", "application/x-www-form-urlencoded", played.Press(txn, sandbox.Paid).Encode()).answers(http.StatusSeeOther)
	d.now = d.now.AddDate(0, 0, 3)
	if err := played.Apply(t.Context(), txn, sandbox.PartRefundedThere); err != nil {
		t.Fatal(err)
	}
	if p.get("/dev/payments/" + txn).answers(http.StatusOK).shows(button); strings.Count(p.page, "₹1,499.00 charged, ₹149.90 refunded") != 1 {
		t.Errorf("the charge stands %d times", strings.Count(p.page, "charged, "))
	}
	d.now = d.now.AddDate(0, 0, site.SandboxDays)
	if p.get("/dev/payments").answers(http.StatusOK).shows("Nothing has been charged yet."); strings.Contains(p.page, txn) {
		t.Error("what moved long ago is still listed")
	}
}

func TestNoSandboxNoButtons(t *testing.T) {
	d := &drill{t: t, bank: &gatewaystest.Bank{Orders: map[string]method.Status{}}, url: storetest.SQLite(t), now: drillNow}
	s := d.site(with(gold, "GATEWAYS", "goldbars")...)
	p := newPerson(t, s, nil)
	if p.get("/dev/outbox").answers(http.StatusOK); strings.Contains(p.page, "/dev/payments") {
		t.Error("the outbox leads to a page that is not there")
	}
	if p.get("/dev/payments"); p.status == http.StatusOK {
		t.Error("there is a page without a sandbox")
	}
}
