package site_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"hiresure/cmd/site/site"
	"hiresure/web"
)

var amounts = regexp.MustCompile(`₹[0-9,]+\.[0-9]{2}`)

var tags = regexp.MustCompile(`<[^>]*>`)

func TestRevisionRulesTheNextCall(t *testing.T) {
	r := openSite(t)
	coupon := map[string]any{"coupon_code": "MGROW500", "scholarship_code": "KS_Mgrow"}
	if status, body := r.Post("/scholarship/v1/apply-coupon", coupon); status != http.StatusOK || !strings.Contains(body, `"final_amount":999`) {
		t.Fatalf("before: %d %s", status, body)
	}
	words := revised(t, revision...)
	if err := r.Site.Words.Publish(words); err != nil {
		t.Fatal(err)
	}

	if status, body := r.Post("/scholarship/v1/apply-coupon", coupon); status != http.StatusOK || !strings.Contains(body, `"final_amount":799`) {
		t.Errorf("the coupon: %d %s", status, body)
	}
	if status, body := r.EnrolIn("Data_Analytics"); status != http.StatusUnprocessableEntity || !strings.Contains(body, `"selected_course"`) {
		t.Errorf("a course that is closed: %d %s", status, body)
	}
	if sms := r.Mail("+91" + r.Phone); !strings.Contains(sms, "is the code that you asked for, valid") {
		t.Errorf("the code came as %q", sms)
	}
	if status, body := r.Post("/scholarship/v1/create-scholarship-request", r.Registration("Blockchain", "KS_Campus")); status != http.StatusConflict || !strings.Contains(body, "Enrolment for this programme is closed.") {
		t.Errorf("an event that is closed: %d %s", status, body)
	}
	answer, err := r.Call("/scholarship/v1/create-scholarship-request", r.Registration("Blockchain", "KS_Mgrow"))
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("a course that is open: %+v, %v", answer, err)
	}
	terms, _ := words.Page("terms")
	event, _ := r.Site.Events.EventByCode("KS_Mgrow")
	if event.Terms.Version != "2026-11-20" || event.Terms.Hash != terms.Hash() {
		t.Errorf("agreed to %+v", event.Terms)
	}
	registration, _ := answer.Fields["scholarship_requested_id"].(string)
	started, err := r.Call("/payments/v1/initiate-payment", map[string]any{"scholarship_requested_id": registration, "redirection_url": "/success"})
	transaction, _ := started.Fields["transactionResponse"].(map[string]any)
	if err != nil || transaction["amount"] != 1299. {
		t.Fatalf("to be paid: %+v, %v", started, err)
	}
	txn, _ := transaction["payment_transaction_id"].(string)
	if err := r.Press(txn, "paid"); err != nil {
		t.Fatal(err)
	}
	if status, err := r.Verify(txn); err != nil || status != "PAYMENT_PAID" {
		t.Errorf("paid: %s, %v", status, err)
	}
	receipt := r.Mail(r.Email)
	if !strings.Contains(receipt, "You are enrolled: HireSure mGrow Award\n") || !strings.Contains(receipt, "We have your ₹1,299.00.") || !strings.Contains(receipt, "care@hiresure.example") {
		t.Errorf("the mail says %s", receipt)
	}
	for _, part := range []string{"Planned for 10:00", "Full refund until 7 Mar 2027."} {
		if !strings.Contains(receipt, part) {
			t.Errorf("the mail does not say %q: %s", part, receipt)
		}
	}
	for _, address := range []string{web.ReceiptPath(""), web.InvoicePath("")} {
		path := regexp.MustCompile(regexp.QuoteMeta(r.Base) + `(` + address + `\S+)`).FindStringSubmatch(receipt)
		if path == nil {
			t.Errorf("the mail has no address %s", address)
		} else if answer, _ := r.Fetch(path[1]); answer.StatusCode != http.StatusOK {
			t.Errorf("%s answers %d", address, answer.StatusCode)
		}
	}
	_, invoice := r.Fetch(web.OwnInvoicePath(txn))
	for _, part := range []string{"999294", "Hillside Layout", "KS/26-27/000001"} {
		if !strings.Contains(invoice, part) {
			t.Errorf("the invoice does not say %s", part)
		}
	}
	if total := amounts.FindAllString(tags.ReplaceAllString(invoice, ""), -1); len(total) == 0 || total[len(total)-1] != "₹1,299.00" {
		t.Errorf("the invoice is over %v", total)
	}

	if supplier := site.SupplierAt(r.Site.Words)(r.Site.Clock()); supplier == nil || supplier.CreditSeries != "KSX" {
		t.Errorf("credit notes are issued by %+v", supplier)
	}

	if status, body := r.Post("/ks-website/create-enquiry", map[string]any{
		"fullname": "Asha Verma", "email": "asks@example.com", "phone": "9812345670", "countryCode": "IN", "dialLog": "91", "description": "When does it begin?",
	}); status != http.StatusOK {
		t.Fatalf("an enquiry: %d %s", status, body)
	}
	if mail := r.Mail("asks@example.com"); !strings.Contains(mail, "Thank you for asking.") {
		t.Errorf("the enquiry's mail says %s", mail)
	}
	complaint := url.Values{"name": {"Asha Rao"}, "email": {"rao@example.com"}, "category": {"payment"}, "message": {"I paid twice. Nobody answers."}}
	filed, err := r.Client.PostForm(r.Base+web.GrievancePath, complaint)
	if err != nil || filed.StatusCode != http.StatusOK {
		t.Fatalf("a complaint: %+v, %v", filed, err)
	}
	filed.Body.Close()
	if mail := r.Mail("officer@hiresure.example"); !strings.Contains(mail, "I paid twice. Nobody answers.") {
		t.Errorf("the officer reads %s", mail)
	}
	if version := site.NoticeVersion(r.Site.Words); version != "2026-11-20" {
		t.Errorf("consents are kept under notice %s", version)
	}
}
