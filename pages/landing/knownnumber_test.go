package landing

import (
	"testing"
	"time"

	"hiresure/store/storetest"
	"hiresure/web"
)

func TestEnrolledNumberOpensItsEnrolment(t *testing.T) {
	const phone = "9876543210"
	for _, row := range []struct {
		sentence    string
		name, email string
		another     bool
	}{
		{"the same person", "Asha Verma", phone + "@example.com", false},
		{"the same person, in other letters and spaces", " asha  VERMA ", "9876543210@Example.COM", false},
		{"another person is told so", "Kiran Verma", "kiran@example.com", true},
		{"another person with the family's e-mail", "Kiran Verma", phone + "@example.com", true},
		{"another e-mail, which would be gone without a word", "Asha Verma", "asha@example.com", true},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			before := newSite(t, storetest.Open(t, storetest.SQLite(t))).visitor()
			before.proven(phone).press("pay").leadsTo("/checkout/")
			v := before.visitor().details(phone)
			v.clock.Pass(2 * time.Minute)
			v.press("send-code", "fullname", row.name, "email", row.email)
			want := web.PayPath
			if row.another {
				want = "/pay?scholarship_requested_id=" + v.registration(phone).ID + "&typed=another"
			}
			if got := v.press("verify", "otp", v.code(phone)).leadsTo("/pay"); got != want {
				t.Errorf("leads to %s, want %s", got, want)
			}
			if r := v.registration(phone); r.FullName != "Asha Verma" || r.Email != phone+"@example.com" {
				t.Errorf("the enrolment is %s's now, at %s", r.FullName, r.Email)
			}
		})
	}
}
