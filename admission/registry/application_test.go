package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

func TestApplicationStatus(t *testing.T) {
	const (
		verified = "done: Number Verified (With a code by SMS)"
		answers  = verified + "\ndone: Three steps filled in (Saved 12:00)\ndone: Terms agreed"
		upload   = "ahead: Upload your documents (Photo, student ID, last academic marksheet)"
		hear     = "ahead: You get our answer (Within 30 days of your last document)"
		started  = answers + "\ndone: Payment started"
		paid     = answers + "\ndone: ₹2,500.00 paid (Receipt and invoice sent by e-mail)"
		back     = "Check your bank or UPI app first. Any amount deducted will be refunded."
	)
	for _, row := range []struct {
		sentence string
		comes    func(w *businesstest.World) *businesstest.Person
		badge    string
		action   status.Action
		turn     status.Assignee
		title    string
		line     string
		way      string
	}{
		{
			"the phone is verified", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepVerified) }, "Number Verified, open", status.CompleteForm, status.Person,
			"Start your form", "The fee of ₹2,500.00 comes after step 4.",
			verified + "\nnow: Fill in the form, you\nahead: Pay the fee (₹2,500.00)\n" + upload,
		},
		{
			"two steps are saved", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepAcademic) }, "Form Incomplete, open", status.CompleteForm, status.Person,
			"Finish your form", "Your answers are saved. The fee of ₹2,500.00 comes after step 4.",
			verified + "\ndone: Two steps filled in (Saved 12:00)\nnow: Fill in the form, you\nahead: Pay the fee (₹2,500.00)\n" + upload,
		},
		{
			"the terms are agreed", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepAgreed) }, "Form Incomplete, open", status.PayNow, status.Person,
			"Pay the fee next", "Your answers are saved. The fee is ₹2,500.00, GST included.",
			answers + "\nnow: Pay the fee (₹2,500.00, GST included), you\n" + upload + "\n" + hear + ", us",
		},
		{
			"they are, and applications are closed", func(w *businesstest.World) *businesstest.Person {
				p := w.ApplicantAt(enrol.StepAgreed)
				p.Catalogue[2].Published = false
				return p
			}, "Form Incomplete, open", "", status.Nobody,
			"Applications are closed", "Applications are closed at the moment.", answers,
		},
		{
			"an attempt is open", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepPaying) }, "Payment Initiated, waiting", status.PayNow, status.Staff,
			"Payment not finished", "Not paid? Continue by 12:30.",
			started + "\nnow: Payment not finished (Paid already? Do not pay again: we ask your bank), us\n" + upload + ", you\n" + hear + ", us",
		},
		{
			"it failed", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepUnpaid) }, "Payment Failed, failed", status.PayNow, status.Person,
			"Pay the fee again", "Only the fee is missing. " + back,
			answers + "\nfailed: Payment failed (₹2,500.00 did not go through. Any amount deducted will be refunded in 3-4 business days)\nnow: Pay the fee (₹2,500.00, GST included), you\n" + upload + "\n" + hear + ", us",
		},
		{
			"a payment is looked at", func(w *businesstest.World) *businesstest.Person {
				p := w.ApplicantAt(enrol.StepPaying)
				p.ReturnWith(sandbox.WrongAmount)
				return p
			}, "Payment Initiated, waiting", "", status.Staff,
			"We are checking your payment", "Do not pay again. We e-mail you as soon as we know more.",
			answers + "\ndone: We are checking your payment (It was not the amount of the fee)\nnow: We are checking your payment (Do not pay again), us\nahead: You hear from us (By e-mail)",
		},
		{
			"it is paid", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepPaid) }, "Documents Pending, info", status.UploadDocuments, status.Person,
			"Upload your documents", "The fee is paid. We start reading when three documents are in.",
			paid + "\nnow: Upload your documents (Photo, student ID, last academic marksheet), you\nahead: We read your documents, us\n" + hear,
		},
		{
			"the documents are in", func(w *businesstest.World) *businesstest.Person { return w.ApplicantAt(enrol.StepComplete) }, "Completed, done", status.DownloadInvoice, status.Staff,
			"We have your documents", "You get our answer by 21 December 2026, by e-mail.",
			paid + "\ndone: Documents sent\ndone: Photo, student ID and last academic marksheet in (12:00)\nnow: We read your documents, us\n" + hear,
		},
		{
			"the fee was sent back", func(w *businesstest.World) *businesstest.Person {
				p := w.ApplicantAt(enrol.StepPaid)
				p.RefundAll()
				return p
			}, "Refunded, refunded", status.DownloadInvoice, status.Staff,
			"Refund sent", "We refunded ₹2,500.00. It should arrive by Tuesday, 1 December, in the account you paid from.",
			paid + "\ndone: Refund of ₹2,500.00 sent (To the account you paid from)\nnow: Your fee should arrive (On the account you paid from), us",
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := row.comes(w)
				detail := ownRegistration(p)
				businesstest.Equal(t, "badge", badgeOf(detail.Registration), row.badge)
				businesstest.Equal(t, "action", detail.Action, row.action)
				businesstest.Equal(t, "turn", detail.Assignee, row.turn)
				businesstest.Equal(t, "title", statusTexts(w, detail.Item).Title(), row.title)
				businesstest.Equal(t, "line", statusTexts(w, detail.Item).Line(), row.line)
				businesstest.Equal(t, "timeline", sortTimeline(timelineText(timelineOf(w, detail))), sortTimeline(row.way))
				_, err := w.Database.RenewEveryPhase(w.Ctx, "") // the test has changed the content
				w.Must(err)
				list, err := w.Registry.List(w.Ctx, p.Visitor, "", 10)
				w.Must(err)
				businesstest.Equal(t, "the list's standing is the detail's", list.Items[0].Status, detail.Status)
				businesstest.Equal(t, "waiting for the person", list.Waiting == 1, row.turn == status.Person)
				home, err := w.Registry.Home(w.Ctx, p.Visitor)
				w.Must(err)
				businesstest.Equal(t, "the home's too", home.Next.Status, detail.Status)
				businesstest.Equal(t, "it has no ticket", home.Ticket == nil, true)
				if strings.HasPrefix(row.title, "We are checking") { // so that the books are even in the end
					w.Must(w.Payment.OrderRefund(w.Ctx, p.TxnID, staff.Actor{Name: "staff"}))
				}
			})
		})
	}
}

// sortTimeline sorts timeline entries of one moment.
func sortTimeline(way string) string {
	lines := strings.Split(way, "\n")
	done := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "now: ") || strings.HasPrefix(line, "ahead: ") })
	if done < 0 {
		done = len(lines)
	}
	slices.Sort(lines[:done])
	return strings.Join(lines, "\n")
}

func TestHomeReadsAllRegistrations(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody().SignedIn()
		home, err := w.Registry.Home(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "of somebody who has none", home.Next == nil && home.Ticket == nil, true)

		// The oldest needs action; more than two batches of newer ones, for closed programmes, hide it.
		w.Catalogue = slices.Clone(w.Catalogue)
		for i := range 42 {
			w.Catalogue = append(w.Catalogue, admission.Event{Code: fmt.Sprint("old", i), Slug: fmt.Sprint("old-", i), Published: i == 0, ClosesAt: businesstest.Noon.AddDate(1, 0, 0)})
		}
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			for i := range 42 {
				at := businesstest.Noon.Add(time.Duration(i) * time.Minute)
				r := enrol.Registration{
					ID: fmt.Sprintf("%032x", i), EventCode: fmt.Sprint("old", i), EventSlug: fmt.Sprint("old-", i), Phone: "+91" + p.Phone, AccountID: p.AccountID, StateCode: "29",
					Step: enrol.StepVerified, CreatedAt: at, ModifiedAt: at, TermsAt: at,
				}
				if err := tx.AddRegistration(&r); err != nil {
					return err
				}
			}
			return nil
		}))
		home, err = w.Registry.Home(w.Ctx, p.Visitor)
		w.Must(err)
		businesstest.Equal(t, "what waits is found", home.Next.Registration.EventCode, "old0")

		enrolled := w.Enrolled(nil).PayLater(sandbox.Paid)
		home, err = w.Registry.Home(w.Ctx, enrolled.Visitor)
		w.Must(err)
		businesstest.Equal(t, "nothing waits: what changed last", home.Next.Registration.ID, enrolled.RegistrationID)
		businesstest.Equal(t, "its ticket", home.Ticket.Registration.ID, enrolled.RegistrationID)
		enrolled.RefundAll()
		home, err = w.Registry.Home(w.Ctx, enrolled.Visitor)
		w.Must(err)
		businesstest.Equal(t, "no ticket once it went back", home.Ticket == nil, true)
		home, err = w.Registry.Home(w.Ctx, w.Somebody().Visitor)
		w.Must(err)
		businesstest.Equal(t, "of somebody who is not signed in", home.Next == nil, true)
	})
}
