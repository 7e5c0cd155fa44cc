package simulators

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestCashfreeSignature(t *testing.T) {
	s := NewCashfree(KeysCashfree{AppID: "a", SecretKey: "cf_test_secret_2", Clock: func() time.Time { return time.UnixMilli(1746427759734) }})
	if got := s.Sign([]byte("{}")).Header.Get("X-Webhook-Signature"); got != "YR/jRvfkdl2VYO7eS9AkkgA/e9gAAEmNUcT5N9Z+Ssw=" {
		t.Error(got)
	}
}

func TestCashfreeAPI(t *testing.T) {
	noon := time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)
	order := func(change func(map[string]any)) string {
		body := map[string]any{
			"order_id": "T100", "order_amount": json.Number("1499.00"), "order_currency": "INR", "order_expiry_time": "2026-01-01T12:30:00+05:30",
			"customer_details": map[string]any{"customer_id": "c100", "customer_phone": "9876543210"},
		}
		change(body)
		text, _ := json.Marshal(body) // text and numbers always marshal
		return string(text)
	}
	set := func(name string, value any) string { return order(func(body map[string]any) { body[name] = value }) }
	good := order(func(map[string]any) {})
	for _, c := range []struct{ sentence, method, path, body, key, version, want string }{
		{"an order", "POST", "/pg/orders", good, "k1", "2023-08-01", `200 "cf_order_id":"1453000001"`},
		{"an order in the first version", "POST", "/pg/orders", good, "k1", "2022-09-01", `200 "cf_order_id":1453000001`},
		{"a sum as text", "POST", "/pg/orders", set("order_amount", "1499.00"), "", "2023-08-01", `400 "code":"order_amount_invalid"`},
		{"a sum with three decimals", "POST", "/pg/orders", set("order_amount", json.Number("1.001")), "", "2023-08-01", `400 "code":"order_amount_invalid"`},
		{"a short id", "POST", "/pg/orders", set("order_id", "T1"), "", "2023-08-01", `400 "code":"order_id_invalid"`},
		{"an order that ends at once", "POST", "/pg/orders", set("order_expiry_time", "2026-01-01T12:14:00+05:30"), "", "2023-08-01", `400 "code":"order_expiry_time_invalid"`},
		{"no version", "POST", "/pg/orders", good, "", "", `400 "code":"request_failed"`},
		{"an unknown order", "GET", "/pg/orders/T200", "", "", "2023-08-01", `404 "code":"order_not_found"`},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s := NewCashfree(KeysCashfree{AppID: "a", SecretKey: "b", Clock: func() time.Time { return noon }})
			r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			r.Header = http.Header{"X-Client-Id": {"a"}, "X-Client-Secret": {"b"}}
			r.Header.Set("X-Idempotency-Key", c.key)
			r.Header.Set("X-Api-Version", c.version)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			status, part, _ := strings.Cut(c.want, " ")
			if fmt.Sprint(w.Code) != status || !strings.Contains(w.Body.String(), part) {
				t.Errorf("%d %s, want %s", w.Code, w.Body, c.want)
			}
			if made := s.Orders(); made != 0 && status != "200" {
				t.Errorf("%d orders were made", made)
			}
		})
	}
	t.Run("the same id twice", func(t *testing.T) {
		s := NewCashfree(KeysCashfree{AppID: "a", SecretKey: "b", Clock: func() time.Time { return noon }})
		for key, want := range []int{200, 409} {
			r := httptest.NewRequest("POST", "/pg/orders", strings.NewReader(good))
			r.Header = http.Header{"X-Client-Id": {"a"}, "X-Client-Secret": {"b"}, "X-Api-Version": {"2023-08-01"}}
			r.Header.Set("X-Idempotency-Key", fmt.Sprint(key))
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != want || s.Orders() != 1 {
				t.Errorf("%d with %d orders, want %d with 1", w.Code, s.Orders(), want)
			}
		}
	})
}
