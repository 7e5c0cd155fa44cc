package site_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
)

// hostileRequest is a request without any proof.
type hostileRequest struct {
	method, address, body string
	headers               map[string]string
}

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
	hasty  = "hasty-ticket" // replaced by a ticket that is used too fast
)

// request returns the HTTP request, with a new ticket if it has one.
func (c hostileRequest) request(s *site.Site) *http.Request {
	from := admission.Visitor{IP: "192.0.2.1", Form: c.address} // as httptest's
	body := strings.ReplaceAll(c.body, hasty, url.QueryEscape(s.Tickets.Ticket(s.Clock(), from)))
	r := httptest.NewRequest(c.method, s.Config.BaseURL+c.address, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	return r
}

// hostileRequests returns the requests of a script that knows every address but has no phone and solves no human check. n varies
// each round.
func hostileRequests(n int) (calls []hostileRequest) {
	id, token, slug := admission.NewID(), admission.NewToken(), "/scholarship/hiresure-mgrow-2025"
	get := func(addresses ...string) {
		for _, address := range addresses {
			calls = append(calls, hostileRequest{http.MethodGet, address, "", map[string]string{"X-Captcha-Token": token}})
		}
	}
	get("/", slug, slug+"?couponCode=MGROW500", slug+"?change="+id, slug+"?change=%00", "/apply/%ff", "/pay", "/success?kspay_id="+id, "/success?kspay_id=%00",
		"/success?txId=%ff", "/checkout/"+id, "/checkout/%00", "/checkout/"+id+"/receipt", "/checkout/"+id+"/invoice", "/receipt/"+token, "/invoice/%00",
		"/v1/users/referralCode/SETU2025", "/v1/users/referralCode/%00", "/human/challenge", "/nowhere", "/og/%00.png", "/r/%00.png", "/r/00000000.png", slug+"?referralCode=00000000",
		"/account", "/account/sign-in", "/account/sign-in?next=%00", "/account/sign-in/code", "/account/sign-up", "/account/name", "/account/phone", "/account/phone/code", "/account/log-out",
		"/hiresure", "/hiresure?token="+token, "/hiresure/verify", "/hiresure/registration", "/hiresure/registration?after=%ff", "/hiresure/registration/"+id,
		"/hiresure/form", "/hiresure/form/personal", "/hiresure/form/review", "/hiresure/form/%00", "/hiresure/payment", "/hiresure/payment?kspay_id="+id, "/hiresure/upload-doc",
		"/account/data", "/account/data/delete", "/account/data/file/"+id, "/account/data/file/%00", "/v2scholarship/v1/form-draft?scholarship_code=hiresure&profile_step=1",
		"/v2scholarship/v1/my-registration", "/v2scholarship/v1/fetch-user-profile", "/login/token/refresh",
		"/scholarship/v1/fetch-scholarship-event-data?slug=hiresure-mgrow-2025", "/scholarship/v1/fetch-scholarship-event-data?slug=%00")

	form := func(address string, pairs ...string) {
		values := url.Values{}
		for i := 0; i+1 < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		calls = append(calls, hostileRequest{http.MethodPost, address, values.Encode(), map[string]string{"Content-Type": asForm}})
	}
	enquiry := []string{"fullname", "Asha Rao", "email", fmt.Sprintf("a%d@example.com", n), "countryCode", "in", "phone", "9876543210"}
	details := []string{"fullname", "Asha Rao", "email", fmt.Sprintf("a%d@example.com", n), "phone_number", fmt.Sprintf("98765%05d", n)}
	complaint := []string{"name", "Asha Rao", "email", "a@example.com", "category", "payment", "message", strings.Repeat("money ", 10)}
	form("/enquiry")
	form("/enquiry", enquiry...)
	form("/enquiry", append(enquiry, "description", "\x00")...)
	form("/legal/grievance")
	form("/legal/grievance", complaint...)
	for _, junk := range []string{token, hasty, "t." + token} {
		form("/enquiry", append(enquiry, "captcha_token", junk)...)
		form("/legal/grievance", append(complaint, "captcha_token", junk)...)
		for _, do := range []string{"enter", "send-code", "resend", "verify", "send-guardian-code", "apply-coupon", "remove-coupon", "pay", "nothing"} {
			form(slug, append(details, "do", do, "captcha_token", junk, "request_id", id, "otp", "123456", "coupon_code", "MGROW500", "sent_to", details[5])...)
		}
	}
	form(slug, append(details, "do", "send-code")...)
	form(slug, append(details, "do", "send-code", "website", "x", "captcha_token", token)...)
	form("/pay", "scholarship_requested_id", id)
	form("/checkout/"+id+"/return", "status", "paid")
	form("/leave")
	for _, junk := range []string{"", token, hasty, "t." + token} {
		form("/account/sign-in", "identifier", fmt.Sprintf("98765%05d", n), "captcha_token", junk)
		form("/account/sign-in", "identifier", fmt.Sprintf("a%d@example.com", n), "captcha_token", junk, "next", "//evil.example")
		form("/account/sign-in/code", "request_id", id, "otp", "123456", "captcha_token", junk)
		form("/account/sign-in/code", append(details, "do", "resend", "request_id", id, "captcha_token", junk)...)
		form("/account/sign-up", append(details, "captcha_token", junk)...)
	}
	for _, address := range []string{"/account/name", "/account/phone", "/account/email", "/account/sessions", "/account/log-out", "/account/data", "/account/data/delete",
		"/hiresure/verify", "/hiresure/form/personal", "/hiresure/form/academic", "/hiresure/form/review", "/hiresure/payment"} {
		form(address, append(details, "end", "everywhere", "do", "send")...)
	}

	person := fmt.Sprintf(`"fullname":"Asha Rao","email":"a%d@example.com","phone_number":"98765%05d","scholarship_code":"KS_Mgrow"`, n, n)
	for path, fields := range map[string]string{
		"/ks-website/create-enquiry":                        `"fullname":"Asha Rao","email":"a@example.com","phone":"9876543210"`,
		"/scholarship/v1/user-verification-request":         `"email":"a@example.com","phone_number":"9876543210","scholarship_code":"KS_Mgrow"`,
		"/scholarship/v1/user-request-verify":               `"phone_number":"9876543210","phone_otp":"123456","request_id":"` + id + `"`,
		"/ks-website/v1/resend-otp-for-scholarship-request": `"request_id":"` + id + `"`,
		"/scholarship/v1/create-scholarship-request":        person + `,"selected_course":"Blockchain","state":"Karnataka","adult":true,"agreed_terms_conditions":true`,
		"/ks-website/v1/update-scholarship-request":         `"scholarship_requested_id":"` + id + `","phone_otp":"123456"`,
		"/ks-website/v1/check-scholarship-registered-phone": `"email":"a@example.com","phone_number":"9876543210","scholarship_code":"KS_Mgrow"`,
		"/user/check-existence":                             `"identifiers":{"mobile_number":"9876543210"}`,
		"/scholarship/v1/apply-coupon":                      `"coupon_code":"MGROW500"`,
		"/v2scholarship/v1/submit-form-details":             `"scholarship_code":"hiresure","profile_step":1,"gender":"F"`,
		"/v2scholarship/v1/save-form-draft":                 `"scholarship_code":"hiresure","profile_step":1,"gender":"F"`,
		"/v2scholarship/v2/initiate-payment":                `"scholarship_requested_id":"` + id + `","redirection_url":"/hiresure/payment"`,
		"/v2scholarship/v2/verify-payment":                  `"scholarship_requested_id":"` + id + `","payment_transaction_id":"` + id + `"`,
		"/login/code":                                       `"mobile_number":"9876543210"`,
		"/login/token":                                      `"request_id":"` + id + `","otp":"123456"`,
		"/v2scholarship/v1/user-phone-verification-request": `"phone_number":"9876543210","country_code":"+91","scholarship_code":"hiresure"`,
		"/v2scholarship/v1/user-verify-phone":               `"phone_number":"9876543210","country_code":"+91","scholarship_code":"hiresure","mobile_otp":"123456"`,
		"/payments/v1/initiate-payment":                     `"scholarship_requested_id":"` + id + `"`,
		"/payments/v1/verify-payment":                       `"payment_transaction_id":"` + id + `"`,
		"/payments/webhook/sandbox":                         `"event":"paid"`,
		"/payments/webhook/none":                            `"event":"paid"`,
		"/ks-website/v1/abandoned-enrolment":                person + `,"consents":["reminders"]`,
	} {
		for i, body := range []string{"{}", "{" + fields + "}", "{" + fields + `,"captcha_token":"` + token + `"}`, `{"a":"\u0000"}`, "{\xff"} {
			headers := map[string]string{"Content-Type": asJSON, "Idempotency-Key": fmt.Sprintf("k%d-%d", n, i)}
			if i%2 == 0 {
				headers["X-Client-Secret"] = "guess"
			}
			calls = append(calls, hostileRequest{http.MethodPost, path, body, headers})
		}
	}
	return calls
}

func TestHostileRequestsLeaveNoRow(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := sitetest.New(t, map[string]string{"DATABASE_URL": databaseURL, "SERVICE_SECRET": "service-secret"})
		before := storetest.Rows(t, databaseURL)
		made, statuses := 0, map[int]int{}
		for n := 0; made < 2000; n++ {
			for _, c := range hostileRequests(n) {
				r := c.request(s)
				r.RemoteAddr = fmt.Sprintf("203.0.113.%d:1000", made%200)
				r.AddCookie(&http.Cookie{Name: "hiresure", Value: admission.NewToken()})
				w := httptest.NewRecorder()
				s.Handler.ServeHTTP(w, r)
				made++
				statuses[w.Code]++
				if w.Code >= http.StatusInternalServerError {
					t.Fatalf("%s %s %s: %d %s", c.method, c.address, c.body, w.Code, w.Body)
				}
				if cookie := w.Header().Get("Set-Cookie"); cookie != "" && c.address != "/leave" && c.address != "/account/log-out" {
					t.Errorf("%s %s %s sets %s", c.method, c.address, c.body, cookie)
				}
			}
		}
		if after := storetest.Rows(t, databaseURL); !maps.Equal(before, after) {
			t.Errorf("%d calls (%v) have left rows:\n got %v\nwant %v", made, statuses, after, before)
		}
		scraped := httptest.NewRecorder()
		s.Handler.ServeHTTP(scraped, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		if body := scraped.Body.String(); strings.Contains(body, "\nalerts_open{") {
			t.Errorf("people are alerted: %s", body)
		}
	})
}

func TestInvalidUTF8InForms(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := sitetest.New(t, map[string]string{"DATABASE_URL": databaseURL, "CAPTCHA": "off"})
		for _, address := range []string{"/enquiry", "/legal/grievance", "/scholarship/hiresure-mgrow-2025", "/checkout/" + admission.NewID() + "/return"} {
			for _, bad := range []url.Values{{"fullname": {"Asha\x00"}}, {"fullname": {"Asha", "\xff"}}, {"\x00": {"Asha"}}} {
				r := httptest.NewRequest(http.MethodPost, s.Config.BaseURL+address, strings.NewReader(bad.Encode()))
				r.Header.Set("Content-Type", asForm)
				r.Header.Set("Sec-Fetch-Site", "same-origin")
				w := httptest.NewRecorder()
				s.Handler.ServeHTTP(w, r)
				if w.Code != http.StatusBadRequest {
					t.Errorf("%s with %q: %d", address, bad, w.Code)
				}
			}
		}
	})
}

func TestEnrolmentAfterHostileRequests(t *testing.T) {
	s := sitetest.New(t, nil)
	for _, c := range hostileRequests(0) {
		s.Handler.ServeHTTP(httptest.NewRecorder(), c.request(s))
	}
	ticket := s.Tickets.Ticket(time.Now().Add(-time.Minute), admission.Visitor{IP: "192.0.2.1", Form: "/enquiry"})
	typed := url.Values{"fullname": {"Asha Rao"}, "email": {"asha@example.com"}, "countryCode": {"in"}, "phone": {"9876543210"}, "captcha_token": {ticket}}
	r := httptest.NewRequest(http.MethodPost, s.Config.BaseURL+"/enquiry", strings.NewReader(typed.Encode()))
	r.Header.Set("Content-Type", asForm)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Request successfully submitted.") {
		t.Errorf("a person is answered %d", w.Code)
	}
	if cookie := w.Header().Get("Set-Cookie"); !strings.HasPrefix(cookie, "hiresure=") {
		t.Errorf("a person gets the cookie %q", cookie)
	}
}

// Before this limit one client could make a hundred tickets a second, each good for the API of any client for two hours.
func TestTicketsAreForOneFormAndFew(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		s := sitetest.New(t, map[string]string{"DATABASE_URL": databaseURL})
		made := func(form string) string {
			return s.Tickets.Ticket(time.Now().Add(-time.Minute), admission.Visitor{IP: "192.0.2.1", Form: form})
		}
		serve := func(path, contentType, body, from string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodPost, s.Config.BaseURL+path, strings.NewReader(body))
			r.Header.Set("Content-Type", contentType)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			r.RemoteAddr = from + ":1000"
			w := httptest.NewRecorder()
			s.Handler.ServeHTTP(w, r)
			return w
		}
		enquire := func(i int, ticket, from string) *httptest.ResponseRecorder {
			typed := url.Values{"fullname": {"Asha Rao"}, "email": {fmt.Sprintf("a%d@example.com", i)}, "countryCode": {"in"}, "phone": {"9876543210"}, "captcha_token": {ticket}}
			return serve("/enquiry", asForm, typed.Encode(), from)
		}
		before := storetest.Rows(t, databaseURL)
		for i := range 100 { // at the API
			body := fmt.Sprintf(`{"email":"a@example.com","phone_number":"98765%05d","scholarship_code":"KS_Mgrow","captcha_token":%q}`, i, made("/enquiry"))
			if w := serve("/scholarship/v1/user-verification-request", asJSON, body, "192.0.2.1"); w.Code != http.StatusUnprocessableEntity {
				t.Fatalf("ticket %d at the API: %d %s", i+1, w.Code, w.Body)
			}
		}
		for sentence, w := range map[string]*httptest.ResponseRecorder{
			"for another form": enquire(0, made("/legal/grievance"), "192.0.2.1"), "from another address": enquire(0, made("/enquiry"), "192.0.2.2"),
		} {
			if w.Code == http.StatusOK && strings.Contains(w.Body.String(), "Request successfully submitted.") {
				t.Errorf("a ticket %s passes", sentence)
			}
		}
		if after := storetest.Rows(t, databaseURL); !maps.Equal(before, after) {
			t.Errorf("refused tickets have left rows: %v, before %v", after, before)
		}
		passed := 0
		for i := range 100 {
			switch w := enquire(i, made("/enquiry"), "192.0.2.1"); {
			case w.Code == http.StatusOK && strings.Contains(w.Body.String(), "Request successfully submitted."):
				passed++
			case w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "":
				t.Fatalf("ticket %d: %d, Retry-After %q", i+1, w.Code, w.Header().Get("Retry-After"))
			}
		}
		if passed != 10 {
			t.Errorf("%d of 100 tickets passed within an hour, want 10", passed)
		}
		there := s.Tickets.Ticket(time.Now().Add(-time.Minute), admission.Visitor{IP: "192.0.2.2", Form: "/enquiry"})
		if w := enquire(101, there, "192.0.2.2"); !strings.Contains(w.Body.String(), "Request successfully submitted.") {
			t.Errorf("a person at another address is answered %d", w.Code)
		}
	})
}
