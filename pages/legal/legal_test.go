package legal_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/hiresure"
	"hiresure/pages/landing"
	"hiresure/pages/legal"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

const origin = "http://example.test"

// newSite is every public page over a real store.
func newSite(t *testing.T) (*echo.Echo, *content.Library) {
	t.Helper()
	words, err := content.Load()
	check(t, err)
	source, err := content.NewSource(words)
	check(t, err)
	config := businesstest.Config(storetest.Open(t, storetest.SQLite(t)).Areas(), businesstest.NewClock(businesstest.Noon).Now)
	config.Events, config.BaseURL, config.RateLimitsOff = businesstest.Catalogue{}, origin, false
	services, err := business.New(config)
	check(t, err)
	kit := &pages.Kit{Services: services, Events: config.Events, Content: source, BaseURL: origin, DefaultEvent: "hiresure-mgrow-2025", Clock: config.Clock, Log: config.Log}
	kit.Session, err = web.New(web.Config{Sessions: services.Access, BaseURL: origin, RefusalPage: kit.RefusalPage, Clock: config.Clock, Log: config.Log, Watch: webtest.Watch{T: t}})
	check(t, err)
	e := echo.New()
	r := kit.Session.Install(e)
	landing.Routes(r, kit)
	legal.Routes(r, kit)
	hiresure.Routes(r, kit)
	return e, words
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ask(e *echo.Echo, method, address string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, origin+address, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, r)
	return answer
}

func TestAFormThatDoesNotArriveIsRefused(t *testing.T) {
	e, _ := newSite(t)
	server := httptest.NewUnstartedServer(e)
	server.Config.ReadTimeout = 200 * time.Millisecond
	server.Start()
	defer server.Close()
	for _, address := range []string{web.GrievancePath, web.EnquiryPath, web.EventPath} {
		for _, test := range []struct {
			sentence  string
			brokenOff bool
			status    int
			said      string
		}{
			{"broken off", true, http.StatusBadRequest, "This request cannot be read."},
			{"too slow", false, http.StatusRequestTimeout, "This took too long to arrive."},
		} {
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			check(t, err)
			defer connection.Close()
			_, err = io.WriteString(connection, "POST "+address+" HTTP/1.1\r\nHost: example.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nname=Asha")
			check(t, err)
			if test.brokenOff {
				check(t, connection.(*net.TCPConn).CloseWrite())
			}
			answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
			check(t, err)
			body, err := io.ReadAll(answer.Body)
			check(t, err)
			if answer.StatusCode != test.status || !strings.Contains(string(body), test.said) {
				t.Errorf("%s, %s: %d %s", address, test.sentence, answer.StatusCode, body)
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	e, _ := newSite(t)
	for _, test := range []struct {
		method, address string
		status          int
		leads           string
		noIndex         bool
	}{
		{"GET", "/legal/privacy", 200, "", false},
		{"HEAD", "/legal/terms", 200, "", false},
		{"GET", "/legal/terms/", 301, "/legal/terms", false},
		{"GET", "/privacy", 301, "/legal/privacy", false},
		{"GET", "/terms", 301, "/legal/terms", false},
		{"GET", "/refund-policy", 301, "/legal/refund-policy", false},
		{"GET", "/legal-disclosure", 301, "/legal/legal-disclosure", false},
		{"GET", "/grievance", 301, "/legal/grievance", false},
		{"GET", "/privacy/", 301, "/privacy", false},
		{"HEAD", "/grievance?a=b", 301, "/legal/grievance", false},
		{"POST", "/privacy", 404, "", false},
		{"GET", "/legal", 302, "/hiresure", true},
		{"GET", "/legal/", 302, "/hiresure", true},
		{"GET", "/legal/nothing", 302, "/hiresure", true},
		{"HEAD", "/legal/PRIVACY", 302, "/hiresure", true},
		{"GET", "/legal/privacy/more", 302, "/hiresure", true},
		{"GET", "/legal/privacy.css", 404, "", false},
		{"POST", "/legal/nothing", 404, "", false},
		{"POST", "/legal/privacy", 404, "", false},
		{"GET", "/hiresure-campus-2026", 302, "/apply/hiresure-campus-2026", false},
		{"HEAD", "/hiresure-campus-2026/", 301, "/hiresure-campus-2026", false},
		{"POST", "/hiresure-campus-2026", 404, "", false},
		{"GET", "/hiresure-campus-2026/more", 302, "/hiresure", true},
		{"GET", "/HIRESURE-campus-2026", 302, "/hiresure", true},
		{"GET", "//hiresure-campus-2026", 302, "/hiresure", true},
		{"GET", "/hiresure", 200, "", false},
		{"GET", "/hiresure/", 301, "/hiresure", false},
		{"GET", "/hiresure?access_token=a&refresh_token=b", 303, "/hiresure", false},
		{"GET", "/hiresure?utm_source=x&access_token=a", 303, "/hiresure?utm_source=x", false},
		{"GET", "/hiresure?utm_source=x", 200, "", false},
		{"GET", "/nothing", 302, "/hiresure", true},
		{"HEAD", "/nothing/at/all", 302, "/hiresure", true},
		{"GET", "//evil.example/", 302, "/hiresure", true},
		{"POST", "/nothing", 404, "", false},
		{"GET", "/static/missing.js", 404, "", false},
		{"GET", "/favicon.ico", 404, "", false},
		{"GET", "/payments/v1/nothing", 404, "", true},
		{"GET", "/ks-website", 404, "", true},
	} {
		answer := ask(e, test.method, test.address, nil)
		if answer.Code != test.status || answer.Header().Get("Location") != test.leads || (answer.Header().Get("X-Robots-Tag") == "noindex") != test.noIndex {
			t.Errorf("%s %s: %d %q %q, want %d %q", test.method, test.address, answer.Code, answer.Header().Get("Location"), answer.Header().Get("X-Robots-Tag"), test.status, test.leads)
		}
		if test.status == 303 && answer.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: the token may leave with the referrer", test.address)
		}
	}
}

// within are the marks of what does not break, and the links, within a text.
var within = regexp.MustCompile(`<span class="nowrap">|</span>|<a href="(?:mailto|tel):[^"]*">|</a>`)

func TestLegalPageHasAllItsContent(t *testing.T) {
	e, words := newSite(t)
	for _, page := range words.Pages() {
		text := within.ReplaceAllString(unescaped(ask(e, http.MethodGet, "/legal/"+page.Slug, nil).Body.String()), "")
		text = strings.ReplaceAll(text, "</dt><dd>", ": ")
		for _, section := range page.Sections {
			for _, sentence := range append(append([]string{section.Heading}, section.Paragraphs...), section.List...) {
				if !strings.Contains(text, sentence) {
					t.Errorf("%s does not say %q", page.Slug, sentence)
				}
			}
		}
	}
}

func unescaped(page string) string {
	return strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&amp;", "&").Replace(page)
}

func TestHomeLinksToTheApplication(t *testing.T) {
	e, _ := newSite(t)
	page := ask(e, http.MethodGet, "/hiresure", nil).Body.String()
	for _, part := range []string{`href="/apply/hiresure-mgrow-2025">`, "Apply Now", `href="/scholarship/hiresure-campus-2026"`, "HireSure Scholarship"} {
		if !strings.Contains(page, part) {
			t.Errorf("the home has no %s", part)
		}
	}
}

func TestAComplaintGetsATicketNumber(t *testing.T) {
	e, _ := newSite(t)
	good := url.Values{"name": {"Ananya Deshmukh"}, "email": {"ananya@example.com"}, "category": {"payment"}, "message": {"I paid twice and nobody answers."}}
	body := ask(e, http.MethodPost, "/legal/grievance", good).Body.String()
	if ticket := regexp.MustCompile(`GRV-[0-9A-Z]{4}-[0-9A-Z]{4}`); !ticket.MatchString(body) || !strings.Contains(body, "21 Dec 2026") || strings.Contains(body, "I paid twice") {
		t.Error("no ticket number, no date, or the form is still there")
	}
	for field, test := range map[string][2]string{
		"name":     {"", "Full name is required."},
		"email":    {"ananya", "Enter a valid email address."},
		"category": {"", "Category selection is required."},
		"message":  {"<b>short</b>", "Message must be between 20 and 4000 characters."},
	} {
		bad := url.Values{}
		for name, values := range good {
			bad[name] = values
		}
		bad.Set(field, test[0])
		answer := ask(e, http.MethodPost, "/legal/grievance", bad)
		body := answer.Body.String()
		if answer.Code != http.StatusUnprocessableEntity || !strings.Contains(body, `href="#f-`+field+`">`+test[1]+"</a>") || !strings.Contains(body, `id="e-`+field+`"`) {
			t.Errorf("%s %q: %d, wants %q at its field and in the summary", field, test[0], answer.Code, test[1])
		}
		if strings.Contains(body, "GRV-") || strings.Contains(body, "<b>short") {
			t.Errorf("%s: a ticket, or markup that was typed", field)
		}
		if field != "email" && !strings.Contains(body, "ananya@example.com") {
			t.Errorf("%s: the e-mail is lost", field)
		}
	}
}

func TestAMultipartComplaintIsRefused(t *testing.T) {
	e, _ := newSite(t)
	r := httptest.NewRequest(http.MethodPost, origin+"/legal/grievance", strings.NewReader("--b--"))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, r)
	if says := "This kind of content is not taken here."; answer.Code != http.StatusUnsupportedMediaType || !strings.Contains(answer.Body.String(), says) {
		t.Errorf("%d, want 415 %q", answer.Code, says)
	}
}
