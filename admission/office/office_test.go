package office_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/integrations/pdf"
	"hiresure/store"
	"hiresure/store/storetest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// emptyStorage holds nothing.
type emptyStorage struct{}

func (emptyStorage) Open(context.Context, string) (io.ReadCloser, error) {
	return nil, errors.New("nothing is stored")
}

func (emptyStorage) All(context.Context) iter.Seq2[admission.StoredObject, error] {
	return func(func(admission.StoredObject, error) bool) {}
}

// each runs a test with the office over each database.
func each(t *testing.T, test func(t *testing.T, s *store.Store, o *office.Service)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		clock := func() time.Time { return noon }
		services, err := business.New(businesstest.Config(s.Areas(), clock))
		if err != nil {
			t.Fatal(err)
		}
		o, err := office.New(office.Config{
			Store: s.Office(), Books: s, Storage: emptyStorage{}, Events: businesstest.Events(), Supplier: businesstest.NoSupplier, Papers: services.Papers, Payment: services.Payment, Registry: services.Registry,
			Printers: 1, NewStack: func(to io.Writer) office.Stack { return pdf.NewStack(to) }, Clock: clock,
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, s, o)
	})
}

func update(t *testing.T, s *store.Store, work func(tx store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), work); err != nil {
		t.Fatal(err)
	}
}

// message returns what a person reads of an error; "" for none.
func message(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	problem := admission.AsProblem(err)
	if problem == nil {
		t.Fatalf("no Problem: %v", err)
	}
	return problem.Message
}

func TestAConfigurationMustBeComplete(t *testing.T) {
	if o, err := office.New(office.Config{}); o != nil || err == nil {
		t.Errorf("%v, %v", o, err)
	}
}

func TestAPaymentIsFoundByHowItsIDBegins(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		const one, twin, other = "mavb1v15aaaa0000000000000a", "mavb1v15aabb0000000000000a", "zzzz00001111222233334444aa"
		update(t, s, func(tx store.Tx) error {
			if err := tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "E", Phone: "1"}); err != nil {
				return err
			}
			for _, id := range []string{one, twin, other} {
				if err := tx.AddTransaction(&payment.Transaction{ID: id, RegistrationID: "r", Gateway: "g", Charge: admission.INR(149900), State: payment.Failed, MerchantRef: id}); err != nil {
					return err
				}
			}
			return tx.SaveRefund(&payment.Refund{ID: "back", TxnID: twin, Amount: admission.INR(100)})
		})
		tooShort := func(spoken string) string {
			return "give the first 8 characters of the payment ID at least, such as 7nb1 ac9c, not \"" + spoken + `"`
		}
		for _, row := range []struct{ spoken, found, problem string }{
			{"zzzz 0000", other, ""},
			{"ZZZZ OOOO iIlL", other, ""},
			{" zzzz00001111222233334444aa ", other, ""},
			{"mavb 1v15 aaaa", one, ""},
			{"mavb lvi5 aabb", twin, ""},
			{"mavb 1v15", "", "several payment IDs begin with mavb1v15: give 4 more characters"},
			{"mavb 1v16", "", "no payment ID begins with mavb1v16"},
			{"zzzz 000", "", tooShort("zzzz 000")},
			{"%%%%%%%%", "", tooShort("%%%%%%%%")},
			{"zzzz____", "", tooShort("zzzz____")},
			{other + "a", "", tooShort(other + "a")},
			{"", "", tooShort("")},
		} {
			found, refunds, err := o.FindPayment(t.Context(), row.spoken)
			if got := message(t, err); got != row.problem || found.ID != row.found || (len(refunds) == 1) != (row.found == twin) {
				t.Errorf("%q: %+v, %d refunds, %s; want %s", row.spoken, found, len(refunds), got, row.problem)
			}
		}
	})
}

func TestRevokedLinksAreThoseOfOneRegistration(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		update(t, s, func(tx store.Tx) error {
			for _, r := range []string{"mine", "another's"} {
				if err := tx.AddRegistration(&enrol.Registration{ID: r, EventCode: "E", Phone: r}); err != nil {
					return err
				}
			}
			for _, l := range []invoice.Link{
				{TokenHash: "first", RegistrationID: "mine", ExpiresAt: noon.Add(time.Hour)},
				{TokenHash: "second", RegistrationID: "mine", ExpiresAt: noon.Add(time.Hour)},
				{TokenHash: "over", RegistrationID: "mine", ExpiresAt: noon},
				{TokenHash: "another's", RegistrationID: "another's", ExpiresAt: noon.Add(time.Hour)},
			} {
				if err := tx.AddLink(l); err != nil {
					return err
				}
			}
			return nil
		})
		if n, err := o.RevokeLinks(t.Context(), "nobody's", staff.Actor{Name: "asha"}); n != 0 || message(t, err) != "there is no registration nobody's" {
			t.Errorf("an unknown registration: %d, %v", n, err)
		}
		for _, want := range []int64{2, 0} {
			if n, err := o.RevokeLinks(t.Context(), "mine", staff.Actor{Name: "asha"}); n != want || err != nil {
				t.Errorf("revoked %d, %v; want %d", n, err, want)
			}
		}
		if err := s.View(t.Context(), func(tx store.Tx) error {
			for token, want := range map[string]time.Time{"first": noon, "second": noon, "over": {}, "another's": {}} {
				if l, err := tx.Link(token); err != nil || l == nil || !l.RevokedAt.Equal(want) {
					t.Errorf("%s: %+v, %v; want revoked at %v", token, l, err, want)
				}
			}
			entries, err := tx.EntriesOf("mine", 10)
			if err != nil || len(entries) != 1 || entries[0].Kind != enrol.EntryLinksRevoked || entries[0].Detail != "2" || entries[0].Who != "asha" {
				t.Errorf("entries %+v, %v", entries, err)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFailedJobsAreRetriedByRefAndKind(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		for _, job := range []admission.Job{{Kind: "mail", Ref: "a"}, {Kind: "sms", Ref: "a"}, {Kind: "mail", Ref: "b"}} {
			update(t, s, func(tx store.Tx) error { return tx.AddJob(admission.Job{Kind: job.Kind, Ref: job.Ref, DueAt: noon}) })
			claimed, err := s.ClaimJobs(t.Context(), []string{job.Kind}, noon, time.Minute, 1)
			if err != nil || len(claimed) != 1 {
				t.Fatal(claimed, err)
			}
			if err := s.BuryJob(t.Context(), claimed[0], noon); err != nil {
				t.Fatal(err)
			}
		}
		failed := func() (names []string) {
			for job, err := range o.FailedJobs(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, job.Kind+" "+job.Ref)
			}
			return names
		}
		if got := strings.Join(failed(), ", "); got != "mail a, mail b, sms a" {
			t.Errorf("failed: %s", got)
		}
		for _, row := range []struct {
			name, kind, ref string
			retried         int64
			problem         string
		}{
			{"a ref without failed jobs", "", "c", 0, "no job of c has failed: site resend lists those that have"},
			{"a ref without failed jobs of the kind", "sms", "b", 0, "no job of b has failed: site resend lists those that have"},
			{"all kinds of a ref", "", "a", 2, ""},
			{"a kind whose jobs were all retried", "sms", "", 0, ""},
			{"the other jobs of a kind", "mail", "", 1, ""},
		} {
			n, err := o.Retry(t.Context(), row.kind, row.ref, staff.Operator("Ravi"))
			if got := message(t, err); n != row.retried || got != row.problem {
				t.Errorf("%s: %d, %s; want %d, %s", row.name, n, got, row.retried, row.problem)
			}
		}
		if got := failed(); len(got) != 0 {
			t.Errorf("failed afterwards: %q", got)
		}
		var logged []string
		for act, err := range s.Acts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			logged = append(logged, strings.Join([]string{act.Who, act.From, act.What, act.Whom, act.Was}, ", "))
		}
		if want := []string{"operator Ravi, shell, failed jobs retried, jobs a, 2 failed", "operator Ravi, shell, failed jobs retried, jobs all mail, 1 failed"}; !slices.Equal(logged, want) {
			t.Errorf("logged %q, want %q", logged, want)
		}
	})
}
