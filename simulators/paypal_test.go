package simulators

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// paypalAsk sends a call with a token and returns status and body of the response.
func paypalAsk(s *PayPal, method, path, body string, header http.Header) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if header != nil {
		r.Header = header.Clone()
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func newTestPayPal(t *testing.T, clock func() time.Time) (s *PayPal, header http.Header) {
	t.Helper()
	s = NewPayPal(KeysPayPal{ClientID: "app", Secret: "secret", WebhookID: "1JE4291016473214C", Clock: clock})
	r := httptest.NewRequest("POST", "/v1/oauth2/token", strings.NewReader("grant_type=client_credentials"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("app", "secret")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	_, after, found := strings.Cut(w.Body.String(), `"access_token":"`)
	token, _, _ := strings.Cut(after, `"`)
	if !found {
		t.Fatal(w.Body)
	}
	return s, http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Prefer": {"return=representation"}}
}

func TestPayPalAPI(t *testing.T) {
	noon := time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)
	order := func(unit string) string { return `{"intent":"CAPTURE","purchase_units":[` + unit + `]}` }
	const sum = `"amount":{"currency_code":"USD","value":"18.00"}`
	long := strings.Repeat("x", 128)
	for _, c := range []struct{ sentence, method, path, body, key, want string }{
		{"an order", "POST", "/v2/checkout/orders", order(`{` + sum + `}`), "k", `201 "status":"CREATED"`},
		{"another intent", "POST", "/v2/checkout/orders", `{"intent":"CAPTUR","purchase_units":[{` + sum + `}]}`, "", `400 "issue":"INVALID_PARAMETER_VALUE"`},
		{"nothing to buy", "POST", "/v2/checkout/orders", order(``), "", `400 "issue":"INVALID_ARRAY_MAX_ITEMS"`},
		{"rupees", "POST", "/v2/checkout/orders", order(`{"amount":{"currency_code":"INR","value":"1499.00"}}`), "", `422 "issue":"CURRENCY_NOT_SUPPORTED"`},
		{"a sum as a number", "POST", "/v2/checkout/orders", order(`{"amount":{"currency_code":"USD","value":18.00}}`), "", `400 "issue":"INVALID_PARAMETER_SYNTAX"`},
		{"a sum with three decimals", "POST", "/v2/checkout/orders", order(`{"amount":{"currency_code":"USD","value":"18.001"}}`), "", `422 "issue":"DECIMAL_PRECISION"`},
		{"no sum", "POST", "/v2/checkout/orders", order(`{"amount":{"currency_code":"USD","value":"0.00"}}`), "", `422 "issue":"CANNOT_BE_ZERO_OR_NEGATIVE"`},
		{"a long id", "POST", "/v2/checkout/orders", order(`{"custom_id":"` + long + `",` + sum + `}`), "", `400 "issue":"INVALID_STRING_LENGTH"`},
		{"a long description", "POST", "/v2/checkout/orders", order(`{"description":"` + long + `",` + sum + `}`), "", `400 "issue":"INVALID_STRING_LENGTH"`},
		{"a long key", "POST", "/v2/checkout/orders", order(`{` + sum + `}`), long, `400 "issue":"INVALID_STRING_LENGTH"`},
		{"no JSON", "POST", "/v2/checkout/orders", "paid!", "", `400 "issue":"MALFORMED_REQUEST_JSON"`},
		{"an unknown order", "GET", "/v2/checkout/orders/5O9", "", "", `404 "name":"RESOURCE_NOT_FOUND"`},
		{"a capture of an unknown order", "POST", "/v2/checkout/orders/5O9/capture", "{}", "", `404 "name":"RESOURCE_NOT_FOUND"`},
		{"an unknown capture", "GET", "/v2/payments/captures/3C9", "", "", `404 "name":"RESOURCE_NOT_FOUND"`},
		{"an unknown refund", "GET", "/v2/payments/refunds/1J9", "", "", `404 "name":"RESOURCE_NOT_FOUND"`},
		{"transactions of 32 days", "GET", "/v1/reporting/transactions?start_date=2026-01-01T00:00:00Z&end_date=2026-02-02T00:00:00Z&page_size=500&page=1", "", "", `400 "name":"INVALID_REQUEST"`},
		{"transactions without seconds", "GET", "/v1/reporting/transactions?start_date=2026-01-01T00:00Z&end_date=2026-01-02T00:00:00Z&page_size=500&page=1", "", "", `400 "name":"INVALID_REQUEST"`},
		{"501 transactions a page", "GET", "/v1/reporting/transactions?start_date=2026-01-01T00:00:00Z&end_date=2026-01-02T00:00:00Z&page_size=501&page=1", "", "", `400 "name":"INVALID_REQUEST"`},
		{"disputes of nothing", "GET", "/v1/customer/disputes", "", "", `400 "issue":"MISSING_REQUIRED_PARAMETER"`},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s, header := newTestPayPal(t, func() time.Time { return noon })
			header.Set("PayPal-Request-Id", c.key)
			got, body := paypalAsk(s, c.method, c.path, c.body, header)
			status, part, _ := strings.Cut(c.want, " ")
			if fmt.Sprint(got) != status || !strings.Contains(body, part) {
				t.Errorf("%d %s, want %s", got, body, c.want)
			}
			if made := s.Orders(); made != 0 && status != "201" {
				t.Errorf("%d orders were made", made)
			}
		})
	}
	for sentence, change := range map[string]func(http.Header){
		"401 no token": func(h http.Header) { h.Del("Authorization") }, "401 another token": func(h http.Header) { h.Set("Authorization", "Bearer x") }, "415 a form": func(h http.Header) { h.Set("Content-Type", "text/plain") },
	} {
		s, header := newTestPayPal(t, func() time.Time { return noon })
		change(header)
		if got, body := paypalAsk(s, "POST", "/v2/checkout/orders", order(`{`+sum+`}`), header); !strings.HasPrefix(sentence, fmt.Sprint(got)) || s.Orders() != 0 {
			t.Errorf("%s: %d %s", sentence, got, body)
		}
	}
}

// TestPayPalRejects tests the calls of an order's life.
func TestPayPalRejects(t *testing.T) {
	passed := time.Duration(0)
	s, header := newTestPayPal(t, func() time.Time { return time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC).Add(passed) })
	const create = `{"intent":"CAPTURE","purchase_units":[{"invoice_id":"i1","amount":{"currency_code":"USD","value":"18.00"}}]}`
	const order, capture = "5O000000000000002", "3C000000000000005"
	for _, c := range []struct {
		sentence        string
		happens         func()
		path, body, key string
		want            string
	}{
		{"an order", nil, "/v2/checkout/orders", create, "k1", `201 "id":"` + order},
		{"the same key again", nil, "/v2/checkout/orders", create, "k1", `200 "id":"` + order},
		{"not approved", nil, "/v2/checkout/orders/" + order + "/capture", "{}", "k2", `422 "issue":"ORDER_NOT_APPROVED"`},
		{"approved with what the bank refuses, and the key of before", func() { s.ApproveWithout(order) }, "/v2/checkout/orders/" + order + "/capture", "{}", "k2", `422 "issue":"ORDER_NOT_APPROVED"`},
		{"another key", nil, "/v2/checkout/orders/" + order + "/capture", "{}", "k3", `422 "issue":"INSTRUMENT_DECLINED"`},
		{"approved", func() { s.Approve(order) }, "/v2/checkout/orders/" + order + "/capture", "{}", "k4", `201 "id":"` + capture},
		{"captured, by the same key", nil, "/v2/checkout/orders/" + order + "/capture", "{}", "k4", `200 "status":"COMPLETED"`},
		{"captured, by another", nil, "/v2/checkout/orders/" + order + "/capture", "{}", "k5", `422 "issue":"ORDER_ALREADY_CAPTURED"`},
		{"a refund of too much", nil, "/v2/payments/captures/" + capture + "/refund", `{"amount":{"currency_code":"USD","value":"18.01"}}`, "r1", `422 "issue":"REFUND_AMOUNT_EXCEEDED"`},
		{"a refund in euros", nil, "/v2/payments/captures/" + capture + "/refund", `{"amount":{"currency_code":"EUR","value":"18.00"}}`, "r2", `422 "issue":"REFUND_CAPTURE_CURRENCY_MISMATCH"`},
		{"a refund", nil, "/v2/payments/captures/" + capture + "/refund", "{}", "r3", `201 "value":"18.00"`},
		{"again, by the same key", nil, "/v2/payments/captures/" + capture + "/refund", "{}", "r3", `201 "value":"18.00"`},
		{"again, by another", nil, "/v2/payments/captures/" + capture + "/refund", "{}", "r4", `422 "issue":"CAPTURE_FULLY_REFUNDED"`},
		{"after six hours the key makes another order", func() { passed = 6 * time.Hour }, "/v2/checkout/orders", create, "k1", `201 "status":"CREATED"`},
		{"which has the invoice of one that was paid", func() { s.Approve(s.orders[1].id) }, "/v2/checkout/orders/5O000000000000009/capture", "{}", "k6", `422 "issue":"DUPLICATE_INVOICE_ID"`},
		{"and which is forgotten after three hours", func() { passed += 3 * time.Hour }, "/v2/checkout/orders/5O000000000000009/capture", "{}", "k7", `401 "name":"AUTHENTICATION_FAILURE"`},
	} {
		if c.happens != nil {
			c.happens()
		}
		header.Set("PayPal-Request-Id", c.key)
		got, body := paypalAsk(s, "POST", c.path, c.body, header)
		status, part, _ := strings.Cut(c.want, " ")
		if fmt.Sprint(got) != status || !strings.Contains(body, part) {
			t.Errorf("%s: %d %s, want %s", c.sentence, got, body, c.want)
		}
	}
	if s.Captured("USD") != 1800 || s.Refunded("USD") != 1800 {
		t.Errorf("captured %d, refunded %d", s.Captured("USD"), s.Refunded("USD"))
	}
}

func TestPayPalSignature(t *testing.T) {
	s, header := newTestPayPal(t, nil)
	s.ServedAt("http://127.0.0.1:9")
	sent := s.Sign([]byte(`{"id":"WH-1"}`))
	path, found := strings.CutPrefix(sent.Header.Get("Paypal-Cert-Url"), "http://127.0.0.1:9")
	status, text := paypalAsk(s, "GET", path, "", nil)
	block, _ := pem.Decode([]byte(text))
	if !found || status != 200 || block == nil {
		t.Fatal(path, status, text)
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil || leaf.Subject.CommonName != "messageverificationcerts.sandbox.paypal.com" || leaf.CheckSignatureFrom(s.Root()) != nil {
		t.Error(leaf, err)
	}
	if status, _ = paypalAsk(s, "GET", path+"x", "", nil); status != 404 {
		t.Error(status)
	}
	for event, verdict := range map[string]string{`{"id":"WH-1"}`: "SUCCESS", `{"id":"WH-2"}`: "FAILURE"} {
		ask := fmt.Sprintf(`{"transmission_id":%q,"transmission_time":%q,"transmission_sig":%q,"webhook_id":"1JE4291016473214C","webhook_event":%s}`,
			sent.Header.Get("Paypal-Transmission-Id"), sent.Header.Get("Paypal-Transmission-Time"), sent.Header.Get("Paypal-Transmission-Sig"), event)
		if status, body := paypalAsk(s, "POST", "/v1/notifications/verify-webhook-signature", ask, header); status != 200 || !strings.Contains(body, verdict) {
			t.Errorf("%s: %d %s", event, status, body)
		}
	}
}

func TestPayPalScript(t *testing.T) {
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/sdk/js?client-id=app&currency=USD&intent=capture", "200"},
		{"GET", "/sdk/js?client-id=other&currency=USD", "400"},
		{"GET", "/sdk/js?client-id=app", "400"},
		{"POST", "/checkoutnow/pay?token=5O000000000000002", "200 APPROVED good"},
		{"POST", "/checkoutnow/decline?token=5O000000000000002", "200 APPROVED declined"},
		{"POST", "/checkoutnow/cheque?token=5O000000000000002", "200 APPROVED cheque"},
		{"GET", "/checkoutnow/pay?token=5O000000000000002", "404"},
		{"POST", "/checkoutnow/steal?token=5O000000000000002", "404"},
		{"POST", "/checkoutnow/pay?token=5O9", "404"},
	} {
		s, header := newTestPayPal(t, nil)
		if status, body := paypalAsk(s, "POST", "/v2/checkout/orders", `{"intent":"CAPTURE","purchase_units":[{"amount":{"currency_code":"USD","value":"18.00"}}]}`, header); status != 201 {
			t.Fatal(status, body)
		}
		status, _ := paypalAsk(s, c.method, c.path, "", nil)
		got := fmt.Sprint(status)
		if s.orders[0].status != "CREATED" {
			got += " " + s.orders[0].status + " " + s.orders[0].instrument
		}
		if got != c.want || s.Captured("USD") != 0 {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
}
