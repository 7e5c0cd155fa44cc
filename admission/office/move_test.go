package office_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/integrations/pdf"
)

// movers is the office over a world with exams of the same and of another fee.
func movers(t *testing.T, w *businesstest.World) *office.Service {
	t.Helper()
	again := w.Catalogue[0]
	again.Slug, again.Code, again.SubeventCode, again.Title = "again", "KS_Again", "KS_Again_2027", "HireSure again"
	dearer, full, other := again, again, again
	dearer.Slug, dearer.Code, dearer.Fee = "dearer", "KS_Dearer", admission.INR(1599_00)
	full.Slug, full.Code, full.SoldOut = "full", "KS_Full", true
	other.Slug, other.Code, other.Courses = "other", "KS_Other", []string{"Cyber_Security"}
	w.Catalogue = append(w.Catalogue, again, dearer, full, other)
	for i := range w.Catalogue {
		e := &w.Catalogue[i]
		if e.Code != enrol.ApplicationCode {
			e.Exam = time.Date(2027, 3, 14+7*i, 0, 0, 0, 0, admission.IST)
			e.RefundUntil = e.Exam.AddDate(0, 0, -7)
			e.Days = []admission.Day{{What: "Scholarship exam", On: e.Exam, Brief: "Online."}}
		}
	}
	o, err := office.New(office.Config{
		Store: w.Database.Office(), Books: w.Database, Storage: emptyStorage{}, Events: &w.Catalogue, Supplier: businesstest.NoSupplier, Papers: w.Papers, Payment: w.Payment, Registry: w.Registry,
		Printers: 1, NewStack: func(to io.Writer) office.Stack { return pdf.NewStack(to) }, Clock: w.Clock.Now,
	})
	w.Must(err)
	return o
}

var allCodes = []string{"KS_Mgrow", "KS_Campus", "KS_Again", "KS_Dearer", "KS_Full", "KS_Other", enrol.ApplicationCode, "unknown"}

func whys(m office.Moves) string {
	var lines []string
	for _, c := range m.Choices {
		lines = append(lines, strings.TrimSpace(c.Event.Code+": "+c.Why))
	}
	return strings.Join(lines, "\n")
}

func TestAPaidEnrolmentMovesToAnotherExam(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		o, by := movers(t, w), staff.Actor{Name: "Meera Nambiar", Account: "a", Session: "s"}
		p := w.Paid(nil)
		id, txn := p.RegistrationID, p.TxnID
		number, key := p.Ticket()
		referral := p.OwnReferral()
		m, err := o.Moves(w.Ctx, id, allCodes)
		w.Must(err)
		businesstest.Equal(t, "other exams", whys(m), "KS_Campus: Another fee: refund, then enrol again.\nKS_Again:\nKS_Dearer: Another fee: refund, then enrol again.\nKS_Full: All seats of this programme are taken.\nKS_Other: It does not offer Blockchain.")

		for _, row := range []struct {
			from, to, reason string
			kind             admission.Kind
			field, message   string
		}{
			{"KS_Mgrow", "KS_Again", "because", admission.Invalid, "reason", "Choose a reason"},
			{"KS_Mgrow", "", office.MoveReasons[0], admission.Invalid, "event", "Choose an exam"},
			{"KS_Mgrow", "KS_Mgrow", office.MoveReasons[0], admission.Invalid, "event", "Choose an exam"},
			{"KS_Mgrow", enrol.ApplicationCode, office.MoveReasons[0], admission.Invalid, "event", "Choose an exam"},
			{"KS_Mgrow", "KS_Full", office.MoveReasons[0], admission.Conflict, "event", "All seats of this programme are taken."},
			{"KS_Mgrow", "KS_Dearer", office.MoveReasons[0], admission.Conflict, "event", "Another fee: refund, then enrol again."},
			{"KS_Again", "KS_Campus", office.MoveReasons[0], admission.Conflict, "", "Somebody else was faster: this registration is now for HireSure mGrow Scholarship. Nothing was done."},
		} {
			businesstest.ExpectProblem(t, o.MoveExam(w.Ctx, id, row.from, row.to, row.reason, by), row.kind, row.field, row.message)
		}
		businesstest.Equal(t, "moves", w.Count("entries WHERE what = $1", string(enrol.EntryMoved)), 0)

		done := 0
		for _, err := range businesstest.Concurrently(4, func(int) error { return o.MoveExam(w.Ctx, id, "KS_Mgrow", "KS_Again", office.MoveReasons[0], by) }) {
			switch {
			case err == nil:
				done++
			case !admission.HasKind(err, admission.Conflict):
				t.Errorf("pressed by many: %v", err)
			}
		}
		businesstest.Equal(t, "moves", done, 1)
		r, err := o.Registration(w.Ctx, id)
		w.Must(err)
		if r.EventCode != "KS_Again" || r.EventSlug != "again" || r.SubeventCode != "KS_Again_2027" || r.Ticket != number || r.TicketKey == key || len(r.TicketKey) != len(key) || r.OwnReferral != referral || r.PaidTxnID != txn {
			t.Errorf("moved: %+v", r)
		}
		if _, err := w.Receipts.ReceiptOfTicket(w.Ctx, key); !admission.HasKind(err, admission.NotFound) {
			t.Errorf("the old code opens the ticket: %v", err)
		}
		of, err := w.Receipts.ReceiptOfTicket(w.Ctx, r.TicketKey)
		if err != nil || of.Event.Code != "KS_Again" || of.Invoice == nil || !strings.Contains(of.Invoice.Description, "mGrow") {
			t.Errorf("the new ticket: %+v, %v", of, err)
		}
		businesstest.Same(t, "entries", w.Texts("SELECT detail FROM entries WHERE what = $1", string(enrol.EntryMoved)), []string{"14 Mar 2027 → 4 Apr 2027. Another exam on the same day"})
		businesstest.Same(t, "the log", w.Texts("SELECT what || ', ' || whom || ', ' || was || ', ' || becomes || ', ' || reason FROM staff_log"), []string{"moved to another exam, registration " + id + ", KS_Mgrow, KS_Again, Another exam on the same day"})
		w.RunJobs()
		mail := p.Mailed("exam-moved")
		for name, want := range map[string]string{
			"Exam": "2027-04-04", "Before": "14 Mar 2027", "After": "4 Apr 2027", "Reason": "another exam on the same day", "Programme": "HireSure again", "Ticket": number, "Amount": "₹1,499.00",
			"CalendarURL": w.Payment.BaseURL + "/ticket/" + r.TicketKey + "/exam.ics", "Refund": "Full refund until 28 Mar 2027. After that, one free move to the next exam.",
		} {
			if mail.Params[name] != want {
				t.Errorf("the mail's %s is %q, want %q", name, mail.Params[name], want)
			}
		}
		businesstest.Equal(t, "messages", w.Count("messages WHERE template LIKE 'exam-moved%'"), 2)
		businesstest.Same(t, "papers printed anew", w.Texts("SELECT kind FROM papers WHERE issue = 2 ORDER BY kind"), []string{"receipt", "ticket"})
		businesstest.Same(t, "faults", w.VerifyBooks(), nil)
		w.Must(o.MoveExam(w.Ctx, id, "KS_Again", "KS_Mgrow", office.MoveReasons[2], by)) // and back
	})
}

func TestWhatCannotMove(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		o, by := movers(t, w), staff.Operator("Ravi Menon")
		const only, open = "Only a paid enrolment whose exam is ahead can be moved.", "A dispute or a refund of this payment is open. Wait until it has ended."
		expect := func(what, id, want string) {
			t.Helper()
			_, err := o.Moves(w.Ctx, id, allCodes)
			if message(t, err) != want {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
			if err := o.MoveExam(w.Ctx, id, "KS_Mgrow", "KS_Again", office.MoveReasons[0], by); message(t, err) != want {
				t.Errorf("%s moves: %v, want %s", what, err, want)
			}
		}
		expect("nobody", admission.NewID(), "Registration not found.")
		expect("no id", "x", "Registration not found.")
		expect("an unpaid one", w.Enrolled(nil).RegistrationID, only)
		expect("an application", w.PaidApplication().Application().ID, only)
		refunded := w.Paid(nil)
		refunded.RefundAll()
		expect("a refunded one", refunded.RegistrationID, only)
		disputed := w.Paid(nil)
		w.AfterPayment(disputed.TxnID, sandbox.DisputeOpens)
		expect("a disputed one", disputed.RegistrationID, open)
		w.AfterPayment(disputed.TxnID, sandbox.DisputeWon)
		twice := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		first := twice.RegistrationID
		_, err := twice.SubmitEnrolment(businesstest.Fields{"event": "KS_Again"})
		w.Must(err)
		m, err := o.Moves(w.Ctx, first, allCodes)
		if err != nil || !strings.Contains(whys(m), "KS_Again: This phone is registered there already.") {
			t.Errorf("registered there: %s, %v", whys(m), err)
		}
		late := w.Paid(nil)
		w.Clock.Set(time.Date(2027, 3, 15, 0, 0, 0, 0, admission.IST))
		expect("after the exam", late.RegistrationID, only)
	})
}
