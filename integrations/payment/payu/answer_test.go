package payu_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"testing"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/payu"
)

// rewriting replaces text in the responses to a command.
type rewriting struct{ command, from, to string }

func (w rewriting) RoundTrip(r *http.Request) (*http.Response, error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(asked))
	form, err := url.ParseQuery(string(asked))
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || form.Get("command") != w.command {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	body = bytes.ReplaceAll(body, []byte(w.from), []byte(w.to))
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, err
}

func TestMismatchedResponseIsRejected(t *testing.T) {
	const (
		paid, unknown, done = "refunded; refunded of ₹1,499.00 INR, back ₹1,499.00", "payment: outcome unknown", "done ₹1,499.00"
		verify, refunds     = "verify_payment", "getAllRefundsFromTxnIds"
		status              = "check_action_status"
		unknownRefunds      = "paid; paid of ₹1,499.00 INR, refunds unknown"
	)
	other := "z" + ref[1:]
	for _, c := range []struct {
		sentence string
		rewriting
		want, byToken, byRequest string
	}{
		{"unchanged", rewriting{"none", "", ""}, paid, done, done},
		{"another transaction", rewriting{verify, ref, other}, unknown, done, done},
		{"the details of another transaction", rewriting{verify, `"txnid":"` + ref, `"txnid":"` + other}, unknown, done, done},
		{"none of it fetched", rewriting{verify, `"status":1`, `"status":0`}, unknown, done, done},
		{"the status as text", rewriting{verify, `"status":1`, `"status":"1"`}, paid, done, done},
		{"no details", rewriting{verify, `"transaction_details"`, `"other"`}, unknown, done, done},
		{"an amount with a third decimal", rewriting{verify, `"amt":"1499.00"`, `"amt":"1499.001"`}, unknown, done, done},
		{"an amount as a number", rewriting{verify, `"amt":"1499.00"`, `"amt":1499.00`}, paid, done, done},
		{"an amount without decimals", rewriting{verify, `"amt":"1499.00"`, `"amt":"1499"`}, paid, done, done},
		{"an amount with an exponent", rewriting{verify, `"amt":"1499.00"`, `"amt":1.499e3`}, unknown, done, done},
		{"a negative amount", rewriting{verify, `"amt":"1499.00"`, `"amt":"-1499.00"`}, unknown, done, done},
		{"no amount", rewriting{verify, `"amt":"1499.00"`, `"amt":null`}, unknown, done, done},
		{"no discount", rewriting{verify, `"disc":"0.00"`, `"disc":null`}, paid, done, done},
		{"an invalid discount", rewriting{verify, `"disc":"0.00"`, `"disc":"some"`}, unknown, done, done},
		{"no time", rewriting{verify, `"addedon":"2026`, `"addedon":"then`}, unknown, done, done},
		{"a success without capture", rewriting{verify, `"captured"`, `"in progress"`}, "pending, at the bank", done, done},
		{"captured, but no success", rewriting{verify, `"success"`, `"pending"`}, "pending", done, done},
		{"an unknown state", rewriting{verify, `"captured"`, `"perhaps"`}, "pending", done, done},
		{"in capitals", rewriting{verify, `"success"`, `"SUCCESS"`}, paid, done, done},
		{"refunds of another payment", rewriting{refunds, `"PayuID":"4`, `"PayuID":"5`}, unknownRefunds, unknown, done},
		{"refunds of a payment that failed before", rewriting{refunds, `"4039`, `"5039`}, "paid; paid of ₹1,499.00 INR", done, done},
		{"refunds that could not be fetched", rewriting{refunds, `"status":1`, `"status":2`}, unknownRefunds, unknown, done},
		{"refunds without data", rewriting{refunds, `"Refund Details"`, `"other"`}, unknownRefunds, unknown, done},
		{"a refund of no sum", rewriting{refunds, `"Amount":"1499.00"`, `"Amount":null`}, unknownRefunds, unknown, done},
		{"another refund", rewriting{status, token, "another"}, paid, done, unknown},
		{"another action", rewriting{status, `"action":"refund"`, `"action":"capture"`}, paid, done, unknown},
		{"a refund that could not be fetched", rewriting{status, `"status":1`, `"status":0`}, paid, done, unknown},
		{"a refund of no sum, by its id", rewriting{status, `"amt":"1499.00"`, `"amt":""`}, paid, done, unknown},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			d := newDesk(t)
			d.start(t)
			made, err := d.Refund(t.Context(), intent(), method.Charge{PaymentID: d.there.Pay(ref)}, refundID, fee)
			if err != nil {
				t.Fatal(err)
			}
			lied, err := payu.New(payu.Config{Key: key, Salts: []string{salt}, BaseURL: d.url, Transport: c.rewriting})
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(lied.Fetch(t.Context(), intent(), ref)); got != c.want {
				t.Errorf("Fetch: %s, want %s", got, c.want)
			}
			if got := toldRefund(lied.FetchRefund(t.Context(), intent(), refundID, "")); got != c.byToken {
				t.Errorf("FetchRefund by our id: %s, want %s", got, c.byToken)
			}
			if got := toldRefund(lied.FetchRefund(t.Context(), intent(), refundID, made.ProviderID)); got != c.byRequest {
				t.Errorf("FetchRefund by PayU's id: %s, want %s", got, c.byRequest)
			}
		})
	}
	t.Run("another attempt of ours is told as what it is", func(t *testing.T) {
		d := newDesk(t)
		d.start(t)
		d.there.Pay(ref)
		lied, err := payu.New(payu.Config{Key: key, Salts: []string{salt}, BaseURL: d.url, Transport: rewriting{verify, txn, "z" + txn[1:]}})
		if err != nil {
			t.Fatal(err)
		}
		if status, err := lied.Fetch(t.Context(), intent(), ref); err != nil || status.TxnID != "z"+txn[1:] {
			t.Errorf("%+v, %v", status, err)
		}
	})
	t.Run("another payment's refund is not taken for ours", func(t *testing.T) {
		for sentence, w := range map[string]rewriting{
			"of another payment": {"cancel_refund_transaction", `"mihpayid":4`, `"mihpayid":5`},
			"without an id":      {"cancel_refund_transaction", `"request_id"`, `"txn_update_id"`},
		} {
			d := newDesk(t)
			d.start(t)
			id := d.there.Pay(ref)
			lied, err := payu.New(payu.Config{Key: key, Salts: []string{salt}, BaseURL: d.url, Transport: w})
			if err != nil {
				t.Fatal(err)
			}
			if got := toldRefund(lied.Refund(t.Context(), intent(), method.Charge{PaymentID: id}, refundID, fee)); got != unknown {
				t.Errorf("%s: %s", sentence, got)
			}
		}
	})
}

// posting counts posted refunds and posts each several times.
type posting struct{ times, posted int }

func (p *posting) RoundTrip(r *http.Request) (response *http.Response, err error) {
	asked, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	times := 1
	if bytes.Contains(asked, []byte("cancel_refund_transaction")) {
		times = p.times
		p.posted++
	}
	for range times {
		if response != nil {
			response.Body.Close()
		}
		r.Body = io.NopCloser(bytes.NewReader(asked))
		if response, err = http.DefaultTransport.RoundTrip(r); err != nil {
			return nil, err
		}
	}
	return response, nil
}

func (d *desk) through(t *testing.T, transport http.RoundTripper) *payu.Gateway {
	t.Helper()
	g, err := payu.New(payu.Config{Key: key, Salts: []string{salt}, BaseURL: d.url, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestImpossibleRefundIsNotPosted(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	own := method.Charge{PaymentID: d.there.Pay(ref)}
	other := intent()
	other.TxnID, other.MerchantRef = "z"+txn[1:], "z"+ref[1:]
	if status, page := d.arrive(t, other); status != http.StatusOK {
		t.Fatal(page)
	}
	others := method.Charge{PaymentID: d.there.Pay(other.MerchantRef)}
	d.there.SlowRefunds()
	counted := &posting{times: 1}
	g := d.through(t, counted)
	for _, c := range []struct {
		id    string
		of    method.Charge
		minor int64
		want  string
		posts int
	}{
		{"a", others, 149900, "payment: declined", 0}, // which PayU would send back
		{"b", own, 149901, "payment: declined", 0},
		{"c", own, 100000, "accepted ₹1,000.00", 1},
		{"d", own, 49901, "payment: declined", 1}, // with the pending refund, too much
	} {
		if got := toldRefund(g.Refund(t.Context(), intent(), c.of, c.id, admission.INR(c.minor))); got != c.want || counted.posted != c.posts {
			t.Errorf("%s: %s after %d posts, want %s after %d", c.id, got, counted.posted, c.want, c.posts)
		}
	}
}

func TestRefundPostedConcurrentlyIsFound(t *testing.T) {
	d := newDesk(t)
	d.start(t)
	charge := method.Charge{PaymentID: d.there.Pay(ref)}
	if got := toldRefund(d.through(t, &posting{times: 2}).Refund(t.Context(), intent(), charge, refundID, fee)); got != "done ₹1,499.00" {
		t.Error(got)
	}
	if got := d.there.Refunded("INR"); got != fee.Minor {
		t.Errorf("%d went back", got)
	}
}
