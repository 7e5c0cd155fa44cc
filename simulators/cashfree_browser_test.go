package simulators

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCashfreeCheckout(t *testing.T) {
	noon := time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)
	const order = `{"order_id":"T100","order_amount":1499.00,"order_currency":"INR","order_expiry_time":"2026-01-01T12:30:00+05:30",
		"customer_details":{"customer_id":"c100","customer_phone":"9876543210"},"order_meta":{"return_url":"http://site.example/return"}}`
	for _, c := range []struct {
		do, session string
		status      int
		captured    int64
		events      []string
	}{
		{"pay", "", http.StatusSeeOther, 149900, []string{"PAYMENT_SUCCESS_WEBHOOK"}},
		{"decline", "", http.StatusSeeOther, 0, []string{"PAYMENT_FAILED_WEBHOOK"}},
		{"wait", "", http.StatusSeeOther, 0, nil},
		{"close", "", http.StatusSeeOther, 0, []string{"PAYMENT_USER_DROPPED_WEBHOOK"}},
		{"steal", "", http.StatusBadRequest, 0, nil},
		{"pay", "another", http.StatusBadRequest, 0, nil},
	} {
		s := NewCashfree(KeysCashfree{AppID: "a", SecretKey: "b", Clock: func() time.Time { return noon }})
		r := httptest.NewRequest("POST", "/pg/orders", strings.NewReader(order))
		r.Header = http.Header{"X-Client-Id": {"a"}, "X-Client-Secret": {"b"}, "X-Api-Version": {"2023-08-01"}}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		var made struct {
			Session string `json:"payment_session_id"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
			t.Fatal(err)
		}
		post := func(path string) *httptest.ResponseRecorder {
			form := url.Values{"payment_session_id": {made.Session}, "do": {c.do}}
			if c.session != "" {
				form.Set("payment_session_id", c.session)
			}
			r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			return w
		}
		if shown := post(cashfreeCheckout); c.session == "" && !strings.Contains(shown.Body.String(), "Order T100: ₹1499.00") || c.session != "" && shown.Code != http.StatusBadRequest {
			t.Errorf("%s: the page is %d %s", c.do, shown.Code, shown.Body)
		}
		pressed := post("/pg/view/sessions/pay")
		var events []string
		for _, e := range s.Events() {
			var event struct{ Type string }
			if err := json.Unmarshal(e.Body, &event); err != nil {
				t.Fatal(err)
			}
			events = append(events, event.Type)
		}
		if pressed.Code != c.status || s.Captured("INR") != c.captured || !slices.Equal(events, c.events) {
			t.Errorf("%s %s: %d, captured %d, %q", c.do, c.session, pressed.Code, s.Captured("INR"), events)
		}
		if back := pressed.Header().Get("Location"); c.status == http.StatusSeeOther && back != "http://site.example/return" {
			t.Errorf("%s leads to %q", c.do, back)
		}
	}
}

func TestCashfreeScript(t *testing.T) {
	w := httptest.NewRecorder()
	NewCashfree(KeysCashfree{}).ServeHTTP(w, httptest.NewRequest("GET", "/checkout.js", nil))
	if w.Header().Get("Content-Type") != "text/javascript" || !strings.Contains(w.Body.String(), "window.Cashfree = ") {
		t.Errorf("%d %s %s", w.Code, w.Header(), w.Body)
	}
}
