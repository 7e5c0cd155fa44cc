package store_test

import (
	"testing"
	"time"

	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestDraftRoundTrip(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error { return tx.AddRegistration(&enrol.Registration{ID: "r"}) })
		prepare := func(d *apply.Draft) { d.RegistrationID = "r" }
		roundTrip(t, s, "draft", prepare, func(tx store.Tx, d *apply.Draft) error { return tx.SaveDraft(*d) },
			func(tx store.Tx, d *apply.Draft) (*apply.Draft, error) { return tx.Draft("r", d.Step) })

		changed := apply.Draft{RegistrationID: "r", Step: "personal", Typed: map[string]string{"dob": "14"}, Field: "dob", Version: 1, SavedAt: noon}
		update(t, s, func(tx store.Tx) error { return tx.SaveDraft(changed) })
		changed.Typed, changed.Field, changed.Version, changed.SavedAt = nil, "", 2, noon.Add(time.Hour) // after the step is saved
		update(t, s, func(tx store.Tx) error { return tx.SaveDraft(changed) })
		update(t, s, func(tx store.Tx) error {
			got, err := tx.Draft("r", "personal")
			if err != nil || got == nil || got.Typed != nil || got.Field != "" || got.Version != 2 {
				t.Errorf("saved: %+v, %v", got, err)
			}
			last, err := tx.LastDraftAt("r")
			if err != nil || !last.Equal(noon.Add(time.Hour)) {
				t.Errorf("typed last at %s, %v", last, err)
			}
			if got, err := tx.Draft("r", "academic"); got != nil || err != nil {
				t.Errorf("of another step: %+v, %v", got, err)
			}
			if never, err := tx.LastDraftAt("another"); err != nil || !never.IsZero() {
				t.Errorf("of another registration: %s, %v", never, err)
			}
			return nil
		})
		if err := s.Purge(t.Context(), noon.Add(time.Hour).AddDate(0, 0, 90)); err != nil {
			t.Fatal(err)
		}
		if got := view(t, s, func(tx store.Tx) (*apply.Draft, error) { return tx.Draft("r", "personal") }); got != nil {
			t.Errorf("after 90 days: %+v", got)
		}
	})
}

func TestApplicationOf(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			for _, r := range []enrol.Registration{
				{ID: "gone", EventCode: enrol.ApplicationCode, AccountID: "a", Phone: "1", Refunded: true, ModifiedAt: noon.Add(time.Hour)},
				{ID: "here", EventCode: enrol.ApplicationCode, AccountID: "a", Phone: "1"},
				{ID: "enrolled", EventCode: "KS_Mgrow", AccountID: "a", Phone: "1", ModifiedAt: noon},
				{ID: "nobody's", EventCode: enrol.ApplicationCode, Phone: "2"},
			} {
				if err := tx.AddRegistration(&r); err != nil {
					return err
				}
			}
			return nil
		})
		for account, want := range map[string]string{"a": "here", "b": "", "": ""} {
			got := view(t, s, func(tx store.Tx) (*enrol.Registration, error) { return tx.ApplicationOf(account) })
			if id := idOf(got); id != want {
				t.Errorf("of account %q: %q, want %q", account, id, want)
			}
		}
		for event, want := range map[string]string{"": "enrolled", enrol.ApplicationCode: "gone", "KS_Mgrow": "enrolled"} {
			got := view(t, s, func(tx store.Tx) (*enrol.Registration, error) { return tx.RegistrationOfAccount("a", event) })
			if id := idOf(got); id != want {
				t.Errorf("the latest of event %q: %q, want %q", event, id, want)
			}
		}
	})
}

func idOf(r *enrol.Registration) string {
	if r == nil {
		return ""
	}
	return r.ID
}
