package simulators

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// The vectors are the examples of https://docs.2checkout.com.
func TestTwocheckoutSignature(t *testing.T) {
	s := NewTwocheckout(KeysTwocheckout{MerchantCode: "YOURCODE123", SecretKey: "SECRET_KEY", Clock: func() time.Time { return time.Date(2020, 6, 18, 8, 15, 0, 0, time.UTC) }})
	for algo, hash := range map[string]string{
		"sha256": "483fc633a309cadc65b89519f55cc55e0d0611a6e1dfa62ac4d48fc3703a6a42", "sha3-256": "89cff582a336094aa0a917003e383016c173b0bcb38d812375b2b10ea6ce99ed",
	} {
		if header := fmt.Sprintf(`code="YOURCODE123" date="2020-06-18 08:05:46" hash="%s" algo="%s"`, hash, algo); !s.isSigned(header) || s.isSigned(strings.Replace(header, "46", "47", 1)) {
			t.Error(header)
		}
	}
	event := s.Sign([][2]string{
		{"SALEDATE", "2026-01-02 03:04:05"}, {"REFNO", "1000037"}, {"REFNOEXT", "T1"}, {"ORDERNO", "13"}, {"ORDERSTATUS", "COMPLETE"}, {"PAYMETHOD", "Visa/MasterCard"}, {"FIRSTNAME", "Zoë"}, {"LASTNAME", "Šmith"},
		{"COMPANY", ""}, {"IPN_PID[]", "1"}, {"IPN_PNAME[]", "Software program"}, {"IPN_TOTALGENERAL", "1499.00"}, {"CURRENCY", "INR"}, {"IPN_DATE", "20260102030405"}, {"TEST_ORDER", "0"},
	})
	for _, signature := range []string{"SIGNATURE_SHA2_256=67e1c74198148ff2499abd8a391119f1d7a3df50dc271d4668b5af594531fa89", "SIGNATURE_SHA3_256=08d85043957a620188e7784f840eaefe3b34bfead055f17abf5a04c72bb04cdc"} {
		if !strings.Contains(string(event.Body), signature) {
			t.Errorf("%s lacks %s", event.Body, signature)
		}
	}
	receipt := `<sig algo="sha3-256" date="20260102030406">14d1c1142d8fce1cdc5f514b2d9c34e4948041316d9e36375030fcfe705ff537</sig>`
	if !s.Receives(event, receipt) || s.Receives(event, "OK") || s.Receives(event, strings.Replace(receipt, "406", "407", 1)) {
		t.Error("the receipt")
	}
}

func TestTwocheckoutAPI(t *testing.T) {
	noon := time.Date(2026, 1, 1, 6, 30, 0, 0, time.UTC)
	s := NewTwocheckout(KeysTwocheckout{MerchantCode: "m", SecretKey: "k", Clock: func() time.Time { return noon }})
	call := func(method, path, body string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(method, path, strings.NewReader(body)), httptest.NewRecorder()
		date := noon.Format(twocheckoutTime)
		r.Header.Set("X-Avangate-Authentication", fmt.Sprintf(`code="m" date="%s" hash="%s" algo="sha256"`, date, s.hmac("sha256", lengthsAnd("m", date))))
		s.ServeHTTP(w, r)
		return w
	}
	order := func(change func(body, pay, method, billing, item map[string]any)) string {
		method := map[string]any{"EesToken": s.Token(CardPaid), "Vendor3DSReturnURL": "https://a.example", "Vendor3DSCancelURL": "https://a.example"}
		pay := map[string]any{"Type": "TEST", "Currency": "INR", "PaymentMethod": method}
		billing := map[string]any{"FirstName": "A", "LastName": "B", "Email": "a@b.example", "CountryCode": "IN"}
		item := map[string]any{"Name": "Fee", "Quantity": 1, "IsDynamic": true, "Price": map[string]any{"Amount": "1499.00", "Type": "CUSTOM"}}
		body := map[string]any{"Currency": "INR", "Country": "IN", "ExternalReference": "T1", "BillingDetails": billing, "PaymentDetails": pay, "Items": []any{item}, "CustomerIP": "203.0.113.7"}
		change(body, pay, method, billing, item)
		text, _ := json.Marshal(body) // text and numbers always marshal
		return string(text)
	}
	for sentence, c := range map[string]struct {
		change func(body, pay, method, billing, item map[string]any)
		want   string
	}{
		"an address of version 6": {func(body, _, _, _, _ map[string]any) { body["CustomerIP"] = "2001:db8::1" }, "INVALID_CUSTOMER_IP"},
		"another currency inside": {func(_, pay, _, _, _ map[string]any) { pay["Currency"] = "USD" }, "INVALID_CURRENCY"},
		"no name":                 {func(_, _, _, billing, _ map[string]any) { billing["LastName"] = "" }, "BILLING_DETAILS_ERROR"},
		"a long reference":        {func(body, _, _, _, _ map[string]any) { body["ExternalReference"] = strings.Repeat("x", 101) }, "INVALID_EXTERNAL_REFERENCE"},
		"three decimals": {func(_, _, _, _, item map[string]any) {
			item["Price"] = map[string]any{"Amount": "1.001", "Type": "CUSTOM"}
		}, "INVALID_PRODUCT"},
		"a card's number":         {func(_, pay, _, _, _ map[string]any) { pay["Type"] = "CC" }, "INVALID_PAYMENT_TYPE"},
		"nowhere to come back to": {func(_, _, method, _, _ map[string]any) { method["Vendor3DSCancelURL"] = "" }, "INVALID_3DS_URL"},
		"no token":                {func(_, _, method, _, _ map[string]any) { method["EesToken"] = "x" }, "INVALID_EES_TOKEN"},
	} {
		if w := call("POST", "/rest/6.0/orders/", order(c.change)); w.Code != 400 || !strings.Contains(w.Body.String(), c.want) || s.Orders() != 0 {
			t.Errorf("%s: %d %s, %d orders", sentence, w.Code, w.Body, s.Orders())
		}
	}
	good := order(func(_, _, _, _, _ map[string]any) {})
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/rest/6.0/orders/", good, `201 "Status":"COMPLETE"`},
		{"POST", "/rest/6.0/orders/", good, `400 INVALID_EES_TOKEN`}, // a token is valid once
		{"POST", "/rest/6.0/orders/", "<", `400 BAD_REQUEST`},
		{"GET", "/rest/6.0/orders/?ExternalRefNo=T1&Page=1&Limit=10", "", `200 "ExternalReference":"T1"`},
		{"GET", "/rest/6.0/orders/?ExternalRefNo=T2&Page=1&Limit=10", "", `200 "Items":[]`},
		{"GET", "/rest/6.0/orders/?ExternalReference=T1&Page=1&Limit=10", "", `400 INVALID_PARAMETER`},
		{"GET", "/rest/6.0/orders/?Page=201&Limit=10", "", `400 Only first 200 pages can be returned!`},
		{"GET", "/rest/6.0/orders/1/", "", `404 ORDER_NOT_FOUND`},
		{"GET", "/rest/6.0/orders/REF", "", `307 Temporary Redirect`},
		{"POST", "/rest/6.0/orders/REF/refund/", `{"amount":"1499.01","comment":"c","reason":"Other"}`, `400 INVALID_AMOUNT`},
		{"POST", "/rest/6.0/orders/REF/refund/", `{"amount":"1.00","comment":"c","reason":"Other"}`, `400 INVALID_ITEMS`},
		{"POST", "/rest/6.0/orders/REF/refund/", `{"amount":"1499.00","comment":"c"}`, `400 INVALID_REASON`},
		{"POST", "/rest/6.0/orders/REF/refund/", `{"amount":"1499.00","comment":"c","reason":"Other"}`, `200 true`},
		{"POST", "/rest/6.0/orders/REF/refund/", `{"amount":"1499.00","comment":"c","reason":"Other"}`, `400 ORDER_NOT_REFUNDABLE`},
		{"GET", "/rest/6.0/orders/REF/", "", `200 "GrossPrice":-1499.00`},
	} {
		path := c.path
		if strings.Contains(path, "REF") && s.Orders() > 0 {
			path = strings.Replace(path, "REF", s.Ref(0), 1)
		}
		w := call(c.method, path, c.body)
		status, part, _ := strings.Cut(c.want, " ")
		if fmt.Sprint(w.Code) != status || !strings.Contains(w.Body.String(), part) {
			t.Errorf("%s %s %s: %d %s, want %s", c.method, path, c.body, w.Code, w.Body, c.want)
		}
	}
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, httptest.NewRequest("GET", "/rest/6.0/orders/?Page=1&Limit=1", nil)); w.Code != 401 || !strings.Contains(w.Body.String(), "AUTHENTICATION_ERROR") {
		t.Errorf("without a signature: %d %s", w.Code, w.Body)
	}
}

func TestTwocheckoutBrowser(t *testing.T) {
	s := NewTwocheckout(KeysTwocheckout{MerchantCode: "m", SecretKey: "k"})
	for _, c := range []struct {
		method, path string
		form         url.Values
		want         string
	}{
		{"GET", "/v1/2pay.js", nil, "200 window.TwoPayClient = "},
		{"GET", "/v1/card?merchant=m", nil, "200 Simulated card"},
		{"GET", "/v1/card?merchant=n", nil, "400 this merchant is unknown"},
		{"POST", "/v1/tokens", url.Values{"card": {"paid"}}, "200 190f2d9c-"},
		{"POST", "/v1/tokens", url.Values{"card": {"stolen"}}, "400 this card is not valid"},
		{"GET", twocheckoutBank + "?avng8apitoken=x", nil, "400 nothing waits here"},
		{"POST", twocheckoutBank, url.Values{"do": {"confirm"}}, "400 nothing waits here"},
	} {
		r, w := httptest.NewRequest(c.method, c.path, strings.NewReader(c.form.Encode())), httptest.NewRecorder()
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		s.ServeHTTP(w, r)
		status, part, _ := strings.Cut(c.want, " ")
		if fmt.Sprint(w.Code) != status || !strings.Contains(w.Body.String(), part) {
			t.Errorf("%s %s: %d %s, want %s", c.method, c.path, w.Code, w.Body, c.want)
		}
	}
}
