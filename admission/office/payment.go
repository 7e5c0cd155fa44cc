package office

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
)

// FindPayment returns the payment whose id begins as a payer reads it out, and its refunds, oldest first. At least the first
// eight characters are needed. Problems: Invalid where fewer are given or several payments begin so, NotFound.
func (s *Service) FindPayment(ctx context.Context, spoken string) (found payment.Transaction, refunds []payment.Refund, err error) {
	prefix := admission.ParseIDPrefix(spoken)
	if prefix == "" {
		return found, nil, invalid(fmt.Sprintf("give the first 8 characters of the payment ID at least, such as 7nb1 ac9c, not %q", strings.TrimSpace(spoken)))
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		ids, err := tx.PaymentsBeginning(prefix, 2)
		switch {
		case err != nil:
			return err
		case len(ids) == 0:
			return notFound("no payment ID begins with " + prefix)
		case len(ids) > 1:
			return invalid("several payment IDs begin with " + prefix + ": give 4 more characters")
		}
		t, err := tx.Transaction(ids[0])
		if err != nil {
			return err
		}
		found = *t
		refunds, err = tx.RefundsOf(t.ID)
		return err
	})
	return found, refunds, err
}

// Refund orders the refund of a payment that is due to go back or in review, or of a second charge whose refund failed; a
// worker sends it. It returns the earlier refunds that failed or bounced, oldest first. Problems: NotFound, Conflict.
func (s *Service) Refund(ctx context.Context, txnID string, by staff.Actor) (failed []payment.Refund, err error) {
	if err := s.Payment.OrderRefund(ctx, txnID, by); err != nil {
		return nil, orNoPayment(txnID, err)
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		refunds, err := tx.RefundsOf(txnID)
		failed = slices.DeleteFunc(refunds, func(r payment.Refund) bool { return !r.Failed() })
		return err
	})
	return failed, err
}

// orNoPayment returns err, or a Problem that names the payment where it was not found.
func orNoPayment(txnID string, err error) error {
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return notFound("there is no payment " + txnID)
	}
	return err
}

// Decision ends the review of a payment.
type Decision string

// The decisions on a payment in review.
const (
	Accept   Decision = "accept" // what the provider holds pays for the registration
	AskAgain Decision = "ask"    // the provider is asked once more, and its answer decides
	SendBack Decision = "refund"
)

// Decide ends the review of a payment and returns its state. After SendBack that is still review, until a worker has told the
// provider. Problems: Invalid for another decision, NotFound, Conflict where the payment is not in review.
func (s *Service) Decide(ctx context.Context, txnID string, decision Decision, by staff.Actor) (payment.State, error) {
	var after payment.Transaction
	var err error
	switch decision {
	case Accept:
		after, err = s.Payment.AcceptReview(ctx, txnID, by)
	case AskAgain:
		after, err = s.Payment.JudgeAgain(ctx, txnID, by)
	case SendBack:
		_, err := s.Refund(ctx, txnID, by)
		return payment.Review, err
	default:
		return "", invalid(fmt.Sprintf("a review ends with accept, ask or refund, not with %q", decision))
	}
	return after.State, orNoPayment(txnID, err)
}

// Reconcile compares what moved at the gateways on one day in Asia/Kolkata, given by its midnight, with our books.
func (s *Service) Reconcile(ctx context.Context, day time.Time) ([]payment.Difference, error) {
	return s.Payment.Reconcile(ctx, day, day.AddDate(0, 0, 1))
}
