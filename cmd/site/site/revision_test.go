package site_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/content"
)

// change replaces a text in the files that match a pattern.
type change struct{ file, old, new string }

// revised returns the built-in content with changes. A change without old adds a file; "copy of x" stands for the text of x.
func revised(t *testing.T, changes ...change) *content.Library {
	t.Helper()
	all := fstest.MapFS{}
	if err := fs.WalkDir(content.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := fs.ReadFile(content.Files(), name)
		all[name] = &fstest.MapFile{Data: source}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if from, copied := strings.CutPrefix(c.new, "copy of "); copied {
			all[c.file] = &fstest.MapFile{Data: bytes.Clone(all[from].Data)}
			continue
		}
		files, err := fs.Glob(all, c.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !bytes.Contains(all[file].Data, []byte(c.old)) {
				t.Fatalf("%s does not hold %q", file, c.old)
			}
			all[file].Data = bytes.ReplaceAll(all[file].Data, []byte(c.old), []byte(c.new))
		}
		if len(files) == 0 {
			t.Fatalf("there is no file %s", c.file)
		}
	}
	words, err := content.LoadFrom(all, "")
	if err != nil {
		t.Fatal(err)
	}
	return words
}

const (
	mgrowFile  = "events/hiresure-mgrow-2025.yaml"
	campusFile = "events/hiresure-campus-2026.yaml"
	winterFile = "events/hiresure-winter-2027.yaml"
	everyEvent = "events/*.yaml"
	mgrowPage  = "/scholarship/hiresure-mgrow-2025"
)

// The versions of the built-in terms, and of the built-in privacy notice without a human check.
var termsVersion, noticeVersion = versionOf("terms"), versionOf("privacy")

func versionOf(page string) string {
	words, err := content.Load()
	if err != nil {
		panic(err)
	}
	found, _ := words.Page(page)
	return found.Version
}

// revision changes every kind of content.
var revision = []change{
	{winterFile, "", "copy of " + campusFile}, // a new event
	{winterFile, "hiresure-campus-2026", "hiresure-winter-2027"},
	{winterFile, "KS_Campus", "KS_Winter"},
	{winterFile, "HireSure Campus Scholarship", "HireSure Winter Scholarship"},
	{mgrowFile, "149900", "129900"},
	{mgrowFile, "HireSure mGrow Scholarship", "HireSure mGrow Award"},
	{mgrowFile, "courses: [Blockchain, Artificial_Intelligence, Data_Analytics]", "courses: [Blockchain, Artificial_Intelligence]"},
	{campusFile, "state: published", "state: closed"},
	{"site.yaml", "academy: Aksharam Skill Academy", "academy: Aksharam School"},
	{"site.yaml", "support@hiresure.example", "care@hiresure.example"},
	{"site.yaml", "grievance@hiresure.example", "officer@hiresure.example"},
	{"site.yaml", "Choose your exam, verify", "Pick your exam, verify"},
	{"site.yaml", "{label: Refund Policy, href: /legal/refund-policy}", "{label: Refund Policy, href: /legal/refund-policy}\n    - {label: Cookies, href: /legal/cookies}"},
	{"legal/cookies.yaml", "", "copy of legal/refund-policy.yaml"}, // a new legal page
	{"legal/cookies.yaml", "slug: refund-policy", "slug: cookies"},
	{"legal/terms.yaml", "version: " + termsVersion, "version: 2026-11-20"},
	{"legal/terms.yaml", "These are the terms between", "This is the contract between"},
	{everyEvent, "terms_version: " + termsVersion, "terms_version: 2026-11-20"},
	{"application.yaml", "terms_version: " + termsVersion, "terms_version: 2026-11-20"},
	{"legal/privacy.yaml", `version: "` + noticeVersion + `{{`, `version: "2026-11-20{{`},
	{"messages.yaml", "Thank you for writing to us.", "Thank you for asking."},
	{"messages.yaml", "is your HireSure code, valid", "is the code that you asked for, valid"},
	{"messages.yaml", "We received {{.Amount}}.", "We have your {{.Amount}}."},
	{"supplier.yaml", "Lakeside Layout", "Hillside Layout"},
	{"supplier.yaml", "999293", "999294"},
	{"supplier.yaml", "credit_note_series: KSC", "credit_note_series: KSX"},
	{"faq.yaml", "You need no technical background", "You want no technical background"},
}

// expectedText is a text of a page, a response or a file in one revision and not in the other.
type expectedText struct{ path, before, after string }

var changedTexts = []expectedText{
	{mgrowPage, "₹1,499", "₹1,299"},
	{mgrowPage, "HireSure mGrow Scholarship", "HireSure mGrow Award"},
	{mgrowPage, `value="Data_Analytics"`, `value="Blockchain"`},
	{mgrowPage, ">Data Analytics</a></h3>", ">Blockchain</a></h3>"},
	{mgrowPage + "/courses", "<h2>Data Analytics</h2>", "<h2>Blockchain</h2>"},
	{mgrowPage + "/courses/blockchain", "₹1,499", "₹1,299"},
	{mgrowPage, `"price":"1499.00"`, `"price":"1299.00"`}, // structured data
	{mgrowPage, `"email":"support@hiresure.example"`, `"email":"care@hiresure.example"`},
	{mgrowPage, "You need no technical background", "You want no technical background"},
	{mgrowPage, "Powered By Aksharam Skill Academy", "Powered By Aksharam School"},
	{mgrowPage, `href="/legal/refund-policy"`, `href="/legal/cookies"`},
	{mgrowPage + "?couponCode=MGROW500", "₹1,499", "₹1,299"}, // rendered per visitor
	{"/apply", "₹1,499", "₹1,299"},
	{"/scholarship/hiresure-campus-2026", "PROCEED TO PAY", "Enrolment is closed"},
	{"/hiresure", "HireSure mGrow Scholarship", "HireSure mGrow Award"},
	{"/hiresure", "Choose your exam, verify", "Pick your exam, verify"},
	{"/hiresure", `href="/legal/grievance"`, "HireSure Winter Scholarship"},
	{"/legal/terms", "Version " + termsVersion, "Version 2026-11-20"},
	{"/legal/terms", "These are the terms between", "This is the contract between"},
	{"/legal/privacy", "Version " + noticeVersion, "Version 2026-11-20"},
	{"/legal/grievance", "grievance@hiresure.example", "officer@hiresure.example"},
	{"/success?kspay_id=nothing", "support@hiresure.example", "care@hiresure.example"},
	{"/sitemap.xml", "/scholarship/hiresure-campus-2026", "/scholarship/hiresure-winter-2027"},
	{"/sitemap.xml", "/legal/refund-policy", "/legal/cookies"},
	{"/scholarship/v1/fetch-scholarship-event-data?slug=hiresure-mgrow-2025", `"final_amount":1499`, `"final_amount":1299`},
	{"/scholarship/v1/fetch-scholarship-event-data?slug=hiresure-mgrow-2025", `"select_course":"Blockchain,Artificial_Intelligence,Data_Analytics"`, `"select_course":"Blockchain,Artificial_Intelligence"`},
	{"/scholarship/v1/fetch-scholarship-event-data?slug=hiresure-winter-2027", "Programme not found.", "HireSure Winter Scholarship"},
}

// unchangedTexts are texts that both revisions contain.
var unchangedTexts = map[string]bool{
	`value="Blockchain"`: true, ">Blockchain</a></h3>": true, "<h2>Blockchain</h2>": true, `href="/legal/refund-policy"`: true, `href="/legal/grievance"`: true,
	"/scholarship/hiresure-campus-2026": true, "/legal/refund-policy": true,
}

func (r *reader) shows(revised bool) {
	r.T.Helper()
	for _, row := range changedTexts {
		want, never := row.before, row.after
		if revised {
			want, never = row.after, row.before
		}
		_, body := r.Fetch(row.path)
		if !strings.Contains(body, want) || !unchangedTexts[never] && strings.Contains(body, never) {
			r.T.Errorf("%s says %q: %v, and %q: %v; the revision is published: %v", row.path, want, strings.Contains(body, want), never, strings.Contains(body, never), revised)
		}
	}
	for path, addresses := range map[string][2]string{ // redirects of a new slug, before and after
		"/scholarship/hiresure-winter-2027":         {"302 /scholarship", "200 "},
		"/apply/hiresure-winter-2027?couponCode=A1": {"302 /scholarship?couponCode=A1", "200 "},
		"/scholarship/HireSure-Winter-2027":         {"302 /scholarship", "301 /scholarship/hiresure-winter-2027"},
		"/hiresure-winter-2027":                     {"302 /hiresure", "302 /apply/hiresure-winter-2027"},
		"/hiresure-winter-2027/":                    {"302 /hiresure", "301 /hiresure-winter-2027"},
		"/legal/cookies":                            {"302 /hiresure", "200 "},
		"/cookies":                                  {"302 /hiresure", "301 /legal/cookies"},
		"/scholarship/hiresure-mgrow-2025":          {"200 ", "200 "},
		"/privacy":                                  {"301 /legal/privacy", "301 /legal/privacy"},
	} {
		want := addresses[0]
		if revised {
			want = addresses[1]
		}
		answer, _ := r.Fetch(path)
		if got := fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Location")); got != want {
			r.T.Errorf("%s answers %q, want %q; the revision is published: %v", path, got, want, revised)
		}
	}
}

func TestRevisionShowsOnTheNextRequest(t *testing.T) {
	r := openSite(t, "CHROME_URL", "", "CHROME_PATH", sitetest.NeedsBrowser(t)) // a browser draws the previews
	first := r.Site.Words.Current()
	r.shows(false)
	r.shows(false) // cached now
	page, _ := r.Fetch(mgrowPage)
	picture, drawn := r.Fetch("/og/hiresure-mgrow-2025.png")

	if err := r.Site.Words.Publish(revised(t, revision...)); err != nil {
		t.Fatal(err)
	}
	r.shows(true)
	r.shows(true)
	for _, known := range []*http.Response{page, picture} {
		path, etag := known.Request.URL.Path, known.Header.Get("ETag")
		if answer, _ := r.Fetch(path, "If-None-Match", etag); etag == "" || answer.StatusCode != http.StatusOK {
			t.Errorf("a browser that keeps %s gets %d", path, answer.StatusCode)
		}
	}
	if _, again := r.Fetch("/og/hiresure-mgrow-2025.png"); sha256.Sum256([]byte(again)) == sha256.Sum256([]byte(drawn)) {
		t.Error("the preview is the picture of before")
	}

	if picture, _ := r.Fetch("/og/hiresure-winter-2027.png"); picture.StatusCode != http.StatusOK {
		t.Errorf("the preview of the new event answers %d", picture.StatusCode)
	}

	if err := r.Site.Words.Publish(first); err != nil {
		t.Fatal(err)
	}
	r.shows(false)
	if picture, _ := r.Fetch("/og/hiresure-winter-2027.png"); picture.StatusCode != http.StatusNotFound {
		t.Errorf("the preview of an event that is gone answers %d", picture.StatusCode)
	}
}

// While revisions are published, each page is entirely of one revision, and never of one older than the last publication.
func TestPagesDoNotMixRevisions(t *testing.T) {
	r := openSite(t)
	libraries := []*content.Library{r.Site.Words.Current(), revised(t, revision...)}
	signs := [][]string{ // texts of hero, form, structured data, footer and FAQ
		{"₹1,499", "HireSure mGrow Scholarship", "support@hiresure.example", "Powered By Aksharam Skill Academy", "You need no technical background"},
		{"₹1,299", "HireSure mGrow Award", "care@hiresure.example", "Powered By Aksharam School", "You want no technical background"},
	}
	of := func(body string) (revisions []int) {
		for i, all := range signs {
			for _, sign := range all {
				if strings.Contains(body, sign) {
					revisions = append(revisions, i)
					break
				}
			}
		}
		return revisions
	}
	var readers sync.WaitGroup
	for _, path := range []string{"/apply/hiresure-mgrow-2025", mgrowPage + "?couponCode=MGROW500"} {
		readers.Go(func() {
			for range 30 {
				if _, body := r.Fetch(path); len(of(body)) != 1 {
					t.Errorf("%s shows words of the revisions %v", path, of(body))
				}
			}
		})
	}
	for i := range 6 {
		current := (i + 1) % 2
		if err := r.Site.Words.Publish(libraries[current]); err != nil {
			t.Error(err)
		}
		if _, body := r.Fetch(mgrowPage); !slices.Equal(of(body), []int{current}) {
			t.Errorf("after publication %d the page is of the revisions %v", i, of(body))
		}
	}
	readers.Wait()
}

func TestInvalidRevisionIsRejected(t *testing.T) {
	r := openSite(t)
	first := r.Site.Words.Current()
	for _, test := range []struct {
		sentence string
		changes  []change
		want     string
	}{
		{"a slug that belongs to the API", []change{
			{"events/v1.yaml", "", "copy of " + campusFile}, {"events/v1.yaml", "slug: hiresure-campus-2026", "slug: v1"}, {"events/v1.yaml", "KS_Campus", "KS_Other"},
		}, "content/events/v1.yaml: event.slug: /scholarship/v1 belongs to the API"},
		{"a slug that a legal page has", []change{
			{"events/terms.yaml", "", "copy of " + campusFile}, {"events/terms.yaml", "slug: hiresure-campus-2026", "slug: terms"}, {"events/terms.yaml", "KS_Campus", "KS_Other"},
		}, "content/events/terms.yaml: event.slug: a legal page has it already"},
		{"a GSTIN with another check character", []change{{"supplier.yaml", "29ABCDE1234F1ZW", "29ABCDE1234F1ZX"}},
			"content/supplier.yaml: suppliers[0].gstin: GSTIN: the last character of 29ABCDE1234F1ZX should be W"},
	} {
		if err := r.Site.Words.Publish(revised(t, test.changes...)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.sentence, err, test.want)
		}
	}
	if r.Site.Words.Current() != first {
		t.Error("a refused revision is current")
	}
	for _, test := range []struct{ defaultEvent, want string }{
		{"hiresure-mgrow-2025", ""},
		{"hiresure-winter-2027", `DEFAULT_EVENT: content has no event "hiresure-winter-2027"`},
	} {
		if _, err := content.NewSource(first, site.CheckContent(test.defaultEvent)); (err == nil) != (test.want == "") || err != nil && err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.defaultEvent, err, test.want)
		}
	}
	cfg, _ := sitetest.Development(t, "DEFAULT_EVENT", "hiresure-winter-2027")
	if _, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)}); err == nil || !strings.Contains(err.Error(), "DEFAULT_EVENT: content has no event") {
		t.Errorf("the program starts without its default event: %v", err)
	}
}
