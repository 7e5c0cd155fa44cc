package landing

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"hiresure/admission/message"
	"hiresure/store/storetest"
)

// question returns a valid enquiry with changed fields.
func question(changes ...string) url.Values {
	typed := url.Values{
		"fullname": {"Ananya Deshmukh"}, "email": {"ananya@example.com"}, "countryCode": {"in"}, "phone": {"98200 41567"},
		"description": {"Is there a hostel?"}, "from": {"/scholarship/hiresure-campus-2026"}, "captcha_token": {"ticket"},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		typed.Set(changes[i], changes[i+1])
	}
	return typed
}

// enquire posts the form, as htmx or as a browser without scripts.
func (o *publicSite) enquire(typed url.Values, fragment bool) *httptest.ResponseRecorder {
	o.t.Helper()
	r := httptest.NewRequest(http.MethodPost, origin+"/enquiry", strings.NewReader(typed.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if fragment {
		r.Header.Set("HX-Request", "true")
	}
	answer := httptest.NewRecorder()
	o.echo.ServeHTTP(answer, r)
	return answer
}

var reference = regexp.MustCompile(`ENQ-[0-9A-Z]{4}-[0-9A-Z]{4}`)

func TestAnEnquiryIsKeptAndAcknowledged(t *testing.T) {
	for _, fragment := range []bool{true, false} {
		o := testSite(t)
		o.human = true
		answer := o.enquire(question("consents", "marketing"), fragment)
		body := answer.Body.String()
		if answer.Code != http.StatusOK || !strings.Contains(body, "Request successfully submitted.") {
			t.Fatalf("fragment %v: %d %s", fragment, answer.Code, visible(body))
		}
		if whole := strings.Contains(body, "<html"); whole == fragment {
			t.Errorf("fragment %v: a whole page is %v", fragment, whole)
		}
		if strings.Contains(body, "hostel") || strings.Contains(body, `action="/enquiry"`) || strings.Contains(body, "There is a problem") {
			t.Errorf("fragment %v: the form still stands there", fragment)
		}
		for _, text := range []string{"Thank you, Ananya. We have your question.", "Within two working days to ananya@example.com", "+91 80 0000 0101"} {
			if !strings.Contains(visible(body), text) {
				t.Errorf("fragment %v: does not say %q", fragment, text)
			}
		}
		if again := `href="/enquiry?from=%2Fscholarship%2Fhiresure-campus-2026"`; !strings.Contains(body, again) {
			t.Errorf("fragment %v: no %s", fragment, again)
		}
		if n := strings.Count(body, "data-sent") + strings.Count(body, `role="status"`); n != 1 && fragment {
			t.Errorf("it is said %d times", n)
		}
		shown := reference.FindString(body)
		if len(o.sms) != 1 || shown == "" || o.sms[0].Params["Reference"] != shown || o.sms[0].To != "ananya@example.com" || o.sms[0].Channel != message.Email {
			t.Errorf("fragment %v: shown %q, messages %+v", fragment, shown, o.sms)
		}
	}
}

func TestRejectedEnquiryKeepsInputAndStoresNothing(t *testing.T) {
	const name = "Full Name must be 3-50 characters long and contain only letters and spaces!"
	for _, test := range []struct {
		what, field, value, message string
	}{
		{"no name", "fullname", "", "Full Name is required!"},
		{"a short name", "fullname", "An", name},
		{"a name with digits", "fullname", "An4nya", name + " Please take out “4”."},
		{"no e-mail", "email", "", "Email is required!"},
		{"an e-mail without a domain", "email", "ananya@", "Invalid email format!"},
		{"no phone", "phone", "", "Phone number is required!"},
		{"the same digit over and over", "phone", "9999999999", "Phone number cannot be all repeated digits."},
		{"an Indian number that starts with 5", "phone", "5820041567", "Indian phone number must start with 6-9 and be exactly 10 digits."},
		{"an Indian number with nine digits", "phone", "982004156", "Indian phone number must start with 6-9 and be exactly 10 digits."},
		{"a country that there is not", "countryCode", "zz", "Please choose a country from the list."},
		{"a long message", "description", strings.Repeat("a", 2001), "Message must be at most 2000 characters."},
	} {
		for _, fragment := range []bool{true, false} {
			o := testSite(t)
			typed := question(test.field, test.value)
			answer := o.enquire(typed, fragment)
			body := answer.Body.String()
			if answer.Code != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d", test.what, answer.Code)
			}
			whole := regexp.MustCompile(`\d+-\d+`).ReplaceAllString(html.EscapeString(test.message), `<span class="nowrap">$0</span>`)
			at := regexp.MustCompile(`<p class="error" id="e-enquiry-` + test.field + `">\s*<span>` + regexp.QuoteMeta(whole) + `</span>`)
			link := `<a href="#f-enquiry-` + test.field + `">` + html.EscapeString(test.message) + `</a>`
			if !at.MatchString(body) || !strings.Contains(body, link) {
				t.Errorf("%s: %q stands not at its field or not in the summary", test.what, test.message)
			}
			for field, values := range typed {
				if field == "countryCode" || field == "captcha_token" || field == "from" {
					continue
				}
				if kept := html.EscapeString(values[0]); !strings.Contains(body, kept) {
					t.Errorf("%s: %s is lost", test.what, field)
				}
			}
			if title := "<title>Error: "; !fragment && !strings.Contains(body, title) {
				t.Errorf("%s: the title does not say that there is an error", test.what)
			}
			if len(o.sms) != 0 || o.enquiries() != 0 {
				t.Errorf("%s: %d messages, %d enquiries kept", test.what, len(o.sms), o.enquiries())
			}
		}
	}
}

// enquiries counts the saved ones.
func (o *publicSite) enquiries() (n int) {
	o.t.Helper()
	if err := storetest.SQL(o.t, "sqlite://"+o.file).QueryRowContext(o.t.Context(), "SELECT count(*) FROM enquiries").Scan(&n); err != nil {
		o.t.Fatal(err)
	}
	return n
}

func TestPhoneLengthsByCountry(t *testing.T) {
	for _, test := range []struct{ country, phone, message string }{
		{"us", "212555012", "Phone number must be exactly 10 digits."},
		{"ae", "50123456", "Phone number must be between 9 and 12 digits."},
		{"sg", "812345678", "Phone number must be exactly 8 digits."},
		{"us", "2125550123", ""},
		{"sg", "81234567", ""},
	} {
		o := testSite(t)
		answer := o.enquire(question("countryCode", test.country, "phone", test.phone), true)
		if refused := answer.Code != http.StatusOK; refused != (test.message != "") || !strings.Contains(answer.Body.String(), test.message) {
			t.Errorf("%s %s: %d, want %q", test.country, test.phone, answer.Code, test.message)
		}
	}
}

func TestAnEnquiryPassesTheHumanCheck(t *testing.T) {
	o := testSite(t)
	o.human = true
	for _, test := range []struct {
		what, token, honeypot string
		fragment              bool
		status                int
		says                  string
	}{
		{"a script without a token", "", "", true, 422, "Execute reCAPTCHA is not ready yet."},
		{"a script with a bad token", "wrong", "", true, 422, "Something went wrong."},
		{"a post without scripts", "", "", false, 200, "I am a person, continue"},
		{"a person who presses too fast", "young ticket", "", false, 429, "That was a little too fast. Please wait three seconds and press again."},
		{"a script that is too fast", "young ticket", "", true, 429, "That was a little too fast. Please wait three seconds and press again."},
		{"a filled honeypot", "ticket", "http://spam.example", false, 200, "I am a person, continue"},
		{"a filled honeypot, by a script", "ticket", "http://spam.example", true, 422, "Something went wrong."},
	} {
		answer := o.enquire(question("captcha_token", test.token, "website", test.honeypot), test.fragment)
		body := answer.Body.String()
		if answer.Code != test.status || !strings.Contains(body, test.says) || !strings.Contains(body, "Ananya Deshmukh") {
			t.Errorf("%s: %d, want %d %q", test.what, answer.Code, test.status, test.says)
		}
		if len(o.sms) != 0 || o.enquiries() != 0 {
			t.Errorf("%s: something was kept", test.what)
		}
	}

	check := o.enquire(question("captcha_token", "", "consents", "marketing"), false).Body.String()
	carried := url.Values{}
	for _, input := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`).FindAllStringSubmatch(check, -1) {
		carried.Add(html.UnescapeString(input[1]), html.UnescapeString(input[2]))
	}
	if answer := o.enquire(carried, false); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), "Request successfully submitted.") || o.enquiries() != 1 {
		t.Errorf("what the check page carries answers %d and keeps %d", answer.Code, o.enquiries())
	}
}

func TestOnlyASmallFormIsRead(t *testing.T) {
	o := testSite(t)
	for _, address := range []string{"/enquiry", "/scholarship/hiresure-mgrow-2025", "/apply/hiresure-mgrow-2025"} {
		for _, test := range []struct {
			what, contentType string
			bytes             int
			status            int
			says              string
		}{
			{"a multipart form", "multipart/form-data; boundary=b", 100, 415, "This kind of content is not taken here."},
			{"JSON", "application/json", 100, 415, "This kind of content is not taken here."},
			{"no kind at all", "", 100, 415, "This kind of content is not taken here."},
			{"a form of more than 64 KiB", "application/x-www-form-urlencoded", 64<<10 + 1, 413, "This request is too large."},
			{"a form that is none", "application/x-www-form-urlencoded", 0, 400, "This request cannot be read."},
		} {
			body := "fullname=" + strings.Repeat("a", max(0, test.bytes-len("fullname=")))
			if test.bytes == 0 {
				body = "fullname=%zz"
			}
			r := httptest.NewRequest(http.MethodPost, origin+address, strings.NewReader(body))
			r.Header.Set("Content-Type", test.contentType)
			answer := httptest.NewRecorder()
			o.echo.ServeHTTP(answer, r)
			if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.says) || answer.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s to %s: %d, want %d %q", test.what, address, answer.Code, test.status, test.says)
			}
		}
	}
	if o.enquiries() != 0 {
		t.Error("an enquiry was kept")
	}
}

func TestInputIsEscaped(t *testing.T) {
	payloads := []string{
		`<img src=x onerror=alert(1)>`, `"><script>alert(1)</script>`, `' onfocus='alert(1)' x='`, `</textarea><svg onload=alert(1)>`,
		`javascript:alert(1)`, `{{7*7}}`, `</title><b>`, "\u2028<script>", `<b>bold</b>`,
	}
	for _, field := range []string{"fullname", "email", "countryCode", "dialLog", "phone", "description", "consents", "from", "captcha_token", "page"} {
		for _, payload := range payloads {
			o := testSite(t)
			typed := question("fullname", "")
			typed.Set(field, payload)
			for _, fragment := range []bool{true, false} {
				body := o.enquire(typed, fragment).Body.String()
				if strings.ContainsAny(payload, `<"'`) && strings.Contains(body, payload) {
					t.Errorf("%s holds %s as it came", field, payload)
				}
				if strings.Contains(body, `href="javascript:`) {
					t.Errorf("%s leads to a script", field)
				}
			}
		}
	}
}
