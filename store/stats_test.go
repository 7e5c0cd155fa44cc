package store_test

import (
	"maps"
	"testing"
	"time"

	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

func addMessage(t *testing.T, s *store.Store, id string, channel message.Channel, at time.Time) {
	t.Helper()
	update(t, s, func(tx store.Tx) error {
		return tx.AddMessage(&message.Message{ID: id, Cause: "test:" + id, Channel: channel, To: "a@example.in", Template: "receipt", CreatedAt: at})
	})
}

func TestQueueStats(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		empty, err := s.QueueStats(t.Context(), noon)
		if err != nil || empty.Waiting != 0 || empty.Dead != 0 || empty.OldestDue != 0 || len(empty.Unsent) != 0 || len(empty.OldestUnsent) != 0 {
			t.Errorf("empty: %+v, %v", empty, err)
		}
		now := noon.Add(time.Hour)
		addJob(t, s, payment.JobPoll, "due", noon.Add(10*time.Minute))
		addJob(t, s, payment.JobPoll, "later", now.Add(time.Microsecond))
		addMessage(t, s, "postponed mail", message.Email, noon)
		addMessage(t, s, "second mail", message.Email, noon.Add(30*time.Minute))
		addMessage(t, s, "text", message.SMS, noon.Add(59*time.Minute))
		addMessage(t, s, "sent", message.Email, noon.Add(-time.Hour))
		addMessage(t, s, "refused", message.Email, noon.Add(-2*time.Hour))
		update(t, s, func(tx store.Tx) error { return tx.MarkSent("sent", noon) })
		for _, change := range []string{
			// As after a relay's failure: nothing is due, but the mail is unsent.
			"UPDATE jobs SET due_at = due_at + 10800000000 WHERE ref IN ('postponed mail', 'sent')",
			"UPDATE jobs SET dead_at = 1 WHERE ref = 'refused'",
		} {
			if _, err := raw(t, url).ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.QueueStats(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		if got.Waiting != 3 || got.OldestDue != 50*time.Minute || got.Dead != 1 {
			t.Errorf("waiting %d since %s, dead %d; want 3, 50m, 1", got.Waiting, got.OldestDue, got.Dead)
		}
		if want := map[string]int64{"email": 2, "sms": 1}; !maps.Equal(got.Unsent, want) {
			t.Errorf("unsent %v, want %v", got.Unsent, want)
		}
		if want := map[string]time.Duration{"email": time.Hour, "sms": time.Minute}; !maps.Equal(got.OldestUnsent, want) {
			t.Errorf("ages %v, want %v", got.OldestUnsent, want)
		}
		if got, err = s.QueueStats(t.Context(), noon.Add(-time.Minute)); err != nil || got.OldestUnsent["email"] != 0 || got.OldestDue != 0 || got.Unsent["email"] != 2 {
			t.Errorf("on a clock set back: %+v, %v", got, err)
		}
	})
}

func TestPoolStats(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		inUse := func() (n int) {
			for name, pool := range s.PoolStats() {
				if pool.MaxOpenConnections == 0 {
					t.Errorf("the pool %s has no limit", name)
				}
				n += pool.InUse
			}
			return n
		}
		before := inUse()
		if err := s.View(t.Context(), func(store.Tx) error {
			if during := inUse(); during != before+1 {
				t.Errorf("%d in use during a view, %d before", during, before)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if after := inUse(); after != before {
			t.Errorf("%d in use after a view, %d before", after, before)
		}
	})
}
