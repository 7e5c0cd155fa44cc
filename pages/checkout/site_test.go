package checkout_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/content"
	"hiresure/integrations/payment/sandbox"
	"hiresure/pages"
	"hiresure/pages/checkout"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

// site has the payment pages over a real store, with the sandbox gateway and a fixed clock.
type site struct {
	t        *testing.T
	url      string
	services *business.Services
	store    *store.Store
	gateway  *sandbox.Gateway
	mail     *mailbox
	clock    *businesstest.Clock
	words    *content.Source
}

// setting changes the parts of a site.
type setting func(*site, *business.Config)

func newSite(t *testing.T, settings ...setting) *site {
	t.Helper()
	return newSiteOn(t, storetest.SQLite(t), settings...)
}

func newSiteOn(t *testing.T, databaseURL string, settings ...setting) *site {
	t.Helper()
	words, err := content.Load()
	check(t, err)
	source, err := content.NewSource(words)
	check(t, err)
	s := &site{t: t, store: storetest.Open(t, databaseURL), mail: &mailbox{}, clock: businesstest.NewClock(businesstest.Noon.Add(4 * time.Minute))}
	log := slog.New(slog.DiscardHandler)
	businesstest.Seed(t, s.store)
	s.gateway = s.sandbox("sandbox", nil)

	e := echo.New()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	s.url = server.URL
	config := businesstest.Config(s.store.Areas(), s.clock.Now)
	config.Supplier, config.Gateways = func(time.Time) *invoice.Supplier { return &supplier }, payment.Catalogue{s.gateway.Entry()}
	config.Events, config.Notifier, config.BaseURL = businesstest.Catalogue{event}, s.mail, s.url
	for _, set := range settings {
		set(s, &config)
	}
	s.services, err = business.New(config)
	check(t, err)
	kit := &pages.Kit{Services: s.services, Events: config.Events, Content: source, BaseURL: s.url, DefaultEvent: event.Slug, Clock: s.clock.Now, Log: log}
	kit.Session, err = web.New(web.Config{
		Sessions: s.services.Access, BaseURL: s.url, RefusalPage: kit.RefusalPage, Clock: s.clock.Now, Log: log, Watch: webtest.Watch{},
	})
	check(t, err)
	r := kit.Session.Install(e)
	checkout.Routes(r, kit)
	s.words = source
	return s
}

func (s *site) sandbox(name string, currencies []string) *sandbox.Gateway {
	s.t.Helper()
	return businesstest.Sandbox(s.t, sandbox.Config{Orders: s.store, Clock: s.clock.Now, Name: name, Currencies: currencies})
}

// withDollars adds a method in another currency.
func withDollars(s *site, n *business.Config) {
	dollars := s.sandbox("dollars", []string{"USD"}).Entry()
	dollars.Label, dollars.Note, dollars.Carries = "dollars", "", method.CarriesTxID
	n.Gateways = append(n.Gateways, dollars)
}

func withoutSupplier(_ *site, n *business.Config) {
	n.Supplier = businesstest.NoSupplier
}

var event = withAnalytics(businesstest.Events()[0])

func withAnalytics(e admission.Event) admission.Event {
	e.Courses = append(e.Courses, "Data_Analytics")
	return e
}

var supplier = invoice.Supplier{
	Name: "Aksharam Skill Academy Private Limited", Address: "14, Third Cross, Lakeside Layout\nBengaluru 560001\nKarnataka, India",
	GSTIN: "29ABCDE1234F1ZW", SAC: "999293", Series: "KS", CreditSeries: "KSC", DebitSeries: "KSD", FinancialSeries: "KSF", RateBP: 1800,
}

type mailbox struct{ sent []message.Message }

func (m *mailbox) Render(*message.Message) error { return nil }

func (m *mailbox) Send(_ context.Context, message message.Message) error {
	m.sent = append(m.sent, message)
	return nil
}

// deliver sends the waiting messages and returns them.
func (s *site) deliver() []message.Message {
	s.t.Helper()
	s.mail.sent = nil
	jobs, err := s.store.ClaimJobs(s.t.Context(), []string{message.JobSMS, message.JobMail}, s.clock.Now(), time.Minute, 10)
	check(s.t, err)
	for _, job := range jobs {
		_, err := s.services.Messages.Deliver(s.t.Context(), job.Ref)
		check(s.t, err)
		check(s.t, s.store.FinishJob(s.t.Context(), job))
	}
	return s.mail.sent
}

// browser is a visitor.
type browser struct {
	site         *site
	client       *http.Client
	registration enrol.Registration
}

// stranger has a browser without a session.
func (s *site) stranger() *browser {
	jar, err := cookiejar.New(nil)
	check(s.t, err)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{site: s, client: &http.Client{Jar: jar, CheckRedirect: stay}}
}

// enrolled has an unpaid registration.
func (s *site) enrolled(change func(*enrol.Registration)) *browser {
	s.t.Helper()
	b := s.stranger()
	b.registration = enrol.Registration{
		ID: admission.NewID(), EventSlug: event.Slug, EventCode: event.Code, SubeventCode: event.SubeventCode, FullName: "Ananya Deshmukh",
		Email: "ananya.d@example.com", Phone: "+919820041567", Course: "Data_Analytics", StateCode: "27", Adult: true,
		Step: enrol.StepVerified, CreatedAt: s.clock.Now(), ModifiedAt: s.clock.Now(), TermsAt: s.clock.Now(),
	}
	if change != nil {
		change(&b.registration)
	}
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error { return tx.AddRegistration(&b.registration) }))
	token, _, err := storetest.AddSession(s.t.Context(), s.store, s.clock.Now().AddDate(1, 0, 0), b.registration.ID)
	check(s.t, err)
	home, err := url.Parse(s.url)
	check(s.t, err)
	b.client.Jar.SetCookies(home, []*http.Cookie{{Name: "hiresure", Value: token}})
	return b
}

func coupon(code string) func(*enrol.Registration) {
	return func(r *enrol.Registration) { r.CouponCode = code }
}

// phone is the number of a second person.
func second(r *enrol.Registration) { r.Phone, r.Email = "+919820041568", "second@example.com" }

// answer is a response.
type answer struct {
	t        *testing.T
	status   int
	location string
	header   http.Header
	body     string
}

func (b *browser) get(address string) answer {
	b.site.t.Helper()
	r, err := b.client.Get(b.absolute(address))
	return b.read(r, err)
}

func (b *browser) post(address string, form url.Values) answer {
	b.site.t.Helper()
	r, err := b.client.PostForm(b.absolute(address), form)
	return b.read(r, err)
}

func (b *browser) absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return b.site.url + address
	}
	return address
}

func (b *browser) read(r *http.Response, err error) answer {
	b.site.t.Helper()
	check(b.site.t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	check(b.site.t, err)
	return answer{b.site.t, r.StatusCode, r.Header.Get("Location"), r.Header, string(body)}
}

// changes changes the registration in the database.
func (b *browser) changes(change func(*enrol.Registration)) {
	b.site.t.Helper()
	check(b.site.t, b.site.store.Update(b.site.t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationForUpdate(b.registration.ID)
		if err != nil {
			return err
		}
		change(r)
		return tx.SaveRegistration(r)
	}))
}

// start presses the button on /pay and returns the attempt.
func (b *browser) start() string {
	b.site.t.Helper()
	a := b.post("/pay", url.Values{"scholarship_requested_id": {b.registration.ID}})
	txn, found := strings.CutPrefix(a.location, "/checkout/")
	if a.status != http.StatusSeeOther || !found {
		b.site.t.Fatalf("POST /pay answered %d to %q: %s", a.status, a.location, a.text())
	}
	return txn
}

// press sends an outcome of the sandbox and returns the redirect.
func (b *browser) press(txn string, outcome sandbox.Outcome) string {
	b.site.t.Helper()
	a := b.post("/checkout/"+txn+"/return", b.site.gateway.Press(txn, outcome))
	if a.status != http.StatusSeeOther {
		b.site.t.Fatalf("return answered %d: %s", a.status, a.text())
	}
	return a.location
}

// at moves a visitor to an outcome by real calls.
func (s *site) at(outcome sandbox.Outcome, change func(*enrol.Registration)) (b *browser, txn string) {
	s.t.Helper()
	b = s.enrolled(change)
	txn = b.start()
	b.press(txn, outcome)
	return b, txn
}

func (s *site) state(txn string) payment.State {
	s.t.Helper()
	p, err := s.services.Payment.Find(s.t.Context(), txn)
	check(s.t, err)
	return p.Transaction.State
}

var (
	inline = regexp.MustCompile(`</?(span|b|s|small|wbr)\b[^>]*>`)
	tags   = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)
	spaces = regexp.MustCompile(`[\s\x{a0}]+`)
)

// text returns the visible text.
func (a answer) text() string {
	return strings.TrimSpace(spaces.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(inline.ReplaceAllString(a.body, ""), " ")), " "))
}

func (a answer) is(status int, texts ...string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Errorf("status %d, want %d (location %q)", a.status, status, a.location)
	}
	read := a.text()
	for _, text := range texts {
		if !strings.Contains(read, text) {
			a.t.Errorf("%q is missing in: %s", text, read)
		}
	}
	return a
}

func (a answer) without(texts ...string) answer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) || !strings.Contains(text, "<") && strings.Contains(a.text(), text) {
			a.t.Errorf("%q must not be in: %s", text, a.body)
		}
	}
	return a
}

// aboveFooter returns the response without the footer, which names the operator.
func (a answer) aboveFooter() answer {
	a.body, _, _ = strings.Cut(a.body, "<footer")
	return a
}

// belowHeader returns the response without the header, which names a signed-in visitor.
func (a answer) belowHeader() answer {
	_, a.body, _ = strings.Cut(a.body, "<main")
	return a
}

func (a answer) holds(markup ...string) answer {
	a.t.Helper()
	for _, part := range markup {
		if !strings.Contains(a.body, part) {
			a.t.Errorf("%q is missing in: %s", part, a.body)
		}
	}
	return a
}

func (a answer) leadsTo(location string) {
	a.t.Helper()
	if a.location != location {
		a.t.Errorf("%d leads to %q, want %q", a.status, a.location, location)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// phoneOf returns a number for a name.
func phoneOf(name string) string {
	sum := crc32.ChecksumIEEE([]byte(name)) % 1_000_000
	return fmt.Sprintf("+91982%07d", sum)
}
