package api

import (
	"github.com/labstack/echo/v5"

	"hiresure/admission"
)

var enquiryBody = shape{"enquiryType": text, "source": text, "captcha_token": text} // besides the form's fields

type enquirySent struct {
	done
	ReferenceNumber string `json:"reference_number"` // for the visitor to quote
}

func (a *api) createEnquiry(c *echo.Context, in fields) (answer, error) {
	if sort := in["enquiryType"]; sort != "" && sort != "KS_SCHOLARSHIP" {
		return nil, admission.FieldProblem("enquiryType", "This must be KS_SCHOLARSHIP.")
	}
	v, err := a.visitor(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	form := a.Forms.Get("enquiry")
	e, err := a.Contact.SendEnquiry(c.Request().Context(), v, form.FromWire(in))
	if err != nil {
		return nil, renameFields(err, form.OnWire)
	}
	return &enquirySent{*success("Request successfully submitted."), e.Reference}, nil
}
