package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/consent"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestRoundTrips(t *testing.T) {
	url := storetest.Postgres(t)
	storetest.Open(t, url)
	l := &proxy{}
	s := open(t, store.Config{URL: l.listen(t, url), Pool: 2})
	trips := func() int {
		l.Lock()
		defer l.Unlock()
		return l.sent
	}
	update(t, s, func(tx store.Tx) error {
		return errors.Join(
			tx.AddSession(&access.Session{ID: "session", TokenHash: "token"}), tx.AddAccount(&account.Account{ID: "a", Phone: "1"}),
			tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: enrol.ApplicationCode, AccountID: "a", Phone: "1"}),
		)
	})
	for _, c := range []struct {
		what string
		want int
		do   func() error
	}{
		{"an enquiry, which only writes", 1, func() error { return addEnquiry(t.Context(), s) }},
		{"a step: its reads and its writes", 2, func() error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				a, err := tx.Applicant("session", "a")
				if err != nil {
					return err
				}
				return errors.Join(tx.SaveRegistration(a.Registration), tx.SaveDraft(apply.Draft{RegistrationID: a.Registration.ID, Step: "personal"}))
			})
		}},
		{"a lock, then a write", 2, func() error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				session, err := tx.SessionForUpdate("session")
				if err != nil {
					return err
				}
				return tx.SaveSession(session)
			})
		}},
	} {
		var before int
		for range 2 { // the first run prepares the statements
			before = trips()
			if err := c.do(); err != nil {
				t.Fatal(err)
			}
		}
		if n := trips() - before; n != c.want {
			t.Errorf("%s took %d round trips, want %d", c.what, n, c.want)
		}
	}
}

func TestQueuedStatementsAreAtomic(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, direct := storetest.Open(t, url), raw(t, url)
		add := func(e, m string, also func(store.Tx) error) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				one := enquiry()
				one.ID = e
				return errors.Join(
					tx.AddEnquiry(&one), tx.AddConsent(consent.Consent{ID: e, Subject: "s", Purpose: "p", Given: true, At: noon, UserAgent: "a\x00b"}),
					tx.AddHit("together", noon, noon.Add(time.Hour)), tx.AddMessage(&message.Message{ID: m, Cause: m, Channel: message.Email, CreatedAt: noon}), also(tx))
			})
		}
		nothing := func(store.Tx) error { return nil }
		counts := func() [5]int {
			var n [5]int
			for i, table := range []string{"enquiries", "consents", "hits", "messages", "jobs"} {
				n[i] = number(t, direct, "SELECT COUNT(*) FROM "+table)
			}
			return n
		}
		if err := add("a", "m", nothing); err != nil || counts() != [5]int{1, 1, 1, 1, 1} {
			t.Errorf("rows %v, %v", counts(), err)
		}
		if err := add("b", "m", nothing); err != nil || counts() != [5]int{2, 2, 2, 1, 1} {
			t.Errorf("a message of the same cause: rows %v, %v", counts(), err)
		}
		if err := add("c", "n", func(store.Tx) error { return errNo }); !errors.Is(err, errNo) || counts() != [5]int{2, 2, 2, 1, 1} {
			t.Errorf("refused by the business: rows %v, %v", counts(), err)
		}
		if err := add("a", "n", nothing); !errors.Is(err, gorm.ErrDuplicatedKey) || counts() != [5]int{2, 2, 2, 1, 1} {
			t.Errorf("refused by the database: rows %v, %v", counts(), err)
		}
		held := view(t, s, func(tx store.Tx) (map[string]consent.Consent, error) { return tx.LastConsents("s") })
		if c := held["p"]; !c.Given || !c.At.Equal(noon) || c.UserAgent != "a\uFFFDb" {
			t.Errorf("the consent is %+v", c)
		}
		if err := s.Update(t.Context(), nothing); err != nil {
			t.Errorf("nothing to write: %v", err)
		}
	})
}

func TestQueriesSeeQueuedStatements(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		err := s.Update(t.Context(), func(tx store.Tx) error {
			if err := tx.AddHit("kept", noon, noon); err != nil {
				return err
			}
			if n, _, err := tx.Hits("kept", noon.Add(-time.Second)); err != nil || n != 1 {
				t.Errorf("%d hits, %v", n, err)
			}
			return errNo
		})
		if n := hits(t, s, "kept"); n != 0 || !errors.Is(err, errNo) {
			t.Errorf("%d hits stand, %v", n, err)
		}
	})
}

func TestNextQueryReturnsTheErrorOfAQueuedStatement(t *testing.T) {
	url := storetest.Postgres(t)
	s := storetest.Open(t, url)
	one := access.Session{ID: "a", TokenHash: "a"}
	add := func(tx store.Tx) error { return tx.AddSession(&one) }
	if err := s.Update(t.Context(), add); err != nil {
		t.Fatal(err)
	}
	tries := 0
	err := s.Update(t.Context(), func(tx store.Tx) error {
		tries++
		if err := add(tx); err != nil {
			t.Errorf("at once: %v", err)
		}
		_, err := tx.Session("a")
		return err
	})
	if !errors.Is(err, gorm.ErrDuplicatedKey) || tries != 6 {
		t.Errorf("after %d tries: %v", tries, err)
	}
}

// Otherwise work that ignores an error would seem to be committed.
func TestIgnoredErrorRollsBack(t *testing.T) {
	url := storetest.Postgres(t)
	s, direct := storetest.Open(t, url), raw(t, url)
	err := s.Update(t.Context(), func(tx store.Tx) error {
		_ = tx.AddHit("first", noon, noon)
		_, _ = tx.Session("a\x00b") // PostgreSQL rejects NUL
		return tx.AddHit("second", noon, noon)
	})
	if n := number(t, direct, "SELECT COUNT(*) FROM hits"); err == nil || n != 0 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestFailedTransactionReleasesItsLocks(t *testing.T) {
	s := storetest.Open(t, storetest.Postgres(t))
	lock := func(ctx context.Context, then func() error) error {
		return s.Update(ctx, func(tx store.Tx) error {
			if _, _, err := tx.Hits("kept", noon); err != nil {
				return err
			}
			return then()
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := lock(ctx, func() error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the visitor has left: %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = lock(t.Context(), func() error { panic("a fault of ours") })
	}()
	ctx, cancel = context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := lock(ctx, func() error { return nil }); err != nil {
		t.Errorf("the next: %v", err)
	}
}
