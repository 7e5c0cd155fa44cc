package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

var kinds = []string{message.JobMail, payment.JobPoll}

func addJob(t *testing.T, s *store.Store, kind, ref string, due time.Time) {
	t.Helper()
	update(t, s, func(tx store.Tx) error { return tx.AddJob(admission.Job{Kind: kind, Ref: ref, DueAt: due}) })
}

func claim(t *testing.T, s *store.Store, now time.Time) []admission.Job {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), kinds, now, time.Minute, 10)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func refs(jobs []admission.Job) []string {
	var list []string
	for _, job := range jobs {
		list = append(list, job.Ref)
	}
	return list
}

func TestClaimJobs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		addJob(t, s, message.JobMail, "second", noon)
		addJob(t, s, payment.JobPoll, "first", noon.Add(-time.Second))
		addJob(t, s, message.JobMail, "later", noon.Add(time.Microsecond))
		addJob(t, s, payment.JobRefund, "of another kind", noon)
		if stats, err := s.QueueStats(t.Context(), noon.Add(3500*time.Millisecond)); stats.Waiting != 4 || stats.OldestDue != 4500*time.Millisecond || err != nil {
			t.Errorf("waiting %d, oldest %s, %v", stats.Waiting, stats.OldestDue, err)
		}
		if got := refs(claim(t, s, noon)); !slices.Equal(got, []string{"first", "second"}) {
			t.Errorf("got %v", got)
		}
		if got := claim(t, s, noon); got != nil {
			t.Errorf("claimed again: %v", got)
		}
	})
}

func TestAddJobKeepsTheEarlierDueTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		addJob(t, s, payment.JobPoll, "j", noon.Add(time.Minute))
		addJob(t, s, payment.JobPoll, "j", noon)
		addJob(t, s, payment.JobPoll, "j", noon.Add(time.Hour))
		if got := refs(claim(t, s, noon)); !slices.Equal(got, []string{"j"}) {
			t.Errorf("got %v", got)
		}
	})
}

func TestFinishAndPostponeJob(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		addJob(t, s, payment.JobPoll, "finished", noon)
		addJob(t, s, payment.JobPoll, "postponed", noon)
		for _, job := range claim(t, s, noon) {
			end := func() error { return s.FinishJob(t.Context(), job) }
			if job.Ref == "postponed" {
				end = func() error {
					job.Attempts, job.Failures = 1, []admission.Failure{{At: noon, Error: "no answer"}}
					return s.PostponeJob(t.Context(), job, noon.Add(time.Hour))
				}
			}
			if err := end(); err != nil {
				t.Fatal(err)
			}
		}
		if got := claim(t, s, noon.Add(time.Hour-time.Microsecond)); got != nil {
			t.Errorf("too early: %v", got)
		}
		got := claim(t, s, noon.Add(time.Hour))
		want := []admission.Job{{
			Kind: payment.JobPoll, Ref: "postponed", DueAt: noon.Add(time.Hour + time.Minute), Attempts: 1,
			Failures: []admission.Failure{{At: noon, Error: "no answer"}},
		}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestJobAddedWhileItRunsStays(t *testing.T) {
	for ending, end := range map[string]func(*testing.T, *store.Store, admission.Job) error{
		"finished": func(t *testing.T, s *store.Store, j admission.Job) error { return s.FinishJob(t.Context(), j) },
		"postponed": func(t *testing.T, s *store.Store, j admission.Job) error {
			j.Attempts = 5
			return s.PostponeJob(t.Context(), j, noon.Add(time.Hour))
		},
		"buried": func(t *testing.T, s *store.Store, j admission.Job) error {
			j.Attempts = 5
			return s.BuryJob(t.Context(), j, noon)
		},
	} {
		t.Run(ending, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				addJob(t, s, payment.JobPoll, "j", noon)
				job := claim(t, s, noon)[0]
				addJob(t, s, payment.JobPoll, "j", noon.Add(time.Second))
				if err := end(t, s, job); err != nil {
					t.Fatal(err)
				}
				if got := claim(t, s, noon.Add(time.Second)); len(got) != 1 || got[0].Attempts != 0 {
					t.Errorf("got %+v", got)
				}
			})
		})
	}
}

func TestExpiredLease(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		addJob(t, s, payment.JobPoll, "j", noon)
		dead := claim(t, s, noon)[0]
		if got := claim(t, s, noon.Add(time.Minute-time.Microsecond)); got != nil {
			t.Errorf("claimed within the lease: %v", got)
		}
		if got := claim(t, s, noon.Add(time.Minute)); len(got) != 1 {
			t.Fatalf("after the lease: %v", got)
		}
		// The worker was only late: the job is another's now.
		if err := errors.Join(s.FinishJob(t.Context(), dead), s.PostponeJob(t.Context(), dead, noon), s.BuryJob(t.Context(), dead, noon)); err != nil {
			t.Fatal(err)
		}
		if got := claim(t, s, noon.Add(time.Minute)); got != nil {
			t.Errorf("taken from the other worker: %v", got)
		}
		if got := claim(t, s, noon.Add(2*time.Minute)); len(got) != 1 {
			t.Errorf("the other worker's lease: %v", got)
		}
	})
}

func TestConcurrentClaims(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		stores := []*store.Store{storetest.Open(t, url), storetest.Open(t, url)}
		const jobs = 200
		for i := range jobs {
			addJob(t, stores[0], message.JobMail, fmt.Sprint(i), noon)
		}
		var claimed [jobs]atomic.Int32
		for _, err := range concurrent(8, func(i int) error {
			for {
				got, err := stores[i%2].ClaimJobs(t.Context(), kinds, noon, time.Minute, 7)
				if err != nil || len(got) == 0 {
					return err
				}
				for _, job := range got {
					var n int
					if _, err := fmt.Sscan(job.Ref, &n); err != nil {
						return err
					}
					claimed[n].Add(1)
					if err := stores[i%2].FinishJob(t.Context(), job); err != nil {
						return err
					}
				}
			}
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		for i := range claimed {
			if n := claimed[i].Load(); n != 1 {
				t.Errorf("job %d was claimed %d times", i, n)
			}
		}
	})
}

func TestClaimKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		answer := &store.KeyedAnswer{Status: 201, ContentType: "application/json", Body: []byte("{\"a\":\"\x00\xff\"}")}
		abandon := func(claimed time.Duration) func() error {
			return func() error { return s.AbandonKey(t.Context(), "k", noon.Add(claimed)) }
		}
		finish := func(claimed time.Duration, with *store.KeyedAnswer) func() error {
			return func() error {
				return s.FinishKey(t.Context(), "k", noon.Add(claimed), with.Status, with.ContentType, with.Body)
			}
		}
		late := &store.KeyedAnswer{Status: 200, Body: []byte("late")}
		for _, row := range []struct {
			sentence, hash string
			after          time.Duration
			state          string
			prior          *store.KeyedAnswer
			then           func() error
		}{
			{"a new one", "h", 0, store.KeyNew, nil, nil},
			{"while it runs", "h", 12 * time.Second, store.KeyRunning, &store.KeyedAnswer{Held: 48 * time.Second}, nil},
			{"a moment before its owner is taken for dead", "h", time.Minute - time.Millisecond, store.KeyRunning, &store.KeyedAnswer{Held: time.Millisecond}, nil},
			{"of another body", "other", 59 * time.Second, store.KeyMismatch, nil, nil},
			{"whose owner is dead", "h", time.Minute, store.KeyNew, nil, abandon(0)},
			{"abandoned by somebody who was dead", "h", time.Minute, store.KeyRunning, &store.KeyedAnswer{Held: time.Minute}, finish(0, late)},
			{"finished by somebody who was dead", "h", time.Minute, store.KeyRunning, &store.KeyedAnswer{Held: time.Minute}, abandon(time.Minute)},
			{"abandoned", "h", time.Minute, store.KeyNew, nil, finish(time.Minute, answer)},
			{"done", "h", 2 * time.Minute, store.KeyDone, answer, abandon(time.Minute)},
			{"done, and abandoned too late", "h", 3 * time.Minute, store.KeyDone, answer, finish(0, late)},
			{"done, and finished again by somebody who was dead", "h", 24 * time.Hour, store.KeyDone, answer, nil},
			{"done with another body", "other", 24 * time.Hour, store.KeyMismatch, nil, nil},
			{"a day after it was claimed", "other", 24*time.Hour + time.Minute, store.KeyNew, nil, nil},
		} {
			prior, state, err := s.ClaimKey(t.Context(), "k", row.hash, noon.Add(row.after), time.Minute)
			if state != row.state || !reflect.DeepEqual(prior, row.prior) || err != nil {
				t.Errorf("%s: %s, %+v, %v", row.sentence, state, prior, err)
			}
			if row.then != nil {
				if err := row.then(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestConcurrentClaimKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		states := make([]string, 50)
		for _, err := range concurrent(50, func(i int) (err error) {
			_, states[i], err = s.ClaimKey(t.Context(), "k", "h", noon, time.Minute)
			return err
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		slices.Sort(states)
		if states[0] != store.KeyNew || states[1] != store.KeyRunning || states[49] != store.KeyRunning {
			t.Errorf("got %v", states)
		}
	})
}

func TestOutbox(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		first := store.OutboxMessage{ID: "1", Channel: "sms", To: "+919876543210", Subject: "s", Body: "b", CreatedAt: noon}
		second := store.OutboxMessage{ID: "2", Channel: "email", To: "asha@example.com", Subject: "Hello", Body: "नमस्ते", CreatedAt: noon.Add(time.Second)}
		third := store.OutboxMessage{ID: "1", Body: "changed"}
		for _, m := range []store.OutboxMessage{first, second, third} {
			if err := s.AddOutbox(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := collect(s.Outbox(t.Context(), "")); err != nil || !reflect.DeepEqual(got, []store.OutboxMessage{second, first}) {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := collect(s.Outbox(t.Context(), first.To)); err != nil || !reflect.DeepEqual(got, []store.OutboxMessage{first}) {
			t.Errorf("to one receiver: %+v, %v", got, err)
		}
	})
}

func TestSandboxOrders(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := noon
		s := storetest.Open(t, url, func(c *store.Config) { c.Clock = func() time.Time { return now } })
		for _, body := range []string{"{}", "again"} {
			if err := s.SaveSandboxOrder(t.Context(), "a", []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		now = noon.Add(time.Hour)
		if err := s.SaveSandboxOrder(t.Context(), "b", []byte("b")); err != nil {
			t.Fatal(err)
		}
		for _, err := range concurrent(20, func(int) error {
			return s.ChangeSandboxOrder(t.Context(), "a", func(body []byte) ([]byte, error) { return append(body, 'x'), nil })
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		if err := s.ChangeSandboxOrder(t.Context(), "a", func([]byte) ([]byte, error) { return nil, errNo }); !errors.Is(err, errNo) {
			t.Errorf("got %v", err)
		}
		if body, err := s.SandboxOrder(t.Context(), "a"); string(body) != "{}xxxxxxxxxxxxxxxxxxxx" || err != nil {
			t.Errorf("got %s, %v", body, err)
		}
		if body, err := s.SandboxOrder(t.Context(), "c"); body != nil || err != nil {
			t.Errorf("got %s, %v", body, err)
		}
		if err, want := s.ChangeSandboxOrder(t.Context(), "c", nil), `change sandbox order: there is no order "c"`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if bodies, err := collect(s.SandboxOrdersOf(t.Context(), noon, noon.Add(time.Hour))); err != nil || len(bodies) != 1 {
			t.Errorf("got %q, %v", bodies, err)
		}
		if bodies, err := collect(s.SandboxOrdersOf(t.Context(), noon, noon.Add(2*time.Hour))); err != nil || len(bodies) != 2 || string(bodies[1]) != "b" {
			t.Errorf("got %q, %v", bodies, err)
		}
	})
}

func TestPurge(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			for i, end := range []time.Time{noon, noon.Add(time.Microsecond)} {
				name := fmt.Sprint(i)
				_, err := tx.Spend(name, end)
				if err := errors.Join(err,
					tx.AddSession(&access.Session{ID: name, TokenHash: name, ExpiresAt: end}), tx.AddHit(name, noon.Add(-time.Hour), end),
					tx.SaveCodeRequest(&access.CodeRequest{ID: name, ExpiresAt: end.Add(-24 * time.Hour)}),
				); err != nil {
					return err
				}
			}
			return nil
		})
		for i, at := range []time.Duration{-24 * time.Hour, time.Microsecond - 24*time.Hour} {
			if _, _, err := s.ClaimKey(t.Context(), fmt.Sprint(i), "h", noon.Add(at), time.Minute); err != nil {
				t.Fatal(err)
			}
			if err := s.FinishKey(t.Context(), fmt.Sprint(i), noon.Add(at), 200, "", nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Purge(t.Context(), noon); err != nil {
			t.Fatal(err)
		}
		update(t, s, func(tx store.Tx) error {
			for i, kept := range []bool{false, true} {
				name := fmt.Sprint(i)
				session, err1 := tx.Session(name)
				code, err2 := tx.CodeRequestForUpdate(name)
				n, _, err3 := tx.Hits(name, time.Time{})
				fresh, err4 := tx.Spend(name, noon)
				if err := errors.Join(err1, err2, err3, err4); err != nil {
					return err
				}
				if (session != nil) != kept || (code != nil) != kept || (n == 1) != kept || fresh == kept {
					t.Errorf("%s: session %v, code request %v, %d hits, spent %t", name, session != nil, code != nil, n, !fresh)
				}
			}
			return nil
		})
		for i, want := range []string{store.KeyNew, store.KeyDone} {
			if _, state, err := s.ClaimKey(t.Context(), fmt.Sprint(i), "h", noon.Add(-time.Hour), time.Minute); state != want || err != nil {
				t.Errorf("key %d: %s, %v", i, state, err)
			}
		}
	})
}
