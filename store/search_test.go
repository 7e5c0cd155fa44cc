package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/status"
	"hiresure/store"
	"hiresure/store/storetest"
)

// listed are people of the search's tests, the oldest first.
var listed = []enrol.Registration{
	{FullName: "Asha Verma", Email: "asha.verma@example.com", Phone: "+919820041567", EventCode: "mgrow", CouponCode: "MGROW500", College: "Fergusson College", Source: "instagram", Step: enrol.StepVerified},
	{FullName: "Verma Asha Devi", Email: "ASHA@example.in", Phone: "+919820041599", EventCode: "hiresure", College: "Loktak Valley College", Step: enrol.StepAcademic},
	{FullName: "Ashok Rao", Email: "rao@example.com", Phone: "+919444918306", EventCode: "mgrow", GuardianPhone: "+917722090418", Step: enrol.StepUnpaid, Ticket: "HS26-4K7M-K"},
	{FullName: "கவிதா ராமன்", Email: "kavitha@example.com", Phone: "+918787031194", EventCode: "mgrow", Step: enrol.StepComplete, PaidTxnID: "7nb1ac9c000000000000000001"},
	{FullName: "Zoë", Email: "zoe_x@example.com", Phone: "+919140551234", EventCode: "campus", Step: enrol.StepComplete, Refunded: true},
}

// list adds them, each a minute after the one before, and one that was erased.
func list(t *testing.T, s *store.Store) {
	t.Helper()
	people := append(slices.Clone(listed), enrol.Registration{FullName: "Asha Erased", Phone: "+919999999999", EventCode: "mgrow", ErasedAt: noon})
	if err := s.Update(t.Context(), func(tx store.Tx) error {
		for i, r := range people {
			r.ID = fmt.Sprintf("%026d", i)
			r.CreatedAt = noon.Add(time.Duration(i) * time.Minute)
			r.ModifiedAt = noon.Add(-time.Duration(i) * time.Minute) // the other way round
			if err := tx.AddRegistration(&r); err != nil {
				return err
			}
		}
		paid := payment.Transaction{
			ID: listed[3].PaidTxnID, RegistrationID: fmt.Sprintf("%026d", 3), Gateway: "razorpay", Ref: "order_9A33XWu170gUtm", PaymentID: "pay_29QQoUBi66xm2f", MerchantRef: "7nb1ac9c000000000000",
			State: payment.Paid, Means: method.Means{Name: "UPI", Reference: "426301877412"}, Charge: admission.INR(149900), SettledAt: noon,
		}
		if err := tx.AddTransaction(&paid); err != nil {
			return err
		}
		if err := tx.AddInvoice(&invoice.Invoice{ID: admission.NewID(), Number: "KS/26-27/000842", Series: "KS", FinancialYear: "26-27", Serial: 842, RegistrationID: paid.RegistrationID, TxnID: paid.ID, IssuedOn: noon, Issue: 1}); err != nil {
			return err
		}
		return tx.SaveRefund(&payment.Refund{ID: admission.NewID(), TxnID: paid.ID, ProviderID: "rfnd_FP8QHiV938haTz", Amount: admission.INR(100), State: method.RefundDone, CreatedAt: noon})
	}); err != nil {
		t.Fatal(err)
	}
}

func TestStaffFindPeopleByWhatTheySay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		list(t, s)
		for _, row := range []struct{ said, found string }{
			{"asha", "1 0"}, {"ash", "2 1 0"}, {"ASHA verma", "1 0"}, {"verma asha", "1 0"}, {"asha ver", "1 0"}, {"ash ver", "1 0"},
			{"devi asha verma", "1"}, {"asha rao", ""}, {"verm rao", ""}, {"sha", ""}, {"asha%", "1 0"}, {"கவிதா", "3"}, {"கவி", "3"}, {"zoë", "4"}, {"ZOË", "4"}, {"zoe", ""},
			{"asha.verma@example.com", "0"}, {"Asha@", "1"}, {"@example", ""}, {"zoe_x@example.com", "4"}, {"zoe-x@example.com", ""},
			{"+91 98200 41567", "0"}, {"09820041567", "0"}, {"919820041567", "0"}, {"98200", "1 0"}, {"1567", "0"}, {"918306", "2"}, {"90418", "2"}, {"77220 90418", "2"}, {"12", ""}, {"99999", ""},
			{"hs26-4k7m-k", "2"}, {"KS/26-27/000842", "3"}, {"ks/26-27/000842", "3"}, {"KS/26-27/000843", ""},
			{"7nb1 ac9c", "3"}, {"7nb1ac9", ""}, {"order_9A33XWu170gUtm", "3"}, {"pay_29QQoUBi66xm2f", "3"}, {"7nb1ac9c000000000000", "3"}, {"426301877412", "3"}, {"rfnd_FP8QHiV938haTz", "3"},
			{"00000000000000000000000002", "2"}, {"!", ""}, {" ", "0 1 2 3 4"}, {"' OR 1=1 --", ""}, {strings.Repeat("asha ", 50), "1 0"}, {strings.Repeat("a", 3000), ""},
		} {
			if got := who(t, s, office.Query{Text: row.said}); got != row.found {
				t.Errorf("%q finds %q, want %q", row.said, got, row.found)
			}
		}
	})
}

func TestFiltersOfRegistrations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		list(t, s)
		for _, row := range []struct {
			name  string
			q     office.Query
			found string
		}{
			{"none: the last change first", office.Query{}, "0 1 2 3 4"},
			{"event", office.Query{Event: "mgrow"}, "0 2 3"},
			{"badge", office.Query{Status: "Completed"}, "3"},
			{"badge of an event", office.Query{Event: "mgrow", Status: "Payment Failed"}, "2"},
			{"refunded", office.Query{Status: "Refunded"}, "4"},
			{"coupon", office.Query{Coupon: "MGROW500"}, "0"},
			{"source", office.Query{Source: "instagram"}, "0"},
			{"how a college begins", office.Query{College: "fergu"}, "0"},
			{"a sign of LIKE", office.Query{College: "%"}, ""},
			{"phases", office.Query{Phases: []status.Phase{status.PaymentFailed, status.Form}}, "1 2"},
			{"paid that day", office.Query{PaidFrom: noon.Add(-time.Hour), PaidUntil: noon.Add(time.Hour)}, "3"},
			{"paid before", office.Query{PaidUntil: noon}, ""},
			{"some", office.Query{Only: []string{fmt.Sprintf("%026d", 2)}}, "2"},
			{"no one", office.Query{Only: []string{}}, ""},
			{"no phase", office.Query{Phases: []status.Phase{}}, ""},
			{"words and event", office.Query{Text: "asha", Event: "mgrow"}, "0"},
			{"words and an event without them", office.Query{Text: "asha", Event: "campus"}, ""},
			{"a number and an event", office.Query{Text: "426301877412", Event: "campus"}, ""},
		} {
			if got := who(t, s, row.q); got != row.found {
				t.Errorf("%s finds %q, want %q", row.name, got, row.found)
			}
		}
	})
}

func TestSearchFollowsTheRegistration(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		list(t, s)
		change := func(change func(r *enrol.Registration)) {
			t.Helper()
			if err := s.Update(t.Context(), func(tx store.Tx) error {
				r, err := tx.RegistrationForUpdate(strings.Repeat("0", 26))
				if err != nil {
					return err
				}
				change(r)
				return tx.SaveRegistration(r)
			}); err != nil {
				t.Fatal(err)
			}
		}
		change(func(r *enrol.Registration) {
			r.FullName, r.Email, r.Phone = "Mira Nair", "mira@example.com", "+917000000001"
		})
		for said, want := range map[string]string{"asha": "1", "mira": "0", "nair mira": "0", "asha.verma@": "", "mira@": "0", "41567": "", "7000000001": "0"} {
			if got := who(t, s, office.Query{Text: said}); got != want {
				t.Errorf("after a change %q finds %q, want %q", said, got, want)
			}
		}
		change(func(r *enrol.Registration) { r.FullName, r.Email, r.Phone, r.ErasedAt = "", "", "erased:0", noon })
		if got := who(t, s, office.Query{Text: "mira"}) + who(t, s, office.Query{Text: "7000000001"}); got != "" {
			t.Errorf("an erased person is found: %q", got)
		}
	})
}

// who returns the numbers of the people that a query finds, in its order.
func who(t *testing.T, s *store.Store, q office.Query) string {
	t.Helper()
	var numbers []string
	if err := s.View(t.Context(), func(tx store.Tx) error {
		numbers = nil
		page, err := tx.FindRegistrations(q, "", false, 50)
		if err != nil {
			return err
		}
		for _, r := range page.Registrations {
			numbers = append(numbers, string(r.ID[25]))
		}
		counts, err := tx.CountRegistrations(q, 100)
		byStatus := 0
		for _, n := range counts.ByStatus {
			byStatus += n
		}
		if counts.All != len(numbers) || byStatus != len(numbers) || counts.Unknown {
			t.Errorf("%+v: %d found, counted %+v", q, len(numbers), counts)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(numbers, " ")
}

func TestPagesOfWhatWasFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.Update(t.Context(), func(tx store.Tx) error {
			for i := range 25 { // each five at the same moment
				at := noon.Add(time.Duration(i/5) * time.Second)
				r := enrol.Registration{ID: fmt.Sprintf("%026d", i), EventCode: "e", Phone: fmt.Sprint("+9198000000", 10+i), FullName: "Asha Verma", CreatedAt: at, ModifiedAt: at}
				if err := tx.AddRegistration(&r); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, q := range []office.Query{{}, {Event: "e"}, {Text: "asha"}, {Text: "asha verma", Event: "e"}} {
			read := func(cursor string, newer bool) (ids string, found office.Found) {
				t.Helper()
				if err := s.View(t.Context(), func(tx store.Tx) (err error) {
					found, err = tx.FindRegistrations(q, cursor, newer, 10)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				for _, r := range found.Registrations {
					ids += " " + strings.TrimLeft(r.ID[20:], "0")
				}
				return ids, found
			}
			first, one := read("", false)
			second, two := read(one.Older, false)
			third, three := read(two.Older, false)
			if want := " 24 23 22 21 20 19 18 17 16 15"; first != want || one.Newer != "" {
				t.Errorf("%+v: the first page has %s, want %s; newer %q", q, first, want, one.Newer)
			}
			if third != " 4 3 2 1 " || three.Older != "" {
				t.Errorf("%+v: the last page has %s, and older %q", q, third, three.Older)
			}
			if back, page := read(three.Newer, true); back != second || page.Newer == "" || page.Older == "" {
				t.Errorf("%+v: back from the last page are %s, want %s", q, back, second)
			}
			if back, page := read(two.Newer, true); back != first || page.Newer != "" {
				t.Errorf("%+v: back to the first page are %s, want %s; newer %q", q, back, first, page.Newer)
			}
			err := s.View(t.Context(), func(tx store.Tx) error {
				_, err := tx.FindRegistrations(office.Query{Event: "another"}, one.Older, false, 10)
				return err
			})
			if problem := admission.AsProblem(err); problem == nil || problem.Kind != admission.NotFound {
				t.Errorf("a cursor of another query: %v", err)
			}
		}
	})
}

func TestTermsOfAnOlderVersionAreRenewed(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		list(t, s)
		db := storetest.SQL(t, url)
		for _, statement := range []string{
			"UPDATE registrations SET full_name = 'Mira Nair', profile_status = '' WHERE full_name = 'Asha Verma'",
			"DELETE FROM search_terms WHERE registration_id <> '00000000000000000000000000'",
		} {
			if _, err := db.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		if next, err := s.RenewEveryPhase(t.Context(), ""); next != "" || err != nil {
			t.Fatal(next, err)
		}
		for said, want := range map[string]string{"asha": "1", "mira": "0", "கவிதா": "3", "918306": "2", "erased": ""} {
			if got := who(t, s, office.Query{Text: said}); got != want {
				t.Errorf("%q finds %q, want %q", said, got, want)
			}
		}
		if got := who(t, s, office.Query{Status: "Number Verified"}); got != "0" {
			t.Errorf("the badge is not renewed: %q", got)
		}
	})
}

// An export reads each registration once, also one that changes while it goes on.
func TestFoundRegistrationsAreReadInBatches(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		list(t, s)
		for _, q := range []struct {
			query office.Query
			found string
		}{{office.Query{}, "0 1 2 3 4"}, {office.Query{Text: "asha"}, "0 1"}, {office.Query{Event: "mgrow", Text: "98200"}, "0"}, {office.Query{Coupon: "MGROW500"}, "0"}, {office.Query{Text: "KS/26-27/000842"}, "3"}, {office.Query{Only: []string{}}, ""}, {office.Query{Event: "none"}, ""}} {
			var ids []string
			for batch, err := range s.FoundRegistrations(t.Context(), q.query) {
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range batch {
					ids = append(ids, strings.TrimLeft(r.ID[:25], "0")+r.ID[25:])
				}
			}
			if is := strings.Join(ids, " "); is != q.found {
				t.Errorf("%+v finds %q, want %q", q.query, is, q.found)
			}
		}
		const many = 1201
		if err := s.Update(t.Context(), func(tx store.Tx) error {
			for i := range many {
				if err := tx.AddRegistration(&enrol.Registration{ID: fmt.Sprintf("z%025d", i), FullName: "Many", Phone: fmt.Sprintf("+9170000%05d", i), EventCode: "many", CreatedAt: noon, ModifiedAt: noon.Add(time.Duration(i%7) * time.Minute)}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		seen, batches := map[string]int{}, 0
		for batch, err := range s.FoundRegistrations(t.Context(), office.Query{Event: "many"}) {
			if err != nil {
				t.Fatal(err)
			}
			batches++
			for _, r := range batch {
				seen[r.ID]++
			}
			if err := s.Update(t.Context(), func(tx store.Tx) error { // the first and the last one change
				for _, id := range []string{fmt.Sprintf("z%025d", 0), fmt.Sprintf("z%025d", many-1)} {
					r, err := tx.Registration(id)
					if err != nil {
						return err
					}
					r.ModifiedAt = noon.Add(time.Duration(batches) * time.Hour)
					if err := tx.SaveRegistration(r); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) != many || batches != 3 || seen[fmt.Sprintf("z%025d", 0)] != 1 || seen[fmt.Sprintf("z%025d", many-1)] != 1 {
			t.Errorf("%d registrations in %d batches", len(seen), batches)
		}
	})
}
