package store_test

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"hiresure/admission/consent"
	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestAnEnquiryIsThreeRoundTripsToPostgres(t *testing.T) {
	url := storetest.Postgres(t)
	storetest.Open(t, url)
	l := &line{}
	s := open(t, store.Config{URL: l.lay(t, url), Pool: 2})
	trips := func() int {
		l.Lock()
		defer l.Unlock()
		return l.sent
	}
	var before int
	for range 2 { // the first prepares its statements
		before = trips()
		if err := keep(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if n := trips() - before; n != 3 {
		t.Errorf("begin, rows and commit took %d round trips", n)
	}
}

func TestWhatIsWrittenTogetherIsKeptTogether(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, beside := storetest.Open(t, url), raw(t, url)
		add := func(e, m string, also func(store.Tx) error) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				return tx.Together(func() error {
					one := enquiry()
					one.ID = e
					return errors.Join(
						tx.AddEnquiry(&one), tx.AddConsent(consent.Consent{ID: e, Subject: "s", Purpose: "p", Given: true, At: noon, UserAgent: "a\x00b"}),
						tx.AddHit("together", noon, noon.Add(time.Hour)), tx.AddMessage(&message.Message{ID: m, Cause: m, Channel: message.Email, CreatedAt: noon}), also(tx))
				})
			})
		}
		nothing := func(store.Tx) error { return nil }
		counts := func() [5]int {
			var n [5]int
			for i, table := range []string{"enquiries", "consents", "hits", "messages", "jobs"} {
				n[i] = number(t, beside, "SELECT COUNT(*) FROM "+table)
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
		update(t, s, func(tx store.Tx) error {
			if err := tx.Together(func() error { return tx.AddHit("before", noon, noon) }); err != nil {
				return err
			}
			n, _, err := tx.Hits("before", time.Time{})
			if n != 1 {
				t.Errorf("afterwards the transaction sees %d of 1", n)
			}
			return err
		})
		held := view(t, s, func(tx store.Tx) (map[string]consent.Consent, error) { return tx.LastConsents("s") })
		if c := held["p"]; !c.Given || !c.At.Equal(noon) || c.UserAgent != "a\uFFFDb" {
			t.Errorf("the consent is %+v", c)
		}
	})
}
