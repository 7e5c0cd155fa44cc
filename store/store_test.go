package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/consent"
	"hiresure/admission/contact"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestOpenRejects(t *testing.T) {
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

// filler sets every field of a value to a unique value.
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

// roundTrip adds, finds and compares a value with all fields set, and one with only those it is found by.
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

func TestRoundTripOfEveryField(t *testing.T) {
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
				return tx.LatestCodeRequest(v.To, v.Purpose, v.EventCode)
			})
		roundTrip(t, s, "account", func(*account.Account) {}, func(tx store.Tx, v *account.Account) error { return tx.AddAccount(v) },
			func(tx store.Tx, v *account.Account) (*account.Account, error) { return tx.Account(v.ID) })
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
		refund.TxnID, refund.State = "for invoice ", method.RefundAsked
		update(t, s, func(tx store.Tx) error { return tx.SaveRefund(&refund) })
		if got := view(t, s, func(tx store.Tx) (*payment.Refund, error) { return tx.OpenRefund(refund.TxnID, refund.PaymentID) }); got == nil || *got != refund {
			t.Errorf("refund: got\n%+v, want\n%+v", got, refund)
		}
		refund.State = method.RefundDone
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
		roundTrip(t, s, "message", func(m *message.Message) { m.Attachments, m.ReplyTo = nil, "" }, func(tx store.Tx, v *message.Message) error { return tx.AddMessage(v) },
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

func TestWriteOnlyRows(t *testing.T) {
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

func TestMissingRowsAreNil(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		update(t, s, func(tx store.Tx) error {
			for name, look := range map[string]func() (bool, error){
				"Session":              func() (bool, error) { v, err := tx.Session("x"); return v == nil, err },
				"SessionForUpdate":     func() (bool, error) { v, err := tx.SessionForUpdate("x"); return v == nil, err },
				"SessionByToken":       func() (bool, error) { v, err := tx.SessionByToken("x"); return v == nil, err },
				"Hits":                 func() (bool, error) { n, at, err := tx.Hits("x", noon); return n == 0 && at.IsZero(), err },
				"Lead":                 func() (bool, error) { v, err := tx.Lead("x"); return v == nil, err },
				"CodeRequest":          func() (bool, error) { v, err := tx.CodeRequest("x"); return v == nil, err },
				"CodeRequestForUpdate": func() (bool, error) { v, err := tx.CodeRequestForUpdate("x"); return v == nil, err },
				"LatestCodeRequest": func() (bool, error) {
					v, err := tx.LatestCodeRequest("x", access.ForPhone, "x")
					return v == nil, err
				},
				"LastConsents":               func() (bool, error) { v, err := tx.LastConsents("x"); return len(v) == 0, err },
				"Registration":               func() (bool, error) { v, err := tx.Registration("x"); return v == nil, err },
				"RegistrationForUpdate":      func() (bool, error) { v, err := tx.RegistrationForUpdate("x"); return v == nil, err },
				"RegistrationOf":             func() (bool, error) { v, err := tx.RegistrationOf("x", "x"); return v == nil, err },
				"PhoneOfEmail":               func() (bool, error) { v, err := tx.PhoneOfEmail("x", "x"); return v == "", err },
				"TicketTaken":                func() (bool, error) { v, err := tx.TicketTaken("x"); return !v, err },
				"RegistrationByTicketKey":    func() (bool, error) { v, err := tx.RegistrationByTicketKey("x"); return v == nil, err },
				"RegistrationByOwnReferral":  func() (bool, error) { v, err := tx.RegistrationByOwnReferral("x"); return v == nil, err },
				"RegistrationsWithoutTicket": func() (bool, error) { v, err := tx.RegistrationsWithoutTicket(1); return len(v) == 0, err },
				"PhoneKnown":                 func() (bool, error) { v, err := tx.PhoneKnown("x"); return !v, err },
				"CouponForUpdate":            func() (bool, error) { v, err := tx.CouponForUpdate("x", "x"); return v == nil, err },
				"CouponSpent":                func() (bool, error) { v, err := tx.CouponSpent("x", "x"); return v == enrol.CouponSpent{}, err },
				"Referral":                   func() (bool, error) { v, err := tx.Referral("x"); return v == nil, err },
				"Transaction":                func() (bool, error) { v, err := tx.Transaction("x"); return v == nil, err },
				"TransactionForUpdate":       func() (bool, error) { v, err := tx.TransactionForUpdate("x"); return v == nil, err },
				"TransactionByRef":           func() (bool, error) { v, err := tx.TransactionByRef("x", ""); return v == nil, err },
				"TransactionByPayment":       func() (bool, error) { v, err := tx.TransactionByPayment("x", ""); return v == nil, err },
				"OpenTransaction":            func() (bool, error) { v, err := tx.OpenTransaction("x"); return v == nil, err },
				"LastTransaction":            func() (bool, error) { v, err := tx.LastTransaction("x"); return v == nil, err },
				"PaidBetween":                func() (bool, error) { v, err := collect(tx.PaidBetween("x", noon, noon)); return len(v) == 0, err },
				"OpenRefund":                 func() (bool, error) { v, err := tx.OpenRefund("x", "x"); return v == nil, err },
				"InboxEvent":                 func() (bool, error) { v, err := tx.InboxEvent("x"); return v == nil, err },
				"InvoiceOfTransaction":       func() (bool, error) { v, err := tx.InvoiceOfTransaction("x"); return v == nil, err },
				"Link":                       func() (bool, error) { v, err := tx.Link("x"); return v == nil, err },
				"Message":                    func() (bool, error) { v, err := tx.Message("x"); return v == nil, err },
			} {
				if absent, err := look(); !absent || err != nil {
					t.Errorf("%s: absent %t, %v", name, absent, err)
				}
			}
			return nil
		})
	})
}

func TestInvalidUTF8IsReplaced(t *testing.T) {
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

func TestConcurrentMigration(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		if strings.HasPrefix(url, "postgres") {
			url = storetest.EmptyPostgres(t)
		}
		stores := make([]*store.Store, 4)
		for i, err := range concurrent(len(stores), func(i int) (err error) {
			stores[i], err = store.Open(t.Context(), store.Config{URL: url, Migrate: true, Secret: storetest.Secret})
			return err
		}) {
			if err != nil {
				t.Fatalf("process %d: %v", i, err)
			}
		}
		for i, err := range concurrent(len(stores), func(i int) error {
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
		var rows, versions int
		if err := raw(t, url).QueryRowContext(t.Context(), "SELECT COUNT(*), COUNT(DISTINCT version_id) FROM goose_db_version WHERE version_id > 0").Scan(&rows, &versions); err != nil || rows != versions || rows == 0 {
			t.Errorf("%d rows for %d migrations, %v", rows, versions, err)
		}
	})
}

func TestClosedStore(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), store.Config{URL: url, Migrate: true, Secret: storetest.Secret})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		nothing := func(store.Tx) error { return nil }
		for what, err := range map[string]error{"update": s.Update(t.Context(), nothing), "view": s.View(t.Context(), nothing), "read": s.Read(t.Context(), nothing)} {
			if !errors.Is(err, admission.ErrUnavailable) || err.Error() != "the database is unavailable: the store is closed" {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}
