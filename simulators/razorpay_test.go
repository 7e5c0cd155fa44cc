package simulators

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func newRazorpay() *Razorpay {
	noon := time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)
	return NewRazorpay(KeysRazorpay{KeyID: "rzp_test_1", KeySecret: "rzp_test_secret_1", WebhookSecret: "123456", Clock: func() time.Time { return noon }})
}

func TestRazorpaySignature(t *testing.T) {
	official := `{"entity":"event","account_id":"acc_HVFD0PFnHPAzKj","event":"payment.authorized","contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_JUEM4c0pSLpFEW","entity":"payment","amount":12300,"currency":"INR","status":"authorized","order_id":"order_JUELuT6cFaHkvd","invoice_id":null,"international":false,"method":"netbanking","amount_refunded":0,"refund_status":null,"captured":false,"description":"#JUELZ1z1EC0pwi","card_id":null,"bank":"SBIN","wallet":null,"vpa":null,"email":"prathmesh.bijjargi@razorpay.com","contact":"+917411714931","notes":[],"fee":null,"tax":null,"error_code":null,"error_description":null,"error_source":null,"error_step":null,"error_reason":null,"acquirer_data":{"bank_transaction_id":"6416615"},"created_at":1652339804}}},"created_at":1652339806}`
	s := newRazorpay()
	if got := s.Sign([]byte(official)).Header.Get("X-Razorpay-Signature"); got != "ea962f3a2a8090aa14ef10fc178306edcb46ee7ccadae8afe2275cda26f3d2a6" {
		t.Error(got)
	}
	p := &razorpayPayment{id: "pay_29QQoUBi66xm2f", order: &razorpayOrder{id: "order_IluGWxBm9U8zJ8"}}
	if got := s.signedReturn(p)["razorpay_signature"]; got != "eb7fa310e238cf08b5345f2618d822805bbdc96bd54f19dd769b764b36b23d70" {
		t.Error(got)
	}
}

// testAccount returns an account with a paid order R100, an authorised R200, and a failed R300.
func testAccount() (s *Razorpay, names *strings.Replacer) {
	s = newRazorpay()
	var ids []string
	for _, receipt := range []string{"R100", "R200", "R300"} {
		o := &razorpayOrder{id: s.next("order"), currency: "INR", receipt: receipt, minor: 149900, at: s.keys.Clock()}
		s.orders = append(s.orders, o)
		ids = append(ids, o.id)
	}
	return s, strings.NewReplacer("PAID", s.Pay("R100"), "HELD", s.Authorise("R200"), "FAILED", s.Decline("R300"), "ORDER", ids[0])
}

func (s *Razorpay) call(method, path, body, key string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.SetBasicAuth("rzp_test_1", "rzp_test_secret_1")
	if key != "" {
		r.Header.Set("X-Refund-Idempotency", key)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestRazorpayAPI(t *testing.T) {
	long, notes := strings.Repeat("a", 41), map[string]string{}
	for i := range 16 {
		notes[fmt.Sprint(i)] = ""
	}
	many, _ := json.Marshal(notes)
	const refund = `{"amount":50000,"receipt":"r"}`
	for _, c := range []struct{ sentence, method, path, body, key, want string }{
		{"an order", "POST", "/v1/orders", `{"amount":149900,"currency":"INR","receipt":"R400","notes":{"txn":"R400"}}`, "", `200 "status":"created"`},
		{"an order of whose receipt there is one", "POST", "/v1/orders", `{"amount":149900,"currency":"INR","receipt":"R100","unique_receipt":true}`, "", `200 "id":"ORDER"`},
		{"a sum as text", "POST", "/v1/orders", `{"amount":"149900","currency":"INR"}`, "", `400 "field":"amount"`},
		{"a sum with decimals", "POST", "/v1/orders", `{"amount":1499.5,"currency":"INR"}`, "", `400 The amount must be an integer.`},
		{"less than a rupee", "POST", "/v1/orders", `{"amount":99,"currency":"INR"}`, "", `400 The amount must be at least INR 1.00`},
		{"no currency", "POST", "/v1/orders", `{"amount":149900}`, "", `400 The currency field is required.`},
		{"another currency", "POST", "/v1/orders", `{"amount":149900,"currency":"XYZ"}`, "", `400 "field":"currency"`},
		{"a long receipt", "POST", "/v1/orders", `{"amount":149900,"currency":"INR","receipt":"` + long + `"}`, "", `400 The receipt may not be greater than 40 characters.`},
		{"too many notes", "POST", "/v1/orders", `{"amount":149900,"currency":"INR","notes":` + string(many) + `}`, "", `400 "field":"notes"`},
		{"a long note", "POST", "/v1/orders", `{"amount":149900,"currency":"INR","notes":{"a":"` + strings.Repeat("a", 257) + `"}}`, "", `400 "field":"notes"`},
		{"a field that is none", "POST", "/v1/orders", `{"amount":149900,"currency":"INR","price":1}`, "", `400 price is/are not required and should not be sent`},
		{"no JSON", "POST", "/v1/orders", `amount=1`, "", `400 "code":"BAD_REQUEST_ERROR"`},
		{"an unknown order", "GET", "/v1/orders/order_unknown", "", "", `400 The id provided does not exist`},
		{"an order by its receipt is none", "GET", "/v1/orders/R100", "", "", `400 The id provided does not exist`},
		{"orders by receipt", "GET", "/v1/orders?receipt=R100", "", "", `200 "count":1`},
		{"orders of a receipt that is unknown", "GET", "/v1/orders?receipt=R", "", "", `200 "items":[]`},
		{"a long page", "GET", "/v1/payments?count=101", "", "", `400 The count may not be greater than 100.`},
		{"a day before there were any", "GET", "/v1/payments?from=1", "", "", `400 from must be between 946684800 and 4765046400`},
		{"disputes of a payment, which can not be asked", "GET", "/v1/disputes?payment_id=PAID", "", "", `400 payment_id is/are not required and should not be sent`},
		{"an unknown payment", "POST", "/v1/payments/pay_unknown/capture", `{"amount":149900,"currency":"INR"}`, "", `400 The id provided does not exist`},
		{"a capture", "POST", "/v1/payments/HELD/capture", `{"amount":149900,"currency":"INR"}`, "", `200 "status":"captured"`},
		{"a capture of less", "POST", "/v1/payments/HELD/capture", `{"amount":149899,"currency":"INR"}`, "", `400 Capture amount must be equal to the amount authorized`},
		{"a second capture", "POST", "/v1/payments/PAID/capture", `{"amount":149900,"currency":"INR"}`, "", `400 This payment has already been captured`},
		{"a capture of what failed", "POST", "/v1/payments/FAILED/capture", `{"amount":149900,"currency":"INR"}`, "", `400 Only payments which have been authorized`},
		{"a refund", "POST", "/v1/payments/PAID/refund", refund, "0123456789", `200 "status":"processed"`},
		{"a refund with a short key", "POST", "/v1/payments/PAID/refund", refund, "012345678", `400 The idempotency key must be at least 10 characters.`},
		{"a refund of more than there is", "POST", "/v1/payments/PAID/refund", `{"amount":149901}`, "", `400 The total refund amount is greater than the refund payment amount`},
		{"a refund of what is not captured", "POST", "/v1/payments/HELD/refund", refund, "", `400 The payment status should be captured for action to be taken`},
		{"an unknown refund", "GET", "/v1/refunds/rfnd_unknown", "", "", `400 The id provided does not exist`},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s, names := testAccount()
			captured := s.Captured("INR")
			w := s.call(c.method, names.Replace(c.path), c.body, c.key)
			status, part, _ := strings.Cut(names.Replace(c.want), " ")
			if fmt.Sprint(w.Code) != status || !strings.Contains(w.Body.String(), part) {
				t.Errorf("%d %s, want %s", w.Code, w.Body, c.want)
			}
			if status != "200" && (s.Orders() != 3 || s.Captured("INR") != captured || s.Refunded("INR") != 0) {
				t.Errorf("refused, and yet %d orders, %d captured, %d refunded", s.Orders(), s.Captured("INR"), s.Refunded("INR"))
			}
		})
	}
	t.Run("a stranger", func(t *testing.T) {
		w := httptest.NewRecorder()
		newRazorpay().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/orders", nil))
		if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), "Authentication failed") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Run("a refund is made once for a key", func(t *testing.T) {
		s, names := testAccount()
		for _, c := range []struct{ body, want string }{{refund, ""}, {refund, ""}, {`{"amount":50001,"receipt":"r"}`, "Different request with the same idempotency key has already been processed."}} {
			w := s.call("POST", names.Replace("/v1/payments/PAID/refund"), c.body, "0123456789")
			if (w.Code == http.StatusOK) != (c.want == "") || !strings.Contains(w.Body.String(), c.want) || s.Refunded("INR") != 50000 {
				t.Errorf("%s: %d %s, %d went back", c.body, w.Code, w.Body, s.Refunded("INR"))
			}
		}
	})
}

func TestRazorpayWindow(t *testing.T) {
	for _, c := range []struct {
		sentence, path, order, do, want, not string
		captured                             int64
	}{
		{"is opened", "public", "R300", "", `<button name="do" value="pay">Pay</button>`, "postMessage", 149900},
		{"paid", "public", "R300", "pay", `"event":"success"`, "Try again", 299800},
		{"declined", "public", "R300", "decline", `"event":"failed"`, "success", 149900},
		{"closed", "public", "R300", "close", `"event":"dismiss"`, "success", 149900},
		{"of an order that is paid", "public", "R100", "pay", "This order has been paid already", "postMessage", 149900},
		{"of an unknown order", "public", "R900", "pay", "The id provided does not exist", "postMessage", 149900},
		{"a page is opened", "embedded", "R300", "", `<button name="do" value="decline">Decline</button>`, "submit()", 149900},
		{"a page, paid", "embedded", "R300", "pay", `name="razorpay_signature"`, "error[code]", 299800},
		{"a page, declined", "embedded", "R300", "decline", `name="error[code]" value="BAD_REQUEST_ERROR"`, "razorpay_signature", 149900},
		{"a page, closed", "embedded", "R300", "close", "", "razorpay_signature", 149900},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			s, _ := testAccount()
			order := "order_unknown"
			if o := s.order(c.order); o != nil {
				order = o.id
			}
			form := url.Values{
				"key_id": {"rzp_test_1"}, "order_id": {order}, "amount": {"149900"}, "name": {"HireSure"}, "do": {c.do}, "notes[txn]": {c.order},
				"callback_url": {"https://example.com/return"}, "cancel_url": {"https://example.com/cancelled"},
			}
			r := httptest.NewRequest(http.MethodPost, "/v1/checkout/"+c.path, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if page := w.Body.String(); !strings.Contains(page, c.want) || strings.Contains(page, c.not) || w.Code != http.StatusOK && c.want != "" {
				t.Errorf("%d %s", w.Code, page)
			}
			if c.want == "" && w.Header().Get("Location") != "https://example.com/cancelled" {
				t.Errorf("%d to %s", w.Code, w.Header().Get("Location"))
			}
			if got := s.Captured("INR"); got != c.captured {
				t.Errorf("captured %d, want %d", got, c.captured)
			}
			if last := s.payments[len(s.payments)-1]; c.do == "pay" && c.captured > 149900 && last.notes["txn"] != c.order {
				t.Errorf("notes %v", last.notes)
			}
		})
	}
	t.Run("its script", func(t *testing.T) {
		w := httptest.NewRecorder()
		newRazorpay().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/checkout.js", nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" || !strings.Contains(w.Body.String(), "window.Razorpay") {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
}
