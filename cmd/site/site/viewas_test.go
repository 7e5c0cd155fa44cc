package site_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/cmd/site/site"
	"hiresure/store/storetest"
	"hiresure/web"
)

// viewable are the pages that staff may look at as their applicant.
var viewable = []string{
	"/hiresure", "/hiresure/registration", "/hiresure/registration/:id", "/hiresure/upload-doc", "/hiresure/payment",
	"/hiresure/form", "/hiresure/form/personal", "/hiresure/form/academic", "/hiresure/form/scholarship", "/hiresure/form/review",
	"/account", "/account/data", "/pay", "/ticket/:key", "/checkout/:txn/receipt", "/checkout/:txn/invoice",
}

// as sends a request with a cookie of the staff area.
func as(s *site.Site, cookie *http.Cookie, method, path string, fields url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(fields.Encode()))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(cookie)
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	return w
}

// startView starts a view of a registration and returns its address.
func startView(t *testing.T, s *site.Site, cookie *http.Cookie, registration string) string {
	t.Helper()
	w := as(s, cookie, http.MethodPost, "/admin/registrations/"+registration+"/view-as", url.Values{"purpose": {office.ViewPurposes[0]}, "reason": {"cannot find the button"}})
	at := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(at, "/admin/view/") {
		t.Fatalf("%d to %q: %s", w.Code, at, w.Body)
	}
	return at
}

// dump returns the rows of all tables, as text.
func dump(t *testing.T, databaseURL string) map[string]string {
	t.Helper()
	db, all := storetest.SQL(t, databaseURL), map[string]string{}
	for table := range storetest.Rows(t, databaseURL) {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for rows.Next() {
			line := ""
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for i := range values {
				line += fmt.Sprintf("%s=%v ", columns[i], *values[i].(*any))
			}
			lines = append(lines, line)
		}
		slices.Sort(lines)
		all[table] = strings.Join(lines, "\n")
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestAViewShowsAnApplicantsPagesAndChangesNothing(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		r := openSite(t, "DATABASE_URL", databaseURL)
		s, owner := r.Site, r.Visitor
		txn := r.Pay()
		paid, err := s.Business.Payment.Find(t.Context(), txn)
		if err != nil {
			t.Fatal(err)
		}
		r.Passes(2 * time.Minute)
		r.SignUp(owner)
		application, _ := r.Application(owner)
		document := r.documentOf(application)
		cookie := become(t, s, staff.Support)
		at := startView(t, s, cookie, paid.Registration.ID)
		if again := startView(t, s, cookie, paid.Registration.ID); again != at {
			t.Errorf("pressed twice, it begins twice: %s and %s", at, again)
		}
		ids := strings.NewReplacer(":id", paid.Registration.ID, ":txn", txn, ":key", paid.Registration.TicketKey, ":slug", "hiresure-mgrow-2025", "*", "x")
		before := dump(t, databaseURL)
		link, seen := regexp.MustCompile(`(?:href|src|action)="([^"]*)"`), map[string]int{}
		for _, route := range routes(s) {
			method, pattern, _ := strings.Cut(route, " ")
			path := ids.Replace(pattern)
			if pattern == "/hiresure/documents/:id" {
				path = "/hiresure/documents/" + document
			}
			w := as(s, cookie, method, at+"/page"+path, nil)
			switch {
			case method != http.MethodGet && method != http.MethodHead:
				if w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed {
					t.Errorf("%s in a view answers %d", route, w.Code)
				}
			case method == http.MethodHead:
			case !slices.Contains(viewable, pattern):
				if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "Not part of the view") {
					t.Errorf("%s is part of the view: %d", route, w.Code)
				}
			default:
				seen[pattern] = w.Code
				if w.Code != http.StatusOK && w.Code != http.StatusSeeOther {
					t.Errorf("%s in a view answers %d: %.400s", route, w.Code, w.Body)
				}
				if to := w.Header().Get("Location"); to != "" && !strings.HasPrefix(to, at+"/page/") {
					t.Errorf("%s leads out of the view, to %s", route, to)
				}
			}
			if w.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s in a view sends a cookie", route)
			}
			if policy := w.Header().Get("Content-Security-Policy"); w.Code == http.StatusOK && method == http.MethodGet && (!strings.HasPrefix(policy, "sandbox allow-same-origin; default-src 'none'") || strings.Contains(policy, "script-src")) {
				t.Errorf("%s in a view runs scripts: %s", route, policy)
			}
			for _, found := range link.FindAllStringSubmatch(w.Body.String(), -1) {
				if to := found[1]; w.Code == http.StatusOK && !strings.HasPrefix(to, at+"/page/") && !strings.HasPrefix(to, "/static/") && !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "data:image/") {
					t.Errorf("%s has a link that leaves the view: %s", route, to)
				}
			}
			if w.Code == http.StatusOK && regexp.MustCompile(`<script|<form[^>]* (?:action|method)=|<(?:input|button|select|textarea)\b[^>]*>`).MatchString(enabled(w.Body.String())) {
				t.Errorf("%s in a view can be sent: %s", route, regexp.MustCompile(`<script|<form[^>]* (?:action|method)=|<(?:input|button|select|textarea)\b[^>]*>`).FindString(enabled(w.Body.String())))
			}
		}
		if len(seen) != len(viewable) {
			t.Errorf("the view has %v, want %v", slices.Sorted(maps.Keys(seen)), viewable)
		}
		for _, path := range []string{"/hiresure", "/hiresure/registration/" + paid.Registration.ID, "/account", "/account/data", "/ticket/" + paid.Registration.TicketKey, "/checkout/" + txn + "/receipt"} {
			if w := as(s, cookie, http.MethodGet, at+"/page"+path, nil); !strings.Contains(w.Body.String(), owner.Name) {
				t.Errorf("%s does not show the applicant: %.300s", path, w.Body)
			}
		}
		if w := as(s, cookie, http.MethodGet, at+"/page/account/data", nil); !strings.Contains(w.Body.String(), "Our staff, Support") || strings.Contains(w.Body.String(), "Some Support") {
			t.Error("My data does not name the view, or names the colleague")
		}
		after := dump(t, databaseURL)
		for table := range before {
			if before[table] != after[table] {
				t.Errorf("looking has changed %s:\n%s\nafter:\n%s", table, before[table], after[table])
			}
		}
		if w := as(s, cookie, http.MethodGet, "/account", nil); w.Code/100 != 3 {
			t.Errorf("the staff session opens the account: %d", w.Code)
		}
		direct := httptest.NewRequest(http.MethodGet, at+"/page/account", nil)
		direct.AddCookie(cookie)
		direct.Header.Set("Sec-Fetch-Dest", "document")
		w := httptest.NewRecorder()
		if s.Handler.ServeHTTP(w, direct); w.Header().Get("Location") != at {
			t.Errorf("a page opened without its strip answers %d", w.Code)
		}
		if other := as(s, cookie, http.MethodGet, at+"/page/ticket/unknown", nil); other.Code != http.StatusNotFound {
			t.Errorf("an unknown ticket answers %d", other.Code)
		}
	})
}

// enabled returns a page without the fields and buttons that cannot be used, and those that only open a menu.
func enabled(page string) string {
	return regexp.MustCompile(`<(?:input|button|select|textarea)\b[^>]*(?:disabled|popovertarget)[^>]*>`).ReplaceAllString(page, "")
}

func TestAViewOfWhoHasNoAccountBeginsAtThePayment(t *testing.T) {
	r := openSite(t)
	_, answer := r.EnrolIn("Data_Analytics")
	id := regexp.MustCompile(`"scholarship_requested_id":"([^"]+)"`).FindStringSubmatch(answer)[1]
	cookie := become(t, r.Site, staff.Support)
	at := startView(t, r.Site, cookie, id)
	start := at + "/page" + web.PayForPath(id)
	if w := as(r.Site, cookie, http.MethodGet, at, nil); !strings.Contains(w.Body.String(), `src="`+start+`"`) {
		t.Errorf("it begins elsewhere: %s", w.Body)
	}
	before := dump(t, r.Site.Config.DatabaseURL)
	if w := as(r.Site, cookie, http.MethodGet, start, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), r.Visitor.Name) || !strings.Contains(w.Body.String(), "₹1,499") {
		t.Errorf("the payment's page answers %d to %q: %.600s", w.Code, w.Header().Get("Location"), w.Body)
	}
	if after := dump(t, r.Site.Config.DatabaseURL); !maps.Equal(before, after) {
		t.Error("looking has changed something")
	}
}

func TestAViewIsOfOneSessionAndEnds(t *testing.T) {
	r := openSite(t)
	s, owner := r.Site, r.Visitor
	txn := r.Pay()
	paid, err := s.Business.Payment.Find(t.Context(), txn)
	if err != nil {
		t.Fatal(err)
	}
	id := paid.Registration.ID
	cookie := become(t, s, staff.Support)
	at := startView(t, s, cookie, id)
	page := at + "/page" + "/ticket/" + paid.Registration.TicketKey
	shows := func(cookie *http.Cookie, path string) bool {
		return strings.Contains(as(s, cookie, http.MethodGet, path, nil).Body.String(), owner.Name)
	}
	if w := as(s, cookie, http.MethodGet, at, nil); !strings.Contains(w.Body.String(), "You are viewing as "+owner.Name) || w.Header().Get("Refresh") == "" || !strings.Contains(w.Body.String(), `src="`+page+`"`) || !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-src 'self'") {
		t.Errorf("the strip: %s, %v", w.Body, w.Header())
	}
	if !shows(cookie, page) {
		t.Fatal("the page is not there")
	}
	for what, other := range map[string]*http.Cookie{"another session": become(t, s, staff.Support), "an admin": become(t, s, staff.Admin), "finance": become(t, s, staff.Finance), "nobody": {Name: "staff", Value: admission.NewToken()}} {
		for _, path := range []string{at, page} {
			if w := as(s, other, http.MethodGet, path, nil); w.Code == http.StatusOK || strings.Contains(w.Body.String(), owner.Name) {
				t.Errorf("%s opens %s: %d", what, path, w.Code)
			}
		}
		if w := as(s, other, http.MethodPost, at, nil); w.Code == http.StatusSeeOther && strings.Contains(w.Header().Get("Location"), "said") {
			t.Errorf("%s ends the view", what)
		}
	}
	if w := as(s, cookie, http.MethodPost, at, nil); w.Header().Get("Location") != "/admin/registrations/"+id+"?said=view-ended" {
		t.Errorf("the end: %d %s", w.Code, w.Header().Get("Location"))
	}
	for _, path := range []string{at, page} {
		if w := as(s, cookie, http.MethodGet, path, nil); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "This view has ended") || strings.Contains(w.Body.String(), owner.Name) {
			t.Errorf("after the end %s answers %d", path, w.Code)
		}
	}
	late := startView(t, s, cookie, id)
	r.Passes(office.ViewLasts)
	if w := as(s, cookie, http.MethodGet, late+"/page/ticket/"+paid.Registration.TicketKey, nil); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), owner.Name) {
		t.Errorf("after 15 minutes: %d", w.Code)
	}
	gone := startView(t, s, cookie, id)
	a, err := s.Business.Staff.ByEmail(t.Context(), "support@academy.example")
	if err == nil {
		err = s.Business.Staff.SetRoles(t.Context(), a.ID, a.Version, []string{string(staff.Finance)}, staff.Operator("Ravi Menon"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if w := as(s, cookie, http.MethodGet, gone+"/page/account", nil); w.Code != http.StatusForbidden && w.Code/100 != 3 {
		t.Errorf("without the role: %d", w.Code)
	}
	entries := dump(t, s.Config.DatabaseURL)["entries"]
	if n := strings.Count(entries, "what=viewed by staff"); n != 3 {
		t.Errorf("the timeline has %d views: %s", n, entries)
	}
	acts, _, err := s.Business.Staff.Acts(t.Context(), staff.ActFilter{Text: "to view as the applicant"}, 0, 10)
	if err != nil || len(acts) != 3 || acts[0].Reason != "" || acts[0].Whom != "registration "+id {
		t.Errorf("the log: %+v, %v", acts, err)
	}
}
