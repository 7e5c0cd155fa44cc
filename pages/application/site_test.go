package application_test

import (
	"context"
	"errors"
	"html"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/application"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

const (
	origin = "https://hiresure.example"
	phone  = "+919876543210"
)

// site has the form's pages over a real store, with a fixed clock.
type site struct {
	t        *testing.T
	echo     *echo.Echo
	store    *store.Store
	services *business.Services
	clock    *businesstest.Clock
	written  []message.Message
}

func newSite(t *testing.T) *site {
	t.Helper()
	words, err := content.Load()
	must(t, err)
	source, err := content.NewSource(words)
	must(t, err)
	s := &site{t: t, store: storetest.Open(t, storetest.SQLite(t)), clock: businesstest.NewClock(businesstest.Noon), echo: echo.New()}
	config := businesstest.Config(s.store.Areas(), s.clock.Now)
	config.Notifier, config.BaseURL = s, origin
	s.services, err = business.New(config)
	must(t, err)
	log := slog.New(slog.DiscardHandler)
	kit := &pages.Kit{Services: s.services, Events: config.Events, Content: source, BaseURL: origin, DefaultEvent: "hiresure-mgrow-2025", Clock: s.clock.Now, Log: log}
	kit.Session, err = web.New(web.Config{Sessions: s.services.Access, BaseURL: origin, RefusalPage: kit.RefusalPage, Clock: s.clock.Now, Log: log, Watch: webtest.Watch{T: t}})
	must(t, err)
	application.Routes(kit.Session.Install(s.echo), kit)
	return s
}

func (s *site) Render(m *message.Message) error {
	s.written = append(s.written, *m)
	return nil
}

func (s *site) Send(context.Context, message.Message) error { return nil }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// browser is a signed-in browser without scripts, with its latest page.
type browser struct {
	*site
	visitor  admission.Visitor
	token    string
	status   int
	location string
	body     string
}

// applicant is a new account with a number of saved steps.
func (s *site) applicant(phone string, saved int) *browser {
	s.t.Helper()
	token, session, err := storetest.AddSession(s.t.Context(), s.store, s.clock.Now().AddDate(1, 0, 0))
	must(s.t, err)
	b := &browser{site: s, token: token, visitor: admission.Visitor{SessionID: session.ID, AccountID: admission.NewID()}}
	must(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		session.AccountID, session.SignedInAt, session.HumanUntil = b.visitor.AccountID, s.clock.Now(), s.clock.Now().AddDate(1, 0, 0)
		a := account.Account{ID: b.visitor.AccountID, FullName: "Asha Pillai", Email: phone[1:] + "@example.com", Phone: phone, PhoneProvenAt: s.clock.Now()}
		return errors.Join(tx.SaveSession(&session), tx.AddAccount(&a))
	}))
	if saved < 0 {
		return b
	}
	_, err = s.services.Apply.Begin(s.t.Context(), b.visitor, "", "")
	must(s.t, err)
	for _, step := range []string{"personal", "academic", "scholarship"}[:saved] {
		b.saves(step, nil)
	}
	return b
}

// answers are the good answers to each step, with some that are written in other ways.
var answers = map[string]map[string]string{
	"personal":    businesstest.Typed("personal", map[string]string{"dob": "14,08,2005", "fatherName": "Suresh Pillai", "address": "TC 24/118, Temple Road", "state": "Kerala", "zip": "695001"}),
	"academic":    businesstest.Typed("academic", nil),
	"scholarship": businesstest.Typed("scholarship", map[string]string{"details": "State merit\nscholarship", "reason": "With the tuition paid I can finish."}),
}

// typed returns the default answers with changes: pairs of field and value.
func typed(step string, changes ...string) map[string]string {
	page := maps.Clone(answers[step])
	for i := 0; i+1 < len(changes); i += 2 {
		page[changes[i]] = changes[i+1]
	}
	return page
}

// saves saves a step in another tab.
func (b *browser) saves(step string, changes []string) {
	b.t.Helper()
	_, err := b.services.Apply.SaveStep(b.t.Context(), b.visitor, step, typed(step, changes...), apply.AnyVersion)
	must(b.t, err)
}

func (b *browser) standing() apply.Standing {
	b.t.Helper()
	standing, err := b.services.Apply.Standing(b.t.Context(), b.visitor)
	must(b.t, err)
	return standing
}

// expectStep checks the step of the browser's application.
func (b *browser) expectStep(step enrol.Step) {
	b.t.Helper()
	if got := b.standing().Step; got != step {
		b.t.Errorf("the application is at step %d, want %d", got, step)
	}
}

// kept returns the stored draft of a step.
func (b *browser) kept(step string) apply.StepContent {
	b.t.Helper()
	kept, err := b.services.Apply.Draft(b.t.Context(), b.visitor, step)
	must(b.t, err)
	return kept
}

func (b *browser) get(address string) *browser {
	b.t.Helper()
	return b.do(httptest.NewRequest(http.MethodGet, origin+address, nil))
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// post sends the hidden fields of the open page, and what is typed.
func (b *browser) post(address, do string, fields map[string]string) *browser {
	b.t.Helper()
	values := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(b.body, -1) {
		values.Add(field[1], html.UnescapeString(field[2]))
	}
	for name, value := range fields {
		values[name] = []string{value}
		if name == "dob" { // three inputs
			values[name] = strings.Split(value, ",")
		}
	}
	values.Set("do", do)
	r := httptest.NewRequest(http.MethodPost, origin+address, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

func (b *browser) do(r *http.Request) *browser {
	b.t.Helper()
	if b.token != "" {
		r.AddCookie(&http.Cookie{Name: "__Host-hiresure", Value: b.token})
	}
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		b.token = cookie.Value
	}
	b.status, b.location, b.body = w.Code, w.Header().Get("Location"), w.Body.String()
	return b
}

// is checks a status and sentences in the page.
func (b *browser) is(status int, sentences ...string) *browser {
	b.t.Helper()
	if b.status != status {
		b.t.Fatalf("status %d to %q, want %d\n%s", b.status, b.location, status, b.text())
	}
	for _, sentence := range sentences {
		if !strings.Contains(b.text(), sentence) {
			b.t.Errorf("%q is not in\n%s", sentence, b.text())
		}
	}
	return b
}

func (b *browser) without(sentences ...string) *browser {
	b.t.Helper()
	for _, sentence := range sentences {
		if strings.Contains(b.text(), sentence) {
			b.t.Errorf("%q is in\n%s", sentence, b.text())
		}
	}
	return b
}

// has checks markup.
func (b *browser) has(pieces ...string) *browser {
	b.t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(b.body, piece) {
			_, main, _ := strings.Cut(b.body, "<main")
			b.t.Errorf("%s is not in\n%s", piece, main)
		}
	}
	return b
}

func (b *browser) leadsTo(address string) *browser {
	b.t.Helper()
	if b.status != http.StatusSeeOther && b.status != http.StatusFound || b.location != address {
		b.t.Fatalf("%d to %q, want one to %q\n%s", b.status, b.location, address, b.text())
	}
	return b
}

var (
	tagged = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>|<[^>]*>`)
	whole  = regexp.MustCompile(`<span class="nowrap">(.*?)</span>`)
)

// text returns the visible text of the page.
func (b *browser) text() string {
	text := tagged.ReplaceAllString(whole.ReplaceAllString(strings.ReplaceAll(b.body, "<wbr>", ""), "$1"), " ")
	return strings.ReplaceAll(strings.Join(strings.Fields(html.UnescapeString(text)), " "), "\u00a0", " ")
}
