package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
)

const (
	congratulations = "Congratulations! Your registration has been successfully submitted."
	nextSteps       = "Our team will get in touch with you soon for the next steps."
	pendingTitle    = "Transaction in pending!"
	checkedTitle    = "Your payment is being checked"
	pendingText     = "Your transaction is in processing due to some technical issue."
	failedTitle     = "Transaction failed!"
	failedText      = "Your transaction could not be processed due to some technical issue. Any amount deducted will be refunded in 3-4 business days."
)

func TestOutcomeTextsOfTheSpecification(t *testing.T) {
	for _, row := range []struct {
		sentence string
		outcome  sandbox.Outcome
		query    string // of the return, in addition to the id
		texts    []string
		markup   []string
		not      []string
	}{
		{
			"paid leads on after five seconds, unless one stays", sandbox.Paid, "&payment_status=Success&provider_payment_id=sbxpay_",
			[]string{"You are enrolled ₹1,499 is paid. Next: mock test on Sunday, 28 February. " + congratulations + " " + nextSteps, "go to ananya.d@example.com. We never ask for a code or for money by phone.", "If somebody asks you for a code or for money, tell us: +91", "Your programme page opens in 5 s. Stay Continue now", "Amount paid ₹1,499.00", "Ticket, receipt and tax invoice go to ananya.d@example.com."},
			[]string{`data-leave="/scholarship/hiresure-mgrow-2025"`, `data-countdown="5"`, "data-stay"},
			[]string{"Any amount deducted", "data-poll", `http-equiv="refresh"`, "Try again"},
		},
		{
			"failed stays, and offers to try again first", sandbox.Failed, "&payment_status=Failed&provider_payment_id=",
			[]string{"Your payment did not go through You are not enrolled yet. Your details are kept. Check your bank or UPI app before you pay again. " + failedTitle + " " + failedText + " Try again", "If money has left your account Your bank or the payment provider returns it to the account you paid from. You need not ask for it. Not back by Thursday, 26 November? Call us with the payment ID. If you pay again and both payments arrive, we refund one. Talk to us Give us", "Try again, ₹1,499 Back to the programme"},
			[]string{`data-outcome="failed"`, `<form method="post" action="/pay">`},
			[]string{"data-poll", "data-leave", "Congratulations"},
		},
		{
			"a declined try that another may follow is a failure to try again", sandbox.DeclinedTry, "&payment_status=Failed&provider_payment_id=",
			[]string{failedTitle, failedText, "Try again"}, []string{`data-outcome="failed"`}, []string{"data-leave"},
		},
		{
			"pending asks every three seconds, with a script and without", sandbox.Pending, "",
			[]string{"Do not pay again We ask the bank every few seconds and e-mail you when it answers. You need not do anything now. You can close this page and come back. " + pendingTitle + " " + pendingText + " Any amount deducted will be refunded in 3-4 business days. Back to", "We wait Until 12:34 today", "If paid Your ticket appears here and goes to ", "If not You can pay again. Later If the bank confirms later, you are enrolled, and we e-mail you. If you have paid twice, we refund one payment. Not paid? Only if you never approved it: open the payment again"},
			[]string{`data-outcome="pending"`, `data-poll="/success?kspay_id=`, `<noscript><meta http-equiv="refresh" content="3"></noscript>`},
			[]string{"data-leave", "Try again", "Congratulations"},
		},
		{
			"a wrong amount is looked at, and registers nobody", sandbox.WrongAmount, "",
			[]string{checkedTitle, "Do not pay again. ₹1,498.99 reached us, ₹0.01 less than the fee. A reviewer decides by Monday, 23 November. We e-mail you either way, and keep your place.", "Received, being checked ₹1,498.99", "Accepted You are enrolled for ₹1,498.99. The invoice says so. Not accepted We refund ₹1,498.99 within 3-4 business days, and you can pay again."},
			[]string{`data-outcome="pending"`}, []string{"Congratulations", "Tax invoice", "data-poll", "bank every few seconds"},
		},
		{
			"a wrong currency is looked at too", sandbox.WrongCurrency, "",
			[]string{checkedTitle}, []string{`data-outcome="pending"`}, []string{"Congratulations", "Tax invoice", "data-poll"},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			b := s.enrolled(nil)
			txn := b.start()
			location := b.press(txn, row.outcome)
			expected := "/success?kspay_id=" + txn + row.query
			if strings.HasSuffix(row.query, "sbxpay_") {
				expected = "/success?kspay_id=" + txn + "&payment_status=Success&provider_payment_id=sbxpay_" + txn
			}
			if got, want := parts(t, location), parts(t, expected); got != want {
				t.Errorf("return leads to %s, want %s", got, want)
			}
			page := b.get(location).is(http.StatusOK, row.texts...).holds(row.markup...).without(row.not...)
			if instruction := "Give us the first 8 characters of your payment ID: " + txn[:4] + " " + txn[4:8] + ". +91"; row.outcome == sandbox.Paid {
				page.without("Talk to us", "characters of your payment ID")
			} else {
				page.is(http.StatusOK, instruction)
			}
		})
	}
}

// parts sorts the parameters of an address.
func parts(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	check(t, err)
	return u.Path + "?" + u.Query().Encode()
}

func TestASuccessThatIsOpenedLaterStays(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	s.clock.Pass(time.Hour)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "You are enrolled", congratulations, "Ticket, receipt and tax invoice went to ananya.d@example.com.", "Back to the programme").
		holds(`data-outcome="paid"`).without("on their way", "opens in", "data-leave", "data-countdown")
}

func TestReturnQueryOnlyNamesThePayment(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(nil)
	txn := b.start()
	for _, query := range []string{
		"kspay_id=" + txn + "&payment_status=Success&provider_payment_id=pay_1", "kspay_id=" + txn, "txId=" + txn,
		"kspay_id=" + txn + "&payment_status=PAYMENT_PAID&txId=other",
	} {
		b.get("/success?"+query).is(http.StatusOK, pendingTitle).without("Congratulations")
	}
	b.press(txn, sandbox.Paid)
	for _, query := range []string{"kspay_id=" + txn + "&payment_status=Failed", "txId=" + txn} {
		b.get("/success?"+query).is(http.StatusOK, congratulations).without("Transaction failed!")
	}
	s.stranger().get("/success?kspay_id=nobody-knows").is(http.StatusNotFound, "We cannot find this payment")
	b.get("/success").leadsTo("/pay")
	s.stranger().get("/success").leadsTo("/pay")
	s.stranger().get("/pay").leadsTo("/account/sign-in?next=%2Fpay")
}

func TestPaymentLinkOfAMail(t *testing.T) {
	s := newSite(t)
	address := "/pay?scholarship_requested_id=" + s.enrolled(nil).registration.ID
	other := s.stranger()
	other.get(address).leadsTo("/account/sign-in?next=" + url.QueryEscape(address))

	now := s.clock.Now()
	token, session, err := storetest.AddSession(t.Context(), s.store, now.AddDate(1, 0, 0))
	check(t, err)
	session.Proven = map[string]time.Time{string(access.ForSignIn) + "+919820041569": now}
	check(t, s.store.Update(t.Context(), func(tx store.Tx) error { return tx.SaveSession(&session) }))
	home, err := url.Parse(s.url)
	check(t, err)
	other.client.Jar.SetCookies(home, []*http.Cookie{{Name: "hiresure", Value: token}})
	other.get(address).leadsTo("/hiresure") // which says that this number has no enrolment
}

func TestForgedReturnChangesNothing(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(nil)
	txn := b.start()
	other := s.enrolled(second)
	otherTxn := other.start()
	for sentence, form := range map[string]url.Values{
		"no signature":                    {"outcome": {"paid"}},
		"a signature of zeros":            {"outcome": {"paid"}, "signature": {strings.Repeat("0", 64)}},
		"a signature for another outcome": {"outcome": {"paid"}, "signature": s.gateway.Press(txn, sandbox.Failed)["signature"]},
		"a signature for another payment": s.gateway.Press(otherTxn, sandbox.Paid),
		"an outcome that does not exist":  {"outcome": {"free"}, "signature": s.gateway.Press(txn, "free")["signature"]},
		"the parameters of a success":     {"payment_status": {"Success"}, "provider_payment_id": {"pay_1"}},
	} {
		t.Run(sentence, func(t *testing.T) {
			b.post("/checkout/"+txn+"/return", form).leadsTo("/success?kspay_id=" + txn)
			b.get("/checkout/" + txn + "/return?" + form.Encode()).leadsTo("/success?kspay_id=" + txn)
			if state := s.state(txn); state != payment.Pending {
				t.Errorf("the payment is %q", state)
			}
			b.get("/success?kspay_id="+txn).is(http.StatusOK, pendingTitle)
		})
	}
	b.post("/checkout/nobody-knows/return", s.gateway.Press(txn, sandbox.Paid)).is(http.StatusNotFound, "We cannot find this payment")
	b.post("/checkout/"+txn+"/return", url.Values{"outcome": {strings.Repeat("x", 70_000)}}).is(http.StatusRequestEntityTooLarge)
}

func TestProviderMayPostTheReturn(t *testing.T) {
	s := newSite(t)
	txn := s.enrolled(nil).start()
	send := func(address string, form url.Values) answer {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+address, strings.NewReader(form.Encode()))
		check(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Origin", "https://provider.example")
		b := s.stranger() // a cross-site post has no cookie
		response, err := b.client.Do(r)
		return b.read(response, err)
	}
	send("/pay", url.Values{}).is(http.StatusForbidden)
	send("/checkout/"+txn+"/return", s.gateway.Press(txn, sandbox.Paid)).is(http.StatusSeeOther)
	if state := s.state(txn); state != payment.Paid {
		t.Errorf("the payment is %q", state)
	}
}

func TestAnotherBrowserSeesTheStatusOnly(t *testing.T) {
	for outcome, title := range map[sandbox.Outcome]string{
		sandbox.Paid: "Your payment has arrived " + congratulations, sandbox.Failed: "Your payment did not go through " + failedTitle,
		sandbox.Pending: pendingTitle + " " + pendingText + " Any amount deducted will be refunded in 3-4 business days.",
	} {
		t.Run(string(outcome), func(t *testing.T) {
			s := newSite(t)
			b, txn := s.at(outcome, nil)
			b.get("/success?kspay_id="+txn).is(http.StatusOK, "Ananya Deshmukh", "HireSure mGrow Scholarship")
			a := s.stranger().get("/success?kspay_id=" + txn)
			a.is(http.StatusOK, title)
			a.without("Ananya", "Data Analytics", "mGrow", "₹", "example.com</dd>", "/receipt", "/invoice", "Try again", `/scholarship/hiresure-mgrow-2025"`, "/scholarship/hiresure-mgrow-2025#")
			other := s.enrolled(func(r *enrol.Registration) { r.Phone, r.Email = "+919820041569", "third@example.com" })
			for _, b := range []*browser{s.stranger(), other} {
				if page := b.get("/checkout/" + txn); outcome == sandbox.Pending {
					page.is(http.StatusOK, "This payment is open in another browser").holds(`href="/success?kspay_id=`+txn+`"`).without("Ananya", "mGrow", "₹")
				} else {
					page.leadsTo("/success?kspay_id=" + txn)
				}
			}
			s.stranger().get("/checkout/" + txn + "/receipt").is(http.StatusNotFound)
			s.stranger().get("/checkout/" + txn + "/invoice").is(http.StatusNotFound)
			s.enrolled(second).get("/checkout/" + txn + "/receipt").is(http.StatusNotFound)
		})
	}
}

func TestPaymentIDIsGroupedAndCopiedWhole(t *testing.T) {
	s := newSite(t)
	for i, outcome := range []sandbox.Outcome{sandbox.Pending, sandbox.Failed} {
		b := s.enrolled([]func(*enrol.Registration){nil, second}[i])
		txn := b.start()
		b.get(b.press(txn, outcome)).is(http.StatusOK, "Payment ID").
			holds(`<b>`+txn[:4]+`</b><b>`+txn[4:8]+`</b><b>`, `<b>`+txn[len(txn)/4*4:]+`</b></span>`, `data-copy="`+txn+`" data-what="Payment ID"`)
	}
}

func TestCheckoutOffersEachOutcomeAsAPlainForm(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(coupon("MGROW500"))
	txn := b.start()
	a := b.get("/checkout/"+txn).is(http.StatusOK, "Complete your payment You get your ticket as soon as you pay.", "Back without paying If you cancel Full refund until 7 Mar 2027. After that, one free move to the next exam. No refund if you do not win a scholarship. You owe nothing unless you join. To cancel, write to support@hiresure.example and the fee is back within 7 business days. Refund Policy If the payment fails Your details are kept.", "Receipt goes to ananya.d@example.com", "All taxes included ₹1,499 less ₹500 with MGROW500 Tuition is separate, and only if you start: ₹0 up to rank 250, ₹4,50,000 from rank 251 Full refund if you cancel by 7 Mar 2027, then one free move. To Aksharam Skill Academy Private Limited GSTIN 29ABCDE1234F1ZW This is a test site: no money moves. Choose what the test bank answers. Pay ₹999 Fail", "Once the payment provider has confirmed the payment, you are enrolled. Card details go to the test bank, never to us. This payment stays open until 12:34 today. If you do not pay by then, nothing is charged and you can start again. For ", "Nobody calls you about it. We never ask for a code or for money by phone.", "₹999", "₹1,499", "MGROW500", "Data Analytics", "Ananya Deshmukh", "More outcomes")
	for _, button := range sandbox.Buttons {
		press := s.gateway.Press(txn, button.Outcome)
		a.holds(`<form method="post" action="/checkout/`+txn+`/return"><input type="hidden" name="outcome" value="`+string(button.Outcome)+
			`"><input type="hidden" name="signature" value="`+press.Get("signature")+`">`, button.Label)
	}
	a.holds(`data-island="checkout"`, `"gateway":"sandbox"`, `"return":"/checkout/`+txn+`/return"`, `"other":""`)
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex", "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	b.get("/checkout/nobody-knows").is(http.StatusNotFound, "We cannot find this payment")
}

func TestCheckoutOpenedAgainAsksNotToPayTwice(t *testing.T) {
	const warning = "Approved it already? Then do not pay again: go back and wait for your bank."
	b, txn := newSite(t).at(sandbox.Pending, nil)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "open the payment again").holds(`href="/checkout/` + txn + `?again">`)
	b.get("/checkout/"+txn+"?again").is(http.StatusOK, warning, "Pay ₹1,499")
	b.get("/checkout/"+txn).is(http.StatusOK, "You get your ticket as soon as you pay.").without(warning)
}

func TestFinishedAttemptRedirectsToItsResult(t *testing.T) {
	for _, outcome := range []sandbox.Outcome{sandbox.Paid, sandbox.Failed, sandbox.WrongAmount} {
		t.Run("after "+string(outcome), func(t *testing.T) {
			b, txn := newSite(t).at(outcome, nil)
			b.get("/checkout/" + txn).leadsTo("/success?kspay_id=" + txn)
		})
	}
	t.Run("after thirty minutes", func(t *testing.T) {
		s := newSite(t)
		b := s.enrolled(nil)
		txn := b.start()
		s.clock.Pass(30 * time.Minute)
		b.get("/checkout/" + txn).leadsTo("/success?kspay_id=" + txn)
		b.get("/pay").is(http.StatusOK, "Your payment did not go through", "Try again, ₹1,499", "If money has left your account", "Talk to us +91",
			"You are not enrolled yet. Your details are kept. This is a test site: no money moves.", "Try again, ₹1,499 Once the payment provider has confirmed the payment, you are enrolled.", "Change what you typed",
			"GSTIN 29ABCDE1234F1ZW Check your bank or UPI app first. If money was taken, you can wait until it is back, or pay again. If both payments arrive, we refund one. Try again, ₹1,499",
			"If money has left your account Any amount deducted will be refunded in 3-4 business days. We ask the bank ourselves. You need not send us anything. Not back after 4 business days? Call or write to us. If you cancel").without("If the payment fails", "Money that was deducted", "Payment ID", "You last tried")
	})
	t.Run("left pending, it can be gone on with", func(t *testing.T) {
		b, txn := newSite(t).at(sandbox.Pending, nil)
		b.get("/checkout/"+txn).is(http.StatusOK, "Once the payment provider has confirmed the payment, you are enrolled.")
	})
}

func TestExpiryAfterMidnightNamesTheDay(t *testing.T) {
	s := newSite(t)
	s.clock.Pass(11*time.Hour + 50*time.Minute)
	b := s.enrolled(nil)
	b.get("/checkout/"+b.start()).is(http.StatusOK, "This payment stays open until 00:24 tomorrow.")
}

func TestReloadBackSecondTabAndDoublePostMakeOnePayment(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(nil)
	txn := b.start()
	if again := b.start(); again != txn {
		t.Errorf("a second tab opened %s beside %s", again, txn)
	}
	b.get("/pay").is(http.StatusOK, "Your payment is still open", "Continue to pay", "This payment stays open until 12:34 today.")
	var tabs sync.WaitGroup
	for range 8 {
		tabs.Go(func() { b.post("/checkout/"+txn+"/return", s.gateway.Press(txn, sandbox.Paid)) })
	}
	tabs.Wait()
	for range 3 {
		b.get("/success?kspay_id="+txn).is(http.StatusOK, congratulations)
	}
	if sent := s.deliver(); len(sent) != 1 || sent[0].Template != "receipt" {
		t.Errorf("sent %v, want one receipt", sent)
	}
	b.get("/checkout/" + txn).leadsTo("/success?kspay_id=" + txn)
	b.press(txn, sandbox.Failed)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, congratulations)
	b.post("/pay", nil).is(http.StatusConflict, "You have paid", "There is nothing more to pay.", "Receipt", "Tax invoice").without("PROCEED TO PAY", "Try again", "already paid")
	b.get("/pay").is(http.StatusOK, "You have paid", "There is nothing more to pay.", "Paid, done", "Receipt", "Tax invoice").without("Pay ₹", "If the payment fails")
}

func TestALateSuccessTurnsFailedIntoPaid(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Late, nil)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, failedTitle)
	b.get("/pay").is(http.StatusOK, "Your payment did not go through", "Payment is missing", "Try again")
	s.clock.Pass(16 * time.Second)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, congratulations)
	if sent := s.deliver(); len(sent) != 1 || sent[0].Template != "receipt-late" {
		t.Errorf("sent %v, want one late receipt", sent)
	}
}

func TestFailedThenPaid(t *testing.T) {
	s := newSite(t)
	b, failed := s.at(sandbox.Failed, coupon("MGROW500"))
	txn := b.start()
	if txn == failed {
		t.Fatal("a failed attempt was opened again")
	}
	b.get(b.press(txn, sandbox.Paid)).is(http.StatusOK, congratulations, "₹999")
	b.get("/success?kspay_id="+failed).is(http.StatusOK, failedTitle).without("Try again")
}

func TestReturnAddressKeepsItsParameters(t *testing.T) {
	s := newSite(t)
	for address, want := range map[string]string{
		"/hiresure/payment":         "/hiresure/payment?kspay_id=",
		"/hiresure/payment?from=a":  "/hiresure/payment?from=a&kspay_id=",
		"/hiresure/payment?a=b#end": "/hiresure/payment?a=b&kspay_id=",
		s.url + "/success":          s.url + "/success?kspay_id=",
	} {
		t.Run(address, func(t *testing.T) {
			b := s.enrolled(func(r *enrol.Registration) { r.Phone, r.Email = phoneOf(address), address+"@example.com" })
			v := admission.Visitor{SessionID: b.session()}
			attempt, err := s.services.Payment.Start(t.Context(), v, payment.StartRequest{RegistrationID: b.registration.ID, ReturnURL: address})
			check(t, err)
			location := b.press(attempt.ID, sandbox.Pending)
			_, fragment, _ := strings.Cut(address, "#")
			if fragment != "" {
				fragment = "#" + fragment
			}
			if location != want+attempt.ID+fragment {
				t.Errorf("leads to %q, want %q", location, want+attempt.ID+fragment)
			}
		})
	}
}

func TestNamesAreTextOnEveryPage(t *testing.T) {
	const payload = `</script><img src=x onerror=alert(1)>"'`
	s := newSite(t)
	b := s.enrolled(func(r *enrol.Registration) { r.FullName, r.Email = payload, `"<b>x</b>"@example.com` })
	txn := b.start()
	addresses := []string{"/pay", "/checkout/" + txn, "/success?kspay_id=" + txn}
	visit := func() {
		t.Helper()
		for _, address := range addresses {
			b.get(address).is(http.StatusOK, payload).without("<img", "<b>x</b>")
		}
	}
	visit()
	b.press(txn, sandbox.Paid)
	addresses = []string{"/success?kspay_id=" + txn, "/checkout/" + txn + "/receipt", "/checkout/" + txn + "/invoice"}
	visit()
	s.stranger().get("/success?kspay_id=" + url.QueryEscape(payload)).is(http.StatusNotFound).without("<img")
}

func TestLostResponseOfStartIsQueried(t *testing.T) {
	lost := true
	s := newSite(t, func(s *site, n *business.Config) {
		s.gateway.Faults.After = func(call string, _ *method.Status) error {
			if call == "start" && lost {
				lost = false
				return method.ErrUnknown
			}
			return nil
		}
	})
	b := s.enrolled(nil)
	b.post("/pay", nil).is(http.StatusServiceUnavailable, payment.NoAnswer, "Continue to pay")
	var txn string
	check(t, s.store.View(t.Context(), func(tx store.Tx) error {
		open, err := tx.OpenTransaction(b.registration.ID)
		txn = open.ID
		return err
	}))
	b.get("/checkout/" + txn).leadsTo("/pay")
	if again := b.start(); again != txn {
		t.Errorf("%s was opened beside %s", again, txn)
	}
	b.get("/checkout/"+txn).is(http.StatusOK, "Pay", "Leave pending")
}

func (b *browser) session() string {
	b.site.t.Helper()
	home, err := url.Parse(b.site.url)
	check(b.site.t, err)
	kept, err := b.site.services.Access.FindSession(b.site.t.Context(), b.client.Jar.Cookies(home)[0].Value)
	check(b.site.t, err)
	return kept.ID
}

// The key is in the address that an API client gets.
func TestKeyOpensACheckoutInOneBrowser(t *testing.T) {
	const elsewhere = "This payment is open in another browser"
	database := storetest.SQLite(t)
	s := newSiteOn(t, database)
	txn := s.enrolled(nil).start()
	address := "/checkout/" + txn
	key := s.services.Access.CheckoutKey(txn)
	sessions := func() int { return int(storetest.Rows(t, database)["sessions"]) }
	before := sessions()
	for sentence, query := range map[string]string{
		"no key": "", "another key": "?key=zzzzzz-" + strings.Repeat("0", 64), "half a key": "?key=" + key[:len(key)-1], "the key of another payment": "?key=" + s.services.Access.CheckoutKey("another"),
	} {
		b := s.stranger()
		if a := b.get(address + query); a.status == http.StatusSeeOther {
			a.leadsTo(address)
		}
		if a := b.get(address); !strings.Contains(a.text(), elsewhere) {
			t.Errorf("%s opens the checkout", sentence)
		}
	}
	if sessions() != before {
		t.Error("a wrong key opens a session")
	}
	payer := s.stranger()
	payer.get(address + "?key=" + key).leadsTo(address)
	payer.get(address).is(http.StatusOK, "Complete your payment", "₹1,499").holds(`"other":""`)
	payer.get(address + "?key=" + key).leadsTo(address)
	payer.get(address).is(http.StatusOK, "Complete your payment")
	another := s.stranger()
	another.get(address + "?key=" + key).leadsTo(address)
	another.get(address).is(http.StatusOK, elsewhere).without("Ananya", "₹")
	for _, private := range []string{address + "/receipt", address + "/invoice"} {
		payer.get(private).is(http.StatusNotFound)
	}
	payer.get("/pay").is(http.StatusFound)
	payer.press(txn, sandbox.Paid)
	payer.get(address).leadsTo("/success?kspay_id=" + txn)
	payer.get("/success?kspay_id="+txn).is(http.StatusOK, "Your payment has arrived").without("Ananya", "₹")
}

func TestASuccessBesideARefundDoesNotLeaveByItself(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "opens in 5 s.")
	s.happens(txn, sandbox.PartRefundedThere)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "You are enrolled").without("opens in", "data-leave")
}
