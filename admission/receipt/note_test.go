package receipt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/receipt"
)

// refund returns a refund of a charge, created some minutes after noon.
func refund(id, charge string, minutes int, reason payment.RefundReason, state method.RefundState) payment.Refund {
	at := businesstest.Noon.Add(time.Duration(minutes) * time.Minute)
	return payment.Refund{ID: id, PaymentID: charge, Amount: admission.INR(100_00), Reason: reason, State: state, CreatedAt: at, PostedAt: at, ChangedAt: at}
}

// surplus returns another payment, settled some minutes after noon, with its refunds.
func surplus(minutes int, state payment.State, refunds ...payment.Refund) receipt.Surplus {
	return receipt.Surplus{
		Transaction: payment.Transaction{ID: "other", PaymentID: "other charge", State: state, Charge: admission.INR(1499_00), SettledAt: businesstest.Noon.Add(time.Duration(minutes) * time.Minute)},
		Refunds:     refunds,
	}
}

func TestNotes(t *testing.T) {
	const own, second = "charge", "second charge"
	wrong := surplus(5, payment.RefundDue)
	wrong.Transaction.Arrived = admission.INR(1400_00)
	for sentence, row := range map[string]struct {
		changes func(*receipt.Receipt)
		after   time.Duration
		want    string // kind, reason and payment of each note
	}{
		"paid":          {func(*receipt.Receipt) {}, 0, ""},
		"paid late":     {func(r *receipt.Receipt) { r.Late = true }, 0, "late  mine"},
		"late, a month": {func(r *receipt.Receipt) { r.Late = true }, 30 * 24 * time.Hour, ""},
		"disputed":      {func(r *receipt.Receipt) { r.Transaction.State = payment.Disputed }, 365 * 24 * time.Hour, "dispute open  mine"},
		"a part is sent": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonAtProvider, method.RefundDone)}
		}, 0, "sent part of the fee mine"},
		"a part bounces": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonAtProvider, method.RefundBounced)}
		}, 0, "bounced  mine"},
		"a bounced part is sent again": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonAtProvider, method.RefundBounced), refund("b", own, 2, payment.ReasonAtProvider, method.RefundDone)}
		}, 0, "sent part of the fee mine"},
		"a part is lost": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonDispute, method.RefundDone)}
		}, 0, "dispute lost  mine"},
		"a lost part is back": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonDispute, method.RefundBounced)}
		}, 0, "dispute back  mine"},
		"a loss": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonRefundLoss, method.RefundDone)}
		}, 0, ""},
		"all is refunded": {func(r *receipt.Receipt) {
			r.Registration.Refunded = true
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonAtProvider, method.RefundDone)}
		}, 0, ""},
		"the excess is due": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonExcess, method.RefundAsked)}
		}, 0, "due above the fee mine"},
		"the excess failed": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonExcess, method.RefundFailed)}
		}, 365 * 24 * time.Hour, "failed above the fee mine"},
		"the excess failed, and its retry succeeds": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonExcess, method.RefundFailed), refund("b", own, 2, payment.ReasonExcess, method.RefundDone)}
		}, 0, "sent above the fee mine"},
		"the excess failed, and a part of the fee is sent": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", own, 1, payment.ReasonExcess, method.RefundFailed), refund("b", own, 2, payment.ReasonAtProvider, method.RefundDone)}
		}, 0, "sent part of the fee mine, failed above the fee mine"},
		"a second charge failed, and its retry is accepted": {func(r *receipt.Receipt) {
			r.Refunds = []payment.Refund{refund("a", second, 1, payment.ReasonSecondCharge, method.RefundFailed), refund("b", second, 2, payment.ReasonSecondCharge, method.RefundAccepted)}
		}, 0, "sent paid twice mine"},
		"paid twice": {func(r *receipt.Receipt) { r.Surplus = []receipt.Surplus{surplus(5, payment.RefundDue)} }, 0, "due paid twice other"},
		"a coupon paid": {func(r *receipt.Receipt) {
			r.Transaction.Gateway = payment.NoGateway
			r.Surplus = []receipt.Surplus{surplus(5, payment.RefundDue)}
		}, 0, "due covered by a coupon other"},
		"a wrong amount":                        {func(r *receipt.Receipt) { r.Surplus = []receipt.Surplus{wrong} }, 0, "due not the fee other"},
		"another is due, and was settled first": {func(r *receipt.Receipt) { r.Surplus = []receipt.Surplus{surplus(-5, payment.RefundDue)} }, 0, "due paid twice other"},
		"another of ours went back, and was settled first": {func(r *receipt.Receipt) {
			r.Surplus = []receipt.Surplus{surplus(-5, payment.Refunded, refund("a", "other charge", -4, payment.ReasonPaidTwice, method.RefundDone))}
		}, 0, "sent paid twice other"},
		"another was returned before we knew of it": {func(r *receipt.Receipt) {
			r.Surplus = []receipt.Surplus{surplus(5, payment.Refunded, refund("a", "other charge", 5, payment.ReasonAtProvider, method.RefundDone))}
		}, 0, "sent returned other"},
		"another was refunded at the provider later": {func(r *receipt.Receipt) {
			r.Surplus = []receipt.Surplus{surplus(5, payment.Refunded, refund("a", "other charge", 9, payment.ReasonAtProvider, method.RefundDone))}
		}, 0, "sent paid twice other"},
		"another's dispute was lost": {func(r *receipt.Receipt) {
			r.Surplus = []receipt.Surplus{surplus(5, payment.Refunded, refund("a", "other charge", 5, payment.ReasonDispute, method.RefundDone))}
		}, 0, ""},
		"sent two months ago": {func(r *receipt.Receipt) {
			r.Surplus = []receipt.Surplus{surplus(5, payment.Refunded, refund("a", "other charge", 9, payment.ReasonPaidTwice, method.RefundDone))}
		}, 60 * 24 * time.Hour, ""},
	} {
		r := receipt.Receipt{
			Registration: enrol.Registration{PaidTxnID: "mine"},
			Transaction:  payment.Transaction{ID: "mine", PaymentID: own, Gateway: "sandbox", State: payment.Paid, Charge: admission.INR(1499_00), SettledAt: businesstest.Noon},
		}
		row.changes(&r)
		var got []string
		for _, n := range r.Notes(businesstest.Noon.Add(time.Hour + row.after)) {
			got = append(got, fmt.Sprint(n.Kind, " ", n.Reason, " ", n.TxnID))
		}
		if got := strings.Join(got, ", "); got != row.want {
			t.Errorf("%s: %q, want %q", sentence, got, row.want)
		}
	}
}
