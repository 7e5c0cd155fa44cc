package api_test

import (
	"net/http"
	"strings"
	"testing"

	"hiresure/store/storetest"
)

// What a body may say, and what is answered to what it may not.

func TestTextsThatNoDatabaseHoldsAreNoFault(t *testing.T) {
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
		referralPath + "%00": 404, referralPath + "a%ff": 404, eventPath + "?slug=%00": 400, eventPath + "?slug=x&y=%ff": 400, "/human/challenge?%00": 400, "/payments/webhook/%00": 404,
	} {
		if got := b.get(address); got.status != status {
			t.Errorf("%s: %d %s", address, got.status, got.raw)
		}
	}
}
