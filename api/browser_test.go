package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"hiresure/admission/payment/method"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
	"hiresure/web"
)

// browser keeps cookies and sends the headers of a fetch from our page.
type browser struct {
	*site
	cookies map[string]string
	headers http.Header
	address string

	documents object // what it submits
}

func (s *site) browser() *browser {
	return &browser{site: s, cookies: map[string]string{}, headers: http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {baseURL}, "User-Agent": {"test"}}, address: "198.51.100.7:40000"}
}

func (b *browser) with(name, value string) *browser {
	other := &browser{site: b.site, cookies: b.cookies, headers: b.headers.Clone(), address: b.address}
	other.headers.Set(name, value)
	return other
}

func (b *browser) from(address string) *browser {
	return &browser{site: b.site, cookies: b.cookies, headers: b.headers, address: address}
}

// reply is an answer of the API.
type reply struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any
}

func (r reply) message() string { text, _ := r.body["message"].(string); return text }

func (r reply) text(path ...string) string {
	value := any(r.body)
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

func (r reply) errors() map[string]string {
	found := map[string]string{}
	object, _ := r.body["errors"].(map[string]any)
	for name, message := range object {
		found[name], _ = message.(string)
	}
	return found
}

type object = map[string]any

func (b *browser) post(path string, body object) reply {
	b.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(http.MethodPost, path, string(raw))
}

func (b *browser) get(path string) reply {
	b.t.Helper()
	return b.send(http.MethodGet, path, "")
}

func (b *browser) send(method, path, body string) reply {
	b.t.Helper()
	return b.sendAs(method, path, body, strings.NewReader(body))
}

// sendAs is send with a body from a reader.
func (b *browser) sendAs(method, path, body string, arrives io.Reader) reply {
	b.t.Helper()
	r := httptest.NewRequest(method, baseURL+path, arrives)
	r.RemoteAddr = b.address
	maps.Copy(r.Header, b.headers)
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	got := reply{status: w.Code, header: w.Header(), raw: w.Body.Bytes()}
	for _, cookie := range w.Result().Cookies() {
		b.cookies[cookie.Name] = cookie.Value
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		decoder := json.NewDecoder(bytes.NewReader(got.raw))
		decoder.UseNumber()
		if err := decoder.Decode(&got.body); err != nil {
			b.t.Errorf("%s %s: answer is not JSON: %v\n%s", method, path, err, got.raw)
		}
	}
	if web.IsAPI(r.URL.Path) {
		agree(b.t, b.document, r, body, got)
	}
	return got
}

const phone, email = "9876543210", "asha@example.com"

func (b *browser) asks(phone, email string) reply {
	b.t.Helper()
	return b.asksWith(phone, email, "")
}

// asksWith sends a token of the human check, "" for none.
func (b *browser) asksWith(phone, email, token string) reply {
	b.t.Helper()
	body := object{
		"email": email, "phone_number": phone, "country_code": "+91", "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025",
	}
	if token != "" {
		body["captcha_token"] = token
	}
	return b.post("/scholarship/v1/user-verification-request", body)
}

// asksWorking requests a code and does the work that the response demands. token is of a passed check, or "".
func (b *browser) asksWorking(phone, email, token string) reply {
	b.t.Helper()
	return b.working(b.asksWith(phone, email, token), func(token string) reply { return b.asksWith(phone, email, token) })
}

// working repeats a call with the work that its response demands.
func (b *browser) working(got reply, again func(token string) reply) reply {
	b.t.Helper()
	if got.body["challenge"] == nil {
		return got
	}
	return again(b.token(got))
}

// token returns a token for the work that a refusal asks for.
func (b *browser) token(got reply) string {
	b.solved++
	return fmt.Sprintf("good work %d %s#%d", got.steps(), got.text("challenge", "subject"), b.solved)
}

// steps returns how much work a refusal asks for; 0 for none.
func (r reply) steps() int {
	n, _ := strconv.Atoi(r.text("challenge", "steps"))
	return n
}

func (b *browser) answers(phone, email, requestID, code string) reply {
	b.t.Helper()
	return b.post("/scholarship/v1/user-request-verify", object{
		"email": email, "phone_number": phone, "phone_otp": code, "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025", "request_id": requestID,
	})
}

// code returns the latest code sent to a phone.
func (s *site) code(phone string) string {
	s.t.Helper()
	sent := append(s.ledger.sent("otp", "+91"+phone), s.ledger.sent("guardian-otp-told", "+91"+phone)...)
	sent = append(sent, s.ledger.sent("guardian-otp-application-told", "+91"+phone)...)
	if len(sent) == 0 {
		s.t.Fatalf("no code was sent to %s", phone)
	}
	return sent[len(sent)-1].Params["Code"]
}

// wrong returns a code other than the right one.
func wrong(code string) string {
	if code == "123456" {
		return "654321"
	}
	return "123456"
}

func (b *browser) proves(phone, email string) *browser {
	b.t.Helper()
	asked := b.asks(phone, email)
	want(b.t, asked, http.StatusOK, "We sent a code to your mobile number.")
	want(b.t, b.answers(phone, email, asked.text("request_id"), b.code(phone)), http.StatusOK, "Your mobile number is verified.")
	return b
}

func enrolment(changes object) object {
	body := object{}
	maps.Copy(body, forms.Get("enrolment").ToWire(formstest.Good("enrolment")))
	maps.Copy(body, object{"email": email, "phone_number": phone, "country_code": "+91", "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025"})
	for name, value := range changes {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
	return body
}

func (b *browser) enrols(changes object) string {
	b.t.Helper()
	got := b.post("/scholarship/v1/create-scholarship-request", enrolment(changes))
	want(b.t, got, http.StatusOK, "Your details are saved.")
	return got.text("scholarship_requested_id")
}

func (b *browser) starts(registration string) reply {
	b.t.Helper()
	return b.post("/payments/v1/initiate-payment", object{"scholarship_requested_id": registration, "redirection_url": baseURL + "/success"})
}

// pays pays a registration in full.
func (b *browser) pays(registration string) {
	b.t.Helper()
	txn := b.starts(registration).text("transactionResponse", "txId")
	if _, err := b.services.Payment.Complete(b.t.Context(), txn, method.Return{Form: b.gateway.Press(txn, sandbox.Paid)}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) outcome(txn string) reply {
	b.t.Helper()
	return b.post("/payments/v1/verify-payment", object{"payment_transaction_id": txn})
}

func want(t *testing.T, got reply, status int, message string) {
	t.Helper()
	if got.status != status || got.message() != message {
		t.Fatalf("got %d %q, want %d %q\n%s", got.status, got.message(), status, message, got.raw)
	}
}

func wantWritten(t *testing.T, s *site, before map[string]int, wanted map[string]int) {
	t.Helper()
	after := s.ledger.written()
	for what := range before {
		if after[what] -= before[what]; after[what] == 0 {
			delete(after, what)
		}
	}
	if wanted == nil {
		wanted = map[string]int{}
	}
	if !maps.Equal(after, wanted) {
		t.Errorf("written %v, want %v", after, wanted)
	}
}
