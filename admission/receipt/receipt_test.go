package receipt_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/receipt"
)

func TestReceiptWithoutSupplier(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Supplier = nil
		p := w.Paid(nil)
		p.ExpectState(p.TxnID, businesstest.PaymentState{State: payment.Paid, Outcome: payment.OutcomePaid, Step: enrol.StepComplete, Mails: "receipt", Timeline: "enrolled, paid"})
		businesstest.Equal(t, "series", w.Count("invoice_series"), 0)
		mail := p.Post.To(p.Email)[0]
		businesstest.Equal(t, "no invoice in the mail", mail.Params["InvoiceURL"]+mail.Params["InvoiceNumber"], "")
		token := strings.TrimPrefix(mail.Params["ReceiptURL"], "https://www.example.in/receipt/")
		found, err := w.Receipts.OpenReceipt(w.Ctx, token)
		w.Must(err)
		businesstest.Equal(t, "no invoice behind the link", found.Invoice == nil, true)
		businesstest.Equal(t, "amount", found.Transaction.Charge, admission.INR(1499_00))
	})
}

func TestReceiptNamesFutureDays(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		for i := range w.Catalogue {
			w.Catalogue[i].Days = []admission.Day{
				{What: "Mock test", On: time.Date(2026, 11, 20, 0, 0, 0, 0, admission.IST)},
				{What: "Scholarship exam", On: time.Date(2026, 11, 21, 0, 0, 0, 0, admission.IST), Brief: "Online."},
				{What: "Results", On: time.Date(2026, 12, 1, 0, 0, 0, 0, admission.IST)},
			}
		}
		p := w.Paid(nil) // on 21 November
		w.RunJobs()
		businesstest.Equal(t, "dates", p.Post.To(p.Email)[0].Params["Days"], "2026-11-21\tScholarship exam\tOnline.\n2026-12-01\tResults\t")
	})
}

func TestReceiptLinkWorksForNinetyDays(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.RunJobs()
		token := strings.TrimPrefix(p.Post.To(p.Email)[0].Params["ReceiptURL"], "https://www.example.in/receipt/")
		businesstest.Equal(t, "tokens stored in clear", w.Count("links WHERE token_hash = $1", token), 0)
		w.Clock.Set(businesstest.Noon.Add(90*24*time.Hour - time.Second))
		found, err := w.Receipts.OpenReceipt(w.Ctx, token)
		w.Must(err)
		businesstest.Equal(t, "registration", found.Registration.ID, p.RegistrationID)
		for _, bad := range []string{"", admission.NewToken(), token[1:], strings.ToUpper(token)} {
			_, err := w.Receipts.OpenReceipt(w.Ctx, bad)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "Receipt not found.")
		}
		w.Clock.Set(businesstest.Noon.Add(90 * 24 * time.Hour))
		if _, err = w.Receipts.OpenReceipt(w.Ctx, token); !errors.Is(err, receipt.ErrLinkExpired) {
			t.Errorf("after ninety days: %v", err)
		}
	})
}
