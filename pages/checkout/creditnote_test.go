package checkout_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store/storetest"
)

// happens changes a payment at the provider, which notifies us.
func (s *site) happens(txn string, what sandbox.ChargeEvent) {
	s.t.Helper()
	s.clock.Pass(10 * time.Minute)
	check(s.t, s.gateway.Apply(s.t.Context(), txn, what))
	header, body := s.gateway.SignedWebhook(txn, "something.happened")
	_, _, err := s.services.Payment.ReceiveWebhook(s.t.Context(), "sandbox", payment.Webhook{Header: header, Body: body})
	check(s.t, err)
	for _, kind := range []string{payment.JobEvent, payment.JobRefund} { // a bounced refund is polled
		s.clock.Pass(time.Minute)
		s.work(kind)
	}
}

// work runs the due jobs of a kind.
func (s *site) work(kind string) {
	s.t.Helper()
	jobs, err := s.store.ClaimJobs(s.t.Context(), []string{kind}, s.clock.Now(), time.Minute, 10)
	check(s.t, err)
	for _, job := range jobs {
		do := s.services.Payment.Refund
		if kind == payment.JobEvent {
			do = s.services.Payment.HandleEvent
		}
		_, err := do(s.t.Context(), job.Ref)
		check(s.t, errors.Join(err, s.store.FinishJob(s.t.Context(), job)))
	}
}

// refund refunds the payment, as far as the provider does at once.
func (s *site) refund(txn string) {
	s.t.Helper()
	s.clock.Pass(10 * time.Minute)
	_, err := s.services.Payment.Refund(s.t.Context(), txn)
	check(s.t, err)
}

func TestRefundedInvoiceIsMarked(t *testing.T) {
	for _, row := range []struct {
		sentence         string
		outcome          sandbox.Outcome
		change           func(*enrol.Registration)
		then             func(*site, string)
		receipt, invoice []string // texts
		not              []string // on neither
	}{
		{
			"as it was issued: nothing of it", sandbox.Paid, nil, func(*site, string) {},
			[]string{"Tax invoice KS/26-27/000001 Issued by", "Registration fee HireSure mGrow Scholarship, all taxes included 1,499.00 Paid ₹1,499.00 Of which taxable value 1,270.34 Of which IGST 18% 228.66 Full refund until 7 Mar 2027. After that, one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join. Write to support@hiresure.example to cancel by 7 Mar 2027, or to move. Refund Policy Tax invoice Receipt as PDF Print"}, []string{"Tax invoice Original for recipient Total ₹1,499.00 Number KS/26-27/000001"},
			[]string{"Credit", "credit", "Refunded", "was refunded", "Refund sent", "Refund of", "this invoice stand", "Nothing of", "Reverses"},
		},
		{
			"wholly refunded at the provider", sandbox.Paid, nil, func(s *site, txn string) { s.happens(txn, sandbox.RefundedThere) },
			[]string{
				"Refund sent Your enrolment is cancelled. We refunded ₹1,499.00 on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from.", "No longer valid",
				"Payment’s UTR", "Tax invoice KS/26-27/000001 Credit note KSC/26-27/000001 Issued by",
				"1,499.00 Paid 21 Nov 2026, 12:04 1,499.00 Refunded 21 Nov 2026, should arrive by 1 Dec 2026, credit note KSC/26-27/000001 −1,499.00 Net paid ₹0.00 Credit note Receipt as PDF Print",
			},
			[]string{
				"Credited in full by KSC/26-27/000001, 21 Nov 2026, ₹1,499.00 Credit note below",
				"Credit note Original for recipient Credited ₹1,499.00 Number KSC/26-27/000001 Date 21 November 2026 Place of supply Maharashtra (27) Reverse charge No",
				"Against tax invoice KS/26-27/000001 of 21 Nov 2026 Enrolment cancelled", "Recipient Ananya Deshmukh",
				"Amount credited Items and tax", "Taxable value 1,270.34 IGST 18% 228.66 Credited ₹1,499.00 In words One Thousand Four Hundred Ninety Nine Rupees Only",
				"This credit note is auto-generated, no signature needed.",
			},
			[]string{"reversed", "Reverses", "of this invoice stand.", "Full refund until", "start time"},
		},
		{
			"wholly refunded, and arrived", sandbox.Paid, nil, func(s *site, txn string) {
				s.happens(txn, sandbox.RefundedThere)
				s.clock.Pass(14 * 24 * time.Hour)
			},
			[]string{"Your fee was refunded Your enrolment is cancelled. We refunded ₹1,499.00 on 21 Nov 2026. HireSure mGrow"}, []string{"Credited in full by KSC/26-27/000001"},
			[]string{"Refund sent", "should arrive"},
		},
		{
			"a part of it, within the State", sandbox.Paid, func(r *enrol.Registration) { r.StateCode = "29" }, func(s *site, txn string) { s.happens(txn, sandbox.PartRefundedThere) },
			[]string{
				"Receipt ₹1,499.00 paid on 21 Nov 2026 Refund of ₹149.90 sent on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from. Your ticket is valid.", "Refunded on 21 Nov 2026 Payment ID", "Credit note KSC/26-27/000001 Issued by",
				"Paid 21 Nov 2026, 12:04 1,499.00 Refunded 21 Nov 2026, should arrive by 1 Dec 2026, credit note KSC/26-27/000001 −149.90 Net paid ₹1,349.10", "Amount paid ₹1,499.00",
			},
			[]string{"Credited by KSC/26-27/000001, 21 Nov 2026, ₹149.90 ₹1,349.10 of this invoice stand.", "Part of the fee returned", "Refunded on 21 Nov 2026 to the source of payment", "Credited ₹149.90 In words One Hundred Forty Nine Rupees And Ninety Paise Only"},
			[]string{"No longer valid", "cancelled", "Credited in full", "your bank", "payer's bank"},
		},
		{
			"a part, then a dispute that is lost", sandbox.Paid, nil, func(s *site, txn string) {
				s.happens(txn, sandbox.PartRefundedThere)
				s.happens(txn, sandbox.DisputeOpens)
				s.happens(txn, sandbox.DisputeLost)
			},
			[]string{
				"Your bank took back your fee Your enrolment is cancelled. You had disputed this payment, and the bank decided for you. Ask your bank when the money is in your account.",
				"Refunded ₹1,499.00", "Refunded 21 Nov 2026, should arrive by 1 Dec 2026, credit note KSC/26-27/000001 −149.90 Taken back by your bank 21 Nov 2026, after your dispute, credit note KSC/26-27/000002 −1,349.10 Net paid ₹0.00", "Taken back by your bank on 21 Nov 2026",
			},
			[]string{
				"Against tax invoice KS/26-27/000001 of 21 Nov 2026 Part of the fee returned", "Refunded on 21 Nov 2026 to the source of payment",
				"Against tax invoice KS/26-27/000001 of 21 Nov 2026 Enrolment cancelled", "Taken back by the payer's bank on 21 Nov 2026",
			},
			[]string{"Refund sent", "It should arrive"},
		},
		{
			"the refund of a second charge came back", sandbox.Paid, nil, func(s *site, txn string) {
				s.happens(txn, sandbox.SecondCharge)
				s.happens(txn, sandbox.RefundBounces)
			},
			[]string{"Your refund came back to us. Your bank did not accept ₹1,499.00. The money is safe, and it is yours. We e-mail you the next step by Monday, 23 November. Your ticket is valid.", "Paid 21 Nov 2026, 12:04 1,499.00 Paid again payment ID", "; we refund it 1,499.00 Net paid ₹2,998.00"}, []string{"Tax invoice Original for recipient Total ₹1,499.00"},
			[]string{"Credit", "No longer valid"},
		},
		{
			"a part, then the rest: two notes", sandbox.Paid, nil, func(s *site, txn string) {
				s.happens(txn, sandbox.PartRefundedThere)
				s.happens(txn, sandbox.RefundedThere)
			},
			[]string{
				"Your enrolment is cancelled. We refunded ₹1,499.00.",
				"Refunded 21 Nov 2026, should arrive by 1 Dec 2026, credit note KSC/26-27/000001 −149.90 Refunded 21 Nov 2026, should arrive by 1 Dec 2026, credit note KSC/26-27/000002 −1,349.10 Refunded in all −1,499.00 Net paid ₹0.00",
				"Credit note KSC/26-27/000001 Credit note KSC/26-27/000002 Issued by",
			},
			[]string{"Credited by KSC/26-27/000001, 21 Nov 2026, ₹149.90 Credited by KSC/26-27/000002, 21 Nov 2026, ₹1,349.10 Credited in full. Credit note KSC/26-27/000001 below Credit note KSC/26-27/000002 below", "2026 Part of the fee returned", "2026 Enrolment cancelled"},
			[]string{"a part of"},
		},
		{
			"on its way", sandbox.SlowRefund, nil, (*site).refund,
			[]string{"Refund sent We refunded ₹1,499.00 on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from.", "Paid ₹1,499.00"}, []string{"Tax invoice Original for recipient"},
			[]string{"Credit", "Refunded", "Net paid", "was sent back", "this invoice stand"},
		},
		{
			"bounced: a debit note reverses the credit note", sandbox.Paid, nil, func(s *site, txn string) {
				s.refund(txn)
				s.happens(txn, sandbox.RefundBounces)
			},
			[]string{
				"Receipt ₹1,499.00 paid on 21 Nov 2026 Your refund came back to us. Your bank did not accept ₹1,499.00. The money is safe, and it is yours. We e-mail you the next step by Monday, 23 November. Until then your ticket is valid.",
				"Paid with Test money Payment ID", "Credit note KSC/26-27/000001 Debit note that reverses KSC/26-27/000001 KSD/26-27/000001, 21 Nov 2026, ₹1,499.00 Issued by", "Paid ₹1,499.00 Of which taxable value 1,270.34 Of which IGST 18% 228.66",
			},
			[]string{
				"Credited by KSC/26-27/000001, 21 Nov 2026, ₹1,499.00 Credit note KSC/26-27/000001 is reversed by debit note KSD/26-27/000001, 21 Nov 2026, ₹1,499.00",
				"Debit note Original for recipient Debited ₹1,499.00 Number KSD/26-27/000001 Date 21 November 2026", "Against tax invoice KS/26-27/000001 of 21 Nov 2026 Reverses credit note KSC/26-27/000001 of 21 Nov 2026: the refund came back Amount debited", "Returned to us on 21 Nov 2026", "This debit note is auto-generated, no signature needed.",
			},
			[]string{"Net paid", "00001 Refunded on", "of this invoice"},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, url string) {
				s := newSiteOn(t, url)
				b, txn := s.at(row.outcome, row.change)
				receipt, invoice := s.mailed()
				row.then(s, txn)
				own := "/checkout/" + txn
				for _, page := range []answer{s.stranger().get(receipt), b.get(own + "/receipt")} {
					page.is(http.StatusOK, row.receipt...).without(row.not...)
				}
				for _, page := range []answer{s.stranger().get(invoice), b.get(own + "/invoice")} {
					page.is(http.StatusOK, row.invoice...).without(row.not...)
					if n := strings.Count(page.body, "<h1"); n != 1 {
						t.Errorf("%d headings of the first level", n)
					}
				}
			})
		})
	}
}

// Without an invoice there is nothing to credit; a charge in dollars is credited in rupees.
func TestRefundIsShownInTheChargedCurrency(t *testing.T) {
	s := newSite(t, withoutSupplier)
	b, txn := s.at(sandbox.Paid, nil)
	s.happens(txn, sandbox.RefundedThere)
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Refunded 21 Nov 2026, should arrive by 1 Dec 2026 −1,499.00 Net paid ₹0.00").without("Credit", "Tax invoice", "My Registrations")
}

func TestReturnedPaymentIsNeitherPaidNorPending(t *testing.T) {
	gone := []string{"Your payment was refunded", "It went to the account it was paid from."}
	open := []string{pendingTitle, "in processing", "We are asking your bank.", "Not confirmed yet", "We keep asking", "Congratulations", "data-poll"}
	for _, row := range []struct {
		sentence, title, text, money, step string
		then                               []sandbox.ChargeEvent
	}{
		{
			"refunded at the provider", "Refund sent", "Your enrolment is cancelled. We refunded ₹1,499.00 on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from.", "Refund sent", "Payment refund sent",
			[]sandbox.ChargeEvent{sandbox.RefundedThere},
		},
		{
			"a dispute was lost", "Your bank took back your fee", "You had disputed this payment, and the bank decided for you. Your enrolment is cancelled.", "Taken back by your bank", "Payment taken back by your bank",
			[]sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLost},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			b, txn := s.at(sandbox.Paid, nil)
			for _, what := range row.then {
				s.happens(txn, what)
			}
			b.get("/success?kspay_id="+txn).is(http.StatusOK, row.title+" "+row.text, "No longer valid", row.money+" ₹1,499.00", "Give us the first 8 characters of the payment ID: "+txn[:4]+" "+txn[4:8], "Enrol again").without(open...).without("Add to calendar", "data-arrives", "Full refund until", "Planned for 10:00", "days to the exam", `data-outcome="paid"`)
			s.stranger().get("/success?kspay_id="+txn).is(http.StatusOK, gone...).without(open...).without("₹1,499", "You need not do anything")
			const ended = "You are no longer enrolled. You can enrol again while enrolment is open."
			wrong := []string{"You have paid", "You are enrolled", "already paid", `data-outcome="paid"`}
			b.get("/pay").is(http.StatusOK, row.title, ended, row.step, row.money, "Receipt Credit note You have this by e-mail too. Enrol again").without(append(wrong, "Your ticket")...)
			b.post("/pay", nil).is(http.StatusConflict, row.title, ended).without(wrong...)
		})
	}
}

func TestPartLostInADisputeIsNoRefundOnItsWay(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	s.happens(txn, sandbox.DisputeOpens)
	s.happens(txn, sandbox.DisputeLostInPart)
	b.get("/checkout/"+txn+"/receipt").
		is(http.StatusOK, "Your bank took back ₹499.66 after your dispute. Your ticket is valid.", "Taken back by your bank 21 Nov 2026, after your dispute, credit note KSC/26-27/000001 −499.66").
		without("Refund sent", "should arrive")
}

func TestReturningPaymentIsNotRequestedAgain(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Late, nil)
	second := b.start()
	b.press(second, sandbox.Paid)
	s.clock.Pass(16 * time.Second) // then the first attempt is paid too
	b.get("/success?kspay_id=" + txn).leadsTo("/success?kspay_id=" + second)
	b.get("/success?kspay_id="+second).is(http.StatusOK, "You paid twice We refund the second payment, ₹1,499.00, and e-mail you when it is sent. Your ticket is valid. Please do not pay again. On the phone, give us the first 8 characters of the payment ID: "+txn[:4]+" "+txn[4:8]).
		without(pendingTitle, "in processing", "data-poll", "data-leave", "business days", "should arrive")
}

// A second payment whose refund failed is with us: nothing promises that it is on its way.
func TestFailedRefundIsNotOnItsWay(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Late, nil)
	second := b.start()
	b.press(second, sandbox.Paid)
	s.clock.Pass(16 * time.Second) // then the first attempt is paid too
	page := "/success?kspay_id=" + second
	b.get("/success?kspay_id=" + txn).leadsTo(page)
	b.get(page).is(http.StatusOK, "You paid twice")
	healthy := s.gateway.Faults
	s.gateway.Faults.Before = func(_ context.Context, call, _ string) error {
		if call == "refund" {
			return method.ErrDeclined
		}
		return nil
	}
	if _, err := s.services.Payment.Refund(t.Context(), txn); err != nil {
		t.Fatal(err)
	}
	b.get(page).is(http.StatusOK, "₹1,499.00 is still with us You paid twice. The payment provider refused our refund. The money is safe, and it is yours. We refund you another way and e-mail you the next step by Monday, 23 November.").
		without("Refund sent", "3-4 business days", "should arrive")
	s.gateway.Faults = healthy
	s.clock.Pass(time.Second)
	if err := s.services.Payment.OrderRefund(t.Context(), txn, staff.Actor{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.services.Payment.Refund(t.Context(), txn); err != nil {
		t.Fatal(err)
	}
	b.get(page).is(http.StatusOK, "Refund of ₹1,499.00 sent You paid twice. We refunded the second payment on 21 Nov 2026. It should arrive by Thursday, 26 November, in the account you paid from.").without("still with us")
	b.get("/checkout/"+second+"/receipt").is(http.StatusOK, "You paid twice. Refund of ₹1,499.00 sent. It should arrive by Thursday, 26 November. Your ticket is valid.", "Paid 21 Nov 2026, 12:04 1,499.00 Paid again payment ID "+txn[:4]+" "+txn[4:8]+" 1,499.00 Refunded 21 Nov 2026, should arrive by 26 Nov 2026 −1,499.00 Net paid ₹1,499.00")
	s.clock.Pass(35 * 24 * time.Hour) // 30 days after it should have arrived
	b.get(page).is(http.StatusOK, "You are enrolled").without("Refund sent", "should", "paid twice")
}

// After a new enrolment the old documents say that the money is owed, not that it was refunded.
func TestBouncedRefundOfAReenrolledPersonIsOwed(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	s.happens(txn, sandbox.RefundedThere)
	s.at(sandbox.Paid, nil)
	s.happens(txn, sandbox.RefundBounces)
	const title = "Your refund came back to us"
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, title+" Your bank did not accept ₹1,499.00. The money is safe, and it is yours. We refund you another way and e-mail you the next step by Monday, 23 November.", "Owed to you ₹1,499.00")
	b.get("/pay?scholarship_requested_id="+b.registration.ID).is(http.StatusOK, title).without("was refunded")
}

// Another attempt that has paid comes first, and only while it counts.
func TestFailedPaymentShowsTheEnrolmentsStatus(t *testing.T) {
	s := newSite(t)
	b, failed := s.at(sandbox.Failed, nil)
	paid := b.start()
	b.press(paid, sandbox.Paid)
	page := "/success?kspay_id=" + failed
	b.get(page).is(http.StatusOK, "This payment did not go through You are enrolled: another payment of yours went through. Transaction failed! Your transaction could not be processed", "Not paid ₹1,499").without("Try again", "has ended")
	s.happens(paid, sandbox.RefundedThere)
	b.get(page).is(http.StatusOK, "Your payment did not go through Your enrolment has ended, and its fee is refunded. Transaction failed! Your transaction could not be processed", "Not paid ₹1,499").without("Try again", "You are enrolled", "by another payment")
}

func TestInvoiceLinksToItsCreditNote(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	s.happens(txn, sandbox.RefundedThere)
	body := b.get("/checkout/" + txn + "/invoice").body
	for _, mark := range []string{`<a href="#KSC-26-27-000001">Credit note below</a>`, ` id="KSC-26-27-000001"`, "21\u00a0Nov\u00a02026"} {
		if !strings.Contains(body, mark) {
			t.Errorf("no %s in %s", mark, body)
		}
	}
}

// The invoice is of what arrived, and says by how much that is less than the fee.
func TestAcceptedReviewShowsItsAdjustment(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.WrongAmount, nil)
	s.clock.Pass(time.Second)
	if _, err := s.services.Payment.AcceptReview(t.Context(), txn, staff.Actor{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	b.get("/checkout/"+txn+"/invoice").is(http.StatusOK, "Total ₹1,498.99", "Adjustment −0.01 Taxable value 1,270.33 IGST 18% 228.66", "With tax: fee 1,499.00, adjustment 0.01.")
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "all taxes included 1,499.00 Adjustment we accepted what reached us −0.01 Paid ₹1,498.99 Of which taxable value 1,270.33 Of which IGST 18% 228.66")
}

// Two refunds of one sum: each row has its day, and the total follows.
func TestRefundsOfOneSumHaveATotal(t *testing.T) {
	s := newSite(t, withoutSupplier)
	b, txn := s.at(sandbox.Paid, nil)
	refund := func() payment.Refund {
		return payment.Refund{ID: admission.NewID(), Amount: admission.INR(100_00), Reason: payment.ReasonAtProvider, State: method.RefundDone}
	}
	partly := func(minor int64) func(*payment.Transaction) {
		return func(t *payment.Transaction) { t.RefundedMinor = minor }
	}
	receipt := "/checkout/" + txn + "/receipt"
	s.changePayment(txn, partly(100_00), refund())
	b.get(receipt).is(http.StatusOK, "Refunded 21 Nov 2026, should arrive by 1 Dec 2026 −100.00 Net paid ₹1,399.00").without("Refunded in all")
	s.clock.Pass(48 * time.Hour)
	bounced := refund()
	bounced.State = method.RefundBounced
	s.changePayment(txn, partly(200_00), bounced, refund())
	b.get(receipt).is(http.StatusOK, "Refunded 21 Nov 2026, should arrive by 1 Dec 2026 −100.00 Refunded 23 Nov 2026, should arrive by 2 Dec 2026 −100.00 Refunded in all −200.00 Net paid ₹1,299.00")
	s.clock.Pass(9 * 24 * time.Hour)
	b.get(receipt).is(http.StatusOK, "Refunded 21 Nov 2026, should have arrived by 1 Dec 2026 −100.00 Refunded 23 Nov 2026, should arrive by 2 Dec 2026 −100.00 Refunded in all −200.00")
}
