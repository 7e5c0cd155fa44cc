package api

import (
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// The calls of an applicant who pays. They do what those of an enrolment do, for who is signed in and for that person's own
// application alone.

var feeOutcomeBody = shape{"payment_transaction_id": text, "scholarship_requested_id": text}

// ownApplication refuses a registration that is not the caller's own application.
func (a *api) ownApplication(c *echo.Context, id string) error {
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return err
	}
	r, err := a.Enrol.RegistrationOfVisitor(c.Request().Context(), v, id)
	if err != nil {
		return err
	}
	if r.Product() != enrol.ProductApplication || r.AccountID != v.AccountID {
		return admission.NotFoundProblem("Registration")
	}
	return nil
}

func (a *api) initiateFee(c *echo.Context, in fields) (answer, error) {
	if err := a.ownApplication(c, in[web.RegistrationQuery]); err != nil {
		return nil, err
	}
	return a.initiatePayment(c, in)
}

// verifyFee tells how a payment of the caller's own application stands; of any other it tells nothing.
func (a *api) verifyFee(c *echo.Context, in fields) (answer, error) {
	id := in[web.RegistrationQuery]
	if err := a.ownApplication(c, id); err != nil {
		return nil, err
	}
	p, err := a.Payment.Find(c.Request().Context(), in["payment_transaction_id"])
	if err != nil {
		return nil, err
	}
	if p.Registration.ID != id {
		v, err := a.Sessions.Visitor(c)
		if err != nil {
			return nil, err
		}
		v.Deny(p.Transaction.ID)
		return nil, admission.NotFoundProblem("Payment")
	}
	return a.verifyPayment(c, in)
}
