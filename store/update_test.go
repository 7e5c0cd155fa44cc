package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/contact"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 6, 30, 0, 123456000, time.UTC)

var errNo = errors.New("no")

// concurrent runs work concurrently and returns the error of each.
func concurrent(n int, work func(i int) error) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = work(i) })
	}
	group.Wait()
	return errs
}

func update(t *testing.T, s *store.Store, work func(store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), work); err != nil {
		t.Fatal(err)
	}
}

// view returns the result of look in a View.
func view[T any](t *testing.T, s *store.Store, look func(store.Tx) (T, error)) T {
	t.Helper()
	var found T
	if err := s.View(t.Context(), func(tx store.Tx) (err error) {
		found, err = look(tx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func hits(t *testing.T, s *store.Store, bucket string) int {
	t.Helper()
	return view(t, s, func(tx store.Tx) (int, error) {
		n, _, err := tx.Hits(bucket, time.Time{})
		return n, err
	})
}

func TestFailedUpdateDoesNotAffectOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		errs := concurrent(64, func(i int) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				if err := tx.AddHit(fmt.Sprint("neighbour ", i%2), noon, noon); err != nil {
					return err
				}
				if i%2 == 1 {
					return errNo
				}
				return nil
			})
		})
		for i, err := range errs {
			if failed := err != nil; failed != (i%2 == 1) || failed && !errors.Is(err, errNo) {
				t.Errorf("update %d: %v", i, err)
			}
		}
		if kept, undone := hits(t, s, "neighbour 0"), hits(t, s, "neighbour 1"); kept != 32 || undone != 0 {
			t.Errorf("kept %d of 32, and %d that failed", kept, undone)
		}
	})
}

func TestFailedStatementDoesNotAffectOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		errs := concurrent(32, func(i int) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				if err := tx.AddHit("all", noon, noon); err != nil {
					return err
				}
				if i%4 == 0 { // no such registration
					return tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: "nobody's", At: noon})
				}
				return nil
			})
		})
		for i, err := range errs {
			if refused := errors.Is(err, gorm.ErrForeignKeyViolated); refused != (i%4 == 0) || err != nil && !refused {
				t.Errorf("update %d: %v", i, err)
			}
		}
		if n := hits(t, s, "all"); n != 24 {
			t.Errorf("%d rows of 24", n)
		}
	})
}

func TestPanicReachesOnlyItsCaller(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		raised := make([]any, 8)
		concurrent(8, func(i int) error {
			defer func() { raised[i] = recover() }()
			return s.Update(t.Context(), func(tx store.Tx) error {
				if err := tx.AddHit("panic", noon, noon); err != nil {
					return err
				}
				if i == 3 {
					panic("at three")
				}
				return nil
			})
		})
		for i, value := range raised {
			// SQLite's writer adds the stack.
			text, stack, _ := strings.Cut(fmt.Sprint(value), "\n\n")
			want := "<nil>"
			if i == 3 {
				want = "at three"
			}
			if text != want {
				t.Errorf("caller %d: panic %q, want %q", i, text, want)
			}
			if i == 3 && strings.HasSuffix(t.Name(), "sqlite") && !strings.Contains(stack, "update_test.go") {
				t.Errorf("caller %d: the stack %q does not name where it happened", i, stack)
			}
		}
		if n := hits(t, s, "panic"); n != 7 {
			t.Errorf("%d rows of 7", n)
		}
	})
}

func TestCancelledUpdateWritesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		started, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- s.Update(t.Context(), func(tx store.Tx) error {
				close(started)
				<-goOn
				return tx.AddHit("first", noon, noon)
			})
		}()
		<-started
		cancel()
		second := func() {
			if err := s.Update(ctx, func(tx store.Tx) error { return tx.AddHit("second", noon, noon) }); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
		}
		second() // while another update runs
		close(goOn)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		for range 20 {
			second() // while none runs
		}
		if first, second := hits(t, s, "first"), hits(t, s, "second"); first != 1 || second != 0 {
			t.Errorf("first %d, second %d", first, second)
		}
	})
}

func TestConcurrentReadsAndWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for i, err := range concurrent(64, func(i int) error {
			for range 10 {
				if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.AddHit("busy", noon, noon) }); err != nil {
					return err
				}
				if err := s.View(t.Context(), func(tx store.Tx) error {
					_, _, err := tx.Hits("busy", time.Time{})
					return err
				}); err != nil {
					return err
				}
			}
			return nil
		}) {
			if err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
		}
		if n := hits(t, s, "busy"); n != 640 {
			t.Errorf("%d rows of 640", n)
		}
	})
}

func TestViewCannotWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.View(t.Context(), func(tx store.Tx) error { return tx.AddHit("view", noon, noon) }); err == nil {
			t.Error("it wrote")
		}
		if n := hits(t, s, "view"); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestSerialsHaveNoGapAfterRollbacks(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const clients, each = 50, 20
		kept := make([][]int64, clients)
		for i, err := range concurrent(clients, func(i int) error {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for range each {
				var serial int64
				err := s.Update(t.Context(), func(tx store.Tx) (err error) {
					if serial, err = tx.NextSerial("KS", "26-27"); err != nil {
						return err
					}
					if random.IntN(5) == 0 {
						return errNo
					}
					return tx.AddHit("serial", noon, noon)
				})
				if err == nil {
					kept[i] = append(kept[i], serial)
				} else if !errors.Is(err, errNo) {
					return err
				}
			}
			return nil
		}) {
			if err != nil {
				t.Fatalf("client %d: %v", i, err)
			}
		}
		seen, most := map[int64]bool{}, int64(0)
		total := 0
		for _, serials := range kept {
			for _, serial := range serials {
				seen[serial], most = true, max(most, serial)
				total++
			}
		}
		if len(seen) != total || most != int64(total) || total == clients*each {
			t.Errorf("%d invoices have %d numbers up to %d", total, len(seen), most)
		}
		update(t, s, func(tx store.Tx) error {
			serial, err := tx.NextSerial("KS", "27-28")
			if serial != 1 {
				t.Errorf("the next year begins with %d", serial)
			}
			return err
		})
	})
}

func TestConcurrentLastCouponUse(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.SaveCoupon(t.Context(), enrol.Coupon{ID: "c", Code: "LAST", EventCode: "E", MaxUses: 1}); err != nil {
			t.Fatal(err)
		}
		won := 0
		for _, err := range concurrent(50, func(i int) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				coupon, err := tx.CouponForUpdate("E", "LAST")
				if err != nil {
					return err
				}
				spent, err := tx.CouponSpent(coupon.ID, fmt.Sprint(i))
				if err != nil {
					return err
				}
				if spent.Uses >= coupon.MaxUses {
					return errNo
				}
				return tx.SaveCouponUse(enrol.CouponUse{ID: admission.NewID(), CouponID: coupon.ID, TxnID: fmt.Sprint(i), Phone: fmt.Sprint(i), State: enrol.UseHeld})
			})
		}) {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, errNo):
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d won", won)
		}
	})
}

func TestConcurrentHits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		passed := 0
		for _, err := range concurrent(20, func(int) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				n, _, err := tx.Hits("limited", noon.Add(-time.Hour))
				if err != nil {
					return err
				}
				if n >= 3 {
					return errNo
				}
				return tx.AddHit("limited", noon, noon)
			})
		}) {
			if err == nil {
				passed++
			} else if !errors.Is(err, errNo) {
				t.Error(err)
			}
		}
		if passed != 3 {
			t.Errorf("%d passed, want 3", passed)
		}
	})
}

func TestConcurrentEnrolmentOfOnePhone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		added := make([]bool, 16)
		for _, err := range concurrent(16, func(i int) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				r, err := tx.RegistrationOf("E", "+919876543210")
				if added[i] = err == nil && r == nil; !added[i] {
					return err
				}
				return tx.AddRegistration(&enrol.Registration{ID: admission.NewID(), EventCode: "E", Phone: "+919876543210"})
			})
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		n := 0
		for _, yes := range added {
			if yes {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d were added", n)
		}
	})
}

func TestTakenReferenceIsDrawnAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		first, second := enquiry(), enquiry()
		second.Reference = first.Reference
		for _, e := range []*contact.Enquiry{&first, &second} {
			update(t, s, func(tx store.Tx) error { return tx.AddEnquiry(e) })
		}
		if first.Reference == second.Reference {
			t.Errorf("both are %s", first.Reference)
		}
	})
}
