package admin_test

import (
	"context"
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
	"github.com/pquerna/otp/totp"

	"hiresure/admission/business"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/staff"
	"hiresure/content"
	"hiresure/integrations/objects"
	"hiresure/integrations/pdf"
	"hiresure/integrations/pdf/pdftest"
	"hiresure/pages"
	"hiresure/pages/admin"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
	"hiresure/web/webtest"
)

const password = "tiger lamp monsoon"

// site has the staff area over a real store.
type site struct {
	t        *testing.T
	url      string
	database string // its address
	services *business.Services
	store    *store.Store
	office   *office.Service
	clock    *businesstest.Clock
	broken   string // what a test breaks, in the words of the error
	rate     int    // of the invoice of register, in basis points
	place    string // of its supply, and the seller’s State
}

func newSite(t *testing.T) *site {
	t.Helper()
	words, err := content.Load()
	check(t, err)
	source, err := content.NewSource(words)
	check(t, err)
	s := &site{t: t, clock: businesstest.NewClock(businesstest.Noon)}
	e := echo.New()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	s.url = strings.Replace(server.URL, "127.0.0.1", "localhost", 1) // passkeys need a name
	s.database = storetest.SQLite(t)
	config := businesstest.Config(storetest.Open(t, s.database).Areas(), s.clock.Now)
	config.BaseURL = s.url
	disk, err := objects.NewDisk(t.TempDir())
	check(t, err)
	keys, err := objects.ReadMasterKeys("2026:" + strings.Repeat("5a", 32))
	check(t, err)
	config.Files, config.Printer = objects.NewVault(disk, keys), press{}
	s.services, err = business.New(config)
	check(t, err)
	log := slog.New(slog.DiscardHandler)
	kit := &pages.Kit{Services: s.services, Events: config.Events, Content: source, BaseURL: s.url, DefaultEvent: "hiresure-mgrow-2025", Clock: s.clock.Now, Log: log}
	kit.Session, err = web.New(web.Config{
		Sessions: s.services.Access, Staff: s.services.Staff, BaseURL: s.url, Clock: s.clock.Now, Log: log, Watch: watch{webtest.Watch{T: t}, s},
		RefusalPage: func(c *echo.Context, r web.Refusal) error {
			if web.StaffPerson(c) != nil {
				return admin.Refuse(kit, c, r)
			}
			return c.String(r.Status, r.Message)
		},
	})
	check(t, err)
	s.store = storetest.Open(t, s.database)
	s.office, err = office.New(office.Config{
		Store: s.store.Office(), Books: s.store, Storage: noStorage{}, Events: config.Events, Supplier: config.Supplier, Papers: s.services.Papers, Payment: s.services.Payment, Registry: s.services.Registry,
		Printers: 1, NewStack: func(to io.Writer) office.Stack { return pdf.NewStack(to) }, Clock: s.clock.Now,
	})
	check(t, err)
	admin.Routes(kit.Session.Install(e), kit, s.office, false)
	return s
}

// watch fails a test on an internal error, but for what the test breaks itself.
type watch struct {
	webtest.Watch
	*site
}

func (w watch) Broke(ctx context.Context, err error, requestID string) {
	if w.broken == "" || !strings.Contains(err.Error(), w.broken) {
		w.Watch.Broke(ctx, err, requestID)
	}
}

// press prints papers with their kind.
type press struct{}

func (press) Unavailable() bool { return false }

func (press) Print(_ context.Context, p paper.Paper) ([]byte, error) {
	return pdftest.Page(string(p.Kind)), nil
}

type noStorage struct{ office.Storage }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// link invites a colleague at the shell.
func (s *site) link(email, name string, roles ...string) string {
	s.t.Helper()
	token, err := s.services.Staff.Add(s.t.Context(), staff.NewAccount{Email: email, Name: name, Roles: roles}, staff.Operator("Ravi Menon"))
	check(s.t, err)
	return web.StaffWelcomePath(token)
}

// browser is a browser without scripts, with its latest page.
type browser struct {
	*site
	client   *http.Client
	status   int
	location string
	header   http.Header
	page     string
	secret   string // of the authenticator app
	typing   bool   // asks as the script does while somebody types
}

func (s *site) browser() *browser {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	check(s.t, err)
	return &browser{site: s, client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (b *browser) do(method, path string, fields url.Values) *browser {
	b.t.Helper()
	var body io.Reader
	if fields != nil {
		body = strings.NewReader(fields.Encode())
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, body)
	check(b.t, err)
	if fields != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.url)
	}
	if b.typing {
		r.Header.Set("HX-Request", "true")
	}
	response, err := b.client.Do(r)
	check(b.t, err)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	check(b.t, err)
	b.status, b.location, b.header, b.page = response.StatusCode, response.Header.Get("Location"), response.Header, string(all)
	return b
}

func (b *browser) get(path string) *browser { b.t.Helper(); return b.do(http.MethodGet, path, nil) }

// post posts fields: name, value, name, value.
func (b *browser) post(path string, fields ...string) *browser {
	b.t.Helper()
	typed := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		typed.Add(fields[i], fields[i+1])
	}
	return b.do(http.MethodPost, path, typed)
}

var tags = regexp.MustCompile(`<[^>]*>`)

// is expects a status and texts on the page.
func (b *browser) is(status int, texts ...string) *browser {
	b.t.Helper()
	plain := html.UnescapeString(strings.Join(strings.Fields(tags.ReplaceAllString(b.page, " ")), " "))
	if b.status != status {
		b.t.Errorf("status %d, want %d: %.400s", b.status, status, plain)
	}
	for _, text := range texts {
		if !strings.Contains(plain, text) {
			b.t.Errorf("no %q in %.1200s", text, plain)
		}
	}
	return b
}

func (b *browser) lacks(texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if strings.Contains(b.page, text) {
			b.t.Errorf("%q is on the page", text)
		}
	}
}

// leads expects a redirect.
func (b *browser) leads(location string) *browser {
	b.t.Helper()
	if b.status/100 != 3 || b.location != location {
		b.t.Errorf("status %d to %q, want a redirect to %q: %.300s", b.status, b.location, location, b.page)
	}
	return b
}

// code returns what the authenticator app shows.
func (b *browser) code() string {
	b.t.Helper()
	code, err := totp.GenerateCode(b.secret, b.clock.Now())
	check(b.t, err)
	return code
}

var key = regexp.MustCompile(`secret=([A-Z2-7]+)`)

// setUp takes an invited colleague to an open session.
func (s *site) setUp(email, name string, roles ...string) *browser {
	s.t.Helper()
	b := s.browser()
	b.post(s.link(email, name, roles...), "do", "choose", "password", password).leads(web.StaffSetUpPath)
	b.get(web.StaffSetUpPath).is(http.StatusOK, "Scan this with an authenticator app", "Save these ten backup codes")
	b.secret = key.FindStringSubmatch(b.page)[1]
	b.post(web.StaffSetUpPath, "code", b.code(), "saved", "yes").leads(web.StaffPath)
	return b
}

func TestAnInvitedColleagueSetsUpAndSignsIn(t *testing.T) {
	s := newSite(t)
	link := s.link("kavya@academy.example", "Kavya Hegde", "admin")
	b := s.browser()
	b.get(link).is(http.StatusOK, "Welcome, Kavya", "Ravi Menon invited you. This link works once, until 21 Nov 2026", "kavya@academy.example, Admin", "At least 12 characters")
	b.get(link).is(http.StatusOK, "Welcome, Kavya") // a scanner of mails uses nothing up
	b.post(link, "do", "choose", "password", "short").is(http.StatusUnprocessableEntity, "Use at least 12 characters")
	b.post(link, "do", "choose", "password", password).leads(web.StaffSetUpPath)
	b.get(link).is(http.StatusNotFound, "This link no longer works")
	b.get(web.StaffPath).leads(web.StaffSignInPath + "?next=%2Fadmin") // not without the second step
	b.get(web.StaffSetUpPath).is(http.StatusOK)
	b.secret = key.FindStringSubmatch(b.page)[1]
	codes := regexp.MustCompile(`<span>([0-9A-Z]{4}-[0-9A-Z]{4})</span>`).FindAllStringSubmatch(b.page, -1)
	if len(codes) != 10 {
		t.Fatalf("%d backup codes", len(codes))
	}
	b.post(web.StaffSetUpPath, "code", "123", "saved", "yes").is(http.StatusUnprocessableEntity, "This is not the code that the app shows now. Check the time of your phone", codes[0][1])
	b.post(web.StaffSetUpPath, "code", b.code()).is(http.StatusUnprocessableEntity, "Save the backup codes first")
	b.post(web.StaffSetUpPath, "code", b.code(), "saved", "yes").leads(web.StaffPath)
	b.get(web.StaffPath).is(http.StatusOK, "You are all caught up", "Nothing waits for a person.", "Today so far", "Enquiries 0 0 last Saturday by now")
	b.get(web.StaffLogPath).is(http.StatusOK, "Kavya Hegde Admin", "Signed in", "Password, app", "Chose a password", "Invited a colleague", "operator Ravi Menon")
	b.get(web.StaffSignInPath).leads(web.StaffPath)
	b.post(web.StaffSignOutPath).leads(web.StaffSignInPath)
	b.get(web.StaffLogPath).is(http.StatusNotFound)

	s.clock.Pass(time.Minute)
	b.get(web.StaffSignInPath).is(http.StatusOK, "Staff sign-in")
	b.post(web.StaffSignInPath, "email", "kavya@academy.example", "password", "wrong").is(http.StatusUnprocessableEntity, "The e-mail or the password is wrong")
	if !strings.Contains(b.page, `value="kavya@academy.example"`) || strings.Contains(b.page, `value="wrong"`) {
		t.Error("the e-mail is lost, or the password is on the page")
	}
	b.post(web.StaffSignInPath, "email", "Kavya@academy.example", "password", password, "next", "/admin/staff?x=1").leads(web.StaffCodePath + "?next=%2Fadmin%2Fstaff%3Fx%3D1")
	b.get(web.StaffCodePath+"?next=%2Fadmin%2Fstaff").is(http.StatusOK, "Password accepted, Kavya. One more step.")
	b.get(web.StaffAccountsPath).leads(web.StaffSignInPath + "?next=%2Fadmin%2Fstaff") // not by the password alone
	b.post(web.StaffCodePath, "code", "000000").is(http.StatusUnprocessableEntity, "This code is wrong or was used before. Wait for the next one")
	b.post(web.StaffCodePath, "code", b.code(), "next", "/admin/staff").leads("/admin/staff")
	b.get("/admin/staff").is(http.StatusOK, "1 person. Everyone signs in with two steps.", "App, 10 backup codes", "Signed in")
	b.post(web.StaffSignOutPath).leads(web.StaffSignInPath)

	b.post(web.StaffSignInPath, "email", "kavya@academy.example", "password", password).leads(web.StaffCodePath + "?next=%2Fadmin")
	b.post(web.StaffCodePath, "code", codes[3][1], "next", "https://evil.example/").leads(web.StaffPath) // a lost phone; no open redirect
	b.get("/admin/staff").is(http.StatusOK, "App, 9 backup codes")
}

func TestTooManyWrongCodesLeadToThePassword(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	s.clock.Pass(time.Minute)
	b.post(web.StaffSignOutPath)
	b.post(web.StaffSignInPath, "email", "kavya@academy.example", "password", password)
	for range 4 {
		b.post(web.StaffCodePath, "code", "000000").is(http.StatusUnprocessableEntity)
	}
	b.post(web.StaffCodePath, "code", "000000").is(http.StatusUnauthorized, "Too many wrong codes. Enter your password again")
	b.post(web.StaffCodePath, "code", b.code()).is(http.StatusUnauthorized, "This took more than 10 minutes. Enter your password again")
	b.get(web.StaffCodePath).leads(web.StaffSignInPath)
	b.get(web.StaffSetUpPath).is(http.StatusUnauthorized, "Enter your password again")
}

func TestASessionThatIsOverLeadsToTheSignInAndBack(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	s.clock.Pass(30 * time.Minute)
	b.get("/admin/staff?x=1").leads(web.StaffSignInPath + "?next=%2Fadmin%2Fstaff%3Fx%3D1")
	b.get(b.location).is(http.StatusOK, "You were logged out", "A session ends after 30 minutes without use, and always after 12 hours.")
	b.post("/admin/staff/new", "name", "Eve").leads(web.StaffSignInPath)
}

func TestStrangersFindNoStaffArea(t *testing.T) {
	s := newSite(t)
	s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	b := s.browser()
	for _, path := range []string{web.StaffPath, web.StaffLogPath, web.StaffAccountsPath, "/admin/unheard-of", "/admin/sign-in/development"} {
		b.get(path).is(http.StatusNotFound)
		if path != "/admin/sign-in/development" { // a route for POST alone
			b.post(path, "who", "5").is(http.StatusNotFound)
		}
	}
	b.get("/admin/welcome/"+strings.Repeat("x", 43)).is(http.StatusNotFound, "This link no longer works")
}

func TestAForeignCookieOpensNothing(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	at, err := url.Parse(s.url)
	check(t, err)
	names := map[string]bool{}
	for _, cookie := range b.client.Jar.Cookies(at) {
		names[cookie.Name] = true
	}
	if !names["staff"] || !names["staff-browser"] || len(names) != 2 {
		t.Errorf("cookies: %v", names)
	}
	for _, forged := range []string{"", strings.Repeat("A", 43), "' OR 1=1 --"} {
		other := s.browser()
		other.client.Jar.SetCookies(at, []*http.Cookie{{Name: "staff", Value: forged}, {Name: "hiresure", Value: forged}})
		other.get(web.StaffLogPath)
		if other.status == http.StatusOK || strings.Contains(other.page, "Kavya") {
			t.Errorf("cookie %q opens the log", forged)
		}
	}
}

func TestRolesAreChangedAfterAConfirmation(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(web.StaffPath).is(http.StatusOK, "You are all caught up")
	meera.get(web.StaffSessionsPath).is(http.StatusOK, "1 open session", "Meera Nambiar Support")
	meera.lacks("Kavya")
	meera.get(web.StaffAccountsPath).is(http.StatusForbidden, "Your role does not open this page", "You are signed in as Meera Nambiar, Support. Nothing was changed. The attempt is in the log.")
	b.get(web.StaffLogPath+"?kind=denied").is(http.StatusOK, "Denied: manage staff", "GET /admin/staff", "Meera Nambiar")
	b.lacks("Chose a password")

	b.get(web.StaffAccountsPath).is(http.StatusOK, "2 people")
	path := regexp.MustCompile(`href="(/admin/staff/[0-9a-z]{26})">Meera`).FindStringSubmatch(b.page)[1]
	b.get(path).is(http.StatusOK, "Meera Nambiar Support", "Is Meera leaving?")
	version := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(b.page)[1]
	s.clock.Pass(10 * time.Minute) // the sign-in confirms for ten minutes
	b.post(path, "do", "roles", "version", version, "roles", "support", "roles", "finance").is(http.StatusOK, "Confirm that it is you", "You are about to change the roles of Meera Nambiar.")
	b.post(path, "do", "roles", "version", version, "roles", "support", "roles", "finance", "confirm_code", "123456").is(http.StatusUnprocessableEntity, "This code is wrong or was used before. Wait for the next one")
	for _, field := range []string{`name="roles" value="support"`, `name="roles" value="finance"`, `name="version" value="` + version + `"`, `name="do" value="roles"`} {
		if !strings.Contains(b.page, field) {
			t.Errorf("the confirmation loses %s", field)
		}
	}
	if strings.Contains(b.page, `type="hidden" name="confirm_code"`) {
		t.Error("the wrong code is posted again")
	}
	b.post(path, "do", "roles", "version", version, "roles", "support", "roles", "finance", "confirm_code", b.code()).leads(path + "?saved=yes")
	b.get(b.location).is(http.StatusOK, "Saved.", "Meera Nambiar Support Finance")
	b.post(path, "do", "roles", "version", version, "roles", "admin").is(http.StatusConflict, "Somebody changed this account after you opened it. It has these roles now: Support, Finance")
	b.post(path, "do", "roles", "version", "x", "roles", "admin").is(http.StatusBadRequest)
	b.post(path, "do", "promote").is(http.StatusBadRequest)
	b.get("/admin/staff/unknown").is(http.StatusNotFound, "Page not found")
	b.get(web.StaffLogPath+"?q=changed+roles").is(http.StatusOK, "Changed roles", "Support → Support, Finance")

	b.post(path, "do", "end").leads(path + "?saved=yes")
	b.get(path).is(http.StatusOK, "Ended 21 Nov 2026")
	b.lacks("Is Meera leaving?")
	meera.get(web.StaffSessionsPath).leads(web.StaffSignInPath + "?next=%2Fadmin%2Fsessions")
	b.post(path, "do", "reset").is(http.StatusOK, "Send this link to Meera Nambiar", "It works once, for one hour.")
	again := regexp.MustCompile(`value="http[^"]*(/admin/welcome/[^"]+)"`).FindStringSubmatch(b.page)[1]
	meera.post(again, "do", "choose", "password", password).leads(web.StaffSetUpPath)
}

func TestAColleagueIsInvitedOnAPage(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	b.get("/admin/staff/new").is(http.StatusOK, "Invite a colleague", "everything, and staff")
	b.post("/admin/staff/new", "name", "Asha Rao", "email", "asha", "roles", "support").is(http.StatusUnprocessableEntity, "Enter an e-mail address, like kavya@academy.in")
	if !strings.Contains(b.page, `value="Asha Rao"`) || !regexp.MustCompile(`value="support" checked`).MatchString(b.page) {
		t.Error("what was typed is lost")
	}
	b.post("/admin/staff/new", "name", "Asha Rao", "email", "asha@academy.example").is(http.StatusUnprocessableEntity, "Choose at least one role")
	b.post("/admin/staff/new", "name", "Asha Rao", "email", "asha@academy.example", "roles", "support").is(http.StatusOK, "Send this link to Asha Rao")
	b.get(web.StaffAccountsPath).is(http.StatusOK, "Asha Rao", "Invited 21 Nov 2026", "never", "not set up")
	s.clock.Pass(11 * time.Minute)
	b.post("/admin/staff/new", "name", "Eve", "email", "eve@academy.example", "roles", "admin").is(http.StatusOK, "Confirm that it is you", "Somebody new will be able to open the staff area.")
	b.get(web.StaffAccountsPath)
	b.lacks("eve@academy.example")
}

func TestALinkIsRefusedBySomebodyElse(t *testing.T) {
	s := newSite(t)
	link := s.link("kavya@academy.example", "Kavya Hegde", "admin")
	b := s.browser()
	b.post(link, "do", "refuse").is(http.StatusOK, "This link no longer works")
	b.post(link, "do", "choose", "password", password).is(http.StatusNotFound, "This link no longer works")
}

func TestSessionsAreEndedOnAPage(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	s.clock.Pass(time.Minute)
	other := s.browser()
	other.secret = b.secret
	other.post(web.StaffSignInPath, "email", "kavya@academy.example", "password", password)
	other.post(web.StaffCodePath, "code", other.code()).leads(web.StaffPath)
	b.get(web.StaffSessionsPath).is(http.StatusOK, "3 open sessions", "End my other sessions", "this session", "127.0.0.1")
	id := regexp.MustCompile(`name="end" value="([0-9a-z]{26})" aria-label="End the session of Meera`).FindStringSubmatch(b.page)[1]
	b.post(web.StaffSessionsPath, "end", id).leads(web.StaffSessionsPath)
	b.post(web.StaffSessionsPath, "end", id).leads(web.StaffSessionsPath) // pressed twice
	meera.get(web.StaffSessionsPath).leads(web.StaffSignInPath + "?next=%2Fadmin%2Fsessions")
	b.post(web.StaffSessionsPath, "others", "yes").leads(web.StaffSessionsPath)
	other.get(web.StaffLogPath).leads(web.StaffSignInPath + "?next=%2Fadmin%2Flog")
	b.get(web.StaffSessionsPath).is(http.StatusOK, "1 open session")
	b.lacks("End my other sessions")
}

func TestTheLogHasPagesAndFilters(t *testing.T) {
	s := newSite(t)
	b := s.setUp("kavya@academy.example", "Kavya Hegde", "admin")
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	for range 55 {
		meera.get(web.StaffLogPath).is(http.StatusForbidden)
	}
	b.get(web.StaffLogPath).is(http.StatusOK, "Newest first.", "Older")
	b.lacks("Invited a colleague", ">Newest</a>")
	older := html.UnescapeString(regexp.MustCompile(`href="([^"]*)">Older`).FindStringSubmatch(b.page)[1])
	b.get(older).is(http.StatusOK, "Invited a colleague", "Newest")
	b.lacks(">Older</a>")
	b.get(web.StaffLogPath+"?kind=denied").is(http.StatusOK, "Older")
	if older = html.UnescapeString(regexp.MustCompile(`href="([^"]*)">Older`).FindStringSubmatch(b.page)[1]); !strings.Contains(older, "kind=denied") {
		t.Errorf("the next page loses the filter: %s", older)
	}
	b.get(web.StaffLogPath+"?q=%3Cscript%3Enothing&when=7&before=abc").is(http.StatusOK, "Nothing found", "No entry fits this search.")
	b.lacks("<script>nothing")
	b.get(web.StaffLogPath+"?when=1").is(http.StatusOK, "Denied: manage staff")
	s.clock.Pass(24 * time.Hour)
	b.secret = ""
	b.get(web.StaffLogPath + "?when=1").leads(web.StaffSignInPath + "?next=%2Fadmin%2Flog%3Fwhen%3D1")
}
