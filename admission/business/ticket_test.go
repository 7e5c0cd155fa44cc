package business_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
	"hiresure/admission/receipt"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

var (
	ticketShape = regexp.MustCompile(`^HS(\d\d)-([0-9A-HJKMNP-TV-Z]{4,5})-([0-9A-HJKMNP-TV-Z])$`)
	keyShape    = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)
)

// ticket returns the person's ticket number and key.
func (p *person) ticket() (number, key string) {
	p.t.Helper()
	number, key, _ = strings.Cut(p.texts("SELECT ticket, ticket_key FROM registrations WHERE id = $1", p.registration)[0], " | ")
	return number, key
}

// expectTicketNumber expects a ticket number of a year with a number of random characters.
func expectTicketNumber(t *testing.T, number, key, year string, drawn int) {
	t.Helper()
	parts := ticketShape.FindStringSubmatch(number)
	if parts == nil || parts[1] != year || len(parts[2]) != drawn || admission.CheckLetter("HS"+parts[1]+parts[2]) != parts[3] || !keyShape.MatchString(key) {
		t.Errorf("ticket %q with key %q: want the year %s, %d characters and their check", number, key, year, drawn)
	}
}

func TestPayerGetsTicket(t *testing.T) {
	for sentence, pay := range map[string]func(*person){
		"by a gateway": func(p *person) {
			p.mustStart("")
			p.returnWith(sandbox.Paid)
		},
		"by a webhook": func(p *person) {
			p.mustStart("")
			p.sandbox.press(p.txn, sandbox.Paid)
			p.must(p.sandbox.webhook(p.txn, "payment.paid"))
			p.runJobs()
		},
		"with nothing to pay": func(p *person) {
			_, err := p.enrol(fields{"coupon_code": "FULLSEAT"})
			p.must(err)
			p.mustStart("")
		},
		"late": func(p *person) {
			p.mustStart("")
			p.sandbox.press(p.txn, sandbox.LateExpired)
			p.advance(30 * time.Minute)
			equal(p.t, "given up", p.count("registrations WHERE step = 7"), 1)
			p.advance(30 * time.Minute)
		},
		"after a review": func(p *person) {
			p.mustStart("")
			p.returnWith(sandbox.WrongAmount)
			_, err := p.Payment.AcceptReview(p.ctx, p.txn, "somebody")
			p.must(err)
		},
	} {
		t.Run(sentence, func(t *testing.T) {
			onSQLite(t, func(t *testing.T, w *world) {
				p := w.enrolled(nil)
				equal(t, "series before", w.count("ticket_series"), 0)
				number, key := p.ticket()
				equal(t, "ticket before", number+key, "")
				pay(p)
				equal(t, "paid", w.count("registrations WHERE step = 8 AND paid_txn_id = $1", p.txn), 1)
				number, key = p.ticket()
				expectTicketNumber(t, number, key, "26", 4)
				same(t, "series", w.texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 1"})
			})
		})
	}
}

func TestRefundKeepsTicket(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		number, key := p.ticket()
		_, err := w.Payment.Refund(w.ctx, p.txn)
		w.must(err)
		equal(t, "refunded", w.count("registrations WHERE refunded = TRUE"), 1)
		after, keyAfter := p.ticket()
		equal(t, "ticket after the refund", after+" "+keyAfter, number+" "+key)
		paper, err := w.Receipts.ReceiptOfTicket(w.ctx, key)
		w.must(err)
		equal(t, "what the key opens", paper.Registration.ID+" "+paper.Registration.Ticket, p.registration+" "+number)

		// A new enrolment gets another one.
		_, err = p.enrol(nil)
		w.must(err)
		p.mustStart("")
		p.returnWith(sandbox.Paid)
		another, anotherKey := p.ticket()
		expectTicketNumber(t, another, anotherKey, "26", 4)
		equal(t, "another ticket", another != number && anotherKey != key, true)
	})
}

func TestTicketIsOpenedByKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		w.paid(nil)
		number, key := p.ticket()
		paper, err := w.Receipts.ReceiptOfTicket(w.ctx, key)
		w.must(err)
		equal(t, "registration", paper.Registration.ID, p.registration)
		for _, wrong := range []string{admission.NewKey(), strings.Repeat("A", 22), otherCase(key)} {
			_, err := w.Receipts.ReceiptOfTicket(w.ctx, wrong)
			expectProblem(t, err, admission.NotFound, "", "Ticket not found.")
		}
		blind := receipt.Service{} // without a store: it looks nothing up
		for _, wrong := range []string{"", number, p.registration, key[1:], key + "A", key[:21] + "%", key[:21] + " "} {
			_, err := blind.ReceiptOfTicket(w.ctx, wrong)
			expectProblem(t, err, admission.NotFound, "", "Ticket not found.")
		}
	})
}

// otherCase swaps upper and lower case.
func otherCase(key string) string {
	return strings.Map(func(letter rune) rune {
		if unicode.IsUpper(letter) {
			return unicode.ToLower(letter)
		}
		return unicode.ToUpper(letter)
	}, key)
}

// issue issues a ticket to a registration in a transaction that is rolled back.
func (w *world) issue(event admission.Event, at time.Time, watch func(store.Tx) enrol.Tx) (r enrol.Registration) {
	w.t.Helper()
	undone := errors.New("undone")
	if err := w.database.Update(w.ctx, func(tx store.Tx) error {
		r = enrol.Registration{}
		if err := r.IssueTicket(watch(tx), event, at); err != nil {
			return err
		}
		return undone
	}); err != undone {
		w.t.Fatal(err)
	}
	return r
}

func unchanged(tx store.Tx) enrol.Tx { return tx }

func TestTicketYear(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
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
			r := w.issue(admission.Event{OpensAt: row.opens}, row.at, unchanged)
			if !strings.HasPrefix(r.Ticket, "HS"+row.year+"-") {
				t.Errorf("%s: %s", row.sentence, r.Ticket)
			}
		}
	})
}

func TestTicketNumberLength(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		w.faults = []string{"ticket series HS26 has counted 200001, registrations have 3"}
		if _, err := storetest.SQL(t, address).Exec("INSERT INTO ticket_series VALUES ('HS26', 199998), ('HS27', 0)"); err != nil {
			t.Fatal(err)
		}
		for _, drawn := range []int{4, 4, 5} {
			number, key := w.paid(nil).ticket()
			expectTicketNumber(t, number, key, "26", drawn)
		}
		next := w.issue(admission.Event{OpensAt: noon.AddDate(1, 0, 0)}, noon, unchanged)
		expectTicketNumber(t, next.Ticket, next.TicketKey, "27", 4)
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
	each(t, func(t *testing.T, w *world) {
		var x *taker
		r := w.issue(w.catalogue[0], noon, func(tx store.Tx) enrol.Tx { x = &taker{Tx: tx}; return x })
		if len(x.asked) != 3 || r.Ticket != x.asked[2] || slices.Contains(x.asked[:2], r.Ticket) {
			t.Errorf("asked about %q, took %s", x.asked, r.Ticket)
		}
		expectTicketNumber(t, r.Ticket, r.TicketKey, "26", 4)
	})
}

func TestTicketIsIssuedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.paid(nil)
		number, key := p.ticket()
		w.must(w.database.Update(w.ctx, func(tx store.Tx) error {
			r, err := tx.RegistrationForUpdate(p.registration)
			if err != nil {
				return err
			}
			if err := r.IssueTicket(tx, admission.Event{OpensAt: noon.AddDate(1, 0, 0)}, noon); err != nil {
				return err
			}
			return tx.SaveRegistration(r)
		}))
		after, keyAfter := p.ticket()
		equal(t, "ticket", after+" "+keyAfter, number+" "+key)
		same(t, "series", w.texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 1"})
	})
}

func TestConcurrentTicketsDiffer(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		const n = 60
		payments := w.openPayments(n)
		for _, err := range concurrently(n, func(i int) error {
			_, err := w.Payment.Complete(w.ctx, payments[i], method.Return{Form: w.sandbox.Press(payments[i], sandbox.Paid)})
			return err
		}) {
			w.must(err)
		}
		same(t, "tickets, numbers, keys", w.texts("SELECT COUNT(*), COUNT(DISTINCT ticket), COUNT(DISTINCT ticket_key) FROM registrations WHERE ticket <> '' AND ticket_key <> ''"), []string{"60 | 60 | 60"})
		same(t, "series", w.texts("SELECT prefix, issued FROM ticket_series"), []string{"HS26 | 60"})
		w.postpone()
	})
}
