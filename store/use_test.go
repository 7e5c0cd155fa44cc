package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/consent"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

// uses are a person's activities outside of the registration's row, by their table.
var uses = map[string]func(tx store.Tx, at time.Time) error{
	"drafts": func(tx store.Tx, at time.Time) error {
		return tx.SaveDraft(apply.Draft{RegistrationID: "r", SavedAt: at})
	},
	"uploads": func(tx store.Tx, at time.Time) error {
		return tx.AddUpload(&document.Upload{ID: "u", RegistrationID: "r", BegunAt: at})
	},
	"documents": func(tx store.Tx, at time.Time) error {
		return tx.AddDocument(&document.Document{ID: "d", RegistrationID: "r", StoredAt: at})
	},
	"documents, deleted": func(tx store.Tx, at time.Time) error {
		return tx.DeleteDocument(&document.Document{ID: "d", RegistrationID: "r"}, at)
	},
	"transactions": func(tx store.Tx, at time.Time) error {
		return tx.AddTransaction(&payment.Transaction{ID: "t", RegistrationID: "r", State: payment.Failed, CreatedAt: at})
	},
	"consents": func(tx store.Tx, at time.Time) error {
		return tx.AddConsent(consent.Consent{ID: "c", Subject: "s", Ref: "r", At: at})
	},
	"accounts": func(tx store.Tx, at time.Time) error { // a new phone changes the registration too
		_, err := tx.MoveRegistrations("a", "1", "2", at)
		return err
	},
}

// notUses are the other tables that reference a registration or a payment, with the reason why they record no activity.
var notUses = map[string]string{
	"entries":          "activity is recorded where it happens; some entries are ours",
	"links":            "created by us for mails",
	"document_views":   "a view changes nothing",
	"coupon_uses":      "created with their payment",
	"referral_credits": "earned by a friend",
	"invoices":         "issued when the payment settles",
	"credit_notes":     "issued when the payment is refunded",
	"papers":           "printed by us",
	"print_items":      "printed by staff",
	"search_terms":     "copies of the registration's own columns",
	"staff_notes":      "written by staff",
	"staff_views":      "a view changes nothing",
	"corrections":      "requested by staff; a new phone or e-mail changes the registration",
	"refunds":          "the payment records them",
	"refund_orders":    "written by staff",
	"inbox":            "sent by providers",
}

func TestUsesExtendTheRetention(t *testing.T) {
	const kept = 3 * 365 * 24 * time.Hour
	for what, use := range uses {
		t.Run(what, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				there := func() bool {
					r := view(t, s, func(tx store.Tx) (*enrol.Registration, error) { return tx.Registration("r") })
					return r != nil && r.ErasedAt.IsZero()
				}
				begun := noon.Add(-kept - 24*time.Hour)
				update(t, s, func(tx store.Tx) error {
					return errors.Join(tx.AddAccount(&account.Account{ID: "a"}), tx.AddRegistration(&enrol.Registration{ID: "r", AccountID: "a", Phone: "1", ModifiedAt: begun}))
				})
				update(t, s, func(tx store.Tx) error { return use(tx, noon) })
				saved := view(t, s, func(tx store.Tx) (*enrol.Registration, error) { return tx.Registration("r") })
				if !saved.ModifiedAt.Equal(begun) {
					t.Errorf("it is shown as changed at %s", saved.ModifiedAt)
				}
				update(t, s, func(tx store.Tx) error { return tx.SaveRegistration(saved) }) // read before the use
				for _, row := range []struct {
					now  time.Time
					want bool
				}{{noon, true}, {noon.Add(kept - time.Microsecond), true}, {noon.Add(kept), false}} {
					if err := s.Purge(t.Context(), row.now); err != nil {
						t.Fatal(err)
					}
					if got := there(); got != row.want {
						t.Errorf("%v after it was used: there %t, want %t", row.now.Sub(noon), got, row.want)
					}
				}
			})
		})
	}
}

func TestEveryTableIsAUseOrNot(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		storetest.Open(t, url)
		for table, columns := range schemaOf(t, url) {
			names := slices.ContainsFunc(columns, func(c values) bool { return c.name == "registration_id" || c.name == "txn_id" })
			if declared := uses[table] != nil || notUses[table] != ""; names && !declared {
				t.Errorf("%s: give its row a use (store/use.go), or say in notUses why it has none", table)
			}
			if uses[table] != nil && notUses[table] != "" {
				t.Errorf("%s is said twice", table)
			}
		}
	})
}
