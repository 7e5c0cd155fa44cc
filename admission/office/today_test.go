package office_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	messages "hiresure/admission/message"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/store"
)

func TestCasesAreWhatWaitsForARole(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		now := o.Clock()
		update(t, s, func(tx store.Tx) error {
			var errs []error
			for i, p := range []payment.Transaction{
				{ID: "old", State: payment.Pending, CreatedAt: now.Add(-11 * time.Minute)},
				{ID: "older", State: payment.Pending, CreatedAt: now.Add(-time.Hour), AtBank: true, FetchedAt: now},
				{ID: "never tried to pay", State: payment.Pending, CreatedAt: now.Add(-time.Hour), FetchedAt: now},
				{ID: "young", State: payment.Pending, CreatedAt: now.Add(-9 * time.Minute)},
				{ID: "created", State: payment.Created, CreatedAt: now.Add(-time.Hour)},
				{ID: "review", State: payment.Review, CreatedAt: now.Add(-time.Hour), SettledAt: now.Add(-time.Minute)},
				{ID: "due", State: payment.RefundDue, CreatedAt: now.Add(-time.Hour)},
				{ID: "stuck", State: payment.RefundDue, RefundFailed: true, CreatedAt: now.Add(-time.Hour), ModifiedAt: now.Add(-2 * time.Minute)},
				{ID: "disputed", State: payment.Disputed, CreatedAt: now.Add(-time.Hour), SettledAt: now.Add(-time.Hour), DisputedAt: now.Add(-3 * time.Minute)},
				{ID: "paid", State: payment.Paid, CreatedAt: now.Add(-time.Hour), SettledAt: now.Add(-time.Hour), Charge: admission.INR(149900)},
			} {
				p.RegistrationID, p.MerchantRef = "of "+p.ID, "m"+p.ID
				errs = append(errs, tx.AddRegistration(&enrol.Registration{ID: p.RegistrationID, EventCode: "E", Phone: string(rune('a' + i)), CreatedAt: now.Add(-time.Hour)}), tx.AddTransaction(&p))
			}
			errs = append(errs, tx.AddMessage(&messages.Message{ID: "m1", Cause: "c", Channel: messages.Email, To: "jo@exmaple.com", Template: "receipt", Content: messages.Content{Subject: "You are enrolled"}}))
			return errors.Join(errs...)
		})
		for _, kind := range []string{"mail", "paper"} {
			bury(t, s, kind, "m1", now)
		}
		list := func(roles ...staff.Role) (all []string) {
			t.Helper()
			cases, err := o.Cases(t.Context(), roles)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				line := string(c.Kind) + ": " + c.Ref
				if c.OwnerID != "" {
					line += " by " + c.OwnerID
				}
				all = append(all, line)
			}
			return all
		}
		for _, row := range []struct {
			roles []staff.Role
			want  string
		}{
			{[]staff.Role{staff.Admin}, "no answer: older, no answer: old, in review: review, disputed: disputed, refund failed: stuck, undelivered: mail m1, job failed: paper m1"},
			{[]staff.Role{staff.Support}, "no answer: older, no answer: old, undelivered: mail m1"},
			{[]staff.Role{staff.Finance}, "no answer: older, no answer: old, in review: review, disputed: disputed, refund failed: stuck"},
			{[]staff.Role{staff.Reviewer, staff.Content}, ""},
			{nil, ""},
		} {
			if got := strings.Join(list(row.roles...), ", "); got != row.want {
				t.Errorf("%v: %s; want %s", row.roles, got, row.want)
			}
		}
		cases, err := o.Cases(t.Context(), []staff.Role{staff.Support})
		if err != nil || cases[2].Message == nil || cases[2].Message.To != "jo@exmaple.com" || cases[2].Message.Content.Subject != "You are enrolled" {
			t.Errorf("the message is %+v, %v", cases[2].Message, err)
		}

		meera := &staff.Person{Account: staff.Account{ID: "meera", Name: "Meera", Roles: []staff.Role{staff.Support}}}
		kavya := &staff.Person{Account: staff.Account{ID: "kavya", Name: "Kavya", Roles: []staff.Role{staff.Admin}}}
		by := func(p *staff.Person) staff.Actor { return staff.Actor{Name: p.Name, Account: p.ID} }
		update(t, s, func(tx store.Tx) error {
			return errors.Join(tx.AddStaffAccount(&staff.Account{ID: "meera", Email: "m", Name: "Meera"}), tx.AddStaffAccount(&staff.Account{ID: "kavya", Email: "k", Name: "Kavya"}))
		})
		for _, err := range []error{
			o.Take(t.Context(), office.NoAnswer, "old", meera, by(meera)), o.Take(t.Context(), office.NoAnswer, "old", meera, by(meera)), // pressed twice
			o.Take(t.Context(), office.NoAnswer, "old", kavya, by(kavya)), o.Take(t.Context(), office.NoAnswer, "older", meera, by(meera)),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, err := range []error{
			o.Take(t.Context(), office.InReview, "review", meera, by(meera)), o.Take(t.Context(), office.NoAnswer, "young", kavya, by(kavya)), o.Take(t.Context(), "", "", kavya, by(kavya)),
		} {
			if got := message(t, err); got != "This does not wait any more" {
				t.Errorf("took what does not wait: %v", err)
			}
		}
		if got := strings.Join(list(staff.Support), ", "); got != "no answer: older by meera, no answer: old by kavya, undelivered: mail m1" {
			t.Error(got)
		}
		var log []string
		for act, err := range s.Acts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			log = append(log, act.Who+" "+act.What+" "+act.Whom+": "+act.Was+" → "+act.Is)
		}
		if got, want := strings.Join(log, "\n"), "Meera took a case no answer old:  → Meera\nKavya took a case no answer old: Meera → Kavya\nMeera took a case no answer older:  → Meera"; got != want {
			t.Errorf("the log is\n%s\nwant\n%s", got, want)
		}
	})
}

// bury makes a job fail for good.
func bury(t *testing.T, s *store.Store, kind, ref string, now time.Time) {
	t.Helper()
	update(t, s, func(tx store.Tx) error { return tx.AddJob(admission.Job{Kind: kind, Ref: ref, DueAt: now}) })
	due, err := s.ClaimJobs(t.Context(), []string{kind}, now, time.Minute, 1)
	if err == nil && len(due) == 1 {
		err = s.BuryJob(t.Context(), due[0], now)
	}
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
}

func TestNumbersAreOfADaySoFar(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, o *office.Service) {
		day := time.Date(2026, 11, 28, 0, 0, 0, 0, admission.IST)
		update(t, s, func(tx store.Tx) error {
			var errs []error
			errs = append(errs, tx.AddRegistration(&enrol.Registration{ID: "application", EventCode: enrol.ApplicationCode, Phone: "p", PaidTxnID: "application"}),
				tx.AddTransaction(&payment.Transaction{ID: "application", RegistrationID: "application", MerchantRef: "application", State: payment.Paid, Charge: admission.INR(0), SettledAt: day}))
			for i, at := range []time.Time{day.Add(-time.Microsecond), day, day.Add(11 * time.Hour), day.Add(12 * time.Hour)} {
				id := string(rune('a' + i))
				errs = append(errs,
					tx.AddRegistration(&enrol.Registration{ID: "r" + id, EventCode: "E", Phone: id, CreatedAt: day, PaidTxnID: "t" + id}),
					tx.AddTransaction(&payment.Transaction{ID: "t" + id, RegistrationID: "r" + id, MerchantRef: id, State: payment.Paid, Charge: admission.INR(149900), SettledAt: at, CreatedAt: at}),
					tx.AddRegistration(&enrol.Registration{ID: "f" + id, EventCode: "E", Phone: "f" + id, CreatedAt: at}),
					tx.AddTransaction(&payment.Transaction{ID: "f" + id, RegistrationID: "f" + id, MerchantRef: "f" + id, State: payment.Failed, Charge: admission.INR(149900), SettledAt: at}),
					tx.SaveRefund(&payment.Refund{ID: "x" + id, TxnID: "t" + id, Amount: admission.INR(50000), State: method.RefundDone, CreatedAt: at}))
			}
			return errors.Join(errs...)
		})
		n, err := o.Numbers(t.Context(), day.Add(12*time.Hour))
		if want := (office.Numbers{Enrolled: 2, Paid: 3, PaidMinor: 299800, Refunds: 2, RefundedMinor: 100000}); err != nil || n != want {
			t.Errorf("%+v, %v; want %+v", n, err, want)
		}
	})
}
