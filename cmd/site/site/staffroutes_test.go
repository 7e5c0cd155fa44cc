package site_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/static"
	"hiresure/store/storetest"
	"hiresure/web"
)

// staffRoutes are the routes of the staff area and what each needs; "" for those before the sign-in.
var staffRoutes = map[string]staff.Permission{
	"GET /admin/sign-in": "", "POST /admin/sign-in": "", "GET /admin/sign-in/code": "", "POST /admin/sign-in/code": "", "GET /admin/sign-in/set-up": "", "POST /admin/sign-in/set-up": "",
	"GET /admin/welcome/:token": "", "POST /admin/welcome/:token": "", "POST /admin/sign-in/development": "",
	"POST /admin/sign-in/passkey": "", "POST /admin/sign-in/set-up/passkey": "", "POST /admin/welcome/:token/passkey": "",
	"GET /admin/passkeys": staff.Desk, "POST /admin/passkeys": staff.Desk, "POST /admin/confirm": staff.Desk,
	"GET /admin": staff.Desk, "GET /admin/menu": staff.Desk, "GET /admin/keys": staff.Desk, "POST /admin/sign-out": staff.Desk, "GET /admin/sessions": staff.Desk, "POST /admin/sessions": staff.Desk,
	"POST /admin/take": staff.Desk, "POST /admin/ask-gateway": staff.AskGateway, "POST /admin/send-again": staff.Correct, "POST /admin/run-again": staff.ManageStaff,
	"GET /admin/registrations": staff.SeeRegistrations, "POST /admin/registrations": staff.ExportPeople, "POST /admin/registrations/page": staff.SeeRegistrations, "GET /admin/registrations/views": staff.SeeRegistrations, "GET /admin/registrations/views/new": staff.SeeRegistrations, "POST /admin/registrations/views/new": staff.SeeRegistrations, "POST /admin/registrations/views/:id": staff.SeeRegistrations, "GET /admin/registrations/:id": staff.SeeRegistrations, "POST /admin/registrations/:id/notes": staff.Correct, "POST /admin/registrations/:id/receipt": staff.Correct, "POST /admin/registrations/:id/decide": staff.HandleMoney,
	"GET /admin/registrations/:id/refund": staff.Refund, "POST /admin/registrations/:id/refund": staff.Refund, "POST /admin/registrations/:id/refund/keep": staff.Refund,
	"GET /admin/money/approvals": staff.RefundAboveLimit, "GET /admin/money/approvals/:id": staff.RefundAboveLimit, "POST /admin/money/approvals/:id": staff.RefundAboveLimit,
	"POST /admin/registrations/:id/print": staff.PrintPapers, "GET /admin/registrations/:id/papers/:kind/:ref": staff.AskGateway,
	"GET /admin/print": staff.PrintPapers, "POST /admin/print": staff.PrintPapers, "GET /admin/print/:id": staff.PrintPapers, "GET /admin/print/:id/file": staff.PrintPapers, "POST /admin/print/:id/stop": staff.PrintPapers,
	"GET /admin/registrations/:id/exam": staff.Correct, "POST /admin/registrations/:id/exam": staff.Correct,
	"GET /admin/registrations/:id/view-as": staff.ViewAs, "POST /admin/registrations/:id/view-as": staff.ViewAs, "GET /admin/view/:view": staff.ViewAs, "POST /admin/view/:view": staff.ViewAs, "GET /admin/view/:view/page/*": staff.ViewAs,
	"GET /admin/registrations/:id/email": staff.Correct, "POST /admin/registrations/:id/email": staff.Correct, "GET /admin/registrations/:id/phone": staff.Correct, "POST /admin/registrations/:id/phone": staff.Correct,
	"GET /admin/registrations/:id/name": staff.Correct, "POST /admin/registrations/:id/name": staff.Correct, "POST /admin/registrations/:id/correction": staff.Correct, "GET /admin/registrations/:id/reopen": staff.Correct, "POST /admin/registrations/:id/reopen": staff.Correct,
	"GET /admin/print/register": staff.PrintPapers, "POST /admin/print/register": staff.PrintPapers,
	"GET /admin/log": staff.ManageStaff, "GET /admin/staff": staff.ManageStaff, "GET /admin/staff/new": staff.ManageStaff, "POST /admin/staff/new": staff.ManageStaff,
	"GET /admin/staff/:id": staff.ManageStaff, "POST /admin/staff/:id": staff.ManageStaff,
}

// become signs somebody with one role in and returns the session's cookie.
func become(t *testing.T, s *site.Site, role staff.Role) *http.Cookie {
	t.Helper()
	in, err := s.Business.Staff.OpenWithoutProof(t.Context(), admission.Visitor{IP: "203.0.113.1"}, staff.NewAccount{
		Email: string(role) + "@academy.example", Name: "Some " + role.Label(), Roles: []string{string(role)},
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	return &http.Cookie{Name: "staff", Value: in.Token}
}

// call calls a route with cookies and returns the status.
func call(s *site.Site, route string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(route, " ")
	path = strings.NewReplacer(":id", "00000000000000000000000000", ":view", "00000000000000000000000000", ":token", strings.Repeat("x", 43)).Replace(path)
	r := httptest.NewRequest(method, path, strings.NewReader(""))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, cookie := range cookies {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	return w
}

func denied(t *testing.T, s *site.Site) int {
	t.Helper()
	acts, _, err := s.Business.Staff.Acts(t.Context(), staff.ActFilter{Denied: true}, 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return len(acts)
}

func TestEachRoleOpensWhatTheTableSays(t *testing.T) {
	s := sitetest.New(t, nil)
	for _, route := range routes(s) {
		if _, path, _ := strings.Cut(route, " "); !web.IsStaff(path) {
			continue
		} else if _, listed := staffRoutes[route]; !listed {
			t.Errorf("%s: add it to staffRoutes with its permission", route)
		}
	}
	for route, needs := range staffRoutes {
		if !slices.Contains(routes(s), route) {
			t.Errorf("%s is a route no more", route)
		}
		if needs == "" {
			continue
		}
		for _, role := range staff.Roles() {
			cookie := become(t, s, role) // anew: a sign-out ends it
			before := denied(t, s)
			w := call(s, route, cookie)
			allowed := staff.Allows([]staff.Role{role}, needs)
			if (w.Code == http.StatusForbidden) == allowed || w.Code >= 500 {
				t.Errorf("%s as %s answers %d, allowed: %v", route, role, w.Code, allowed)
			}
			if logged := denied(t, s) - before; (logged == 1) == allowed || logged > 1 {
				t.Errorf("%s as %s: %d refusals in the log, allowed: %v", route, role, logged, allowed)
			}
		}
		for what, cookies := range map[string][]*http.Cookie{"nobody": nil, "an unknown cookie": {{Name: "staff", Value: admission.NewToken()}}, "an applicant's cookie": {{Name: "hiresure", Value: become(t, s, staff.Admin).Value}}} {
			if w := call(s, route, cookies...); w.Code != http.StatusNotFound && w.Code/100 != 3 || strings.Contains(w.Body.String(), "Some ") {
				t.Errorf("%s with %s answers %d", route, what, w.Code)
			}
		}
	}
}

func TestApplicantsAndStaffHaveNothingInCommon(t *testing.T) {
	r := openSite(t)
	v := r.Visitor
	r.SignUp(v)
	for _, path := range []string{"/admin", "/admin/log", "/admin/staff"} {
		if a := r.Ask(v, http.MethodGet, path, ""); a.Status != http.StatusNotFound {
			t.Errorf("an applicant's session opens %s: %d", path, a.Status)
		}
	}
	cookie := become(t, r.Site, staff.Admin)
	for _, name := range []string{"staff", "hiresure"} {
		w := call(r.Site, "GET /account", &http.Cookie{Name: name, Value: cookie.Value})
		if w.Code/100 != 3 || !strings.HasPrefix(w.Header().Get("Location"), web.SignInPath) {
			t.Errorf("a staff session as cookie %s opens an account: %d to %s", name, w.Code, w.Header().Get("Location"))
		}
	}
}

func TestProductionOffersNoSignInWithoutProof(t *testing.T) {
	if w := call(sitetest.New(t, nil), "GET /admin/sign-in"); !strings.Contains(w.Body.String(), "Development only.") {
		t.Error("development does not offer it")
	}
	if !static.Built() {
		t.Skip("production needs the built front end")
	}
	live := production()
	live["DATABASE_URL"] = storetest.SQLite(t)
	s := sitetest.New(t, live)
	if w := call(s, "GET /admin/sign-in"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Development") || !strings.Contains(w.Body.String(), "Staff sign-in") {
		t.Errorf("production answers %d: %s", w.Code, w.Body)
	}
	if w := call(s, "POST /admin/sign-in/development"); w.Code != http.StatusNotFound || slices.Contains(routes(s), "POST /admin/sign-in/development") {
		t.Errorf("production has the route: %d", w.Code)
	}
	accounts, err := s.Business.Staff.Accounts(t.Context())
	if err != nil || len(accounts) != 0 {
		t.Errorf("production begins with accounts: %v, %v", accounts, err)
	}
	cookie := become(t, s, staff.Admin)
	if w := call(s, "GET /admin/log", cookie); w.Code != http.StatusNotFound {
		t.Errorf("a cookie without __Host- opens the log: %d", w.Code)
	}
	cookie.Name = "__Host-staff"
	if w := call(s, "GET /admin/log", cookie); w.Code != http.StatusOK {
		t.Errorf("the log answers %d", w.Code)
	}
	w := call(s, "POST /admin/sign-out", cookie)
	for _, part := range []string{"__Host-staff=;", "Path=/", "HttpOnly", "Secure", "SameSite=Strict"} {
		if !strings.Contains(w.Header().Get("Set-Cookie"), part) {
			t.Errorf("the cookie lacks %s: %s", part, w.Header().Get("Set-Cookie"))
		}
	}
}
