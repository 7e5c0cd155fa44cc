package checkout_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/mydata"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
)

// withApplication opens applications.
func withApplication(_ *site, n *business.Config) {
	n.Events = businesstest.Catalogue{event, businesstest.Events()[2]}
}

func closedApplication(_ *site, n *business.Config) {
	closed := businesstest.Events()[2]
	closed.Published = false
	n.Events = businesstest.Catalogue{event, closed}
}

func freeApplication(_ *site, n *business.Config) {
	free := businesstest.Events()[2]
	free.Fee, free.ListFee = admission.INR(0), admission.INR(0)
	n.Events = businesstest.Catalogue{event, free}
}

// applicant returns a signed-in browser whose application is at a step; at enrol.StepUnverified it has none.
func (s *site) applicant(step enrol.Step) *browser {
	s.t.Helper()
	b, now := s.stranger(), s.clock.Now()
	token, session, err := storetest.AddSession(s.t.Context(), s.store, now.AddDate(1, 0, 0))
	check(s.t, err)
	me := account.Account{ID: admission.NewID(), FullName: "Ananya Deshmukh", Email: session.ID[:8] + "@example.com", Phone: phoneOf(session.ID), PhoneProvenAt: now}
	b.registration = enrol.Registration{
		ID: admission.NewID(), EventSlug: enrol.ApplicationCode, EventCode: enrol.ApplicationCode, AccountID: me.ID, FullName: me.FullName, Email: me.Email, Phone: me.Phone,
		StateCode: "27", Adult: true, Step: step, CreatedAt: now, ModifiedAt: now, TermsAt: now,
	}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		session.AccountID, session.SignedInAt = me.ID, now
		err := errors.Join(tx.SaveSession(&session), tx.AddAccount(&me))
		if step == enrol.StepUnverified {
			return err
		}
		return errors.Join(err, tx.AddRegistration(&b.registration))
	}))
	home, err := url.Parse(s.url)
	check(s.t, err)
	b.client.Jar.SetCookies(home, []*http.Cookie{{Name: "hiresure", Value: token}})
	return b
}

// pays presses the page's button and returns the attempt.
func (b *browser) pays() string {
	b.site.t.Helper()
	a := b.post("/hiresure/payment", url.Values{})
	txn, found := strings.CutPrefix(a.location, "/checkout/")
	if a.status != http.StatusSeeOther || !found {
		b.site.t.Fatalf("POST /hiresure/payment answered %d to %q: %s", a.status, a.location, a.text())
	}
	return txn
}

const feePath = "/hiresure/payment"

func TestApplicationHasItsOwnPaymentPage(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	b.get(feePath).is(http.StatusOK, "HireSure Scholarship", "Step 5 of 6: Payment | HireSure", "Step 5 of 6: Payment Your answers are submitted. After the fee you upload three documents.",
		"₹2,500.00 18% GST included. Tax invoice by e-mail. For Your HireSure application To Aksharam Skill Academy Private Limited GSTIN 29ABCDE1234F1ZW Why Two people read your application and documents. The fee does not come back if you are not selected. Refund Policy",
		"How do you pay?", "If you pay twice or a payment fails, we refund that money in 3-4 business days.", "Pay ₹2,500.00", "Step 5 of 6: Payment", "Saved 12:04").holds(`method="post" action="/hiresure/payment"`, `name="gateway" value="sandbox" checked`).without("enrolled", "Registration fee")
	txn := b.pays()
	b.get("/checkout/"+txn).is(http.StatusOK, "Application fee", "The fee does not come back if you are not selected.", "Your payment counts when the payment provider has confirmed it.").holds("4 of 6 steps done").without("You are enrolled", "Registration fee")
	b.get(feePath).is(http.StatusOK, "Your payment is still open", "Continue to pay", "This payment stays open until 12:34 today.")
	if again := b.pays(); again != txn {
		t.Error("a second press opened another attempt")
	}
	back := b.press(txn, sandbox.Paid)
	if !strings.HasPrefix(back, "/hiresure/payment?") || !strings.Contains(back, "kspay_id="+txn) {
		t.Fatalf("the checkout leads to %q", back)
	}
	b.get(back).is(http.StatusOK, congratulations, "Our team will get in touch with you soon for the next steps.", "Last step: three documents.", "We sent the receipt and tax invoice to "+b.registration.Email,
		"Upload Documents", "Your documents open in 5 s.", "Amount paid", "₹2,500.00", "Application fee, 18% GST included To Aksharam", "For HireSure application", "Keep these ready", "Family Income Certificate (optional)", "Step 5 of 6 done").
		holds(`data-leave="/hiresure/upload-doc"`, `data-outcome="paid"`).without("data-poll", "Try again", "HS26-")
	b.get(feePath).leadsTo("/hiresure/upload-doc")
	b.post(feePath, nil).leadsTo("/hiresure/upload-doc")
	b.get("/pay?scholarship_requested_id=" + b.registration.ID).leadsTo("/hiresure/payment")
	b.get("/checkout/" + txn).leadsTo("/hiresure/payment?kspay_id=" + txn)
	b.get("/success?kspay_id=" + txn).leadsTo("/hiresure/payment?kspay_id=" + txn)
	mails := s.deliver()
	if len(mails) != 1 || mails[0].Template != "receipt-application" || mails[0].Params["UploadURL"] != s.url+"/hiresure/upload-doc" {
		t.Errorf("mails: %v", mails)
	}
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Application fee", "HireSure Scholarship, all taxes included", "2,500.00", "Tax invoice", "Refund, within 7 business days: the whole fee, if we cannot read your application or you withdraw before we open a document. Nothing, if we do not select you. Refund Policy").holds(`href="/hiresure/registration">My Registrations</a>`).without("Registration fee", "Scholarship exam")
	b.get("/checkout/"+txn+"/invoice").is(http.StatusOK, "Application fee – HireSure Scholarship", "Two Thousand Five Hundred Rupees Only")
}

func TestPaymentPageAtEachStep(t *testing.T) {
	s := newSite(t, withApplication)
	for _, step := range enrol.Steps {
		t.Run(fmt.Sprint(step), func(t *testing.T) {
			b := s.applicant(step)
			lands := web.PlacePath(string(businesstest.PageAt(enrol.PlacePayment, step)), b.registration.ID)
			after, refusal := businesstest.TryTo(enrol.StepPaying).From(step)
			opens := lands == feePath
			if opens {
				b.get(feePath).is(http.StatusOK, "HireSure Scholarship")
			} else {
				b.get(feePath).leadsTo(lands)
			}
			b.expectStep(step, false)
			if opens == (refusal != nil) {
				t.Fatalf("the page says %t, the table of tries %v", opens, refusal)
			}
			if !opens {
				b.post(feePath, url.Values{"gateway": {"sandbox"}}).leadsTo(lands)
				b.expectStep(step, false)
				return
			}
			b.pays()
			b.expectStep(after, true)
		})
	}
}

// expectStep checks the step of the visitor's application, and whether an attempt is open.
func (b *browser) expectStep(step enrol.Step, open bool) {
	b.site.t.Helper()
	check(b.site.t, b.site.store.View(b.site.t.Context(), func(tx store.Tx) error {
		r, err := tx.Registration(b.registration.ID)
		if err != nil {
			return err
		}
		if r == nil && step != enrol.StepUnverified || r != nil && r.Step != step {
			b.site.t.Errorf("the application stands at %+v, want step %d", r, step)
		}
		attempt, err := tx.OpenTransaction(b.registration.ID)
		if (attempt != nil) != open {
			b.site.t.Errorf("at step %d the attempt is %+v", step, attempt)
		}
		return err
	}))
}

func TestPendingFeePolls(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	txn := b.pays()
	page := b.get(b.press(txn, sandbox.Pending)).is(http.StatusOK, "Transaction in pending!", "Do not pay again. We ask the bank every few seconds and e-mail you when it answers. "+
		"Your transaction is in processing due to some technical issue. Any amount deducted will be refunded in 3-4 business days. You can close this page.", "My Registrations", "Waiting for your bank", "When the bank answers",
		"We wait Until 12:34 today If paid Your documents open on this page, and the invoice goes to "+b.registration.Email, "If not You can pay again. Later If the bank confirms later, your application is paid, and we e-mail you.", "Step 5 of 6: waiting for the bank")
	page.holds(`data-poll="/hiresure/payment?kspay_id=`+txn, `<noscript><meta http-equiv="refresh" content="3">`).without("Try again", "data-leave", "Receipt and tax invoice")
	s.gateway.Press(txn, sandbox.Paid)
	b.press(txn, sandbox.Paid)
	b.get(feePath+"?kspay_id="+txn).is(http.StatusOK, congratulations).without("data-poll")
}

func TestAFailedPaymentOfAnApplicationIsTriedAgain(t *testing.T) {
	s := newSite(t, withApplication, withDollars)
	b := s.applicant(enrol.StepAgreed)
	txn := b.pays()
	failed := b.get(b.press(txn, sandbox.Failed)).is(http.StatusOK, "Transaction failed!", "Transaction failed! Only the fee is missing. Your answers are saved. Your transaction could not be processed",
		"Your transaction could not be processed due to some technical issue. Any amount deducted will be refunded in 3-4 business days.", "Try again", "Still to pay", "If money has left your account", "Talk to us", "Step 5 of 6: payment failed", "My Registrations")
	failed.holds(`<form method="post" action="/hiresure/payment">`).without("data-poll", "data-leave", "Another method")
	b.get(feePath).is(http.StatusOK, "Your payment did not go through", "Everything you typed is kept.", "Try again, ₹2,500.00")
	again := b.pays()
	if again == txn {
		t.Fatal("the failed attempt was opened again")
	}
	b.get(b.press(again, sandbox.Paid)).is(http.StatusOK, congratulations)
	b.get(feePath+"?kspay_id="+txn).is(http.StatusOK, "Transaction failed!", "Your application is paid: another payment of yours went through.", "Not paid").without("Try again", "Still to pay")
}

func TestFeeRetryChoosesTheMethod(t *testing.T) {
	var silent []string
	s := newSite(t, withApplication, methods(&silent))
	b := s.applicant(enrol.StepAgreed)
	b.get(b.press(b.pays(), sandbox.Failed)).is(http.StatusOK, "Try again Another method").holds(`action="/hiresure/payment"><input type="hidden" name="gateway" value="sandbox">`, `<a class="button button-outline" href="/hiresure/payment">Another method</a>`)
	page := b.get(feePath).is(http.StatusOK, "Your payment did not go through", "Try again, ₹2,500.00").holds(`<span class="icon icon-card" aria-hidden="true"></span>`)
	if got := page.choices(); got != "sandbox cards+ apps" {
		t.Errorf("offers %q", got)
	}
	if again := b.post(feePath, url.Values{"gateway": {"sandbox"}}).location; !strings.HasPrefix(again, "/checkout/") {
		t.Errorf("to try again leads to %q", again)
	}
}

func TestThePaymentIsOpenAtItsStepsAlone(t *testing.T) {
	s := newSite(t, withApplication)
	for step, place := range map[enrol.Step]string{
		enrol.StepUnverified: "/hiresure/verify", enrol.StepVerified: "/hiresure/form/personal", enrol.StepPersonal: "/hiresure/form/academic", enrol.StepAcademic: "/hiresure/form/scholarship",
		enrol.StepScholarship: "/hiresure/form/review", enrol.StepPaid: "/hiresure/upload-doc", enrol.StepComplete: "/hiresure/registration/ID",
	} {
		b := s.applicant(step)
		place = strings.ReplaceAll(place, "ID", b.registration.ID)
		for _, got := range []answer{b.get(feePath), b.post(feePath, nil)} {
			if got.leadsTo(place); got.status != http.StatusSeeOther && got.status != http.StatusFound {
				t.Errorf("step %d: status %d", step, got.status)
			}
		}
	}
	stranger := s.stranger()
	stranger.get(feePath + "?kspay_id=x").leadsTo("/account/sign-in?next=%2Fhiresure%2Fpayment%3Fkspay_id%3Dx")
	stranger.post(feePath, nil).leadsTo("/account/sign-in")
}

func TestAnotherPersonsFeeIsNotFound(t *testing.T) {
	s := newSite(t, withApplication)
	owner, other := s.applicant(enrol.StepAgreed), s.applicant(enrol.StepAgreed)
	txn := owner.pays()
	for _, id := range []string{txn, strings.Repeat("0", len(txn)), "nobody"} {
		other.get(feePath+"?kspay_id="+id).is(http.StatusNotFound, "We cannot find this payment", "Or find it in My Registrations.").belowHeader().without("Ananya", "2,500")
	}
	other.get("/checkout/"+txn).is(http.StatusOK, "This payment is open in another browser", "See whether it is paid").belowHeader().without("Ananya", "Sign in here", "next=%2Fcheckout")
	other.get("/success?kspay_id="+txn).is(http.StatusOK, "Transaction in pending!").belowHeader().without("Ananya", "2,500")
	other.post(feePath, url.Values{"scholarship_requested_id": {owner.registration.ID}, "gateway": {"sandbox"}}).is(http.StatusSeeOther)
	if p, err := s.services.Payment.Find(t.Context(), txn); err != nil || p.Registration.ID != owner.registration.ID {
		t.Error(p.Registration.ID, err)
	}
	owner.press(txn, sandbox.Paid)
	other.get("/checkout/" + txn).leadsTo("/success?kspay_id=" + txn)
	other.get("/checkout/"+txn+"/receipt").is(http.StatusNotFound, "Open your receipt from the e-mail", "Look for “Paid” from HireSure, also in the spam folder.").belowHeader().without("sign in", "enrolled with")

	enrolled, paid := s.at(sandbox.Paid, second)
	enrolled.get("/success?kspay_id="+paid).is(http.StatusOK, congratulations)
	owner.get(feePath + "?kspay_id=" + paid).is(http.StatusNotFound)
}

func TestFeeObstaclesAreReported(t *testing.T) {
	t.Run("an unknown method", func(t *testing.T) {
		s := newSite(t, withApplication)
		b := s.applicant(enrol.StepAgreed)
		b.post(feePath, url.Values{"gateway": {"wallet"}}).is(http.StatusUnprocessableEntity, "Unsupported gateway", "Pay ₹2,500.00").holds(`role="alert"`)
		if n := len(s.deliver()); n != 0 {
			t.Error(n, "mails")
		}
	})
	t.Run("applications are closed", func(t *testing.T) {
		b := newSite(t, closedApplication).applicant(enrol.StepAgreed)
		b.get(feePath).is(http.StatusOK, "Applications are closed at the moment.", "My Registrations").without("Pay ₹")
		b.post(feePath, nil).is(http.StatusConflict, "Applications are closed at the moment.")
	})
	t.Run("it costs nothing", func(t *testing.T) {
		b := newSite(t, freeApplication).applicant(enrol.StepAgreed)
		b.get(feePath).is(http.StatusOK, "Nothing is charged.", "Complete my registration").without("How do you pay?")
		back := b.post(feePath, nil).location
		b.get(back).is(http.StatusOK, congratulations, "Nothing to pay", "We sent the receipt to").without("tax invoice")
	})
	t.Run("a payment is looked at", func(t *testing.T) {
		b := newSite(t, withApplication).applicant(enrol.StepAgreed)
		txn := b.pays()
		b.get(b.press(txn, sandbox.WrongAmount)).is(http.StatusOK, "Your payment is being checked")
		b.get(feePath).is(http.StatusOK, "Your payment is being checked", "There is nothing for you to do.").without("Continue to pay")
		b.post(feePath, nil).is(http.StatusConflict, "Your payment is being checked.")
	})
	t.Run("its time is over", func(t *testing.T) {
		s := newSite(t, withApplication)
		b := s.applicant(enrol.StepAgreed)
		txn := b.pays()
		s.clock.Pass(31 * time.Minute)
		b.get(feePath).is(http.StatusOK, "Your payment did not go through", "Try again, ₹2,500.00")
		b.get("/checkout/" + txn).leadsTo("/hiresure/payment?kspay_id=" + txn)
	})
	t.Run("its gateway is gone", func(t *testing.T) {
		s := newSite(t, withApplication)
		b := s.applicant(enrol.StepAgreed)
		txn := b.pays()
		s.services.Payment.Gateways[0].Gateway = nil
		b.get("/checkout/" + txn).leadsTo("/hiresure/payment")
	})
}

func TestRefundedFeeIsReported(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	txn := b.pays()
	b.press(txn, sandbox.Paid)
	_, err := s.services.Payment.Refund(t.Context(), txn)
	check(t, err)
	s.stranger().get("/success?kspay_id="+txn).is(http.StatusOK, "Your payment was refunded").without("steps done")
	b.get(feePath+"?kspay_id="+txn).is(http.StatusOK, "Refund sent Your application is cancelled. We refunded ₹2,500.00 on", "Refunded ₹2,500.00", "Receipt", "If it does not arrive", "My Registrations").without("Try again", "data-poll", "data-leave", "Upload Documents")
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Your application is cancelled.").without("Enrolment cancelled", "Refund, within")
	b.get(feePath).leadsTo("/hiresure/verify") // a new one may start
}

func TestFeePageShowsTheAccountsDeletion(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	const leaves = "Your account will be deleted on 28 Nov 2026. Keep my account"
	b.get(feePath).is(http.StatusOK).without(leaves)
	check(s.t, s.store.Update(t.Context(), func(tx store.Tx) error {
		return tx.SaveDeletion(&mydata.Deletion{ID: admission.NewID(), AccountID: b.registration.AccountID, AskedAt: s.clock.Now(), DueAt: s.clock.Now().Add(7 * 24 * time.Hour)})
	}))
	b.get(feePath).is(http.StatusOK, leaves, "Pay ₹2,500.00")
	txn := b.pays()
	b.get("/checkout/"+txn).is(http.StatusOK, leaves)
	b.get(b.press(txn, sandbox.Paid)).is(http.StatusOK, leaves, congratulations)
	s.stranger().get("/success?kspay_id=" + txn).is(http.StatusOK).without(leaves)
}

// A signed-in payer has the account's menu on every page of a payment, and is not asked to sign in.
func TestSignedInPayerHasTheAccountsMenu(t *testing.T) {
	s := newSite(t, withApplication)
	b := s.applicant(enrol.StepAgreed)
	txn := b.pays()
	const menu, footer = `<nav aria-label="Account">`, `href="/account/sign-in"`
	signedIn := func(address string) {
		t.Helper()
		b.get(address).is(http.StatusOK, "My profile", "My Registrations", "Logout").holds(menu).without(footer)
	}
	signedIn("/checkout/" + txn)
	b.press(txn, sandbox.Paid)
	for _, address := range []string{feePath + "?kspay_id=" + txn, "/checkout/" + txn + "/receipt", "/checkout/" + txn + "/invoice"} {
		signedIn(address)
	}
	payer, paid := s.at(sandbox.Paid, second) // without an account
	for _, address := range []string{"/success?kspay_id=" + paid, "/checkout/" + paid + "/receipt"} {
		payer.get(address).is(http.StatusOK).holds(footer).without(menu, "My profile")
	}
}
