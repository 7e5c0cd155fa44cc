package store_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestAlertsLastAsLongAsTheirTrouble(t *testing.T) {
	const seat, stuck, once, away = "payment in review: amount or currency differ", "job failed permanently: poll", "a dispute was won", "a service does not answer: clamd"
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		renew := func(sentence string, after time.Duration, raised map[string]int64, ended []string, want map[string]int64) {
			t.Helper()
			if open, err := s.RenewAlerts(t.Context(), raised, ended, noon.Add(after)); err != nil || !maps.Equal(open, want) {
				t.Errorf("%s: %v, %v, want %v", sentence, open, err, want)
			}
		}
		change := func(statement string) {
			t.Helper()
			if _, err := raw(t, url).ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		update(t, s, func(tx store.Tx) error {
			r := &enrol.Registration{ID: "r", EventCode: "e", Phone: "p", CreatedAt: noon, ModifiedAt: noon}
			if err := tx.AddRegistration(r); err != nil {
				return err
			}
			return tx.AddTransaction(&payment.Transaction{ID: "t", RegistrationID: "r", Gateway: "g", State: payment.Review, CreatedAt: noon})
		})
		addJob(t, s, payment.JobPoll, "dead", noon)
		addJob(t, s, payment.JobEvent, "dead", noon)
		change("UPDATE jobs SET dead_at = 1")

		renew("none", 0, nil, nil, map[string]int64{})
		renew("raised", 0, map[string]int64{seat: 1, stuck: 2, once: 1, away: 1, "left": 1}, nil, map[string]int64{seat: 1, stuck: 2, once: 1, away: 1, "left": 1})
		renew("raised again, and kept", time.Minute, map[string]int64{seat: 2, away: 0}, []string{"left"}, map[string]int64{seat: 3, stuck: 2, once: 1, away: 1})
		s = storetest.Open(t, url)
		renew("after a restart", 3*time.Minute-time.Microsecond, nil, nil, map[string]int64{seat: 3, stuck: 2, once: 1, away: 1})
		renew("the service answers", 3*time.Minute, nil, nil, map[string]int64{seat: 3, stuck: 2, once: 1})
		renew("it does not answer another copy", 4*time.Minute, map[string]int64{away: 0}, nil, map[string]int64{seat: 3, stuck: 2, once: 1, away: 1})
		renew("while the trouble lasts", 36*time.Hour-time.Microsecond, nil, nil, map[string]int64{seat: 3, stuck: 2, once: 1})
		renew("what only happened", 36*time.Hour, nil, nil, map[string]int64{seat: 3, stuck: 2})
		change("UPDATE transactions SET state = 'paid'")
		change("DELETE FROM jobs WHERE kind = 'poll'")
		renew("the trouble is gone", 36*time.Hour, nil, nil, map[string]int64{})
		renew("it comes back", 36*time.Hour, map[string]int64{seat: 1}, nil, map[string]int64{seat: 1})
		renew("before its cause is committed", 36*time.Hour+time.Minute-time.Microsecond, nil, nil, map[string]int64{seat: 1})
		renew("without its cause", 36*time.Hour+time.Minute, nil, nil, map[string]int64{})
		if rows := storetest.Rows(t, url)["alerts"]; rows != 0 {
			t.Errorf("%d rows are left", rows)
		}
	})
}

func TestEachAlertsTroubleIsReadFromTheDatabase(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		update(t, s, func(tx store.Tx) error {
			if err := tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "e", Phone: "p", CreatedAt: noon, ModifiedAt: noon}); err != nil {
				return err
			}
			err := tx.AddTransaction(&payment.Transaction{ID: "t", RegistrationID: "r", Gateway: "g", PaymentID: "pay", State: payment.Paid, CreatedAt: noon})
			if err == nil {
				err = tx.SaveRefund(&payment.Refund{ID: "f", TxnID: "t", PaymentID: "second", State: "done", CreatedAt: noon})
			}
			for id, caused := range map[string]time.Time{"waits": noon, "comes after the alert": noon.Add(time.Microsecond)} {
				if err == nil {
					_, err = tx.AddPaper(&paper.Paper{ID: id, Kind: paper.Receipt, Ref: id, RegistrationID: "r", CausedAt: caused})
				}
			}
			if err == nil {
				err = tx.AddJob(admission.Job{Kind: payment.JobEvent, Ref: "j", DueAt: noon})
			}
			return err
		})
		for _, c := range []struct{ alert, begins, ends string }{
			{"payment in review: amount or currency differ", "UPDATE transactions SET state = 'review'", "UPDATE transactions SET state = 'paid'"},
			{"refund failed", "UPDATE transactions SET state = 'refund_due', refund_failed = TRUE", "UPDATE transactions SET refund_failed = FALSE"},
			{"refund failed", "UPDATE transactions SET state = 'review', refund_failed = TRUE", "UPDATE transactions SET state = 'refunded'"},
			{"refund failed", "UPDATE transactions SET state = 'paid', refund_failed = TRUE", "UPDATE transactions SET refund_failed = FALSE"},
			{"refund failed", "UPDATE refunds SET state = 'failed'", "UPDATE refunds SET state = 'done'"},
			{"refund failed", "UPDATE refunds SET state = 'bounced'", "UPDATE refunds SET payment_id = 'pay'"},
			{"refund not completed seven days after it was accepted", "UPDATE refunds SET state = 'accepted', alerted_at = 1", "UPDATE refunds SET state = 'done'"},
			{"job keeps failing: " + payment.JobEvent, "UPDATE jobs SET attempts = 10", "UPDATE jobs SET attempts = 9"},
			{"job failed permanently: " + payment.JobEvent, "UPDATE jobs SET dead_at = 1", "UPDATE jobs SET dead_at = 0"},
			{"a paper waits: no font has a character of it", "UPDATE papers SET printed = FALSE", "UPDATE papers SET printed = TRUE WHERE id = 'waits'"},
		} {
			for _, step := range []struct {
				statement string
				open      int
			}{{c.begins, 1}, {c.ends, 0}} {
				if _, err := raw(t, url).ExecContext(t.Context(), step.statement); err != nil {
					t.Fatal(err)
				}
				if step.open == 1 {
					if _, err := s.RenewAlerts(t.Context(), map[string]int64{c.alert: 1}, nil, noon); err != nil {
						t.Fatal(err)
					}
				}
				if open, err := s.RenewAlerts(t.Context(), nil, nil, noon.Add(48*time.Hour)); err != nil || len(open) != step.open {
					t.Errorf("%s, %s: %v, %v", c.alert, step.statement, open, err)
				}
			}
		}
	})
}

func TestMoneyStats(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		if stats, err := s.MoneyStats(t.Context(), noon); err != nil || len(stats) != 0 {
			t.Errorf("of nothing: %v, %v", stats, err)
		}
		update(t, s, func(tx store.Tx) error {
			for i, p := range []payment.Transaction{
				{Gateway: "a", State: payment.Created, CreatedAt: noon.Add(-time.Hour)},
				{Gateway: "a", State: payment.Created, CreatedAt: noon},
				{Gateway: "b", State: payment.Created, CreatedAt: noon},
				{Gateway: "a", State: payment.Pending, CreatedAt: noon.Add(-time.Hour - time.Microsecond)},
				{Gateway: "a", State: payment.Review, CreatedAt: noon.Add(-72 * time.Hour), SettledAt: noon.Add(-24 * time.Hour)},
				{Gateway: "a", State: payment.RefundDue, SettledAt: noon.Add(-24*time.Hour - time.Microsecond)},
				{Gateway: "b", State: payment.RefundPending, SettledAt: noon},
				{Gateway: "b", State: payment.Disputed, CreatedAt: noon, SettledAt: noon, DisputedAt: noon.Add(-48 * time.Hour)},
				{Gateway: "b", State: payment.Paid}, {Gateway: "b", State: payment.Failed}, {Gateway: "b", State: payment.Expired}, {Gateway: "b", State: payment.Refunded},
			} {
				id := string(rune('a' + i))
				if err := tx.AddRegistration(&enrol.Registration{ID: id, EventCode: "e", Phone: id, CreatedAt: noon, ModifiedAt: noon}); err != nil {
					return err
				}
				p.ID, p.RegistrationID, p.ModifiedAt = id, id, noon
				if err := tx.AddTransaction(&p); err != nil {
					return err
				}
			}
			for _, id := range []string{"waits", "waits too", "handled"} {
				if _, err := tx.AddInboxEvent(&payment.InboxEvent{ID: id, Gateway: "a", EventID: id, ReceivedAt: noon}); err != nil {
					return err
				}
			}
			return tx.MarkHandled("handled", "", noon)
		})
		want := []store.MoneyStats{
			{"a", "created", "hour", 2}, {"a", "pending", "day", 1}, {"a", "refund_due", "older", 1}, {"a", "review", "day", 1}, {"a", "webhook", "hour", 2},
			{"b", "created", "hour", 1}, {"b", "disputed", "older", 1}, {"b", "refund_pending", "hour", 1},
		}
		if stats, err := s.MoneyStats(t.Context(), noon); err != nil || !slices.Equal(stats, want) {
			t.Errorf("got %v, %v\nwant %v", stats, err, want)
		}
	})
}

func TestLastingAlertsAreAlerts(t *testing.T) {
	manual, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range store.LastingAlerts() {
		if row := "\n| `" + strings.Replace(text+"`", ": `", ": …`", 1) + " |"; !strings.Contains(string(manual), row) {
			t.Errorf("operating.md has no row%s", row)
		}
	}
}
