package business_test

import (
	"testing"
	"time"

	"hiresure/admission"
)

// What a limit counts is kept as long as it counts, and no longer.
func TestWhatALimitCountsOutlivesThePurge(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		p := w.verified()
		guess := func() error {
			_, err := p.enrol(fields{"coupon_code": "NOSUCH99"})
			return err
		}
		for range 10 {
			refused(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		}
		w.clock.Pass(time.Hour - time.Second)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		if problem := admission.AsProblem(guess()); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Second {
			t.Errorf("the eleventh guess within an hour: %v", problem)
		}
		w.clock.Pass(time.Second)
		refused(t, guess(), admission.Invalid, "coupon_code", "Invalid coupon code. Please check and try again.")
		w.clock.Pass(time.Hour)
		w.must(w.database.Purge(w.ctx, w.clock.Now()))
		equal(t, "hits that are kept", w.count("hits WHERE bucket LIKE 'guess:%'"), 0)
	})
}
