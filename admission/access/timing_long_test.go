//go:build long

package access_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/store"
)

// TestTimingRevealsNobody alternates calls for enrolled and for unknown people and compares their duration. A real
// difference shows each time; noise of a busy machine does not.
func TestTimingRevealsNobody(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		const pairs = 200
		phone := func(set, i int) string { return fmt.Sprintf("9%d%07d", 10+set, i) }
		address := func(set, i int) string { return fmt.Sprintf("p%d-%d@example.com", set, i) }
		registered := func(set int) { // a set of people who have all enrolled
			w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
				for i := range pairs {
					if err := tx.AddRegistration(&enrol.Registration{
						ID: admission.NewID(), EventSlug: "hiresure-mgrow-2025", EventCode: "KS_Mgrow", Phone: "+91" + phone(set, i), Email: address(set, i), FullName: "Asha Rao",
					}); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		saveLead := func(v admission.Visitor, phone, email string) error {
			return w.Enrol.SaveLead(w.Ctx, v, "KS_Mgrow", map[string]string{"fullname": "Asha Rao", "email": email, "phone_number": phone, "consents": "reminders"})
		}
		requestCode := func(v admission.Visitor, phone, email string) error {
			_, err := w.Access.RequestCode(w.Ctx, v, access.PhoneCodeInput{Purpose: access.ForPhone, Phone: phone, Email: email, EventCode: "KS_Mgrow"})
			return err
		}
		accounts := func(set int) { // a set of people who have all signed up, and proven both
			w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
				now := w.Clock.Now()
				for i := range pairs {
					if err := tx.AddAccount(&account.Account{
						ID: admission.NewID(), FullName: "Asha Rao", Email: address(set, i), EmailProvenAt: now, Phone: "+91" + phone(set, i), PhoneProvenAt: now, CreatedAt: now, ModifiedAt: now,
					}); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		signInBy := func(which func(phone, email string) string) func(admission.Visitor, string, string) error {
			return func(v admission.Visitor, phone, email string) error {
				_, _, err := w.Account.RequestCode(w.Ctx, v, which(phone, email))
				return err
			}
		}
		byPhone, byEmail := signInBy(func(phone, _ string) string { return phone }), signInBy(func(_, email string) string { return email })
		byClient := func(v admission.Visitor, phone, _ string) error {
			v.SessionID, v.Offered = admission.NewID(), &admission.NewSession{TokenHash: admission.NewToken(), API: true}
			_, _, err := w.Tokens.RequestCode(w.Ctx, v, map[string]string{"phone_number": phone})
			return err
		}
		guess := func(v admission.Visitor, phone, _ string) error {
			sent, _, err := w.Account.RequestCode(w.Ctx, v, phone)
			w.Must(err)
			if _, err := w.Account.SignIn(w.Ctx, v, sent.RequestID, "000000"); admission.AsProblem(err) == nil {
				return fmt.Errorf("a wrong code answers %w", err)
			}
			return nil
		}
		set := 0
		for _, c := range []struct {
			sentence string
			call     func(v admission.Visitor, phone, email string) error
			known    func(set int)
		}{
			{"a beacon for a registered phone", saveLead, registered},
			{"a beacon with an e-mail that is kept", saveLead, func(set int) {
				for i := range pairs {
					w.Must(saveLead(w.Somebody().Visitor, phone(set, i), address(set, i)))
				}
			}},
			{"a code for a registered phone", requestCode, registered},
			{"a code to sign in with a phone", byPhone, accounts},
			{"a code to sign in with an e-mail", byEmail, accounts},
			{"a client's code to sign in", byClient, accounts},
			{"a wrong code to sign in", guess, accounts},
		} {
			var ratios []float64
			for len(ratios) < 3 {
				known, unknown := set, set+1
				set += 2
				c.known(known)
				took := [2][]time.Duration{}
				for i := range pairs {
					for turn := range 2 { // they alternate
						n := (i + turn) % 2
						set := []int{known, unknown}[n]
						v, phone, email := w.Somebody().Visitor, phone(set, i), address(set, i)
						started := time.Now()
						err := c.call(v, phone, email)
						took[n] = append(took[n], time.Since(started))
						w.Must(err)
					}
				}
				for n := range took {
					slices.Sort(took[n])
				}
				ratio := float64(took[0][pairs/2]) / float64(took[1][pairs/2])
				t.Logf("%s: known %s, unknown %s, ratio %.3f", c.sentence, took[0][pairs/2], took[1][pairs/2], ratio)
				ratios = append(ratios, ratio)
				if ratio >= 0.9 && ratio <= 1.1 {
					break
				}
			}
			if last := ratios[len(ratios)-1]; last < 0.9 || last > 1.1 {
				t.Errorf("%s takes %.3f of the time of one for a stranger, want 0.9 to 1.1", c.sentence, ratios)
			}
		}
		w.Clock.Pass(365 * 24 * time.Hour)
	})
}
