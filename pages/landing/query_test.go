package landing

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/store/storetest"
)

// play runs each scenario on a separate site.
func play(t *testing.T, scenarios map[string]func(*visitor)) {
	for name, scenario := range scenarios {
		t.Run(name, func(t *testing.T) {
			scenario(newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor())
		})
	}
}

func TestTheFormOffersTheEventsCouponWhileItIsValid(t *testing.T) {
	for _, row := range []struct {
		name    string
		at      time.Duration // from the coupon's start
		offered bool
	}{
		{"before its start", -1, false},
		{"at its start", 0, true},
		{"in its last moment", time.Hour - 1, true},
		{"at its end", time.Hour, false},
	} {
		o := newSite(t, storetest.Open(t, storetest.SQLite(t)))
		from := openDay.Add(time.Minute)
		for i := range o.events {
			o.events[i].CouponCode, o.events[i].CouponFrom, o.events[i].CouponUntil = "MGROW500", from, from.Add(time.Hour)
		}
		for _, at := range []time.Duration{0, 30 * time.Minute, 2 * time.Hour} { // fills the day's cache
			o.clock.Set(openDay.Add(at))
			o.visitor()
		}
		o.clock.Set(from.Add(row.at))
		for _, address := range []string{"", "?referralCode=4k7mx2pq"} { // cached, and rendered for one visitor
			v := o.visitor()
			v.get(v.path + address)
			if got := strings.Contains(v.body, `value="MGROW500"`); got != row.offered {
				t.Errorf("%s, at %q: offered %v, want %v", row.name, address, got, row.offered)
			}
		}
	}
}

func TestTheFormReadsTheAddress(t *testing.T) {
	play(t, map[string]func(*visitor){
		"a coupon in the address stands in the form, which says when it counts": func(v *visitor) {
			const counts = "This code counts as soon as you begin to fill in the form."
			v.silentOn(counts).get(v.path + "?couponCode=mgrow500")
			v.answers(http.StatusOK).says(`value="MGROW500"`, `<details class="more" data-group="coupon" open>`, counts)
			v.details("9876543210").press("continue-you", "coupon_code", "MGROW500").answers(http.StatusOK).says("Coupon applied: ₹500 off. You pay ₹999.").silentOn(counts)
			v.press("continue-you", "coupon_code", "NOSUCH").answers(http.StatusUnprocessableEntity).refuses("coupon_code", "Invalid coupon code. Please check and try again.").says("Go on without a code")
		},
		"a friend's code in the address stands in the form, and a course": func(v *visitor) {
			v.get(v.path + "?referralCode=4k7mx2pq&course=Data_Analytics")
			v.answers(http.StatusOK).says(`value="4K7MX2PQ"`, `<option value="Data_Analytics" selected>`)
		},
		"nonsense in the address stays there": func(v *visitor) {
			v.get(v.path + "?couponCode=%3Cscript%3E")
			v.answers(http.StatusOK).silentOn("<script>", `<details class="more" data-group="coupon" open>`)
		},
	})
}
