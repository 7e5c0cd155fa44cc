package site_test

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/e2e/money"
	"hiresure/simulators"
)

// lastEvent returns the provider's last event.
func (b *simulator) lastEvent() simulators.Event {
	events := b.Events()
	return events[len(events)-1]
}

// forgeries are forged webhooks and returns, and those about unknown payments.
var forgeries = []mishap{
	{"6 forged webhooks", nil, func(l *gatewaySite, at money.Provider) {
		another := l.enrol("").start(at)
		another.pay()
		if at.WeTake {
			another.comeBack(nil)
		}
		otherEvent := another.lastEvent()
		l.catchUp(another.simulator)
		o := l.enrol("").start(at)
		o.pay()
		genuine := o.lastEvent()
		l.mustReject(o.simulator, o.Forgeries(genuine, otherEvent))
		l.Work()
		o.mustBe(payment.Pending, "of what is forged nothing comes:")
		l.deliver(o.simulator, genuine, 1)
		l.Work()
		o.mustBe(payment.Paid, "after the genuine one")
		l.mustBalance()
	}},
	{"6 forged returns", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		for _, forged := range []url.Values{
			{"razorpay_payment_id": {"pay_forged"}, "razorpay_order_id": {"order_forged"}, "razorpay_signature": {"forged"}},
			{"status": {"success"}, "txnid": {o.name}, "mihpayid": {"1"}, "hash": {"forged"}},
			{"token": {"forged"}},
			{"payment_status": {"Success"}, "provider_payment_id": {"forged"}},
		} {
			if location := o.comeBack(forged); strings.Contains(location, "Success") {
				l.T.Errorf("%v leads to %s", forged, location)
			}
		}
		if o.state() == payment.Paid || o.Captured(at.Currency) != 0 {
			l.T.Errorf("a forged return has paid: %s", o.state())
		}
		l.Passes(2 * time.Second)
		o.comeBack(o.Pay(o.name))
		o.mustBe(payment.Paid, "after the payment")
		l.mustBalance()
	}},
	{"7 webhooks of what is not ours, with a good signature", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		genuine := o.lastEvent()
		l.deliver(o.simulator, o.Resigned(genuine, func(body string) string { return strings.ReplaceAll(body, o.Txn, "order-7") }), 1)
		if kept := l.count("SELECT COUNT(*) FROM inbox"); kept != 0 {
			l.T.Errorf("%d events of another shop are kept", kept)
		}
		unknown := admission.NewID()
		l.deliver(o.simulator, o.Resigned(genuine, func(body string) string { return strings.ReplaceAll(body, o.Txn, unknown) }), 1)
		l.Work()
		o.mustBe(payment.Pending, "told of another's payment")
		l.mustBalance("webhook of an unknown payment")
		o.mustBe(payment.Paid, "asked about")
	}},
	{"7 the return of another payer", nil, func(l *gatewaySite, at money.Provider) {
		o, another := l.enrol("").start(at), l.enrol("").start(at)
		back := another.pay()
		if o.comeBack(back); o.state() == payment.Paid {
			l.T.Error("another's payment has paid for this")
		}
		l.settle()
		another.mustBe(payment.Paid, "asked about")
		l.mustBalance()
		if state := o.state(); state != payment.Expired && state != payment.Failed {
			l.T.Errorf("after its life it is %s", state)
		}
	}},
	{"8 the address says paid, the provider failed", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		back := o.Decline(o.name)
		says := "?payment_status=Success&provider_payment_id=pay_1&kspay_id=" + o.Txn + "&txId=" + o.Txn
		answer, err := o.by.Client.Get(l.Base + "/checkout/" + o.Txn + "/return" + says)
		l.must(err)
		answer.Body.Close()
		if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || strings.Contains(to, "Success") {
			l.T.Errorf("the return is answered %d %s", answer.StatusCode, to)
		}
		if page, err := o.by.page("/success" + says); err != nil || strings.Contains(page, congratulations) {
			l.T.Errorf("the result congratulates, %v", err)
		}
		l.Passes(3 * time.Second)
		o.comeBack(back)
		if word, err := o.by.Verify(o.Txn); err != nil || word == string(payment.OutcomePaid) {
			l.T.Errorf("it is %s, %v", word, err)
		}
		l.mustBalance()
		if state := o.state(); state != payment.Failed && state != payment.Expired {
			l.T.Errorf("it ended as %s", state)
		}
	}},
	{"8 the address says failed, the provider paid", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		says := "?payment_status=Failed&kspay_id=" + o.Txn
		for _, path := range []string{"/checkout/" + o.Txn + "/return", "/success"} {
			answer, err := o.by.Client.Get(l.Base + path + says)
			l.must(err)
			answer.Body.Close()
		}
		l.mustBalance()
		o.mustBe(payment.Paid, "asked about")
		o.by.mustSee("/success"+says, congratulations)
	}},
	{"17 the secret of webhooks is rotated", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		genuine := o.lastEvent()
		l.mustReject(o.simulator, map[string]simulators.Event{"a third secret": o.Signed(genuine, "another")})
		l.deliver(o.simulator, o.Signed(genuine, retired), 2)
		l.Work()
		o.mustBe(payment.Paid, "told by the old secret")
		l.catchUp(o.simulator)
		if receipts := l.count("SELECT COUNT(*) FROM messages WHERE cause LIKE 'receipt:%'"); receipts != 1 {
			l.T.Errorf("told by both secrets: %d receipts", receipts)
		}
		l.mustBalance()
	}},
	{"20 bodies that are none", nil, func(l *gatewaySite, at money.Provider) {
		o := l.enrol("").start(at)
		o.pay()
		genuine := o.lastEvent()
		long := append(genuine.Body[:len(genuine.Body):len(genuine.Body)], strings.Repeat(" ", 256<<10)...)
		for what, c := range map[string]struct {
			body   []byte
			status int
		}{
			"nothing": {nil, http.StatusBadRequest}, "a brace": {[]byte("{"), http.StatusBadRequest}, "no text": {[]byte{0xff, 0, 0xfe}, http.StatusBadRequest}, "too long": {long, http.StatusRequestEntityTooLarge},
		} {
			if response, err := money.Tell(l.Base, at.Name, simulators.Event{Header: genuine.Header, Body: c.body}); err != nil || response.Status != c.status {
				l.T.Errorf("%s is answered %d %s, %v", what, response.Status, response.Body, err)
			}
		}
		if kept := l.count("SELECT COUNT(*) FROM inbox"); kept != 0 {
			l.T.Errorf("%d are kept", kept)
		}
		header := genuine.Header.Clone()
		header.Set("Content-Type", "application/octet-stream") // only the signed body counts
		l.deliver(o.simulator, simulators.Event{Header: header, Body: genuine.Body}, 1)
		l.Work()
		o.mustBe(payment.Paid, "after the genuine one")
		l.mustBalance()
	}},
}
