package checkout_test

import (
	"context"
	"testing"

	"hiresure/admission/business"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// asking is a gateway whose payer must go somewhere else before the payment can be made.
type asking struct {
	payment.Gateway
	next  string
	state payment.ChargeState
}

func (a *asking) Complete(_ context.Context, in method.Intent, ref string, _ method.Return) (payment.Status, error) {
	return payment.Status{TxnID: in.TxnID, Ref: ref, State: a.state, Next: a.next}, nil
}

func TestThePayerIsLedOnOnlyToWhereTheGatewayMayLead(t *testing.T) {
	there := &asking{}
	s := newSite(t, func(s *site, n *business.Needs) {
		entry := s.gateway.Entry()
		there.Gateway, entry.Gateway, entry.Checkout.Forms = entry.Gateway, there, []string{"https://bank.example"}
		n.Gateways = payment.Catalogue{entry}
	})
	b := s.enrolled(nil)
	txn := b.start()
	result := "/success?kspay_id=" + txn
	for _, c := range []struct {
		next  string
		state payment.ChargeState
		want  string
	}{
		{"https://bank.example/confirm?token=1", payment.ChargePending, "https://bank.example/confirm?token=1"},
		{"", payment.ChargePending, result},
		{"http://bank.example/confirm", payment.ChargePending, result},
		{"https://bank.example.evil.example/", payment.ChargePending, result},
		{"https://bank.example@evil.example/", payment.ChargePending, result},
		{"//bank.example/", payment.ChargePending, result},
		{"javascript:alert(1)", payment.ChargePending, result},
		{"https://bank.example/%zz", payment.ChargePending, result},
		{"https://bank.example/confirm", payment.ChargeFailed, result + "&payment_status=Failed&provider_payment_id="}, // it is over: the last, as it ends the attempt
	} {
		there.next, there.state = c.next, c.state
		got := b.post("/checkout/"+txn+"/return", s.gateway.Press(txn, sandbox.Pending))
		got.leadsTo(c.want)
	}
}
