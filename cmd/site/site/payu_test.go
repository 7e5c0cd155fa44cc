package site_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment"
	"hiresure/cmd/site/site"
	"hiresure/simulators"
)

// openPayU opens a site with a simulated PayU.
func openPayU(d *drill) (s *site.Site, there *simulators.PayU) {
	there = simulators.NewPayU(simulators.KeysPayU{Key: "TESTKEY1", Salt: "TESTSALT1", Clock: func() time.Time { return d.now }})
	server := httptest.NewServer(there)
	d.t.Cleanup(server.Close)
	return d.site("GATEWAYS", "payu", "PAYU_KEY", "TESTKEY1", "PAYU_SALT", "TESTSALT1", "PAYU_BASE_URL", server.URL, "PAYU_FORM_URL", server.URL+"/_payment"), there
}

var (
	formTag  = regexp.MustCompile(`<form[^>]* method="post" action="([^"]+)"`)
	inputTag = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
)

// submit posts the form of a page like a browser without scripts.
func submit(t *testing.T, page, at string, more url.Values) (answer string) {
	t.Helper()
	action, fields := formOn(page)
	for name, values := range more {
		fields[name] = values
	}
	response, err := http.PostForm(at+action, fields)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v", response.StatusCode, body, err)
	}
	return string(body)
}

// formOn returns the first form of a page.
func formOn(page string) (action string, fields url.Values) {
	_, page, _ = strings.Cut(page, `<form`)
	page, _, _ = strings.Cut(page, `</form>`)
	fields = url.Values{}
	for _, input := range inputTag.FindAllStringSubmatch(page, -1) {
		fields.Add(html.UnescapeString(input[1]), html.UnescapeString(input[2]))
	}
	return html.UnescapeString(formTag.FindStringSubmatch("<form" + page)[1]), fields
}

func TestPayUWithoutScripts(t *testing.T) {
	for outcome, want := range map[string]struct {
		state payment.State
		shown string
	}{
		"pay":     {payment.Paid, "Congratulations! Your registration has been successfully submitted."},
		"decline": {payment.Failed, "Transaction failed!"},
		"leave":   {payment.Failed, "Transaction failed!"},
		"wait":    {payment.Pending, "Transaction in pending!"},
	} {
		t.Run(outcome, func(t *testing.T) {
			eachDrill(t, func(d *drill) {
				s, there := openPayU(d)
				p := d.enrolled(s, "9876543210")
				txn := strings.TrimPrefix(p.answer.Get("Location"), "/checkout/")
				p.get("/checkout/"+txn).answers(http.StatusOK).shows("Go to the payment page", "Card and UPI details go to PayU, never to us. The payee there is Aksharam Skill Academy Private Limited. This payment stays open until ", `"provider":{"details":{"initiateTransaction":{`)
				_, page, _ := strings.Cut(p.page, "payment-buttons")
				action, _ := formOn(page)
				at := strings.TrimSuffix(action, "/_payment")
				if !strings.Contains(p.policy(), "form-action 'self' https://secure.payu.in https://api.payu.in https://test.payu.in https://apitest.payu.in "+at+";") {
					d.t.Errorf("the policy is %s", p.policy())
				}
				chosen := submit(d.t, page, "", nil)
				back, fields := formOn(submit(d.t, chosen, at, url.Values{"outcome": {outcome}}))
				if back != s.Config.BaseURL+"/checkout/"+txn+"/return" {
					d.t.Fatalf("PayU leads back to %s", back)
				}
				forged := url.Values{}
				for name, values := range fields {
					forged[name] = values
				}
				forged.Set("status", "success")
				forged.Set("amount", "1.00")
				const form = "application/x-www-form-urlencoded"
				if w := postFromProvider(s, strings.TrimPrefix(back, s.Config.BaseURL), form, forged.Encode()); w.Code != http.StatusSeeOther || d.state(s, txn) != payment.Pending {
					d.t.Errorf("a forged return: %d, %s", w.Code, d.state(s, txn))
				}
				w := postFromProvider(s, strings.TrimPrefix(back, s.Config.BaseURL), form, fields.Encode())
				if to := "/success?txId=" + txn; w.Code != http.StatusSeeOther || w.Header().Get("Location") != to || d.state(s, txn) != want.state {
					d.t.Errorf("the return: %d %s, want %s; %s, want %s", w.Code, w.Header().Get("Location"), to, d.state(s, txn), want.state)
				}
				p.get(w.Header().Get("Location")).answers(http.StatusOK).shows(want.shown)
				if taken := there.Captured("INR"); (taken == 149900) != (want.state == payment.Paid) {
					d.t.Errorf("PayU has taken %d", taken)
				}
			})
		})
	}
}

// The browser does not return: the webhook settles the payment, and so does polling without it.
func TestPayUWithoutReturn(t *testing.T) {
	eachDrill(t, func(d *drill) {
		s, there := openPayU(d)
		heard, polled := d.enrolled(s, "9876543210"), d.enrolled(s, "9876543211")
		pay := func(p *person) (txn string) {
			txn = strings.TrimPrefix(p.answer.Get("Location"), "/checkout/")
			p.get("/checkout/" + txn)
			_, page, _ := strings.Cut(p.page, "payment-buttons")
			_, fields := formOn(page)
			submit(d.t, page, "", nil)
			there.Pay(fields.Get("txnid"))
			return txn
		}
		toHear, toPoll := pay(heard), pay(polled)
		sent := there.Events()[0]
		for range 2 {
			if w := postFromProvider(s, "/payments/webhook/payu", sent.Header.Get("Content-Type"), string(sent.Body)); w.Code != http.StatusOK {
				d.t.Errorf("a webhook: %d %s", w.Code, w.Body)
			}
		}
		if w := postFromProvider(s, "/payments/webhook/payu", sent.Header.Get("Content-Type"), strings.Replace(string(sent.Body), "status=success", "status=failure", 1)); w.Code != http.StatusBadRequest {
			d.t.Errorf("a forged webhook: %d", w.Code)
		}
		if d.work(s); d.state(s, toHear) != payment.Paid || d.state(s, toPoll) != payment.Pending {
			d.t.Errorf("heard %s, not heard %s", d.state(s, toHear), d.state(s, toPoll))
		}
		d.now = d.now.Add(31 * time.Second)
		if d.work(s); d.state(s, toPoll) != payment.Paid || len(d.alerts) != 0 {
			d.t.Errorf("polled %s, alerts %v", d.state(s, toPoll), d.alerts)
		}
		differences, err := s.Business.Payment.Reconcile(d.t.Context(), d.now, d.now.AddDate(0, 0, 1))
		if err != nil || len(differences) != 0 {
			d.t.Errorf("reconciled: %v, %v", differences, err)
		}
	})
}
