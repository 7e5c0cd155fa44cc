package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"

	"hiresure/forms"
	"hiresure/forms/formstest"
)

// Visitor is a person with a cookie jar who uses the JSON API like the islands.
type Visitor struct {
	Base   string // origin; may change between requests
	Name   string
	Phone  string // ten digits
	Email  string
	Event  string    // scholarship_code
	Asked  time.Time // when the code was requested: an older one is another session's
	Client *http.Client

	// Asking and Answered are the times of the last request and its response.
	Asking, Answered time.Time
}

// NewVisitor returns person number n, with a unique phone and e-mail address.
func NewVisitor(base string, n int) *Visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // New without options cannot fail
	}
	return &Visitor{
		Base: base, Name: "Asha Verma", Phone: fmt.Sprintf("7%09d", 100_000_000+n*7919), Email: fmt.Sprintf("visitor%d@example.com", n), Event: "KS_Mgrow",
		Client: &http.Client{Jar: jar, Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// Answer is a response of the JSON API.
type Answer struct {
	Status int
	Header http.Header
	Fields map[string]any
}

func (a Answer) text(name string) string { s, _ := a.Fields[name].(string); return s }

// Call posts a JSON body.
func (v *Visitor) Call(path string, body map[string]any) (Answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return Answer{}, err
	}
	request, err := http.NewRequest(http.MethodPost, v.Base+path, bytes.NewReader(raw))
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	return v.do(request)
}

func (v *Visitor) do(request *http.Request) (Answer, error) {
	v.Asking = time.Now()
	answer, err := v.Client.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer answer.Body.Close()
	v.Answered = time.Now()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Status: answer.StatusCode, Header: answer.Header}
	if err := json.Unmarshal(raw, &a.Fields); err != nil {
		return a, fmt.Errorf("%s answered %d, not JSON: %.200s", request.URL.Path, answer.StatusCode, raw)
	}
	return a, nil
}

// Refused is the error for an unexpected response.
type Refused struct {
	Step   string
	Answer Answer
}

func (r *Refused) Error() string {
	return fmt.Sprintf("%s: %d %v", r.Step, r.Answer.Status, r.Answer.Fields)
}

func (v *Visitor) step(path string, body map[string]any) (Answer, error) {
	a, err := v.Call(path, body)
	if err == nil && a.Status != http.StatusOK {
		err = &Refused{path, a}
	}
	return a, err
}

// AskCode requests a code and returns the request's id.
func (v *Visitor) AskCode() (string, error) {
	a, err := v.step("/scholarship/v1/user-verification-request", map[string]any{
		"email": v.Email, "phone_number": v.Phone, "country_code": "+91", "scholarship_code": v.Event,
	})
	return a.text("request_id"), err
}

var sixDigits = regexp.MustCompile(`#(\d{6})`)

// ReadCode returns the newest code for the visitor's phone in the development outbox, or "".
func (v *Visitor) ReadCode() (string, error) {
	answer, err := v.Client.Get(v.Base + "/dev/outbox.json?to=" + url.QueryEscape("+91"+v.Phone))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var messages []struct {
		To, Body  string
		CreatedAt time.Time `json:"created_at"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&messages); err != nil {
		return "", err
	}
	for _, m := range messages {
		if found := sixDigits.FindStringSubmatch(m.Body); m.To == "+91"+v.Phone && found != nil && !m.CreatedAt.Before(v.Asked) {
			return found[1], nil
		}
	}
	return "", nil
}

// GiveCode verifies the phone.
func (v *Visitor) GiveCode(requestID, code string) error {
	_, err := v.step("/scholarship/v1/user-request-verify", map[string]any{
		"email": v.Email, "phone_number": v.Phone, "phone_otp": code, "scholarship_code": v.Event, "request_id": requestID,
	})
	return err
}

// Enrol creates the registration and returns its id.
func (v *Visitor) Enrol(coupon string) (string, error) {
	body := forms.Get("enrolment").ToWire(formstest.Good("enrolment"))
	maps.Copy(body, map[string]any{"fullname": v.Name, "email": v.Email, "phone_number": v.Phone, "country_code": "+91", "selected_course": "Data_Analytics", "state": "Maharashtra", "scholarship_code": v.Event})
	if coupon != "" {
		body["coupon_code"] = coupon
	}
	a, err := v.step("/scholarship/v1/create-scholarship-request", body)
	return a.text("scholarship_requested_id"), err
}

// Initiate starts a payment and returns its id.
func (v *Visitor) Initiate(registrationID string) (string, error) {
	a, err := v.step("/payments/v1/initiate-payment", map[string]any{"scholarship_requested_id": registrationID, "redirection_url": "/success"})
	if err != nil {
		return "", err
	}
	transaction, _ := a.Fields["transactionResponse"].(map[string]any)
	id, _ := transaction["payment_transaction_id"].(string)
	return id, nil
}

// Verify returns the state of a payment.
func (v *Visitor) Verify(txn string) (string, error) {
	a, err := v.step("/payments/v1/verify-payment", map[string]any{"payment_transaction_id": txn})
	return a.text("payment_status"), err
}

var outcomeForm = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*/return)"[^>]*>(.*?)</form>`)
var hiddenInput = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)
var nameAttribute = regexp.MustCompile(`name="([^"]*)"`)
var valueAttribute = regexp.MustCompile(`value="([^"]*)"`)

// Press presses a button of the sandbox's checkout page, like a browser without scripts.
func (v *Visitor) Press(txn, outcome string) error {
	answer, err := v.Client.Get(v.Base + "/checkout/" + txn)
	if err != nil {
		return err
	}
	page, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		return err
	}
	if answer.StatusCode == http.StatusSeeOther { // settled already
		return nil
	}
	for _, form := range outcomeForm.FindAllSubmatch(page, -1) {
		values := url.Values{}
		for _, input := range hiddenInput.FindAll(form[2], -1) {
			name, value := nameAttribute.FindSubmatch(input), valueAttribute.FindSubmatch(input)
			if name != nil && value != nil {
				values.Set(string(name[1]), string(value[1]))
			}
		}
		if values.Get("outcome") != outcome {
			continue
		}
		request, err := http.NewRequest(http.MethodPost, v.Base+string(form[1]), strings.NewReader(values.Encode()))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		v.Asking = time.Now()
		answer, err := v.Client.Do(request)
		if err != nil {
			return err
		}
		v.Answered = time.Now()
		answer.Body.Close()
		if answer.StatusCode != http.StatusSeeOther {
			return fmt.Errorf("press %s: %d", outcome, answer.StatusCode)
		}
		return nil
	}
	return fmt.Errorf("checkout page (%d) has no button for %q", answer.StatusCode, outcome)
}
