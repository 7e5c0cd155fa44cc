package cashfree_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/cashfree"
	"hiresure/simulators"
)

// judge validates requests and responses against the published description, which is of version 2022-09-01, so calls use that
// version, whose ids are numbers.
type judge struct {
	t      *testing.T
	router routers.Router
	judged map[string]int
}

func (j *judge) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("x-api-version", "2022-09-01")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
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
	name := r.Method + " " + strings.ReplaceAll(r.URL.Path, txn, "{order_id}")
	route, parameters, err := j.router.FindRoute(asked)
	if err != nil { // PATCH of orders, and disputes, came with 2023-08-01
		j.judged["undescribed: "+name]++
		return response, nil
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	input := &openapi3filter.RequestValidationInput{Request: asked, PathParams: parameters, Route: route, Options: options}
	if err := openapi3filter.ValidateRequest(asked.Context(), input); err != nil {
		j.t.Errorf("request %s: %v", name, err)
	}
	if bytes.HasPrefix(received, []byte("[")) { // the description has an object where Cashfree returns a list
		j.judged["asked: "+name]++
		return response, nil
	}
	if err := openapi3filter.ValidateResponse(asked.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(received)), Options: options,
	}); err != nil {
		j.t.Errorf("answer of %s: %v", name, err)
	}
	j.judged["asked and answered: "+name]++
	return response, nil
}

// TestCallsMatchPublishedSchema needs the folder of the descriptions, which is not part of this project.
func TestCallsMatchPublishedSchema(t *testing.T) {
	folder := os.Getenv("OPENAPI_DIR")
	if folder == "" {
		return
	}
	description, err := openapi3.NewLoader().LoadFromFile(filepath.Join(folder, "cashfree_2022-09-01.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	server := httptest.NewServer(d.there)
	defer server.Close()
	description.Servers = openapi3.Servers{{URL: server.URL + "/pg"}}
	j := &judge{t: t, judged: map[string]int{}}
	if j.router, err = gorillamux.NewRouter(description); err != nil {
		t.Fatal(err)
	}
	if d.Gateway, err = cashfree.New(cashfree.Config{AppID: "TEST1", Secrets: []string{secret}, BaseURL: server.URL + "/pg", Clock: d.Now, Transport: j}); err != nil {
		t.Fatal(err)
	}
	d.start(t)
	charge := method.Charge{PaymentID: d.there.Authorise(txn)}
	if got := summary(d.Fetch(t.Context(), intent(), txn)); got != "paid; paid of ₹1,499.00 INR" {
		t.Error(got)
	}
	if got := toldRefund(d.Refund(t.Context(), intent(), charge, "refund1", fee)); got != "refund1 done ₹1,499.00" {
		t.Error(got)
	}
	for _, err := range d.List(t.Context(), noon) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{
		"asked and answered: POST /pg/orders", "asked and answered: GET /pg/orders/{order_id}", "asked: GET /pg/orders/{order_id}/payments",
		"asked and answered: POST /pg/orders/{order_id}/authorization", "asked and answered: POST /pg/orders/{order_id}/refunds",
		"asked and answered: GET /pg/orders/{order_id}/refunds/refund1", "asked and answered: POST /pg/recon",
	} {
		if j.judged[want] == 0 {
			t.Errorf("not judged: %s; judged %v", want, j.judged)
		}
	}
	d.there.AddFaults(simulators.Unauthorized)
	if got := summary(d.Fetch(t.Context(), intent(), txn)); got != "payment: provider refuses our credentials" {
		t.Error(got)
	}
}
