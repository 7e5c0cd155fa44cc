package payment_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/message"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
)

func TestReceiptIsSentAgain(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		by := staff.Actor{Name: "Meera Nambiar"}
		const none = "this payment has no receipt to send"
		p := w.Paying(nil)
		businesstest.ExpectProblem(t, w.Payment.SendReceiptAgain(w.Ctx, p.TxnID, by), admission.Conflict, "", none)
		businesstest.ExpectProblem(t, w.Payment.SendReceiptAgain(w.Ctx, admission.NewID(), by), admission.NotFound, "", "Payment not found.")
		p.ReturnWith(sandbox.Paid)
		w.Advance(time.Minute)
		first := p.Mailed("receipt")
		sent := func() (mails []message.Message) {
			return slices.DeleteFunc(p.Post.To(p.Email), func(m message.Message) bool { return m.Template != "receipt" })
		}
		w.Clock.Pass(time.Hour)
		w.Must(w.Payment.SendReceiptAgain(w.Ctx, p.TxnID, by))
		w.Must(w.Payment.SendReceiptAgain(w.Ctx, p.TxnID, by)) // pressed twice
		w.Advance(time.Minute)
		businesstest.Equal(t, "mails", len(sent()), 2)
		again := sent()[1]
		businesstest.Equal(t, "the same sum", again.Params["Amount"], first.Params["Amount"])
		businesstest.Equal(t, "a new link", again.Params["ReceiptURL"] != first.Params["ReceiptURL"], true)
		businesstest.Same(t, "the log", w.Texts("SELECT who, whom FROM staff_log WHERE what = 'sent the receipt again'"), []string{"Meera Nambiar | payment " + p.TxnID, "Meera Nambiar | payment " + p.TxnID})
		businesstest.Same(t, "site verify", w.VerifyBooks(), nil)
		p.RefundAll()
		businesstest.ExpectProblem(t, w.Payment.SendReceiptAgain(w.Ctx, p.TxnID, by), admission.Conflict, "", none)
	})
}
