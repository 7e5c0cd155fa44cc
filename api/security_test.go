package api_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/web/webtest"
)

// twin returns another tab of the browser.
func (b *browser) twin() *browser {
	return &browser{site: b.site, cookies: maps.Clone(b.cookies), headers: b.headers, address: b.address}
}

// atOnce runs work n times in parallel and counts the statuses.
func atOnce(n int, work func(i int) reply) (replies []reply, statuses map[int]int) {
	replies, statuses = make([]reply, n), map[int]int{}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { replies[i] = work(i) })
	}
	all.Wait()
	for _, r := range replies {
		statuses[r.status]++
	}
	return replies, statuses
}

// enquiryOf returns an enquiry from one of many mailboxes, because each has a limit.
func enquiryOf(i int) object { return enquiry(object{"email": fmt.Sprintf("a%d@example.com", i)}) }

func TestLookUpsAreLimited(t *testing.T) {
	for title, c := range map[string]struct {
		most int
		call func(b *browser, i int) reply
	}{
		"check-existence": {5, func(b *browser, i int) reply {
			return b.post(existsPath, object{"identifiers": object{"mobile_number": fmt.Sprintf("987654%04d", i+1000)}})
		}},
		"check-scholarship-registered-phone": {5, func(b *browser, i int) reply {
			return b.post(phonePath, object{"email": email, "phone_number": fmt.Sprintf("987654%04d", i+1000), "scholarship_code": "KS_Mgrow"})
		}},
		"apply-coupon": {10, func(b *browser, i int) reply {
			return b.post(couponPath, object{"coupon_code": fmt.Sprintf("GUESS%d", i)})
		}},
		"referralCode":   {10, func(b *browser, i int) reply { return b.get(referralPath + fmt.Sprintf("GUESS%d", i)) }},
		"create-enquiry": {20, func(b *browser, i int) reply { return b.post(enquiryPath, enquiryOf(i)) }},
	} {
		t.Run(title, func(t *testing.T) {
			b := newSite(t, limited).browser()
			for i := range c.most {
				if got := c.call(b, i); got.status == http.StatusTooManyRequests {
					t.Fatalf("call %d: %d", i+1, got.status)
				}
			}
			over := c.call(b, c.most)
			want(t, over, http.StatusTooManyRequests, "Many requests came from your network. Please wait 60 minutes and try again.")
			if after := over.header.Get("Retry-After"); after != "3600" {
				t.Errorf("Retry-After %q", after)
			}
			if got := c.call(b.from("203.0.113.50:1"), c.most); got.status == http.StatusTooManyRequests {
				t.Error("another address is limited too")
			}
		})
	}
}

func TestForwardedAddressIsBelievedOfProxiesOnly(t *testing.T) {
	exhausted := func(b *browser, spoof func(i int) *browser) bool {
		for i := range 20 {
			want(b.t, spoof(i).post(enquiryPath, enquiryOf(i)), http.StatusOK, "Request successfully submitted.")
		}
		return spoof(20).post(enquiryPath, enquiryOf(20)).status == http.StatusTooManyRequests
	}
	for title, c := range map[string]struct {
		limited bool
		spoof   func(b *browser, i int) *browser
	}{
		"a stranger's header": {true, func(b *browser, i int) *browser { return b.with("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)) }},
		"what a stranger told the proxy": {true, func(b *browser, i int) *browser {
			return b.from("10.0.0.1:80").with("X-Forwarded-For", fmt.Sprintf("203.0.113.%d, 198.51.100.9", i))
		}},
		"what the proxy saw": {false, func(b *browser, i int) *browser {
			return b.from("10.0.0.1:80").with("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		}},
		"one subscriber's IPv6":  {true, func(b *browser, i int) *browser { return b.from(fmt.Sprintf("[2001:db8:1:2::%d]:80", i)) }},
		"many subscribers' IPv6": {false, func(b *browser, i int) *browser { return b.from(fmt.Sprintf("[2001:db8:1:%d::1]:80", i)) }},
		"other headers": {true, func(b *browser, i int) *browser {
			return b.with("X-Real-Ip", fmt.Sprintf("203.0.113.%d", i)).with("Forwarded", "for=1.2.3.4")
		}},
	} {
		t.Run(title, func(t *testing.T) {
			b := newSite(t, limited).browser()
			if got := exhausted(b, func(i int) *browser { return c.spoof(b, i) }); got != c.limited {
				t.Errorf("limited %v, want %v", got, c.limited)
			}
		})
	}
}

var posts = []string{enquiryPath, askPath, verifyPath, resendPath, enrolPath, reopenPath, phonePath, existsPath, couponPath, startPath, outcomePath, leadPath, loginCodePath, loginTokenPath}

func TestUnknownFieldsAreRejected(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email)
	before := s.ledger.written()
	names := []string{
		"profile_step", "payment_status", "final_amount", "role", "user_id", "_id", "id", "step", "Step", "paid", "PaidTxnID", "discount", "charge", "currency",
		"terms_version", "session_id", "SessionID", "refunded", "created_at", "__proto__", "constructor", "FULLNAME", "Email", "phone_number ", "otp",
	}
	for _, path := range posts {
		for _, name := range names {
			if path == loginTokenPath && name == "otp" { // which is its business
				continue
			}
			body := enrolment(nil)
			if path != enrolPath {
				body = object{}
			}
			body[name] = "8"
			got := b.post(path, body)
			if got.status != http.StatusUnprocessableEntity || got.errors()[name] != "This field is unknown." {
				t.Errorf("%s with %s: %d %s", path, name, got.status, got.raw)
			}
		}
	}
	got := b.post(startPath, object{"scholarship_requested_id": "x", "redirection_url": "/success", "amount": 1})
	if got.errors()["amount"] != "This field is unknown." {
		t.Errorf("initiate-payment takes an amount: %s", got.raw)
	}
	wantWritten(t, s, before, nil)
}

func TestBodiesThatTwoReadersReadDifferently(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	good := `"fullname":"Asha Rao","email":"asha@example.com","phone":"9876543210"`
	for _, c := range []struct {
		title, body string
		status      int
		message     string
	}{
		{"nothing", ``, 415, "This kind of content is not taken here."},
		{"no JSON", `fullname=Asha`, 400, "The body must be a JSON object."},
		{"an array", `[{` + good + `}]`, 400, "The body must be a JSON object."},
		{"a text", `"x"`, 400, "The body must be a JSON object."},
		{"null", `null`, 400, "The body must be a JSON object."},
		{"half of it", `{` + good, 400, "The body is not valid JSON."},
		{"a value without a name", `{"fullname"}`, 400, "The body is not valid JSON."},
		{"a byte order mark", "\xef\xbb\xbf{" + good + `}`, 400, "The body must be JSON in UTF-8, without a byte order mark."},
		{"another encoding", "{\"fullname\":\"Asha\xff\"}", 400, "The body must be JSON in UTF-8, without a byte order mark."},
		{"a name twice", `{` + good + `,"phone":"9876543211"}`, 400, "A name stands twice in the body."},
		{"a name twice, once escaped", `{` + good + `,"ph\u006fne":"9876543211"}`, 400, "A name stands twice in the body."},
		{"a second object", `{` + good + `}{}`, 400, "The body must be one JSON object and nothing after it."},
		{"a bracket too many", `{` + good + `}}`, 400, "The body must be one JSON object and nothing after it."},
		{"a comment", `{` + good + `} // x`, 400, "The body must be one JSON object and nothing after it."},
		{"a number for a text", `{"fullname":"Asha Rao","email":"asha@example.com","phone":9876543210}`, 422, "This must be text."},
		{"a list for a text", `{"fullname":"Asha Rao","email":["asha@example.com","b@example.com"],"phone":"9876543210"}`, 422, "This must be text."},
		{"an object for a text", `{"fullname":{"$ne":""},"email":"asha@example.com","phone":"9876543210"}`, 422, "This must be text."},
		{"null for a text", `{"fullname":null,"email":"asha@example.com","phone":"9876543210"}`, 422, "This must be text."},
		{"a text for a list", `{` + good + `,"consents":"marketing"}`, 422, "This must be a list of texts."},
		{"a list of numbers", `{` + good + `,"consents":[1]}`, 422, "This must be a list of texts."},
		{"a list with null", `{` + good + `,"consents":[null]}`, 422, "This must be a list of texts."},
		{"a list in a list's text", `{` + good + `,"consents":["marketing,reminders"]}`, 422, "This must be a list of texts."},
		{"a list in a list", `{` + good + `,"consents":["marketing",["reminders"]]}`, 422, "This must be a list of texts."},
		{"an object for a list", `{` + good + `,"consents":{"marketing":"reminders"}}`, 422, "This must be a list of texts."},
		{"a list that ends as an object", `{` + good + `,"consents":["marketing"}}`, 400, "The body is not valid JSON."},
		{"a comma too many", `{` + good + `,"consents":["marketing",]}`, 400, "The body is not valid JSON."},
		{"an unknown object", `{` + good + `,"more":{"fullname":[{}]}}`, 422, "This field is unknown."},
		{"thirty thousand lists in each other", `{` + good + `,"consents":` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `}`, 422, "This must be a list of texts."},
		{"as many, never ended", `{` + good + `,"consents":` + strings.Repeat("[", 60_000), 400, "The body is not valid JSON."},
		{"a NUL", `{"fullname":"Asha\u0000Rao","email":"asha@example.com","phone":"9876543210"}`, 422, "This holds a character that cannot be kept."},
		{"too much", `{"description":"` + strings.Repeat("x", 64<<10) + `"}`, 413, "This request is too large."},
	} {
		t.Run(c.title, func(t *testing.T) { want(t, b.send(http.MethodPost, enquiryPath, c.body), c.status, c.message) })
	}
	for _, c := range []struct{ title, path, body, message string }{
		{"a text for a flag", enrolPath, `{"adult":"true"}`, "This must be true or false."},
		{"a number for a flag", enrolPath, `{"agreed_terms_conditions":1}`, "This must be true or false."},
		{"a huge number", couponPath, `{"amount":1e309}`, "This must be an amount in rupees, a number with at most two decimals."},
		{"a text for an amount", couponPath, `{"amount":"1499"}`, "This must be an amount in rupees, a number with at most two decimals."},
		{"three decimals", couponPath, `{"amount":1.499}`, "This must be an amount in rupees, a number with at most two decimals."},
		{"an unknown name inside", existsPath, `{"identifiers":{"mobile_number":"9876543210","email":"x"}}`, "This field is unknown."},
	} {
		t.Run(c.title, func(t *testing.T) {
			want(t, b.send(http.MethodPost, c.path, c.body), http.StatusUnprocessableEntity, c.message)
		})
	}
	want(t, b.send(http.MethodPost, existsPath, `{"identifiers":"9876543210"}`), http.StatusBadRequest, "An object is expected for identifiers.")
	want(t, b.send(http.MethodPost, existsPath, `{"identifiers":{"mobile_number":"9876543210","mobile_number":"9876543211"}}`), http.StatusBadRequest, "A name stands twice in the body.")
	for _, contentType := range []string{"application/x-www-form-urlencoded", "text/plain", "application/json; charset=utf-16", "multipart/form-data; boundary=x", "nonsense"} {
		want(t, b.with("Content-Type", contentType).send(http.MethodPost, enquiryPath, `{`+good+`}`), http.StatusUnsupportedMediaType, "This kind of content is not taken here.")
	}
	want(t, b.with("Content-Encoding", "gzip").send(http.MethodPost, enquiryPath, `{`+good+`}`), http.StatusUnsupportedMediaType, "This kind of content is not taken here.")
	wantWritten(t, s, map[string]int{}, nil)
}

func TestOtherSitesCannotPost(t *testing.T) {
	s := newSite(t)
	webtest.RejectsCrossSitePosts(t, s.echo, baseURL, "POST /payments/webhook/:gateway")
	wantWritten(t, s, map[string]int{}, nil)
	foreign := s.browser().with("Sec-Fetch-Site", "cross-site").with("Origin", "https://evil.example")
	want(t, foreign.post(enquiryPath, enquiry(nil)), http.StatusForbidden, "We blocked this because it came from another site. Please use our own page.")
}

func TestStrangerCannotPayOrSeeMore(t *testing.T) {
	s := newSite(t)
	owner := s.browser().proves(phone, email)
	id := owner.enrols(nil)
	stranger := s.browser().proves("9876543211", "ravi@example.com")
	before := s.ledger.written()
	want(t, stranger.starts(id), http.StatusNotFound, "Registration not found.")
	want(t, s.browser().starts(id), http.StatusNotFound, "Registration not found.")
	wantWritten(t, s, before, nil)
	txn := owner.starts(id).text("transactionResponse", "txId")
	seen := stranger.outcome(txn)
	want(t, seen, http.StatusOK, "Your payment is being processed.")
	for name := range seen.body {
		switch name {
		case "success", "isOk", "code", "message", "payment_status":
		default:
			t.Errorf("a stranger reads %s", name)
		}
	}
	want(t, stranger.outcome(txn[:len(txn)-1]+"0"+"x"), http.StatusNotFound, "Payment not found.")
	taken := stranger.post(enrolPath, enrolment(nil))
	want(t, taken, http.StatusUnprocessableEntity, "Please verify the OTP.")
}

func TestRedirectsStayHere(t *testing.T) {
	s := newSite(t)
	b := s.browser().proves(phone, email)
	id := b.enrols(nil)
	before := s.ledger.written()
	for _, target := range []string{
		"//evil", "///evil", `/\evil`, `\\evil`, "https:evil", "https:/evil", "https://www.example.in@evil/", "https://www.example.in.evil/", "https://WWW.example.in/",
		"https://www.example.in:8443", "http://www.example.in/", "javascript:alert(1)", "data:text/html,x", " /success", "\t/success", "/success\r\nX: y", "success",
		"https://user@www.example.in", "https://www.exаmple.in/",
	} {
		got := b.post(startPath, object{"scholarship_requested_id": id, "redirection_url": target})
		want(t, got, http.StatusUnprocessableEntity, "This must be an address of our own site.")
		if got.errors()["redirection_url"] == "" {
			t.Errorf("%q: errors %v", target, got.errors())
		}
	}
	long := "/success?x=" + strings.Repeat("1", 2000-len("/success?x="))
	want(t, b.post(startPath, object{"scholarship_requested_id": id, "redirection_url": long + "1"}), http.StatusUnprocessableEntity, "This address is too long.")
	wantWritten(t, s, before, nil)
	for i, target := range []string{"/success", "/success?x=1#y", baseURL + "/success", baseURL, "/%2f%2fevil.example", long, ""} {
		s := newSite(t)
		b := s.browser().proves(phone, email)
		got := b.post(startPath, object{"scholarship_requested_id": b.enrols(nil), "redirection_url": target})
		want(t, got, http.StatusOK, "Payment started.")
		wanted := target
		if target == "" {
			wanted = "/success"
		}
		if to := got.text("transactionResponse", "redirectUrl"); to != wanted {
			t.Errorf("%d: redirectUrl %q, want %q", i, to, wanted)
		}
	}
}

func TestSessionCookie(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	asked := b.asks(phone, email)
	planted := b.cookies["__Host-hiresure"]
	cookies := asked.header.Values("Set-Cookie")
	if len(cookies) != 1 {
		t.Fatalf("cookies %q", cookies)
	}
	for _, part := range []string{"__Host-hiresure=", "Path=/", "Max-Age=7200", "HttpOnly", "Secure", "SameSite=Lax"} {
		if !strings.Contains(cookies[0], part) {
			t.Errorf("cookie %q lacks %q", cookies[0], part)
		}
	}
	if strings.Contains(cookies[0], "Domain") {
		t.Errorf("cookie %q names a domain", cookies[0])
	}
	proven := b.answers(phone, email, asked.text("request_id"), s.code(phone))
	want(t, proven, http.StatusOK, "Your mobile number is verified.")
	if got := proven.header.Get("Set-Cookie"); !strings.Contains(got, "Max-Age=2592000") {
		t.Errorf("cookie %q does not live for 30 days", got)
	}
	if b.cookies["__Host-hiresure"] == planted {
		t.Error("the token stayed the same when the phone was proven")
	}
	id := b.enrols(nil)
	thief := s.browser()
	thief.cookies["__Host-hiresure"] = planted
	want(t, thief.starts(id), http.StatusNotFound, "Registration not found.")
	want(t, b.starts(id), http.StatusOK, "Payment started.")
}

func TestFaultsOfOursSayNothing(t *testing.T) {
	for title, c := range map[string]struct {
		fault   error
		status  int
		message string
	}{
		"a mistake":       {errors.New("pq: column secret_column of relation registrations"), 500, "Something went wrong on our side. Please try again. If it happens again, quote "},
		"a database down": {&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused to 10.1.2.3:5432")}, 503, "We cannot save anything at the moment. Please try again in a few seconds."},
		"a full disk":     {fmt.Errorf("save enquiry: %w: database or disk is full (13)", admission.ErrUnavailable), 503, "We cannot save anything at the moment. Please try again in a few seconds."},
		"a database late": {fmt.Errorf("begin: %w", errLate), 503, "We cannot save anything at the moment. Please try again in a few seconds."},
	} {
		t.Run(title, func(t *testing.T) {
			s := newSite(t)
			b := s.browser().proves(phone, email)
			s.ledger.setDown(c.fault)
			for path, body := range map[string]object{
				enquiryPath: enquiry(nil), askPath: {"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}, verifyPath: {"phone_otp": "123456"},
				enrolPath: enrolment(nil), couponPath: {"coupon_code": "MGROW500"}, startPath: {"scholarship_requested_id": "x"}, outcomePath: {"payment_transaction_id": admission.NewID()},
				existsPath: {"identifiers": object{"mobile_number": phone}}, phonePath: {"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"},
				resendPath: {"request_id": "x"}, reopenPath: {"phone_otp": "123456"},
				leadPath: {"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"reminders"}},
			} {
				got := b.post(path, body)
				id := got.header.Get("X-Request-Id")
				if got.status != c.status || !strings.HasPrefix(got.message(), c.message) || got.text("reference") != id {
					t.Errorf("%s: %d %s", path, got.status, got.raw)
				}
				for _, leak := range []string{"secret_column", "10.1.2.3", "goroutine", ".go:", "deadline"} {
					if strings.Contains(string(got.raw), leak) {
						t.Errorf("%s tells %q: %s", path, leak, got.raw)
					}
				}
				if !strings.Contains(s.logs.String(), id) {
					t.Errorf("%s: %s is not in the log", path, id)
				}
			}
		})
	}
}

var errLate = fmt.Errorf("transaction: %w", context.DeadlineExceeded)

func TestPanicIsAFaultOfOurs(t *testing.T) {
	s := newSite(t)
	s.echo.GET("/panics", func(*echo.Context) error { panic("secret of " + email) })
	got := s.browser().with("Accept", "application/json").get("/panics")
	if got.status != http.StatusInternalServerError || strings.Contains(string(got.raw), "secret") || got.text("reference") == "" {
		t.Errorf("got %d %s", got.status, got.raw)
	}
	if logs := s.logs.String(); !strings.Contains(logs, "security_test.go") || strings.Contains(logs, email) {
		t.Error("the log lacks the stack, or has an e-mail address")
	}
}

func TestLogsHoldNoPersonalData(t *testing.T) {
	s := newSite(t)
	b := s.browser()
	asked := b.asks(phone, email)
	first := b.cookies["__Host-hiresure"]
	b.answers(phone, email, asked.text("request_id"), wrong(s.code(phone)))
	b.answers(phone, email, asked.text("request_id"), s.code(phone))
	b.starts(b.enrols(nil))
	b.get("/receipt/" + admission.NewToken() + "?phone_otp=" + s.code(phone))
	b.get(eventPath + "?slug=" + email)
	logs := s.logs.String()
	for _, secret := range []string{phone, email, s.code(phone), first, b.cookies["__Host-hiresure"], "Asha", "phone_otp"} {
		if strings.Contains(logs, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if !strings.Contains(logs, `"path":"/receipt/…"`) || !strings.Contains(logs, `"path":"`+enrolPath+`"`) {
		t.Errorf("the log has lost its paths:\n%s", logs)
	}
}

func TestHumanCheckIsBoundToItsSession(t *testing.T) {
	s := newSite(t, guarded)
	b := s.browser()
	want(t, b.post(couponPath, object{"coupon_code": "MGROW500", "captcha_token": "good"}), http.StatusOK, "Coupon applied.")
	want(t, b.post(enquiryPath, enquiry(nil)), http.StatusOK, "Request successfully submitted.")
	spent := s.browser().post(enquiryPath, enquiry(object{"captcha_token": "good"}))
	want(t, spent, http.StatusUnprocessableEntity, "Something went wrong.")
	s.clock.Pass(2 * time.Hour)
	want(t, b.post(enquiryPath, enquiry(nil)), http.StatusUnprocessableEntity, "Execute reCAPTCHA is not ready yet.")
}
