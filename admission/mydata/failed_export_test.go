package mydata_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/business/businesstest"
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
		{"too much", fmt.Errorf("money: %w", mydata.ErrTooLarge), 0, []string{"export of personal data exceeds its limits"}},
		{"damaged", fmt.Errorf("money: %w", damaged{errors.New("cannot be opened")}), 0, []string{"job failed permanently: export"}},
		{"whatever it is, for a day", errors.New("no such column"), 24 * time.Hour, nil},
	} {
		t.Run(test.sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Somebody()
				p.SignUp(p.Email)
				w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
				id := overview(p).Export.ID
				w.Recorder.Store = unreadable{w.Database, test.fault}
				if test.after > 0 {
					w.RunJobs()
					businesstest.Equal(t, "it is under way after the first fault", overview(p).Export.UnderWay(), true)
					w.Clock.Pass(test.after - time.Second)
					w.RunJobs()
					businesstest.Equal(t, "it is under way a second before", overview(p).Export.UnderWay(), true)
					w.Clock.Pass(time.Hour + time.Second)
				}
				w.RunJobs()
				w.RunJobs()
				given := overview(p).Export
				businesstest.Equal(t, "it is under way", given.UnderWay(), false)
				businesstest.Equal(t, "it is given up at", given.FailedAt, w.Clock.Now())
				businesstest.Same(t, "alerts", w.Alerts.All(), test.alerts)
				businesstest.Equal(t, "messages that say so", w.Count("messages WHERE cause = $1 AND template = 'export-failed-sms'", "export-failed:"+id), 1)
				businesstest.Equal(t, "jobs that try again", w.Count("jobs WHERE kind = 'export' AND dead_at = 0"), 0)

				w.Recorder.Store = w.Database
				w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
				w.RunJobs()
				businesstest.Equal(t, "it is ready when asked for anew", overview(p).Export.Ready(w.Clock.Now()), true)
			})
		})
	}
}
