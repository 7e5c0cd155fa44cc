package receipt_test

import (
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/receipt"
)

func TestSharerOfReferralCode(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		code := p.OwnReferral()
		sharer, err := w.Receipts.Sharer(w.Ctx, code)
		w.Must(err)
		businesstest.Equal(t, "who shares", sharer, receipt.Sharer{FullName: "Asha Rao", Course: "Blockchain", EventSlug: "hiresure-mgrow-2025", Code: code})
		_, err = w.Receipts.Sharer(w.Ctx, "00000000")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Referral code not found.")
		blind := receipt.Service{} // without a store: it looks nothing up
		for _, wrong := range []string{"", "SETU2025", strings.ToLower(code), code[1:], code + "A", code[:7] + "\x00", p.RegistrationID, "+91" + p.Phone} {
			_, err := blind.Sharer(w.Ctx, wrong)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "Referral code not found.")
		}
		_, err = w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		_, err = w.Receipts.Sharer(w.Ctx, code)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Referral code not found.")
	})
}
