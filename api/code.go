package api

import (
	"cmp"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
)

var (
	verificationBody = shape{
		"email": text, "phone_number": text, "country_code": text, "scholarship_code": text, "scholarship_subevent_code": text,
		"purpose": text, "fullname": text, "guardian_phone": text, "guardian_shares_phone": flag, "captcha_token": text,
	}
	verifyBody = shape{
		"email": text, "phone_number": text, "country_code": text, "phone_otp": text, "scholarship_code": text,
		"scholarship_subevent_code": text, "request_id": text, "purpose": text, "guardian_phone": text, "guardian_otp": text,
	}
	resendBody = shape{"scholarship_requested_id": text, "request_id": text, "captcha_token": text}
	reopenBody = shape{"scholarship_requested_id": text, "phone_otp": text}
)

type codeSent struct {
	done
	RequestID   string `json:"request_id"`
	ResendAfter int    `json:"resend_after"` // seconds
	ExpiresIn   int    `json:"expires_in"`   // seconds
}

func sent(s access.CodeSent) *codeSent {
	return &codeSent{*success("We sent a code to your mobile number."), s.RequestID, seconds(s.ResendAfter), seconds(s.ExpiresIn)}
}

func purposeOf(in fields) access.Purpose {
	return access.Purpose(cmp.Or(in["purpose"], string(access.ForPhone)))
}

// indianOnly rejects numbers of other countries.
func indianOnly(in fields) error {
	switch in["country_code"] {
	case "", "+91", "91":
		return nil
	}
	return admission.FieldProblem("country_code", "This must be +91.")
}

func (a *api) requestCode(c *echo.Context, in fields) (answer, error) {
	if err := indianOnly(in); err != nil {
		return nil, err
	}
	ask := access.PhoneCodeInput{
		Purpose: purposeOf(in), Phone: in["phone_number"], Email: in["email"],
		EventCode: in["scholarship_code"], SubeventCode: in["scholarship_subevent_code"],
	}
	guardianName := "guardian_phone"
	if guardian, named := in["guardian_phone"]; ask.Purpose != access.ForGuardian && named {
		return nil, admission.FieldProblem("guardian_phone", "This field goes with the purpose guardian.")
	} else if named {
		ask.Phone, ask.GuardianOf = guardian, access.Student{Name: in["fullname"], Phone: in["phone_number"], SharesPhone: in[sharesPhone] == "true"}
	} else {
		guardianName = "phone_number" // the call's name for the number to verify
	}
	v, err := a.resident(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	s, err := a.Access.RequestCode(c.Request().Context(), v, ask)
	if err != nil {
		return nil, onWire(err, "guardian_phone", guardianName)
	}
	return sent(s), nil
}

func (a *api) verifyCode(c *echo.Context, in fields) (answer, error) {
	if err := indianOnly(in); err != nil {
		return nil, err
	}
	typed := access.EnteredCode{
		Purpose: purposeOf(in), RequestID: in["request_id"], Phone: in["phone_number"], Email: in["email"],
		EventCode: in["scholarship_code"], Code: in["phone_otp"],
	}
	codeName := "phone_otp"
	if guardian, named := in["guardian_phone"]; named && typed.Purpose == access.ForGuardian {
		typed.Phone = guardian
	}
	if code, named := in["guardian_otp"]; named && typed.Purpose == access.ForGuardian {
		typed.Code, codeName = code, "guardian_otp"
	}
	registration, err := a.prove(c, typed)
	if err != nil {
		return nil, onWire(err, "guardian_otp", codeName)
	}
	done := success("Your mobile number is verified.")
	if registration == "" {
		return done, nil
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	before, err := a.Enrol.RegistrationOfVisitor(c.Request().Context(), v, registration)
	if err != nil {
		return nil, err
	}
	return &enrolledBefore{enrolled{*done, registration}, before.FullName, before.Email}, nil
}

// enrolledBefore is the existing enrolment of a verified phone with its person, who may differ from the caller.
type enrolledBefore struct {
	enrolled
	FullName string `json:"fullname"`
	Email    string `json:"email"`
}

// prove checks a code, sends the browser its new session token, and returns the phone's registration in the event, or "".
func (a *api) prove(c *echo.Context, typed access.EnteredCode) (registration string, err error) {
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return "", err
	}
	verified, err := a.Access.VerifyCode(c.Request().Context(), v, typed)
	if err != nil {
		return "", err
	}
	return verified.RegistrationID, a.Sessions.Renew(c, verified.Token)
}

func (a *api) resendCode(c *echo.Context, in fields) (answer, error) {
	ctx, registration, request := c.Request().Context(), in["scholarship_requested_id"], in["request_id"]
	if (registration == "") == (request == "") {
		return nil, admission.FieldProblem("request_id", "Send either request_id or scholarship_requested_id.")
	}
	v, err := a.resident(c, in["captcha_token"])
	if err != nil {
		return nil, err
	}
	var s access.CodeSent
	if request != "" {
		s, err = a.Access.ResendCode(ctx, v, request)
	} else {
		s, err = a.Enrol.RequestCodeFor(ctx, v, registration)
	}
	if admission.HasKind(err, admission.AlreadyVerified) {
		if err := a.Enrol.Reopen(ctx, v, registration); err != nil { // nothing left to verify
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return sent(s), nil
}

// reopen verifies the phone of an existing registration, so that the session may continue it.
func (a *api) reopen(c *echo.Context, in fields) (answer, error) {
	if _, err := a.prove(c, access.EnteredCode{Purpose: access.ForPhone, Code: in["phone_otp"]}); err != nil {
		return nil, err
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	if err := a.Enrol.Reopen(c.Request().Context(), v, in["scholarship_requested_id"]); err != nil {
		return nil, err
	}
	return &enrolled{*success("Your mobile number is verified."), in["scholarship_requested_id"]}, nil
}
