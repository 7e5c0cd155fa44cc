package site_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestPurgeContinuesAfterItsLimit(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := sitetest.New(t, map[string]string{"DATABASE_URL": databaseURL})
		flood := 3 * 1000 // more than a batch
		before := storetest.Rows(t, databaseURL)["hits"]
		if err := s.Store.Update(t.Context(), func(tx store.Tx) error {
			for range flood {
				if err := tx.AddHit("flood", s.Clock().Add(-time.Hour), s.Clock().Add(-time.Minute)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		again, err := s.Purge(time.Nanosecond)(t.Context(), admission.Job{})
		if again != site.PurgeRetry || err != nil {
			t.Errorf("a purge that was not done in time: again in %s, %v", again, err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if again, err := s.Purge(time.Minute)(ended, admission.Job{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a purge that the site's end broke off: again in %s, %v", again, err)
		}
		if left := storetest.Rows(t, databaseURL)["hits"] - before; left != flood {
			t.Errorf("%d of %d rows are left though there was no time", left, flood)
		}
		if again, err := s.Purge(time.Minute)(t.Context(), admission.Job{}); again != time.Hour || err != nil {
			t.Errorf("a purge: again in %s, %v", again, err)
		}
		if left := storetest.Rows(t, databaseURL)["hits"] - before; left != 0 {
			t.Errorf("%d rows are left", left)
		}
	})
}
