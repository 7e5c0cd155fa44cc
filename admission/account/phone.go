package account

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/forms"
)

// RequestPhoneCode sends a one-time code to the phone of the visitor's account; typed must be that phone. If it is verified already,
// nothing is sent and a Problem of kind Proven is returned.
func (s *Service) RequestPhoneCode(ctx context.Context, v admission.Visitor, typed string) (access.CodeSent, error) {
	a, err := s.ownPhone(ctx, v, typed)
	if err != nil {
		return access.CodeSent{}, err
	}
	if a.PhoneVerified() {
		return access.CodeSent{}, &admission.Problem{Kind: admission.AlreadyVerified, Field: phoneField, Message: "This phone number is already verified."}
	}
	return s.Access.RequestAddressCode(ctx, v, access.AddressCodeInput{Purpose: access.ForAddress, To: a.Phone, Field: phoneField}) // a signed-in visitor has passed the human check
}

// VerifyPhone checks a code sent by RequestPhoneCode. From then on the phone opens the account, which owns its registrations. It returns the
// session's new token; "" if the session keeps its own.
func (s *Service) VerifyPhone(ctx context.Context, v admission.Visitor, typed, code string) (token string, err error) {
	own, err := s.ownPhone(ctx, v, typed)
	if err != nil {
		return "", err
	}
	changed, err := s.change(ctx, v, access.EnteredCode{Purpose: access.ForAddress, Phone: admission.TenDigits(own.Phone), Code: code})
	return changed.Token, err
}

// ownPhone returns the visitor's account if typed is its phone.
func (s *Service) ownPhone(ctx context.Context, v admission.Visitor, typed string) (Account, error) {
	clean, faults := s.Forms.Get(signUpForm).CheckOnly(map[string]string{phoneField: typed}, forms.Env{}, phoneField)
	if problem := admission.FormProblem(faults); problem != nil {
		return Account{}, problem
	}
	a, err := s.Profile(ctx, v)
	if err == nil && a.Phone != admission.IndianPhone(clean[phoneField]) {
		err = admission.FieldProblem(phoneField, "This is not the mobile number of your account.")
	}
	return a, err
}
