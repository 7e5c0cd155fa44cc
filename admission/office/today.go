package office

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
)

// CaseKind is why something waits for a person.
type CaseKind string

// The kinds of cases.
const (
	NoAnswer     CaseKind = "no answer"     // a payment has waited for the bank, or for any answer of the provider, for 10 minutes
	InReview     CaseKind = "in review"     // a provider has another amount than we asked for
	Disputed     CaseKind = "disputed"      // the payer's bank decides: the provider takes our answer until a deadline of its own
	RefundFailed CaseKind = "refund failed" // a payer's money is with us
	ToApprove    CaseKind = "to approve"    // somebody ordered a refund that needs a second person
	Undelivered  CaseKind = "undelivered"   // a message that nobody got
	WorkFailed   CaseKind = "job failed"    // other work that failed for good
)

// kinds lists the kinds in the order of cases, with the permission to see and take them.
var kinds = []struct {
	kind  CaseKind
	needs staff.Permission
}{
	{NoAnswer, staff.AskGateway}, {InReview, staff.HandleMoney}, {Disputed, staff.HandleMoney}, {RefundFailed, staff.HandleMoney},
	{ToApprove, staff.RefundAboveLimit},
	{Undelivered, staff.Correct}, {WorkFailed, staff.ManageStaff},
}

// rank returns the index of a kind in kinds.
func (k CaseKind) rank() int {
	for i, row := range kinds {
		if row.kind == k {
			return i
		}
	}
	panic("no kind of cases: " + string(k))
}

// NoAnswerAfter is the age at which an open payment needs a person.
const NoAnswerAfter = 10 * time.Minute

// Case is something that waits for a person.
type Case struct {
	Kind    CaseKind
	Ref     string // id of the payment, else kind and id of the job: "mail 7n…"
	Since   time.Time
	Payment *payment.Transaction // nil for jobs
	Order   *payment.RefundOrder // that needs approval; nil for other cases
	Job     *admission.DeadJob   // nil for payments
	Message *message.Message     // of an undelivered one; nil if it is gone
	OwnerID string               // staff account; "" for nobody
}

// Taken records who takes care of a case.
type Taken struct {
	Kind      CaseKind
	Ref       string
	AccountID string
	At        time.Time
}

// Cases returns what waits for somebody with these roles: by kind, the oldest first.
func (s *Service) Cases(ctx context.Context, roles []staff.Role) (cases []Case, err error) {
	var dead []admission.DeadJob
	for job, err := range s.Books.DeadJobs(ctx, "") {
		if err != nil {
			return nil, err
		}
		dead = append(dead, job)
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		if cases, err = s.paymentCases(tx, roles); err != nil {
			return err
		}
		for i := range dead {
			c, err := caseOfJob(tx, &dead[i])
			if err != nil {
				return err
			}
			if c.isFor(roles) {
				cases = append(cases, c)
			}
		}
		taken, err := tx.TakenCases()
		if err != nil {
			return err
		}
		for i, c := range cases {
			if t := slices.IndexFunc(taken, func(t Taken) bool { return t.Kind == c.Kind && t.Ref == c.Ref }); t >= 0 {
				cases[i].OwnerID = taken[t].AccountID
			}
		}
		return nil
	})
	sortCases(cases)
	return cases, err
}

// PaymentCases returns the payments that wait for somebody with these roles, without owners: by kind, the oldest first.
func (s *Service) PaymentCases(ctx context.Context, roles []staff.Role) (cases []Case, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		cases, err = s.paymentCases(tx, roles)
		return err
	})
	sortCases(cases)
	return cases, err
}

func (s *Service) paymentCases(tx Tx, roles []staff.Role) (cases []Case, err error) {
	now := s.Clock()
	payments, err := tx.UnsettledPayments(now.Add(-NoAnswerAfter))
	for i := range payments {
		if c, waits := caseOfPayment(&payments[i], now); waits && c.isFor(roles) {
			cases = append(cases, c)
		}
	}
	if err != nil || !staff.Allows(roles, staff.RefundAboveLimit) {
		return cases, err
	}
	orders, err := tx.RefundOrders(true, now, maxOrders)
	for i := range orders {
		o := &orders[i]
		t, err := tx.Transaction(o.TxnID)
		if err != nil {
			return nil, err
		}
		cases = append(cases, Case{Kind: ToApprove, Ref: o.ID, Since: o.At, Payment: t, Order: o})
	}
	return cases, err
}

// maxOrders limits the orders of refunds that a page shows.
const maxOrders = 100

// isFor reports whether somebody with these roles may see and take a case.
func (c Case) isFor(roles []staff.Role) bool { return staff.Allows(roles, kinds[c.Kind.rank()].needs) }

func sortCases(cases []Case) {
	slices.SortStableFunc(cases, func(a, b Case) int {
		return cmp.Or(cmp.Compare(a.Kind.rank(), b.Kind.rank()), a.Since.Compare(b.Since), cmp.Compare(a.Ref, b.Ref))
	})
}

// caseOfPayment returns why a payment waits for a person; false if it does not.
func caseOfPayment(t *payment.Transaction, now time.Time) (c Case, waits bool) {
	c = Case{Ref: t.ID, Payment: t}
	switch {
	case t.RefundFailed:
		c.Kind, c.Since = RefundFailed, t.ModifiedAt
	case t.RefundOrdered(): // a worker sends it
		return c, false
	case t.State == payment.Review:
		c.Kind, c.Since = InReview, t.SettledAt
	case t.State == payment.Disputed:
		c.Kind, c.Since = Disputed, t.DisputedAt
	case t.State == payment.Pending && now.Sub(t.CreatedAt) > NoAnswerAfter && (t.AtBank || t.FetchedAt.IsZero()):
		c.Kind, c.Since = NoAnswer, t.CreatedAt
	default:
		return c, false
	}
	return c, true
}

func caseOfJob(tx Tx, job *admission.DeadJob) (Case, error) {
	c := Case{Kind: WorkFailed, Ref: job.Kind + " " + job.Ref, Since: job.DeadAt, Job: job}
	if !slices.Contains(MessageJobs, job.Kind) {
		return c, nil
	}
	var err error
	c.Kind = Undelivered
	c.Message, err = tx.Message(job.Ref)
	return c, err
}

// MessageJobs are the kinds of jobs that deliver messages.
var MessageJobs = []string{message.JobMail, message.JobSMS, message.JobText, message.JobDeliver}

// Take makes somebody the owner of a case, whoever had it before. Problem: NotFound if nothing waits for their roles.
func (s *Service) Take(ctx context.Context, kind CaseKind, ref string, p *staff.Person, by staff.Actor) error {
	cases, err := s.Cases(ctx, p.Roles)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(cases, func(c Case) bool { return c.Kind == kind && c.Ref == ref }) {
		return notFound("This does not wait any more")
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		before, err := tx.TakeCase(Taken{kind, ref, p.ID, s.Clock()})
		if err != nil || before == p.ID {
			return err
		}
		was := ""
		if before != "" {
			a, err := tx.StaffAccount(before)
			if err != nil {
				return err
			}
			if a != nil {
				was = a.Name
			}
		}
		return tx.LogAct(by.Did(s.Clock(), "took a case", string(kind)+" "+ref, was, p.Name))
	})
}

// Answer is what a provider said about a payment.
type Answer string

// The answers.
const (
	NoneYet   Answer = "asked"
	HasPaid   Answer = "paid"
	HasFailed Answer = "failed"
	Differs   Answer = "review" // another amount than we asked for
)

// Ask asks the provider about a payment at once. Problem: NotFound.
func (s *Service) Ask(ctx context.Context, txnID string, by staff.Actor) (Answer, error) {
	err := s.Store.Update(ctx, func(tx Tx) error {
		t, err := tx.Transaction(txnID)
		if err != nil {
			return err
		}
		if t == nil {
			return notFound("there is no payment " + txnID)
		}
		return tx.LogAct(by.Did(s.Clock(), "asked the gateway", "payment "+txnID, string(t.State), ""))
	})
	if err != nil {
		return "", err
	}
	t, err := s.Payment.Verify(ctx, txnID)
	switch t.State {
	case payment.Paid:
		return HasPaid, err
	case payment.Failed, payment.Expired:
		return HasFailed, err
	case payment.Review:
		return Differs, err
	}
	return NoneYet, err
}

// Numbers are the counts of a part of a day.
type Numbers struct {
	Enquiries, Enrolled, Paid, Refunds int   // Enrolled are those whose fee is paid, or covered by a coupon
	PaidMinor, RefundedMinor           int64 // in paise, of payments in rupees
}

// Numbers counts the day of a moment in Asia/Kolkata until then.
func (s *Service) Numbers(ctx context.Context, until time.Time) (n Numbers, err error) {
	day := until.In(admission.IST)
	from := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, admission.IST)
	err = s.Store.View(ctx, func(tx Tx) error {
		n, err = tx.Numbers(from, until)
		return err
	})
	return n, err
}
