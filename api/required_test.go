package api_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"hiresure/admission/enrol"
)

// goodCalls are valid bodies: leaving a field out shows whether it is required.
var goodCalls = []struct {
	path string
	body func(s *site, b *browser) object
}{
	{enquiryPath, func(*site, *browser) object {
		return enquiry(object{"description": "When is the exam?", "consents": []string{"marketing"}})
	}},
	{askPath, func(*site, *browser) object {
		return object{"email": email, "phone_number": phone, "country_code": "+91", "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025", "purpose": "phone"}
	}},
	{askPath, func(_ *site, b *browser) object {
		proven(b)
		return object{"purpose": "guardian", "phone_number": phone, "guardian_phone": "9123456780", "scholarship_code": "KS_Mgrow"}
	}},
	{verifyPath, func(s *site, b *browser) object {
		asked := b.asks(phone, email)
		return object{
			"email": email, "phone_number": phone, "phone_otp": s.code(phone), "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025",
			"request_id": asked.text("request_id"), "country_code": "+91", "purpose": "phone",
		}
	}},
	{verifyPath, func(s *site, b *browser) object {
		b.post(askPath, object{"purpose": "guardian", "phone_number": phone, "guardian_phone": "9123456780", "scholarship_code": "KS_Mgrow"})
		return object{"purpose": "guardian", "guardian_phone": "9123456780", "guardian_otp": s.code("9123456780"), "phone_number": phone, "scholarship_code": "KS_Mgrow"}
	}},
	{resendPath, func(s *site, b *browser) object {
		id := b.asks(phone, email).text("request_id")
		s.clock.Pass(61 * time.Second)
		return object{"request_id": id}
	}},
	{resendPath, func(s *site, b *browser) object {
		id := proven(s.browser()).enrols(nil)
		s.clock.Pass(61 * time.Second)
		return object{"scholarship_requested_id": id}
	}},
	{enrolPath, func(_ *site, b *browser) object {
		proven(b)
		return enrolment(object{"company_name": "R.V. College", "coupon_code": "MGROW500", "referral_code": "SETU2025", "consents": []string{"marketing"}, "source": "utm_source=x"})
	}},
	{reopenPath, func(s *site, b *browser) object {
		id := proven(s.browser()).enrols(nil)
		s.clock.Pass(61 * time.Second)
		b.post(resendPath, object{"scholarship_requested_id": id})
		return object{"scholarship_requested_id": id, "phone_otp": s.code(phone)}
	}},
	{phonePath, func(*site, *browser) object {
		return object{"email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow"}
	}},
	{existsPath, func(*site, *browser) object { return object{"identifiers": object{"mobile_number": phone}} }},
	{leadPath, func(*site, *browser) object {
		return object{"fullname": "Asha Rao", "email": email, "phone_number": phone, "scholarship_code": "KS_Mgrow", "consents": []string{"reminders"}}
	}},
	{couponPath, func(*site, *browser) object {
		return object{"coupon_code": "MGROW500", "amount": 1499, "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025"}
	}},
	{startPath, func(_ *site, b *browser) object {
		return object{"scholarship_requested_id": proven(b).enrols(nil), "redirection_url": "/success", "gateway": "sandbox"}
	}},
	{outcomePath, func(_ *site, b *browser) object {
		return object{"payment_transaction_id": b.starts(proven(b).enrols(nil)).text("transactionResponse", "txId")}
	}},
	{feePath, func(s *site, b *browser) object {
		return object{"scholarship_requested_id": b.applicant(enrol.StepAgreed), "redirection_url": "/hiresure/payment", "gateway": "sandbox"}
	}},
	{feeOutcomePath, func(s *site, b *browser) object {
		id := b.applicant(enrol.StepAgreed)
		return object{"scholarship_requested_id": id, "payment_transaction_id": b.post(feePath, object{"scholarship_requested_id": id}).text("transactionResponse", "txId")}
	}},
	{loginCodePath, func(*site, *browser) object { return object{"mobile_number": phone} }},
	{loginCodePath, func(*site, *browser) object { return object{"email": email} }},
	{loginCodePath, func(*site, *browser) object { return newAccountRequest(nil) }},
	{loginTokenPath, func(s *site, _ *browser) object {
		asked := s.client().post(loginCodePath, newAccountRequest(nil))
		return object{"request_id": asked.text("request_id"), "otp": s.code(phone)}
	}},
	{phoneCodePath, func(s *site, b *browser) object {
		b.headers = s.byMail().headers
		return object{"phone_number": phone, "country_code": "+91", "scholarship_code": "hiresure"}
	}},
	{phoneProofPath, func(s *site, b *browser) object {
		b.headers = s.byMail().headers
		b.post(phoneCodePath, object{"phone_number": phone, "scholarship_code": "hiresure"})
		return object{"phone_number": phone, "country_code": "+91", "scholarship_code": "hiresure", "mobile_otp": s.code(phone)}
	}},
	{detailsPath, stepOf(enrol.StepPersonal)},
	{detailsPath, stepOf(enrol.StepAcademic)},
	{detailsPath, stepOf(enrol.StepScholarship)},
	{detailsPath, stepOf(enrol.StepAgreed)},
	{detailsPath, func(s *site, b *browser) object {
		other, _ := s.applies(enrol.StepPaid)
		b.cookies = other.cookies
		return other.papers()
	}},
	{deletePath, func(s *site, b *browser) object {
		other, _ := s.applies(enrol.StepPaid)
		b.cookies = other.cookies
		return object{"fileUrl": other.uploads("id.pdf", "an id").text("fileInfo", "url")}
	}},
	{saveDraftPath, func(s *site, b *browser) object {
		other, _ := s.applies(enrol.StepVerified)
		b.cookies = other.cookies
		return details(enrol.StepPersonal, object{"version": 0, "field": "zip_code"})
	}},
}

// stepOf returns the valid call that completes a step.
func stepOf(to enrol.Step) func(s *site, b *browser) object {
	return func(s *site, b *browser) object {
		other, _ := s.applies(to - 1)
		b.cookies = other.cookies
		return details(to, nil)
	}
}

// The document requires exactly the fields without which a call is refused, whatever its others.
func TestDocumentListsRequiredFields(t *testing.T) {
	required := map[string][]string{}
	for _, call := range goodCalls {
		s := newSite(t, storing(storage(t)))
		b := s.browser()
		whole := call.body(s, b)
		if got := b.post(call.path, whole); got.status >= 300 {
			t.Fatalf("%s %v answers %d %q", call.path, whole, got.status, got.message())
		}
		var refused []string
		for name := range whole {
			s := newSite(t, storing(storage(t)))
			b := s.browser()
			body := call.body(s, b)
			delete(body, name)
			if b.post(call.path, body).status >= 400 {
				refused = append(refused, name)
			}
		}
		before, known := required[call.path]
		if known {
			refused = slices.DeleteFunc(refused, func(name string) bool { return !slices.Contains(before, name) })
		}
		required[call.path] = refused
	}
	described := theDocument(t)
	for path, item := range described.doc.Paths.Map() {
		if item.Post == nil || !item.Post.RequestBody.Value.Required || item.Post.RequestBody.Value.Content["application/json"] == nil {
			continue
		}
		want, tried := required[path]
		if !tried {
			t.Errorf("%s has no good call", path)
		}
		got := slices.Clone(item.Post.RequestBody.Value.Content["application/json"].Schema.Value.Required)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the document requires %q, the call %q", path, got, want)
		}
		delete(required, path)
	}
	for path := range maps.Keys(required) {
		t.Errorf("%s %s is not in the document", http.MethodPost, path)
	}
}
