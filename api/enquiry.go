package api

import (
	"github.com/labstack/echo/v5"
)

var enquiryBody = shape{
	"fullname": text, "email": text, "phone": text, "countryCode": text, "dialLog": text, "description": text,
	"enquiryType": text, "consents": list, "captcha_token": text,
}

type enquirySent struct {
	done
	ReferenceNumber string `json:"reference_number"` // what a visitor quotes
}

func (a *api) createEnquiry(c *echo.Context, in fields) (answer, error) {
	if sort := in["enquiryType"]; sort != "" && sort != "KS_SCHOLARSHIP" {
		return nil, invalid("enquiryType", "This must be KS_SCHOLARSHIP.")
	}
	v, err := a.visitor(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	e, err := a.Contact.SendEnquiry(c.Request().Context(), v, in)
	if err != nil {
		return nil, err
	}
	return &enquirySent{*said("Request successfully submitted."), e.Reference}, nil
}
