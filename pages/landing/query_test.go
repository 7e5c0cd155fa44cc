package landing

import (
	"net/http"
	"testing"

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

func TestTheFormReadsTheAddress(t *testing.T) {
	play(t, map[string]func(*visitor){
		"a coupon in the address stands in the form, which says when it counts": func(v *visitor) {
			const counts = "This code counts as soon as you begin to fill in the form."
			v.silentOn(counts).get(v.path + "?couponCode=mgrow500")
			v.answers(http.StatusOK).says(`value="MGROW500"`, `<details class="more" data-group="coupon" open>`, counts)
			v.press("continue-you", "coupon_code", "MGROW500").silentOn(counts) // without scripts a press of Apply applies it
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
