package store_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/store"
	"hiresure/store/storetest"
)

// bury adds a job due at noon and buries it.
func bury(t *testing.T, s *store.Store, kind, ref string, at time.Time, failures ...admission.Failure) {
	t.Helper()
	addJob(t, s, kind, ref, noon)
	claimed, err := s.ClaimJobs(t.Context(), []string{kind}, noon, time.Minute, 1)
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	claimed[0].Attempts, claimed[0].Failures = 3, failures
	if err := s.BuryJob(t.Context(), claimed[0], at); err != nil {
		t.Fatal(err)
	}
}

func TestDeadJobIsNotDueUntilRevived(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		why := []admission.Failure{{At: noon, Error: "451 later\x00"}, {At: noon.Add(time.Second), Error: "550 5.1.1 unknown"}}
		bury(t, s, payment.JobPoll, "other", noon.Add(time.Second))
		bury(t, s, message.JobMail, "mail", noon.Add(2*time.Second), why...)
		farAhead := noon.AddDate(5000, 0, 0)
		if got := claim(t, s, farAhead); got != nil {
			t.Errorf("claimed dead: %+v", got)
		}
		// As the previous version queries, which knows no dead jobs.
		var due int
		if err := raw(t, url).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM jobs WHERE due_at <= 253402300799000000").Scan(&due); err != nil || due != 0 {
			t.Errorf("%d dead jobs are due for a version that knows none, %v", due, err)
		}
		dead, err := collect(s.DeadJobs(t.Context(), ""))
		if err != nil || len(dead) != 2 || dead[0].Ref != "other" || dead[1].Ref != "mail" {
			t.Fatalf("dead: %+v, %v", dead, err)
		}
		if d := dead[1]; d.Kind != message.JobMail || d.Attempts != 3 || !d.DeadAt.Equal(noon.Add(2*time.Second)) || !reflect.DeepEqual(d.Failures, why) {
			t.Errorf("dead mail: %+v", d)
		}
		if dead, err = collect(s.DeadJobs(t.Context(), message.JobMail)); err != nil || len(dead) != 1 {
			t.Errorf("dead of one kind: %+v, %v", dead, err)
		}
		for _, c := range []struct {
			kind, ref string
			want      int64
		}{{"", "nobody", 0}, {payment.JobPoll, "mail", 0}, {"", "mail", 1}, {"", "mail", 0}, {payment.JobPoll, "", 1}} {
			if n, err := s.ReviveJobs(t.Context(), c.kind, c.ref, noon.Add(time.Hour), func(int64) staff.Act { return staff.Act{Who: "operator Ravi"} }); n != c.want || err != nil {
				t.Errorf("revived %d of kind %q, ref %q, %v; want %d", n, c.kind, c.ref, err, c.want)
			}
		}
		revived := claim(t, s, noon.Add(time.Hour))
		if !slices.Equal(refs(revived), []string{"mail", "other"}) || revived[0].Attempts != 0 || !reflect.DeepEqual(revived[0].Failures, why) {
			t.Errorf("revived: %+v", revived)
		}
		if stats, err := s.QueueStats(t.Context(), noon.Add(time.Hour)); err != nil || stats.Dead != 0 {
			t.Errorf("%d dead after that, %v", stats.Dead, err)
		}
	})
}

func TestAddJobRevivesADeadJob(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		bury(t, s, payment.JobPoll, "j", noon)
		addJob(t, s, payment.JobPoll, "j", noon.Add(time.Minute))
		if dead, err := collect(s.DeadJobs(t.Context(), "")); err != nil || len(dead) != 0 {
			t.Errorf("still dead: %+v, %v", dead, err)
		}
		if got := refs(claim(t, s, noon.Add(time.Minute))); !slices.Equal(got, []string{"j"}) {
			t.Errorf("claimed %v", got)
		}
	})
}

// A version without dead jobs may make them due again: claiming one revives it.
func TestClaimRevivesADeadJobThatAnOlderVersionMadeDue(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		bury(t, s, payment.JobPoll, "j", noon)
		if _, err := raw(t, url).ExecContext(t.Context(), "UPDATE jobs SET due_at = 0"); err != nil {
			t.Fatal(err)
		}
		if got := refs(claim(t, s, noon)); !slices.Equal(got, []string{"j"}) {
			t.Errorf("claimed %v", got)
		}
		if dead, err := collect(s.DeadJobs(t.Context(), "")); err != nil || len(dead) != 0 {
			t.Errorf("dead while it runs: %+v, %v", dead, err)
		}
	})
}

func TestJobPayload(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		add := func(payload string, due time.Time) {
			update(t, s, func(tx store.Tx) error {
				return tx.AddJob(admission.Job{Kind: payment.JobPoll, Ref: "j", DueAt: due, Payload: payload})
			})
		}
		add(`{"page":1}`, noon.Add(time.Hour))
		add(`{"page":2}`, noon)
		add(`{"page":3}`, noon.Add(time.Minute))
		if got := claim(t, s, noon); len(got) != 1 || got[0].Payload != `{"page":2}` {
			t.Errorf("got %+v; want the payload of the earliest", got)
		}
	})
}

func TestHastenJobs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		addJob(t, s, payment.JobPoll, "untried, near", noon.Add(time.Minute))
		addJob(t, s, payment.JobPoll, "untried, far", noon.Add(time.Minute+time.Microsecond))
		addJob(t, s, message.JobMail, "of another kind", noon.Add(24*time.Hour))
		for ref, due := range map[string]time.Time{"failed, near": noon.Add(time.Hour), "failed, far": noon.Add(time.Hour + time.Microsecond)} {
			addJob(t, s, payment.JobPoll, ref, noon.Add(-time.Minute))
			failed := claim(t, s, noon)[0]
			failed.Attempts = 1
			if err := s.PostponeJob(t.Context(), failed, due); err != nil {
				t.Fatal(err)
			}
		}
		bury(t, s, payment.JobPoll, "dead", noon)
		if n, err := s.RescheduleJobs(t.Context(), payment.JobPoll, noon.Add(time.Minute), noon.Add(time.Hour), noon); n != 2 || err != nil {
			t.Errorf("hastened %d, %v; want 2", n, err)
		}
		if got := refs(claim(t, s, noon)); !slices.Equal(got, []string{"failed, far", "untried, far"}) {
			t.Errorf("due now: %q", got)
		}
		if got := refs(claim(t, s, noon.Add(time.Hour))); !slices.Equal(got, []string{"failed, far", "untried, far", "untried, near", "failed, near"}) {
			t.Errorf("due later: %q", got) // the first two at the end of their leases
		}
	})
}

// While a relay is down thousands of mails wait, and all workers keep polling.
func TestClaimReadsFewRows(t *testing.T) {
	url := storetest.Postgres(t)
	s := storetest.Open(t, url)
	for _, statement := range []string{
		fmt.Sprintf(`INSERT INTO jobs (kind, ref, due_at, attempts, last_error)
			SELECT kind, n::text, %d - n, 0, '' FROM generate_series(1, 5000) AS n, (VALUES ('mail'), ('deliver')) AS kinds(kind)`, noon.UnixMicro()),
		"ANALYZE jobs", // as PostgreSQL does every minute
	} {
		if _, err := raw(t, url).ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	jobs, rows, err := s.ClaimedRowReads(t.Context(), []string{message.JobMail, message.JobDeliver}, noon, 8)
	if err != nil || jobs != 8 || rows > 2*8 {
		t.Errorf("%d of 10,000 due jobs were found by reading %d rows, %v; want 8 of at most 16", jobs, rows, err)
	}
}
