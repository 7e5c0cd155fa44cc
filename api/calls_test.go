package api_test

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/api"
)

// scenario is a call with its response and what it wrote.
type scenario struct {
	title   string
	set     setting
	before  func(b *browser) *browser
	method  string // "" for POST
	path    string
	body    object
	raw     string // instead of body
	status  int
	message string
	errors  map[string]string
	fields  map[string]string // "a.b" → text
	written map[string]int
}

func enquiry(changes object) object {
	body := object{"fullname": "Asha Rao", "email": email, "phone": phone, "countryCode": "in", "dialLog": "+91", "enquiryType": "KS_SCHOLARSHIP"}
	maps.Copy(body, changes)
	return body
}

const (
	enquiryPath  = "/ks-website/create-enquiry"
	askPath      = "/scholarship/v1/user-verification-request"
	verifyPath   = "/scholarship/v1/user-request-verify"
	resendPath   = "/ks-website/v1/resend-otp-for-scholarship-request"
	enrolPath    = "/scholarship/v1/create-scholarship-request"
	reopenPath   = "/ks-website/v1/update-scholarship-request"
	phonePath    = "/ks-website/v1/check-scholarship-registered-phone"
	existsPath   = "/user/check-existence"
	couponPath   = "/scholarship/v1/apply-coupon"
	referralPath = "/v1/users/referralCode/"
	eventPath    = "/scholarship/v1/fetch-scholarship-event-data"
	startPath    = "/payments/v1/initiate-payment"
	outcomePath  = "/payments/v1/verify-payment"
	leadPath     = "/ks-website/v1/abandoned-enrolment"
)

func proven(b *browser) *browser { return b.proves(phone, email) }

func ownPhone(b *browser) *browser {
	b = proven(b)
	b.enrols(nil)
	return b
}

func knownPhone(b *browser) *browser {
	proven(b.site.browser()).enrols(nil)
	return b
}

var scenarios = []scenario{
	// enquiry
	{title: "an enquiry is kept and acknowledged", path: enquiryPath, body: enquiry(object{"consents": []string{"marketing", "partner_college"}}), status: 200,
		message: "Request successfully submitted.", written: map[string]int{"enquiry": 1, "message": 1, "consent to marketing": 1, "consent to partner_college": 1}},
	{title: "an enquiry with a human check opens a session", set: guarded, path: enquiryPath, body: enquiry(object{"captcha_token": "good"}), status: 200,
		message: "Request successfully submitted.", written: map[string]int{"enquiry": 1, "message": 1, "session": 1}},
	{title: "every wrong field of an enquiry is named", path: enquiryPath, body: object{"fullname": "A1", "email": "x", "phone": "12345"}, status: 422,
		message: "Full Name must be 3-50 characters long and contain only letters and spaces! Please take out “1”.", errors: map[string]string{
			"fullname": "Full Name must be 3-50 characters long and contain only letters and spaces! Please take out “1”.", "email": "Invalid email format!",
			"phone": "Indian phone number must start with 6-9 and be exactly 10 digits."}},
	{title: "an enquiry with a consent that does not exist is refused", path: enquiryPath, body: enquiry(object{"consents": []string{"marketing", "everything"}}), status: 422,
		message: "Please choose from the list.", errors: map[string]string{"consents": "Please choose from the list."}},
	{title: "an enquiry of another type is refused", path: enquiryPath, body: enquiry(object{"enquiryType": "OTHER"}), status: 422, message: "This must be KS_SCHOLARSHIP.",
		errors: map[string]string{"enquiryType": "This must be KS_SCHOLARSHIP."}},
	{title: "an enquiry without a human check is refused", set: guarded, path: enquiryPath, body: enquiry(nil), status: 422, message: "Execute reCAPTCHA is not ready yet.",
		errors: map[string]string{"captcha_token": "Execute reCAPTCHA is not ready yet."}},
	{title: "a bad human check is refused", set: guarded, path: enquiryPath, body: enquiry(object{"captcha_token": "bad"}), status: 422, message: "Something went wrong.",
		errors: map[string]string{"captcha_token": "Something went wrong."}},
	{title: "a human check that does not answer is 503", set: guarded, path: enquiryPath, body: enquiry(object{"captcha_token": "down"}), status: 503, message: "Something went wrong.",
		errors: map[string]string{"captcha_token": "Something went wrong."}},

	// codes
	{title: "a code is sent", path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}, status: 200,
		message: "We sent a code to your mobile number.", fields: map[string]string{"resend_after": "60", "expires_in": "600"}, written: map[string]int{"session": 1, "message": 1}},
	{title: "a code asks for an e-mail first", path: askPath, body: object{"phone_number": phone, "scholarship_code": "KS_Mgrow"}, status: 422, message: "Email is required.",
		errors: map[string]string{"email": "Email is required.", "phone_number": "Please enter email first."}},
	{title: "a code without a human check opens no session", set: guarded, path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"},
		status: 422, message: "Execute reCAPTCHA is not ready yet.", errors: map[string]string{"captcha_token": "Execute reCAPTCHA is not ready yet."}},
	{title: "a code is for Indian numbers", path: askPath, body: object{"email": email, "phone_number": phone, "country_code": "+1", "scholarship_code": "KS_Mgrow"}, status: 422,
		message: "This must be +91.", errors: map[string]string{"country_code": "This must be +91."}},
	{title: "a code of no programme", path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": ""}, status: 422,
		message: "Programme is required.", errors: map[string]string{"scholarship_code": "Programme is required."}},
	{title: "a free phone of no programme", path: phonePath, body: object{"email": email, "phone_number": phone}, status: 422,
		message: "Programme is required.", errors: map[string]string{"scholarship_code": "Programme is required."}},
	{title: "a code of an unknown programme", path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_None"}, status: 404,
		message: "Programme not found."},
	{title: "a code of a closed programme", path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Closed"}, status: 409,
		message: "Enrolment for this programme is closed."},
	{title: "a code for an unknown purpose", path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "purpose": "admin"}, status: 422,
		message: "Unknown purpose.", errors: map[string]string{"purpose": "Unknown purpose."}},
	{title: "a guardian's phone needs the purpose", path: askPath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "guardian_phone": "9123456780"},
		status: 422, message: "This field goes with the purpose guardian.", errors: map[string]string{"guardian_phone": "This field goes with the purpose guardian."}},
	{title: "a guardian has another phone", path: askPath, body: object{"purpose": "guardian", "email": email, "phone_number": phone, "guardian_phone": phone, "scholarship_code": "KS_Mgrow"},
		status: 422, message: "Guardian’s phone number must be different from yours.",
		errors: map[string]string{"guardian_phone": "Guardian’s phone number must be different from yours."}},
	{title: "a code tells nobody whether an e-mail is in use", before: knownPhone, path: askPath,
		body: object{"email": email, "phone_number": "9876543211", "scholarship_code": "KS_Mgrow"}, status: 200, message: "We sent a code to your mobile number.",
		written: map[string]int{"session": 1, "message": 1}},
	{title: "a code without a session is wrong", path: verifyPath, body: object{"phone_number": phone, "email": email, "phone_otp": "123456", "scholarship_code": "KS_Mgrow"}, status: 422,
		message: "Invalid OTP", errors: map[string]string{"phone_otp": "Invalid OTP"}},
	{title: "an empty code is asked for", before: proven, path: verifyPath, body: object{"phone_number": phone, "email": email, "scholarship_code": "KS_Mgrow"}, status: 422,
		message: "Please verify the OTP.", errors: map[string]string{"phone_otp": "Please verify the OTP."}},
	{title: "a resend names what it is about", path: resendPath, body: object{}, status: 422, message: "Send either request_id or scholarship_requested_id.",
		errors: map[string]string{"request_id": "Send either request_id or scholarship_requested_id."}},
	{title: "a resend of an unknown request", path: resendPath, body: object{"request_id": "none"}, status: 404, message: "Request not found."},
	{title: "a resend of an unknown registration", path: resendPath, body: object{"scholarship_requested_id": "none"}, status: 404, message: "Registration not found."},
	{title: "a reopening without a code", path: reopenPath, body: object{"scholarship_requested_id": "none"}, status: 422, message: "Please verify the OTP.",
		errors: map[string]string{"phone_otp": "Please verify the OTP."}},

	// enrolment
	{title: "an enrolment of an unproven phone", path: enrolPath, body: enrolment(nil), status: 422, message: "Please verify the OTP.",
		errors: map[string]string{"phone_otp": "Please verify the OTP."}},
	{title: "an enrolment is kept", before: proven, path: enrolPath, body: enrolment(object{"company_name": "R.V. College (Bengaluru)", "request_id": "any"}), status: 200,
		message: "Your details are saved.", written: map[string]int{"registration": 1, "consent to terms:2026-11-01": 1}},
	{title: "an enrolment without terms", before: proven, path: enrolPath, body: enrolment(object{"agreed_terms_conditions": false}), status: 422,
		message: "Please check terms and conditions", errors: map[string]string{"agreed_terms_conditions": "Please check terms and conditions"}},
	{title: "an enrolment with a consent that does not exist", before: proven, path: enrolPath, body: enrolment(object{"consents": []string{"sale"}}), status: 422,
		message: "Please choose from the list.", errors: map[string]string{"consents": "Please choose from the list."}},
	{title: "an enrolment with an unknown coupon", before: proven, path: enrolPath, body: enrolment(object{"coupon_code": "NOSUCH"}), status: 422,
		message: "Invalid coupon code. Please check and try again.", errors: map[string]string{"coupon_code": "Invalid coupon code. Please check and try again."}},
	{title: "an enrolment with an unknown referral", before: proven, path: enrolPath, body: enrolment(object{"referral_code": "NOBODY"}), status: 422,
		message: "Invalid referral code. Please check and try again.", errors: map[string]string{"referral_code": "Invalid referral code. Please check and try again."}},
	{title: "an enrolment in a closed programme", before: proven, path: enrolPath, body: enrolment(object{"scholarship_code": "KS_Closed", "scholarship_subevent_code": nil}), status: 409,
		message: "Enrolment for this programme is closed."},
	{title: "an enrolment in another subevent", before: proven, path: enrolPath, body: enrolment(object{"scholarship_subevent_code": "KS_Campus_2026"}), status: 404, message: "Programme not found."},
	{title: "a free phone may enrol", path: phonePath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}, status: 200, message: "You can continue with this mobile number."},
	{title: "a known phone is told to whoever has proven it", before: ownPhone, path: phonePath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}, status: 409,
		message: "This phone number is already registered.", errors: map[string]string{"phone_number": "This phone number is already registered."}},
	{title: "a known phone is not told to others", before: knownPhone, path: phonePath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}, status: 200,
		message: "You can continue with this mobile number."},
	{title: "a phone is free for another programme", before: knownPhone, path: phonePath, body: object{"email": email, "phone_number": phone, "scholarship_code": "KS_Campus"}, status: 200,
		message: "You can continue with this mobile number."},
	{title: "a known phone exists for whoever has proven it", before: ownPhone, path: existsPath, body: object{"identifiers": object{"mobile_number": phone}}, status: 200,
		message: "This mobile number is known.", fields: map[string]string{"is_user_exists": "true"}},
	{title: "a known phone exists for nobody else", before: knownPhone, path: existsPath, body: object{"identifiers": object{"mobile_number": phone}}, status: 200,
		message: "You can continue with this mobile number.", fields: map[string]string{"is_user_exists": "false"}},
	{title: "an unknown phone does not exist", path: existsPath, body: object{"identifiers": object{"mobile_number": phone}}, status: 200, message: "You can continue with this mobile number.",
		fields: map[string]string{"is_user_exists": "false"}},
	{title: "a number that is none", path: existsPath, body: object{"identifiers": object{"mobile_number": "12"}}, status: 422,
		message: "Indian phone number must start with 6-9 and be exactly 10 digits.", errors: map[string]string{"mobile_number": "Indian phone number must start with 6-9 and be exactly 10 digits."}},
	{title: "a service asks with its secret", set: guarded, before: func(b *browser) *browser { return b.with("X-Client-Secret", "service-secret") }, path: existsPath,
		body: object{"identifiers": object{"mobile_number": "+91" + phone}}, status: 200, message: "You can continue with this mobile number."},
	{title: "a service with a wrong secret", before: func(b *browser) *browser { return b.with("X-Client-Secret", "guess") }, path: existsPath,
		body: object{"identifiers": object{"mobile_number": phone}}, status: 401, message: "The client secret is wrong."},

	// events, coupons, referrals
	{title: "an event is read", method: http.MethodGet, path: eventPath + "?slug=hiresure-mgrow-2025", status: 200, message: "Programme found.", fields: map[string]string{
		"scholarshipInfo.scholarshipData.scholarship_title": "HireSure mGrow Scholarship", "scholarshipInfo.scholarshipData.select_course": "Blockchain,Artificial_Intelligence",
		"scholarshipInfo.scholarshipData.final_amount": "1499", "scholarshipInfo.scholarshipData.amount_before_discount": "1499",
		"scholarshipInfo.scholarshipData.scholarship_code": "KS_Mgrow", "scholarshipInfo.scholarshipData.scholarship_subevent_code": "KS_Mgrow_2025",
		"scholarshipInfo.scholarshipData.coupon_code": "MGROW500", "scholarshipInfo.scholarshipData.company_logo": "/logos/meruvia.svg"}},
	{title: "an event whose coupon has expired names none", before: func(b *browser) *browser { b.clock.Pass(365 * 24 * time.Hour); return b },
		method: http.MethodGet, path: eventPath + "?slug=hiresure-mgrow-2025", status: 200, message: "Programme found.",
		fields: map[string]string{"scholarshipInfo.scholarshipData.coupon_code": ""}},
	{title: "rupees have at most two decimals", method: http.MethodGet, path: eventPath + "?slug=hiresure-campus-2026", status: 200, message: "Programme found.",
		fields: map[string]string{"scholarshipInfo.scholarshipData.final_amount": "1499.5"}},
	{title: "an unknown slug", method: http.MethodGet, path: eventPath + "?slug=none", status: 404, message: "Programme not found."},
	{title: "a slug that stands twice", method: http.MethodGet, path: eventPath + "?slug=hiresure-mgrow-2025&slug=closed", status: 400, message: "Send one slug."},
	{title: "no slug", method: http.MethodGet, path: eventPath, status: 400, message: "Send one slug."},
	{title: "a coupon lowers the price", path: couponPath, body: object{"coupon_code": "mgrow500", "amount": 1499, "scholarship_code": "KS_Mgrow"}, status: 200, message: "Coupon applied.",
		fields: map[string]string{"data.final_amount": "999"}},
	{title: "a percentage is exact to the paisa", path: couponPath, body: object{"coupon_code": "TENPART"}, status: 200, message: "Coupon applied.", fields: map[string]string{"data.final_amount": "1349.1"}},
	{title: "another amount than ours changes nothing", path: couponPath, body: object{"coupon_code": "MGROW500", "amount": 1, "scholarship_code": "KS_Mgrow"}, status: 200,
		message: "Coupon applied to our fee of ₹1,499.", fields: map[string]string{"data.final_amount": "999"}},
	{title: "an unknown coupon", path: couponPath, body: object{"coupon_code": "NOSUCH", "scholarship_code": "KS_Mgrow"}, status: 422,
		message: "Invalid coupon code. Please check and try again.", errors: map[string]string{"coupon_code": "Invalid coupon code. Please check and try again."}},
	{title: "a coupon of another programme", path: couponPath, body: object{"coupon_code": "MGROW500", "scholarship_code": "KS_Campus"}, status: 422,
		message: "Invalid coupon code. Please check and try again.", errors: map[string]string{"coupon_code": "Invalid coupon code. Please check and try again."}},
	{title: "an amount below zero", path: couponPath, body: object{"coupon_code": "MGROW500", "amount": -1}, status: 422,
		message: "This must be an amount in rupees, a number with at most two decimals.", errors: map[string]string{"amount": "This must be an amount in rupees, a number with at most two decimals."}},
	{title: "a referral code that is good", method: http.MethodGet, path: referralPath + "SETU2025", status: 200, message: "Referral code applied."},
	{title: "a referral code in small letters", method: http.MethodGet, path: referralPath + "setu2025", status: 200, message: "Referral code applied."},
	{title: "a referral code that nobody gave", method: http.MethodGet, path: referralPath + "NOBODY", status: 422, message: "Invalid referral code. Please check and try again.",
		errors: map[string]string{"referral_code": "Invalid referral code. Please check and try again."}},
	{title: "a referral code with a slash inside", method: http.MethodGet, path: referralPath + "A%2FB", status: 422, message: "Invalid referral code. Please check and try again.",
		errors: map[string]string{"referral_code": "Invalid referral code. Please check and try again."}},
	{title: "a referral look-up needs a human", set: guarded, method: http.MethodGet, path: referralPath + "SETU2025", status: 422, message: "Execute reCAPTCHA is not ready yet.",
		errors: map[string]string{"captcha_token": "Execute reCAPTCHA is not ready yet."}},
	{title: "a referral look-up brings its human check in a header", set: guarded, before: func(b *browser) *browser { return b.with("X-Captcha-Token", "good") },
		method: http.MethodGet, path: referralPath + "SETU2025", status: 200, message: "Referral code applied.", written: map[string]int{"session": 1}},

	// payments
	{title: "a payment for an unknown registration", path: startPath, body: object{"scholarship_requested_id": "none", "redirection_url": "/success"}, status: 404, message: "Registration not found."},
	{title: "the outcome of an unknown payment", path: outcomePath, body: object{"payment_transaction_id": "none"}, status: 404, message: "Payment not found."},
	{title: "no payment at all", path: outcomePath, body: object{}, status: 404, message: "Payment not found."},
	{title: "a gateway asks whether its webhooks are taken", method: http.MethodGet, path: "/payments/webhook/sandbox", status: 200, message: "This address takes webhooks, by POST."},
	{title: "an unknown gateway asks", method: http.MethodGet, path: "/payments/webhook/none", status: 404, message: "Gateway not found."},
	{title: "a webhook of an unknown gateway", path: "/payments/webhook/none", raw: "{}", status: 404, message: "Gateway not found."},
	{title: "a webhook without a signature", path: "/payments/webhook/sandbox", raw: "{}", status: 400, message: "The signature does not fit the body."},
	{title: "a webhook that is too large", path: "/payments/webhook/sandbox", raw: strings.Repeat("x", 256<<10+1), status: 413, message: "This request is too large."},

	// reminders
	{title: "a lead is kept with consent", set: withLeads, path: leadPath, status: 204, written: map[string]int{"lead": 1, "consent to reminders": 1},
		body: object{"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"reminders"}}},
	{title: "a lead comes as text from sendBeacon", before: func(b *browser) *browser { return b.with("Content-Type", "text/plain;charset=UTF-8") }, path: leadPath, status: 204,
		body:    object{"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"reminders"}},
		written: map[string]int{"lead": 1, "consent to reminders": 1}},
	{title: "a lead with a consent that does not exist is not kept", path: leadPath, status: 422, message: "Please choose from the list.",
		errors: map[string]string{"consents": "Please choose from the list."},
		body:   object{"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"reminders", "sale"}}},
	{title: "a lead without consent is not kept", path: leadPath, status: 422, message: "Nothing is kept without your consent.", errors: map[string]string{"consents": "Nothing is kept without your consent."},
		body: object{"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"marketing"}}},

	// what surrounds all calls
	{title: "work for a human check", set: func(_ *business.Config, n *api.Config) {
		n.Challenge = func(admission.Visitor) any {
			return struct {
				Provider   string `json:"provider"`
				Salt       string `json:"salt"`
				Difficulty int    `json:"difficulty"`
				Expires    int64  `json:"expires"`
				Signature  string `json:"signature"`
			}{"pow", "abc", 16, 1763680000, "def"}
		}
	}, method: http.MethodGet, path: "/human/challenge", status: 200, message: "Work on this.", fields: map[string]string{"provider": "pow", "salt": "abc", "difficulty": "16", "signature": "def"}},
	{title: "another company's human check", set: func(_ *business.Config, n *api.Config) {
		n.Challenge = func(admission.Visitor) any { return map[string]string{"provider": "turnstile", "siteKey": "0x4AAA"} }
	}, method: http.MethodGet, path: "/human/challenge", status: 200, message: "Work on this.", fields: map[string]string{"provider": "turnstile", "siteKey": "0x4AAA"}},
	{title: "no work where there is no check", method: http.MethodGet, path: "/human/challenge", status: 200, message: "There is no check.", fields: map[string]string{"provider": "none"}},
	{title: "an unknown call", path: "/scholarship/v1/none", body: object{}, status: 404, message: "Not found."},
	{title: "an unknown call of another area", method: http.MethodGet, path: "/login/password", status: 404, message: "Not found."},
	{title: "the bare prefix", method: http.MethodGet, path: "/payments", status: 404, message: "Not found."},
	{title: "a slash too many", path: couponPath + "/", body: object{}, status: 404, message: "Not found."},
	{title: "another method", method: http.MethodGet, path: couponPath, status: 405, message: "This address does not take that method."},
	{title: "a delete", method: http.MethodDelete, path: eventPath, status: 405, message: "This address does not take that method."},
}

func TestCalls(t *testing.T) {
	for _, c := range scenarios {
		t.Run(c.title, func(t *testing.T) {
			set := c.set
			if set == nil {
				set = func(*business.Config, *api.Config) {}
			}
			s := newSite(t, set)
			b := s.browser()
			if c.before != nil {
				b = c.before(b)
			}
			before := s.ledger.written()
			var got reply
			switch {
			case c.body != nil:
				got = b.post(c.path, c.body)
			case c.method == "":
				got = b.send(http.MethodPost, c.path, c.raw)
			default:
				got = b.send(c.method, c.path, "")
			}
			want(t, got, c.status, c.message)
			wanted := c.errors
			if wanted == nil {
				wanted = map[string]string{}
			}
			if !maps.Equal(got.errors(), wanted) {
				t.Errorf("errors %v, want %v", got.errors(), wanted)
			}
			for path, value := range c.fields {
				if found := got.text(strings.Split(path, ".")...); found != value {
					t.Errorf("%s is %q, want %q", path, found, value)
				}
			}
			wantWritten(t, s, before, c.written)
		})
	}
}

func TestWebhookIsKeptOnceAndAcknowledged(t *testing.T) {
	s := newSite(t)
	header, raw := s.gateway.SignedWebhook("unknown", "payment.paid")
	provider := s.browser().from("203.0.113.9:443")
	provider.headers = header.Clone()
	provider.headers.Set("Sec-Fetch-Site", "cross-site")
	for range 2 {
		got := provider.send(http.MethodPost, "/payments/webhook/sandbox", string(raw))
		if got.status != http.StatusOK || !strings.HasPrefix(string(got.raw), "received ") {
			t.Errorf("got %d %q", got.status, got.raw)
		}
	}
	wantWritten(t, s, nil, map[string]int{"inbox event": 1})
	s.ledger.setDown(errors.New("disk I/O error"))
	want(t, provider.send(http.MethodPost, "/payments/webhook/sandbox", string(raw)), http.StatusServiceUnavailable, "This cannot be kept at the moment.")
}

func TestHEADAnswersLikeGETWithoutABody(t *testing.T) {
	s := newSite(t, func(_ *business.Config, of *api.Config) {
		of.Challenge = func(admission.Visitor) any { return object{"provider": "pow"} }
	})
	server := httptest.NewServer(s.echo)
	defer server.Close()
	ask := func(method, path string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Error(err)
		}
		return answer, string(body)
	}
	for path, status := range map[string]int{
		eventPath + "?slug=hiresure-mgrow-2025": 200, eventPath + "?slug=nothing": 404, referralPath + "SETU2025": 200, referralPath + "NOBODY": 422,
		"/human/challenge": 200, "/api/openapi.yaml": 200, couponPath: 405,
	} {
		get, full := ask(http.MethodGet, path)
		head, body := ask(http.MethodHead, path)
		if get.StatusCode != status || head.StatusCode != status || full == "" || body != "" {
			t.Errorf("%s: GET answers %d and %q, HEAD %d and %q; want %d", path, get.StatusCode, full, head.StatusCode, body, status)
		}
		for _, name := range []string{"Content-Type", "Cache-Control", "Allow", "X-Robots-Tag"} {
			if got, want := head.Header.Get(name), get.Header.Get(name); got != want {
				t.Errorf("%s: HEAD says %s: %q, GET %q", path, name, got, want)
			}
		}
	}
	if got := s.browser().send(http.MethodDelete, eventPath, "").header.Get("Allow"); got != "GET, HEAD" {
		t.Errorf("allowed: %q", got)
	}
}

func TestDocumentListsEveryRoute(t *testing.T) {
	s := newSite(t)
	var routes, documented []string
	for _, route := range s.echo.Router().Routes() {
		if route.Method != echo.RouteAny && route.Method != http.MethodHead { // HEAD is GET without a body
			path := route.Path
			for _, name := range route.Parameters {
				path = strings.Replace(path, ":"+name, "{"+name+"}", 1)
			}
			routes = append(routes, route.Method+" "+path)
		}
	}
	for path, item := range theDocument(t).doc.Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+path)
		}
	}
	slices.Sort(routes)
	slices.Sort(documented)
	if !slices.Equal(routes, documented) {
		t.Errorf("routes\n%s\ndocument\n%s", strings.Join(routes, "\n"), strings.Join(documented, "\n"))
	}
	got := s.browser().get("/api/openapi.yaml")
	if got.status != http.StatusOK || !strings.HasPrefix(string(got.raw), "openapi: 3.0.3") {
		t.Errorf("got %d %.40q", got.status, got.raw)
	}
}
