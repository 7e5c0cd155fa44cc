package admin_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/store/storetest"
	"hiresure/web"
)

// bank is a provider that holds a paid fee of ₹1,499.00.
type bank struct{ method.Gateway }

func (bank) Fetch(_ context.Context, in method.Intent, _ string) (method.Status, error) {
	return method.Status{TxnID: in.TxnID, State: method.ChargePaid, Charges: []method.Charge{{PaymentID: "pay1", State: method.ChargePaid, Amount: admission.INR(1499_00)}}}, nil
}

const paidTxn = "7nb1ac9c00000000000000000a"

func (s *site) openBank() {
	s.t.Helper()
	s.rate, s.place = 1800, "27"
	s.services.Payment.Gateways = payment.Catalogue{{Descriptor: method.Descriptor{Name: "closed", Label: "Razorpay"}, Gateway: bank{}}}
}

func TestAPartOfAFeeIsRefundedOnThePage(t *testing.T) {
	s := newSite(t)
	s.openBank()
	s.register()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	person := web.StaffRegistrationPath(personID(0))
	page := person + "/refund"
	b.get(person).is(http.StatusOK, "More actions Refund")
	b.get(page).is(http.StatusOK, "Refund Asha <Verma>", "₹1,499.00 paid on 21 Nov 2026, UPI", "All, ₹1,499.00", "At most 1,499.00, nothing refunded yet.", "next in CN/26-27, 21 Nov 2026", "To invoice KS/26-27/000842",
		"Taxable value ₹1,270.34", "CGST 9% ₹114.33", "Refund ₹1,499.00", "Back to UPI, within 7 business days. This ends the registration")
	b.lacks("second person")

	for _, row := range []struct{ amount, want string }{
		{"", "Enter an amount."}, {"much", "Enter an amount like 1,000.00."}, {"-5", "Enter an amount like 1,000.00."}, {"0.00", "Enter an amount above 0."}, {"1499.01", "At most ₹1,499.00 can be refunded."},
		{"10.001", "Enter an amount like 1,000.00."},
	} {
		b.post(page, "part", "part", "amount", row.amount, "left", "149900", "shown", "149900", "cause", "complaint", "words", "C-0121 & more").is(http.StatusUnprocessableEntity, row.want, "C-0121 & more")
	}
	// An amount that nobody has seen on the page is shown first.
	b.post(page, "part", "part", "amount", "₹ 1,000", "left", "149900", "shown", "149900", "cause", "complaint", "words", "C-0121").is(http.StatusOK, "Taxable value ₹847.46", "Refund ₹1,000.00", "The registration stays active")
	b.post(page, "part", "part", "amount", "1000", "left", "149900", "shown", "100000", "words", "C-0121").is(http.StatusUnprocessableEntity, "Choose a reason.")
	b.post(page, "part", "part", "amount", "1000", "left", "149900", "shown", "100000", "cause", "complaint", "words", " ").is(http.StatusUnprocessableEntity, "Write what happened.")
	b.post(page, "part", "part", "amount", "1000", "left", "150000", "shown", "100000", "cause", "complaint", "words", "C-0121").is(http.StatusConflict, "The payment has changed in the meantime: now ₹1,499.00 can be refunded. Nothing was done.")
	b.post(page, "part", "part", "amount", "1000", "left", "much", "shown", "100000").is(http.StatusBadRequest)

	b.clock.Pass(11 * time.Minute)
	fields := []string{"part", "part", "amount", "1000", "left", "149900", "shown", "100000", "cause", "complaint", "words", "C-0121"}
	b.post(page, fields...).is(http.StatusOK, "Confirm that it is you", "You are about to refund a payment of Asha <Verma>.")
	b.get(person).lacks("Why ₹1,000.00 goes back")
	b.post(page, append(fields, "confirm_code", b.code())...).leads(person + "?said=decided-refund")
	b.get(b.location).is(http.StatusOK, "We are sending the refund.", "Refund ordered", "Why ₹1,000.00 goes back", "Arvind Kulkarni: “C-0121”", "Being sent", "Agreed in a complaint")
	b.post(page, fields...).is(http.StatusConflict, "A refund of ₹1,000.00 is being sent. Wait until it is done.")
	b.get(page).is(http.StatusOK, "A refund of ₹1,000.00 is being sent. Wait until it is done.")
	b.get(web.StaffRegistrationPath(personID(1))+"/refund").is(http.StatusConflict, "Nothing is paid yet.")
	b.get(web.StaffRegistrationPath(personID(9)) + "/refund").is(http.StatusNotFound)

	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(page).is(http.StatusForbidden)
	meera.post(page, fields...).is(http.StatusForbidden)
	meera.get(person).is(http.StatusOK)
	meera.lacks(page)
}

func TestALargeRefundIsApprovedByAnother(t *testing.T) {
	s := newSite(t)
	s.openBank()
	s.register()
	s.services.Payment.RefundLimit = 1000_00
	arvind := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	person := web.StaffRegistrationPath(personID(0))
	fields := []string{"part", "all", "left", "149900", "shown", "149900", "cause", "cancelled", "words", "Moving abroad"}
	arvind.get(person+"/refund").is(http.StatusOK, "This refund needs a second person. It is above ₹1,000.00.", "Nobody else can approve it yet", "Request approval of ₹1,499.00")
	kavya := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	arvind.get(person+"/refund").is(http.StatusOK, "Kavya Hegde will find it under Money, Approvals.")
	arvind.post(person+"/refund", fields...).leads(person + "?said=refund-asked")
	arvind.get(arvind.location).is(http.StatusOK, "Your request waits for a second person", "A refund of ₹1,499.00 waits for approval", "Approval requested for a refund of ₹1,499.00", "Moving abroad")
	arvind.get(person+"/refund").is(http.StatusOK, "Arvind Kulkarni requested a refund of ₹1,499.00. It waits for approval.")
	kavya.post(person+"/refund", fields...).is(http.StatusConflict, "requested a refund of ₹1,499.00")

	approvals := "/admin/money/approvals"
	arvind.get(approvals).is(http.StatusOK, "No refund waits for your approval", "Your requests", "Full refund", "Kavya Hegde", "Withdraw")
	arvind.get(web.StaffPath).is(http.StatusOK, "Refunds to approve", "See your request")
	kavya.get(web.StaffPath).is(http.StatusOK, "Refunds to approve", "Refund of ₹1,499.00", "Requested by Arvind Kulkarni")
	kavya.get(approvals).is(http.StatusOK, "Arvind needs your approval for a refund", "Refund ₹1,499.00 to Asha <Verma>", "Cancelled before the last day of a full refund", "“Moving abroad”", "Completed → Refunded", "Approve ₹1,499.00")
	one := s.openOrder()
	arvind.post(approvals+"/"+one, "do", "approve").is(http.StatusConflict, "Nobody can approve their own request.")
	kavya.post(approvals+"/"+one, "do", "decline", "answer", "").is(http.StatusUnprocessableEntity, "Write why you decline it.")
	kavya.post(approvals+"/"+one, "do", "sign").is(http.StatusBadRequest)
	kavya.post(approvals+"/none", "do", "approve").is(http.StatusNotFound)
	kavya.clock.Pass(11 * time.Minute)
	kavya.post(approvals+"/"+one, "do", "approve").is(http.StatusOK, "Confirm that it is you")
	kavya.post(approvals+"/"+one, "do", "approve", "confirm_code", kavya.code()).leads(approvals + "?said=refund-approved")
	kavya.get(kavya.location).is(http.StatusOK, "Approved. We are sending the refund.", "Approved", "after 11 min")
	kavya.post(approvals+"/"+one, "do", "approve").is(http.StatusConflict, "This request has ended. Nothing was done.")
	arvind.get(person).is(http.StatusOK, "The fee is being refunded", "Refund approved")

	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(approvals).is(http.StatusForbidden)
	meera.post(approvals+"/"+one, "do", "approve").is(http.StatusForbidden)
}

func TestARequestIsDeclinedOrWithdrawn(t *testing.T) {
	s := newSite(t)
	s.openBank()
	s.register()
	s.services.Payment.RefundLimit = 1000_00
	arvind, kavya := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance"), s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	person, approvals := web.StaffRegistrationPath(personID(0)), "/admin/money/approvals"
	fields := []string{"part", "all", "left", "149900", "shown", "149900", "cause", "cancelled", "words", "Moving abroad"}
	arvind.post(person+"/refund", fields...).leads(person + "?said=refund-asked")
	kavya.post(approvals+"/"+s.openOrder(), "do", "decline", "answer", "no e-mail in the file").leads(approvals + "?said=refund-declined")
	arvind.get(approvals).is(http.StatusOK, "Declined no e-mail in the file", "Kavya Hegde")
	arvind.get(person).is(http.StatusOK, "Refund declined", "no e-mail in the file", "Enrolled and paid")
	arvind.post(person+"/refund", fields...).leads(person + "?said=refund-asked")
	arvind.post(approvals+"/"+s.openOrder(), "do", "decline").leads(approvals + "?said=refund-withdrawn")
	arvind.get(arvind.location).is(http.StatusOK, "Your request is withdrawn. No money moves.", "Withdrawn")
	arvind.post(person+"/refund", fields...).leads(person + "?said=refund-asked")
	s.clock.Pass(73 * time.Hour)
	again := s.setUp("rohit@academy.example", "Rohit Bhandari", "finance")
	again.get(approvals).is(http.StatusOK, "No refund waits for your approval", "Expired", "nobody")
	again.get(person).is(http.StatusOK, "Enrolled and paid")
}

// openOrder returns the id of the refund that waits for approval.
func (s *site) openOrder() string {
	s.t.Helper()
	waiting, _, err := s.office.Approvals(s.t.Context())
	check(s.t, err)
	if len(waiting) != 1 {
		s.t.Fatalf("%d orders wait", len(waiting))
	}
	return waiting[0].Order.ID
}

func TestAFailedRefundOfAFeeIsClosedWithWords(t *testing.T) {
	s := newSite(t)
	s.register()
	s.failRefund()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	person := web.StaffRegistrationPath(personID(0))
	b.get(person).is(http.StatusOK, "A refund failed", "Send the refund again", "Or close it without a refund")
	b.get(web.StaffPath).is(http.StatusOK, "Refunds that failed", "Asha <Verma>")
	b.post(person+"/refund/keep", "payment", paidTxn, "words", "").is(http.StatusUnprocessableEntity, "Write what happens with the money.")
	b.post(person+"/refund/keep", "payment", "7nb1ac9c00000000000000000b", "words", "x").is(http.StatusNotFound) // another person's
	s.broken = "the disk is broken"
	db := storetest.SQL(t, s.database)
	_, err := db.Exec("CREATE TRIGGER broken BEFORE INSERT ON refund_orders BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END")
	check(t, err)
	b.post(person+"/refund/keep", "payment", paidTxn, "words", "x").is(http.StatusInternalServerError) // our fault is no "somebody was faster"
	_, err = db.Exec("DROP TRIGGER broken")
	check(t, err)
	b.post(person+"/refund/keep", "payment", paidTxn, "words", "sent by bank transfer, UTR 42").leads(person + "?said=refund-closed")
	b.get(b.location).is(http.StatusOK, "The failed refund is closed.", "Failed refund closed", "UTR 42", "Enrolled and paid")
	b.post(person+"/refund/keep", "payment", paidTxn, "words", "x").leads(person + "?said=changed")
}
