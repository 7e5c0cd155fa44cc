package sandbox

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
)

// Descriptor returns the sandbox's entry for the catalogue; name "" means "sandbox", currencies nil means INR, USD and EUR.
func Descriptor(name string, currencies []string) method.Descriptor {
	if currencies == nil {
		currencies = []string{"INR", "USD", "EUR"}
	}
	return method.Descriptor{
		Name: cmp.Or(name, "sandbox"), Label: "Test payment", Provider: "the test bank", Note: "No money moves.",
		Notice:     "This is a test site: no money moves. Choose what the test bank answers.",
		Currencies: currencies, PlayMoney: true, Payload: []string{"buttons"}, Carries: method.CarriesStatus, Forms: forms,
	}
}

// Descriptor returns this gateway's descriptor.
func (g *Gateway) Descriptor() method.Descriptor { return Descriptor(g.Name, g.Currencies) }

// Entry returns this gateway's catalogue entry.
func (g *Gateway) Entry() payment.Entry {
	return payment.Entry{Descriptor: g.Descriptor(), Gateway: g, Offered: true}
}

// signedButton is a Button with a signature that binds it to the transaction.
type signedButton struct {
	Outcome   Outcome `json:"outcome"`
	Label     string  `json:"label"`
	More      bool    `json:"more"`
	Signature string  `json:"signature"`
}

// checkout returns the data of the checkout page.
func (g *Gateway) checkout(in method.Intent) map[string]any {
	var signed []any
	for _, b := range Buttons {
		label := b.Label
		if b.Outcome == Paid {
			label += " " + in.Amount.Short()
		}
		signed = append(signed, map[string]any{
			"outcome": string(b.Outcome), "label": label, "more": b.More, "signature": hex.EncodeToString(g.signature(in.TxnID, b.Outcome)),
		})
	}
	return map[string]any{"buttons": signed}
}

// forms returns the buttons for browsers without scripts; islands/checkout/sandbox.tsx renders the same.
func forms(checkout map[string]any) (forms []method.Form, err error) {
	text, err := json.Marshal(checkout["buttons"]) // stored as JSON, so structs come back as maps
	if err != nil {
		return nil, err
	}
	var signed []signedButton
	if err := json.Unmarshal(text, &signed); err != nil {
		return nil, fmt.Errorf("read buttons: %w", err)
	}
	for _, b := range signed {
		form := method.Form{Label: b.Label, Look: method.FormBeside, Fields: []method.FormField{{Name: "outcome", Value: string(b.Outcome)}, {Name: "signature", Value: b.Signature}}}
		switch {
		case b.More:
			form.Look = method.FormMore
		case b.Outcome == Paid:
			form.Look = method.FormFirst
		}
		forms = append(forms, form)
	}
	return forms, nil
}
