package business_test

import (
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

// shownCode returns the address of the code page that the person's browser shows; "" for none.
func (p *person) shownCode(purpose access.Purpose) string {
	p.t.Helper()
	open, err := p.Access.OpenCode(p.ctx, p.Visitor, func(code access.OpenCodeRequest) bool { return code.Purpose == purpose })
	p.must(err)
	if open == nil {
		return ""
	}
	return open.To
}

// requestSignInCode requests a code to sign in and returns its id.
func (p *person) requestSignInCode(typed string) string {
	p.t.Helper()
	sent, _, err := p.Account.RequestCode(p.ctx, p.Visitor, typed)
	p.must(err)
	return sent.RequestID
}

func TestOpenCodeIsLatestOfSession(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.somebody()
		first := p.requestSignInCode("9820041567")
		w.clock.Pass(time.Second)
		equal(t, "the one", p.shownCode(access.ForSignIn), "+919820041567")
		second := p.requestSignInCode(p.phone)
		equal(t, "of two", p.shownCode(access.ForSignIn), "+91"+p.phone)
		equal(t, "of another purpose", p.shownCode(access.ForAddress), "")

		_, err := w.Account.SignIn(w.ctx, p.Visitor, second, w.recorder.code("+91"+p.phone))
		w.must(err)
		equal(t, "after the latest was given", p.shownCode(access.ForSignIn), "")
		_, err = w.Account.SignIn(w.ctx, p.Visitor, first, w.recorder.code("+919820041567"))
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // it ended with the later one
		w.clock.Pass(time.Minute)
		_, err = w.Access.ResendCode(w.ctx, p.Visitor, first)
		expectProblem(t, err, admission.NotFound, "", "Request not found.")
		again := p.requestSignInCode("9820041567")
		equal(t, "asked for anew it is another", again != first, true)
		equal(t, "and has its page", p.shownCode(access.ForSignIn), "+919820041567")
	})
}

func TestResentCodeIsLatest(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.somebody()
		first := p.requestSignInCode("9820041567")
		p.requestSignInCode(p.phone)
		w.clock.Pass(time.Minute)
		_, err := w.Access.ResendCode(w.ctx, p.Visitor, first)
		w.must(err)
		equal(t, "the one", p.shownCode(access.ForSignIn), "+919820041567")
	})
}

func TestTooManyWrongCodes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		const over = "Too many wrong codes. Please ask for a new one."
		p := w.somebody()
		request := p.requestSignInCode(p.phone)
		says := func() string {
			open, err := w.Access.OpenCode(w.ctx, p.Visitor, func(access.OpenCodeRequest) bool { return true })
			w.must(err)
			return open.Refusal
		}
		for range 5 {
			equal(t, "before the fifth wrong one", says(), "")
			_, err := w.Account.SignIn(w.ctx, p.Visitor, request, "000000")
			expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		}
		_, err := w.Account.SignIn(w.ctx, p.Visitor, request, w.recorder.code("+91"+p.phone))
		expectProblem(t, err, admission.TooMany, "phone_otp", over)
		equal(t, "after it", says(), over)
		w.clock.Pass(time.Minute)
		_, err = w.Access.ResendCode(w.ctx, p.Visitor, request)
		w.must(err)
		equal(t, "with a new one", says(), "")
	})
}

func TestCooldownReturnsOwnCode(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		signUp := func(p *person, name string) (access.CodeSent, error) {
			_, sent, err := w.Account.SignUp(w.ctx, p.Visitor, map[string]string{"fullname": name, "email": p.email, "phone_number": p.phone})
			return *sent, err
		}
		p := w.somebody()
		first, err := signUp(p, "Asha Rao")
		w.must(err)
		p.requestSignInCode("9820041567")
		w.clock.Pass(20 * time.Second)
		again, err := signUp(p, "Asha Menon")
		expectProblem(t, err, admission.TooMany, "phone_number", "Too many tries. Please wait 40 seconds and try again.")
		equal(t, "the code", again, access.CodeSent{RequestID: first.RequestID, ResendAfter: 40 * time.Second, ExpiresIn: 580 * time.Second})
		equal(t, "the latest", p.shownCode(access.ForSignIn), "+91"+p.phone)
		open, err := w.Access.OpenCode(w.ctx, p.Visitor, func(access.OpenCodeRequest) bool { return true })
		w.must(err)
		equal(t, "name", open.FullName, "Asha Menon") // as it was typed last
		equal(t, "messages", w.count("messages"), 2)

		other := w.somebody()
		sent, _, err := w.Account.RequestCode(w.ctx, other.Visitor, p.phone)
		expectProblem(t, err, admission.TooMany, "identifier", "Too many tries. Please wait 40 seconds and try again.")
		equal(t, "another browser is told of a code", sent, access.CodeSent{})

		w.clock.Pass(9*time.Minute + 39*time.Second)
		_, err = w.Access.ResendCode(w.ctx, p.Visitor, first.RequestID)
		w.must(err)
		w.clock.Pass(time.Second)
		again, err = signUp(p, "Asha Menon")
		expectProblem(t, err, admission.TooMany, "phone_number", "Too many tries. Please wait 59 seconds and try again.")
		equal(t, "a code that is over", again, access.CodeSent{})
	})
}

func TestCodeIsAcceptedTwiceAfterSignIn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p, other := w.somebody(), w.somebody()
		other.signUp(other.email)
		w.clock.Pass(time.Minute)
		given := func(who *person, purpose access.Purpose, request, code string) access.RedeemedCode {
			before, err := w.Access.AlreadyRedeemed(w.ctx, who.Visitor, access.EnteredCode{Purpose: purpose, RequestID: request, Code: code})
			w.must(err)
			if before == nil {
				return access.RedeemedCode{}
			}
			return *before
		}
		mistyped := p.requestSignInCode("9820041567")
		request := p.requestSignInCode(p.phone)
		code := w.recorder.code("+91" + p.phone)
		equal(t, "a code that nobody has given", given(p, access.ForSignIn, request, code), access.RedeemedCode{})
		_, err := w.Account.SignIn(w.ctx, p.Visitor, request, code)
		w.must(err)
		equal(t, "one that has proven a phone", given(p, access.ForSignIn, request, " "+code[:3]+" "+code[3:]), access.RedeemedCode{To: "+91" + p.phone})
		equal(t, "a wrong one", given(p, access.ForSignIn, request, "000000"), access.RedeemedCode{})
		equal(t, "none", given(p, access.ForSignIn, "", code), access.RedeemedCode{})
		equal(t, "one that ended with it", given(p, access.ForSignIn, mistyped, w.recorder.code("+919820041567")), access.RedeemedCode{})
		equal(t, "for another purpose", given(p, access.ForAddress, request, code), access.RedeemedCode{})
		equal(t, "in another session", given(other, access.ForSignIn, request, code), access.RedeemedCode{})
		p.signUp(p.email)
		equal(t, "one with which somebody signed up", given(p, access.ForSignIn, request, code), access.RedeemedCode{To: "+91" + p.phone, AccountID: p.AccountID})

		sibling := p.requestSignInCode(other.phone)
		_, err = w.Account.SignIn(w.ctx, p.Visitor, sibling, w.recorder.code("+91"+other.phone))
		w.must(err)
		equal(t, "one after which another has signed in", given(p, access.ForSignIn, request, code), access.RedeemedCode{})
	})
}

func TestChangedAddressEndsOlderCodes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		ask := func(field, typed string) string {
			sent, _, err := w.Account.RequestAddress(w.ctx, p.Visitor, field, typed)
			w.must(err)
			return sent.RequestID
		}
		mistyped, mail := ask("phone_number", "9820041568"), ask("email", "new@example.com")
		_, err := p.changeAddress("phone_number", "9820041567", "+919820041567")
		w.must(err)
		_, err = w.Account.ChangeAddress(w.ctx, p.Visitor, mistyped, w.recorder.code("+919820041568"))
		expectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		equal(t, "phone", p.account().Phone, "+919820041567")
		_, err = w.Account.ChangeAddress(w.ctx, p.Visitor, mail, w.recorder.code("new@example.com"))
		w.must(err)
		equal(t, "e-mail", p.account().Email, "new@example.com")
	})
}

// Two people may enrol in one browser.
func TestVerifiedPhoneKeepsOtherEnrolmentCodes(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p, other := w.somebody(), w.somebody()
		other.Visitor = p.Visitor
		sent, err := w.Access.RequestCode(w.ctx, p.Visitor, p.codeInput())
		w.must(err)
		other.verify()
		_, err = w.Access.VerifyCode(w.ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Code: w.recorder.code("+91" + p.phone)})
		w.must(err)
	})
}
