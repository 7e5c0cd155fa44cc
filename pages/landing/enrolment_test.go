package landing

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/pages"
	"hiresure/store"
	"hiresure/web"
)

// Each scenario starts with a new visitor and an empty store.
func TestEnrolWithoutScripts(t *testing.T) {
	const phone, guardian = "9876543210", "9876543211"
	otpField := `data-field="otp"`
	scenarios := map[string]func(*visitor){
		"what was typed can be changed until it is paid, by nobody else": func(v *visitor) {
			v.proven(phone).press("apply-coupon", "coupon_code", "MGROW500").answers(http.StatusOK)
			v.press("pay", "company_name", "St. Xavier's College", "consents", "marketing").leadsTo("/checkout/")
			id := v.registration(phone).ID
			change, _, _ := strings.Cut(web.ChangePath("hiresure-mgrow-2025", id), "#")
			v.get(change)
			v.answers(http.StatusOK).keeps("fullname", "Asha Verma").keeps("email", phone+"@example.com").keeps("phone_number", phone).
				says("Verified", "₹500 off </span><b>MGROW500</b>", "₹</span>999", "St. Xavier's College", `<option value="Karnataka" selected>`, `value="marketing" checked`, `value="true" checked`).
				silentOn("There is a problem")
			if got := v.header.Get("Cache-Control"); got != "no-store" {
				v.t.Errorf("Cache-Control: got %q", got)
			}
			v.press("pay", "company_name", "Fergusson College").leadsTo("/checkout/")
			if r := v.registration(phone); r.ID != id || r.College != "Fergusson College" || r.CouponCode != "MGROW500" {
				v.t.Errorf("kept %+v", r)
			}
			v.get(strings.Replace(change, "mgrow-2025", "campus-2026", 1))
			v.leadsTo("/scholarship/hiresure-campus-2026#no-enrolment")
			stranger := v.visitor()
			stranger.get(change)
			stranger.leadsTo("/scholarship/hiresure-mgrow-2025#no-enrolment")
			if strings.Contains(stranger.body, "Asha") {
				v.t.Error("a stranger reads the name")
			}
		},
		"a number that has just got a code elsewhere says why it gets none here, and until when": func(v *visitor) {
			v.details(phone).press("send-code").answers(http.StatusOK)
			v.visitor().details(phone).press("send-code").answers(http.StatusTooManyRequests).
				says(`<p class="notice notice-waiting">`, `A code went to this number a moment ago. You can ask for one here in <b class="countdown">60 s</b>.`).
				silentOn(`id="e-phone_number"`, "There is a problem", "For a code now").says(`<div data-slot="call" hidden>`)
		},
		"a code that does not come has three remedies": func(v *visitor) {
			v.says(`<div data-slot="help" hidden>`).details(phone).press("send-code").answers(http.StatusOK).says(
				`6 digits.<span class="with-scripts"> We check them as soon as you type the last one.</span>`, `<div data-slot="help"><details class="more"><summary>No SMS?</summary>`,
				"It can take two minutes. Check your signal and the spam folder of your SMS app.", `Is the number right? <button class="button button-link" type="submit" name="do" value="change-number">Change number</button>`,
				`Still nothing? Call <a href="tel:+918000000101"><span class="nowrap">+91 80 0000 0101</span></a>, Monday to Saturday, 10:00 to 18:00.`)
		},
		"the form shows no field for a code before one was sent": func(v *visitor) {
			v.answers(http.StatusOK).silentOn(otpField).says("Let's Get You Enrolled", "I am 18 or older", "PROCEED TO PAY")
			v.says(`id="no-enrolment"><span class="icon icon-bang" aria-hidden="true"></span><span>There is no open payment in this browser. Enrolled already?`)
		},
		"an empty form says which steps come before the payment, and refuses nothing": func(v *visitor) {
			v.press("pay").answers(http.StatusOK).
				says(`<h2 id="to-do">4 steps before you pay</h2><ol><li><b>You</b> <a href="#f-fullname">Start with your name</a></li><li><b>Phone</b> <a href="#f-phone_number">number and code</a></li><li><b>Course</b> <a href="#f-selected_course">course and State</a></li><li><b>Consent</b> <a href="#f-adult">your age and the terms</a></li></ol>`, "4 steps first, then you pay.").
				silentOn(`class="error"`, `aria-invalid`, "There is a problem", "<title>Error", otpField, "is-faulty")
			v.press("pay", "fullname", "Asha Verma", "email", "asha@").answers(http.StatusUnprocessableEntity).
				says(`<b>You</b> <a href="#f-email" class="is-wrong">Enter a valid email address.</a></li><li><b>Phone</b>`, `id="e-email"`).
				silentOn("There is a problem", `id="e-phone_number"`, `id="e-adult"`, "is-faulty")
			v.press("pay", "email", "asha@example.com").answers(http.StatusOK).
				says("3 steps before you pay", `<b>Phone</b> <a href="#f-phone_number">Enter your number</a>`).silentOn("<b>You</b>", `class="error"`)
			if len(v.sms) != 0 {
				v.t.Error("a message was sent")
			}
			v.says(`<details class="more" data-group="more"><summary>College or referral code`)
		},
		"what is folded opens where something is typed or refused in it": func(v *visitor) {
			v.press("pay", "company_name", "x").says(`<details class="more" data-group="more" open><summary>College or referral code`)
		},
		"a number is taken however it is written, and stands there as ten digits": func(v *visitor) {
			v.details(phone).press("send-code", "phone_number", "+91 98765-43210").answers(http.StatusOK).says("Code sent to +91 98765 43210.").keeps("phone_number", phone)
			v.press("verify", "otp", v.code(phone), "phone_number", "09876543210").answers(http.StatusOK).says("Mobile number verified.")
			v.press("send-guardian-code", "adult", "false", "guardian_name", "Meera Verma", "guardian_phone", "0091 98765 43211").
				answers(http.StatusOK).says("Code sent to +91 98765 43211.").keeps("guardian_phone", guardian)
			if v.code(phone) == "" || v.code(guardian) == "" || len(v.sms) != 2 {
				v.t.Errorf("%d messages", len(v.sms))
			}
		},
		"who does not say an age is asked, and no guardian is": func(v *visitor) {
			v.proven(phone).press("pay", "adult", "").answers(http.StatusOK).
				says(`<h2 id="to-do">1 step before you pay</h2><ol><li><b>Consent</b> <a href="#f-adult">Choose your age</a></li></ol>`, "1 step first, then you pay.").silentOn(`id="e-adult"`, `id="e-guardian_name"`)
			v.press("pay", "adult", "true").leadsTo("/checkout/")
		},
		"a step that is filled in is folded, and opens again": func(v *visitor) {
			v.press("continue-you").answers(http.StatusUnprocessableEntity).refuses("fullname", "Full name is required.")
			v.press("continue-you", "fullname", "Asha Verma", "email", "asha@example.com").answers(http.StatusOK).
				says(`<b>Asha Verma</b> <span>asha<wbr>@example.com</span>`, `<div class="step is-unfolded"><fieldset class="step-fields"><legend>Your phone`, "1 of 5 steps done", "Coupon? Add it later.")
			v.press("change-you").answers(http.StatusOK).says(`<div class="step is-unfolded"><fieldset class="step-fields"><legend>Who is taking the exam?`).silentOn("There is a problem")
		},
		"the focus goes on to what is next": func(v *visitor) {
			focus := func(what string) *visitor {
				v.t.Helper()
				if got := regexp.MustCompile(`<(?:input|select|button|div)[^>]* autofocus`).FindAllString(v.body, -1); len(got) != 1 || !strings.Contains(got[0], what) {
					v.t.Fatalf("the focus is on %q, want %s", got, what)
				}
				return v.silentOn(`id="enrolment"`) // an address with an anchor prevents autofocus
			}
			v.silentOn(" autofocus")
			v.press("continue-you", "fullname", "Asha Verma", "email", "asha@example.com")
			focus(`name="phone_number"`).press("change-you")
			focus(`name="fullname"`).press("send-code", "phone_number", phone)
			focus(`name="otp"`).press("change-number")
			focus(`name="phone_number"`).press("verify", "otp", v.code(phone)).press("enter", "otp", "")
			focus("error-summary").press("continue-phone")
			focus(`name="selected_course"`).press("continue-course", "selected_course", "Data_Analytics", "state", "Karnataka")
			focus(`type="radio" id="f-adult"`).press("apply-coupon", "coupon_code", "MGROW500", "adult", "true")
			focus(`value="pay"`).press("remove-coupon")
			focus(`name="coupon_code"`).press("continue-course", "coupon_code", "", "agreed_terms_conditions", "true")
			focus(`value="pay"`)
		},
		"a course in the address is chosen, and no other": func(v *visitor) {
			v.get(v.path + "?course=Data_Analytics")
			v.answers(http.StatusOK).says(`<option value="Data_Analytics" selected>`, "<dt>Course</dt><dd>Data Analytics</dd>")
			if got := v.header.Get("Cache-Control"); got != "public, max-age=0, must-revalidate" {
				v.t.Errorf("Cache-Control: got %q", got)
			}
			v.get(v.path + "?course=Cyber_Security")
			v.answers(http.StatusOK).says("<dd class=\"is-blank\">").silentOn(" selected>Blockchain")
		},
		"nobody shares with a partner college that is not there": func(v *visitor) {
			v.silentOn(`value="partner_college"><label class="label" for="f-consents`).says("Hiring partners")
			v.path = "/scholarship/hiresure-campus-2026"
			v.get(v.path)
			v.says("My college")
		},
		"the number of a code can be changed": func(v *visitor) {
			v.details(phone).press("send-code").says(otpField, "Change number")
			v.press("change-number").answers(http.StatusOK).silentOn(otpField).says("Send code")
		},
		"what was typed comes back with the refusal": func(v *visitor) {
			v.press("pay", "fullname", `Asha "A" <b>`, "email", "asha@", "company_name", "St. Xavier’s", "consents", "marketing").
				answers(http.StatusUnprocessableEntity).keeps("fullname", `Asha "A" <b>`).keeps("email", "asha@").keeps("company_name", "St. Xavier’s").
				says(`<a href="#f-fullname" class="is-wrong">Name must be 2-50 characters and contain only letters. Please take out “"”.</a>`, `id="e-fullname"`, `id="e-email"`).
				says(`value="marketing" checked`)
		},
		"a code needs name, e-mail and phone first": func(v *visitor) {
			v.press("send-code", "phone_number", phone).answers(http.StatusUnprocessableEntity).
				refuses("fullname", "Full name is required.").refuses("email", "Email is required.").
				refuses("phone_number", "Please enter email first.").silentOn(otpField)
			if len(v.sms) != 0 {
				v.t.Error("a message was sent")
			}
		},
		"a sent code opens its field; a right one proves the phone": func(v *visitor) {
			v.details(phone).press("send-code").answers(http.StatusOK).
				says("Code sent to +91 98765 43210.", otpField, "Verify", "Resend", `in <b class="countdown">60 s</b>`).silentOn(`value="send-code"`)
			session := v.cookies["hiresure"]
			v.press("verify", "otp", v.code(phone)).answers(http.StatusOK).says("Mobile number verified.", "Verified").silentOn(otpField)
			if session != nil && v.cookies["hiresure"].Value == session.Value {
				v.t.Error("the session's token is the one from before the proof")
			}
		},
		"a wrong code is refused and stays to be seen": func(v *visitor) {
			v.details(phone).press("send-code").press("verify", "otp", "000000")
			if v.code(phone) == "000000" {
				v.press("verify", "otp", "000001")
			}
			v.answers(http.StatusUnprocessableEntity).refuses("otp", "Invalid OTP").says("Use the latest OTP sent from this page, or press Resend in 60 s.").keeps("otp", v.fields.Get("otp")).keeps("fullname", "Asha Verma")
		},
		"five wrong codes end a code": func(v *visitor) {
			v.details(phone).press("send-code")
			wrong := "000000"
			if v.code(phone) == wrong {
				wrong = "000001"
			}
			for range 4 {
				v.press("verify", "otp", wrong).answers(http.StatusUnprocessableEntity).refuses("otp", "Invalid OTP")
			}
			v.clock.Pass(20 * time.Second)
			v.press("verify", "otp", wrong).answers(http.StatusUnprocessableEntity).refuses("otp", "5 wrong tries: this OTP has ended. Please ask for a new one.").
				keeps("otp", "").says(`value="resend" data-waits="true">Resend</button><span>in <b class="countdown">40 s</b></span></p>`).silentOn(`value="verify">Verify</button>`, "We check them as soon as")
			v.press("resend").answers(http.StatusTooManyRequests).refuses("otp", "5 wrong tries: this OTP has ended. Please wait 40 seconds and try again.").
				silentOn(`value="verify">Verify</button>`, "We check them as soon as")
			v.press("verify", "otp", v.code(phone)).answers(http.StatusTooManyRequests).
				refuses("otp", "5 wrong tries: this OTP has ended. Please ask for a new one.").keeps("otp", "")
			v.clock.Pass(40 * time.Second)
			v.press("verify", "otp", "000000").says(`<button class="button button-step" type="submit" name="do" value="resend">Resend</button>`)
			v.press("resend").answers(http.StatusOK).says(`value="verify">Verify</button>`)
		},
		"the payment's button checks a typed code first": func(v *visitor) {
			v.details(phone).press("send-code").press("pay", "otp", "12345").answers(http.StatusUnprocessableEntity).refuses("otp", "Invalid OTP").keeps("otp", "12345")
			if v.registration(phone) != nil {
				v.t.Error("a registration was stored")
			}
			v.press("pay", "otp", v.code(phone)).leadsTo("/checkout/")
		},
		"the payment's button checks a guardian's typed code too": func(v *visitor) {
			v.proven(phone).press("send-guardian-code", "adult", "false", "guardian_name", "Meera Verma", "guardian_phone", guardian).answers(http.StatusOK)
			v.press("pay", "guardian_otp", "12").answers(http.StatusUnprocessableEntity).refuses("guardian_otp", "Invalid OTP")
			v.press("pay", "guardian_otp", v.code(guardian)).leadsTo("/checkout/")
		},
		"a code of blanks is no code": func(v *visitor) {
			v.details(phone).press("send-code").press("verify", "otp", " ").answers(http.StatusUnprocessableEntity).refuses("otp", "Please verify the OTP.")
		},
		"a code comes again after a minute, the same one": func(v *visitor) {
			v.details(phone).press("send-code")
			first := v.code(phone)
			v.clock.Pass(20 * time.Second)
			v.press("resend").answers(http.StatusTooManyRequests).refuses("otp", "A code went to this number a moment ago. Please wait 40 seconds and try again.").says(`in <b class="countdown">40 s</b>`)
			if v.header.Get("Retry-After") != "40" || len(v.sms) != 1 {
				v.t.Errorf("Retry-After %s after %d messages", v.header.Get("Retry-After"), len(v.sms))
			}
			v.clock.Pass(40 * time.Second)
			v.press("resend").answers(http.StatusOK).says("Code sent again to +91 98765 43210.", `in <b class="countdown">60 s</b>`)
			if len(v.sms) != 2 || v.code(phone) != first {
				v.t.Errorf("%d messages, the last with code %s, the first had %s", len(v.sms), v.code(phone), first)
			}
		},
		"to resend after another number was typed sends to that one": func(v *visitor) {
			v.details(phone).press("send-code").press("resend", "phone_number", "9876500000").answers(http.StatusOK).says("Code sent to +91 98765 00000.")
			v.press("verify", "otp", v.code("9876500000")).answers(http.StatusOK).says("Mobile number verified.")
		},
		"another number has to be proven anew": func(v *visitor) {
			v.proven(phone).press("pay", "phone_number", "9876500000").answers(http.StatusOK).
				says(`<a href="#f-phone_number">Send a code to this number.</a>`, "Send code").silentOn(`class="verified"`, otpField)
			if v.registration("9876500000") != nil || v.registration(phone) != nil {
				v.t.Error("a registration was stored")
			}
			v.press("pay", "phone_number", phone).leadsTo("/checkout/")
		},
		"a phone that is proven needs no second code": func(v *visitor) {
			v.proven(phone).press("send-code").answers(http.StatusOK).says("This phone number is already verified.", `class="verified"`)
			if len(v.sms) != 1 {
				v.t.Errorf("%d messages were sent", len(v.sms))
			}
		},
		"a number that is registered leads on": func(v *visitor) {
			v.proven(phone).press("pay").leadsTo("/checkout/")
			again := v.site.visitor().details(phone)
			again.clock.Pass(2 * time.Minute)
			again.press("send-code").answers(http.StatusOK).says("Code sent to", otpField).silentOn("already registered")
			again.press("verify", "otp", again.code(phone)).leadsTo("/pay")
			again.get(strings.Split(web.ChangePath("hiresure-mgrow-2025", v.registration(phone).ID), "#")[0])
			again.answers(http.StatusOK).keeps("fullname", "Asha Verma")
		},
		"a coupon that comes while a payment is open counts from the next one, and the price is seen before it is paid": func(v *visitor) {
			v.proven(phone).press("pay").leadsTo("/checkout/")
			v.press("apply-coupon", "coupon_code", "MGROW500").answers(http.StatusOK).says("Coupon applied: ₹500 off.")
			if v.press("pay").leadsTo("/pay"); v.registration(phone).CouponCode != "MGROW500" {
				v.t.Error("the coupon is not kept for the next payment")
			}
			v.press("remove-coupon").answers(http.StatusOK).press("pay", "coupon_code", "").leadsTo("/checkout/") // the open one has none either
			if code := v.registration(phone).CouponCode; code != "" {
				v.t.Error("the next payment has the coupon", code)
			}
		},
		"an e-mail that another phone has paid with is refused once the phone is proven, and not before": func(v *visitor) {
			v.site.pay(phone, strings.TrimPrefix(v.proven(phone).press("pay").leadsTo("/checkout/"), "/checkout/"))
			other := v.site.visitor().proven("9876500000")
			other.press("pay", "email", phone+"@example.com").answers(http.StatusConflict).
				refuses("email", "This email is already in use. Please try another.")
			if other.registration("9876500000") != nil {
				v.t.Error("a registration was kept")
			}
		},
		"a coupon is applied, stays through other buttons, and is removed": func(v *visitor) {
			v.details(phone).press("apply-coupon", "coupon_code", " mgrow500 ").answers(http.StatusOK).
				says("Coupon applied: ₹500 off.", `value="MGROW500"`, "You pay ₹999.", "₹</span>999", "₹1,499</s>", "₹500 off </span><b>MGROW500</b>")
			v.press("send-code", "coupon_code", "MGROW500").answers(http.StatusOK).says("Code sent to", "₹</span>999", "₹500 off </span><b>MGROW500</b>")
			v.press("remove-coupon").answers(http.StatusOK).says("Coupon removed. You pay ₹1,499.", "₹</span>1,499").silentOn("enrol-price-coupon", "enrol-price-struck")
		},
		"a coupon that is unknown is refused": func(v *visitor) {
			v.press("apply-coupon", "coupon_code", "NOSUCH").answers(http.StatusUnprocessableEntity).
				refuses("coupon_code", "Invalid coupon code. Please check and try again.").says("₹</span>1,499", "Go on without a code, ₹1,499", "PROCEED TO PAY").silentOn("enrol-price-coupon")
			v.press("remove-coupon", "coupon_code", "NOSUCH").says("No coupon. You pay ₹1,499.").silentOn("NOSUCH", "Go on without a code")
		},
		"a coupon must be applied before paying": func(v *visitor) {
			v.proven(phone).press("pay", "coupon_code", "MGROW500").answers(http.StatusUnprocessableEntity).refuses("coupon_code", "Please verify first")
			if v.registration(phone) != nil {
				v.t.Error("a registration was stored")
			}
		},
		"a hidden field that says applied makes no coupon good": func(v *visitor) {
			v.proven(phone).press("pay", "coupon_code", "NOSUCH", "coupon_applied", "NOSUCH").answers(http.StatusUnprocessableEntity).
				refuses("coupon_code", "Invalid coupon code. Please check and try again.").silentOn("enrol-price-coupon")
			if v.registration(phone) != nil {
				v.t.Error("a registration was stored")
			}
		},
		"a coupon that runs out between apply and pay leaves the full price, and starts nothing": func(v *visitor) {
			v.proven(phone).press("apply-coupon", "coupon_code", "LASTSEAT").answers(http.StatusOK).says("₹</span>999")
			rival := v.site.visitor().proven("9876500000")
			rival.press("apply-coupon", "coupon_code", "LASTSEAT").press("pay", "coupon_code", "LASTSEAT").leadsTo("/checkout/")
			v.press("pay", "coupon_code", "LASTSEAT").answers(http.StatusConflict).
				refuses("coupon_code", "This coupon has just been used up.").says("₹</span>1,499", `class="verified"`).silentOn("enrol-price-coupon", "enrol-price-struck")
			if v.registration(phone) != nil {
				v.t.Error("a registration was stored")
			}
			v.press("pay", "coupon_code", "").leadsTo("/checkout/")
		},
		"a referral code that is unknown is refused": func(v *visitor) {
			v.proven(phone).press("pay", "referral_code", "NOBODY").answers(http.StatusUnprocessableEntity).
				refuses("referral_code", "Invalid referral code. Please check and try again.")
		},
		"payment starts and leads to its checkout": func(v *visitor) {
			txn := strings.TrimPrefix(v.proven(phone).press("pay", "company_name", "St. Xavier’s College").leadsTo("/checkout/"), "/checkout/")
			v.view(func(tx store.Tx) error {
				t, err := tx.Transaction(txn)
				if err == nil && (t == nil || t.Charge != admission.INR(149900)) {
					v.t.Errorf("transaction is %+v", t)
				}
				return err
			})
			if r := v.registration(phone); r == nil || r.College != "St. Xavier's College" || r.StateCode != "29" || !r.Adult {
				v.t.Errorf("registration is %+v", r)
			}
			again := strings.TrimPrefix(v.press("pay").leadsTo("/checkout/"), "/checkout/")
			if again != txn {
				v.t.Errorf("a second press started %s beside %s", again, txn)
			}
		},
		"what costs nothing is settled at once, and not paid twice": func(v *visitor) {
			v.proven(phone).press("apply-coupon", "coupon_code", "FULLSEAT").says("₹</span>0").press("pay", "coupon_code", "FULLSEAT").leadsTo("/success?kspay_id=")
			v.press("pay", "coupon_code", "").answers(http.StatusConflict).says("You have already paid for this programme. Your receipt is in your e-mail.")
		},
		"a guardian reads what they agree to, and tells the student the code": func(v *visitor) {
			facts := []string{
				"<b>Read this with your parent or guardian</b>", "<dt>Exam</dt><dd><b>HireSure mGrow Scholarship</b> <span>Sunday, 14 March 2027, online</span></dd>",
				"<dt>Fee</dt><dd><b>₹1,499, once, all taxes included</b> <span>Full refund until 7 Mar 2027. After that, one free move to the next exam.",
				"<b>No more to pay unless the student joins</b> <span>Up to rank 250 tuition is free. From rank 251 the tuition is ₹4,50,000. You decide after the result.</span>",
				"<b>Nobody under 18 is recorded</b>", `No advertising, nothing shared. <a href="/legal/privacy"`,
			}
			v.answers(http.StatusOK).says(facts...).says("They get one SMS with a code.").silentOn("The student ticks this:", "A parent or guardian must agree")
			v.proven(phone).press("send-guardian-code", "guardian_name", " Meera Verma", "guardian_phone", guardian).answers(http.StatusOK).
				says(facts...).says("The student ticks this:", "Code sent to Meera Verma, <b>+91 98765 43211</b>").silentOn("Code sent to <b>", "They get one SMS")
			want := "Asha asks you to agree to the HireSure exam, 14 Mar 2027, Rs 1499. If yes, tell only your child " + v.code(guardian) + ". Valid 10 minutes. We never call for it."
			if sent := v.text(guardian); sent != want {
				v.t.Errorf("the guardian got %q", sent)
			}
		},
		"a guardian who shares the student's phone agrees on it, with a code of their own": func(v *visitor) {
			v.proven(phone).press("send-guardian-code", "adult", "false", "guardian_name", "Meera Verma", "guardian_phone", phone).answers(http.StatusUnprocessableEntity).
				refuses("guardian_shares_phone", "Please tell us whether you share this phone.").silentOn("Now hand the phone", `data-field="guardian_relation">`)
			if strings.Index(v.body, `value="send-guardian-code"`) < strings.Index(v.body, "Do you share this phone?") {
				v.t.Error("the code is offered before the question is asked")
			}
			v.press("send-guardian-code", "guardian_shares_phone", "false").answers(http.StatusUnprocessableEntity).
				refuses("guardian_phone", "Guardian’s phone number must be different from yours.")
			v.press("send-guardian-code", "guardian_shares_phone", "true").answers(http.StatusUnprocessableEntity).
				refuses("guardian_relation", "Please choose the relation to the student.").refuses("guardian_birth_year", "Please enter your year of birth.").
				says("<b>A parent or guardian must agree</b>", "Now hand the phone to your parent or guardian.", "We may call this number later. We never ask for a code or for money.").
				silentOn("Read this with your parent")
			if len(v.sms) != 1 {
				v.t.Errorf("SMS were sent before the answers: %v", v.sms)
			}
			v.press("send-guardian-code", "guardian_relation", "Mother", "guardian_birth_year", "2010").answers(http.StatusUnprocessableEntity).
				refuses("guardian_birth_year", "A parent or guardian must be 18 or older.")
			v.press("send-guardian-code", "guardian_birth_year", "1981").answers(http.StatusOK).
				says("Code sent to Meera Verma, <b>+91 98765 43210</b>", "<b>Read this with your parent or guardian</b>").silentOn("Now hand the phone", "We may call this number")
			v.press("verify-guardian", "guardian_otp", v.code(phone)).answers(http.StatusOK).says("Guardian’s mobile number verified.", "<b>Meera Verma agreed</b> <span>+91 98765 43210")
			v.press("send-code", "guardian_birth_year", "2015").silentOn("Meera Verma agreed</b>")
			v.press("send-code", "guardian_birth_year", "1981").says("Meera Verma agreed</b>")
			v.press("pay").leadsTo("/checkout/")
			if r := v.registration(phone); r == nil || r.GuardianPhone != "+91"+phone || !r.SharedPhone || r.Answers["guardian_relation"] != "Mother" {
				v.t.Errorf("registration is %+v", r)
			}
		},
		"a guardian reads what it costs with a coupon": func(v *visitor) {
			v.proven(phone).press("apply-coupon", "coupon_code", "MGROW500").says("<b>₹999, once, all taxes included</b>").silentOn("<b>₹1,499, once").
				press("apply-coupon", "coupon_code", "FULLSEAT").says("<b>No more to pay unless the student joins</b>").silentOn("<b>₹0, once")
		},
		"what paying means is told when it is next": func(v *visitor) {
			const refund = `<p class="enrol-price-note">To <b>Aksharam Skill Academy Private Limited</b>. Full refund until 7 Mar 2027. After that, one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join. <a href="/legal/refund-policy"`
			const tuition = `<p class="enrol-price-note">From rank 251 the tuition is ₹4,50,000. You decide after the result.</p>`
			v.answers(http.StatusOK).silentOn(refund, tuition, "Nothing is charged until")
			v.proven(phone).press("apply-coupon", "coupon_code", "MGROW500").says(refund, tuition, "Nothing is charged until you confirm on the next page. Your ticket and receipt come by e-mail.")
			v.press("apply-coupon", "coupon_code", "FULLSEAT").answers(http.StatusOK).
				says(tuition, "Your coupon covers the whole fee. You are enrolled as soon as you press the button.").silentOn(refund, "Nothing is charged until")
			v.clock.Pass(107 * 24 * time.Hour)
			v.visitor().proven(guardian).says("The full refund ended on 7 Mar 2027. Now you have one free move to the next exam.").silentOn(refund)
		},
		"somebody under 18 is not asked for news and sharing": func(v *visitor) {
			const choices = `<summary>News, sharing and reminders: only what you tick`
			const none = "Agreed to the terms, the refund policy and the legal disclosure. No news, nothing shared"
			v.proven(phone).press("pay", "adult", "").says(`<details class="more" data-group="choices">` + choices)
			v.press("pay", "adult", "false", "consents", "marketing").says(`<details class="more" data-group="choices" open hidden>` + choices)
			v.press("continue-course", "adult", "true").answers(http.StatusOK).silentOn(none)
			v.press("send-guardian-code", "adult", "false", "guardian_name", "Meera Verma", "guardian_phone", guardian)
			v.press("verify-guardian", "guardian_otp", v.code(guardian)).answers(http.StatusOK).says(none)
		},
		"somebody under 18 needs a guardian's code": func(v *visitor) {
			v.proven(phone).press("pay", "adult", "false").answers(http.StatusOK).says(`<b>Consent</b> <a href="#f-guardian_name">Ask your parent or guardian</a>`)
			v.press("send-guardian-code", "guardian_name", "Meera Verma", "guardian_phone", guardian[1:]).answers(http.StatusUnprocessableEntity).
				refuses("guardian_phone", "Indian phone number must start with 6-9 and be exactly 10 digits.")
			v.press("pay", "guardian_phone", guardian).answers(http.StatusOK).says(`<a href="#f-guardian_phone">Send a code to this number.</a>`)
			v.press("send-guardian-code").answers(http.StatusOK).says("Code sent to +91 98765 43211.", `data-field="guardian_otp"`)
			v.press("verify-guardian", "guardian_otp", "12").answers(http.StatusUnprocessableEntity).refuses("guardian_otp", "Invalid OTP").silentOn("Use the code that you asked for")
			v.press("resend-guardian").answers(http.StatusTooManyRequests).refuses("guardian_otp", "A code went to this number a moment ago. Please wait 60 seconds and try again.")
			v.clock.Pass(time.Minute)
			v.press("resend-guardian").answers(http.StatusOK).says("Code sent again to +91 98765 43211.")
			v.press("verify-guardian", "guardian_otp", v.code(guardian)).answers(http.StatusOK).says("Guardian’s mobile number verified.", `<p class="enrol-price-note">To`, `<p class="enrol-price-note">From rank 251 the tuition is ₹4,50,000.`)
			v.says("<b>Meera Verma agreed</b> <span>+91 98765 43211", `<div class="fields" hidden><div class="field" data-field="guardian_name">`).silentOn("Read this with your parent or guardian")
			v.press("change-guardian").answers(http.StatusOK).says("Read this with your parent or guardian", `id="v-guardian_phone">Verified`).silentOn("Meera Verma agreed</b>", `<div class="fields" hidden>`)
			v.press("pay").leadsTo("/checkout/")
			if r := v.registration(phone); r == nil || r.GuardianPhone != "+91"+guardian || r.Adult {
				v.t.Errorf("registration is %+v", r)
			}
		},
		"Enter sends the code, then checks it, then applies the coupon, then pays": func(v *visitor) {
			v.details(phone).press("enter").answers(http.StatusOK).says("Code sent to +91 98765 43210.")
			v.press("enter", "otp", v.code(phone), "coupon_code", "MGROW500").answers(http.StatusOK).says("Mobile number verified.")
			v.press("enter", "otp", "").answers(http.StatusOK).says("Coupon applied: ₹500 off.")
			v.press("enter").leadsTo("/checkout/")
		},
		"Enter in the name's field goes to the e-mail's": func(v *visitor) {
			v.press("enter", "fullname", "Asha Verma").answers(http.StatusOK).silentOn(`class="error"`, "There is a problem")
			if !regexp.MustCompile(`name="email"[^>]* autofocus`).MatchString(v.body) {
				v.t.Error("the e-mail has not the focus")
			}
		},
		"Enter in an empty form says what is missing": func(v *visitor) {
			v.press("enter").answers(http.StatusUnprocessableEntity).refuses("fullname", "Full name is required.")
		},
		"Enter goes on to what was not seen yet, as Continue does": func(v *visitor) {
			v.press("enter", "fullname", "A1", "email", "asha@example.com").answers(http.StatusUnprocessableEntity).
				refuses("fullname", "Name must be 2-50 characters and contain only letters. Please take out “1”.").silentOn("Phone number is required.", "Please check terms and conditions")
			v.press("enter", "fullname", "Asha Verma").answers(http.StatusOK).says(`<div class="step is-unfolded"><fieldset class="step-fields"><legend>Your phone`).silentOn("There is a problem")
		},
		"a button that nobody made is refused": func(v *visitor) {
			v.press("delete-everything").answers(http.StatusBadRequest).says("This button is unknown. Please go back, reload the page and try again.")
		},
		"the human check comes first, and brings all that was typed back": func(v *visitor) {
			v.human = true
			v.details(phone).press("send-code").answers(http.StatusOK).says(`value="Asha Verma"`, `value="send-code"`, "ticket").silentOn(otpField)
			if len(v.sms) != 0 {
				v.t.Error("a code was sent before the check")
			}
			v.press("send-code", pages.CaptchaName, "young ticket").answers(http.StatusTooManyRequests).
				says("That was a little too fast. Please wait three seconds and press again.", `value="Asha Verma"`, `value="send-code"`, "I am a person, continue").
				silentOn("There is a problem", "Something went wrong.", "young ticket")
			v.press("send-code", pages.CaptchaName, "forged").answers(http.StatusUnprocessableEntity).says("Something went wrong.")
			v.press("send-code", pages.CaptchaName, "ticket").answers(http.StatusOK).says("Code sent to +91 98765 43210.")
		},
		"a filled honeypot is a script's": func(v *visitor) {
			v.human = true
			v.details(phone).press("send-code", pages.CaptchaName, "ticket", pages.Honeypot, "http://spam.example")
			if len(v.sms) != 0 {
				v.t.Error("a code was sent")
			}
		},
		"a closed event takes nobody, and says why": func(v *visitor) {
			v.clock.Set(time.Date(2027, time.March, 11, 0, 0, 0, 0, admission.IST))
			v.details(phone).press("send-code").answers(http.StatusConflict).says("Enrolment is closed", "Ask a question").silentOn("PROCEED TO PAY")
			if len(v.sms) != 0 {
				v.t.Error("a code was sent")
			}
		},
		"an unknown event leads to the current one": func(v *visitor) {
			v.path = "/scholarship/nothing"
			v.press("pay").answers(http.StatusFound)
		},
		"the form posts to the page that it stands on": func(v *visitor) {
			v.path = "/apply/hiresure-mgrow-2025"
			v.get(v.path)
			v.says(`action="/apply/hiresure-mgrow-2025#enrolment"`).press("pay").answers(http.StatusOK).says(`action="/apply/hiresure-mgrow-2025#enrolment"`)
		},
	}
	play(t, scenarios)
}

func TestWaitText(t *testing.T) {
	for seconds, want := range map[int]string{59: "59 s", 120: "120 s", 121: "3 minutes", 7200: "120 minutes", 7201: "3 hours"} {
		if got := waitText(seconds); got != want {
			t.Errorf("%d: %q, want %q", seconds, got, want)
		}
	}
}
