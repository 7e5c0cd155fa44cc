package enrol_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestPayerGetsTicket(t *testing.T) {
	for sentence, pay := range map[string]func(*businesstest.Person){
		"by a gateway": func(p *businesstest.Person) {
			p.MustStart("")
			p.ReturnWith(sandbox.Paid)
		},
		"by a webhook": func(p *businesstest.Person) {
			p.MustStart("")
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.Paid)
			p.Must(p.Sandbox.SendWebhook(p.TxnID, "payment.paid"))
			p.RunJobs()
		},
		"with nothing to pay": func(p *businesstest.Person) {
			_, err := p.SubmitEnrolment(businesstest.Fields{"coupon_code": "FULLSEAT"})
			p.Must(err)
			p.MustStart("")
		},
		"late": func(p *businesstest.Person) {
			p.MustStart("")
			p.Sandbox.PressWithoutReturn(p.TxnID, sandbox.LateExpired)
			p.Advance(30 * time.Minute)
			businesstest.Equal(p.T, "given up", p.Count("registrations WHERE step = 7"), 1)
			p.Advance(30 * time.Minute)
		},
		"after a review": func(p *businesstest.Person) {
			p.MustStart("")
			p.ReturnWith(sandbox.WrongAmount)
			_, err := p.Payment.AcceptReview(p.Ctx, p.TxnID, staff.Actor{Name: "somebody"})
			p.Must(err)
		},
	} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
				p := w.Enrolled(nil)
				businesstest.Equal(t, "series before", w.Count("ticket_series"), 0)
				number, key := p.Ticket()
				businesstest.Equal(t, "ticket before", number+key, "")
				pay(p)
				businesstest.Equal(t, "paid", w.Count("registrations WHERE step = 8 AND paid_txn_id = $1", p.TxnID), 1)
				number, key = p.Ticket()
				businesstest.ExpectTicketNumber(t, number, key, "26", 4)
				businesstest.Same(t, "series", w.Texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 1"})
			})
		})
	}
}

func TestRefundKeepsTicket(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		number, key := p.Ticket()
		_, err := w.Payment.Refund(w.Ctx, p.TxnID)
		w.Must(err)
		businesstest.Equal(t, "refunded", w.Count("registrations WHERE refunded = TRUE"), 1)
		after, keyAfter := p.Ticket()
		businesstest.Equal(t, "ticket after the refund", after+" "+keyAfter, number+" "+key)
		paper, err := w.Receipts.ReceiptOfTicket(w.Ctx, key)
		w.Must(err)
		businesstest.Equal(t, "what the key opens", paper.Registration.ID+" "+paper.Registration.Ticket, p.RegistrationID+" "+number)

		// A new enrolment gets another one.
		_, err = p.SubmitEnrolment(nil)
		w.Must(err)
		p.MustStart("")
		p.ReturnWith(sandbox.Paid)
		another, anotherKey := p.Ticket()
		businesstest.ExpectTicketNumber(t, another, anotherKey, "26", 4)
		businesstest.Equal(t, "another ticket", another != number && anotherKey != key, true)
	})
}

// issue issues a ticket to a registration in a transaction that is rolled back.
func issue(w *businesstest.World, event admission.Event, at time.Time, watch func(store.Tx) enrol.Tx) (r enrol.Registration) {
	w.T.Helper()
	undone := errors.New("undone")
	if err := w.Database.Update(w.Ctx, func(tx store.Tx) error {
		r = enrol.Registration{}
		if err := r.IssueTicket(watch(tx), event, at); err != nil {
			return err
		}
		return undone
	}); err != undone {
		w.T.Fatal(err)
	}
	return r
}

func unchanged(tx store.Tx) enrol.Tx { return tx }

func TestTicketYear(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		newYear := time.Date(2026, 12, 31, 18, 30, 0, 0, time.UTC)
		for _, row := range []struct {
			sentence  string
			opens, at time.Time
			year      string
		}{
			{"it opens in the last second of the year", newYear.Add(-time.Second), newYear.AddDate(0, 2, 0), "26"},
			{"it opens with the new year", newYear, newYear.AddDate(-2, 0, 0), "27"},
			{"the event is known no more, and it is the last second of the year", time.Time{}, newYear.Add(-time.Second), "26"},
			{"the event is known no more, and it is the new year", time.Time{}, newYear, "27"},
			{"it opens in 2100", newYear.AddDate(73, 2, 0), newYear, "00"},
		} {
			r := issue(w, admission.Event{OpensAt: row.opens}, row.at, unchanged)
			if !strings.HasPrefix(r.Ticket, "HS"+row.year+"-") {
				t.Errorf("%s: %s", row.sentence, r.Ticket)
			}
		}
	})
}

func TestTicketNumberLength(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		w := businesstest.NewWorld(t, address)
		w.ExpectedFaults = []string{"ticket series HS26 has counted 200001, registrations have 3"}
		if _, err := storetest.SQL(t, address).Exec("INSERT INTO ticket_series VALUES ('HS26', 199998), ('HS27', 0)"); err != nil {
			t.Fatal(err)
		}
		for _, drawn := range []int{4, 4, 5} {
			number, key := w.Paid(nil).Ticket()
			businesstest.ExpectTicketNumber(t, number, key, "26", drawn)
		}
		next := issue(w, admission.Event{OpensAt: businesstest.Noon.AddDate(1, 0, 0)}, businesstest.Noon, unchanged)
		businesstest.ExpectTicketNumber(t, next.Ticket, next.TicketKey, "27", 4)
	})
}

// A taker has taken the first two numbers that are looked up.
type taker struct {
	store.Tx
	asked []string
}

func (x *taker) TicketTaken(number string) (bool, error) {
	if x.asked = append(x.asked, number); len(x.asked) <= 2 {
		other := enrol.Registration{ID: admission.NewID(), EventCode: "taken", Phone: number, Ticket: number, TicketKey: admission.NewKey()}
		if err := x.Tx.AddRegistration(&other); err != nil {
			return false, err
		}
	}
	return x.Tx.TicketTaken(number)
}

func TestTicketNumberConflict(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		var x *taker
		r := issue(w, w.Catalogue[0], businesstest.Noon, func(tx store.Tx) enrol.Tx { x = &taker{Tx: tx}; return x })
		if len(x.asked) != 3 || r.Ticket != x.asked[2] || slices.Contains(x.asked[:2], r.Ticket) {
			t.Errorf("asked about %q, took %s", x.asked, r.Ticket)
		}
		businesstest.ExpectTicketNumber(t, r.Ticket, r.TicketKey, "26", 4)
	})
}

func TestTicketIsIssuedOnce(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		number, key := p.Ticket()
		w.Must(w.Database.Update(w.Ctx, func(tx store.Tx) error {
			r, err := tx.RegistrationForUpdate(p.RegistrationID)
			if err != nil {
				return err
			}
			if err := r.IssueTicket(tx, admission.Event{OpensAt: businesstest.Noon.AddDate(1, 0, 0)}, businesstest.Noon); err != nil {
				return err
			}
			return tx.SaveRegistration(r)
		}))
		after, keyAfter := p.Ticket()
		businesstest.Equal(t, "ticket", after+" "+keyAfter, number+" "+key)
		businesstest.Same(t, "series", w.Texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 1"})
	})
}
