package access_test

import (
	"fmt"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business/businesstest"
)

// shownCode returns the address of the code page that the person's browser shows; "" for none.
func shownCode(p *businesstest.Person, purpose access.Purpose) string {
	p.T.Helper()
	open, err := p.Access.OpenCode(p.Ctx, p.Visitor, func(code access.OpenCodeRequest) bool { return code.Purpose == purpose })
	p.Must(err)
	if open == nil {
		return ""
	}
	return open.To
}

// requestSignInCode requests a code to sign in and returns its id.
func requestSignInCode(p *businesstest.Person, typed string) string {
	p.T.Helper()
	sent, _, err := p.Account.RequestCode(p.Ctx, p.Visitor, typed)
	p.Must(err)
	return sent.RequestID
}

func TestOpenCodeIsLatestOfSession(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		first := requestSignInCode(p, "9820041567")
		w.Clock.Pass(time.Second)
		businesstest.Equal(t, "the one", shownCode(p, access.ForSignIn), "+919820041567")
		second := requestSignInCode(p, p.Phone)
		businesstest.Equal(t, "of two", shownCode(p, access.ForSignIn), "+91"+p.Phone)
		businesstest.Equal(t, "of another purpose", shownCode(p, access.ForAddress), "")

		_, err := w.Account.SignIn(w.Ctx, p.Visitor, second, w.Recorder.Code("+91"+p.Phone))
		w.Must(err)
		businesstest.Equal(t, "after the latest was given", shownCode(p, access.ForSignIn), "")
		_, err = w.Account.SignIn(w.Ctx, p.Visitor, first, w.Recorder.Code("+919820041567"))
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP") // it ended with the later one
		w.Clock.Pass(time.Minute)
		_, err = w.Access.ResendCode(w.Ctx, p.Visitor, first)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Request not found.")
		again := requestSignInCode(p, "9820041567")
		businesstest.Equal(t, "asked for anew it is another", again != first, true)
		businesstest.Equal(t, "and has its page", shownCode(p, access.ForSignIn), "+919820041567")
	})
}

func TestResentCodeIsLatest(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		first := requestSignInCode(p, "9820041567")
		requestSignInCode(p, p.Phone)
		w.Clock.Pass(time.Minute)
		_, err := w.Access.ResendCode(w.Ctx, p.Visitor, first)
		w.Must(err)
		businesstest.Equal(t, "the one", shownCode(p, access.ForSignIn), "+919820041567")
	})
}

func TestTooManyWrongCodes(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		const over = "5 wrong tries: this OTP has ended. Please ask for a new one."
		p := w.Somebody()
		request := requestSignInCode(p, p.Phone)
		says := func() string {
			open, err := w.Access.OpenCode(w.Ctx, p.Visitor, func(access.OpenCodeRequest) bool { return true })
			w.Must(err)
			return open.Refusal
		}
		for _, message := range []string{"Invalid OTP", "Invalid OTP", "Invalid OTP", "Invalid OTP", over} {
			businesstest.Equal(t, "before the fifth wrong one", says(), "")
			_, err := w.Account.SignIn(w.Ctx, p.Visitor, request, "000000")
			businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", message)
		}
		_, err := w.Account.SignIn(w.Ctx, p.Visitor, request, w.Recorder.Code("+91"+p.Phone))
		businesstest.ExpectProblem(t, err, admission.TooMany, "phone_otp", over)
		businesstest.Equal(t, "after it", says(), over)
		w.Clock.Pass(20 * time.Second)
		_, err = w.Access.ResendCode(w.Ctx, p.Visitor, request)
		businesstest.ExpectProblem(t, err, admission.TooMany, "phone_otp", "5 wrong tries: this OTP has ended. Please wait 40 seconds and try again.")
		businesstest.Equal(t, "an ended code is recognised", access.CodeEnded(admission.AsProblem(err)), true)
		w.Clock.Pass(time.Minute)
		_, err = w.Access.ResendCode(w.Ctx, p.Visitor, request)
		w.Must(err)
		businesstest.Equal(t, "with a new one", says(), "")
	})
}

func TestCooldownReturnsOwnCode(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		signUp := func(p *businesstest.Person, name string) (access.CodeSent, error) {
			_, sent, err := w.Account.SignUp(w.Ctx, p.Visitor, map[string]string{"fullname": name, "email": p.Email, "phone_number": p.Phone})
			return *sent, err
		}
		p := w.Somebody()
		first, err := signUp(p, "Asha Rao")
		w.Must(err)
		requestSignInCode(p, "9820041567")
		w.Clock.Pass(20 * time.Second)
		again, err := signUp(p, "Asha Menon")
		businesstest.ExpectProblem(t, err, admission.TooMany, "phone_number", "A code went to this number a moment ago. Please wait 40 seconds and try again.")
		businesstest.Equal(t, "the code", again, access.CodeSent{RequestID: first.RequestID, ResendAfter: 40 * time.Second, ExpiresIn: 580 * time.Second})
		businesstest.Equal(t, "the latest", shownCode(p, access.ForSignIn), "+91"+p.Phone)
		open, err := w.Access.OpenCode(w.Ctx, p.Visitor, func(access.OpenCodeRequest) bool { return true })
		w.Must(err)
		businesstest.Equal(t, "name", open.FullName, "Asha Menon") // as it was typed last
		businesstest.Equal(t, "messages", w.Count("messages"), 2)

		other := w.Somebody()
		sent, _, err := w.Account.RequestCode(w.Ctx, other.Visitor, p.Phone)
		businesstest.ExpectProblem(t, err, admission.TooMany, "identifier", "A code went to this number a moment ago. Please wait 40 seconds and try again.")
		businesstest.Equal(t, "another browser is told of a code", sent, access.CodeSent{})

		w.Clock.Pass(9*time.Minute + 39*time.Second)
		_, err = w.Access.ResendCode(w.Ctx, p.Visitor, first.RequestID)
		w.Must(err)
		w.Clock.Pass(time.Second)
		again, err = signUp(p, "Asha Menon")
		businesstest.ExpectProblem(t, err, admission.TooMany, "phone_number", "A code went to this number a moment ago. Please wait 59 seconds and try again.")
		businesstest.Equal(t, "a code that is over", again, access.CodeSent{})
	})
}

func TestEnrolmentsCodeSaysWhyItWaits(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Somebody(), w.Somebody()
		_, err := w.Access.RequestCode(w.Ctx, p.Visitor, codeInput(p))
		w.Must(err)
		w.Clock.Pass(20 * time.Second)
		for _, visitor := range []admission.Visitor{p.Visitor, other.Visitor} {
			_, err = w.Access.RequestCode(w.Ctx, visitor, codeInput(p))
			businesstest.ExpectProblem(t, err, admission.TooMany, "phone_number", "A code went to this number a moment ago. Please wait 40 seconds and try again.")
		}
	})
}

func TestCodeIsAcceptedTwiceAfterSignIn(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Somebody(), w.Somebody()
		other.SignUp(other.Email)
		w.Clock.Pass(time.Minute)
		given := func(who *businesstest.Person, purpose access.Purpose, request, code string) access.RedeemedCode {
			before, err := w.Access.AlreadyRedeemed(w.Ctx, who.Visitor, access.EnteredCode{Purpose: purpose, RequestID: request, Code: code})
			w.Must(err)
			if before == nil {
				return access.RedeemedCode{}
			}
			return *before
		}
		mistyped := requestSignInCode(p, "9820041567")
		request := requestSignInCode(p, p.Phone)
		code := w.Recorder.Code("+91" + p.Phone)
		businesstest.Equal(t, "a code that nobody has given", given(p, access.ForSignIn, request, code), access.RedeemedCode{})
		_, err := w.Account.SignIn(w.Ctx, p.Visitor, request, code)
		w.Must(err)
		businesstest.Equal(t, "one that has proven a phone", given(p, access.ForSignIn, request, " "+code[:3]+" "+code[3:]), access.RedeemedCode{To: "+91" + p.Phone})
		businesstest.Equal(t, "a wrong one", given(p, access.ForSignIn, request, "000000"), access.RedeemedCode{})
		businesstest.Equal(t, "none", given(p, access.ForSignIn, "", code), access.RedeemedCode{})
		businesstest.Equal(t, "one that ended with it", given(p, access.ForSignIn, mistyped, w.Recorder.Code("+919820041567")), access.RedeemedCode{})
		businesstest.Equal(t, "for another purpose", given(p, access.ForAddress, request, code), access.RedeemedCode{})
		businesstest.Equal(t, "in another session", given(other, access.ForSignIn, request, code), access.RedeemedCode{})
		p.SignUp(p.Email)
		businesstest.Equal(t, "one with which somebody signed up", given(p, access.ForSignIn, request, code), access.RedeemedCode{To: "+91" + p.Phone, AccountID: p.AccountID})

		sibling := requestSignInCode(p, other.Phone)
		_, err = w.Account.SignIn(w.Ctx, p.Visitor, sibling, w.Recorder.Code("+91"+other.Phone))
		w.Must(err)
		businesstest.Equal(t, "one after which another has signed in", given(p, access.ForSignIn, request, code), access.RedeemedCode{})
	})
}

func TestChangedAddressEndsOlderCodes(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		ask := func(field, typed string) string {
			sent, _, err := w.Account.RequestAddress(w.Ctx, p.Visitor, field, typed)
			w.Must(err)
			return sent.RequestID
		}
		mistyped, mail := ask("phone_number", "9820041568"), ask("email", "new@example.com")
		_, err := p.ChangeAddress("phone_number", "9820041567", "+919820041567")
		w.Must(err)
		_, err = w.Account.ChangeAddress(w.Ctx, p.Visitor, mistyped, w.Recorder.Code("+919820041568"))
		businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
		businesstest.Equal(t, "phone", p.OwnAccount().Phone, "+919820041567")
		_, err = w.Account.ChangeAddress(w.Ctx, p.Visitor, mail, w.Recorder.Code("new@example.com"))
		w.Must(err)
		businesstest.Equal(t, "e-mail", p.OwnAccount().Email, "new@example.com")
	})
}

// Two people may enrol in one browser.
func TestVerifiedPhoneKeepsOtherEnrolmentCodes(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p, other := w.Somebody(), w.Somebody()
		other.Visitor = p.Visitor
		sent, err := w.Access.RequestCode(w.Ctx, p.Visitor, codeInput(p))
		w.Must(err)
		other.VerifyPhone()
		_, err = w.Access.VerifyCode(w.Ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Code: w.Recorder.Code("+91" + p.Phone)})
		w.Must(err)
	})
}

func TestCodeAfterClockJump(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		for _, jump := range []time.Duration{-5 * time.Minute, 5 * time.Minute} {
			p := w.Somebody()
			sent, err := w.Access.RequestCode(w.Ctx, p.Visitor, access.PhoneCodeInput{Purpose: access.ForPhone, Phone: p.Phone, Email: p.Email, EventCode: "KS_Mgrow"})
			w.Must(err)
			w.Clock.Pass(jump)
			_, err = w.Access.VerifyCode(w.Ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Phone: p.Phone, Code: "000000"})
			if code := w.Recorder.Code("+91" + p.Phone); code != "000000" {
				businesstest.ExpectProblem(t, err, admission.Invalid, "phone_otp", "Invalid OTP")
			}
			_, err = w.Access.VerifyCode(w.Ctx, p.Visitor, access.EnteredCode{Purpose: access.ForPhone, RequestID: sent.RequestID, Phone: p.Phone, Code: w.Recorder.Code("+91" + p.Phone)})
			w.Must(err)
			_, err = p.SubmitEnrolment(nil)
			w.Must(err)
		}
	})
}

func TestClockSetBackDelaysCodeByAMinuteAtMost(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		for _, back := range []time.Duration{0, 4 * time.Second, 30 * time.Second, 10 * time.Minute, 3 * time.Hour} {
			ways := map[string]func(*businesstest.Person, string) error{
				"a resend": func(p *businesstest.Person, id string) error {
					_, err := p.Access.ResendCode(p.Ctx, p.Visitor, id)
					return err
				},
				"a request":                    func(p *businesstest.Person, _ string) error { return requestCode(p) },
				"a request in another browser": func(p *businesstest.Person, _ string) error { p.NewBrowser(); return requestCode(p) },
			}
			for way, again := range ways {
				sentence := fmt.Sprintf("%s, the clock %s back", way, back)
				w.Clock.Set(businesstest.Noon)
				p := w.Somebody()
				sent, err := p.Access.RequestCode(p.Ctx, p.Visitor, codeInput(p))
				p.Must(err)
				w.Clock.Pass(-back)
				waited := time.Duration(0)
				for err = again(p, sent.RequestID); err != nil && waited < time.Hour; err = again(p, sent.RequestID) {
					problem := admission.AsProblem(err)
					if problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter > time.Minute {
						t.Fatalf("%s: %v", sentence, err)
					}
					w.Clock.Pass(time.Second)
					waited += time.Second
				}
				most := time.Minute
				if back == 4*time.Second { // as the clocks of two copies may be apart
					most += back
				}
				if waited > most || back < 5*time.Second && waited < most {
					t.Errorf("%s: the next code came after %s", sentence, waited)
				}
				if problem := admission.AsProblem(again(p, sent.RequestID)); problem == nil || problem.Kind != admission.TooMany || problem.RetryAfter != time.Minute {
					t.Errorf("%s: one more at once: %v", sentence, problem)
				}
			}
		}
	})
}

func codeInput(p *businesstest.Person) access.PhoneCodeInput {
	return access.PhoneCodeInput{Purpose: access.ForPhone, Phone: p.Phone, Email: p.Email, EventCode: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025"}
}

func requestCode(p *businesstest.Person) error {
	_, err := p.Access.RequestCode(p.Ctx, p.Visitor, codeInput(p))
	return err
}
