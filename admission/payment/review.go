package payment

import (
	"context"
	"fmt"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment/method"
)

// Review is a payment of which the provider says that it is paid, but not what we asked for. A person looks at it, and
// accepts it, has the provider asked again, or sends it back (OrderRefund).

// AcceptReview takes a payment in review for paid: the money is right after all, as much as the provider holds. A Conflict
// where it is not in review, the provider holds nothing, or its registration is paid by another.
func (s *Service) AcceptReview(ctx context.Context, txnID, who string) (after Transaction, err error) {
	return s.endReview(ctx, txnID, enrol.EntryReviewAccepted, who, func(c *change, held method.Status, asked time.Time) error {
		if c.r.Paid() {
			return admission.ConflictProblem("", fmt.Sprintf("registration %s is paid by %s: this payment can only go back", c.r.ID, c.r.PaidTxnID))
		}
		own := held.Kept()
		if held.TxnID != txnID || own.PaymentID == "" {
			return admission.ConflictProblem("", fmt.Sprintf("the provider holds nothing of payment %s", txnID))
		}
		c.t.Charge = own.Amount // what was taken, from now on
		if err := c.happen(EventAccepted, own); err != nil {
			return err
		}
		return c.settle(held, asked) // some of it may have gone back meanwhile, or come twice
	})
}

// JudgeAgain asks the provider about a payment in review, and judges its answer as if it were the first. It stays in
// review where nothing has changed.
func (s *Service) JudgeAgain(ctx context.Context, txnID, who string) (after Transaction, err error) {
	return s.endReview(ctx, txnID, enrol.EntryReviewJudgedAgain, who, func(c *change, held method.Status, asked time.Time) error {
		switch own := held.Kept(); {
		case held.TxnID != txnID:
			return nil
		case own.PaymentID == "":
			return c.endEmptyReview(held)
		case own.Amount != c.t.Charge:
			return nil
		}
		if err := c.judge(held); err != nil {
			return err
		}
		return c.settle(held, asked)
	})
}

// endReview asks the provider what it holds of a payment in review, and lets decide end the review.
func (s *Service) endReview(ctx context.Context, txnID string, kind enrol.EntryKind, who string, decide func(c *change, held method.Status, asked time.Time) error) (after Transaction, err error) {
	l, err := s.load(ctx, txnID)
	if err != nil {
		return after, err
	}
	if l.t.State != Review {
		return *l.t, notInReview(l.t)
	}
	if l.gateway == nil {
		return *l.t, fmt.Errorf("%s: gateway %q is not configured", kind, l.t.Gateway)
	}
	held, asked, err := s.held(ctx, l)
	if err != nil {
		return *l.t, fmt.Errorf("%s: what the provider holds: %w", kind, err)
	}
	err = s.changeTransaction(ctx, txnID, func(c *change) error {
		if c.t.State != Review {
			return notInReview(c.t)
		}
		if c.t.StateBefore == Review {
			return admission.ConflictProblem("", fmt.Sprintf("payment %s was ordered to go back", txnID))
		}
		if err := c.tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: c.r.ID, Kind: kind, Detail: txnID, Who: who, At: c.now}); err != nil {
			return err
		}
		err := decide(c, held, asked)
		after = *c.t
		return err
	})
	return after, err
}

func notInReview(t *Transaction) error {
	return admission.ConflictProblem("", fmt.Sprintf("payment %s is %s, not in review", t.ID, t.State))
}
