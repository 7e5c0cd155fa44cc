package store_test

import (
	"testing"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestAPaymentIsFoundByHowItsNumberBegins(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		const one, twin, other = "mavb1v15aaaa0000000000000a", "mavb1v15aabb0000000000000a", "zzzz00001111222233334444aa"
		update(t, s, func(tx store.Tx) error {
			if err := tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "E", Phone: "1"}); err != nil {
				return err
			}
			for _, id := range []string{one, twin, other} {
				if err := tx.AddTransaction(&payment.Transaction{ID: id, RegistrationID: "r", Gateway: "g", Charge: admission.INR(149900), State: payment.Failed, MerchantRef: id}); err != nil {
					return err
				}
			}
			return nil
		})
		for _, row := range []struct{ said, found, refusal string }{
			{"zzzz 0000", other, ""},
			{"ZZZZ OOOO iIlL", other, ""},
			{" zzzz00001111222233334444aa ", other, ""},
			{"mavb 1v15 aaaa", one, ""},
			{"mavb lvi5 aabb", twin, ""},
			{"mavb 1v15", "", "find payment: more than one payment's number begins with mavb1v15: ask for one group more"},
			{"mavb 1v16", "", "find payment: no payment's number begins with mavb1v16"},
			{"zzzz 000", "", `a payment is found by the first two groups of its number at least, such as 7nb1 ac9c, not by "zzzz 000"`},
			{"%%%%%%%%", "", `a payment is found by the first two groups of its number at least, such as 7nb1 ac9c, not by "%%%%%%%%"`},
			{"zzzz____", "", `a payment is found by the first two groups of its number at least, such as 7nb1 ac9c, not by "zzzz____"`},
			{other + "a", "", `a payment is found by the first two groups of its number at least, such as 7nb1 ac9c, not by "` + other + `a"`},
			{"", "", `a payment is found by the first two groups of its number at least, such as 7nb1 ac9c, not by ""`},
		} {
			found, err := s.PaymentBeginning(t.Context(), row.said)
			switch {
			case row.refusal != "" && (err == nil || err.Error() != row.refusal || found != nil):
				t.Errorf("%q: %+v, %v; want %s", row.said, found, err, row.refusal)
			case row.refusal == "" && (err != nil || found == nil || found.ID != row.found):
				t.Errorf("%q: %+v, %v; want %s", row.said, found, err, row.found)
			}
		}
	})
}
