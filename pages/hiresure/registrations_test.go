package hiresure_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/registry"
	"hiresure/content"
	"hiresure/integrations/objects"
	"hiresure/pages"
	"hiresure/pages/hiresure"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

// place is the home page and the registrations of a signed-in person.
type place struct {
	t     *testing.T
	echo  *echo.Echo
	store *store.Store
	kit   *pages.Kit
	clock *businesstest.Clock
	token string // of the session
	me    string // account

	inspector *inspector
	unsized   bool // a form is sent without its length
}

func newPlace(t *testing.T) *place {
	t.Helper()
	words, err := content.Load()
	must(t, err)
	source, err := content.NewSource(words)
	must(t, err)
	p := &place{t: t, store: storetest.Open(t, storetest.SQLite(t)), clock: businesstest.NewClock(businesstest.Noon), me: admission.NewID()}
	config := businesstest.Config(p.store.Areas(), p.clock.Now)
	config.Events, config.BaseURL = withExams(), origin
	disk, err := objects.NewDisk(t.TempDir())
	must(t, err)
	keys, err := objects.ReadMasterKeys("2026:" + strings.Repeat("5a", 32))
	must(t, err)
	p.inspector = &inspector{}
	config.Files, config.Inspector = objects.NewVault(disk, keys), p.inspector
	services, err := business.New(config)
	must(t, err)
	log := slog.New(slog.DiscardHandler)
	p.kit = &pages.Kit{Services: services, Events: config.Events, Content: source, BaseURL: origin, DefaultEvent: "hiresure-mgrow-2025", Clock: p.clock.Now, Log: log}
	p.kit.Session, err = web.New(web.Config{Sessions: services.Access, BaseURL: origin, RefusalPage: p.kit.RefusalPage, Clock: p.clock.Now, Log: log, Watch: webtest.Watch{}, Tokens: client{p}})
	must(t, err)
	p.echo = echo.New()
	hiresure.Routes(p.kit.Session.Install(p.echo), p.kit)
	token, session, err := storetest.AddSession(t.Context(), p.store, p.clock.Now().AddDate(1, 0, 0))
	must(t, err)
	p.token = token
	p.change(func(tx store.Tx) error {
		session.AccountID, session.SignedInAt = p.me, p.clock.Now()
		a := account.Account{ID: p.me, FullName: "Asha Meera Verma", Email: "asha@example.com", Phone: "+919876543210", PhoneProvenAt: p.clock.Now()}
		return errors.Join(tx.SaveSession(&session), tx.AddAccount(&a))
	})
	return p
}

// client is an API client of the person, with the token "good".
type client struct{ *place }

func (c client) Session(_ context.Context, token string) (*access.Session, error) {
	if token != "good" {
		return nil, nil
	}
	return &access.Session{ID: admission.NewID(), AccountID: c.me, SignedInAt: c.clock.Now(), ExpiresAt: c.clock.Now().Add(time.Hour)}, nil
}

// withExams is the catalogue with the exam dates of its first event.
func withExams() businesstest.Catalogue {
	events := businesstest.Events()
	for i := range events[:ofApplication] {
		events[i].Exam = time.Date(2027, 3, 14, 0, 0, 0, 0, admission.IST)
		events[i].Days = []admission.Day{{What: "Scholarship exam", On: events[i].Exam, Brief: "Online"}}
	}
	return events
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *place) change(work func(store.Tx) error) {
	p.t.Helper()
	must(p.t, p.store.Update(p.t.Context(), work))
}

// has adds a registration of the person, with a payment if a state is given.
func (p *place) has(event int, step enrol.Step, state payment.State, change ...func(*enrol.Registration)) enrol.Registration {
	p.t.Helper()
	of, now := withExams()[event], p.clock.Now()
	r := enrol.Registration{
		ID: admission.NewID(), EventSlug: of.Slug, EventCode: of.Code, FullName: "Asha Meera Verma", Email: "asha@example.com", Phone: "+919876543210",
		Course: "Blockchain", StateCode: "29", Adult: true, Step: step, CreatedAt: now, ModifiedAt: now, TermsAt: now, AccountID: p.me,
	}
	for _, c := range change {
		c(&r)
	}
	p.change(func(tx store.Tx) error {
		if state == "" {
			return tx.AddRegistration(&r)
		}
		t := payment.Transaction{
			ID: admission.NewID(), RegistrationID: r.ID, Gateway: "sandbox", List: of.Fee, Discount: admission.INR(0), Charge: of.Fee, State: state,
			CreatedAt: now, ExpiresAt: now.Add(30 * time.Minute), SettledAt: now, ModifiedAt: now,
		}
		if state == payment.Paid {
			r.PaidTxnID = t.ID
			if !r.IsApplication() {
				r.Ticket, r.TicketKey = "HS26-4K7M-"+r.ID, r.ID[:22]
			}
		}
		return errors.Join(tx.AddRegistration(&r), tx.AddTransaction(&t))
	})
	return r
}

// of changes a registration to another person's.
func of(account string) func(*enrol.Registration) {
	return func(r *enrol.Registration) { r.AccountID, r.Phone = account, "+919000000001" }
}

type seen struct {
	*httptest.ResponseRecorder
	t    *testing.T
	text string
}

var tagged = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)

func (p *place) get(address string) seen {
	p.t.Helper()
	return p.send(http.MethodGet, address)
}

func (p *place) send(method, address string) seen {
	p.t.Helper()
	r := httptest.NewRequest(method, origin+address, nil)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if p.token != "" {
		r.AddCookie(&http.Cookie{Name: "hiresure", Value: p.token})
	}
	w := httptest.NewRecorder()
	p.echo.ServeHTTP(w, r)
	return seen{w, p.t, strings.Join(strings.Fields(html.UnescapeString(tagged.ReplaceAllString(w.Body.String(), " "))), " ")}
}

func (s seen) is(status int, texts ...string) seen {
	s.t.Helper()
	if s.Code != status {
		s.t.Errorf("status %d, want %d", s.Code, status)
	}
	for _, text := range texts {
		if !strings.Contains(s.text, text) && !strings.Contains(s.Body.String(), text) {
			s.t.Errorf("%q is missing in %s", text, s.text)
		}
	}
	return s
}

func (s seen) without(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.Body.String(), text) {
			s.t.Errorf("%q must not be in %s", text, s.text)
		}
	}
}

func TestListShowsActions(t *testing.T) {
	for _, row := range []struct {
		sentence string
		has      func(p *place) enrol.Registration
		says     []string
		silentOn []string
	}{
		{"who has nothing", func(*place) enrol.Registration { return enrol.Registration{} }, []string{"MY REGISTRATIONS No details available for this registration.", `href="/hiresure/verify">See who it is for`, `href="/apply/hiresure-mgrow-2025">Apply Now`}, []string{"<table", "You have no registrations"}},
		{
			"who has filled in the form", func(p *place) enrol.Registration { return p.has(0, enrol.StepVerified, "") },
			[]string{"1 needs action", "Exam HireSure mGrow Scholarship", "badge-open", "Number Verified Fee due", "Your details are saved.", "Complete Form", "/scholarship/hiresure-mgrow-2025?change=ID#enrol", "View Details", `href="/hiresure/registration/ID"`, "Your turn", "4 of 5 steps done. Pay: is next", "21 Nov 2026"},
			[]string{"Download Invoice", "Pay Now", "Older registrations"},
		},
		{
			"whose payment failed", func(p *place) enrol.Registration { return p.has(0, enrol.StepUnpaid, payment.Failed) },
			[]string{"badge-failed", "Payment Failed", "Pay Now", `href="/pay?scholarship_requested_id=ID"`, "Only the fee is missing. Your details are saved.", "Payment: is missing"}, []string{"Complete Form"},
		},
		{"whose payment is open", func(p *place) enrol.Registration { return p.has(0, enrol.StepPaying, payment.Pending) }, []string{"badge-waiting", "Payment Initiated Payment not finished", "Paid already? Do not pay again: we ask your bank and e-mail you.", `class="button button-outline" href="/success?kspay_id=`, "See the payment", "Payment: not finished"}, []string{`<a class="button" `, "/pay?"}},
		{"whose payment is looked at", func(p *place) enrol.Registration { return p.has(0, enrol.StepPaying, payment.Review) }, []string{"Nothing to do", "Our turn", "Payment: is being checked"}, []string{"Pay Now", "Your turn"}},
		{
			"who has paid nothing", func(p *place) enrol.Registration { return p.has(0, enrol.StepComplete, payment.Paid) },
			[]string{"Nothing to do", "badge-done", "Completed Enrolled", "Exam on Sunday, 14 March 2027.", "HS26-4K7M-", "5 of 5 steps done"}, []string{"Download Invoice", "Pay Now", "Our turn"},
		},
		{"what is another's is not listed", func(p *place) enrol.Registration { return p.has(0, enrol.StepVerified, "", of("other")) }, []string{"No details available for this registration."}, []string{"<table"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			p := newPlace(t)
			id := row.has(p).ID
			for i := range row.says {
				row.says[i] = strings.ReplaceAll(row.says[i], "ID", id)
			}
			got := p.get("/hiresure/registration").is(http.StatusOK, row.says...)
			got.without(row.silentOn...)
			if cached := got.Header().Get("Cache-Control"); cached != "no-store" {
				t.Errorf("Cache-Control %q", cached)
			}
		})
	}
}

func TestListCountsActions(t *testing.T) {
	for _, row := range []struct {
		waitingTitle, others int
		title                string
	}{{2, 1, "2 need action"}, {1, 2, "1 needs action"}, {0, 2, "Nothing to do"}} {
		p := newPlace(t)
		n := 0
		another := func(r *enrol.Registration) { n++; r.EventCode = fmt.Sprint("old", n) }
		for range row.waitingTitle {
			p.has(0, enrol.StepUnpaid, "", another)
		}
		for range row.others {
			p.has(0, enrol.StepComplete, "", another)
		}
		p.get("/hiresure/registration").is(http.StatusOK, row.title)
	}
}

func TestListHasPages(t *testing.T) {
	p := newPlace(t)
	for i := range 25 {
		p.has(0, enrol.StepUnpaid, "", func(r *enrol.Registration) { r.EventCode = fmt.Sprint("old", i) })
	}
	next := regexp.MustCompile(`href="(/hiresure/registration\?after=[^"]+)"`)
	found := map[string]bool{}
	address, pages := "/hiresure/registration", 0
	for address != "" {
		got := p.get(address).is(http.StatusOK, "25 need action")
		for _, match := range regexp.MustCompile(`href="(/hiresure/registration/\w+)"`).FindAllStringSubmatch(got.Body.String(), -1) {
			found[match[1]] = true
		}
		address, pages = "", pages+1
		if match := next.FindStringSubmatch(got.Body.String()); match != nil {
			address = html.UnescapeString(match[1])
		}
	}
	if pages != 3 || len(found) != 25 {
		t.Errorf("%d pages with %d registrations, want 3 with 25", pages, len(found))
	}
	p.get("/hiresure/registration?after=forged").is(http.StatusNotFound, "Your registrations did not load", "Error loading registrations: this page of the list does not exist", "Your registrations and payments are safe.", "Go to the first page").without("<table", "Try again")
}

// out is an unavailable store.
type out struct{ admission.Store[registry.Tx] }

func (out) View(context.Context, func(registry.Tx) error) error { return admission.ErrUnavailable }

func TestListErrorIsReported(t *testing.T) {
	p := newPlace(t)
	p.has(0, enrol.StepVerified, "")
	p.kit.Registry.Store = out{}
	p.get("/hiresure/registration").is(http.StatusServiceUnavailable, "Error loading registrations: ", "Try again, or come back later.", `href="/hiresure/registration"`).without("<table", "first page")
	p.get("/hiresure").is(http.StatusOK, "Choose your exam").without("Pay the fee")
}

func TestRegistrationPage(t *testing.T) {
	p := newPlace(t)
	paid := p.has(0, enrol.StepComplete, payment.Paid)
	p.get("/hiresure/registration/"+paid.ID).is(http.StatusOK, "My Registrations", "HireSure mGrow Scholarship", "badge-done", "You are enrolled", "Personal Information", "asha<wbr>@example.com", "+91 98765 43210", "Karnataka",
		"Academic Information", "Blockchain", "Current Institution/College/School", "<dd>-", "Payment", "₹ 1,499.00", "Scholarship exam", "HS26-4K7M-", `/receipt"`, `href="/ticket/`).without("Father/Guardian Name", "Scholarship Details", "Pay Now")
	unpaid := p.has(1, enrol.StepUnpaid, payment.Failed, func(r *enrol.Registration) { r.GuardianName, r.GuardianPhone = "Meera Verma", "+919123456780" })
	p.get("/hiresure/registration/"+unpaid.ID).is(http.StatusOK, "badge-failed", "Pay Now", "/pay?scholarship_requested_id="+unpaid.ID, "The fee is missing", "Failed on", "Your turn", "Meera Verma").without("Receipt", "/ticket/", "HS26-")
	fresh := p.has(1, enrol.StepVerified, "", func(r *enrol.Registration) { r.EventCode = "old" })
	p.get("/hiresure/registration/"+fresh.ID).is(http.StatusOK, "Programme old").without("<h2>Payment</h2>")

	other := p.has(0, enrol.StepComplete, payment.Paid, of("other"), func(r *enrol.Registration) { r.FullName = "Ravi Kumar" })
	for _, id := range []string{other.ID, strings.Repeat("0", len(other.ID)), "nobody"} {
		p.get("/hiresure/registration/"+id).is(http.StatusNotFound, "No data found for this registration.", "My Registrations").without("Ravi", "HS26-")
	}
	p.token = ""
	if got := p.get("/hiresure/registration/" + paid.ID); got.Code != http.StatusFound || got.Header().Get("Location") != "/account/sign-in?next=%2Fhiresure%2Fregistration%2F"+paid.ID {
		t.Errorf("a stranger: %d %q", got.Code, got.Header().Get("Location"))
	}
}

func TestLostDisputeIsNotShownAsRefund(t *testing.T) {
	p := newPlace(t)
	r := p.has(0, enrol.StepComplete, payment.Paid)
	p.change(func(tx store.Tx) error {
		paid, err := tx.Transaction(r.PaidTxnID)
		if err != nil {
			return err
		}
		paid.State, paid.RefundedMinor, r.Refunded = payment.Refunded, paid.Charge.Minor, true
		lost := payment.Refund{ID: admission.NewID(), TxnID: paid.ID, PaymentID: paid.PaymentID, Amount: paid.Charge, State: method.RefundDone, Reason: payment.ReasonDispute, CreatedAt: p.clock.Now()}
		return errors.Join(tx.SaveTransaction(paid), tx.SaveRegistration(&r), tx.SaveRefund(&lost))
	})
	for page, says := range map[string]string{
		"/hiresure": "Your bank took back your fee, Asha", web.RegistrationsPath: "and the bank decided for you", "/hiresure/registration/" + r.ID: "Taken back by your bank",
	} {
		p.get(page).is(http.StatusOK, says).without("on its way", "7 business days")
	}
}

func TestHomeShowsTheNextAction(t *testing.T) {
	p := newPlace(t)
	p.get("/hiresure").is(http.StatusOK, "Welcome, Asha", "You have no registrations yet.", "Scholarship exam HireSure mGrow Scholarship Your rank decides. The top 250 pay no tuition. Fee ₹ 1,499 Exam 14 March 2027", `href="/apply/hiresure-mgrow-2025">Apply Now`,
		"HireSure application HireSure Scholarship Family income and marks decide. 40 seats a year, no exam. Fee ₹ 2,500.00 Answer Within 30 days", `href="/hiresure/verify">See who it is for`,
		"HireSure Campus Scholarship Your rank decides.", `href="/apply/hiresure-campus-2026">Apply Now<span class="visually-hidden">: HireSure Campus Scholarship</span>`, "One is enough. You can take an exam and apply too: the better result counts.").without("Choose your exam", "You can try for both")
	p.has(0, enrol.StepComplete, payment.Paid)
	done := p.get("/hiresure").is(http.StatusOK, "You are enrolled, Asha", "Next: mock test on Sunday, 28 February", "Add to calendar", "Receipt ₹ 1,499.00 paid on 21 Nov 2026", "Ticket as PDF", "View Registration", "HS26-4K7M-", "days to the exam")
	done.without("Make Payment", "Choose your exam", "Our turn", "steps are done", "Keep it in an account")
	p.clock.Pass(-time.Hour) // changed before the one that is paid
	unpaid := p.has(1, enrol.StepUnpaid, payment.Failed)
	p.clock.Pass(time.Hour)
	p.get("/hiresure").is(http.StatusOK, "Pay the fee again, Asha", "Make Payment", "/pay?scholarship_requested_id="+unpaid.ID, "HS26-4K7M-")
	p.token = ""
	stranger := p.get("/hiresure").is(http.StatusOK, "Choose your exam")
	stranger.without("Asha", "HS26-")
	if cached := stranger.Header().Get("Cache-Control"); cached == "no-store" {
		t.Error("the home of strangers is not kept")
	}
}

func TestPayerMayApplyOnce(t *testing.T) {
	const section, door = "Your exam does not need this", `href="/hiresure/verify">See who it is for`
	p := newPlace(t)
	paid := p.has(0, enrol.StepComplete, payment.Paid)
	p.get("/hiresure").is(http.StatusOK, section, door, "A second scholarship, based on family income and marks. 40 seats a year. The fee is ₹ 2,500.00.")
	p.get(web.RegistrationsPath).is(http.StatusOK).without(door)
	events := withExams()
	events[ofApplication].Published = false
	before := p.kit.Services.Apply.Events
	p.kit.Services.Apply.Events = events
	p.get("/hiresure").is(http.StatusOK).without(section, door)
	p.kit.Services.Apply.Events = before
	paid.Refunded = true
	p.change(func(tx store.Tx) error { return tx.SaveRegistration(&paid) })
	p.get("/hiresure").is(http.StatusOK, "Asha").without(section, door)
	paid.Refunded = false
	p.change(func(tx store.Tx) error { return tx.SaveRegistration(&paid) })
	p.has(ofApplication, enrol.StepPersonal, "")
	p.get("/hiresure").is(http.StatusOK, "Finish your form, Asha", `<a class="button button-outline" href="/ticket/`, "Add to calendar").without(section, door)
}

// knows makes the browser one without an account, in which these registrations were made. A phone is verified by a sign-in.
func (p *place) knows(phone string, registrations ...string) {
	p.t.Helper()
	token, session, err := storetest.AddSession(p.t.Context(), p.store, p.clock.Now().AddDate(1, 0, 0), registrations...)
	must(p.t, err)
	if phone != "" {
		session.Proven = map[string]time.Time{string(access.ForSignIn) + phone: p.clock.Now()}
		p.change(func(tx store.Tx) error { return tx.SaveSession(&session) })
	}
	p.token = token
}

func TestHomeWithoutAccount(t *testing.T) {
	const hers, another = "+919876543210", "+919000000001"
	ofPhone := func(phone string) func(*enrol.Registration) {
		return func(r *enrol.Registration) { r.AccountID, r.Phone = "", phone }
	}
	for _, row := range []struct {
		sentence string
		has      func(p *place) string // registration in this browser; "" for none
		phone    string                // verified by a sign-in
		says     []string
		silentOn []string
	}{
		{
			"a payer", func(p *place) string { return p.has(0, enrol.StepComplete, payment.Paid, ofPhone(hers)).ID }, hers,
			[]string{"<title>Your ticket | HireSure</title>", "You are enrolled, Asha", "Next: mock test on Sunday, 28 February", "Add to calendar", "HS26-4K7M-", "Receipt ₹ 1,499.00 paid on 21 Nov 2026", "Ticket as PDF To print or to share", "days to the exam", "Keep it in an account", `href="/account/sign-up">Create my account`, "Log out"},
			[]string{"View Registration", "See who it is for", "Logout", "No ticket"},
		},
		{"a payer who enrolled in this browser", func(p *place) string { return p.has(0, enrol.StepComplete, payment.Paid, ofPhone(hers)).ID }, "", []string{"You are enrolled, Asha"}, nil},
		{
			"the bank is asked", func(p *place) string { return p.has(0, enrol.StepPaying, payment.Pending, ofPhone(hers)).ID }, hers,
			[]string{"Payment not finished, Asha Paid already? Do not pay again: we ask your bank and e-mail you. Not paid? Continue by 12:30.", `?again">Continue to pay`, `data-poll="/hiresure"`, "HireSure mGrow Scholarship Asha Meera Verma Blockchain, exam on 14 March 2027 Payment not finished ₹ 1,499.00 Payment ID", "Give us the first 8 characters of your payment ID."},
			[]string{`<a class="button" `, "Pay Now", "Create my account", "HS26-", "Waiting for your bank"},
		},
		{"not paid", func(p *place) string { return p.has(0, enrol.StepUnpaid, payment.Failed, ofPhone(hers)).ID }, hers, []string{"Pay the fee again, Asha", "Make Payment"}, []string{"Create my account", "stay enrolled", "/hiresure/registration"}},
		{
			"another person's enrolment in this browser", func(p *place) string { return p.has(0, enrol.StepComplete, payment.Paid, ofPhone(another)).ID }, hers,
			[]string{"No ticket for this number", "+91 98765 43210 is verified. No enrolment uses it.", "Search your mail for “HireSure”.", "Changed your number with us? Your ticket moved to the new number. Sign in with that, or with your e-mail. Neither works? Write to us: support @hiresure.example", "The exam is on 14 March 2027. The fee is ₹ 1,499.", `href="/account/sign-in">Try another number`, `href="/apply/hiresure-mgrow-2025">Apply Now`},
			[]string{"Asha", "HS26-", "90000", "asha@example.com"},
		},
		{"an enrolment elsewhere", func(p *place) string { p.has(0, enrol.StepComplete, payment.Paid, ofPhone(hers)); return "" }, "", []string{"Choose your exam"}, []string{"Asha", "HS26-", "No ticket"}},
		{"an e-mail", func(p *place) string { return p.has(0, enrol.StepComplete, payment.Paid, ofPhone(hers)).ID }, "asha@example.com", []string{"Choose your exam"}, []string{"Asha", "HS26-"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			p := newPlace(t)
			var held []string
			if id := row.has(p); id != "" {
				held = append(held, id)
			}
			p.knows(row.phone, held...)
			p.get("/hiresure").is(http.StatusOK, row.says...).without(row.silentOn...)
		})
	}
}

func TestRefundedTicket(t *testing.T) {
	p := newPlace(t)
	r := p.has(0, enrol.StepComplete, payment.Paid, func(r *enrol.Registration) { r.AccountID = "" })
	p.change(func(tx store.Tx) error {
		paid, err := tx.Transaction(r.PaidTxnID)
		paid.State, paid.RefundedMinor, r.Refunded, r.ModifiedAt = payment.Refunded, paid.Charge.Minor, true, p.clock.Now()
		sent := payment.Refund{ID: admission.NewID(), TxnID: paid.ID, PaymentID: paid.PaymentID, Amount: paid.Charge, Reason: payment.ReasonOrdered, State: method.RefundDone, CreatedAt: p.clock.Now(), PostedAt: p.clock.Now()}
		return errors.Join(err, tx.SaveRefund(&sent), tx.SaveTransaction(paid), tx.SaveRegistration(&r))
	})
	p.knows("", r.ID)
	silentOn := []string{"Ticket as PDF", "Add to calendar", "Create my account", "days to the exam", "Open the ticket", "Being refunded"}
	p.get("/hiresure").is(http.StatusOK, "Refund sent, Asha", "We refunded ₹ 1,499.00. It should arrive by Tuesday, 1 December, in the account you paid from.", "No longer valid", "Not there by then?", "Enrol again").without(silentOn...)
	p.clock.Pass(15 * 24 * time.Hour)
	p.get("/hiresure").is(http.StatusOK, "Your fee was refunded, Asha", "₹ 1,499.00 went to the account you paid from.", "No longer valid", "Refunded").without(append(silentOn, "Not there by then?")...)
}

// One word on each page for the refund of a whole fee, and no day before the provider has accepted it.
func TestAWholeRefundHasOneWord(t *testing.T) {
	for _, row := range []struct {
		sentence string
		state    payment.State
		refund   method.RefundState
		ended    bool
		says     string
		listed   string
		not      []string
	}{
		{"asked", payment.RefundPending, method.RefundAsked, false, "We are refunding your fee", "Being refunded", []string{"Refund sent", "should arrive", "December", "Enrol again"}},
		{"accepted", payment.RefundPending, method.RefundAccepted, false, "Refund sent", "Refund sent", []string{"refunding", "Being refunded", "Enrol again"}},
		{"done", payment.Refunded, method.RefundDone, true, "Refund sent", "Refund sent", []string{"refunding", "Being refunded", "Open the ticket", "Ticket as PDF"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			p := newPlace(t)
			r := p.has(0, enrol.StepComplete, payment.Paid)
			p.change(func(tx store.Tx) error {
				made, err := tx.TransactionForUpdate(r.PaidTxnID)
				must(t, err)
				made.State, made.StateBefore, made.PaymentID = row.state, payment.Paid, "pay_1"
				refund := payment.Refund{ID: admission.NewID(), TxnID: made.ID, PaymentID: "pay_1", Amount: made.Charge, Reason: payment.ReasonOrdered, State: row.refund, CreatedAt: p.clock.Now(), PostedAt: p.clock.Now()}
				if r.Refunded = row.ended; row.ended {
					made.RefundedMinor = made.Charge.Minor
				}
				return errors.Join(tx.SaveRefund(&refund), tx.SaveTransaction(made), tx.SaveRegistration(&r))
			})
			for address, says := range map[string]string{"/hiresure": row.says, "/hiresure/registration": row.listed, "/hiresure/registration/" + r.ID: row.says} {
				p.get(address).is(http.StatusOK, says).without(row.not...)
			}
			if row.ended {
				p.get("/hiresure").is(http.StatusOK, "Enrol again")
			}
		})
	}
}

// Home and detail say what the receipt says about money, and lead to it.
func TestMoneyNotesAreOnHomeAndDetail(t *testing.T) {
	const open = "Your bank is looking into this payment, because it was disputed. %s is valid until the bank decides. We e-mail you then. Was it a mistake? Tell your bank. See the receipt"
	refund := func(reason payment.RefundReason, state method.RefundState, minor int64) payment.Refund {
		return payment.Refund{ID: admission.NewID(), PaymentID: "pay_1", Amount: admission.INR(minor), Reason: reason, State: state, CreatedAt: businesstest.Noon, ChangedAt: businesstest.Noon, PostedAt: businesstest.Noon}
	}
	for _, row := range []struct {
		sentence string
		event    int
		state    payment.State
		refund   payment.Refund
		says     string // "" for nothing
		not      string
	}{
		{"paid", 0, payment.Paid, payment.Refund{}, "", "See the receipt"},
		{"dispute open", 0, payment.Disputed, payment.Refund{}, fmt.Sprintf(open, "Your ticket"), "took back"},
		{"dispute of an application open", ofApplication, payment.Disputed, payment.Refund{}, fmt.Sprintf(open, "Your application"), "Your ticket is valid"},
		{"lost in part", 0, payment.Paid, refund(payment.ReasonDispute, method.RefundDone, 499_66), "Your bank took back ₹499.66 after your dispute. Your ticket is valid. See the receipt", "is deciding"},
		{"part sent", 0, payment.Paid, refund(payment.ReasonAtProvider, method.RefundDone, 149_90), "Refund of ₹149.90 sent on 21 Nov 2026. It should arrive by Tuesday, 1 December, in the account you paid from. Your ticket is valid. See the receipt", "money-note"},
		{"bounced", 0, payment.Paid, refund(payment.ReasonAtProvider, method.RefundBounced, 1499_00), "Your refund came back to us. Your bank did not accept ₹1,499.00. The money is safe, and it is yours. We e-mail you the next step by Monday, 23 November. Until then your ticket is valid. See the receipt", "on its way back"},
		{"the whole fee asked", 0, payment.RefundPending, refund(payment.ReasonOrdered, method.RefundAsked, 1499_00), "We are refunding your fee. We e-mail you when it is sent. See the receipt", "account you paid from, by"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			p := newPlace(t)
			r := p.has(row.event, enrol.StepComplete, payment.Paid)
			p.change(func(tx store.Tx) error {
				made, err := tx.TransactionForUpdate(r.PaidTxnID)
				must(t, err)
				made.State, made.StateBefore, made.PaymentID, made.DisputedAt = row.state, payment.Paid, "pay_1", p.clock.Now()
				if row.refund.ID != "" {
					row.refund.TxnID = made.ID
					must(t, tx.SaveRefund(&row.refund))
				}
				return tx.SaveTransaction(made)
			})
			for _, address := range []string{"/hiresure", "/hiresure/registration/" + r.ID} {
				p.get(address).is(http.StatusOK, row.says).without(row.not)
			}
		})
	}
}
