package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestAnEnquiryIsOneRoundTripToPostgres(t *testing.T) {
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
	if n := trips() - before; n != 1 {
		t.Errorf("it took %d round trips", n)
	}
}

func TestAWriteIsKeptWholeOrNotAtAll(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, beside := storetest.Open(t, url), raw(t, url)
		add := func(e, m string, also func(store.Tx) error) error {
			return s.Write(t.Context(), func(tx store.Tx) error {
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
		held := view(t, s, func(tx store.Tx) (map[string]consent.Consent, error) { return tx.LastConsents("s") })
		if c := held["p"]; !c.Given || !c.At.Equal(noon) || c.UserAgent != "a\uFFFDb" {
			t.Errorf("the consent is %+v", c)
		}
		if err := s.Write(t.Context(), nothing); err != nil {
			t.Errorf("nothing to write: %v", err)
		}
	})
}

func TestAWriteRefusesWhatWantsAnAnswer(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for name, reads := range map[string]func(store.Tx) error{
			"a look-up": func(tx store.Tx) error { _, err := tx.Session("a"); return err },
			"a count":   func(tx store.Tx) error { _, _, err := tx.Hits("kept", noon); return err },
			"fresh":     func(tx store.Tx) error { _, err := tx.Spend("key", noon); return err },
			"a change":  func(tx store.Tx) error { return tx.SaveSession(&access.Session{ID: "a"}) },
		} {
			err := s.Write(t.Context(), func(tx store.Tx) error { return errors.Join(tx.AddHit("kept", noon, noon), reads(tx)) })
			if err == nil || !strings.Contains(err.Error(), "a Write asks the database something") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := hits(t, s, "kept"); n != 0 {
			t.Errorf("%d hits stand", n)
		}
	})
}
