package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/store"
	"hiresure/store/storetest"
)

// An account keeps its own rows; of an expired registration only tax documents still name the person.
func TestExpiredRegistrationKeepsOnlyTaxDocuments(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db, tables := storetest.Open(t, url), raw(t, url), schemaOf(t, url)
		exec := func(statement string) {
			t.Helper()
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		exec(insertCoupon)
		leaves.seed(t, s, db, tables, strings.HasPrefix(url, "postgres"))
		browsers := []access.Session{{ID: "in", AccountID: leaves.account}, {ID: "out"}}
		for _, browser := range browsers {
			browser.TokenHash, browser.ExpiresAt, browser.Proven = browser.ID, noon.AddDate(9, 0, 0), map[string]time.Time{"phone" + stays.phone: noon}
			browser.Registered = []string{"reg-paid-" + leaves.idMark(), "another", "reg-unpaid-" + leaves.idMark()}
			update(t, s, func(tx store.Tx) error { return tx.AddSession(&browser) })
		}
		naming := func() map[string]bool {
			named := map[string]bool{}
			for place, text := range cells(t, s, db, tables) {
				table, rest, _ := strings.Cut(place, " ")
				if leaves.isNamedBy(text) && !strings.Contains(rest, ".buyer_") {
					named[table] = true
				}
			}
			return named
		}
		after := noon.Add(3 * 365 * 24 * time.Hour)
		exec("UPDATE refunds SET state = 'accepted'")
		if err := s.Purge(t.Context(), after); err != nil {
			t.Fatal(err)
		}
		if !naming()["registrations"] {
			t.Error("a registration is over while money goes back")
		}
		exec("UPDATE refunds SET state = 'done'")
		if err := s.Purge(t.Context(), after); err != nil {
			t.Fatal(err)
		}
		named := naming()
		for _, table := range []string{"accounts", "former_addresses", "consents", "sessions"} { // the account's
			if !named[table] {
				t.Errorf("%s are gone with a registration", table)
			}
			delete(named, table)
		}
		for kind, table := range store.ErasedJobs() {
			if refs := refsOf(t, db, kind); len(refs) > 0 && slices.Contains([]string{"uploads", "documents", "papers", "transactions"}, table) {
				t.Errorf("work of %s stays: %s of %q", table, kind, refs)
			}
		}
		for _, id := range []string{"in", "out"} {
			left := view(t, s, func(tx store.Tx) (*access.Session, error) { return tx.Session(id) })
			if left == nil || !slices.Equal(left.Registered, []string{"another"}) || len(left.Proven) != 1 {
				t.Errorf("session %q: %+v", id, left)
			}
		}
		if delete(named, "jobs"); len(named) > 0 { // of messages and files erased before
			t.Errorf("%v name who it was", named)
		}
	})
}

func TestBelongingsAreAllUsed(t *testing.T) {
	used := []string{"corrections", "coupon_uses", "documents", "drafts", "entries", "links", "papers", "referrals", "refund_orders", "search_terms", "staff_notes", "staff_views", "transactions", "uploads"}
	if got := store.Belongings(); !slices.Equal(got, used) {
		t.Errorf("keys of %q, want %q", got, used)
	}
}
