package web

import (
	"net/url"
	"testing"
)

func TestWithQueryKeepsAddress(t *testing.T) {
	values := url.Values{"b": {"2 3"}, "a": {"1"}}
	for address, want := range map[string]string{
		"/success":                       "/success?a=1&b=2+3",
		"/success?from=mail":             "/success?from=mail&a=1&b=2+3",
		"/success#top":                   "/success?a=1&b=2+3#top",
		"/success?from=mail#top?":        "/success?from=mail&a=1&b=2+3#top?",
		"/%2f%2fevil":                    "/%2f%2fevil?a=1&b=2+3",
		"https://www.example.in/a?x=%20": "https://www.example.in/a?x=%20&a=1&b=2+3",
	} {
		if got := WithQuery(address, values); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestPaymentIDOfReadsBothParameters(t *testing.T) {
	for query, want := range map[string]string{
		"kspay_id=1": "1", "txId=2": "2", "kspay_id=1&txId=2": "1", "txId=2&kspay_id=": "2", "": "", "payment_status=Success": "",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := PaymentIDOf(values); got != want {
			t.Errorf("%q names %q, want %q", query, got, want)
		}
	}
	if got := PaymentPath("1"); got != "/success?kspay_id=1" {
		t.Errorf("outcome page %s", got)
	}
}
