package payment

import (
	"testing"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// Staff send again the refund that failed, not the latest one.
func TestTheRefundThatFailedIsFound(t *testing.T) {
	refund := func(minor int64, state method.RefundState, reason RefundReason) Refund {
		return Refund{Amount: admission.INR(minor), State: state, Reason: reason}
	}
	for name, row := range map[string]struct {
		refunds []Refund
		want    int64 // 0: none
	}{
		"none":                       {nil, 0},
		"an earlier one":             {[]Refund{refund(100, method.RefundBounced, ReasonOrdered), refund(1000, method.RefundDone, ReasonOrdered)}, 100},
		"the later of two":           {[]Refund{refund(1, method.RefundFailed, ReasonOrdered), refund(2, method.RefundFailed, ReasonOrdered)}, 2},
		"an excess has its own way":  {[]Refund{refund(50, method.RefundFailed, ReasonExcess)}, 0},
		"a dispute is not sent back": {[]Refund{refund(50, method.RefundBounced, ReasonDispute)}, 0},
		"all are done":               {[]Refund{refund(50, method.RefundDone, ReasonOrdered)}, 0},
	} {
		found := chargeRefunds{refunds: row.refunds}.failed()
		if found == nil && row.want != 0 || found != nil && found.Amount.Minor != row.want {
			t.Errorf("%s: %+v, want %d", name, found, row.want)
		}
	}
}
