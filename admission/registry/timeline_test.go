package registry

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

func TestEveryEntryIsToldOrInternal(t *testing.T) {
	for _, kind := range enrol.EntryKinds {
		if _, shown := told[kind]; shown == internal[kind] {
			t.Errorf("%q is told: %v, internal: %v; want one of them", kind, shown, internal[kind])
		}
	}
}

func TestOnlyAnOpenAttemptHasStarted(t *testing.T) {
	entries := []enrol.Entry{{Kind: enrol.EntryPaymentStarted}, {Kind: enrol.EntryPaymentFailed}, {Kind: enrol.EntryPaymentStarted}, {Kind: enrol.EntryCouponOverLimit}}
	for _, row := range []struct {
		sentence string
		phase    phase
		entries  []enrol.Entry
		want     int
	}{
		{"the last one is open", phaseOpen, entries, 2},
		{"all have ended", phaseUnpaid, entries, -1},
		{"none has started", phaseOpen, entries[3:], -1},
	} {
		if got := openStart(row.phase, row.entries); got != row.want {
			t.Errorf("%s: got %d, want %d", row.sentence, got, row.want)
		}
	}
}

func TestStepsSavedOnOneDayAreToldTogether(t *testing.T) {
	evening := time.Date(2026, 11, 23, 23, 50, 0, 0, admission.IST)
	at := func(kind enrol.EntryKind, later time.Duration) enrol.Entry {
		return enrol.Entry{Kind: kind, At: evening.Add(later)}
	}
	entries := []enrol.Entry{
		at(enrol.EntryPhoneVerified, 0), at(enrol.EntryPersonalSaved, 0), at(enrol.EntryGuardianAgreed, time.Minute), at(enrol.EntryAcademicSaved, 2*time.Minute),
		at(enrol.EntryScholarshipSaved, time.Hour), at(enrol.EntryPersonalSaved, time.Hour),
	}
	for i, want := range []int{0, 2, 0, 2, 2, 2} {
		if got := savedOn(entries[i], entries); got != want {
			t.Errorf("%s at %v: told with %d, want %d", entries[i].Kind, entries[i].At, got, want)
		}
	}
	if got := savedOn(at(enrol.EntryScholarshipSaved, 0), append(entries, at(enrol.EntryScholarshipSaved, 0), at(enrol.EntryScholarshipSaved, 0))); got != 3 {
		t.Errorf("a step that is saved again counts once: got %d, want 3", got)
	}
}
