package site_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"html"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/forms"
	"hiresure/forms/formstest"
	"hiresure/store/storetest"
)

// withForms opens a site with forms that have added fields.
func withForms(t *testing.T, url string, set *forms.Set, changes ...string) *site.Site {
	t.Helper()
	cfg, _ := sitetest.Development(t, append(changes, "DATABASE_URL", url)...)
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Forms: set})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.WithoutCancel(t.Context())) })
	return s
}

// person is a browser with its cookies and the fields of the enrolment form.
type person struct {
	t       *testing.T
	site    *site.Site
	cookies map[string]*http.Cookie
	typed   url.Values
	page    string // the last page
	status  int
	answer  http.Header
}

func newPerson(t *testing.T, s *site.Site, typed url.Values) *person {
	return &person{t: t, site: s, cookies: map[string]*http.Cookie{}, typed: maps.Clone(typed)}
}

func (p *person) send(method, path, contentType, body string) *person {
	p.t.Helper()
	r := httptest.NewRequest(method, p.site.Config.BaseURL+path, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, cookie := range p.cookies {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	p.site.Handler.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		p.cookies[cookie.Name] = cookie
	}
	p.page, p.status, p.answer = w.Body.String(), w.Code, w.Header()
	return p
}

func (p *person) get(path string) *person { return p.send(http.MethodGet, path, "", "") }

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)">`)

// press fills in fields and presses a button of the enrolment form. It keeps the hidden fields of the response.
func (p *person) press(do string, fields ...string) *person {
	p.t.Helper()
	for i := 0; i < len(fields); i += 2 {
		p.typed.Set(fields[i], fields[i+1])
	}
	p.typed.Set("do", do)
	p.send(http.MethodPost, programme, "application/x-www-form-urlencoded", p.typed.Encode())
	for _, found := range hiddenInput.FindAllStringSubmatch(p.page, -1) {
		p.typed.Set(found[1], html.UnescapeString(found[2]))
	}
	return p
}

// post calls the API.
func (p *person) post(path string, body map[string]any) (answer map[string]any) {
	p.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	p.send(http.MethodPost, path, "application/json", string(data))
	if err := json.Unmarshal([]byte(p.page), &answer); err != nil {
		p.t.Fatalf("%s: %v: %s", path, err, p.page)
	}
	return answer
}

func (p *person) answers(status int) *person {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("answers %d, want %d: %s", p.status, status, p.page)
	}
	return p
}

func (p *person) shows(parts ...string) *person {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(p.page, part) {
			p.t.Errorf("shows no %s", part)
		}
	}
	return p
}

func (p *person) hides(part string) *person {
	p.t.Helper()
	if strings.Contains(p.page, part) {
		p.t.Errorf("the page says %q", part)
	}
	return p
}

// code returns the code that was sent last to a phone.
func (p *person) code(phone string) string {
	p.t.Helper()
	for _, worker := range p.site.Workers {
		if _, err := worker.RunDue(p.t.Context()); err != nil {
			p.t.Fatal(err)
		}
	}
	sent, _, err := p.site.Store.OutboxPage(p.t.Context(), "+91"+phone, "", 1)
	if err != nil || len(sent) != 1 {
		p.t.Fatalf("%d messages to %s, %v", len(sent), phone, err)
	}
	return regexp.MustCompile(`\b[0-9]{6}\b`).FindString(sent[0].Body)
}

// row reads a row by SQL.
func row(t *testing.T, url, query string, args ...any) (answers string, version int) {
	t.Helper()
	var kept sql.NullString
	if err := storetest.SQL(t, url).QueryRowContext(t.Context(), query, args...).Scan(&kept, &version); err != nil {
		t.Fatal(err)
	}
	if !kept.Valid {
		return "NULL", version
	}
	return kept.String, version
}

const programme = "/scholarship/hiresure-mgrow-2025"

func asha(phone string) url.Values {
	typed := url.Values{}
	for name, value := range formstest.Good("enrolment") {
		typed.Set(name, value)
	}
	typed.Set("fullname", "Asha Verma")
	typed.Set("email", phone+"@example.com")
	typed.Set("phone_number", phone)
	typed.Set("selected_course", "Data_Analytics")
	return typed
}

const ofPhone = "SELECT answers, form_version FROM registrations WHERE phone = $1"

// The field drill: a field added to a form's data is drawn, checked, sent, stored, shown and documented without code.
func TestFieldInTheForm(t *testing.T) {
	set := formstest.Added(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := withForms(t, url, set)
		p := newPerson(t, s, asha("9876543210")).get(programme).answers(http.StatusOK).shows(
			`<input class="input" id="f-hobby_horse" name="hobby_horse" type="text" value="" aria-describedby="h-hobby_horse" enterkeyhint="next">`, `<p class="hint" id="h-hobby_horse">In a word or two.</p>`,
			`<textarea class="input" id="f-hobby_story" name="hobby_story" rows="4">`, `<input class="check" id="f-owns_telescope" name="owns_telescope" type="checkbox" value="true">`,
			`<div class="field half" data-field="telescope_name" hidden>`, `<input class="check" id="f-spare_evenings-late_week" name="spare_evenings" type="checkbox" value="late_week">`,
		)

		// The rejected form shows the message, the unfolded group and the values.
		p.typed["spare_evenings"] = []string{"early_week", "late_week"}
		p.press("pay", "hobby_horse", "a horse with <more> letters than thirty", "hobby_story", "One day\r\nin May", "owns_telescope", "true", "telescope_name", "mine").answers(http.StatusUnprocessableEntity)
		p.shows(
			`<a href="#f-telescope_name" class="is-wrong">Please choose a telescope from the list.</a></li>`, `<p class="error" id="e-telescope_name"><span>Please choose a telescope from the list.</span></p>`,
			`<p class="error" id="e-hobby_horse"><span>Your hobby horse must have at most 30 letters.</span></p>`, `value="a horse with &lt;more&gt; letters than thirty"`,
			`<details class="more" data-group="more" open><summary>College or referral code</summary>`, `name="owns_telescope" type="checkbox" value="true" checked>`,
			`<div class="field half" data-field="telescope_name">`, `name="spare_evenings" type="checkbox" value="early_week" checked`, "One day\r\nin May</textarea>",
		)

		p.press("send-code", "hobby_horse", "  Kites & <dragons> ", "telescope_name", "old-glass").answers(http.StatusOK)
		p.press("verify", "otp", p.code("9876543210")).answers(http.StatusOK)
		p.press("pay").answers(http.StatusSeeOther)
		answers, version := row(t, url, ofPhone, "+919876543210")
		var kept map[string]string
		if err := json.Unmarshal([]byte(answers), &kept); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"hobby_horse": "Kites & <dragons>", "hobby_story": "One day\nin May", "owns_telescope": "true", "telescope_name": "old-glass", "spare_evenings": "early_week,late_week",
		}
		if !maps.Equal(kept, want) || version != set.Get("enrolment").Version || version != forms.Get("enrolment").Version+1 {
			t.Errorf("version %d keeps %q, want %q", version, kept, want)
		}

		// "Change" shows the values again, and a cleared one is deleted.
		change := regexp.MustCompile(`/scholarship/hiresure-mgrow-2025\?change=[0-9A-Za-z]+`).FindString(p.get("/pay").answers(http.StatusOK).page)
		p.get(change).answers(http.StatusOK).shows(
			`name="hobby_horse" type="text" value="Kites &amp; &lt;dragons&gt;"`, "One day\nin May</textarea>", `name="owns_telescope" type="checkbox" value="true" checked>`,
			`<option value="old-glass" selected>Old &lt;Glass&gt; &amp; brass</option>`, `name="spare_evenings" type="checkbox" value="late_week" checked`,
		)
		for _, name := range []string{"hobby_horse", "hobby_story", "owns_telescope", "spare_evenings"} {
			p.typed.Del(name)
		}
		p.press("pay").answers(http.StatusSeeOther) // the telescope's name stays in the form and does not apply
		if answers, _ := row(t, url, ofPhone, "+919876543210"); answers != "NULL" {
			t.Errorf("keeps %s of what was taken back", answers)
		}
	})
}

func TestFieldInTheAPI(t *testing.T) {
	set := formstest.Added(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := withForms(t, url, set)
		p := newPerson(t, s, nil)
		p.get("/api/openapi.yaml").answers(http.StatusOK).shows(
			`        pastimeWord: {type: string, description: "Hobby horse"}`, `        owns_telescope: {type: boolean, description: "I own a telescope"}`,
			`        telescope_name: {type: string, description: "Its name. Of big-eye, old-glass"}`,
			`        spare_evenings: {type: array, items: {type: string, pattern: "^[^,]*$"}, description: "Free evenings. Of early_week, late_week"}`,
		)
		if strings.Contains(p.page, "hobby_horse") || strings.Count(p.page, "pastimeWord") != 5 {
			t.Error("the description has each field by its wire name: of the enrolment, of the enquiry, and of the application’s three bodies that hold its first step")
		}

		event := map[string]any{"scholarship_code": "KS_Mgrow", "scholarship_subevent_code": "KS_Mgrow_2025", "phone_number": "9876543210", "email": "asha@example.com"}
		with := func(more map[string]any) map[string]any {
			body := maps.Clone(event)
			maps.Copy(body, more)
			return body
		}
		asked := p.post("/scholarship/v1/user-verification-request", event)
		p.answers(http.StatusOK)
		p.post("/scholarship/v1/user-request-verify", with(map[string]any{"request_id": asked["request_id"], "phone_otp": p.code("9876543210")}))
		p.answers(http.StatusOK)

		const enrol = "/scholarship/v1/create-scholarship-request"
		complete := with(forms.Get("enrolment").ToWire(formstest.Good("enrolment", "you", "course", "age", "terms")))
		for _, c := range []struct {
			sentence string
			body     map[string]any
			errors   map[string]any
		}{
			{"its kind is the field's", map[string]any{"owns_telescope": "true", "spare_evenings": "late_week", "pastimeWord": true}, map[string]any{
				"owns_telescope": "This must be true or false.", "spare_evenings": "This must be a list of texts.", "pastimeWord": "This must be text.",
			}},
			{"the wire has its wire name only", map[string]any{"hobby_horse": "Kites"}, map[string]any{"hobby_horse": "This field is unknown."}},
			{"errors have its wire name", map[string]any{"pastimeWord": strings.Repeat("x", 31)}, map[string]any{"pastimeWord": "Your hobby horse must have at most 30 letters."}},
		} {
			body := maps.Clone(complete)
			maps.Copy(body, c.body)
			got, _ := p.post(enrol, body)["errors"].(map[string]any)
			if p.status != http.StatusUnprocessableEntity || !maps.Equal(got, c.errors) {
				t.Errorf("%s: got %d %q, want %q", c.sentence, p.status, got, c.errors)
			}
		}
		maps.Copy(complete, map[string]any{"pastimeWord": "Kites", "owns_telescope": true, "telescope_name": "big-eye", "spare_evenings": []string{"late_week"}})
		id, _ := p.post(enrol, complete)["scholarship_requested_id"].(string)
		p.answers(http.StatusOK)
		const want = `{"hobby_horse":"Kites","owns_telescope":"true","spare_evenings":"late_week","telescope_name":"big-eye"}`
		if answers, version := row(t, url, ofPhone, "+919876543210"); answers != want || version != set.Get("enrolment").Version {
			t.Errorf("version %d keeps %s, want %s", version, answers, want)
		}
		p.get(programme+"?change="+id).answers(http.StatusOK).shows(`name="hobby_horse" type="text" value="Kites"`, `<option value="big-eye" selected>`)
	})
}

func TestFieldInEnquiryAndGrievance(t *testing.T) {
	set := formstest.Added(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := withForms(t, url, set)
		p := newPerson(t, s, nil)
		enquiry := func(hobby string) string {
			return "fullname=Asha+Verma&email=asha@example.com&countryCode=in&phone=9876543210&hobby_horse=" + hobby
		}
		const form = "application/x-www-form-urlencoded"
		p.get(programme).shows(`<input class="input" id="f-enquiry-hobby_horse" name="hobby_horse" type="text" value="" enterkeyhint="next">`, `<div class="field" data-field="hobby_story" hidden>`)
		p.send(http.MethodPost, "/enquiry", form, enquiry(strings.Repeat("x", 31))).answers(http.StatusUnprocessableEntity).shows(
			`<li><a href="#f-enquiry-hobby_horse">Your hobby horse must have at most 30 letters.</a></li>`, `value="`+strings.Repeat("x", 31)+`"`,
		)
		p.send(http.MethodPost, "/enquiry", form, enquiry("Kites&hobby_story=One+day")).answers(http.StatusOK)
		p.post("/ks-website/create-enquiry", map[string]any{"fullname": "Meera Verma", "email": "meera@example.com", "phone": "9876543211", "pastimeWord": "Drums", "hobby_story": "of kites only"})
		p.answers(http.StatusOK)
		for phone, want := range map[string]string{"+919876543210": `{"hobby_horse":"Kites","hobby_story":"One day"}`, "+919876543211": `{"hobby_horse":"Drums"}`} {
			if answers, version := row(t, url, "SELECT answers, form_version FROM enquiries WHERE phone = $1", phone); answers != want || version != set.Get("enquiry").Version {
				t.Errorf("the enquiry of %s keeps %s, version %d", phone, answers, version)
			}
		}
		errors := p.post("/ks-website/create-enquiry", map[string]any{"fullname": "Meera Verma", "email": "meera@example.com", "phone": "9876543211", "pastimeWord": strings.Repeat("x", 31)})["errors"]
		if got, _ := errors.(map[string]any); got["pastimeWord"] != "Your hobby horse must have at most 30 letters." {
			t.Errorf("the API's errors are %v", errors)
		}

		complaint := "name=Asha+Verma&email=asha@example.com&category=payment&message=I+paid+twice+for+one+enrolment.&spare_evenings="
		p.get("/legal/grievance").shows(`<select class="input" id="f-spare_evenings" name="spare_evenings"><option value="">Choose one</option><option value="early_week">Monday or Tuesday</option>`)
		p.send(http.MethodPost, "/legal/grievance", form, complaint+"never").answers(http.StatusUnprocessableEntity).shows(`<a href="#f-spare_evenings">Please choose an evening from the list.</a>`)
		p.send(http.MethodPost, "/legal/grievance", form, complaint+"late_week").answers(http.StatusOK)
		if answers, version := row(t, url, "SELECT answers, form_version FROM grievances"); answers != `{"spare_evenings":"late_week"}` || version != set.Get("grievance").Version {
			t.Errorf("the complaint keeps %s, version %d", answers, version)
		}
		for _, worker := range s.Workers {
			if _, err := worker.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		mails, _, err := s.Store.OutboxPage(t.Context(), s.Words.Current().Site().Grievance.Email, "", 1)
		if err != nil || len(mails) != 1 || !strings.Contains(mails[0].Body, "I paid twice for one enrolment.\n\nCall me on: Thursday or Friday\n") {
			t.Errorf("the officer reads %v, %v", mails, err)
		}
	})
}

func TestFieldSurvivesTheHumanCheckWithoutScripts(t *testing.T) {
	s := withForms(t, storetest.SQLite(t), formstest.Added(t), "CAPTCHA", "pow")
	p := newPerson(t, s, asha("9876543210"))
	p.typed["spare_evenings"] = []string{"early_week", "late_week"}
	p.press("send-code", "hobby_horse", "Kites").answers(http.StatusOK).shows(
		`<input type="hidden" name="hobby_horse" value="Kites">`, `<input type="hidden" name="spare_evenings" value="early_week">`, `<input type="hidden" name="spare_evenings" value="late_week">`,
	)
}

// No code may name the drill's fields.
func TestNoCodeNamesTheDrillsFields(t *testing.T) {
	named := regexp.MustCompile(`hobby_horse|hobby_story|owns_telescope|telescope_name|spare_evenings|pastimeWord`)
	skipped := regexp.MustCompile(`^(\.git|node_modules|bin|data|static/dist)(/|$)|(^|/)testdata/|_test\.go$|\.test\.tsx?$`)
	root, seen := "../../..", 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || skipped.MatchString(filepath.ToSlash(name)) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if found := named.Find(data); found != nil {
			t.Errorf("%s names %s", name, found)
		}
		if bytes.Contains(data, []byte("company_name")) {
			seen++
		}
		return err
	})
	if err != nil || seen == 0 {
		t.Errorf("a field that ships is named in %d files, %v", seen, err)
	}
}
