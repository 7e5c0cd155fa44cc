package hiresure

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
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
		standing := pages.StandingOf(library, status.Facts{Event: event}, status.Status{Product: enrol.ProductEnrolment, Phase: phase, Unclosed: phase}, nil, now)
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
