package admin_test

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/store"
	"hiresure/web"
)

// personID returns the id of the n-th person.
func personID(n int) string { return fmt.Sprintf("%026d", n) }

// register adds four people: one enrolled and paid, one whose bank has not answered, one in review, and one at the form.
func (s *site) register() {
	s.t.Helper()
	now := s.clock.Now()
	people := []enrol.Registration{
		{FullName: "Asha <Verma>", Email: "asha@example.com", Phone: "+919820041567", EventCode: "KS_Mgrow", Course: "Data_Analytics", Step: enrol.StepComplete, PaidTxnID: "7nb1ac9c00000000000000000a", Ticket: "HS26-4K7M-K"},
		{FullName: "Lakshmi Venkataraman", Email: "lakshmi@example.com", Phone: "+919444918306", EventCode: "KS_Mgrow", Course: "Data_Analytics", Step: enrol.StepPaying},
		{FullName: "Gurpreet Kaur", Email: "gurpreet@example.com", Phone: "+919814055231", EventCode: "KS_Mgrow", Course: "Blockchain", Step: enrol.StepPaying, CouponCode: "MGROW500"},
		{FullName: "Thangjam Devi", Phone: "+918787031194", EventCode: enrol.ApplicationCode, College: "Loktak Valley College", Step: enrol.StepAcademic},
	}
	states := []payment.State{payment.Paid, payment.Pending, payment.Review, ""}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		var errs []error
		for i, r := range people {
			r.ID, r.StateCode = personID(i), "27"
			r.CreatedAt, r.ModifiedAt = now.Add(-time.Duration(i+2)*time.Hour), now.Add(-time.Duration(i)*time.Minute)
			errs = append(errs, tx.AddRegistration(&r))
			if states[i] == "" {
				continue
			}
			t := payment.Transaction{
				ID: "7nb1ac9c00000000000000000" + string(rune('a'+i)), RegistrationID: r.ID, MerchantRef: fmt.Sprint("m", i), Gateway: "closed", State: states[i], Charge: admission.INR(149900), Arrived: admission.INR(139900),
				CreatedAt: now.Add(-26 * time.Minute), ExpiresAt: now.Add(-time.Minute), SettledAt: now.Add(-26 * time.Minute), Payer: payment.Payer{Name: r.FullName, Phone: r.Phone},
			}
			if i == 0 {
				t.Means, t.PaymentID = method.Means{Name: "UPI", Reference: "426301877412"}, "pay1"
			}
			t.AtBank = t.State == payment.Pending
			errs = append(errs, tx.AddTransaction(&t))
		}
		errs = append(errs,
			tx.AddInvoice(&invoice.Invoice{ID: admission.NewID(), Number: "KS/26-27/000842", Series: "KS", FinancialYear: "26-27", Serial: 842, RegistrationID: personID(0), TxnID: "7nb1ac9c00000000000000000a", IssuedOn: now, Issue: 1, TotalMinor: 149900, RateBP: s.rate, PlaceCode: s.place, Seller: invoice.Party{StateCode: s.place}}),
			tx.AddMessage(&message.Message{ID: "m1", Cause: "c1", Channel: message.Email, To: "asha@example.com", Template: "receipt", CreatedAt: now, Content: message.Content{Subject: "You are enrolled", Text: "secret words"}}))
		return errors.Join(errs...)
	}))
}

// failRefund lets the refund of the paid fee fail.
func (s *site) failRefund() {
	s.t.Helper()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		t, err := tx.TransactionForUpdate(paidTxn)
		if err != nil {
			return err
		}
		t.RefundFailed = true
		return tx.SaveTransaction(t)
	}))
}

// submit completes the application.
func (s *site) submit() {
	s.t.Helper()
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationForUpdate(personID(3))
		if err != nil {
			return err
		}
		r.Step = enrol.StepComplete
		return tx.SaveRegistration(r)
	}))
}

func TestRegistrationsAreListedAndFound(t *testing.T) {
	s := newSite(t)
	s.register()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	b.get(web.StaffRegistrationsPath).is(http.StatusOK, "4 registrations. 2 need a look, the oldest for 26 min.", "All 4", "Needs a look 2", "Payment Initiated 2", "Completed 1", "Refunded 0",
		"Asha <Verma>", "+91 98200 41567", "₹1,499.00 KS/26-27/000842", "26 min, no answer", "Ask the gateway", "Decide", "at step 3 of 6", "Newest change first.")
	b.lacks("Asha <Verma>", "secret words")
	b.get(web.StaffRegistrationsPath+"?status=look").is(http.StatusOK, "2 registrations match.", "Lakshmi", "Gurpreet")
	b.lacks("Thangjam")
	b.get(web.StaffRegistrationsPath+"?status=Completed").is(http.StatusOK, "1 registration matches.")
	b.lacks("Lakshmi")
	b.get(web.StaffRegistrationsPath+"?event=KS_Mgrow&coupon=mgrow500&filters=open").is(http.StatusOK, "Gurpreet", "Filters (2)", "Coupon mgrow500", "Paid between")
	b.lacks("Lakshmi")
	b.get(web.StaffRegistrationsPath+"?payment=review&status=Refunded").is(http.StatusOK, "Nobody matches these filters", "In review")
	b.get(web.StaffRegistrationsPath+"?payment=paid&documents=missing").is(http.StatusOK, "Nobody matches these filters")
	b.get(web.StaffRegistrationsPath+"?from=yesterday").is(http.StatusOK, "Enter a date like 28/11/2026", "4 registrations.")
	b.get(web.StaffRegistrationsPath+"?from=1/1/2000&to=02/01/2000").is(http.StatusOK, "Nobody matches these filters", "Paid from 1 Jan 2000")
	b.get(web.StaffRegistrationsPath + "?rows=7&older=forged").is(http.StatusNotFound)

	for said, id := range map[string]string{"asha": personID(0), "9820041567": personID(0), "hs26-4k7m-k": personID(0), "426301877412": personID(0), "KS/26-27/000842": personID(0), "7nb1 ac9c 0000 0000 0000 0000 0b": personID(1)} {
		if b.get(web.StaffRegistrationsPath + "?q=" + strings.ReplaceAll(said, " ", "+")); b.location != web.StaffRegistrationPath(id) {
			t.Errorf("%q leads to %q", said, b.location)
		}
	}
	b.get(web.StaffRegistrationsPath+"?q=asha&event=KS_Campus").is(http.StatusOK, "Nobody matches “asha”", "Search everywhere")
	b.get(web.StaffRegistrationsPath+"?q=%3Cb%3Ex").is(http.StatusOK, "Nobody matches “<b>x”")
	b.lacks("<b>x")

	farida := s.setUp("farida@academy.example", "Farida Merchant", "reviewer")
	farida.get(web.StaffPath).is(http.StatusOK, "You are all caught up")
	s.submit()
	farida.get(web.StaffPath).is(http.StatusOK, "One application waits to be checked", "Registrations whose documents are in")
	farida.lacks("₹")
	b.get(web.StaffPath).is(http.StatusOK)
	b.lacks("waits to be checked") // finance does not check documents
	farida.get(web.StaffRegistrationsPath+"?filters=open&payment=review").is(http.StatusOK, "4 registrations.", "Gurpreet")
	farida.lacks("₹", "Paid between", "no answer</small>", "Ask the gateway", "Decide")
}

func TestTheListAnswersWhileSomebodyTypes(t *testing.T) {
	s := newSite(t)
	s.register()
	b := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.get(web.StaffRegistrationsPath+"?filters=open&rows=25").is(http.StatusOK, "The list did not load", "Keyboard shortcuts")
	if b.header.Get("Vary") != "HX-Request" || !strings.Contains(b.page, `name="filters" value="open"`) {
		t.Errorf("Vary is %q", b.header.Get("Vary"))
	}
	b.typing = true
	b.get(web.StaffRegistrationsPath+"?q=426301877412&event=&rows=25&filters=open").is(http.StatusOK, "1 registration matches.", "Asha <Verma>", "All 1") // no jump
	if !strings.HasPrefix(b.page, `<div id="list">`) || b.header.Get("Vary") != "HX-Request" {
		t.Errorf("the part begins with %.40s, Vary is %q", b.page, b.header.Get("Vary"))
	}
	for _, id := range []string{"list-head", "list-filters", "f-q"} {
		if !regexp.MustCompile(`<[^>]* id="` + id + `"[^>]* data-hx-swap-oob[ >]`).MatchString(b.page) {
			t.Errorf("%s is not replaced", id)
		}
	}
	b.lacks("<html", `id="q"`, "list-waits")
	if !strings.Contains(b.page, `name="q" value="426301877412"`) || !strings.Contains(b.page, "q=426301877412&amp;rows=25") {
		t.Error("export, filters or pages do not have what was typed")
	}
	b.get(web.StaffRegistrationsPath+"?q=nobody").is(http.StatusOK, "No matches.", "Nobody matches “nobody”")
	b.lacks("Did you mean")
	b.typing = false
	b.get(web.StaffRegistrationsPath+"?q=lakshmi+venkatraman&event=KS_Campus").is(http.StatusOK, "Search everywhere Clear the filters", "Did you mean Lakshmi Venkataraman , +91 94449 18306, HireSure mGrow Scholarship?")
	b.get(web.StaffRegistrationsPath+"?q=KS/26-27/000843").is(http.StatusOK, "Did you mean Asha <Verma>")
	b.lacks("Asha <Verma>")
}

func TestKeysAreListedByRole(t *testing.T) {
	s := newSite(t)
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	b.get("/admin/keys").is(http.StatusOK, "G P Go to Print", "G M Go to Money", "J Next row")
	if !strings.Contains(b.page, `data-key="p"`) {
		t.Error("the script cannot go to Print")
	}
	b = s.setUp("tenzin@academy.example", "Tenzin Dolma", "content")
	b.get("/admin/keys").is(http.StatusOK, "G T Go to Today", "? Open this list of keys")
	b.lacks("Print", "Next row", "Find a person")
}

func TestOnePersonOnOnePage(t *testing.T) {
	s := newSite(t)
	s.register()
	arvind := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	arvind.get(web.StaffRegistrationPath(personID(0))).is(http.StatusOK, "Asha <Verma>", "Completed", "Enrolled and paid", "Paid ₹1,499.00", "UPI, closed 426301877412", "KS/26-27/000842", "Verified by code",
		"Receipt and ticket", "asha@example.com", "Being sent", "no notes", "Data Analytics")
	arvind.lacks("<Verma>", "secret words", "Ask the gateway now")
	arvind.get(web.StaffRegistrationPath(personID(2))).is(http.StatusOK, "A payment needs a decision", "We asked for ₹1,499.00 and received ₹1,399.00.", "Accept ₹1,399.00", "Refund ₹1,399.00")
	for _, missing := range []string{personID(9), "nothing", "..%2f" + personID(0)} {
		arvind.get(web.StaffRegistrationPath(missing)).is(http.StatusNotFound)
	}

	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	stuck := web.StaffRegistrationPath(personID(1))
	meera.get(stuck).is(http.StatusOK, "No answer from the bank for 26 min", "At the bank", "The bank has not answered", "Ask the gateway now")
	meera.post("/admin/ask-gateway", "ref", "7nb1ac9c00000000000000000b", "registration", personID(1)).leads(stuck + "?said=asked")
	meera.get(meera.location).is(http.StatusOK, "The gateway was asked. It has no answer yet")
	meera.get(web.StaffRegistrationPath(personID(2))).is(http.StatusOK, "A payment needs a decision")
	meera.lacks("Accept ₹1,399.00")
	meera.post(web.StaffRegistrationPath(personID(2))+"/decide", "payment", "7nb1ac9c00000000000000000c", "decision", "ask").is(http.StatusForbidden)

	meera.post(stuck+"/notes", "note", " ").is(http.StatusUnprocessableEntity, "Write the note first")
	meera.post(stuck+"/notes", "note", strings.Repeat("ணி", 1001)).is(http.StatusUnprocessableEntity, "A note has at most 2,000 characters", "ணிணி")
	meera.post(stuck+"/notes", "note", "Called her.\n<script>She will wait</script>").leads(stuck + "?said=noted")
	meera.get(stuck).is(http.StatusOK, "1 note", "Called her.", "<script>She will wait</script>", "Note by Meera Nambiar")
	meera.lacks("<script>")
	meera.post(web.StaffRegistrationPath(personID(9))+"/notes", "note", "x").is(http.StatusNotFound)

	meera.get(web.StaffRegistrationPath(personID(0))).is(http.StatusOK, "Send the receipt again", "To asha@example.com")
	meera.post(web.StaffRegistrationPath(personID(0)) + "/receipt").leads(web.StaffRegistrationPath(personID(0)) + "?said=receipt")
	meera.get(meera.location).is(http.StatusOK, "The receipt is on its way.", "2 messages")
	meera.post(stuck + "/receipt").leads(stuck + "?said=changed") // nothing is paid
	arvind.get(web.StaffRegistrationPath(personID(0))).is(http.StatusOK, "2 messages")
	arvind.lacks("Send the receipt again", "Note for colleagues")

	farida := s.setUp("farida@academy.example", "Farida Merchant", "reviewer")
	farida.get(stuck).is(http.StatusOK, "Lakshmi Venkataraman", "Called her.")
	farida.lacks("₹", "Payment attempts", "Ask the gateway now")
	tenzin := s.setUp("tenzin@academy.example", "Tenzin Dolma", "content")
	tenzin.get(stuck).is(http.StatusForbidden)

	opened := map[string]int{}
	for act, err := range s.store.Acts(t.Context()) {
		check(t, err)
		if act.What == "opened a registration" {
			opened[act.Who+" "+act.Whom]++
		}
		if strings.Contains(fmt.Sprint(act), "Called her") || strings.Contains(fmt.Sprint(act), "Lakshmi") {
			t.Errorf("the log, which forgets nothing, has personal data: %+v", act)
		}
	}
	if opened["Farida Merchant registration "+personID(1)] != 1 || opened["Arvind Kulkarni registration "+personID(0)] != 2 || opened["Tenzin Dolma registration "+personID(1)] != 0 {
		t.Errorf("who opened what: %v", opened)
	}
}

func TestReviewIsDecidedOnThePage(t *testing.T) {
	s := newSite(t)
	s.register()
	b := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	page, decide := web.StaffRegistrationPath(personID(2)), web.StaffRegistrationPath(personID(2))+"/decide"
	const txn = "7nb1ac9c00000000000000000c"
	b.post(decide, "payment", txn, "decision", "burn").is(http.StatusBadRequest)
	b.post(decide, "payment", "7nb1ac9c00000000000000000a", "decision", "refund").is(http.StatusNotFound) // another person's
	b.clock.Pass(11 * time.Minute)                                                                        // since the sign-in
	b.post(decide, "payment", txn, "decision", "accept").is(http.StatusOK, "You are about to accept another amount than we asked for.", "Confirm that it is you")
	b.post(decide, "payment", txn, "decision", "accept", "confirm_code", "000000").is(http.StatusUnprocessableEntity, "This code is wrong or was used before.")
	b.get(page).is(http.StatusOK, "A payment needs a decision")
	b.post(decide, "payment", txn, "decision", "refund", "confirm_code", b.code()).leads(page + "?said=decided-refund")
	b.get(b.location).is(http.StatusOK, "We are sending the refund.")
	b.post(decide, "payment", txn, "decision", "refund").leads(page + "?said=changed")
	b.get(b.location).is(http.StatusOK, "Nothing was done.")
}
