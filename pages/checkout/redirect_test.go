package checkout_test

import (
	"context"
	"testing"

	"hiresure/admission/business"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
)

// asking is a gateway whose payer must visit another page before the payment.
type asking struct {
	method.Gateway
	next  string
	state method.ChargeState
}

func (a *asking) Complete(_ context.Context, in method.Intent, ref string, _ method.Return) (method.Status, error) {
	return method.Status{TxnID: in.TxnID, Ref: ref, State: a.state, Next: a.next}, nil
}

func TestRedirectOnlyToTheGatewaysOrigins(t *testing.T) {
	there := &asking{}
	s := newSite(t, func(s *site, n *business.Config) {
		entry := s.gateway.Entry()
		there.Gateway, entry.Gateway, entry.Checkout.Forms = entry.Gateway, there, []string{"https://bank.example"}
		n.Gateways = payment.Catalogue{entry}
	})
	b := s.enrolled(nil)
	txn := b.start()
	result := "/success?kspay_id=" + txn
	for _, c := range []struct {
		next  string
		state method.ChargeState
		want  string
	}{
		{"https://bank.example/confirm?token=1", method.ChargePending, "https://bank.example/confirm?token=1"},
		{"", method.ChargePending, result},
		{"http://bank.example/confirm", method.ChargePending, result},
		{"https://bank.example.evil.example/", method.ChargePending, result},
		{"https://bank.example@evil.example/", method.ChargePending, result},
		{"//bank.example/", method.ChargePending, result},
		{"javascript:alert(1)", method.ChargePending, result},
		{"https://bank.example/%zz", method.ChargePending, result},
		{"https://bank.example/confirm", method.ChargeFailed, result + "&payment_status=Failed&provider_payment_id="}, // the last, because it ends the attempt
	} {
		there.next, there.state = c.next, c.state
		got := b.post("/checkout/"+txn+"/return", s.gateway.Press(txn, sandbox.Pending))
		got.leadsTo(c.want)
	}
}
