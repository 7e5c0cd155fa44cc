package hiresure

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/content"
	"hiresure/pages"
)

// internal are the kinds of entries that the person does not see.
var internal = map[enrol.EntryKind]bool{
	enrol.EntryPaidAfterDeletion:  true,
	enrol.EntryCouponOverLimit:    true,
	enrol.EntryPersonalChanged:    true, // before the terms are accepted, any number of times
	enrol.EntryAcademicChanged:    true,
	enrol.EntryScholarshipChanged: true,
	enrol.EntryLinksRevoked:       true,
	enrol.EntryViewed:             true, // My data shows it
	enrol.EntryRefundOrdered:      true, // the person learns of it when it is sent
	enrol.EntryReviewAccepted:     true,
	enrol.EntryReviewJudgedAgain:  true,
	enrol.EntryDisputeOpened:      true, // by the person's bank; nothing changes meanwhile
	enrol.EntryDisputeWon:         true,
}

func TestEveryEntryIsShownOrInternal(t *testing.T) {
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range enrol.EntryKinds {
		if shown := library.Entry(string(kind)).Title != ""; shown == internal[kind] {
			t.Errorf("%q is shown: %v, internal: %v; want one of them", kind, shown, internal[kind])
		}
	}
	for _, variant := range []string{entryChargedBack, entryRestRefunded} {
		if library.Entry(variant).Title == "" {
			t.Errorf("%q has no words", variant)
		}
	}
}

// The timeline shows the days ahead of an event to whoever has paid for it, in whatever phase.
func TestPaidRegistrationShowsTheDaysAhead(t *testing.T) {
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, admission.IST)
	event := admission.Event{Code: "E", Days: []admission.Day{{What: "Exam day", On: now.AddDate(0, 0, 7)}}}
	shown := 0
	for _, phase := range status.Phases {
		standing := pages.StandingOf(library, status.Facts{Event: event}, status.Status{Product: enrol.ProductEnrolment, Phase: phase, PhaseIfOpen: phase}, nil, now)
		shows := slices.ContainsFunc(comingMoments(standing, now), func(m Moment) bool { return m.Title == "Exam day" })
		if want := status.FeeOf(enrol.ProductEnrolment, phase) == status.FeePaid; shows != want {
			t.Errorf("%s shows the day: %v, want %v", phase, shows, want)
		}
		if shows {
			shown++
		}
	}
	if shown == 0 {
		t.Error("no phase shows the day")
	}
}

func TestTimelineOrdersWhatHappenedAndWhatComes(t *testing.T) {
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, admission.IST)
	at := func(kind enrol.EntryKind, detail string, days int) enrol.Entry {
		return enrol.Entry{Kind: kind, Detail: detail, At: now.AddDate(0, 0, days)}
	}
	paid := func(charge int64, refunded int64) *payment.Transaction {
		return &payment.Transaction{ID: "paid", State: payment.Paid, Charge: admission.INR(charge), RefundedMinor: refunded, SettledAt: now.AddDate(0, 0, -2), CreatedAt: now.AddDate(0, 0, -9)}
	}
	event := admission.Event{
		Code: "KS", Published: true, ClosesAt: now.AddDate(0, 1, 0), Exam: now.AddDate(0, 0, 7),
		Days: []admission.Day{
			{What: "Open day", On: now.AddDate(0, 0, -5), Late: "until the exam"}, {What: "Past day", On: now.AddDate(0, 0, -1), Late: "until the exam"},
			{What: "Today", On: now}, {What: "Exam", On: now.AddDate(0, 0, 7)},
		},
	}
	for _, row := range []struct {
		sentence string
		event    admission.Event
		step     enrol.Step
		txn      *payment.Transaction
		change   func(*registry.Detail)
		entries  []enrol.Entry
		want     []string
	}{
		{"paid after a try failed, another failed and one expired", event, enrol.StepComplete, paid(1499_00, 0), nil, []enrol.Entry{
			at(enrol.EntryPaymentStarted, "", -9), at(enrol.EntryAttemptFailed, "other", -8), at(enrol.EntryPaymentExpired, "paid", -7), at(enrol.EntryPaid, "paid", -2),
		}, []string{
			"failed: A payment attempt failed (₹500.00 did not go through)", "failed: Payment not completed (Your bank confirmed it later)", "done: ₹1,499.00 paid (Your ticket is issued)",
			"now: Open day ()", "ahead: Today ()", "ahead: Exam ()",
		}},
		{"an attempt is open", event, enrol.StepPaying, &payment.Transaction{ID: "open", State: payment.Pending, Charge: admission.INR(1499_00), ExpiresAt: now.Add(time.Minute)}, nil, []enrol.Entry{
			at(enrol.EntryPaymentStarted, "", -2), at(enrol.EntryPaymentFailed, "other", -2), at(enrol.EntryPaymentStarted, "", -1),
		}, []string{
			"failed: Payment failed (₹500.00 did not go through. Any amount deducted will be refunded in 3-4 business days)", "done: Payment started ()",
			"now: Payment not finished (Paid already? Do not pay again: we ask your bank)", "ahead: Your ticket (It comes by e-mail)",
		}},
		{"covered by a coupon", admission.Event{}, enrol.StepComplete, paid(0, 0), nil, []enrol.Entry{at(enrol.EntryPaid, "paid", -2)}, []string{"done: Nothing to pay (Your ticket is issued)"}},
		{"refunded in two parts", admission.Event{}, enrol.StepComplete, paid(1499_00, 1400_00), nil, []enrol.Entry{
			at(enrol.EntryPaid, "paid", -3), at(enrol.EntryRefunded, "other", -2), at(enrol.EntryPartlyRefunded, "paid", -2), at(enrol.EntryRefunded, "paid", -1),
		}, []string{
			"done: ₹1,499.00 paid (Your ticket is issued)", "done: Refund of ₹500.00 sent (To the account you paid from)", "done: Part of your fee refunded (To the account you paid from)", "done: Rest of your fee refunded (To the account you paid from)",
		}},
		{"another payment was refunded in part", admission.Event{}, enrol.StepComplete, paid(1499_00, 1400_00), nil, []enrol.Entry{
			at(enrol.EntryPaymentInReview, "paid", -3), at(enrol.EntryPartlyRefunded, "other", -2), at(enrol.EntryRefunded, "paid", -1),
		}, []string{"done: We are checking your payment (It was not the amount of the fee)", "done: Part of your fee refunded (To the account you paid from)", "done: Refund of ₹1,400.00 sent (To the account you paid from)"}},
		{"the bank took the fee back, and another payment was refunded", admission.Event{}, enrol.StepComplete, paid(1499_00, 0), func(d *registry.Detail) { d.Refund.ChargedBack = true }, []enrol.Entry{
			at(enrol.EntryRefunded, "other", -2), at(enrol.EntryRefunded, "paid", -1),
		}, []string{"done: Refund of ₹500.00 sent (To the account you paid from)", "done: Your bank took back your fee (You had disputed this payment)"}},
		{"documents came before the last step was saved", admission.Event{Code: enrol.ApplicationCode, Published: true}, enrol.StepScholarship, nil, func(d *registry.Detail) {
			d.Documents = []document.Document{{Kind: document.Photo, StoredAt: now.AddDate(0, 0, -2)}, {Kind: document.IDProof, StoredAt: now.AddDate(0, 0, -3).Add(-time.Hour)}}
		}, []enrol.Entry{
			at(enrol.EntryPersonalSaved, "", -4), at(enrol.EntryAcademicSaved, "", -4), at(enrol.EntryScholarshipSaved, "", -1),
		}, []string{"done: Two steps filled in (Saved 12:00)", "done: Photo and student ID in (12:00)", "done: Scholarship saved ()", "now: Fill in the form ()", "ahead: Upload your documents (Photo, student ID, last academic marksheet)"}},
	} {
		detail := registry.Detail{Entries: row.entries, Payments: map[string]*payment.Transaction{"other": {ID: "other", Charge: admission.INR(500_00)}}}
		detail.Facts = status.Facts{Registration: enrol.Registration{EventCode: cmp.Or(row.event.Code, "KS"), Step: row.step, ModifiedAt: now}, Event: row.event, Payment: status.Payment{Transaction: row.txn}}
		if row.txn != nil {
			detail.Payments[row.txn.ID] = row.txn
			if row.txn.State == payment.Paid {
				detail.Registration.PaidTxnID = row.txn.ID
			}
		}
		if row.change != nil {
			row.change(&detail)
		}
		detail.Status = status.Of(detail.Facts, now)
		var got []string
		for _, m := range Timeline(library, detail, now) {
			got = append(got, string(m.State)+": "+m.Title+" ("+m.Text+")")
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s:\n%s\nwant\n%s", row.sentence, strings.Join(got, "\n"), strings.Join(row.want, "\n"))
		}
	}
}

func TestOnlyAnOpenAttemptHasStarted(t *testing.T) {
	entries := []enrol.Entry{{Kind: enrol.EntryPaymentStarted}, {Kind: enrol.EntryPaymentFailed}, {Kind: enrol.EntryPaymentStarted}, {Kind: enrol.EntryCouponOverLimit}}
	for _, row := range []struct {
		sentence string
		phase    status.Phase
		entries  []enrol.Entry
		want     int
	}{
		{"the last one is open", status.PaymentOpen, entries, 2},
		{"all have ended", status.PaymentFailed, entries, -1},
		{"none has started", status.PaymentOpen, entries[3:], -1},
	} {
		if got := openStart(row.phase, row.entries); got != row.want {
			t.Errorf("%s: got %d, want %d", row.sentence, got, row.want)
		}
	}
}

func TestStepsSavedOnOneDayAreOneEntry(t *testing.T) {
	evening := time.Date(2026, 11, 23, 23, 50, 0, 0, admission.IST)
	at := func(kind enrol.EntryKind, later time.Duration) enrol.Entry {
		return enrol.Entry{Kind: kind, At: evening.Add(later)}
	}
	entries := []enrol.Entry{
		at(enrol.EntryPhoneVerified, 0), at(enrol.EntryPersonalSaved, 0), at(enrol.EntryGuardianAgreed, time.Minute), at(enrol.EntryAcademicSaved, 2*time.Minute),
		at(enrol.EntryScholarshipSaved, time.Hour), at(enrol.EntryPersonalSaved, time.Hour),
	}
	for i, want := range []int{0, 2, 0, 2, 2, 2} {
		if got := stepsSavedWith(entries[i], entries); got != want {
			t.Errorf("%s at %v: told with %d, want %d", entries[i].Kind, entries[i].At, got, want)
		}
	}
	if got := stepsSavedWith(at(enrol.EntryScholarshipSaved, 0), append(entries, at(enrol.EntryScholarshipSaved, 0), at(enrol.EntryScholarshipSaved, 0))); got != 3 {
		t.Errorf("a step that is saved again counts once: got %d, want 3", got)
	}
}
