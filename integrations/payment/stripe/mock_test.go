package stripe_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"hiresure/admission"
	"hiresure/integrations/payment/stripe"
)

// startMock starts Stripe's mock of its API for one test. The mock checks calls against the published
// description and always responds with fixtures. startMock returns its address.
func startMock(t *testing.T) string {
	t.Helper()
	const program = "../../../bin/stripe-mock"
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: ./task setup builds it", err)
	}
	server := exec.Command(program, "-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0")
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if _, at, found := strings.Cut(lines.Text(), "Listening for HTTP at address: "); found {
			go func() { _, _ = io.Copy(io.Discard, stdout) }() // it logs every call
			return "http://" + at
		}
	}
	t.Fatal("stripe-mock did not start")
	return ""
}

// judge sends every call to the mock too, and compares the fields of the responses.
type judge struct {
	t      *testing.T
	mock   string
	judged map[string]bool
}

func (j *judge) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	asked, err := http.NewRequestWithContext(r.Context(), r.Method, j.mock+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	asked.Header = r.Header.Clone()
	r.Body = io.NopCloser(bytes.NewReader(body))
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	received, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(received))
	if err != nil {
		return nil, err
	}
	judgement, err := http.DefaultTransport.RoundTrip(asked)
	if err != nil {
		return nil, err
	}
	fixture, err := io.ReadAll(judgement.Body)
	judgement.Body.Close()
	if err != nil {
		return nil, err
	}
	name := callName(r)
	if judgement.StatusCode != http.StatusOK {
		j.t.Errorf("%s?%s %s: %d %s", name, r.URL.RawQuery, body, judgement.StatusCode, fixture)
	}
	if response.StatusCode == http.StatusOK {
		j.compare(name, objectOf(j.t, received), objectOf(j.t, fixture))
	}
	j.judged[name] = true
	return response, nil
}

// callName returns a call without its ids.
func callName(r *http.Request) string {
	parts := strings.Split(r.URL.Path, "/")
	if len(parts) > 3 {
		parts[3] = "{id}"
	}
	return r.Method + " " + strings.Join(parts, "/")
}

// objectOf decodes an object, or the first of a list; nil if there is none.
func objectOf(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatal(err)
	}
	if document["object"] != "list" {
		return document
	}
	data, _ := document["data"].([]any)
	if len(data) == 0 {
		return nil
	}
	first, _ := data[0].(map[string]any)
	return first
}

// compare reports fields of the simulator that Stripe does not have or that have another type there.
func (j *judge) compare(name string, document, fixture map[string]any) {
	for field, value := range document {
		has, there := fixture[field]
		_, number := value.(float64)
		if _, isNumber := has.(float64); !there || has != nil && value != nil && number != isNumber {
			j.t.Errorf("%s: the simulator tells %s=%v, Stripe %v", name, field, value, has)
		}
	}
}

func TestCallsMatchStripeMock(t *testing.T) {
	d := newDesk(t)
	server := httptest.NewServer(d.there)
	defer server.Close()
	j := &judge{t, startMock(t), map[string]bool{}}
	with := config(server.URL)
	with.Transport, with.Clock = j, d.Now
	var err error
	if d.Gateway, err = stripe.New(with); err != nil {
		t.Fatal(err)
	}
	d.start(t)
	d.there.Authorise(txn)
	for _, ref := range []string{"", d.ref} {
		if got := summary(d.Fetch(t.Context(), intent(), ref)); got != "paid; paid of ₹1,499.00 INR" {
			t.Error(got)
		}
	}
	status, err := d.Fetch(t.Context(), intent(), d.ref)
	if err != nil {
		t.Fatal(err)
	}
	made, err := d.Refund(t.Context(), intent(), status.Charges[0], "refund1", admission.INR(50000))
	if got := toldRefund(made, err); got != "true done ₹500.00" {
		t.Error(got)
	}
	for _, id := range []string{"", made.ProviderID} {
		if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", id)); got != "true done ₹500.00" {
			t.Error(got)
		}
	}
	d.there.Dispute(status.Charges[0].PaymentID, "needs_response")
	for _, err := range d.List(t.Context(), noon) {
		if err != nil {
			t.Error(err)
		}
	}
	other := intent()
	other.TxnID = "1" + txn[1:]
	session, err := d.Start(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(d.Cancel(t.Context(), other, session.Ref)); got != "failed" {
		t.Error(got)
	}
	for _, want := range []string{
		"POST /v1/payment_intents", "GET /v1/payment_intents", "GET /v1/payment_intents/{id}", "POST /v1/payment_intents/{id}/capture", "POST /v1/payment_intents/{id}/cancel",
		"GET /v1/charges/{id}", "POST /v1/refunds", "GET /v1/refunds", "GET /v1/refunds/{id}", "GET /v1/disputes", "GET /v1/balance_transactions",
	} {
		if !j.judged[want] {
			t.Errorf("not judged: %s", want)
		}
	}
	for _, form := range []url.Values{{"amount": {"1"}}, {"amount": {"1499.00"}, "currency": {"inr"}}, {"amount": {"1"}, "currency": {"inr"}, "order_id": {"T1"}}} {
		refused, err := http.NewRequestWithContext(t.Context(), http.MethodPost, j.mock+"/v1/payment_intents", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		refused.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/x-www-form-urlencoded"}}
		answer, err := http.DefaultClient.Do(refused)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("the judge lets %v through: %d", form, answer.StatusCode)
		}
	}
}
