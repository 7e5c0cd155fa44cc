package business_test

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
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

func TestWebhookBeforeStartIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(withCoupon)
		w.sandbox.afterNext("start", func(s *method.Status) error {
			w.sandbox.press(s.TxnID, sandbox.Paid)
			w.must(w.sandbox.webhook(s.TxnID, "payment.paid"))
			return nil
		})
		p.mustStart("")
		p.expectState(p.txn, paidOnce)
	})
}

func TestForgedWebhookIsNotStored(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.sandbox.press(p.txn, sandbox.Paid)
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
			"another secret":  func(h http.Header, b []byte) []byte { h.Set(header, sign(strings.Repeat("x", 32), noon, b)); return b },
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
				h.Set(header, sign(good, noon.Add(-5*time.Minute-time.Second), b))
				return b
			},
			"a signature from ahead": func(h http.Header, b []byte) []byte {
				h.Set(header, sign(good, noon.Add(5*time.Minute+time.Second), b))
				return b
			},
			"the signature of a body": func(h http.Header, b []byte) []byte {
				return []byte(`{"id":"1","type":"payment.paid","txn_id":"` + p.txn + `"}`)
			},
			"an empty body": func(http.Header, []byte) []byte { return nil },
		} {
			headers, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.paid")
			body = forge(headers, body)
			if _, _, err := w.Payment.ReceiveWebhook(w.ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); !errors.Is(err, method.ErrSignature) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		headers, body := w.other.bank.SignedWebhook(p.txn, "payment.paid")
		if _, _, err := w.Payment.ReceiveWebhook(w.ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); !errors.Is(err, method.ErrSignature) {
			t.Errorf("the other provider's signature: got %v", err)
		}
		_, _, err := w.Payment.ReceiveWebhook(w.ctx, "nobody", payment.Webhook{Header: headers, Body: body})
		expectProblem(t, err, admission.NotFound, "", "Gateway not found.")
		equal(t, "events", w.count("inbox"), 0)
		equal(t, "jobs", w.count("jobs WHERE kind = 'event'"), 0)
		p.expectState(p.txn, paymentState{State: payment.Pending, Outcome: payment.OutcomePending, Step: enrol.StepPaying, Timeline: "enrolled"})

		for what, at := range map[string]time.Time{"as old as allowed": noon.Add(-5 * time.Minute), "as far ahead as allowed": noon.Add(5 * time.Minute)} {
			headers, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.paid")
			headers.Set(header, sign(good, at, body))
			if _, _, err := w.Payment.ReceiveWebhook(w.ctx, "sandbox", payment.Webhook{Header: headers, Body: body}); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		w.runJobs()
	})
}

func TestReplayedWebhookChangesNothing(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(withCoupon)
		header, body := w.sandbox.bank.SignedWebhook(p.txn, "payment.paid")
		for range 3 { // before, and after it is paid
			_, _, err := w.Payment.ReceiveWebhook(w.ctx, "sandbox", payment.Webhook{Header: header, Body: body})
			w.must(err)
			w.runJobs()
			w.sandbox.press(p.txn, sandbox.Paid)
			p.clock.Pass(2 * time.Second)
			p.verifyPayment()
		}
		equal(t, "events", w.count("inbox"), 1)
		p.expectState(p.txn, paidOnce)
	})
}

func TestWebhookOfUnknownPaymentIsRetried(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.must(w.sandbox.webhook(admission.NewID(), "payment.paid"))
		w.advance(59 * time.Minute)
		same(t, "alerts", w.alerts.all(), nil)
		equal(t, "events handled", w.count("inbox WHERE handled_at <> 0"), 0)
		w.advance(time.Minute)
		same(t, "alerts", w.alerts.all(), []string{"webhook of an unknown payment"})
		same(t, "events", w.texts("SELECT problem FROM inbox"), []string{"unknown payment"})
		w.advance(time.Hour)
		equal(t, "alerts", len(w.alerts.all()), 1)
	})
}

func TestWebhookOfAnotherProviderMovesNothing(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		p := w.paying(nil)
		w.must(w.other.webhook(p.txn, "payment.paid")) // well signed, but it is not their payment
		w.sandbox.asked()
		w.advance(time.Hour)
		equal(t, "questions to the other provider", len(w.other.asked()), 0)
		same(t, "alerts", w.alerts.all(), []string{"webhook of an unknown payment"})
	})
}
