package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

// Valid and invalid bodies with their answers.

func TestNamesWithADotAreUnknown(t *testing.T) {
	s := newSite(t)
	knownOwner(s)
	b := s.browser()
	for title, body := range map[string]string{
		"a dot beside the object":  `{"identifiers":{"mobile_number":"9111111111"},"identifiers.mobile_number":"9876543210"}`,
		"a dot before it":          `{"identifiers.mobile_number":"9876543210","identifiers":{"mobile_number":"9111111111"}}`,
		"a dot in place of it":     `{"identifiers.mobile_number":"9876543210"}`,
		"a dot that is an escape":  `{"identifiers":{"mobile_number":"9111111111"},"identifiers\u002emobile_number":"9876543210"}`,
		"a dot inside":             `{"identifiers":{"mobile_number":"9111111111","x.y":"1"}}`,
		"nothing but a dot":        `{"identifiers":{"mobile_number":"9111111111"},".":"1"}`,
		"an object behind the dot": `{"identifiers":{"mobile_number":"9111111111"},"identifiers.x":{"mobile_number":"9876543210"}}`,
	} {
		got := b.send(http.MethodPost, existsPath, body)
		if got.status != http.StatusUnprocessableEntity || got.message() != "This field is unknown." || len(got.errors()) != 1 {
			t.Errorf("%s: %d %s", title, got.status, got.raw)
		}
	}
	want(t, b.send(http.MethodPost, existsPath, `{"identifiers":{"mobile_number":"9111111111"}}`), http.StatusOK, "You can continue with this mobile number.")
}

func TestManyFaultsCostLittle(t *testing.T) {
	b := newSite(t).browser()
	var many strings.Builder
	for i := range 5900 {
		fmt.Fprintf(&many, `"f%d":1,`, i)
	}
	for title, body := range map[string]string{
		"unknown names":                       `{` + many.String() + `"x":1}`,
		"unknown names, then what is no JSON": `{` + many.String() + `!!`,
		"unknown names inside":                `{"identifiers":{` + many.String() + `"x":1}}`,
	} {
		got := b.send(http.MethodPost, existsPath, body)
		if got.status != http.StatusUnprocessableEntity || len(got.errors()) != 20 || len(got.raw) > 2000 {
			t.Errorf("%s: %d, %d faults, %d bytes", title, got.status, len(got.errors()), len(got.raw))
		}
	}
	long := b.send(http.MethodPost, existsPath, `{"`+strings.Repeat("ü", 30_000)+`":1}`)
	if long.status != http.StatusUnprocessableEntity || len(long.raw) > 500 || long.errors()[strings.Repeat("ü", 50)+"…"] != "This field is unknown." {
		t.Errorf("a long name: %d, %d bytes", long.status, len(long.raw))
	}
}

func TestUnstorableTextIsNoServerError(t *testing.T) {
	storetest.EachURL(t, onTextsThatNoDatabaseHoldsAreNoFault)
}

func onTextsThatNoDatabaseHoldsAreNoFault(t *testing.T, databaseURL string) {
	s := newSiteOn(t, databaseURL)
	b := s.browser().proves(phone, email)
	id := b.enrols(nil)
	for _, bad := range []string{"\x00", "x\x00", id[:25] + "\x00", strings.Repeat("9", 200), "' OR 1=1 --", "../../" + id, strings.ToUpper(id)} {
		for path, body := range map[string]object{
			resendPath: {"request_id": bad}, verifyPath: {"request_id": bad, "phone_otp": "123456"}, reopenPath: {"scholarship_requested_id": bad, "phone_otp": "123456"},
			startPath: {"scholarship_requested_id": bad}, couponPath: {"coupon_code": bad}, outcomePath: {"payment_transaction_id": bad},
		} {
			if got := b.post(path, body); got.status != http.StatusUnprocessableEntity && got.status != http.StatusNotFound {
				t.Errorf("%s with %q: %d %s", path, bad, got.status, got.raw)
			}
		}
		if got := b.post(resendPath, object{"scholarship_requested_id": bad}); got.status != http.StatusUnprocessableEntity && got.status != http.StatusNotFound {
			t.Errorf("resend for %q: %d %s", bad, got.status, got.raw)
		}
	}
	for address, status := range map[string]int{
		referralPath + "%00": 404, referralPath + "a%ff": 404, eventPath + "?slug=%00": 400, eventPath + "?slug=x&y=%ff": 404, "/human/challenge?%00": 200, "/payments/webhook/%00": 404,
	} {
		if got := b.get(address); got.status != status {
			t.Errorf("%s: %d %s", address, got.status, got.raw)
		}
	}
}

func TestACardNumberIsRefusedAndKeptNowhere(t *testing.T) {
	const (
		digits = "1111 1111" // an id may have four by chance
		card   = "4111 " + digits + " 1111"
		hint   = "Please take the card number out: we never need it."
	)
	s := newSite(t)
	b := s.browser().proves(phone, email)
	before := storetest.Rows(t, s.url)
	for field, got := range map[string]reply{
		"description":  b.with("Idempotency-Key", "k1").post(enquiryPath, enquiry(object{"description": "My card is " + card})),
		"company_name": b.with("Idempotency-Key", "k2").post(enrolPath, enrolment(object{"company_name": "St. Xavier's " + card})),
	} {
		if got.status != http.StatusUnprocessableEntity || got.errors()[field] != hint || strings.Contains(string(got.raw), digits) {
			t.Errorf("%s: %d %s", field, got.status, got.raw)
		}
	}
	if after := storetest.Rows(t, s.url); !maps.Equal(before, after) {
		t.Errorf("rows %v, before %v", after, before)
	}
	if strings.Contains(s.logs.String(), digits) {
		t.Error("the log holds the card number")
	}
}
