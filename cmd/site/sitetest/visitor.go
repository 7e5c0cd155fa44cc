package sitetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/paper"
	"hiresure/admission/receipt"
	"hiresure/cmd/site/site"
	"hiresure/e2e"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/store"
)

// Reader is a visitor of a whole site, with a mailbox.
type Reader struct {
	*e2e.Visitor
	T    *testing.T
	Site *site.Site
	Log  *Log          // warnings and errors
	late *atomic.Int64 // offset of the site's clock
}

// Passes advances the site's clock.
func (r *Reader) Passes(d time.Duration) { r.late.Add(int64(d)) }

// Log is a buffer for concurrent writers.
type Log struct {
	bytes.Buffer
	mutex sync.Mutex
}

func (s *Log) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.Buffer.Write(p)
}

// Open starts a site while enrolment is open. Its clock advances only by Passes.
func Open(t *testing.T, changes ...string) *Reader {
	t.Helper()
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	cfg, _ := Development(t, append(changes, "BASE_URL", server.URL)...)
	late := new(atomic.Int64)
	clock := func() time.Time {
		return time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC).Add(time.Duration(late.Load()))
	}
	log := new(Log)
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn})), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.WithoutCancel(t.Context())) })
	handler = s.Handler
	return &Reader{e2e.NewVisitor(server.URL, 1), t, s, log, late}
}

func (r *Reader) Fetch(path string, header ...string) (*http.Response, string) {
	r.T.Helper()
	request, err := http.NewRequest(http.MethodGet, r.Base+path, nil)
	if err != nil {
		r.T.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := r.Client.Do(request)
	if err != nil {
		r.T.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		r.T.Fatal(err)
	}
	return answer, string(body)
}

// Post posts a JSON body and returns the status and body of the response.
func (r *Reader) Post(path string, body map[string]any) (int, string) {
	r.T.Helper()
	answer, err := r.Call(path, body)
	if err != nil {
		r.T.Fatal(err)
	}
	text, err := json.Marshal(answer.Fields)
	if err != nil {
		r.T.Fatal(err)
	}
	return answer.Status, string(text)
}

// Mail runs the due jobs and returns subject and text of the newest message to an address.
func (r *Reader) Mail(to string) string {
	r.T.Helper()
	for _, worker := range r.Site.Workers {
		if _, err := worker.RunDue(r.T.Context()); err != nil {
			r.T.Fatal(err)
		}
	}
	got, _, err := r.Site.Store.OutboxPage(r.T.Context(), to, "", 1)
	if err != nil || len(got) == 0 {
		r.T.Fatalf("nothing was sent to %s, %v", to, err)
	}
	return got[0].Subject + "\n" + got[0].Body
}

// Work runs all due jobs.
func (r *Reader) Work() {
	r.T.Helper()
	for done := 1; done > 0; {
		done = 0
		for _, worker := range r.Site.Workers {
			n, err := worker.RunDue(r.T.Context())
			if err != nil {
				r.T.Fatal(err)
			}
			done += n
		}
	}
}

// Upload sends a file by the API and returns the document's address and the message.
func (r *Reader) Upload(v *e2e.Visitor, name, content string) (address, message string) {
	r.T.Helper()
	got := r.Ask(v, "POST", "/v2scholarship/v1/upload-document-file",
		"--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\""+name+"\"\r\n\r\n"+content+"\r\n--part--\r\n")
	var answer struct {
		Message  string
		FileInfo struct{ URL string }
	}
	if err := json.Unmarshal([]byte(got.Text), &answer); err != nil {
		r.T.Fatalf("%d %s: %v", got.Status, got.Text, err)
	}
	return answer.FileInfo.URL, answer.Message
}

func (r *Reader) Open(v *e2e.Visitor, address string) Answer {
	r.T.Helper()
	return r.Ask(v, "GET", address, "")
}

func (r *Reader) Delete(v *e2e.Visitor, address string) {
	r.T.Helper()
	if got := r.Ask(v, "POST", "/v2scholarship/v1/delete-uploaded-document-file", `{"fileUrl":"`+address+`"}`); got.Status != http.StatusOK {
		r.T.Errorf("deleting answers %d %s", got.Status, got.Text)
	}
	if got := r.Open(v, address); got.Status != http.StatusNotFound {
		r.T.Errorf("what is deleted opens with %d", got.Status)
	}
}

// Answer is a response.
type Answer struct {
	Status         int
	Location, Text string
}

// Ask sends a request with the visitor's cookies. Its body is a form, JSON or, if it begins with "--part", multipart.
func (r *Reader) Ask(v *e2e.Visitor, method, path, body string) Answer {
	r.T.Helper()
	request, err := http.NewRequest(method, r.Base+path, strings.NewReader(body))
	if err != nil {
		r.T.Fatal(err)
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set("Tus-Resumable", "1.0.0")
	switch {
	case strings.HasPrefix(body, "--part"):
		request.Header.Set("Content-Type", "multipart/form-data; boundary=part")
	case strings.HasPrefix(body, "{"):
		request.Header.Set("Content-Type", "application/json")
	case body != "":
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := v.Client.Do(request)
	if err != nil {
		r.T.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.T.Fatal(err)
	}
	return Answer{answer.StatusCode, answer.Header.Get("Location"), string(text)}
}

// RequestID matches the id of a code request in a form, and Code a code in an SMS.
var (
	RequestID = regexp.MustCompile(`name="request_id" value="([^"]+)"`)
	Code      = regexp.MustCompile(`#(\d{6})`)
)

// SignUp creates an account with the visitor's phone and signs in.
func (r *Reader) SignUp(v *e2e.Visitor) {
	r.T.Helper()
	person := url.Values{"fullname": {v.Name}, "email": {v.Email}, "phone_number": {v.Phone}}
	asked := r.Ask(v, "POST", "/account/sign-up", person.Encode())
	asked = r.Ask(v, "GET", asked.Location, "")
	id := RequestID.FindStringSubmatch(asked.Text)
	if id == nil {
		r.T.Fatalf("no code was sent: %.2000s", asked.Text)
	}
	person.Set("request_id", id[1])
	person.Set("otp", Code.FindStringSubmatch(r.Mail("+91" + v.Phone))[1])
	if in := r.Ask(v, "POST", "/account/sign-in/code", person.Encode()); in.Status != http.StatusSeeOther {
		r.T.Fatalf("not signed in: %d %.2000s", in.Status, in.Text)
	}
}

// Session returns the session id of the visitor's account.
func (r *Reader) Session(v *e2e.Visitor) (id string) {
	r.T.Helper()
	if err := r.Site.Store.View(r.T.Context(), func(tx store.Tx) error {
		a, err := tx.AccountOf("+91" + v.Phone)
		if err != nil {
			return err
		}
		sessions, err := tx.SessionsOf(a.ID)
		id = sessions[0].ID
		return err
	}); err != nil {
		r.T.Fatal(err)
	}
	return id
}

// SignedIn returns the visitor with session and account.
func (r *Reader) SignedIn(v *e2e.Visitor) admission.Visitor {
	r.T.Helper()
	who := admission.Visitor{SessionID: r.Session(v)}
	if err := r.Site.Store.View(r.T.Context(), func(tx store.Tx) error {
		session, err := tx.Session(who.SessionID)
		if err == nil {
			who.AccountID = session.AccountID
		}
		return err
	}); err != nil {
		r.T.Fatal(err)
	}
	return who
}

// Application creates the visitor's application and a payment of it.
func (r *Reader) Application(v *e2e.Visitor) (registration, txn string) {
	r.T.Helper()
	registration = businesstest.Applicant{Services: r.Site.Business, Visitor: r.SignedIn(v)}.Reach(r.T, enrol.StepAgreed)
	txn, err := v.Initiate(registration)
	if err != nil {
		r.T.Fatal(err)
	}
	return registration, txn
}

// Pay enrols, pays at the sandbox and returns the payment's id.
func (r *Reader) Pay() (txn string) {
	r.T.Helper()
	_, answer := r.EnrolIn("Data_Analytics")
	id := regexp.MustCompile(`"scholarship_requested_id":"([^"]+)"`).FindStringSubmatch(answer)
	if id == nil {
		r.T.Fatalf("not enrolled: %s", answer)
	}
	_, started := r.Post("/payments/v1/initiate-payment", map[string]any{"scholarship_requested_id": id[1], "redirection_url": "/success"})
	txn = regexp.MustCompile(`"payment_transaction_id":"([^"]+)"`).FindStringSubmatch(started)[1]
	if err := r.Press(txn, "paid"); err != nil {
		r.T.Fatal(err)
	}
	return txn
}

// Happen presses a button of the developers' page.
func (r *Reader) Happen(txn, what string) (status int, location, body string) {
	r.T.Helper()
	stay := *r.Client
	stay.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := stay.PostForm(r.Base+"/dev/payments/"+txn, url.Values{"what": {what}})
	if err != nil {
		r.T.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.T.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Location"), string(text)
}

// EnrolIn requests a code, verifies it and enrols in a course. It returns the last response.
func (r *Reader) EnrolIn(course string) (int, string) {
	r.T.Helper()
	request, err := r.AskCode()
	if err != nil {
		r.T.Fatal(err)
	}
	code := regexp.MustCompile(`#(\d{6})`).FindStringSubmatch(r.Mail("+91" + r.Phone))
	if err := r.GiveCode(request, code[1]); err != nil {
		r.T.Fatal(err)
	}
	return r.Post("/scholarship/v1/create-scholarship-request", r.Registration(course, r.Event))
}

func (r *Reader) Registration(course, event string) map[string]any {
	body := forms.Get("enrolment").ToWire(formstest.Good("enrolment"))
	maps.Copy(body, map[string]any{"fullname": r.Name, "email": r.Email, "phone_number": r.Phone, "country_code": "+91", "selected_course": course, "state": "Maharashtra", "scholarship_code": event})
	return body
}

// Papers returns the papers of a payment, sorted by kind and ref.
func (r *Reader) Papers(txn string) (papers []paper.Paper) {
	r.T.Helper()
	if err := r.Site.Store.View(r.T.Context(), func(tx store.Tx) (err error) {
		papers, err = tx.PapersOfPayment(txn)
		return err
	}); err != nil {
		r.T.Fatal(err)
	}
	slices.SortFunc(papers, func(a, b paper.Paper) int { return strings.Compare(string(a.Kind)+a.Ref, string(b.Kind)+b.Ref) })
	return papers
}

func (r *Reader) Kinds(txn string) string {
	var kinds []string
	for _, p := range r.Papers(txn) {
		kinds = append(kinds, fmt.Sprintf("%s %d %t", p.Kind, p.Issue, p.Printed))
	}
	return strings.Join(kinds, ", ")
}

func (r *Reader) Receipt(txn string) receipt.Receipt {
	r.T.Helper()
	of, err := r.Site.Business.Receipts.ReceiptOfPayment(r.T.Context(), txn)
	if err != nil {
		r.T.Fatal(err)
	}
	return of
}
