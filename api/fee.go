package api

import (
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// The payment calls of an applicant. They equal those of an enrolment, but require a sign-in and the account's application.

var feeOutcomeBody = shape{"payment_transaction_id": text, "scholarship_requested_id": text}

// ownApplication rejects a registration that is not the account's application.
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

// verifyFee returns the outcome of a payment of the account's application; other payments are NotFound.
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
