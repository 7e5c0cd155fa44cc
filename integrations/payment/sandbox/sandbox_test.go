package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/store"
	"hiresure/store/storetest"
)

var (
	noon = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	key  = bytes.Repeat([]byte{7}, 32)
	fee  = admission.INR(1_499_00)
)

// desk is a gateway with a real store and a settable clock.
type desk struct {
	*Gateway
	now time.Time
}

func (d *desk) time() time.Time { return d.now }

func newDesk(t *testing.T, databaseURL string, change ...func(*Config)) *desk {
	t.Helper()
	d := &desk{now: noon}
	books := storetest.Open(t, databaseURL, func(c *store.Config) { c.Clock = d.time })
	n := Config{Orders: books, Key: key, Clock: d.time, Log: slog.New(slog.DiscardHandler)}
	for _, change := range change {
		change(&n)
	}
	var err error
	if d.Gateway, err = New(n); err != nil {
		t.Fatal(err)
	}
	return d
}

func intent(txnID string) method.Intent {
	return method.Intent{TxnID: txnID, Amount: fee, Wanted: true, Name: "Asha Rao", Email: "asha@example.com", Phone: "+919876543210"}
}

func (d *desk) start(t *testing.T, txnID string) method.ChargeSession {
	t.Helper()
	session, err := d.Start(t.Context(), intent(txnID))
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// answer formats a status or an error as one line.
func answer(s method.Status, err error) string {
	if err != nil {
		for _, known := range []error{method.ErrSignature, method.ErrUnknown, method.ErrDeclined, method.ErrNoCharge, method.ErrCurrency} {
			if errors.Is(err, known) {
				return known.Error()
			}
		}
		return err.Error()
	}
	words := []string{string(s.State), fee.String()}
	if len(s.Charges) > 0 {
		words[1] = s.Charges[0].Amount.String()
	}
	if s.AttemptFailed {
		words = append(words, "try failed")
	}
	if len(s.Charges) > 0 && s.Charges[0].Refunded.Minor > 0 {
		words = append(words, s.Charges[0].Refunded.String()+" back")
	}
	return strings.Join(words, ", ")
}

// refundAnswer formats a refund's state or an error as one line.
func refundAnswer(s method.RefundStatus, err error) string {
	if err != nil {
		return answer(method.Status{}, err)
	}
	return string(s.State) + ", " + s.Amount.String()
}

func TestOutcomes(t *testing.T) {
	const unknown = "payment: outcome unknown"
	pass := func(wait time.Duration) string { return "pass " + wait.String() }
	for _, c := range []struct {
		sentence string
		steps    []string // an outcome to press, "fetch", "cancel", "pass …"
	}{
		{"paid", []string{"paid", "paid, ₹1,499.00", "fetch", "paid, ₹1,499.00"}},
		{"failed", []string{"failed", "failed, ₹1,499.00, try failed", "fetch", "failed, ₹1,499.00, try failed"}},
		{"a failed order is not paid by another press", []string{"failed", "failed, ₹1,499.00, try failed", "paid", "failed, ₹1,499.00, try failed"}},
		{"pending, and paid later", []string{"pending", "pending, ₹1,499.00", "fetch", "pending, ₹1,499.00", "paid", "paid, ₹1,499.00"}},
		{"paid is never taken back", []string{"paid", "paid, ₹1,499.00", "failed", "paid, ₹1,499.00", "declined_try", "paid, ₹1,499.00", "cancel", "paid, ₹1,499.00"}},
		{"a double press charges once", []string{"paid", "paid, ₹1,499.00", "paid", "paid, ₹1,499.00"}},
		{"a declined try, then paid on the same order", []string{"declined_try", "pending, ₹1,499.00, try failed", "fetch", "pending, ₹1,499.00, try failed", "paid", "paid, ₹1,499.00"}},
		{"one paisa less", []string{"wrong_amount", "paid, ₹1,498.99", "fetch", "paid, ₹1,498.99"}},
		{"another currency", []string{"wrong_currency", "paid, $1,499.00", "fetch", "paid, $1,499.00"}},
		{"late after failed", []string{
			"late", "failed, ₹1,499.00, try failed", pass(4 * time.Second), "", "fetch", "failed, ₹1,499.00, try failed",
			pass(time.Second), "", "fetch", "paid, ₹1,499.00", "fetch", "paid, ₹1,499.00",
		}},
		{"late after cancelled", []string{
			"late_expired", "pending, ₹1,499.00", pass(time.Hour), "", "fetch", "pending, ₹1,499.00", "cancel", "pending, ₹1,499.00",
			"fetch", "pending, ₹1,499.00", pass(5 * time.Second), "", "fetch", "paid, ₹1,499.00",
		}},
		{"cancelled", []string{"pending", "pending, ₹1,499.00", "cancel", "failed, ₹1,499.00", "paid", "failed, ₹1,499.00", "fetch", "failed, ₹1,499.00"}},
		{"charged, two answers time out", []string{"timeout", unknown, "fetch", unknown, "fetch", "paid, ₹1,499.00"}},
		{"charged, three answers are 500", []string{"error500", unknown, "fetch", unknown, "fetch", unknown, "fetch", "paid, ₹1,499.00"}},
		{"an outcome that is not offered", []string{"free", "payment: bad signature", "fetch", "pending, ₹1,499.00"}},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, databaseURL string) {
				d := newDesk(t, databaseURL, func(n *Config) { n.HangFor = time.Nanosecond })
				session := d.start(t, "t1")
				for step := range slices.Chunk(c.steps, 2) {
					ctx := t.Context()
					got := ""
					if wait, isPass := strings.CutPrefix(step[0], "pass "); isPass {
						long, err := time.ParseDuration(wait)
						if err != nil {
							t.Fatal(err)
						}
						d.now = d.now.Add(long)
					} else if step[0] == "fetch" {
						got = answer(d.Fetch(ctx, intent("t1"), session.Ref))
					} else if step[0] == "cancel" {
						got = answer(d.Cancel(ctx, intent("t1"), session.Ref))
					} else {
						got = answer(d.Complete(ctx, intent("t1"), session.Ref, method.Return{Form: d.Press("t1", Outcome(step[0]))}))
					}
					if got != step[1] {
						t.Fatalf("after %s: %q, want %q", step[0], got, step[1])
					}
				}
			})
		})
	}
}

func TestForgedPressesAreRefused(t *testing.T) {
	d := newDesk(t, storetest.SQLite(t))
	d.start(t, "t1")
	d.start(t, "t2")
	other, err := New(Config{Orders: d.Orders, Key: bytes.Repeat([]byte{8}, 32), Clock: d.time})
	if err != nil {
		t.Fatal(err)
	}
	second, err := New(Config{Orders: d.Orders, Key: key, Clock: d.time, Name: "second"})
	if err != nil {
		t.Fatal(err)
	}
	good := d.Press("t1", Paid)
	flipped := []byte(good.Get("signature"))
	flipped[5] ^= 1
	for _, c := range []struct {
		sentence string
		form     url.Values
	}{
		{"no form", url.Values{}},
		{"no signature", url.Values{"outcome": {"paid"}}},
		{"an empty signature", url.Values{"outcome": {"paid"}, "signature": {""}}},
		{"a flipped bit", url.Values{"outcome": {"paid"}, "signature": {string(flipped)}}},
		{"the button of another outcome", url.Values{"outcome": {"paid"}, "signature": {d.Press("t1", Failed).Get("signature")}}},
		{"the button of another transaction", d.Press("t2", Paid)},
		{"a button under another key", other.Press("t1", Paid)},
		{"a button of another gateway", second.Press("t1", Paid)},
		{"the query proves nothing", url.Values{"payment_status": {"Success"}, "kspay_id": {"t1"}}},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			if got := answer(d.Complete(t.Context(), intent("t1"), "", method.Return{Form: c.form})); got != "payment: bad signature" {
				t.Error(got)
			}
			if got := answer(d.Fetch(t.Context(), intent("t1"), "")); got != "pending, ₹1,499.00" {
				t.Errorf("and the order is %s", got)
			}
		})
	}
}

func TestStart(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		d := newDesk(t, databaseURL)
		first := d.start(t, "t1")
		buttons, isList := first.Checkout["buttons"].([]any)
		if !isList || len(buttons) != len(Buttons) || first.Ref != "sbx_t1" {
			t.Fatalf("started as %q with %v", first.Ref, first.Checkout)
		}
		want := map[string]any{"outcome": "paid", "label": "Pay ₹1,499", "more": false, "signature": d.Press("t1", Paid).Get("signature")}
		if got := fmt.Sprint(buttons[0]); got != fmt.Sprint(want) {
			t.Errorf("first button %v, want %v", got, want)
		}
		if got := answer(d.Complete(t.Context(), intent("t1"), first.Ref, method.Return{Form: d.Press("t1", Paid)})); got != "paid, ₹1,499.00" {
			t.Fatal(got)
		}
		d.start(t, "t1")
		if got := answer(d.Fetch(t.Context(), intent("t1"), "")); got != "paid, ₹1,499.00" {
			t.Errorf("a second start left it %s", got)
		}
		for _, c := range []struct{ sentence, txnID, currency, want string }{
			{"another amount", "t1", "USD", "payment: declined"},
			{"a currency that it does not take", "t2", "GBP", "payment: currency not supported by provider"},
			{"no transaction", "", "INR", "payment: declined"},
		} {
			in := method.Intent{TxnID: c.txnID, Amount: admission.Money{Minor: 1900, Currency: c.currency}}
			_, err := d.Start(t.Context(), in)
			if got := answer(method.Status{}, err); got != c.want {
				t.Errorf("%s: %s, want %s", c.sentence, got, c.want)
			}
		}
		var both sync.WaitGroup
		for range 8 {
			both.Go(func() {
				if _, err := d.Start(context.Background(), intent("t3")); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
	})
}

func TestUnknownOrders(t *testing.T) {
	d := newDesk(t, storetest.SQLite(t))
	d.start(t, "t1")
	for sentence, got := range map[string]string{
		"fetch by transaction": answer(d.Fetch(t.Context(), intent("t9"), "")),
		"fetch by ref":         answer(d.Fetch(t.Context(), intent("t1"), "sbx_t9")),
		"fetch by strange ref": answer(d.Fetch(t.Context(), intent("t1"), "t1")),
		"cancel":               answer(d.Cancel(t.Context(), intent("t9"), "")),
		"complete":             answer(d.Complete(t.Context(), intent("t9"), "", method.Return{Form: d.Press("t9", Paid)})),
		"refund":               refundAnswer(d.Refund(t.Context(), intent("t9"), method.Charge{PaymentID: "sbxpay_t9"}, "r", fee)),
	} {
		if got != "payment: provider has no such transaction" {
			t.Errorf("%s: %s", sentence, got)
		}
	}
	t.Run("the ref of another attempt's order", func(t *testing.T) {
		if s, err := d.Fetch(t.Context(), intent("t2"), "sbx_t1"); err != nil || s.TxnID != "t1" {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

func TestRefund(t *testing.T) {
	const gone, declined = "payment: provider has no such transaction", "payment: declined"
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		d := newDesk(t, databaseURL)
		d.start(t, "t1")
		for i, c := range []struct {
			sentence, paymentID, refundID string
			amount                        admission.Money
			want                          string
		}{
			{"before it is paid", "sbxpay_t1", "r0", fee, gone},
			{"of another payment", "sbxpay_t2", "r0", fee, gone},
			{"of no payment", "", "r0", fee, gone},
			{"a part", "sbxpay_t1", "r1", admission.INR(499_00), "done, ₹499.00"},
			{"the same part again", "sbxpay_t1", "r1", admission.INR(499_00), "done, ₹499.00"},
			{"the same id for another amount", "sbxpay_t1", "r1", admission.INR(1_00), declined},
			{"more than is left", "sbxpay_t1", "r2", admission.INR(1_000_01), declined},
			{"nothing", "sbxpay_t1", "r2", admission.INR(0), declined},
			{"less than nothing", "sbxpay_t1", "r2", admission.INR(-1), declined},
			{"another currency", "sbxpay_t1", "r2", admission.Money{Minor: 100, Currency: "USD"}, declined},
			{"the rest", "sbxpay_t1", "r2", admission.INR(1_000_00), "done, ₹1,000.00"},
			{"one paisa more", "sbxpay_t1", "r3", admission.INR(1), declined},
		} {
			if i == 1 {
				if got := answer(d.Complete(t.Context(), intent("t1"), "", method.Return{Form: d.Press("t1", Paid)})); got != "paid, ₹1,499.00" {
					t.Fatal(got)
				}
			}
			s, err := d.Refund(t.Context(), intent("t1"), method.Charge{PaymentID: c.paymentID}, c.refundID, c.amount)
			if got := refundAnswer(s, err); got != c.want || err == nil && s.ProviderID != "sbxref_"+c.refundID {
				t.Errorf("%s: %s (%s), want %s", c.sentence, got, s.ProviderID, c.want)
			}
		}
		if got := answer(d.Fetch(t.Context(), intent("t1"), "")); got != "refunded, ₹1,499.00, ₹1,499.00 back" {
			t.Error(got)
		}
	})
}

func TestLatestRefundBounces(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		d := newDesk(t, databaseURL)
		d.start(t, "t1")
		happen := func(what ChargeEvent, want error) {
			t.Helper()
			if err := d.Apply(t.Context(), "t1", what); !errors.Is(err, want) {
				t.Fatalf("%s: %v, want %v", what, err, want)
			}
		}
		if got := answer(d.Complete(t.Context(), intent("t1"), "", method.Return{Form: d.Press("t1", Paid)})); got != "paid, ₹1,499.00" {
			t.Fatal(got)
		}
		happen(SecondCharge, nil)
		happen(RefundBounces, method.ErrDeclined)
		for _, r := range [][2]string{{"r1", "sbxpay_t1"}, {"r2", "sbxpay_t1_2"}} {
			if got := refundAnswer(d.Refund(t.Context(), intent("t1"), method.Charge{PaymentID: r[1]}, r[0], fee)); got != "done, ₹1,499.00" {
				t.Fatal(got)
			}
		}
		for _, id := range []string{"r2", "r1"} { // the second charge's refund first
			happen(RefundBounces, nil)
			if got := refundAnswer(d.FetchRefund(t.Context(), intent("t1"), id, "sbxref_"+id)); got != "failed, ₹1,499.00" {
				t.Errorf("%s: %s", id, got)
			}
		}
		happen(RefundBounces, method.ErrDeclined)
	})
}

func TestListYieldsMovementsOfADay(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		d := newDesk(t, databaseURL)
		midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, admission.IST)
		for _, c := range []struct {
			txnID   string
			started time.Time
			paid    time.Time
		}{
			{"yesterday", midnight.Add(-time.Hour), midnight.Add(-time.Microsecond)},
			{"first", midnight.Add(-6 * 24 * time.Hour), midnight},
			{"last", midnight, midnight.Add(24*time.Hour - time.Microsecond)},
			{"tomorrow", midnight, midnight.Add(24 * time.Hour)},
		} {
			d.now = c.started
			d.start(t, c.txnID)
			d.now = c.paid
			if _, err := d.Complete(t.Context(), intent(c.txnID), "", method.Return{Form: d.Press(c.txnID, Paid)}); err != nil {
				t.Fatal(err)
			}
		}
		d.start(t, "never")
		if _, err := d.Refund(t.Context(), intent("last"), method.Charge{PaymentID: "sbxpay_last"}, "r", fee); err != nil {
			t.Fatal(err)
		}
		var got []string
		for s, err := range d.List(t.Context(), midnight) {
			got = append(got, s.TxnID+" "+answer(method.Status{State: s.Charge.State, Charges: []method.Charge{s.Charge}}, err))
		}
		if want := []string{"first paid, ₹1,499.00", "last refunded, ₹1,499.00, ₹1,499.00 back"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		for range d.List(t.Context(), midnight) {
			break // a reader may stop
		}
	})
}

func TestNewRefuses(t *testing.T) {
	d := newDesk(t, storetest.SQLite(t))
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Orders: d.Orders, Key: key, Clock: d.time, Production: true}, "sandbox gateway: not allowed with APP_ENV=production, because it takes no real money"},
		{Config{Orders: d.Orders, Key: key[:31], Clock: d.time}, "sandbox gateway needs Orders, Clock and a Key of 32 bytes"},
	} {
		if _, err := New(c.config); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	for currency, takes := range map[string]bool{"INR": true, "USD": true, "EUR": true, "GBP": false, "": false} {
		if d.Entry().Accepts(currency) != takes {
			t.Errorf("takes %q: %t", currency, !takes)
		}
	}
	if d.Name != "sandbox" {
		t.Error(d.Name)
	}
}
