package checkout_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// methods are three methods: the sandbox, and two that need scripts, the last one UPI. silent are those that do not respond.
func methods(silent *[]string) setting {
	return func(s *site, n *business.Config) {
		for _, name := range []string{"cards", "apps"} {
			entry := s.sandbox(name, []string{"INR"}).Entry()
			entry.Label, entry.Note, entry.Forms, entry.UPI, entry.PlayMoney = strings.ToUpper(name[:1])+name[1:], "Note of "+name+".", nil, name == "apps", false
			entry.Icon = map[string]method.Icon{"cards": method.IconCard, "apps": method.IconUPI}[name]
			n.Gateways = append(n.Gateways, entry)
		}
		for i, entry := range n.Gateways {
			n.Gateways[i].Available = func() bool { return !slices.Contains(*silent, entry.Name) }
		}
	}
}

var radio = regexp.MustCompile(`<input type="radio" name="gateway" value="(\w+)"( checked)?( disabled)?>`)

// choices returns the methods of a page in order: + for the chosen one, - for disabled ones.
func (a answer) choices() string {
	var found []string
	for _, m := range radio.FindAllStringSubmatch(a.body, -1) {
		name := m[1]
		if m[2] != "" {
			name += "+"
		}
		if m[3] != "" {
			name += "-"
		}
		found = append(found, name)
	}
	return strings.Join(found, " ")
}

const (
	android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
	iPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
	desktop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
)

// as sends requests as a kind of browser.
type as struct {
	agent string
	http.RoundTripper
}

func (a as) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", a.agent)
	return a.RoundTripper.RoundTrip(r)
}

func TestTheVisitorChoosesHowToPay(t *testing.T) {
	for _, c := range []struct {
		sentence, agent, phone string
		failed                 sandbox.Outcome // of the sandbox, before
		silent                 []string
		want                   string
	}{
		{"in the order of the configuration", desktop, "", "", nil, "sandbox+ cards apps"},
		{"UPI first on an Indian phone", android, "", "", nil, "apps+ sandbox cards"},
		{"of either kind", iPhone, "", "", nil, "apps+ sandbox cards"},
		{"not with a number from elsewhere", android, "+447700900123", "", nil, "sandbox+ cards apps"},
		{"what failed is not chosen", desktop, "", sandbox.Failed, nil, "sandbox cards+ apps"},
		{"what does not answer can not be", desktop, "", "", []string{"sandbox"}, "cards+ apps sandbox-"},
		{"on a phone either", android, "", "", []string{"apps"}, "sandbox+ cards apps-"},
		{"what failed, where nothing else answers", desktop, "", sandbox.Failed, []string{"cards", "apps"}, "sandbox+ cards- apps-"},
		{"nothing, where nobody answers", desktop, "", "", []string{"sandbox", "cards", "apps"}, ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			var silent []string
			s := newSite(t, methods(&silent))
			b := s.enrolled(func(r *enrol.Registration) {
				if c.phone != "" {
					r.Phone = c.phone
				}
			})
			b.client.Transport = as{c.agent, http.DefaultTransport}
			if c.failed != "" {
				b.press(b.start(), c.failed)
			}
			silent = c.silent
			page := b.get("/pay").is(http.StatusOK)
			if got := page.choices(); got != c.want {
				t.Errorf("%q, want %q in %s", got, c.want, page.text())
			}
		})
	}
}

func TestEachMethodShowsWhatItTakes(t *testing.T) {
	s := newSite(t, methods(new([]string)))
	b := s.enrolled(nil)
	b.start()
	b.get("/pay").is(http.StatusOK, "Continue to pay", "Note of cards. This way to pay needs JavaScript. Apps")
	b.changes(func(r *enrol.Registration) { r.CouponCode = "MGROW500" })
	b.get("/pay").is(http.StatusOK, "₹1,499 Cards Note of cards. This way to pay needs JavaScript. ₹999 Apps", "To use it, start a new payment when this one ends, or choose another way to pay.")
	b.changes(func(r *enrol.Registration) { r.CouponCode = "FULLSEAT" })
	b.get("/pay").is(http.StatusOK, "One step is left", "Complete my registration", "Nothing is charged.").holds(`name="gateway" value="cards"`).without("Continue to pay", "₹1,499 Cards", "This payment stays open")
	b.post("/pay", url.Values{"scholarship_requested_id": {b.registration.ID}, "gateway": {"cards"}})
	b.get("/pay").is(http.StatusOK, "You are enrolled", "There is nothing to pay.")
}

func TestPaidRegistrationOffersNoMethods(t *testing.T) {
	s := newSite(t, methods(new([]string)))
	b, first := s.at(sandbox.LateExpired, nil)
	second := b.post("/pay", url.Values{"scholarship_requested_id": {b.registration.ID}, "gateway": {"cards"}}).location
	b.get(second).is(http.StatusOK, "Complete your payment")
	s.clock.Pass(16 * time.Second)
	b.get("/success?kspay_id="+first).is(http.StatusOK, congratulations)
	b.get(second).leadsTo("/pay")
	b.get("/pay").is(http.StatusOK, "You have paid")
}

func TestUnreachableGatewayIsReported(t *testing.T) {
	silent := []string{"cards"}
	s := newSite(t, methods(&silent))
	b := s.enrolled(nil)
	b.get("/pay").is(http.StatusOK, "Cards Does not answer at the moment.", "Apps Note of apps.", "Pay ₹1,499").without("Note of cards.", "come back in a few minutes", "moment. ₹").
		holds(`<noscript><span class="meta">This way to pay needs JavaScript.</span></noscript>`)
	const away = "This way to pay does not answer at the moment. Choose another, or try again in a few minutes."
	b.post("/pay", url.Values{"gateway": {"cards"}}).is(http.StatusServiceUnavailable, away)

	silent = []string{"sandbox", "cards", "apps"}
	const nobody = "You cannot pay here just now. Your details are kept. Please come back in a few minutes."
	b.get("/pay").is(http.StatusOK, "Payment is not possible now Nothing is charged. Enrolment is open until 10 Mar 2027.", nobody).without("How do you want to pay?", "Pay ₹1,499", "test site")
	s.enrolled(func(r *enrol.Registration) { second(r); r.CouponCode = "FULLSEAT" }).get("/pay").is(http.StatusOK, "Complete my registration").without(nobody)

	silent = nil
	txn := b.start()
	silent = []string{"sandbox", "cards", "apps"}
	b.get("/pay").is(http.StatusOK, "Continue to pay").without(nobody)
	b.post("/pay", nil).leadsTo("/checkout/" + txn)
}

func TestAMethodWithoutAPriceInItsCurrencyIsNotOffered(t *testing.T) {
	s := newSite(t, func(s *site, n *business.Config) {
		for name, currencies := range map[string][]string{"dollars": {"USD"}, "yen": {"JPY"}} {
			entry := s.sandbox(name, currencies).Entry()
			entry.Label = name
			n.Gateways = append(n.Gateways, payment.Entry{Descriptor: entry.Descriptor, Gateway: entry.Gateway, Offered: true})
		}
	})
	b := s.enrolled(nil)
	b.get("/pay").is(http.StatusOK, "dollars").without("yen")
	b.post("/pay", url.Values{"gateway": {"yen"}}).is(http.StatusUnprocessableEntity, "Unsupported gateway")
}

func TestRetryChoosesTheMethod(t *testing.T) {
	var silent []string
	s := newSite(t, methods(&silent))
	b := s.enrolled(nil)
	failed := b.get(b.press(b.start(), sandbox.Failed)).is(http.StatusOK, "Transaction failed!", "Try again Another method").
		without("Back to the programme", "Try again, ₹1,499").holds(`<input type="hidden" name="gateway" value="sandbox">`)
	choice := `/pay?scholarship_requested_id=` + b.registration.ID
	failed.holds(`href="` + choice + `"`)
	page := b.get(choice).is(http.StatusOK, "Your payment did not go through", "How do you want to pay?", "Try again, ₹1,499")
	if got := page.choices(); got != "sandbox cards+ apps" {
		t.Errorf("offers %q", got)
	}
	page.holds(`<span class="icon icon-card" aria-hidden="true"></span>`, `<span class="icon icon-upi" aria-hidden="true"></span>`)

	if again := b.post("/pay", url.Values{"gateway": {"sandbox"}}).location; !strings.HasPrefix(again, "/checkout/") {
		t.Errorf("to try again leads to %q", again)
	}

	alone, _ := newSite(t).at(sandbox.Failed, nil)
	alone.get("/pay").is(http.StatusOK, "Try again, ₹1,499").without("How do you want to pay?")
}

func TestFailurePageDescribesTheNextMethod(t *testing.T) {
	s := newSite(t, func(s *site, n *business.Config) {
		entry := s.sandbox("dollars", []string{"USD"}).Entry()
		entry.Gateway = declining{entry.Gateway}
		n.Gateways = append(n.Gateways, entry)
	})
	b := s.enrolled(func(r *enrol.Registration) { r.CouponCode = "MGROW500" })
	txn := strings.TrimPrefix(b.post("/pay", url.Values{"gateway": {"dollars"}}).location, "/checkout/")
	b.get("/pay").is(http.StatusOK, "Your payment is still open", "$12.66 All taxes included with MGROW500")
	b.get(b.press(txn, sandbox.Failed)).is(http.StatusOK, "Still to pay ₹999.00 or $12.66 with the test bank Exam fee, all taxes included")
	page := b.get("/pay").is(http.StatusOK, "Your payment did not go through", "₹999 All taxes included ₹1,499 less ₹500 with MGROW500").holds("Try again<span>, ₹999</span><span>, $12.66</span>")
	if got := page.choices(); got != "sandbox+ dollars" {
		t.Errorf("offers %q", got)
	}
}

// declining is a gateway that declines every try and allows another in the same attempt.
type declining struct{ method.Gateway }

func (declining) Complete(_ context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return method.Status{TxnID: in.TxnID, Ref: ref, State: method.ChargePending, AttemptFailed: true}, nil
}

func TestFailedAttemptIsNotShownAsRunning(t *testing.T) {
	var silent []string
	s := newSite(t, methods(&silent), withApplication, func(_ *site, n *business.Config) { n.Gateways[0].Gateway = declining{n.Gateways[0].Gateway} })
	for path, b := range map[string]*browser{"/pay": s.enrolled(nil), feePath: s.applicant(enrol.StepAgreed)} {
		txn := strings.TrimPrefix(b.post(path, url.Values{"gateway": {"sandbox"}}).location, "/checkout/")
		b.get(b.press(txn, sandbox.Failed)).is(http.StatusOK, "Transaction failed!", "Try again")
		if s.state(txn) != payment.Pending {
			t.Errorf("%s: the attempt is %s", path, s.state(txn))
		}
		page := b.get(path).is(http.StatusOK, "Your payment did not go through", "Try again, ₹").without("still open", "stays open until", "Continue to pay")
		if got := page.choices(); got != "sandbox cards+ apps" {
			t.Errorf("%s offers %q", path, got)
		}
		b.post(path, url.Values{"gateway": {"sandbox"}}).leadsTo("/checkout/" + txn) // the same again
	}
}
