package payment_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func TestWebhookBeforeStartIsStored(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.WithCoupon)
		w.Sandbox.AfterNext("start", func(s *method.Status) error {
			w.Sandbox.PressWithoutReturn(s.TxnID, sandbox.Paid)
			w.Must(w.Sandbox.SendWebhook(s.TxnID, "payment.paid"))
			return nil
		})
		p.MustStart("")
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
	})
}

func TestForgedWebhookIsNotStored(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
		const header = "X-Sandbox-Signature"
		sign := func(key string, at time.Time, body []byte) string {
			derived := hmac.New(sha256.New, []byte(key))
			derived.Write([]byte("sandbox/webhook"))
			mac := hmac.New(sha256.New, derived.Sum(nil))
			stamp := strconv.FormatInt(at.Unix(), 10)
			mac.Write(append([]byte(stamp+"."), body...))
			return "t=" + stamp + ",v1=" + hex.EncodeToString(mac.Sum(nil))
		}
		good := strings.Repeat("g", 32)
		for name, forge := range map[string]func(http.Header, []byte) []byte{
			"no header":       func(h http.Header, b []byte) []byte { h.Del(header); return b },
			"an empty header": func(h http.Header, b []byte) []byte { h.Set(header, ""); return b },
			"two headers":     func(h http.Header, b []byte) []byte { h.Add(header, h.Get(header)); return b },
			"another secret": func(h http.Header, b []byte) []byte {
				h.Set(header, sign(strings.Repeat("x", 32), businesstest.Noon, b))
				return b
			},
			"a plain hash": func(h http.Header, b []byte) []byte {
				h.Set(header, "t=0,v1="+admission.HashToken(string(b)))
				return b
			},
			"a body with a space": func(_ http.Header, b []byte) []byte { return append(b, ' ') },
			"a body of other fields": func(_ http.Header, b []byte) []byte {
				return bytes.Replace(b, []byte("payment.paid"), []byte("payment.done"), 1)
			},
			"a flipped bit": func(_ http.Header, b []byte) []byte { b[len(b)/2] ^= 1; return b },
			"another time": func(h http.Header, b []byte) []byte {
				h.Set(header, strings.Replace(h.Get(header), "t=1", "t=2", 1))
				return b
			},
			"an old signature": func(h http.Header, b []byte) []byte {
				h.Set(header, sign(good, businesstest.Noon.Add(-5*time.Minute-time.Second), b))
				return b
			},
			"a signature from ahead": func(h http.Header, b []byte) []byte {
				h.Set(header, sign(good, businesstest.Noon.Add(5*time.Minute+time.Second), b))
				return b
			},
			"the signature of a body": func(h http.Header, b []byte) []byte {
				return []byte(`{"id":"1","type":"payment.paid","txn_id":"` + p.TxnID + `"}`)
			},
			"an empty body": func(http.Header, []byte) []byte { return nil },
		} {
			headers, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.paid")
			body = forge(headers, body)
			if _, _, err := w.Payment.ReceiveWebhook(w.Ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); !errors.Is(err, method.ErrSignature) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		headers, body := w.Second.Bank.SignedWebhook(p.TxnID, "payment.paid")
		if _, _, err := w.Payment.ReceiveWebhook(w.Ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); !errors.Is(err, method.ErrSignature) {
			t.Errorf("the other provider's signature: got %v", err)
		}
		_, _, err := w.Payment.ReceiveWebhook(w.Ctx, "nobody", payment.Webhook{Header: headers, Body: body})
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Gateway not found.")
		businesstest.Equal(t, "events", w.Count("inbox"), 0)
		businesstest.Equal(t, "jobs", w.Count("jobs WHERE kind = 'event'"), 0)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})

		for what, at := range map[string]time.Time{"as old as allowed": businesstest.Noon.Add(-5 * time.Minute), "as far ahead as allowed": businesstest.Noon.Add(5 * time.Minute)} {
			headers, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.paid")
			headers.Set(header, sign(good, at, body))
			if _, _, err := w.Payment.ReceiveWebhook(w.Ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		w.RunJobs()
	})
}

func TestReplayedWebhookChangesNothing(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(businesstest.WithCoupon)
		header, body := w.Sandbox.Bank.SignedWebhook(p.TxnID, "payment.paid")
		for range 3 { // before, and after it is paid
			_, _, err := w.Payment.ReceiveWebhook(w.Ctx, "sandbox", payment.Webhook{Header: header, Body: body})
			w.Must(err)
			w.RunJobs()
			w.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.Clock.Pass(2 * time.Second)
			p.VerifyPayment()
		}
		businesstest.Equal(t, "events", w.Count("inbox"), 1)
		p.ExpectState(p.TxnID, businesstest.PaidOnce)
	})
}

func TestWebhookOfUnknownPaymentIsRetried(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Must(w.Sandbox.SendWebhook(admission.NewID(), "payment.paid"))
		w.Advance(59 * time.Minute)
		businesstest.Same(t, "alerts", w.Alerts.All(), nil)
		businesstest.Equal(t, "events handled", w.Count("inbox WHERE handled_at <> 0"), 0)
		w.Advance(time.Minute)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"webhook of an unknown payment"})
		businesstest.Same(t, "events", w.Texts("SELECT problem FROM inbox"), []string{"unknown payment"})
		w.Advance(time.Hour)
		businesstest.Equal(t, "alerts", len(w.Alerts.All()), 1)
	})
}

func TestWebhookOfAnotherProviderMovesNothing(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paying(nil)
		w.Must(w.Second.SendWebhook(p.TxnID, "payment.paid")) // well signed, but it is not their payment
		w.Sandbox.Calls()
		w.Advance(time.Hour)
		businesstest.Equal(t, "questions to the other provider", len(w.Second.Calls()), 0)
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"webhook of an unknown payment"})
	})
}
