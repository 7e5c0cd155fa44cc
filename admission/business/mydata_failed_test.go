package business_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/mydata"
	"hiresure/store"
)

// unreadable is a store that cannot read personal data.
type unreadable struct {
	admission.Store[store.Tx]
	fault error
}

func (u unreadable) View(ctx context.Context, work func(store.Tx) error) error {
	return u.Store.View(ctx, func(tx store.Tx) error { return work(unreadableTx{tx, u.fault}) })
}

type unreadableTx struct {
	store.Tx
	fault error
}

func (u unreadableTx) PersonRows(*account.Account, mydata.Kind, int) ([]mydata.Table, error) {
	return nil, u.fault
}

// damaged is a permanent error.
type damaged struct{ error }

func (damaged) Permanent() bool { return true }

func TestFailedExportIsGivenUp(t *testing.T) {
	for _, test := range []struct {
		sentence string
		fault    error
		after    time.Duration // it is given up; before that it is under way
		alerts   []string
	}{
		{"too much", fmt.Errorf("money: %w", mydata.ErrTooLarge), 0, []string{"a person's data is too much for one file"}},
		{"damaged", fmt.Errorf("money: %w", damaged{errors.New("cannot be opened")}), 0, []string{"job refused: export"}},
		{"whatever it is, for a day", errors.New("no such column"), 24 * time.Hour, nil},
	} {
		t.Run(test.sentence, func(t *testing.T) {
			each(t, func(t *testing.T, w *world) {
				p := w.somebody()
				p.signUp(p.email)
				w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
				id := p.overview().Export.ID
				w.recorder.Store = unreadable{w.database, test.fault}
				if test.after > 0 {
					w.runJobs()
					equal(t, "it is under way after the first fault", p.overview().Export.UnderWay(), true)
					w.clock.Pass(test.after - time.Second)
					w.runJobs()
					equal(t, "it is under way a second before", p.overview().Export.UnderWay(), true)
					w.clock.Pass(time.Hour + time.Second)
				}
				w.runJobs()
				w.runJobs()
				given := p.overview().Export
				equal(t, "it is under way", given.UnderWay(), false)
				equal(t, "it is given up at", given.FailedAt, w.clock.Now())
				same(t, "alerts", w.alerts.all(), test.alerts)
				equal(t, "messages that say so", w.count("messages WHERE cause = $1 AND template = 'export-failed-sms'", "export-failed:"+id), 1)
				equal(t, "jobs that try again", w.count("jobs WHERE kind = 'export' AND dead_at = 0"), 0)

				w.recorder.Store = w.database
				w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
				w.runJobs()
				equal(t, "it is ready when asked for anew", p.overview().Export.Ready(w.clock.Now()), true)
			})
		})
	}
}
