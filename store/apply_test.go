package store_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestDraftRoundTrip(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			return tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: enrol.ApplicationCode, AccountID: "a"})
		})
		draftOf := func(tx store.Tx, step string) (*apply.Draft, error) {
			a, err := tx.Applicant("", "a")
			return a.Drafts[step], err
		}
		prepare := func(d *apply.Draft) { d.RegistrationID = "r" }
		roundTrip(t, s, "draft", prepare, func(tx store.Tx, d *apply.Draft) error { return tx.SaveDraft(*d) },
			func(tx store.Tx, d *apply.Draft) (*apply.Draft, error) { return draftOf(tx, d.Step) })

		changed := apply.Draft{RegistrationID: "r", Step: "personal", Typed: map[string]string{"dob": "14"}, Field: "dob", Version: 1, SavedAt: noon}
		update(t, s, func(tx store.Tx) error { return tx.SaveDraft(changed) })
		changed.Typed, changed.Field, changed.Version, changed.SavedAt = nil, "", 2, noon.Add(time.Hour) // after the step is saved
		update(t, s, func(tx store.Tx) error { return tx.SaveDraft(changed) })
		update(t, s, func(tx store.Tx) error {
			got, err := draftOf(tx, "personal")
			if err != nil || got == nil || got.Typed != nil || got.Field != "" || got.Version != 2 {
				t.Errorf("saved: %+v, %v", got, err)
			}
			last, err := tx.LastDraftAt("r")
			if err != nil || !last.Equal(noon.Add(time.Hour)) {
				t.Errorf("typed last at %s, %v", last, err)
			}
			if got, err := draftOf(tx, "academic"); got != nil || err != nil {
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
		if got := view(t, s, func(tx store.Tx) (*apply.Draft, error) { return draftOf(tx, "personal") }); got != nil {
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

func TestApplicantHasAllThatExists(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			return errors.Join(
				tx.AddSession(&access.Session{ID: "session", TokenHash: "token"}),
				tx.AddAccount(&account.Account{ID: "a", Phone: "1"}),
				tx.AddAccount(&account.Account{ID: "empty", Phone: "2"}),
				tx.AddRegistration(&enrol.Registration{ID: "gone", EventCode: enrol.ApplicationCode, AccountID: "a", Phone: "1", Refunded: true}),
				tx.AddRegistration(&enrol.Registration{ID: "here", EventCode: enrol.ApplicationCode, AccountID: "a", Phone: "1"}),
				tx.SaveDraft(apply.Draft{RegistrationID: "gone", Step: "academic", Version: 1}),
				tx.SaveDraft(apply.Draft{RegistrationID: "here", Step: "personal", Version: 2}),
				tx.SaveDraft(apply.Draft{RegistrationID: "here", Step: "scholarship", Version: 3}),
			)
		})
		for _, c := range []struct{ session, account, want string }{
			{"session", "a", "session a here personal:2 scholarship:3"},
			{"session", "empty", "session empty"},
			{"another", "a", "a here personal:2 scholarship:3"},
			{"session", "", "session"},
			{"", "", ""},
		} {
			got := func(tx store.Tx) (string, error) {
				a, err := tx.Applicant(c.session, c.account)
				var has []string
				if a.Session != nil {
					has = append(has, a.Session.ID)
				}
				if a.Account != nil {
					has = append(has, a.Account.ID)
				}
				if a.Registration != nil {
					has = append(has, a.Registration.ID)
				}
				for _, step := range slices.Sorted(maps.Keys(a.Drafts)) {
					has = append(has, fmt.Sprintf("%s:%d", step, a.Drafts[step].Version))
				}
				return strings.Join(has, " "), err
			}
			if has := view(t, s, got); has != c.want {
				t.Errorf("a view of session %q and account %q: %q, want %q", c.session, c.account, has, c.want)
			}
			update(t, s, func(tx store.Tx) error {
				has, err := got(tx)
				if has != c.want {
					t.Errorf("session %q and account %q: %q, want %q", c.session, c.account, has, c.want)
				}
				return err
			})
		}
	})
}

func idOf(r *enrol.Registration) string {
	if r == nil {
		return ""
	}
	return r.ID
}
