package store_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/contact"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestOpenRefuses(t *testing.T) {
	secret := storetest.Secret
	folder := t.TempDir()
	for _, row := range []struct {
		config store.Config
		want   string
	}{
		{store.Config{URL: "sqlite://" + folder + "/site.db"}, "open store: the secret has 0 bytes, not 32"},
		{store.Config{URL: "mysql://somewhere", Secret: secret}, "open store: the database's URL begins with neither sqlite:// nor postgres://"},
		{store.Config{URL: "postgres://nowhere", Secret: secret, Pool: 1}, "open store: a pool needs at least 2 connections"},
	} {
		if _, err := store.Open(t.Context(), row.config); err == nil || err.Error() != row.want {
			t.Errorf("got %v, want %s", err, row.want)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
		t.Errorf("%d files were made, %v", len(files), err)
	}
}

// filler sets every field below a value to something of its own.
type filler struct{ n int64 }

func (f *filler) fill(value reflect.Value) {
	f.n++
	switch {
	case value.Type() == reflect.TypeFor[time.Time]():
		value.Set(reflect.ValueOf(noon.Add(time.Duration(f.n) * time.Microsecond)))
	case value.Type() == reflect.TypeFor[[]byte]():
		value.SetBytes([]byte{0, 0xff, byte(f.n)})
	case value.Kind() == reflect.String:
		value.SetString(fmt.Sprintf("नाम “%d” 'quoted' ₹", f.n))
	case value.CanInt():
		value.SetInt(f.n)
	case value.Kind() == reflect.Bool:
		value.SetBool(true)
	case value.Kind() == reflect.Struct:
		for i := range value.NumField() {
			f.fill(value.Field(i))
		}
	case value.Kind() == reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 2, 2))
		for i := range 2 {
			f.fill(value.Index(i))
		}
	case value.Kind() == reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for i := range 2 {
			element := reflect.New(value.Type().Elem()).Elem()
			if element.Kind() == reflect.Interface {
				element.Set(reflect.ValueOf(fmt.Sprint("any ", f.n)))
			} else {
				f.fill(element)
			}
			value.SetMapIndex(reflect.ValueOf(fmt.Sprint("key ", i)), element)
		}
	default:
		panic("cannot fill " + value.Type().String())
	}
}

func filled[T any](from int64) T {
	var value T
	(&filler{from}).fill(reflect.ValueOf(&value).Elem())
	return value
}

// roundTrip adds, finds and compares a value with every field set, and one with none but what it takes to be found.
func roundTrip[T any](t *testing.T, s *store.Store, name string, prepare func(*T), add func(store.Tx, *T) error, find func(store.Tx, *T) (*T, error)) {
	t.Helper()
	for which, value := range map[string]T{"full": filled[T](100), "bare": *new(T)} {
		prepare(&value)
		want := value
		update(t, s, func(tx store.Tx) error { return add(tx, &value) })
		got := view(t, s, func(tx store.Tx) (*T, error) { return find(tx, &value) })
		if got == nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s %s: got\n%+v, want\n%+v", which, name, got, want)
		}
	}
}

func TestEveryFieldComesBackAsItWas(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		parent := enrol.Registration{ID: "parent", EventCode: "E", Phone: "parent"}
		update(t, s, func(tx store.Tx) error { return tx.AddRegistration(&parent) })
		roundTrip(t, s, "session", func(*access.Session) {}, func(tx store.Tx, v *access.Session) error { return tx.AddSession(v) },
			func(tx store.Tx, v *access.Session) (*access.Session, error) {
				return tx.SessionByToken(v.TokenHash)
			})
		roundTrip(t, s, "lead", func(*enrol.Lead) {}, func(tx store.Tx, v *enrol.Lead) error {
			fresh, err := tx.AddLead(v)
			if !fresh {
				t.Error("the lead is not fresh")
			}
			return err
		}, func(tx store.Tx, v *enrol.Lead) (*enrol.Lead, error) { return tx.Lead(v.ID) })
		roundTrip(t, s, "code request", func(*access.CodeRequest) {}, func(tx store.Tx, v *access.CodeRequest) error { return tx.SaveCodeRequest(v) },
			func(tx store.Tx, v *access.CodeRequest) (*access.CodeRequest, error) {
				return tx.LatestCodeRequest(v.Phone, v.Purpose, v.EventCode)
			})
		roundTrip(t, s, "registration", func(r *enrol.Registration) { r.ID += "r" },
			func(tx store.Tx, v *enrol.Registration) error { return tx.AddRegistration(v) },
			func(tx store.Tx, v *enrol.Registration) (*enrol.Registration, error) {
				return tx.Registration(v.ID)
			})
		roundTrip(t, s, "transaction", func(p *payment.Transaction) { p.RegistrationID = parent.ID },
			func(tx store.Tx, v *payment.Transaction) error { return tx.AddTransaction(v) },
			func(tx store.Tx, v *payment.Transaction) (*payment.Transaction, error) {
				return tx.Transaction(v.ID)
			})
		roundTrip(t, s, "invoice", func(i *invoice.Invoice) {
			i.RegistrationID = parent.ID
			update(t, s, func(tx store.Tx) error {
				return tx.AddTransaction(&payment.Transaction{ID: "for invoice " + i.ID, RegistrationID: parent.ID})
			})
			i.TxnID = "for invoice " + i.ID
		}, func(tx store.Tx, v *invoice.Invoice) error { return tx.AddInvoice(v) },
			func(tx store.Tx, v *invoice.Invoice) (*invoice.Invoice, error) {
				return tx.InvoiceOfTransaction(v.TxnID)
			})
		refund := filled[payment.Refund](100)
		refund.TxnID, refund.State = "for invoice ", payment.RefundAsked
		update(t, s, func(tx store.Tx) error { return tx.SaveRefund(&refund) })
		if got := view(t, s, func(tx store.Tx) (*payment.Refund, error) { return tx.OpenRefund(refund.TxnID, refund.PaymentID) }); got == nil || *got != refund {
			t.Errorf("refund: got\n%+v, want\n%+v", got, refund)
		}
		refund.State = payment.RefundDone
		update(t, s, func(tx store.Tx) error { return tx.SaveRefund(&refund) })
		if got := view(t, s, func(tx store.Tx) (*payment.Refund, error) { return tx.OpenRefund(refund.TxnID, refund.PaymentID) }); got != nil {
			t.Errorf("a done refund is open: %+v", got)
		}
		roundTrip(t, s, "inbox event", func(e *payment.InboxEvent) {}, func(tx store.Tx, v *payment.InboxEvent) error {
			fresh, err := tx.AddInboxEvent(v)
			if !fresh {
				t.Error("the event is not fresh")
			}
			return err
		}, func(tx store.Tx, v *payment.InboxEvent) (*payment.InboxEvent, error) {
			return tx.InboxEvent(v.ID)
		})
		roundTrip(t, s, "link", func(l *invoice.Link) { l.RegistrationID = parent.ID },
			func(tx store.Tx, v *invoice.Link) error { return tx.AddLink(*v) },
			func(tx store.Tx, v *invoice.Link) (*invoice.Link, error) { return tx.Link(v.TokenHash) })
		roundTrip(t, s, "message", func(*message.Message) {}, func(tx store.Tx, v *message.Message) error { return tx.AddMessage(v) },
			func(tx store.Tx, v *message.Message) (*message.Message, error) { return tx.Message(v.ID) })
		coupon, referral := filled[enrol.Coupon](100), filled[enrol.Referral](100)
		if err := s.SaveCoupon(t.Context(), coupon); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveReferral(t.Context(), referral); err != nil {
			t.Fatal(err)
		}
		update(t, s, func(tx store.Tx) error {
			if got, err := tx.CouponForUpdate(coupon.EventCode, coupon.Code); err != nil || got == nil || *got != coupon {
				t.Errorf("coupon: got\n%+v, %v, want\n%+v", got, err, coupon)
			}
			if got, err := tx.Referral(referral.Code); err != nil || got == nil || *got != referral {
				t.Errorf("referral: got\n%+v, %v, want\n%+v", got, err, referral)
			}
			return nil
		})
	})
}

func TestWhatIsOnlyWrittenIsWrittenWhole(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		db := raw(t, url)
		e, g, c, n := filled[contact.Enquiry](1), filled[contact.Grievance](20), filled[consent.Consent](40), filled[enrol.Entry](60)
		n.RegistrationID = "parent"
		update(t, s, func(tx store.Tx) error {
			for _, err := range []error{
				tx.AddRegistration(&enrol.Registration{ID: "parent"}), tx.AddEnquiry(&e), tx.AddGrievance(&g), tx.AddConsent(c), tx.AddEntry(n),
			} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		for table, want := range map[string]any{"enquiries": e, "grievances": g, "consents": c, "entries": n} {
			fields := reflect.ValueOf(want)
			into, wants := make([]any, fields.NumField()), make([]string, fields.NumField())
			got := make([]string, fields.NumField())
			for i := range fields.NumField() {
				into[i] = &got[i]
				wants[i] = fmt.Sprint(fields.Field(i))
				switch value := fields.Field(i).Interface().(type) {
				case time.Time:
					wants[i] = fmt.Sprint(value.UnixMicro())
				case map[string]string:
					data, err := json.Marshal(value)
					if err != nil {
						t.Fatal(err)
					}
					wants[i] = string(data)
				case bool:
					wants[i] = map[string]string{"sqlite": "1", "postgres": "true"}[path.Base(t.Name())]
				}
			}
			if err := db.QueryRowContext(t.Context(), "SELECT * FROM "+table).Scan(into...); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, wants) {
				t.Errorf("%s: got\n%q, want\n%q", table, got, wants)
			}
		}
	})
}

func TestSavingChangesEveryField(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		session, registration, attempt, code := access.Session{ID: "s"}, enrol.Registration{ID: "r"}, payment.Transaction{ID: "t", RegistrationID: "r"}, access.CodeRequest{ID: "c"}
		update(t, s, func(tx store.Tx) error {
			for _, err := range []error{tx.AddSession(&session), tx.AddRegistration(&registration), tx.AddTransaction(&attempt), tx.SaveCodeRequest(&code)} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		session, registration, attempt, code = filled[access.Session](1), filled[enrol.Registration](20), filled[payment.Transaction](50), filled[access.CodeRequest](90)
		session.ID, registration.ID, attempt.ID, attempt.RegistrationID, code.ID = "s", "r", "t", "r", "c"
		update(t, s, func(tx store.Tx) error {
			for _, err := range []error{tx.SaveSession(&session), tx.SaveRegistration(&registration), tx.SaveTransaction(&attempt), tx.SaveCodeRequest(&code)} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		update(t, s, func(tx store.Tx) error {
			a, err1 := tx.SessionForUpdate("s")
			b, err2 := tx.RegistrationForUpdate("r")
			c, err3 := tx.TransactionForUpdate("t")
			d, err4 := tx.CodeRequestForUpdate("c")
			for _, err := range []error{err1, err2, err3, err4} {
				if err != nil {
					return err
				}
			}
			for _, pair := range [][2]any{{*a, session}, {*b, registration}, {*c, attempt}, {*d, code}} {
				if !reflect.DeepEqual(pair[0], pair[1]) {
					t.Errorf("got\n%+v, want\n%+v", pair[0], pair[1])
				}
			}
			return nil
		})
	})
}

func TestWhatIsNotThereIsNilWithoutAnError(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			for name, look := range map[string]func() (bool, error){
				"Session":              func() (bool, error) { v, err := tx.Session("x"); return v == nil, err },
				"SessionForUpdate":     func() (bool, error) { v, err := tx.SessionForUpdate("x"); return v == nil, err },
				"SessionByToken":       func() (bool, error) { v, err := tx.SessionByToken("x"); return v == nil, err },
				"Hits":                 func() (bool, error) { n, at, err := tx.Hits("x", noon); return n == 0 && at.IsZero(), err },
				"Lead":                 func() (bool, error) { v, err := tx.Lead("x"); return v == nil, err },
				"CodeRequestForUpdate": func() (bool, error) { v, err := tx.CodeRequestForUpdate("x"); return v == nil, err },
				"LatestCodeRequest": func() (bool, error) {
					v, err := tx.LatestCodeRequest("x", access.ForPhone, "x")
					return v == nil, err
				},
				"LastConsents":          func() (bool, error) { v, err := tx.LastConsents("x"); return len(v) == 0, err },
				"Registration":          func() (bool, error) { v, err := tx.Registration("x"); return v == nil, err },
				"RegistrationForUpdate": func() (bool, error) { v, err := tx.RegistrationForUpdate("x"); return v == nil, err },
				"RegistrationOf":        func() (bool, error) { v, err := tx.RegistrationOf("x", "x"); return v == nil, err },
				"PhoneOfEmail":          func() (bool, error) { v, err := tx.PhoneOfEmail("x", "x"); return v == "", err },
				"PhoneKnown":            func() (bool, error) { v, err := tx.PhoneKnown("x"); return !v, err },
				"CouponForUpdate":       func() (bool, error) { v, err := tx.CouponForUpdate("x", "x"); return v == nil, err },
				"CouponSpent":           func() (bool, error) { v, err := tx.CouponSpent("x", "x"); return v == enrol.CouponSpent{}, err },
				"Referral":              func() (bool, error) { v, err := tx.Referral("x"); return v == nil, err },
				"Transaction":           func() (bool, error) { v, err := tx.Transaction("x"); return v == nil, err },
				"TransactionForUpdate":  func() (bool, error) { v, err := tx.TransactionForUpdate("x"); return v == nil, err },
				"TransactionByRef":      func() (bool, error) { v, err := tx.TransactionByRef("x", ""); return v == nil, err },
				"OpenTransaction":       func() (bool, error) { v, err := tx.OpenTransaction("x"); return v == nil, err },
				"PaidBetween":           func() (bool, error) { v, err := tx.PaidBetween("x", noon, noon); return len(v) == 0, err },
				"OpenRefund":            func() (bool, error) { v, err := tx.OpenRefund("x", "x"); return v == nil, err },
				"InboxEvent":            func() (bool, error) { v, err := tx.InboxEvent("x"); return v == nil, err },
				"InvoiceOfTransaction":  func() (bool, error) { v, err := tx.InvoiceOfTransaction("x"); return v == nil, err },
				"Link":                  func() (bool, error) { v, err := tx.Link("x"); return v == nil, err },
				"Message":               func() (bool, error) { v, err := tx.Message("x"); return v == nil, err },
			} {
				if absent, err := look(); !absent || err != nil {
					t.Errorf("%s: absent %t, %v", name, absent, err)
				}
			}
			return nil
		})
	})
}

func TestAnswersOfTheBusiness(t *testing.T) {
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
					t.Fatal(err)
				}
			}
			coupon, err := tx.CouponForUpdate("E", "C")
			fail(err)
			check("coupon", *coupon, enrol.Coupon{ID: "c", Code: "C", EventCode: "E", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}, EndsAt: noon})
			referral, err := tx.Referral("REF")
			fail(err)
			check("referral", *referral, enrol.Referral{Code: "REF", OwnerName: "first", CreditMinor: 5})

			fail(tx.AddRegistration(&enrol.Registration{ID: "r1", EventCode: "E", Phone: "1", Email: "Asha@Example.com"}))
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
			fail(tx.ForgetLead("E", "LEAD@example.com"))
			gone, err := tx.Lead("l")
			fail(err)
			check("a forgotten lead", gone == nil, true)

			early := access.CodeRequest{ID: "c1", Phone: "1", Purpose: access.ForPhone, EventCode: "E", SentAt: noon}
			late := access.CodeRequest{ID: "c2", Phone: "1", Purpose: access.ForPhone, EventCode: "E", SentAt: noon.Add(time.Minute)}
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
			paid, err := tx.PaidBetween("g", noon, noon.Add(time.Minute))
			fail(err)
			check("paid", paid, []string{"t0", "t1"})
			paid, err = tx.PaidBetween("g", noon.Add(time.Second), noon.Add(time.Minute))
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
		if err != nil || len(jobs) != 1 || jobs[0].Ref != "m1" {
			t.Errorf("jobs of one message: %+v, %v", jobs, err)
		}
	})
}

// raw opens a store's database beside it.
func raw(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, source := "pgx", url
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, source = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestUniqueRowsAreUnique(t *testing.T) {
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

func TestTheLastLineOfEachPurposeIsWhatHolds(t *testing.T) {
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

func TestConsentsAndInvoicesAreAppendOnly(t *testing.T) {
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

// everything is all that a thief of the database would read: the files of SQLite, the rows of PostgreSQL.
func everything(t *testing.T, url string) []byte {
	t.Helper()
	var all []byte
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		files, err := filepath.Glob(path + "*")
		if err != nil || len(files) < 2 {
			t.Fatalf("files %v, %v", files, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, content...)
		}
		return all
	}
	db := raw(t, url)
	names, err := db.QueryContext(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		t.Fatal(err)
	}
	for names.Next() {
		var name, content string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRowContext(t.Context(), "SELECT COALESCE(string_agg(r::text, ' '), '') FROM "+name+" r").Scan(&content); err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNoCodeStandsInTheDatabaseInClear(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		var codes []string
		for i := range 20 {
			code := fmt.Sprintf("code-%06d", 100_000+i*7919) // six digits alone might stand in a number by chance
			codes = append(codes, code)
			update(t, s, func(tx store.Tx) error {
				if err := tx.SaveCodeRequest(&access.CodeRequest{ID: fmt.Sprint("request ", i), Code: code}); err != nil {
					return err
				}
				return tx.AddMessage(&message.Message{ID: fmt.Sprint("message ", i), Cause: fmt.Sprint(i), Params: map[string]string{"Code": code}, Content: message.Content{Subject: code, Text: code, HTML: code}})
			})
			id := fmt.Sprint("key ", i)
			if _, _, err := s.ClaimKey(t.Context(), id, "hash", noon); err != nil {
				t.Fatal(err)
			}
			if err := s.FinishKey(t.Context(), id, 200, "text/plain", []byte(code)); err != nil {
				t.Fatal(err)
			}
			if err := s.AddOutbox(t.Context(), store.OutboxMessage{ID: id, Subject: code, Body: "Your code is " + code}); err != nil {
				t.Fatal(err)
			}
		}
		all := everything(t, url)
		if !bytes.Contains(all, []byte("message 19")) {
			t.Fatal("the search does not see the rows")
		}
		for _, code := range codes {
			if bytes.Contains(all, []byte(code)) {
				t.Errorf("%s stands there in clear", code)
			}
		}
		sent := view(t, s, func(tx store.Tx) (*message.Message, error) { return tx.Message("message 7") })
		if sent.Params["Code"] != codes[7] {
			t.Errorf("got %q, want %q", sent.Params["Code"], codes[7])
		}
	})
}

func TestASealedColumnOpensOnlyInItsPlaceAndWithItsSecret(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db := storetest.Open(t, url), raw(t, url)
		update(t, s, func(tx store.Tx) error {
			if err := tx.AddMessage(&message.Message{ID: "a", Cause: "a"}); err != nil {
				return err
			}
			return tx.AddMessage(&message.Message{ID: "b", Cause: "b"})
		})
		read := func(s *store.Store) error {
			return s.View(t.Context(), func(tx store.Tx) error {
				_, err := tx.Message("a")
				return err
			})
		}
		other, err := store.Open(t.Context(), store.Config{URL: url, Secret: bytes.Repeat([]byte("o"), 32)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = other.Close() })
		want := "open a of messages: cipher: message authentication failed"
		if err := read(other); err == nil || err.Error() != want {
			t.Errorf("another secret: %v", err)
		}
		if err := read(s); err != nil {
			t.Error(err)
		}
		if _, err := db.ExecContext(t.Context(), "UPDATE messages SET params = (SELECT params FROM messages WHERE id = 'b') WHERE id = 'a'"); err != nil {
			t.Fatal(err)
		}
		if err := read(s); err == nil || err.Error() != want {
			t.Errorf("another row's column: %v", err)
		}
	})
}

func TestWhatABrowserSentCannotStopARow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		e := enquiry()
		e.Page = "/page\xff\x00"
		update(t, s, func(tx store.Tx) error {
			if err := tx.AddEnquiry(&e); err != nil {
				return err
			}
			return tx.AddConsent(consent.Consent{ID: "c", UserAgent: "agent\xff\x00"})
		})
	})
}

func TestProcessesThatStartTogetherMigrateOnce(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		stores := make([]*store.Store, 4)
		for i, err := range together(len(stores), func(i int) (err error) {
			stores[i], err = store.Open(t.Context(), store.Config{URL: url, Migrate: true, Secret: storetest.Secret})
			return err
		}) {
			if err != nil {
				t.Fatalf("process %d: %v", i, err)
			}
		}
		for i, err := range together(len(stores), func(i int) error {
			for range 20 {
				if err := stores[i].Update(t.Context(), func(tx store.Tx) error { return tx.AddHit("migrated", noon, noon) }); err != nil {
					return err
				}
			}
			return stores[i].Close()
		}) {
			if err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		}
		again := storetest.Open(t, url)
		if n := hits(t, again, "migrated"); n != 80 {
			t.Errorf("%d rows of 80", n)
		}
		if err := again.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		var rows, last int
		if err := raw(t, url).QueryRowContext(t.Context(), "SELECT COUNT(*), MAX(version_id) FROM goose_db_version WHERE version_id > 0").Scan(&rows, &last); err != nil || rows != last {
			t.Errorf("%d rows for %d migrations, %v", rows, last, err)
		}
	})
}

func TestAClosedStoreRefuses(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), store.Config{URL: url, Migrate: true, Secret: storetest.Secret})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		nothing := func(store.Tx) error { return nil }
		for what, err := range map[string]error{"update": s.Update(t.Context(), nothing), "view": s.View(t.Context(), nothing)} {
			if !errors.Is(err, admission.ErrUnavailable) || err.Error() != "the database is unavailable: the store is closed" {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}
