package store_test

import (
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestRevokedLinksAreThoseOfOneRegistration(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		update(t, s, func(tx store.Tx) error {
			for _, r := range []string{"mine", "another's"} {
				if err := tx.AddRegistration(&enrol.Registration{ID: r, EventCode: "E", Phone: r}); err != nil {
					return err
				}
			}
			for _, l := range []invoice.Link{
				{TokenHash: "first", RegistrationID: "mine", ExpiresAt: noon.Add(time.Hour)},
				{TokenHash: "second", RegistrationID: "mine", ExpiresAt: noon.Add(time.Hour)},
				{TokenHash: "over", RegistrationID: "mine", ExpiresAt: noon},
				{TokenHash: "another's", RegistrationID: "another's", ExpiresAt: noon.Add(time.Hour)},
			} {
				if err := tx.AddLink(l); err != nil {
					return err
				}
			}
			return nil
		})
		if n, err := s.RevokeLinks(t.Context(), "nobody's", noon); n != 0 || err == nil || err.Error() != "revoke links: there is no registration nobody's" {
			t.Errorf("an unknown registration: %d, %v", n, err)
		}
		for _, want := range []int64{2, 0} {
			if n, err := s.RevokeLinks(t.Context(), "mine", noon); n != want || err != nil {
				t.Errorf("revoked %d, %v; want %d", n, err, want)
			}
		}
		if err := s.View(t.Context(), func(tx store.Tx) error {
			for token, want := range map[string]time.Time{"first": noon, "second": noon, "another's": {}} {
				if l, err := tx.Link(token); err != nil || l == nil || !l.RevokedAt.Equal(want) {
					t.Errorf("%s: %+v, %v; want revoked at %v", token, l, err, want)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var entries, revoked int
		if err := raw(t, url).QueryRowContext(t.Context(), "SELECT COUNT(*), MAX(detail) FROM entries WHERE registration_id = 'mine' AND what = 'mailed links revoked' AND who = 'operator'").Scan(&entries, &revoked); err != nil || entries != 1 || revoked != 2 {
			t.Errorf("%d entries of %d links, %v", entries, revoked, err)
		}
	})
}
