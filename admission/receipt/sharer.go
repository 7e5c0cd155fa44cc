package receipt

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// Sharer is the owner of a referral code. Only content.FirstName of the name is public.
type Sharer struct{ FullName, Course, EventSlug, Code string }

// Sharer returns the owner of a referral code; NotFound for any other code and after a refund.
func (s *Service) Sharer(ctx context.Context, code string) (Sharer, error) {
	var r *enrol.Registration
	if enrol.IsOwnReferral(code) {
		if err := s.Store.View(ctx, func(tx payment.Tx) (err error) {
			r, err = tx.RegistrationByOwnReferral(code)
			return err
		}); err != nil {
			return Sharer{}, err
		}
	}
	if r == nil || r.Refunded {
		return Sharer{}, admission.NotFoundProblem("Referral code")
	}
	return Sharer{FullName: r.FullName, Course: enrol.CourseLabel(r.Course), EventSlug: r.EventSlug, Code: code}, nil
}
