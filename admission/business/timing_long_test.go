//go:build long

package business_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/store"
)

// TestTimeTellsNobodyWhoIsKnown alternates calls for people who have enrolled and for people who have not, as a stranger
// would who has a stopwatch. A difference stands out each time; a busy machine does not.
func TestTimeTellsNobodyWhoIsKnown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const pairs = 200
		phone := func(set, i int) string { return fmt.Sprintf("9%d%07d", 10+set, i) }
		address := func(set, i int) string { return fmt.Sprintf("p%d-%d@example.com", set, i) }
		registered := func(set int) { // a set of people who have all enrolled
			w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
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
			return w.Enrol.SaveLead(w.ctx, v, "KS_Mgrow", map[string]string{"fullname": "Asha Rao", "email": email, "phone_number": phone, "consents": "reminders"})
		}
		requestCode := func(v admission.Visitor, phone, email string) error {
			_, err := w.Access.RequestCode(w.ctx, v, access.CodeAsk{Purpose: access.ForPhone, Phone: phone, Email: email, EventCode: "KS_Mgrow"})
			return err
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
					w.must(saveLead(w.somebody().Visitor, phone(set, i), address(set, i)))
				}
			}},
			{"a code for a registered phone", requestCode, registered},
		} {
			var ratios []float64
			for len(ratios) < 3 {
				known, unknown := set, set+1
				set += 2
				c.known(known)
				took := [2][]time.Duration{}
				for i := range pairs {
					for turn := range 2 { // each goes first every other time
						n := (i + turn) % 2
						set := []int{known, unknown}[n]
						v, phone, email := w.somebody().Visitor, phone(set, i), address(set, i)
						started := time.Now()
						err := c.call(v, phone, email)
						took[n] = append(took[n], time.Since(started))
						w.must(err)
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
		w.clock.Pass(365 * 24 * time.Hour)
	})
}
