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
		"a coupon in the address lowers the price of the whole page, for this visitor only, and stays through the form": func(v *visitor) {
			const struck, whole = `<s class="was" data-price-before><span class="visually-hidden">Before: </span>₹1,499</s>`, "₹</span>4,51,499"
			v.get(v.path + "?couponCode=mgrow500").answers(http.StatusOK)
			v.says(struck, "Exam fee with MGROW500", `name="coupon_applied" value="MGROW500"`, "₹500 off </span><b>MGROW500</b>", "₹</span>4,50,999").silentOn(whole, "Coupon applied", "<title>Error")
			v.details("9876543210").press("continue-you", "coupon_code", "MGROW500").answers(http.StatusOK).says(struck, "₹500 off </span><b>MGROW500</b>")
			v.press("remove-coupon").answers(http.StatusOK).says("Coupon removed. You pay ₹1,499.", whole).silentOn(struck)
			v.get(v.path).answers(http.StatusOK).says(whole).silentOn(struck, "MGROW500")
		},
		"a coupon that is unknown, of another shape or used up leaves the full price, and the form says so": func(v *visitor) {
			v.site.visitor().proven("9876500000").press("apply-coupon", "coupon_code", "LASTSEAT").press("pay").leadsTo("/checkout/")
			for code, message := range map[string]string{
				"NOSUCH": "Invalid coupon code. Please check and try again.", "A%20B": "Invalid coupon code. Please check and try again.", "LASTSEAT": "This coupon has just been used up.",
			} {
				v.get(v.path+"?couponCode="+code).answers(http.StatusOK).says(`id="e-coupon_code"><span>`+message+"</span>", "₹</span>4,51,499", "Go on without a code, ₹1,499")
				v.silentOn("There is a problem", "<title>Error", "data-price-before><", "Exam fee with MGROW500")
			}
		},
		"a coupon in the address counts for the visitor's phone": func(v *visitor) {
			v.proven("9876543210").get(v.path + "?couponCode=MGROW500").answers(http.StatusOK).says("₹500 off </span><b>MGROW500</b>")
		},
		"a friend's code in the address stands in the form, and a course": func(v *visitor) {
			v.get(v.path + "?referralCode=4k7mx2pq&course=Data_Analytics")
			v.answers(http.StatusOK).says(`value="4K7MX2PQ"`, `<option value="Data_Analytics" selected>`)
		},
		"nonsense in the address stays there": func(v *visitor) {
			v.get(v.path + "?couponCode=%3Cscript%3E")
			v.answers(http.StatusOK).silentOn("<script>").says("Invalid coupon code. Please check and try again.")
		},
	})
}
