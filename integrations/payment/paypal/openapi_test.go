package paypal_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/paypal"
	"hiresure/simulators"
)

// judge checks every request and response against PayPal's published descriptions.
type judge struct {
	t       *testing.T
	routers []routers.Router
	judged  map[string]int
}

var anID = regexp.MustCompile(`/(5O|3C|1J)[0-9]+`)

func (j *judge) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	asked := r.Clone(r.Context())
	asked.Body = io.NopCloser(bytes.NewReader(body))
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
	name := r.Method + " " + anID.ReplaceAllString(r.URL.Path, "/{id}") + " " + response.Status[:3]
	for _, router := range j.routers {
		route, parameters, err := router.FindRoute(asked)
		if err != nil {
			continue
		}
		options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
		input := &openapi3filter.RequestValidationInput{Request: asked, PathParams: parameters, Route: route, Options: options}
		if err := openapi3filter.ValidateRequest(asked.Context(), input); err != nil {
			j.t.Errorf("request %s: %v", name, err)
		}
		if err := openapi3filter.ValidateResponse(asked.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(received)), Options: options,
		}); err != nil {
			j.t.Errorf("answer of %s: %v", name, err)
		}
		j.judged[name]++
		return response, nil
	}
	j.judged["undescribed: "+name]++
	return response, nil
}

// describe reads a published description and sets its server to base. It returns nil without the folder of descriptions, which is not
// part of this project.
func describe(t *testing.T, name, base string) *openapi3.T {
	t.Helper()
	file := filepath.Join(cmp.Or(os.Getenv("OPENAPI_DIR"), "../../../../shared/openapi"), name)
	if _, err := os.Stat(file); err != nil {
		t.Logf("not judged: %s", err)
		return nil
	}
	description, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	description.Servers = openapi3.Servers{{URL: base}}
	return description
}

func TestCallsMatchPublishedSchema(t *testing.T) {
	d := newDesk(t)
	j := &judge{t: t, judged: map[string]int{}}
	for _, name := range []string{"paypal_checkout_orders_v2.json", "paypal_payments_v2.json"} {
		description := describe(t, name, d.base)
		if description == nil {
			return
		}
		router, err := gorillamux.NewRouter(description)
		if err != nil {
			t.Fatal(err)
		}
		j.routers = append(j.routers, router)
	}
	d.open(t, func(n *paypal.Config) { n.Transport = j })
	id := d.start(t)
	d.start(t) // the same key
	d.there.ApproveWithout(id)
	if got := summary(d.Fetch(t.Context(), intent(), id)); got != "pending, last try failed" {
		t.Error(got)
	}
	d.Pass(1e9)
	d.there.ApproveCheque(id)
	if got := summary(d.Fetch(t.Context(), intent(), id)); got != "pending, at the bank" {
		t.Error(got)
	}
	d.there.Clear(d.there.CaptureOf(id), "COMPLETED")
	charge := method.Charge{PaymentID: d.there.CaptureOf(id)}
	d.there.SlowRefunds()
	made, err := d.Refund(t.Context(), intent(), charge, "refund1", dollars(500))
	if got := toldRefund(made, err); got != "true accepted $5.00" {
		t.Error(got)
	}
	if got := toldRefund(d.FetchRefund(t.Context(), intent(), "refund1", made.ProviderID)); got != "true accepted $5.00" {
		t.Error(got)
	}
	if got := toldRefund(d.FetchRefund(t.Context(), intent(), "r", "1J0")); got != "payment: provider has no such transaction" {
		t.Error(got)
	}
	if got := summary(d.Fetch(t.Context(), intent(), "5O0")); got != "payment: provider has no such transaction" {
		t.Error(got)
	}
	d.there.AddFaults(simulators.Unauthorized)
	if got := summary(d.Fetch(t.Context(), intent(), id)); got != "paid; paid of $18.00 USD" {
		t.Error(got)
	}
	for _, err := range d.List(t.Context(), noon) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{
		"POST /v2/checkout/orders 201", "POST /v2/checkout/orders 200", "GET /v2/checkout/orders/{id} 200", "GET /v2/checkout/orders/{id} 404", "GET /v2/checkout/orders/{id} 401",
		"POST /v2/checkout/orders/{id}/capture 201", "POST /v2/checkout/orders/{id}/capture 422", "GET /v2/payments/captures/{id} 200",
		"POST /v2/payments/captures/{id}/refund 201", "GET /v2/payments/refunds/{id} 200", "GET /v2/payments/refunds/{id} 404",
	} {
		if j.judged[want] == 0 {
			t.Errorf("not judged: %s; judged %v", want, j.judged)
		}
	}
}

// TestEventsMatchPublishedSchema checks webhooks against the schema of PayPal's verification.
func TestEventsMatchPublishedSchema(t *testing.T) {
	description := describe(t, "paypal_webhooks_v1.json", "https://api-m.paypal.com")
	if description == nil {
		return
	}
	d := newDesk(t)
	charge := d.paid(t)
	d.there.RefundThere(charge.PaymentID, 100)
	d.there.Dispute(charge.PaymentID)
	d.there.Resolve(charge.PaymentID, "RESOLVED_BUYER_FAVOUR")
	sent := d.there.Events()
	for _, e := range sent {
		var body any
		if err := json.Unmarshal(e.Body, &body); err != nil {
			t.Fatal(err)
		}
		if err := description.Components.Schemas["event"].Value.VisitJSON(body); err != nil {
			t.Errorf("%s: %v", e.Body, err)
		}
	}
	if len(sent) != 5 {
		t.Errorf("%d events", len(sent))
	}
}
