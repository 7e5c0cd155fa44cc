package landing

import (
	"context"
	"math"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

// codeRequested reports whether this form has requested a code for the typed number.
func (e *enrolment) codeRequested() bool {
	return e.in["request_id"] != "" && e.in["sent_to"] == e.in["phone_number"]
}

func (e *enrolment) guardianCodeRequested() bool {
	return e.in["guardian_request_id"] != "" && e.in["guardian_sent_to"] == e.in["guardian_phone"]
}

func (e *enrolment) sendCode(ctx context.Context) (string, error) {
	// The name is checked here, because the call that sends a code has none.
	if err := e.check("fullname", "email", "phone_number"); err != nil {
		return "", err
	}
	return e.send(ctx, access.PhoneCodeInput{
		Purpose: access.ForPhone, Phone: e.in["phone_number"], Email: e.in["email"], EventCode: e.view.Code, SubeventCode: e.view.Subevent,
	}, &e.view.Phone, "otp")
}

func (e *enrolment) sendGuardianCode(ctx context.Context) (string, error) {
	e.in["adult"] = "false" // implied by the request for a guardian's code
	if err := e.check("guardian_name", "guardian_phone", "guardian_shares_phone", "guardian_relation", "guardian_birth_year"); err != nil {
		return "", err
	}
	return e.send(ctx, access.PhoneCodeInput{
		Purpose: access.ForGuardian, Phone: e.in["guardian_phone"], EventCode: e.view.Code, SubeventCode: e.view.Subevent,
		GuardianOf: access.Student{Name: e.in["fullname"], Phone: e.in["phone_number"], SharesPhone: e.in["guardian_shares_phone"] == "true"},
	}, &e.view.Guardian, "guardian_otp")
}

func (e *enrolment) send(ctx context.Context, ask access.PhoneCodeInput, proof *Proof, codeField string) (string, error) {
	sent, err := e.kit.Access.RequestCode(ctx, e.visitor, ask)
	problem := admission.AsProblem(err)
	switch {
	case problem != nil && problem.Kind == admission.AlreadyVerified:
		e.announce("This phone number is already verified.", "", "")
		return "", nil
	case problem != nil && problem.Kind == admission.TooMany: // another browser may have requested it, whose code is invalid here
		why, _, _ := strings.Cut(problem.Message, " Please wait")
		*proof = Proof{Phase: proofNone, Number: ask.Phone, ResendAfter: seconds(problem.RetryAfter), Why: why}
	}
	if err != nil {
		return "", err
	}
	*proof = Proof{Phase: proofSent, RequestID: sent.RequestID, Number: ask.Phone, ResendAfter: seconds(sent.ResendAfter)}
	e.focus = codeField
	e.announce("Code sent to "+pages.Mobile("+91"+ask.Phone)+".", components.NoticeDone, codeField)
	return "", nil
}

func (e *enrolment) resend(ctx context.Context) (string, error) {
	if !e.codeRequested() {
		return e.sendCode(ctx)
	}
	return e.resendCode(ctx, e.in["request_id"], e.in["phone_number"], &e.view.Phone, "otp")
}

func (e *enrolment) resendGuardian(ctx context.Context) (string, error) {
	if !e.guardianCodeRequested() {
		return e.sendGuardianCode(ctx)
	}
	return e.resendCode(ctx, e.in["guardian_request_id"], e.in["guardian_phone"], &e.view.Guardian, "guardian_otp")
}

func (e *enrolment) resendCode(ctx context.Context, requestID, number string, proof *Proof, codeField string) (string, error) {
	sent, err := e.kit.Access.ResendCode(ctx, e.visitor, requestID)
	wait := sent.ResendAfter
	if problem := admission.AsProblem(err); problem != nil {
		wait = problem.RetryAfter
	}
	*proof = Proof{Phase: proofSent, RequestID: requestID, Number: number, ResendAfter: seconds(wait), Ended: access.CodeEnded(admission.AsProblem(err))}
	if err != nil {
		return "", atField(codeField, err)
	}
	e.focus = codeField
	e.announce("Code sent again to "+pages.Mobile("+91"+number)+".", components.NoticeDone, codeField)
	return "", nil
}

// changeNumber returns from a code to its number.
func (e *enrolment) changeNumber(context.Context) (string, error) {
	delete(e.in, "request_id")
	delete(e.in, "sent_to")
	e.focus = "phone_number"
	return "", nil
}

func (e *enrolment) changeGuardian(context.Context) (string, error) {
	delete(e.in, "guardian_request_id")
	delete(e.in, "guardian_sent_to")
	e.focus = "guardian_phone"
	return "", nil
}

func (e *enrolment) verify(ctx context.Context) (string, error) {
	return e.enterCode(ctx, access.EnteredCode{
		Purpose: access.ForPhone, RequestID: e.in["request_id"], Phone: e.in["phone_number"],
		EventCode: e.view.Code, Code: e.in["otp"],
	}, &e.view.Phone, "otp", "Mobile number verified.")
}

func (e *enrolment) verifyGuardian(ctx context.Context) (string, error) {
	return e.enterCode(ctx, access.EnteredCode{
		Purpose: access.ForGuardian, RequestID: e.in["guardian_request_id"], Phone: e.in["guardian_phone"],
		EventCode: e.view.Code, Code: e.in["guardian_otp"],
	}, &e.view.Guardian, "guardian_otp", "Guardian’s mobile number verified.")
}

// verifyTyped checks the codes that are typed and not checked yet. It may return a next page, as verify does.
func (e *enrolment) verifyTyped(ctx context.Context) (next string, err error) {
	proven, err := e.kit.Enrol.VerifiedPhones(ctx, e.visitor, e.in)
	if err != nil {
		return "", err
	}
	if e.codeRequested() && e.in["otp"] != "" && proven["phone_number"] == "" {
		if next, err = e.verify(ctx); err != nil || next != "" {
			return next, err
		}
	}
	if e.in["adult"] == "false" && e.guardianCodeRequested() && e.in["guardian_otp"] != "" && proven["guardian_phone"] == "" {
		return e.verifyGuardian(ctx)
	}
	return "", nil
}

func (e *enrolment) enterCode(ctx context.Context, answer access.EnteredCode, proof *Proof, codeField, success string) (string, error) {
	verified, err := e.kit.Access.VerifyCode(ctx, e.visitor, answer)
	if problem := admission.AsProblem(err); access.CodeEnded(problem) {
		delete(e.in, codeField)
		*proof = Proof{Phase: proofSent, RequestID: answer.RequestID, Number: answer.Phone, ResendAfter: seconds(problem.RetryAfter), Ended: true}
	}
	if err != nil {
		return "", atField(codeField, err)
	}
	delete(e.in, codeField)
	e.announce(success, "", "")
	if err := e.renew(verified.Token); err != nil || verified.RegistrationID == "" {
		return "", err
	}
	before, err := e.kit.Enrol.RegistrationOfVisitor(ctx, e.visitor, verified.RegistrationID)
	switch {
	case err != nil:
		return "", err
	case !before.MatchesPerson(e.in["fullname"], e.in["email"]):
		return web.PayOfAnotherPath(before.ID), nil
	}
	return web.PayPath, nil // a returning visitor continues
}

// current returns the phase of the typed number: another number must be verified again.
func (p Proof) current(number, proven, sentTo, requestID string) Proof {
	switch {
	case number != "" && number == proven:
		return Proof{Phase: proofVerified, Number: number}
	case p.Number != "": // set by this post
		return p
	case requestID != "" && number != "" && number == sentTo:
		return Proof{Phase: proofSent, RequestID: requestID, Number: number}
	}
	return Proof{Phase: proofNone}
}

// addWait adds how long a sent code's Resend waits, and whether the code has ended.
func (e *enrolment) addWait(ctx context.Context, p *Proof) error {
	if p.Phase != proofSent || p.ResendAfter > 0 || p.Ended {
		return nil
	}
	open, err := e.kit.Access.OpenCode(ctx, e.visitor, func(asked access.OpenCodeRequest) bool { return asked.RequestID == p.RequestID })
	if err == nil && open != nil {
		p.ResendAfter, p.Ended = seconds(open.ResendAfter), open.Refusal != ""
	}
	return err
}

// atField assigns a problem to the code's field; on the wire all codes are named phone_otp.
func atField(field string, err error) error {
	problem := admission.AsProblem(err)
	if problem == nil || problem.Field != "" && problem.Field != "phone_otp" {
		return err
	}
	moved := *problem
	moved.Field, moved.Faults = field, []forms.Fault{{Field: field, Message: problem.Message}}
	return &moved
}

// digits counts the digits of a code.
func digits(typed string) int {
	return len(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, typed))
}

// seconds rounds up, so that a wait does not end early.
func seconds(wait time.Duration) int { return int(math.Ceil(wait.Seconds())) }
