package site_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/gateways"
	"hiresure/cmd/site/gateways/gatewaystest"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
)

var drillNow = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

// drill is a gateway with the database and the clock of its sites.
type drill struct {
	t      *testing.T
	bank   *gatewaystest.Bank
	url    string
	now    time.Time
	alerts []string
}

// site opens a site with changes of the environment; gold configures the gateway.
func (d *drill) site(changes ...string) *site.Site {
	d.t.Helper()
	environ := map[string]string{"DATA_DIR": d.t.TempDir(), "ADDR": "127.0.0.1:0", "CAPTCHA": "off", "SECRET_KEY": sitetest.Key, "DATABASE_URL": d.url}
	for i := 0; i < len(changes); i += 2 {
		environ[changes[i]] = changes[i+1]
	}
	cfg, err := config.ReadWith(environ, append(slices.Clone(gateways.Kinds), gatewaystest.Kind(d.bank)))
	if err != nil {
		d.t.Fatal(err)
	}
	s, err := site.Build(d.t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return d.now }})
	if err != nil {
		d.t.Fatal(err)
	}
	s.Report = func(err error, _ string) { d.alerts = append(d.alerts, err.Error()) }
	d.t.Cleanup(func() { s.Close(context.WithoutCancel(d.t.Context())) })
	return s
}

var gold = []string{"GOLDBARS_SHOP", "79", "GOLDBARS_SECRET", gatewaystest.Secret}

func with(changes []string, more ...string) []string { return append(slices.Clone(changes), more...) }

// work runs the due jobs.
func (d *drill) work(s *site.Site) {
	d.t.Helper()
	for _, worker := range s.Workers {
		if _, err := worker.RunDue(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
	}
}

// enrolled enrols a person with a verified phone and opens the pay page.
func (d *drill) enrolled(s *site.Site, phone string) *person {
	d.t.Helper()
	p := newPerson(d.t, s, asha(phone))
	p.press("send-code").answers(http.StatusOK)
	p.press("verify", "otp", p.code(phone)).answers(http.StatusOK)
	return p.press("pay").answers(http.StatusSeeOther)
}

// choose chooses a payment method and returns the payment's id.
func (p *person) choose(gateway string) (txn string) {
	p.t.Helper()
	p.send(http.MethodPost, "/pay", "application/x-www-form-urlencoded", url.Values{"gateway": {gateway}}.Encode()).answers(http.StatusSeeOther)
	txn, found := strings.CutPrefix(p.answer.Get("Location"), "/checkout/")
	if !found {
		p.t.Fatalf("choosing %s leads to %s", gateway, p.answer.Get("Location"))
	}
	return txn
}

// postFromProvider posts from the provider, by a browser or by its server.
func postFromProvider(s *site.Site, path, contentType, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, s.Config.BaseURL+path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Header.Set("Origin", gatewaystest.Origin)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	return w
}

func (d *drill) goldbars() *gatewaystest.Goldbars {
	return d.bank.Open()
}

// webhook posts an event of the provider.
func (d *drill) webhook(s *site.Site, txn, signature string) *httptest.ResponseRecorder {
	return postFromProvider(s, "/payments/webhook/goldbars", "text/plain", txn, "X-Gold", signature)
}

func (p *person) policy() string { return p.answer.Get("Content-Security-Policy") }

func eachDrill(t *testing.T, test func(*drill)) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		test(&drill{t: t, bank: &gatewaystest.Bank{Orders: map[string]method.Status{}}, url: url, now: drillNow})
	})
}

// The gateway drill: a descriptor is enough for configuration, pay page, checkout, its policy, webhooks and payment.
func TestGatewayDescriptorIsEnough(t *testing.T) {
	eachDrill(t, func(d *drill) {
		t, s := d.t, d.site(with(gold, "GATEWAYS", "sandbox,goldbars")...)
		p := d.enrolled(s, "9876543210")
		if got := p.answer.Get("Location"); got != "/pay" {
			t.Errorf("who has a choice is led to %q", got)
		}
		p.get("/pay").answers(http.StatusOK).shows(`<input type="radio" name="gateway" value="goldbars">`, "<b>Gold bars</b>", `<span class="icon icon-wallet"`, "Pay ₹1,499", "Weighed while you wait.").hides("test site")
		if p.get("/checkout/" + p.choose("sandbox")).answers(http.StatusOK).shows("This is a test site: no money moves."); strings.Contains(p.page+p.policy(), "goldbars") {
			t.Error("the checkout of another gateway reaches this one")
		}
		txn := p.choose("goldbars")
		p.get("/checkout/"+txn).answers(http.StatusOK).shows(
			"Your bars are weighed on the next page.", `<form method="post" action="`+gatewaystest.Origin+`/weigh"><input type="hidden" name="shop" value="79"><input type="hidden" name="token" value="`+d.goldbars().Sign(txn)+`">`,
			`>Pay with gold</button>`, `"provider":{"shop":"79","token":`, `<a href="/pay">Another method</a>`,
		)
		for _, never := range []string{"test site", "not for browsers", gatewaystest.Secret} {
			if strings.Contains(p.page, never) {
				t.Errorf("its checkout shows %s", never)
			}
		}
		if want := "form-action 'self' " + gatewaystest.Origin + "; "; !strings.Contains(p.policy(), want) || strings.Count(p.policy(), "goldbars") != 1 {
			t.Errorf("its checkout's policy is %s, want %s and no more", p.policy(), want)
		}
		for _, path := range []string{"/", programme, "/pay", "/success?kspay_id=" + txn, "/legal/terms", "/dev/outbox"} {
			if p.get(path); strings.Contains(p.policy(), "goldbars") || p.policy() == "" {
				t.Errorf("the policy of %s is %s", path, p.policy())
			}
		}

		// A forged return is ignored; a genuine one makes the site fetch the payment from the provider.
		back := "/checkout/" + txn + "/return"
		d.bank.Charge(txn, 1499_00)
		const form = "application/x-www-form-urlencoded"
		if w := postFromProvider(s, back, form, "proof=forged"); w.Code != http.StatusSeeOther || d.state(s, txn) != payment.Pending {
			t.Errorf("a forged return: %d, %s", w.Code, d.state(s, txn))
		}
		w := postFromProvider(s, back, form, url.Values{"proof": {d.goldbars().Sign("weighed " + txn)}}.Encode())
		if want := "/success?kspay_id=" + txn; w.Code != http.StatusSeeOther || w.Header().Get("Location") != want || d.state(s, txn) != payment.Paid {
			t.Errorf("the return: %d %s, want %s; %s", w.Code, w.Header().Get("Location"), want, d.state(s, txn))
		}
		p.get(w.Header().Get("Location")).answers(http.StatusOK).shows("Congratulations! Your registration has been successfully submitted.")
		p.get("/checkout/"+txn+"/receipt").answers(http.StatusOK).shows("Payment ID", txn, "Paid on")
		if strings.Contains(p.policy(), "goldbars") {
			t.Errorf("the receipt's policy is %s", p.policy())
		}
	})
}

func (d *drill) state(s *site.Site, txn string) payment.State {
	d.t.Helper()
	found, err := s.Business.Payment.Find(d.t.Context(), txn)
	if err != nil {
		d.t.Fatal(err)
	}
	return found.Transaction.State
}

func TestGatewayWebhook(t *testing.T) {
	eachDrill(t, func(d *drill) {
		s := d.site(with(gold, "GATEWAYS", "goldbars")...)
		p := d.enrolled(s, "9876543210")
		txn := p.choose("goldbars")
		d.bank.Charge(txn, 1499_00)
		if w := d.webhook(s, txn, "forged"); w.Code != http.StatusBadRequest {
			d.t.Errorf("a forged webhook: %d %s", w.Code, w.Body)
		}
		if d.work(s); d.state(s, txn) != payment.Pending {
			d.t.Errorf("after a forged webhook the attempt is %s", d.state(s, txn))
		}
		for range 2 {
			w := d.webhook(s, txn, d.goldbars().Sign(txn))
			if w.Code != http.StatusOK || w.Body.String() != "<heard/>" || w.Header().Get("Content-Type") != "application/xml" {
				d.t.Errorf("a webhook is answered %d %s %q", w.Code, w.Header().Get("Content-Type"), w.Body)
			}
		}
		if d.work(s); d.state(s, txn) != payment.Paid {
			d.t.Errorf("after the webhook the attempt is %s", d.state(s, txn))
		}
		if w := postFromProvider(s, "/payments/webhook/silverbars", "text/plain", txn); w.Code != http.StatusNotFound {
			d.t.Errorf("the webhook of a gateway that nobody knows: %d", w.Code)
		}
	})
}

// notOffered checks that neither pages nor API offer the gateway.
func (d *drill) notOffered(p *person) {
	d.t.Helper()
	if p.get("/pay").answers(http.StatusOK); strings.Contains(p.page, "Gold bars") {
		d.t.Error("/pay offers it")
	}
	id := idField.FindStringSubmatch(p.page)[1]
	answer := p.post("/payments/v1/initiate-payment", map[string]any{"scholarship_requested_id": id, "gateway": "goldbars"})
	if errs, _ := answer["errors"].(map[string]any); p.status != http.StatusUnprocessableEntity || errs["gateway"] != "Unsupported gateway" {
		d.t.Errorf("the API answers %d %v", p.status, answer)
	}
	if p.send(http.MethodPost, "/pay", "application/x-www-form-urlencoded", "gateway=goldbars"); p.status != http.StatusUnprocessableEntity || !strings.Contains(p.page, "Unsupported gateway") {
		d.t.Errorf("/pay answers %d", p.status)
	}
}

func TestKnownGatewayIsPolled(t *testing.T) {
	eachDrill(t, func(d *drill) {
		offers := d.site(with(gold, "GATEWAYS", "goldbars")...)
		polled, heard := d.enrolled(offers, "9876543210"), d.enrolled(offers, "9876543211")
		toPoll, toHear := polled.choose("goldbars"), heard.choose("goldbars")

		knows := d.site(with(gold, "GATEWAYS", "sandbox", "GATEWAYS_KNOWN", "goldbars")...)
		polled.site, heard.site = knows, knows
		d.notOffered(polled)
		polled.get("/checkout/" + toPoll).answers(http.StatusOK).shows("Pay with gold") // a started payment can be finished
		d.bank.Charge(toPoll, 1499_00)
		if d.now = d.now.Add(31 * time.Second); d.state(knows, toPoll) != payment.Pending {
			d.t.Fatal("it was paid before anybody asked")
		}
		if d.work(knows); d.state(knows, toPoll) != payment.Paid {
			d.t.Errorf("the polled attempt is %s", d.state(knows, toPoll))
		}
		d.bank.Charge(toHear, 1499_00)
		if w := d.webhook(knows, toHear, d.goldbars().Sign(toHear)); w.Code != http.StatusOK {
			d.t.Errorf("a webhook is answered %d", w.Code)
		}
		if d.work(knows); d.state(knows, toHear) != payment.Paid || len(d.alerts) > 0 {
			d.t.Errorf("the heard attempt is %s, alerts %v", d.state(knows, toHear), d.alerts)
		}
	})
}

// A known gateway without configuration is hidden; its open payments expire, and an alert is raised.
func TestUnconfiguredGatewayIsHidden(t *testing.T) {
	eachDrill(t, func(d *drill) {
		offers := d.site(with(gold, "GATEWAYS", "goldbars")...)
		p := d.enrolled(offers, "9876543210")
		txn := p.choose("goldbars")
		d.bank.Charge(txn, 1499_00)

		hides := d.site("GATEWAYS", "sandbox", "GATEWAYS_KNOWN", "goldbars")
		p.site = hides
		d.notOffered(p)
		if p.get("/checkout/" + txn); p.status != http.StatusSeeOther || p.answer.Get("Location") != "/pay" {
			d.t.Errorf("its checkout answers %d %s", p.status, p.answer.Get("Location"))
		}
		w := d.webhook(hides, txn, d.goldbars().Sign(txn))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			d.t.Errorf("a webhook is answered %d, so that it is not sent again", w.Code)
		}
		for range 8 {
			d.now = d.now.Add(4 * time.Minute)
			d.work(hides)
		}
		want := []string{"webhooks arrive for a gateway that is not configured: goldbars", "payment expired at a gateway that is not configured: check whether it was paid"}
		if d.state(hides, txn) != payment.Expired || !slices.Equal(d.alerts, want) {
			d.t.Errorf("the attempt is %s, alerts %q, want %q", d.state(hides, txn), d.alerts, want)
		}
		// Configured again, it is polled again and the payment is found.
		again := d.site(with(gold, "GATEWAYS", "sandbox", "GATEWAYS_KNOWN", "goldbars")...)
		d.now = d.now.Add(2 * time.Hour)
		if d.work(again); d.state(again, txn) != payment.Paid {
			d.t.Errorf("after it is configured again the attempt is %s", d.state(again, txn))
		}
	})
}

// A gateway may reject its configuration before the site serves.
func TestGatewayRejectsItsConfiguration(t *testing.T) {
	cfg, err := config.ReadWith(map[string]string{
		"DATA_DIR": t.TempDir(), "DATABASE_URL": storetest.SQLite(t), "GATEWAYS": "goldbars", "GOLDBARS_SHOP": "79", "GOLDBARS_SECRET": "s", "GOLDBARS_PURITY": "18",
	}, append(slices.Clone(gateways.Kinds), gatewaystest.Kind(nil)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		s.Close(context.WithoutCancel(t.Context()))
	}
	if err == nil || err.Error() != "gateway goldbars: that is no gold" {
		t.Errorf("got %v", err)
	}
}
