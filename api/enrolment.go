package api

import (
	"cmp"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/web"
)

var (
	enrolmentBody = shape{ // besides the form's fields
		"country_code": text, "scholarship_code": text, "scholarship_subevent_code": text, "request_id": text, "source": text, "captcha_token": text,
	}
	phoneBody     = shape{"email": text, "phone_number": text, "scholarship_code": text, "captcha_token": text}
	existenceBody = shape{"identifiers.mobile_number": text, "captcha_token": text}
	leadBody      = shape{
		"fullname": text, "email": text, "phone_number": text, "scholarship_code": text, "consents": list, "captcha_token": text,
	}
)

// sharesPhone is the field by which a guardian says that both use the student's phone. Calls that leave it out say no.
const sharesPhone = "guardian_shares_phone"

type enrolled struct {
	done
	ScholarshipRequestedID string `json:"scholarship_requested_id"`
}

func (a *api) enrol(c *echo.Context, sent fields) (answer, error) {
	if err := indianOnly(sent); err != nil {
		return nil, err
	}
	form := a.Forms.Get(enrol.FormName)
	in := form.FromWire(sent)
	in[sharesPhone] = cmp.Or(in[sharesPhone], "false")
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	ctx := c.Request().Context()
	if in["guardian_otp"] != "" && in["adult"] == "false" {
		proven, err := a.Enrol.VerifiedPhones(ctx, v, in)
		if err != nil {
			return nil, err
		}
		if proven["guardian_phone"] == "" {
			if _, err := a.prove(c, access.EnteredCode{Purpose: access.ForGuardian, Phone: in["guardian_phone"], Code: in["guardian_otp"]}); err != nil {
				return nil, err
			}
		}
	}
	r, err := a.Enrol.Enrol(ctx, v, in["scholarship_code"], in["scholarship_subevent_code"], in)
	if err != nil {
		return nil, renameFields(err, form.OnWire)
	}
	return &enrolled{*success("Your details are saved."), r.ID}, nil
}

// mayGoOn is the answer for a phone that is unknown, and for everybody who has not verified it.
const mayGoOn = "You can continue with this mobile number."

func (a *api) checkPhone(c *echo.Context, in fields) (answer, error) {
	fromService, err := a.isService(c)
	if err != nil {
		return nil, err
	}
	v, err := a.visitor(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	if err := a.Enrol.CheckPhone(c.Request().Context(), v, in["scholarship_code"], in["email"], in["phone_number"], fromService); err != nil {
		return nil, err
	}
	return success(mayGoOn), nil
}

type existence struct {
	done
	IsUserExists bool `json:"is_user_exists"`
}

func (a *api) checkExistence(c *echo.Context, in fields) (answer, error) {
	fromService, err := a.isService(c)
	if err != nil {
		return nil, err
	}
	v, err := a.visitor(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	exists, err := a.Enrol.PhoneExists(c.Request().Context(), v, strings.TrimPrefix(in["identifiers.mobile_number"], "+91"), fromService)
	if err != nil {
		return nil, onWire(err, "phone_number", "mobile_number")
	}
	message := mayGoOn
	if exists {
		message = "This mobile number is known."
	}
	return &existence{*success(message), exists}, nil
}

const secretHeader = "X-Client-Secret"

// isService reports whether a call has a service's secret; a wrong one is rejected.
func (a *api) isService(c *echo.Context) (bool, error) {
	secret := c.Request().Header.Get(secretHeader)
	if secret == "" {
		return false, nil
	}
	if a.ServiceSecret == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(a.ServiceSecret)) != 1 {
		return false, web.Refusal{Status: http.StatusUnauthorized, Message: "The client secret is wrong."}
	}
	return true, nil
}

// saveLead saves an unfinished enrolment that may be reminded of. Browsers send it by sendBeacon.
func (a *api) saveLead(c *echo.Context) error {
	raw, err := readJSON(c, "text/plain")
	if err != nil {
		return err
	}
	in, err := leadBody.decode(raw)
	if err != nil {
		return err
	}
	v, err := a.visitor(c, in["captcha_token"])
	if err != nil {
		return err
	}
	if err := a.Enrol.SaveLead(c.Request().Context(), v, in["scholarship_code"], in); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
