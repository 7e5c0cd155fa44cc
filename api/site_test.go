package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/consent"
	"hiresure/admission/contact"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/api"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
)

const baseURL = "https://www.example.in"

// site is the API over a real database, with a clock that stands still and everything that was written counted.
type site struct {
	t       *testing.T
	url     string // of the database
	echo    *echo.Echo
	office  *business.Services
	ledger  *ledger
	clock   *clock
	human   *human
	gateway *sandbox.Gateway
	logs    *syncBuffer

	document openAPI // what it is held to
}

// setting changes what a site is made of.
type setting func(*business.Needs, *api.Needs)

func limited(n *business.Needs, _ *api.Needs) { n.RateLimitsOff = false }
func guarded(n *business.Needs, _ *api.Needs) { n.Human = &human{needed: true} }
func alerting(alerts *[]string) setting {
	return func(n *business.Needs, _ *api.Needs) { n.Alert = func(what string) { *alerts = append(*alerts, what) } }
}

func withLeads(n *business.Needs, _ *api.Needs) { n.LeadWebhook = true }

func newSite(t *testing.T, settings ...setting) *site {
	t.Helper()
	return newSiteOn(t, storetest.SQLite(t), settings...)
}

func newSiteOn(t *testing.T, databaseURL string, settings ...setting) *site {
	t.Helper()
	database := storetest.Open(t, databaseURL)
	s := &site{t: t, url: databaseURL, ledger: &ledger{Store: database, counts: map[string]int{}}, clock: &clock{now: time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)}, logs: &syncBuffer{}}
	log := slog.New(web.NewLogHandler(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug})))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, coupon := range []enrol.Coupon{
		{Code: "MGROW500", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}},
		{Code: "TENPART", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}},
		{Code: "FULLSEAT", Terms: enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}},
		{Code: "LASTSEAT", Terms: enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 500_00}, MaxUses: 1},
	} {
		coupon.ID, coupon.EventCode = admission.NewID(), "KS_Mgrow"
		must(database.SaveCoupon(t.Context(), coupon))
	}
	must(database.SaveReferral(t.Context(), enrol.Referral{Code: "SETU2025", OwnerName: "Ishani Bora", OwnerPhone: "+919000000017", CreditMinor: 200_00}))
	var err error
	s.gateway, err = sandbox.New(sandbox.Needs{Orders: database, Key: bytes.Repeat([]byte("g"), 32), Clock: s.clock.Now, Log: log})
	must(err)
	needs := business.Needs{
		Stores: store.Areas(s.ledger), Events: catalogue{}, Supplier: func(time.Time) *invoice.Supplier { return nil }, Gateways: payment.Catalogue{s.gateway.Entry()},
		Human: &human{}, Notifier: nobody{}, Clock: s.clock.Now, Pepper: bytes.Repeat([]byte("p"), 32), BaseURL: baseURL,
		NoticeVersion: func() string { return "2026-11" }, GrievanceEmail: func() string { return "grievance@example.in" }, RateLimitsOff: true, Log: log, Alert: func(string) {},
	}
	of := api.Needs{Keys: keys{database}, ServiceSecret: "service-secret", LogoURL: func(name string) string { return "/static/" + name }}
	for _, set := range settings {
		set(&needs, &of)
	}
	s.human = needs.Human.(*human)
	s.office, err = business.New(needs)
	must(err)
	of.Services, of.Events, of.BaseURL, of.Clock, of.Log = s.office, needs.Events, baseURL, needs.Clock, log
	of.Sessions, err = web.New(web.Needs{
		Sessions: s.office.Access, BaseURL: baseURL, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Clock: s.clock.Now, Log: log, Watch: nobody{},
		RefusalPage: func(c *echo.Context, r web.Refusal) error { return c.HTML(r.Status, r.Message) },
	})
	must(err)
	s.echo = echo.New()
	must(api.Routes(of.Sessions.Install(s.echo), of))
	s.document = document(t)
	return s
}

type clock struct {
	mutex sync.Mutex
	now   time.Time
}

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

type nobody struct{}

func (nobody) Render(*message.Message) error                   { return nil }
func (nobody) Send(context.Context, message.Message) error     { return nil }
func (nobody) Served(string, string, int, time.Duration)       {}
func (nobody) Broke(ctx context.Context, err error, id string) {}

type human struct{ needed bool }

func (h *human) Needed() bool { return h.needed }

func (h *human) Check(_ context.Context, token string, _ admission.Visitor) (access.Pass, error) {
	switch {
	case token == "down":
		return access.Pass{}, errors.New("no answer")
	case strings.HasPrefix(token, "good"):
		return access.Pass{Once: token}, nil
	case strings.HasPrefix(token, "ticket"):
		return access.Pass{Once: token, Ticket: true}, nil
	}
	return access.Pass{}, access.ErrNotHuman
}

type catalogue struct{}

var opens, closes = time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), time.Date(2027, 3, 11, 0, 0, 0, 0, admission.IST)

var events = []admission.Event{
	{
		Slug: "hiresure-mgrow-2025", Code: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", Title: "HireSure mGrow Scholarship",
		Subtitle: "Eight months", Courses: []string{"Blockchain", "Artificial_Intelligence"}, Partners: []admission.Partner{{Name: "Meruvia", Logo: "meruvia.svg"}},
		CompanyName: "Meruvia", CompanyLogo: "meruvia.svg", CouponCode: "MGROW500", Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00),
		Published: true, OpensAt: opens, ClosesAt: closes, Terms: admission.Terms{Version: "2026-11-01", Hash: "h"},
	},
	{
		Slug: "hiresure-campus-2026", Code: "KS_Campus", SubeventCode: "KS_Campus_2026", Title: "HireSure Campus Scholarship", Courses: []string{"Blockchain"},
		Fee: admission.INR(1499_50), ListFee: admission.INR(1499_50), Published: true, OpensAt: opens, ClosesAt: closes, Terms: admission.Terms{Version: "1", Hash: "h"},
	},
	{Slug: "closed", Code: "KS_Closed", Courses: []string{"Blockchain"}, Fee: admission.INR(1499_00), Published: false},
}

func (catalogue) EventBySlug(slug string) (admission.Event, bool) {
	return find(func(e admission.Event) bool { return e.Slug == slug })
}

func (catalogue) EventByCode(code string) (admission.Event, bool) {
	return find(func(e admission.Event) bool { return e.Code == code })
}

func find(is func(admission.Event) bool) (admission.Event, bool) {
	if i := slices.IndexFunc(events, is); i >= 0 {
		return events[i], true
	}
	return admission.Event{}, false
}

// keys adapts the store's keys, as cmd does.
type keys struct{ *store.Store }

func (k keys) ClaimKey(ctx context.Context, key, bodyHash string, now time.Time) (*api.KeyedAnswer, string, error) {
	prior, state, err := k.Store.ClaimKey(ctx, key, bodyHash, now)
	return (*api.KeyedAnswer)(prior), state, err
}

// ledger is the real store; it counts what was committed, and keeps the messages.
type ledger struct {
	admission.Store[store.Tx]
	mutex    sync.Mutex
	counts   map[string]int
	messages []message.Message
	down     error
}

type ledgerTx struct {
	store.Tx
	counts   map[string]int
	messages []message.Message
}

func (l *ledger) Update(ctx context.Context, work func(store.Tx) error) error {
	if err := l.isDown(); err != nil {
		return err
	}
	var seen *ledgerTx
	err := l.Store.Update(ctx, func(tx store.Tx) error {
		seen = &ledgerTx{Tx: tx, counts: map[string]int{}}
		return work(seen)
	})
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for what, n := range seen.counts {
		l.counts[what] += n
	}
	for _, m := range seen.messages { // once for a cause
		if !slices.ContainsFunc(l.messages, func(known message.Message) bool { return known.Cause == m.Cause }) {
			l.messages = append(l.messages, m)
			l.counts["message"]++
		}
	}
	return nil
}

func (l *ledger) View(ctx context.Context, work func(store.Tx) error) error {
	if err := l.isDown(); err != nil {
		return err
	}
	return l.Store.View(ctx, work)
}

func (l *ledger) isDown() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.down
}

func (l *ledger) setDown(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.down = err
}

// written returns how many rows of each kind have been written.
func (l *ledger) written() map[string]int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return maps.Clone(l.counts)
}

func (l *ledger) sent(template, to string) (found []message.Message) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, m := range l.messages {
		if m.Template == template && m.To == to {
			found = append(found, m)
		}
	}
	return found
}

func (x *ledgerTx) AddMessage(m *message.Message) error {
	x.messages = append(x.messages, *m)
	return x.Tx.AddMessage(m)
}

func (x *ledgerTx) AddSession(s *access.Session) error {
	x.counts["session"]++
	return x.Tx.AddSession(s)
}

func (x *ledgerTx) AddEnquiry(e *contact.Enquiry) error {
	x.counts["enquiry"]++
	return x.Tx.AddEnquiry(e)
}

func (x *ledgerTx) AddRegistration(r *enrol.Registration) error {
	x.counts["registration"]++
	return x.Tx.AddRegistration(r)
}

func (x *ledgerTx) AddTransaction(t *payment.Transaction) error {
	x.counts["transaction"]++
	return x.Tx.AddTransaction(t)
}

func (x *ledgerTx) SaveTransaction(t *payment.Transaction) error {
	x.counts["transaction change"]++
	return x.Tx.SaveTransaction(t)
}

func (x *ledgerTx) AddInboxEvent(e *payment.InboxEvent) (bool, error) {
	fresh, err := x.Tx.AddInboxEvent(e)
	if fresh {
		x.counts["inbox event"]++
	}
	return fresh, err
}

func (x *ledgerTx) AddLead(lead *enrol.Lead) (bool, error) {
	fresh, err := x.Tx.AddLead(lead)
	if fresh {
		x.counts["lead"]++
	}
	return fresh, err
}

func (x *ledgerTx) AddConsent(c consent.Consent) error {
	x.counts["consent to "+c.Purpose]++
	return x.Tx.AddConsent(c)
}

// browser keeps cookies, and sends what a browser sends beside a fetch from our own page.
type browser struct {
	*site
	cookies map[string]string
	headers http.Header
	address string
}

func (s *site) browser() *browser {
	return &browser{s, map[string]string{}, http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {baseURL}, "User-Agent": {"test"}}, "198.51.100.7:40000"}
}

func (b *browser) with(name, value string) *browser {
	other := &browser{b.site, b.cookies, b.headers.Clone(), b.address}
	other.headers.Set(name, value)
	return other
}

func (b *browser) from(address string) *browser {
	return &browser{b.site, b.cookies, b.headers, address}
}

// reply is an answer of the API.
type reply struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any
}

func (r reply) message() string { text, _ := r.body["message"].(string); return text }

func (r reply) text(path ...string) string {
	value := any(r.body)
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

func (r reply) errors() map[string]string {
	found := map[string]string{}
	object, _ := r.body["errors"].(map[string]any)
	for name, message := range object {
		found[name], _ = message.(string)
	}
	return found
}

type object = map[string]any

func (b *browser) post(path string, body object) reply {
	b.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(http.MethodPost, path, string(raw))
}

func (b *browser) get(path string) reply {
	b.t.Helper()
	return b.send(http.MethodGet, path, "")
}

func (b *browser) send(method, path, body string) reply {
	b.t.Helper()
	r := httptest.NewRequest(method, baseURL+path, strings.NewReader(body))
	r.RemoteAddr = b.address
	maps.Copy(r.Header, b.headers)
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	got := reply{status: w.Code, header: w.Header(), raw: w.Body.Bytes()}
	for _, cookie := range w.Result().Cookies() {
		b.cookies[cookie.Name] = cookie.Value
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		decoder := json.NewDecoder(bytes.NewReader(got.raw))
		decoder.UseNumber()
		if err := decoder.Decode(&got.body); err != nil {
			b.t.Errorf("%s %s: answer is not JSON: %v\n%s", method, path, err, got.raw)
		}
	}
	if web.IsAPI(r.URL.Path) {
		agree(b.t, b.document, r, body, got)
	}
	return got
}

// ofShape are the refusals that the document foretells.
var ofShape = []string{"This field is unknown.", "This must be text.", "This must be true or false.", "This must be a list of texts."}

// agree holds a request and its answer to openapi.yaml.
func agree(t *testing.T, described openAPI, r *http.Request, body string, got reply) {
	t.Helper()
	asked, err := http.NewRequest(r.Method, r.URL.RequestURI(), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	asked.Header = r.Header
	route, pathParams, err := described.router.FindRoute(asked)
	if err != nil {
		if got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s is not in the document and answers %d", r.Method, r.URL.Path, got.status)
		}
		return
	}
	in := &openapi3filter.RequestValidationInput{Request: asked, PathParams: pathParams, Route: route, Options: &openapi3filter.Options{
		ExcludeRequestBody: strings.HasPrefix(r.URL.Path, "/payments/webhook/"), IncludeResponseStatus: true,
	}}
	requestErr := openapi3filter.ValidateRequest(t.Context(), in)
	if got.status < 300 && requestErr != nil {
		t.Errorf("%s %s: the document refuses what the handler takes: %v", r.Method, r.URL.Path, requestErr)
	}
	for name, message := range got.errors() {
		if slices.Contains(ofShape, message) && requestErr == nil {
			t.Errorf("%s %s: the document takes what the handler refuses: %s: %s", r.Method, r.URL.Path, name, message)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: got.status, Header: got.header, Options: in.Options}
	answer.SetBodyBytes(got.raw)
	if err := openapi3filter.ValidateResponse(t.Context(), answer); err != nil {
		t.Errorf("%s %s: the answer is not as documented: %v\n%s", r.Method, r.URL.Path, err, got.raw)
	}
	if got.body != nil && got.text("code") != "" && got.text("code") != strconv.Itoa(got.status) {
		t.Errorf("%s %s: code %s with status %d", r.Method, r.URL.Path, got.text("code"), got.status)
	}
}

type openAPI struct {
	doc    *openapi3.T
	router routers.Router
}

var loadDocument = sync.OnceValues(func() (openAPI, error) {
	raw, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return openAPI{}, err
	}
	return parseDocument(raw)
})

func parseDocument(raw []byte) (openAPI, error) {
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return openAPI{}, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return openAPI{}, err
	}
	openapi3filter.RegisterBodyDecoder("application/yaml", openapi3filter.PlainBodyDecoder)
	router, err := legacy.NewRouter(doc)
	return openAPI{doc, router}, err
}

func document(t *testing.T) openAPI {
	t.Helper()
	found, err := loadDocument()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The ways of a visitor, by the product's own calls.

const phone, email = "9876543210", "asha@example.com"

func (b *browser) asks(phone, email string) reply {
	b.t.Helper()
	return b.asksWith(phone, email, "")
}

// asksWith brings a token of the human check, "" for none.
func (b *browser) asksWith(phone, email, token string) reply {
	b.t.Helper()
	body := object{
		"email": email, "phone_number": phone, "country_code": "+91", "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025",
	}
	if token != "" {
		body["captcha_token"] = token
	}
	return b.post("/scholarship/v1/user-verification-request", body)
}

func (b *browser) answers(phone, email, requestID, code string) reply {
	b.t.Helper()
	return b.post("/scholarship/v1/user-request-verify", object{
		"email": email, "phone_number": phone, "phone_otp": code, "scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025", "request_id": requestID,
	})
}

// code returns the code that was sent to a phone last.
func (s *site) code(phone string) string {
	s.t.Helper()
	sent := append(s.ledger.sent("otp", "+91"+phone), s.ledger.sent("guardian-otp", "+91"+phone)...)
	if len(sent) == 0 {
		s.t.Fatalf("no code was sent to %s", phone)
	}
	return sent[len(sent)-1].Params["Code"]
}

// wrong is a code that is not the right one.
func wrong(code string) string {
	if code == "123456" {
		return "654321"
	}
	return "123456"
}

func (b *browser) proves(phone, email string) *browser {
	b.t.Helper()
	asked := b.asks(phone, email)
	want(b.t, asked, http.StatusOK, "We sent a code to your mobile number.")
	want(b.t, b.answers(phone, email, asked.text("request_id"), b.code(phone)), http.StatusOK, "Your mobile number is verified.")
	return b
}

func enrolment(changes object) object {
	body := object{
		"fullname": "Asha Rao", "email": email, "phone_number": phone, "selected_course": "Blockchain", "state": "Karnataka", "country_code": "+91",
		"scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025", "agreed_terms_conditions": true, "adult": true,
	}
	for name, value := range changes {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
	return body
}

func (b *browser) enrols(changes object) string {
	b.t.Helper()
	got := b.post("/scholarship/v1/create-scholarship-request", enrolment(changes))
	want(b.t, got, http.StatusOK, "Your details are saved.")
	return got.text("scholarship_requested_id")
}

func (b *browser) starts(registration string) reply {
	b.t.Helper()
	return b.post("/payments/v1/initiate-payment", object{"scholarship_requested_id": registration, "redirection_url": baseURL + "/success"})
}

func (b *browser) outcome(txn string) reply {
	b.t.Helper()
	return b.post("/payments/v1/verify-payment", object{"payment_transaction_id": txn})
}

func want(t *testing.T, got reply, status int, message string) {
	t.Helper()
	if got.status != status || got.message() != message {
		t.Fatalf("got %d %q, want %d %q\n%s", got.status, got.message(), status, message, got.raw)
	}
}

func wantWritten(t *testing.T, s *site, before map[string]int, wanted map[string]int) {
	t.Helper()
	after := s.ledger.written()
	for what := range before {
		if after[what] -= before[what]; after[what] == 0 {
			delete(after, what)
		}
	}
	if wanted == nil {
		wanted = map[string]int{}
	}
	if !maps.Equal(after, wanted) {
		t.Errorf("written %v, want %v", after, wanted)
	}
}

type syncBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.String()
}
