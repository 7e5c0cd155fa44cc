package enrol

import (
	"maps"
	"reflect"
	"testing"

	"hiresure/forms"
)

func TestFillAndTyped(t *testing.T) {
	form := forms.Get("enrolment")
	clean := map[string]string{
		"fullname": "Asha Rao", "email": "asha@example.com", "phone_number": "9876543210", "otp": "123456", "selected_course": "Blockchain", "state": "Kerala",
		"company_name": "St. Mary's", "referral_code": "SETU2025", "coupon_code": "MGROW500", "adult": "false", "guardian_name": "Meera Rao",
		"guardian_phone": "9876543211", "guardian_shares_phone": "true", "guardian_otp": "654321", "agreed_terms_conditions": "true", "consents": "marketing",
	}
	r := Registration{CouponCode: "HALFPRICE"}
	r.fill(form, clean)
	want := Registration{
		FullName: "Asha Rao", Email: "asha@example.com", Phone: "+919876543210", Course: "Blockchain", StateCode: "32", College: "St. Mary's",
		ReferralCode: "SETU2025", CouponCode: "HALFPRICE", GuardianName: "Meera Rao", GuardianPhone: "+919876543211", SharedPhone: true, FormVersion: form.Version,
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v\nwant %+v", r, want)
	}
	typed := maps.Clone(clean)
	for _, gone := range []string{"otp", "guardian_otp", "agreed_terms_conditions"} {
		delete(typed, gone)
	}
	typed["adult"], typed["coupon_code"], typed["consents"] = "false", "HALFPRICE", "reminders"
	if got := r.Typed(form, "reminders"); !maps.Equal(got, typed) {
		t.Errorf("got %q\nwant %q", got, typed)
	}

	// Who turns out to be an adult has no guardian any more.
	delete(clean, "guardian_name")
	delete(clean, "guardian_phone")
	delete(clean, "guardian_shares_phone")
	clean["adult"] = "true"
	r.fill(form, clean)
	if !r.Adult || r.GuardianName != "" || r.GuardianPhone != "" || r.SharedPhone || r.Typed(form, "")["guardian_phone"] != "" {
		t.Errorf("an adult keeps a guardian: %+v", r)
	}
}

func TestCheckForm(t *testing.T) {
	if err := CheckForm(forms.Get("enrolment")); err != nil {
		t.Error(err)
	}
	set, err := forms.With([]byte(`{"name":"enrolment",
		"steps":[{"name":"one","groups":[{"name":"all","kind":"plain","place":"fields"}]}],
		"fields":[{"name":"shoes","label":"Shoes","kind":"text","group":"all","keep":"shoe_size","optional":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `the form enrolment stores shoes in "shoe_size", which does not exist`
	if err := CheckForm(set.Get("enrolment")); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
