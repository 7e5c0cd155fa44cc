package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/store/storetest"
)

// bank is the provider of a gateway that only this file defines: a signed form sends the payer's browser to its page, which
// sends it back with a POST.
type bank struct {
	mutex  sync.Mutex
	orders map[string]method.Status
}

func (b *bank) order(txnID string) (method.Status, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	order, known := b.orders[txnID]
	if !known {
		return order, method.ErrNoCharge
	}
	return order, nil
}

func (b *bank) charge(txnID string, minor int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	amount := admission.INR(minor)
	b.orders[txnID] = method.Status{TxnID: txnID, Ref: "gold-" + txnID, State: method.ChargePaid, Charges: []method.Charge{
		{PaymentID: "bar-" + txnID, State: method.ChargePaid, Amount: amount, Refunded: admission.INR(0), At: drillNow},
	}}
}

type goldbars struct {
	*bank
	shop, secret string
}

const goldOrigin = "https://pay.goldbars.example"

func goldbarsKind(b *bank) gatewayKind {
	return gatewayKind{
		method.Descriptor{
			Name: "goldbars", Label: "Gold bars", Provider: "Gold bars", Icon: method.IconWallet, Note: "Weighed while you wait.", Notice: "Your bars are weighed on the next page.", Currencies: []string{"INR"},
			Settings: []method.Setting{
				{Name: "GOLDBARS_SHOP", Meaning: "number of the shop", Check: func(value string) error {
					if strings.Trim(value, "0123456789") != "" {
						return fmt.Errorf("must be a number, not %q", value)
					}
					return nil
				}, Test: func(shop string) bool { return shop == "0" }},
				{Name: "GOLDBARS_SECRET", Meaning: "signs what is posted, there and back", Secret: true},
				{Name: "GOLDBARS_PURITY", Meaning: "in carats", Default: "24"},
			},
			Checkout: method.Origins{Forms: []string{goldOrigin}}, Payload: []string{"shop", "token"}, Carries: method.CarriesID,
			Forms: func(checkout map[string]any) ([]method.Form, error) {
				token, _ := checkout["token"].(string)
				shop, _ := checkout["shop"].(string)
				return []method.Form{{Action: goldOrigin + "/weigh", Label: "Pay with gold", Look: method.FormFirst, Fields: []method.FormField{{Name: "shop", Value: shop}, {Name: "token", Value: token}}}}, nil
			},
		},
		func(_ *site, with method.Settings) (method.Gateway, error) {
			if with["GOLDBARS_PURITY"] != "24" {
				return nil, errors.New("that is no gold")
			}
			return &goldbars{b, with["GOLDBARS_SHOP"], with["GOLDBARS_SECRET"]}, nil
		},
	}
}

func (g *goldbars) sign(text string) string {
	mac := hmac.New(sha256.New, []byte(g.secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

func (g *goldbars) Start(_ context.Context, in method.Intent) (method.ChargeSession, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if _, known := g.orders[in.TxnID]; !known {
		g.orders[in.TxnID] = method.Status{TxnID: in.TxnID, Ref: "gold-" + in.TxnID, State: method.ChargePending}
	}
	return method.ChargeSession{Ref: "gold-" + in.TxnID, Checkout: map[string]any{"shop": g.shop, "token": g.sign(in.TxnID), "vault": "not for browsers"}}, nil
}

func (g *goldbars) Complete(_ context.Context, in method.Intent, _ string, back method.Return) (method.Status, error) {
	if back.Method != http.MethodPost || !hmac.Equal([]byte(back.Form.Get("proof")), []byte(g.sign("weighed "+in.TxnID))) {
		return method.Status{}, method.ErrSignature
	}
	return g.order(in.TxnID)
}

func (g *goldbars) Fetch(_ context.Context, in method.Intent, _ string) (method.Status, error) {
	return g.order(in.TxnID)
}

func (g *goldbars) Cancel(_ context.Context, in method.Intent, _ string) (method.Status, error) {
	return g.order(in.TxnID)
}

func (g *goldbars) List(context.Context, time.Time) iter.Seq2[method.Movement, error] {
	return func(func(method.Movement, error) bool) {}
}

func (g *goldbars) Webhook(_ context.Context, h http.Header, raw []byte, _ url.Values) (method.Event, error) {
	if !hmac.Equal([]byte(h.Get("X-Gold")), []byte(g.sign(string(raw)))) {
		return method.Event{}, method.ErrSignature
	}
	return method.Event{Type: "weighed", Kind: method.EventOfCharge, TxnID: string(raw), Ack: []byte("<heard/>"), AckType: "application/xml"}, nil
}

func (g *goldbars) Refund(context.Context, method.Intent, method.Charge, string, admission.Money) (method.RefundStatus, error) {
	return method.RefundStatus{}, method.ErrDeclined
}

func (g *goldbars) FetchRefund(context.Context, method.Intent, string, string) (method.RefundStatus, error) {
	return method.RefundStatus{}, method.ErrNoCharge
}

var drillNow = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)

const goldSecret = "9f86d081884c7d659a2feaa0c55ad015"

// drill is a gateway with the database and the clock of its sites.
type drill struct {
	t      *testing.T
	bank   *bank
	url    string
	now    time.Time
	alerts []string
}

// site opens a site with changes of the environment; gold configures the gateway.
func (d *drill) site(changes ...string) *site {
	d.t.Helper()
	environ := map[string]string{"DATA_DIR": d.t.TempDir(), "ADDR": "127.0.0.1:0", "CAPTCHA": "off", "SECRET_KEY": goodKey, "DATABASE_URL": d.url}
	for i := 0; i < len(changes); i += 2 {
		environ[changes[i]] = changes[i+1]
	}
	config, err := readConfigWith(environ, append(slices.Clone(gatewayKinds), goldbarsKind(d.bank)))
	if err != nil {
		d.t.Fatal(err)
	}
	s, err := build(d.t.Context(), config, slog.New(slog.DiscardHandler), func() time.Time { return d.now })
	if err != nil {
		d.t.Fatal(err)
	}
	s.report = func(err error, _ string) { d.alerts = append(d.alerts, err.Error()) }
	d.t.Cleanup(func() { s.close(context.WithoutCancel(d.t.Context())) })
	return s
}

var gold = []string{"GOLDBARS_SHOP", "79", "GOLDBARS_SECRET", goldSecret}

func with(changes []string, more ...string) []string { return append(slices.Clone(changes), more...) }

// work runs the due jobs.
func (d *drill) work(s *site) {
	d.t.Helper()
	for _, worker := range s.workers {
		if _, err := worker.RunDue(d.t.Context()); err != nil {
			d.t.Fatal(err)
		}
	}
}

// enrolled enrols a person with a verified phone and opens the pay page.
func (d *drill) enrolled(s *site, phone string) *person {
	d.t.Helper()
	p := s.person(d.t, asha(phone))
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
func postFromProvider(s *site, path, contentType, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, s.config.BaseURL+path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Header.Set("Origin", goldOrigin)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func (d *drill) goldbars() *goldbars { return &goldbars{d.bank, "79", goldSecret} }

// webhook posts an event of the provider.
func (d *drill) webhook(s *site, txn, signature string) *httptest.ResponseRecorder {
	return postFromProvider(s, "/payments/webhook/goldbars", "text/plain", txn, "X-Gold", signature)
}

func (p *person) policy() string { return p.answer.Get("Content-Security-Policy") }

func eachDrill(t *testing.T, test func(*drill)) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		test(&drill{t: t, bank: &bank{orders: map[string]method.Status{}}, url: url, now: drillNow})
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
			"Your bars are weighed on the next page.", `<form method="post" action="`+goldOrigin+`/weigh"><input type="hidden" name="shop" value="79"><input type="hidden" name="token" value="`+d.goldbars().sign(txn)+`">`,
			`>Pay with gold</button>`, `"provider":{"shop":"79","token":`, `<a href="/pay">Another method</a>`,
		)
		for _, never := range []string{"test site", "not for browsers", goldSecret} {
			if strings.Contains(p.page, never) {
				t.Errorf("its checkout shows %s", never)
			}
		}
		if want := "form-action 'self' " + goldOrigin + "; "; !strings.Contains(p.policy(), want) || strings.Count(p.policy(), "goldbars") != 1 {
			t.Errorf("its checkout's policy is %s, want %s and no more", p.policy(), want)
		}
		for _, path := range []string{"/", programme, "/pay", "/success?kspay_id=" + txn, "/legal/terms", "/dev/outbox"} {
			if p.get(path); strings.Contains(p.policy(), "goldbars") || p.policy() == "" {
				t.Errorf("the policy of %s is %s", path, p.policy())
			}
		}

		// A forged return is ignored; a genuine one makes the site fetch the payment from the provider.
		back := "/checkout/" + txn + "/return"
		d.bank.charge(txn, 1499_00)
		const form = "application/x-www-form-urlencoded"
		if w := postFromProvider(s, back, form, "proof=forged"); w.Code != http.StatusSeeOther || d.state(s, txn) != payment.Pending {
			t.Errorf("a forged return: %d, %s", w.Code, d.state(s, txn))
		}
		w := postFromProvider(s, back, form, url.Values{"proof": {d.goldbars().sign("weighed " + txn)}}.Encode())
		if want := "/success?kspay_id=" + txn; w.Code != http.StatusSeeOther || w.Header().Get("Location") != want || d.state(s, txn) != payment.Paid {
			t.Errorf("the return: %d %s, want %s; %s", w.Code, w.Header().Get("Location"), want, d.state(s, txn))
		}
		p.get(w.Header().Get("Location")).answers(http.StatusOK).shows("Congratulations! Your registration has been successfully submitted.")
		p.get("/checkout/"+txn+"/receipt").answers(http.StatusOK).shows("Payment number", txn, "Paid on")
		if strings.Contains(p.policy(), "goldbars") {
			t.Errorf("the receipt's policy is %s", p.policy())
		}
	})
}

func (d *drill) state(s *site, txn string) payment.State {
	d.t.Helper()
	found, err := s.business.Payment.Find(d.t.Context(), txn)
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
		d.bank.charge(txn, 1499_00)
		if w := d.webhook(s, txn, "forged"); w.Code != http.StatusBadRequest {
			d.t.Errorf("a forged webhook: %d %s", w.Code, w.Body)
		}
		if d.work(s); d.state(s, txn) != payment.Pending {
			d.t.Errorf("after a forged webhook the attempt is %s", d.state(s, txn))
		}
		for range 2 {
			w := d.webhook(s, txn, d.goldbars().sign(txn))
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
		d.bank.charge(toPoll, 1499_00)
		if d.now = d.now.Add(31 * time.Second); d.state(knows, toPoll) != payment.Pending {
			d.t.Fatal("it was paid before anybody asked")
		}
		if d.work(knows); d.state(knows, toPoll) != payment.Paid {
			d.t.Errorf("the polled attempt is %s", d.state(knows, toPoll))
		}
		d.bank.charge(toHear, 1499_00)
		if w := d.webhook(knows, toHear, d.goldbars().sign(toHear)); w.Code != http.StatusOK {
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
		d.bank.charge(txn, 1499_00)

		hides := d.site("GATEWAYS", "sandbox", "GATEWAYS_KNOWN", "goldbars")
		p.site = hides
		d.notOffered(p)
		if p.get("/checkout/" + txn); p.status != http.StatusSeeOther || p.answer.Get("Location") != "/pay" {
			d.t.Errorf("its checkout answers %d %s", p.status, p.answer.Get("Location"))
		}
		w := d.webhook(hides, txn, d.goldbars().sign(txn))
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
