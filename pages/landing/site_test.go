package landing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"html"
	"image"
	"image/color/palette"
	"image/png"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/content"
	"hiresure/forms/formstest"
	"hiresure/integrations/payment/sandbox"
	"hiresure/pages"
	"hiresure/store"
	"hiresure/web"
	"hiresure/web/webtest"
)

// site is a whole HireSure without its worker, on a separate store.
type site struct {
	t       *testing.T
	store   *store.Store
	words   *content.Library
	source  *content.Source
	clock   *businesstest.Clock
	sms     []message.Message
	echo    *echo.Echo
	human   bool // a human check is required
	events  businesstest.Catalogue
	gateway *sandbox.Gateway
}

// newSite has one method, and others by name.
func newSite(t *testing.T, s *store.Store, others ...string) *site {
	t.Helper()
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	source, err := content.NewSource(words)
	if err != nil {
		t.Fatal(err)
	}
	o := &site{t: t, store: s, words: words, source: source, clock: businesstest.NewClock(openDay), echo: echo.New()}
	for _, from := range words.Events() {
		o.events = append(o.events, admission.Event{
			Slug: from.Slug, Code: from.ScholarshipCode, SubeventCode: from.ScholarshipSubeventCode, Title: from.Title, Courses: from.Courses,
			Fee: admission.INR(from.FeeMinor), Published: true, OpensAt: from.EnrolmentOpens, ClosesAt: from.EnrolmentCloses, Exam: from.Exam.Time,
		})
	}
	businesstest.Seed(t, s)
	o.gateway = businesstest.Sandbox(t, sandbox.Config{Orders: s, Clock: o.clock.Now})
	config := businesstest.Config(store.Areas(&listeningStore{s, o}), o.clock.Now)
	catalogue := payment.Catalogue{o.gateway.Entry()}
	for _, name := range others {
		catalogue = append(catalogue, businesstest.Sandbox(t, sandbox.Config{Orders: s, Clock: o.clock.Now, Name: name}).Entry())
	}
	config.Events, config.Human, config.Gateways, config.BaseURL, config.RateLimitsOff = o.events, o, catalogue, origin, false
	services, err := business.New(config)
	if err != nil {
		t.Fatal(err)
	}
	kit := &pages.Kit{
		Services: services, Events: o.events, Content: source, BaseURL: origin, DefaultEvent: "hiresure-mgrow-2025", Clock: o.clock.Now, Log: config.Log,
		Ticket: func(time.Time, admission.Visitor) string { return "ticket" }, Draw: drawHash,
	}
	kit.Session, err = web.New(web.Config{
		Sessions: services.Access, BaseURL: origin, RefusalPage: kit.RefusalPage, Clock: o.clock.Now, Log: config.Log, Watch: webtest.Watch{T: t},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := kit.Session.Install(o.echo)
	Routes(r, kit)
	r.Unknown(web.Public, kit.Unknown)
	return o
}

// drawHash replaces the browser: it draws another picture for each page.
func drawHash(_ context.Context, html []byte) ([]byte, error) {
	picture := image.NewPaletted(image.Rect(0, 0, 1200, 630), palette.WebSafe)
	for i, b := range sha256.Sum256(html) {
		picture.Pix[i] = b % 216
	}
	var body bytes.Buffer
	err := png.Encode(&body, picture)
	return body.Bytes(), err
}

const origin = "http://example.test"

func (o *site) Work(subject string, steps int) any { return nil }

func (o *site) Worked(string, string, int) (string, bool) { return "", false }

func (o *site) Check(_ context.Context, token string, _ admission.Visitor) (access.Pass, error) {
	switch token {
	case "ticket":
		return access.Pass{Ticket: true}, nil
	case "young ticket":
		return access.Pass{}, access.ErrTooFast
	}
	return access.Pass{}, access.ErrNotHuman
}

func (o *site) Needed() bool { return o.human }

func (o *site) NotReady() string { return "Execute reCAPTCHA is not ready yet." }

func (o *site) view(work func(store.Tx) error) {
	o.t.Helper()
	if err := o.store.View(o.t.Context(), work); err != nil {
		o.t.Fatal(err)
	}
}

// sent returns the latest SMS to a phone.
func (o *site) sent(phone string) message.Message {
	o.t.Helper()
	for _, sms := range slices.Backward(o.sms) {
		if sms.To == "+91"+phone {
			return sms
		}
	}
	o.t.Fatalf("no code went to %s", phone)
	return message.Message{}
}

// code returns the one in the latest SMS to a phone.
func (o *site) code(phone string) string {
	o.t.Helper()
	return o.sent(phone).Params["Code"]
}

// text returns the latest SMS to a phone.
func (o *site) text(phone string) string {
	o.t.Helper()
	sms := o.sent(phone)
	words, _ := o.words.Message(sms.Template)
	rendered, err := words.Words("example.test", sms.Params)
	if err != nil {
		o.t.Fatal(err)
	}
	return rendered.Text
}

// registration returns the stored registration of a phone, or nil.
func (o *site) registration(phone string) (r *enrol.Registration) {
	o.t.Helper()
	err := o.store.Update(o.t.Context(), func(tx store.Tx) (err error) {
		r, err = tx.RegistrationOf("KS_Mgrow", "+91"+phone)
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return r
}

// listeningStore records the messages of committed transactions.
type listeningStore struct {
	admission.Store[store.Tx]
	site *site
}

func (s *listeningStore) Update(ctx context.Context, work func(store.Tx) error) error {
	var written []message.Message
	err := s.Store.Update(ctx, func(tx store.Tx) error {
		written = nil
		return work(listeningTx{tx, &written})
	})
	if err == nil {
		s.site.sms = append(s.site.sms, written...)
	}
	return err
}

type listeningTx struct {
	store.Tx
	written *[]message.Message
}

func (tx listeningTx) AddMessage(m *message.Message) error {
	*tx.written = append(*tx.written, *m)
	return tx.Tx.AddMessage(m)
}

// visitor is a browser without scripts at the form.
type visitor struct {
	*site
	path    string
	fields  url.Values
	cookies map[string]*http.Cookie
	status  int
	header  http.Header
	body    string
}

func (o *site) visitor() *visitor {
	v := &visitor{site: o, path: "/scholarship/hiresure-mgrow-2025", fields: url.Values{}, cookies: map[string]*http.Cookie{}}
	v.get(v.path)
	return v
}

func (v *visitor) get(address string) *visitor {
	v.send(httptest.NewRequest(http.MethodGet, origin+address, nil))
	return v
}

// press fills in fields (name, value, …) and presses a button of the form.
func (v *visitor) press(do string, fields ...string) *visitor {
	v.t.Helper()
	for i := 0; i < len(fields); i += 2 {
		v.fields.Set(fields[i], fields[i+1])
	}
	form := maps.Clone(v.fields)
	form.Set("do", do)
	return v.post(form)
}

func (v *visitor) post(form url.Values) *visitor {
	r := httptest.NewRequest(http.MethodPost, origin+v.path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", origin)
	v.send(r)
	return v
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)">`)

func (v *visitor) send(r *http.Request) {
	for _, cookie := range v.cookies {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	v.echo.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		v.cookies[cookie.Name] = cookie
	}
	v.status, v.header, v.body = w.Code, w.Header(), w.Body.String()
	for _, found := range hiddenField.FindAllStringSubmatch(v.body, -1) {
		v.fields.Set(found[1], html.UnescapeString(found[2]))
	}
}

// details are the answers of a person with a verified phone who may pay.
func (v *visitor) details(phone string) *visitor {
	details := formstest.Good("enrolment")
	maps.Copy(details, map[string]string{"fullname": "Asha Verma", "email": phone + "@example.com", "phone_number": phone, "selected_course": "Data_Analytics"})
	for name, value := range details {
		v.fields.Set(name, value)
	}
	return v
}

func (v *visitor) proven(phone string) *visitor {
	v.t.Helper()
	v.details(phone).press("send-code").answers(http.StatusOK)
	return v.press("verify", "otp", v.code(phone)).answers(http.StatusOK).press("verify", "otp", "")
}

func (v *visitor) answers(status int) *visitor {
	v.t.Helper()
	if v.status != status {
		v.t.Fatalf("answers %d, want %d: %s", v.status, status, v.ticket())
	}
	return v
}

// ticket returns the part of the page with the form.
func (v *visitor) ticket() string {
	if start, end := strings.Index(v.body, `<form class="ticket" method="post" action="/`), strings.Index(v.body, "PROCEED TO PAY"); start >= 0 && end > start {
		return v.body[start:end]
	}
	return v.body
}

func (v *visitor) says(texts ...string) *visitor {
	v.t.Helper()
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(v.body), text) {
			v.t.Fatalf("does not say %q: %s", text, v.ticket())
		}
	}
	return v
}

func (v *visitor) silentOn(texts ...string) *visitor {
	v.t.Helper()
	for _, text := range texts {
		if strings.Contains(html.UnescapeString(v.ticket()), text) {
			v.t.Fatalf("says %q: %s", text, v.ticket())
		}
	}
	return v
}

var ranges = regexp.MustCompile(`\d+[–-]\d+`)

// refuses checks that the message is at the field and in the summary, and that the title starts with it.
func (v *visitor) refuses(field, message string) *visitor {
	v.t.Helper()
	return v.says(`id="e-`+field+`"><span>`+ranges.ReplaceAllString(message, `<span class="nowrap">$0</span>`)+`</span>`, `<a href="#f-`+field+`">`+message+`</a>`, "<title>Error: ")
}

func (v *visitor) keeps(field, value string) *visitor {
	v.t.Helper()
	return v.says(`name="` + field + `" type="` + map[bool]string{true: "email", false: "text"}[field == "email"] + `" value="` + value + `"`)
}

func (v *visitor) leadsTo(prefix string) string {
	v.t.Helper()
	v.answers(http.StatusSeeOther)
	location := v.header.Get("Location")
	if !strings.HasPrefix(location, prefix) {
		v.t.Fatalf("leads to %q, want %q", location, prefix)
	}
	return location
}
