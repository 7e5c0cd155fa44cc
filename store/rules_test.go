package store_test

import (
	"database/sql"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/consent"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestTransactions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.SaveCoupon(t.Context(), enrol.Coupon{ID: "c", Code: "C", EventCode: "E", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}, EndsAt: noon}); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveCoupon(t.Context(), enrol.Coupon{ID: "other", Code: "C", EventCode: "E"}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"first", "second"} {
			if err := s.SaveReferral(t.Context(), enrol.Referral{Code: "REF", OwnerName: name, CreditMinor: 5}); err != nil {
				t.Fatal(err)
			}
		}
		update(t, s, func(tx store.Tx) error {
			check := func(what string, got, want any) {
				t.Helper()
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			fail := func(err error) {
				t.Helper()
				if err != nil {
					panic(err) // reaches the caller; Fatal would end the writer's goroutine
				}
			}
			coupon, err := tx.CouponForUpdate("E", "C")
			fail(err)
			check("coupon", *coupon, enrol.Coupon{ID: "c", Code: "C", EventCode: "E", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}, EndsAt: noon})
			referral, err := tx.Referral("REF")
			fail(err)
			check("referral", *referral, enrol.Referral{Code: "REF", OwnerName: "first", CreditMinor: 5})

			fail(tx.AddAccount(&account.Account{ID: "a3", Email: "Verified@example.com", EmailProvenAt: noon}))
			fail(tx.AddAccount(&account.Account{ID: "a4", Email: "typed@example.com"}))
			fail(tx.AddRegistration(&enrol.Registration{ID: "r3", EventCode: "E", Phone: "3", Email: "verified@example.com", AccountID: "a3"}))
			fail(tx.AddRegistration(&enrol.Registration{ID: "r4", EventCode: "E", Phone: "4", Email: "typed@example.com", AccountID: "a4"}))
			fail(tx.AddRegistration(&enrol.Registration{ID: "r5", EventCode: "E", Phone: "5", Email: "ASHA@example.com"})) // first, but unpaid
			fail(tx.AddRegistration(&enrol.Registration{ID: "r1", EventCode: "E", Phone: "1", Email: "Asha@Example.com", PaidTxnID: "t1", CreatedAt: noon}))
			for email, want := range map[string]string{"verified@example.com": "3", "typed@example.com": "", "none@example.com": ""} {
				phone, err := tx.PhoneOfEmail("E", email)
				fail(err)
				check("phone of "+email, phone, want)
			}
			fail(tx.AddRegistration(&enrol.Registration{ID: "r2", EventCode: "E", Phone: "2", Email: "b@example.com", Refunded: true}))
			phone, err := tx.PhoneOfEmail("E", "aSHA@example.COM")
			fail(err)
			check("phone of an e-mail in another case", phone, "1")
			phone, err = tx.PhoneOfEmail("E", "b@example.com")
			fail(err)
			check("phone of an e-mail that was refunded", phone, "")
			refunded, err := tx.RegistrationOf("E", "2")
			fail(err)
			check("a refunded registration", refunded == nil, true)
			known, err := tx.PhoneKnown("2")
			fail(err)
			check("a refunded phone is known", known, true)

			for i, use := range []struct {
				phone string
				state enrol.UseState
			}{{"1", enrol.UseHeld}, {"1", enrol.UseTaken}, {"1", enrol.UseReleased}, {"2", enrol.UseHeld}} {
				fail(tx.SaveCouponUse(enrol.CouponUse{ID: fmt.Sprint(i), CouponID: "c", TxnID: fmt.Sprint("t", i), Phone: use.phone, DiscountMinor: 100, State: use.state}))
			}
			spent, err := tx.CouponSpent("c", "1")
			fail(err)
			check("spent, without what the phone itself holds", spent, enrol.CouponSpent{Uses: 2, ByPhone: 1, DiscountMinor: 200})
			fail(tx.SetCouponUse("t3", enrol.UseReleased))
			spent, err = tx.CouponSpent("c", "2")
			fail(err)
			check("spent after a release", spent, enrol.CouponSpent{Uses: 2, DiscountMinor: 200})

			fresh, err := tx.Spend("k", noon)
			fail(err)
			again, err := tx.Spend("k", noon)
			fail(err)
			check("a key is spent once", []bool{fresh, again}, []bool{true, false})

			for i := range 3 {
				fail(tx.AddHit("b", noon.Add(time.Duration(i)*time.Minute), noon.Add(time.Hour)))
			}
			n, oldest, err := tx.Hits("b", noon)
			fail(err)
			check("hits after the first", n, 2)
			check("the oldest of them", oldest, noon.Add(time.Minute))

			lead := enrol.Lead{ID: "l", EventCode: "E", Email: "Lead@example.com"}
			fresh, err = tx.AddLead(&lead)
			fail(err)
			lead.ID, lead.Email = "l2", "lead@EXAMPLE.com"
			again, err = tx.AddLead(&lead)
			fail(err)
			check("one lead for an e-mail", []bool{fresh, again}, []bool{true, false})
			fail(tx.DeleteLead("E", "LEAD@example.com"))
			gone, err := tx.Lead("l")
			fail(err)
			check("a forgotten lead", gone == nil, true)

			early := access.CodeRequest{ID: "c1", To: "1", Purpose: access.ForPhone, EventCode: "E", SentAt: noon}
			late := access.CodeRequest{ID: "c2", To: "1", Purpose: access.ForPhone, EventCode: "E", SentAt: noon.Add(time.Minute)}
			fail(tx.SaveCodeRequest(&late))
			fail(tx.SaveCodeRequest(&early))
			latest, err := tx.LatestCodeRequest("1", access.ForPhone, "E")
			fail(err)
			check("the latest code request", latest.ID, "c2")

			for i, state := range []payment.State{payment.Paid, payment.Refunded, payment.Failed, payment.Pending} {
				fail(tx.AddTransaction(&payment.Transaction{
					ID: fmt.Sprint("t", i), RegistrationID: "r1", Gateway: "g", Ref: fmt.Sprint("ref", i), State: state, SettledAt: noon.Add(time.Duration(i) * time.Second),
				}))
			}
			paid, err := collect(tx.PaidBetween("g", noon, noon.Add(time.Minute)))
			fail(err)
			check("paid", paid, []string{"t0", "t1"})
			paid, err = collect(tx.PaidBetween("g", noon.Add(time.Second), noon.Add(time.Minute)))
			fail(err)
			check("paid later", paid, []string{"t1"})
			open, err := tx.OpenTransaction("r1")
			fail(err)
			check("open", open.ID, "t3")
			byRef, err := tx.TransactionByRef("g", "ref2")
			fail(err)
			check("by ref", byRef.ID, "t2")

			credit := enrol.ReferralCredit{ID: "1", Code: "REF", RegistrationID: "r1"}
			fail(tx.AddReferralCredit(credit))
			credit.ID = "2"
			fail(tx.AddReferralCredit(credit))
			fail(tx.CancelReferralCredit("r1", noon))
			fail(tx.CancelReferralCredit("nobody", noon))

			event := payment.InboxEvent{ID: "i1", Gateway: "g", EventID: "e"}
			fresh, err = tx.AddInboxEvent(&event)
			fail(err)
			event.ID = "i2"
			again, err = tx.AddInboxEvent(&event)
			fail(err)
			check("an event is taken once", []bool{fresh, again}, []bool{true, false})
			fail(tx.MarkHandled("i1", "", noon))

			message := message.Message{ID: "m1", Cause: "cause", CreatedAt: noon}
			fail(tx.AddMessage(&message))
			message.ID = "m2"
			fail(tx.AddMessage(&message))
			second, err := tx.Message("m2")
			fail(err)
			check("a second message for one cause", second == nil, true)
			fail(tx.MarkSent("m1", noon))
			first, err := tx.Message("m1")
			fail(err)
			check("sent at", first.SentAt, noon)
			return nil
		})
		jobs, err := s.ClaimJobs(t.Context(), []string{message.JobMail}, noon, time.Minute, 10)
		if err != nil || !slices.Equal(refs(jobs), []string{"m1", "m2"}) {
			t.Errorf("jobs, of which the second finds no message: %+v, %v", jobs, err)
		}
	})
}

const insertCoupon = `INSERT INTO coupons (id, code, event_code, kind, percent, amount_minor, starts_at, ends_at, max_uses, max_per_phone, budget_minor)
	VALUES ('coupon', 'COUPON', 'event', 'percent', 1, 0, 0, 0, 0, 0, 0)`

// raw opens a store's database for direct queries.
func raw(t *testing.T, url string) *sql.DB {
	t.Helper()
	return storetest.SQL(t, url, "foreign_keys(1)")
}

func TestUniqueRows(t *testing.T) {
	registration := func(id, phone string, refunded bool) func(store.Tx) error {
		return func(tx store.Tx) error {
			return tx.AddRegistration(&enrol.Registration{ID: id, EventCode: "E", Phone: phone, Refunded: refunded})
		}
	}
	attempt := func(id, ref, paymentID string, state payment.State) func(store.Tx) error {
		return func(tx store.Tx) error {
			return tx.AddTransaction(&payment.Transaction{ID: id, RegistrationID: "r", Gateway: "g", Ref: ref, PaymentID: paymentID, State: state})
		}
	}
	issued := func(id, txn, number string, serial int64) func(store.Tx) error {
		return func(tx store.Tx) error {
			return tx.AddInvoice(&invoice.Invoice{ID: id, Number: number, Series: "KS", FinancialYear: "26-27", Serial: serial, RegistrationID: "r", TxnID: txn})
		}
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, row := range []struct {
			sentence string
			add      func(store.Tx) error
			taken    bool
		}{
			{"a registration", registration("r", "1", false), false},
			{"a second live one of the phone", registration("r2", "1", false), true},
			{"a refunded one of the phone", registration("r3", "1", true), false},
			{"another refunded one", registration("r4", "1", true), false},
			{"one of another phone", registration("r5", "2", false), false},
			{"an open transaction", attempt("t1", "ref", "", payment.Created), false},
			{"a second open one", attempt("t2", "", "", payment.Pending), true},
			{"a paid one", attempt("t3", "", "pay", payment.Paid), false},
			{"a second paid one", attempt("t4", "", "", payment.Paid), true},
			{"a failed one without ref", attempt("t5", "", "", payment.Failed), false},
			{"a ref twice", attempt("t6", "ref", "", payment.Failed), true},
			{"a charge twice", attempt("t7", "", "pay", payment.Failed), true},
			{"an invoice", issued("i1", "t3", "KS/1", 1), false},
			{"a second for one transaction", issued("i2", "t3", "KS/2", 2), true},
			{"a serial twice", issued("i3", "t1", "KS/3", 1), true},
			{"a number twice", issued("i4", "t1", "KS/1", 4), true},
			{"a session", func(tx store.Tx) error { return tx.AddSession(&access.Session{ID: "s", TokenHash: "h"}) }, false},
			{"a token twice", func(tx store.Tx) error { return tx.AddSession(&access.Session{ID: "s2", TokenHash: "h"}) }, true},
		} {
			if err := s.Update(t.Context(), row.add); (err != nil) != row.taken || err != nil && !strings.Contains(err.Error(), "duplicated key") {
				t.Errorf("%s: %v", row.sentence, err)
			}
		}
	})
}

func TestLastConsents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		given, withdrawn, other := filled[consent.Consent](1), filled[consent.Consent](20), filled[consent.Consent](40)
		given.Purpose, given.At, given.Given = "marketing", noon, true
		withdrawn.Purpose, withdrawn.At, withdrawn.Given, withdrawn.Subject = "marketing", noon.Add(time.Second), false, given.Subject
		other.Purpose, other.At, other.Given, other.Subject = "reminders", noon, true, given.Subject
		stranger := given
		stranger.ID, stranger.Subject, stranger.At = "stranger", "somebody else", noon.Add(time.Hour)
		update(t, s, func(tx store.Tx) error {
			for _, line := range []consent.Consent{withdrawn, given, other, stranger} {
				if err := tx.AddConsent(line); err != nil {
					return err
				}
			}
			got, err := tx.LastConsents(given.Subject)
			if want := map[string]consent.Consent{"marketing": withdrawn, "reminders": other}; !maps.Equal(got, want) {
				t.Errorf("got\n%+v, want\n%+v", got, want)
			}
			return err
		})
	})
}

func TestAppendOnlyTables(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db := storetest.Open(t, url), raw(t, url)
		update(t, s, func(tx store.Tx) error {
			for _, err := range []error{
				tx.AddConsent(consent.Consent{ID: "c", Subject: "kept"}), tx.AddRegistration(&enrol.Registration{ID: "r"}),
				tx.AddTransaction(&payment.Transaction{ID: "t", RegistrationID: "r"}), tx.AddInvoice(&invoice.Invoice{ID: "i", RegistrationID: "r", TxnID: "t"}),
			} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		for statement, table := range map[string]string{
			"UPDATE consents SET given = TRUE": "consents", "DELETE FROM consents": "consents",
			"UPDATE invoices SET total_minor = 0": "invoices", "DELETE FROM invoices": "invoices",
		} {
			if _, err := db.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), table+" are append-only") {
				t.Errorf("%s: %v", statement, err)
			}
		}
		var consents, invoices int
		if err := db.QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM consents), (SELECT COUNT(*) FROM invoices)").Scan(&consents, &invoices); err != nil || consents != 1 || invoices != 1 {
			t.Errorf("%d consents, %d invoices, %v", consents, invoices, err)
		}
	})
}
