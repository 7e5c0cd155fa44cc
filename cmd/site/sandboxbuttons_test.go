package main

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
	"hiresure/pages/dev"
	"hiresure/store/storetest"
)

// pays enrols, pays at the sandbox and returns the payment's id.
func (r *reader) pays() (txn string) {
	r.t.Helper()
	_, answer := r.enrols("Data_Analytics")
	id := regexp.MustCompile(`"scholarship_requested_id":"([^"]+)"`).FindStringSubmatch(answer)
	if id == nil {
		r.t.Fatalf("not enrolled: %s", answer)
	}
	_, started := r.call("/payments/v1/initiate-payment", map[string]any{"scholarship_requested_id": id[1], "redirection_url": "/success"})
	txn = regexp.MustCompile(`"payment_transaction_id":"([^"]+)"`).FindStringSubmatch(started)[1]
	if err := r.Press(txn, "paid"); err != nil {
		r.t.Fatal(err)
	}
	return txn
}

// happens presses a button of the developers' page.
func (r *reader) happens(txn, what string) (status int, location, body string) {
	r.t.Helper()
	stay := *r.Client
	stay.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := stay.PostForm(r.Base+"/dev/payments/"+txn, url.Values{"what": {what}})
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Location"), string(text)
}

func TestRefundAtTheSandboxReachesTheReceipt(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		r := openSite(t, "DATABASE_URL", databaseURL)
		if _, page := r.fetch("/dev/payments"); !strings.Contains(page, "Nothing has been charged yet.") {
			t.Error("nothing has been charged, and the page lists something")
		}
		txn := r.pays()
		if _, page := r.fetch("/dev/outbox"); !strings.Contains(page, `href="/dev/payments"`) {
			t.Error("the outbox does not lead to the payments")
		}
		if _, page := r.fetch("/dev/payments"); !strings.Contains(page, `<a href="/dev/payments/`+txn+`">₹1,499.00 charged</a>`) {
			t.Errorf("the payments do not list %s", txn)
		}
		_, page := r.fetch("/dev/payments/" + txn)
		for _, part := range []string{"paid, ₹0.00 refunded of ₹1,499.00", "₹1,499.00 charged", ">Refund it at the provider</button>", ">Open a dispute</button>", "Its staff send back all that is left."} {
			if !strings.Contains(page, part) {
				t.Errorf("the payment's page lacks %s", part)
			}
		}
		if strings.Contains(page, "Done at the provider") {
			t.Error("something is done before a button was pressed")
		}

		status, location, _ := r.happens(txn, "refunded")
		if want := "/dev/payments/" + txn + "?done=refunded"; status != http.StatusSeeOther || location != want {
			t.Errorf("the button answers %d %s, want %s", status, location, want)
		}
		if found, err := r.site.business.Payment.Find(t.Context(), txn); err != nil || found.Transaction.State != payment.Paid {
			t.Errorf("before the worker has asked it is %s, %v", found.Transaction.State, err)
		}
		r.mail(r.Email) // runs the due jobs; the next call runs those that they add
		r.mail(r.Email)
		if mails, _, err := r.site.outboxPage(t.Context(), r.Email, "", 10); err != nil || !slices.ContainsFunc(mails, func(m dev.Message) bool { return strings.Contains(m.Body, "KSC/26-27/000001") }) {
			t.Errorf("no mail tells of the credit note: %v", err)
		}
		if _, page := r.fetch(location); !strings.Contains(page, "Done at the provider: Refund it at the provider.") || !strings.Contains(page, "refunded, ₹1,499.00 refunded of ₹1,499.00") || !strings.Contains(page, "₹1,499.00 charged, ₹1,499.00 gone back") {
			t.Error("the page does not show what has happened")
		}
		_, receipt := r.fetch("/checkout/" + txn + "/receipt")
		for _, part := range []string{"₹1,499.00 was sent back on 21 Nov 2026", "21 Nov 2026, credit note", "<span>KSC/26-27/000001</span>"} {
			if !strings.Contains(receipt, part) {
				t.Errorf("the receipt lacks %s", part)
			}
		}

		for _, what := range []string{"refunded", "dispute_won", "dispute_lost", "nonsense", ""} {
			if status, _, page := r.happens(txn, what); status != http.StatusConflict || !strings.Contains(page, "That cannot happen to this payment as it stands.") {
				t.Errorf("%q of what is refunded answers %d", what, status)
			}
		}
		status, location, _ = r.happens(txn, "bounced")
		r.site.business.Payment.Clock = func() time.Time { return r.site.clock().Add(time.Second) } // later than the refund
		r.mail(r.Email)
		if _, page := r.fetch(location); status != http.StatusSeeOther || !strings.Contains(page, "paid, ₹0.00 refunded of ₹1,499.00") {
			t.Errorf("a refund that bounces answers %d, and its payment is not paid again", status)
		}
		if status, _, _ := r.happens(txn, "bounced"); status != http.StatusConflict {
			t.Errorf("a refund that bounces once more answers %d", status)
		}
		for _, unknown := range []string{"00000000000000000000000000", "nobody-knows"} {
			if status, _, _ := r.happens(unknown, "refunded"); status != http.StatusNotFound {
				t.Errorf("a button of %s answers %d", unknown, status)
			}
		}
	})
}

func TestSandboxButtonsRejectOtherSites(t *testing.T) {
	r := openSite(t)
	paid := r.pays()
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
	if _, page := r.fetch("/dev/payments/" + paid); strings.Contains(page, "gone back") {
		t.Error("another site has pressed a button")
	}
}

// A charge that changed on several days is shown once. Unpaid orders have no buttons.
func TestSandboxChargeIsListedOnce(t *testing.T) {
	d := &drill{t: t, bank: &bank{orders: map[string]method.Status{}}, url: storetest.SQLite(t), now: drillNow}
	s := d.site("GATEWAYS", "sandbox")
	p := d.enrolled(s, "9876543210")
	txn := strings.TrimPrefix(p.answer.Get("Location"), "/checkout/")
	const button = "Refund it at the provider</button>"
	if p.get("/dev/payments/" + txn).answers(http.StatusOK).shows("Nothing is charged at the sandbox, so nothing can happen to it. Pay first."); strings.Contains(p.page, button) {
		t.Error("what was not paid has buttons")
	}
	entry, _ := s.business.Payment.Gateways.Find("sandbox")
	played := entry.Gateway.(*sandbox.Gateway)
	p.send(http.MethodPost, "/checkout/"+txn+"/return", "application/x-www-form-urlencoded", played.Press(txn, sandbox.Paid).Encode()).answers(http.StatusSeeOther)
	d.now = d.now.AddDate(0, 0, 3)
	if err := played.Apply(t.Context(), txn, sandbox.PartRefundedThere); err != nil {
		t.Fatal(err)
	}
	if p.get("/dev/payments/" + txn).answers(http.StatusOK).shows(button); strings.Count(p.page, "₹1,499.00 charged, ₹149.90 gone back") != 1 {
		t.Errorf("the charge stands %d times", strings.Count(p.page, "charged, "))
	}
	d.now = d.now.AddDate(0, 0, sandboxDays)
	if p.get("/dev/payments").answers(http.StatusOK).shows("Nothing has been charged yet."); strings.Contains(p.page, txn) {
		t.Error("what moved long ago is still listed")
	}
}

func TestNoSandboxNoButtons(t *testing.T) {
	d := &drill{t: t, bank: &bank{orders: map[string]method.Status{}}, url: storetest.SQLite(t), now: drillNow}
	s := d.site(with(gold, "GATEWAYS", "goldbars")...)
	p := s.person(t, nil)
	if p.get("/dev/outbox").answers(http.StatusOK); strings.Contains(p.page, "/dev/payments") {
		t.Error("the outbox leads to a page that is not there")
	}
	if p.get("/dev/payments"); p.status == http.StatusOK {
		t.Error("there is a page without a sandbox")
	}
}
