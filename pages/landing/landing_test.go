package landing

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"hiresure/content"
	"hiresure/static"
	"hiresure/store/storetest"
)

// publicSite is a site on SQLite: these pages behave equally on both databases.
type publicSite struct {
	*site
	file string
}

func testSite(t *testing.T) *publicSite {
	t.Helper()
	url := storetest.SQLite(t)
	return &publicSite{newSite(t, storetest.Open(t, url)), strings.TrimPrefix(url, "sqlite://")}
}

func (o *site) ask(method, address string, header ...string) *httptest.ResponseRecorder {
	o.t.Helper()
	r := httptest.NewRequest(method, origin+address, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	o.echo.ServeHTTP(answer, r)
	return answer
}

func (o *publicSite) page(address string) string {
	o.t.Helper()
	answer := o.ask(http.MethodGet, address)
	if answer.Code != http.StatusOK {
		o.t.Fatalf("%s answers %d", address, answer.Code)
	}
	return answer.Body.String()
}

// Rendering a page takes thousands of allocations, compressing it more.
func TestNoAddressMakesAPageThatIsKept(t *testing.T) {
	o := testSite(t)
	for _, address := range []string{mgrowPage + "?course=", mgrowPage + "?x=", "/apply/hiresure-mgrow-2025?course=Cyber_Security", allQuestions + "?course=Blockchain&x=", mgrowPage + "/exam?q="} {
		o.page(address)
		asked := 0
		most := testing.AllocsPerRun(5, func() {
			asked++
			o.page(address + strconv.Itoa(asked))
		})
		if most > 500 {
			t.Errorf("%s and a number is rendered each time: %.0f allocations", address, most)
		}
	}
}

func TestCanonicalAddress(t *testing.T) {
	o := testSite(t)
	const mgrow, campus = "/scholarship/hiresure-mgrow-2025", "/scholarship/hiresure-campus-2026"
	for _, test := range []struct {
		address   string
		status    int
		leads     string // Location
		canonical string
		noIndex   bool
	}{
		{address: "/", status: 302, leads: mgrow},
		{address: "/?utm_source=mail&couponCode=A%20B", status: 302, leads: mgrow + "?utm_source=mail&couponCode=A%20B"},
		{address: "/scholarship", status: 200, canonical: mgrow},
		{address: "/scholarship/", status: 301, leads: "/scholarship"},
		{address: "/scholarship?utm_source=mail", status: 200, canonical: mgrow},
		{address: mgrow, status: 200, canonical: mgrow},
		{address: mgrow + "/", status: 301, leads: mgrow},
		{address: mgrow + "/?couponCode=MGROW500", status: 301, leads: mgrow + "?couponCode=MGROW500"},
		{address: mgrow + "?couponCode=MGROW500", status: 200, canonical: mgrow},
		{address: mgrow + "?utm_source=mail&gclid=1", status: 200, canonical: mgrow},
		{address: "/scholarship/HireSure-mGrow-2025", status: 301, leads: mgrow},
		{address: "/scholarship/HIRESURE-MGROW-2025?couponCode=A1", status: 301, leads: mgrow + "?couponCode=A1"},
		{address: campus, status: 200, canonical: campus},
		{address: "/scholarship/no-such-event", status: 302, leads: "/scholarship", noIndex: true},
		{address: "/scholarship/no-such-event?couponCode=A1", status: 302, leads: "/scholarship?couponCode=A1", noIndex: true},
		{address: "/hiresure-mgrow-2025?couponCode=A1", status: 302, leads: "/apply/hiresure-mgrow-2025?couponCode=A1"},
		{address: "/llms.txt", status: 404},
		{address: "/manifest.json", status: 404},
		{address: "/.well-known/security", status: 404},
		{address: "/wp-login.php", status: 404},
		{address: "/scholarship/NO-SUCH-EVENT", status: 302, leads: "/scholarship", noIndex: true},
		{address: "/scholarship/v1", status: 404, noIndex: true},
		{address: "/apply", status: 200, canonical: mgrow},
		{address: "/apply/", status: 301, leads: "/apply"},
		{address: "/apply/hiresure-campus-2026", status: 200, canonical: campus},
		{address: "/apply/HIRESURE-campus-2026", status: 301, leads: "/apply/hiresure-campus-2026"},
		{address: "/apply/no-such-event", status: 302, leads: "/scholarship", noIndex: true},
		{address: "/hiresure-mgrow-2025", status: 302, leads: "/apply/hiresure-mgrow-2025"},
		{address: "/hiresure-mgrow-2025/hiresure-campus-2026?couponCode=A1", status: 302, leads: "/apply/hiresure-campus-2026?couponCode=A1"},
		{address: "/partners/hiresure-campus-2026/", status: 302, leads: "/apply/hiresure-campus-2026"},
		{address: "/hiresure-mgrow-2025/no-such-event", status: 302, leads: "/hiresure", noIndex: true},
		{address: "/enquiry", status: 302, leads: mgrow + "#enquiry"},
		{address: "/enquiry?from=" + campus, status: 302, leads: campus + "#enquiry"},
		{address: "/enquiry?from=" + campus + "/questions", status: 302, leads: campus + "/questions#enquiry"},
		{address: "/enquiry?from=//evil.example/" + "x", status: 302, leads: mgrow + "#enquiry"},
		{address: "/og/no-such-event.png", status: 404},
		{address: "/og/hiresure-mgrow-2025", status: 404},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			answer := o.ask(method, test.address)
			if answer.Code != test.status || answer.Header().Get("Location") != test.leads {
				t.Errorf("%s %s: %d %q, want %d %q", method, test.address, answer.Code, answer.Header().Get("Location"), test.status, test.leads)
			}
			if noIndex := answer.Header().Get("X-Robots-Tag") == "noindex"; noIndex != test.noIndex {
				t.Errorf("%s %s: noindex is %v", method, test.address, noIndex)
			}
			if method == http.MethodHead && answer.Header().Get("Cache-Control") != "no-store" && test.status == 200 && answer.Body.Len() > 0 {
				t.Errorf("HEAD %s has a body", test.address)
			}
			if wanted := `<link rel="canonical" href="` + origin + test.canonical + `">`; method == http.MethodGet && test.canonical != "" && !strings.Contains(answer.Body.String(), wanted) {
				t.Errorf("%s: no %s", test.address, wanted)
			}
		}
	}
}

var (
	scripts = regexp.MustCompile(`(?s)<(script|style).*?</(script|style)>`)
	tags    = regexp.MustCompile(`<[^>]*>`)
	spaces  = regexp.MustCompile(`\s+`)
)

// visible returns the text of a page without its scripts, on one line.
func visible(page string) string {
	page = strings.ReplaceAll(page, `<span class="rupee">₹</span>`, "₹")
	for _, inline := range []string{"<b>", "</b>", "<wbr>"} {
		page = strings.ReplaceAll(page, inline, "")
	}
	text := tags.ReplaceAllString(scripts.ReplaceAllString(page, " "), " ")
	text = spaces.ReplaceAllString(html.UnescapeString(text), " ")
	return strings.NewReplacer(" .", ".", " ,", ",", " :", ":").Replace(text)
}

func TestPageHasTheSpecificationsTexts(t *testing.T) {
	o := testSite(t)
	for address, sentences := range map[string][]string{
		"/scholarship/hiresure-mgrow-2025": {
			"Scholarship Program", "Blockchain", "Artificial Intelligence", "Data Analytics", "Apply Now",
			"Technology-company certification", "100% Job Guaranteed", "Top Industry Mentors",
			"How it works: three steps", "Prepare with study material and a mock test.", "Get the scholarship and job guarantee after clearing the exam.",
			"Enrol by paying the exam fee and completing the form.",
			"Program Inclusion", "8 Months Program", "What People Have Been Saying", "launches certified blockchain programme with a 100% job guarantee",
			"Read More", "Have Questions?", "Let's Get You Enrolled", "PROCEED TO PAY",
			"Home", "Courses", "Program", "How it works", "Schedule", "Contact", "All Rights Reserved", "Powered By Aksharam Skill Academy",
			"₹4,50,000", "₹10,000 per month or more, up to ₹30,000", "₹10,000 of studio credits", "2-week cohort", "2-month paid internship",
			"6 industry meetups", "More than 20 guest interactions", "Quarterly industry veteran meet-ups",
			"A certification from a large technology company", "Referral bonus as cashback", "50K+", "50+", "100+", "workshops and hackathons", "top 250", "© 2026",
			"Meruvia Technologies", "Accreditation",
		},
		"/scholarship/hiresure-campus-2026": {"top 200", "the next 100 get 50%", "Cyber Security", "Sarovara College of Engineering"},
		"/apply":                            {"Hiring partners", "Tesmark Logistics", "Pandara Retail"},
	} {
		text := visible(o.page(address))
		for _, sentence := range sentences {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s does not say %q", address, sentence)
			}
		}
	}
}

func TestTheTwoLayoutsDiffer(t *testing.T) {
	o := testSite(t)
	scholarship, apply := o.page("/scholarship"), o.page("/apply")
	for _, test := range []struct {
		what, text       string
		onOne, onTheNext bool
	}{
		{"hiring partners", "<h3>Hiring partners</h3>", true, true},
		{"hiring partners, before the others", `partners-apply`, false, true},
		{"courses in rows", "course-strip-rows", false, true},
		{"weeks of courses", "Week <b>24</b>", false, true},
		{"the half sun", "footer-sun", false, true},
		{"the form in a phone's first screen", "hero hero-apply", false, true},
	} {
		if strings.Contains(scholarship, test.text) != test.onOne || strings.Contains(apply, test.text) != test.onTheNext {
			t.Errorf("%s: on /scholarship %v, on /apply %v", test.what, strings.Contains(scholarship, test.text), strings.Contains(apply, test.text))
		}
	}
}

func TestEachSectionHasItsAnchorOnce(t *testing.T) {
	o := testSite(t)
	page := o.page("/scholarship/hiresure-mgrow-2025")
	for _, id := range []string{"contact", "faq", "how-it-works", "courses", "program", "testimonial", "schedule", "press", "enrol", "main"} {
		if n := strings.Count(page, ` id="`+id+`"`); n != 1 {
			t.Errorf("id %s stands %d times", id, n)
		}
	}
	ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1)
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id[1]] {
			t.Errorf("id %q stands twice", id[1])
		}
		seen[id[1]] = true
	}
	for _, test := range []struct {
		what, part string
		count      int
	}{
		{"one h1", "<h1>", 1},
		{"nine questions", `<details name="faq"`, 9},
		{"the first one open", `<details name="faq" open>`, 1},
		{"four testimonials", "<blockquote>", 4},
		{"three programmes", `class="course-apply" href="?course=`, 3},
		{"each leads to its page", `<h3><a href="/scholarship/hiresure-mgrow-2025/courses/`, 3},
		{"each says how long it takes", `<p class="course-length">24 weeks</p>`, 3},
		{"weeks only on the pages of courses", `class="course-weeks"`, 0},
		{"the footer leads to all courses", `<a href="/scholarship/hiresure-mgrow-2025/courses">All courses</a>`, 1},
		{"one of them torn off", "is-chosen", 1},
		{"two rows of ranks", `<th scope="row">`, 2},
		{"one strip says that content is a sample", "Sample content.</b> Figures are examples.", 1},
		{"a promise leads to its conditions: hero, list, press", `<a class="to-conditions" href="#guarantee">Conditions</a>`, 3},
		{"slides and steps, one of each active", `data-place="active"`, 2},
		{"two rotations of 3 s", `data-rotate="3000"`, 2},
		{"two pause buttons", `class="pause"`, 2},
		{"one for the steps", `aria-label="Pause the three steps"`, 1},
		{"one for the testimonials", `aria-label="Pause the testimonials"`, 1},
		{"one exam among the dates", `<li class="is-exam">`, 1},
		{"the answer that they lead to", `id="guarantee"`, 1},
		{"a dot per testimonial", `aria-label="Show `, 4},
		{"two rows of papers", `<ul><li><a href="https://example.com/press/`, 2},
		{"three figures", `K+</dd>`, 1},
		{"no choice of a rank before a script offers it", `<div class="rank-choice" hidden>`, 1},
		{"Indian English", `<html lang="en-IN">`, 1},
		{"captions", `<track kind="captions"`, 1},
		{"no film before it is wanted", `preload="none"`, 1},
		{"the logo leads to the scholarship page", `<a class="brand" href="/scholarship/hiresure-mgrow-2025"`, 1},
		{"eight papers", `"https://example.com/press/`, 9},
		{"inline styles", ` style="`, 0},
		{"inline handlers", ` onclick`, 0},
	} {
		if n := strings.Count(page, test.part); n != test.count {
			t.Errorf("%s: %d times %s, want %d", test.what, n, test.part, test.count)
		}
	}
	for _, link := range regexp.MustCompile(`<a [^>]*href="https?://[^>]*>`).FindAllString(page, -1) {
		if !strings.Contains(link, `target="_blank"`) || !strings.Contains(link, `rel="noopener noreferrer"`) {
			t.Errorf("leads away without care: %s", link)
		}
	}
	_, program, _ := strings.Cut(page, `<div class="inclusions">`)
	first, rest, _ := strings.Cut(program, `</ul>`)
	second, _, _ := strings.Cut(rest, `</ul>`)
	if strings.Count(first, "<li>") != 3 || strings.Count(second, "<li>") != 9 {
		t.Errorf("inclusions stand %d and %d, want 3 and the other 9", strings.Count(first, "<li>"), strings.Count(second, "<li>"))
	}
}

func TestThePageIsTheSameBytesForEverybody(t *testing.T) {
	o := testSite(t)
	const address = "/scholarship/hiresure-mgrow-2025"
	first := o.ask(http.MethodGet, address)
	second := o.ask(http.MethodGet, address, "Cookie", "hiresure=someone", "User-Agent", "another")
	if !bytes.Equal(first.Body.Bytes(), second.Body.Bytes()) || first.Header().Get("Set-Cookie")+second.Header().Get("Set-Cookie") != "" {
		t.Error("two visitors got two pages, or a cookie")
	}
	if got := first.Header().Get("Cache-Control"); got != "public, max-age=0, must-revalidate" {
		t.Errorf("Cache-Control: %q", got)
	}
	if again := o.ask(http.MethodGet, address, "If-None-Match", first.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("a known page answers %d with %d bytes", again.Code, again.Body.Len())
	}
	small := o.ask(http.MethodGet, address, "Accept-Encoding", "br")
	if unpacked, err := io.ReadAll(brotli.NewReader(small.Body)); err != nil || !bytes.Equal(unpacked, first.Body.Bytes()) {
		t.Error("brotli holds another page")
	}
	own := o.ask(http.MethodGet, address+"?couponCode=mgrow500")
	if own.Header().Get("Cache-Control") != "no-store" || !strings.Contains(own.Body.String(), `value="MGROW500"`) {
		t.Error("a page with a coupon is kept, or does not hold it")
	}
	o.clock.Set(o.clock.Now().AddDate(0, 0, 1))
	if tomorrow := o.ask(http.MethodGet, address); tomorrow.Code != http.StatusOK {
		t.Error("the page of the next day is not served")
	}
}

func TestClosedEventKeepsItsPage(t *testing.T) {
	o := testSite(t)
	event, _ := o.words.Event("hiresure-mgrow-2025")
	for _, test := range []struct {
		what, says, never string
		at                time.Time
	}{
		{"before enrolment opens", "Enrolment opens on Thursday, 1 Oct 2026", "PROCEED TO PAY", event.EnrolmentOpens.Add(-time.Second)},
		{"while it is open", "PROCEED TO PAY", "Enrolment is closed", event.EnrolmentOpens},
		{"until the last second", "PROCEED TO PAY", "Enrolment is closed", event.EnrolmentCloses.Add(-time.Second)},
		{"from the first second after", "Enrolment is closed", "PROCEED TO PAY", event.EnrolmentCloses},
	} {
		o.clock.Set(test.at)
		text := visible(o.page("/scholarship/hiresure-mgrow-2025"))
		if !strings.Contains(text, test.says) || strings.Contains(text, test.never) || !strings.Contains(text, "Have Questions?") {
			t.Errorf("%s: wants %q and not %q", test.what, test.says, test.never)
		}
	}
}

func TestFilmCaptionsMatchTheContent(t *testing.T) {
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	page, _ := words.Landing("hiresure-mgrow-2025", openDay)
	film := page.Words.Video
	captions, err := os.ReadFile(filepath.Join("../../static", film.Captions))
	if err != nil || string(captions) != film.WebVTT() {
		t.Errorf("%s is not what the cues say: %v", film.Captions, err)
	}
	for _, name := range []string{film.Source, webm(film.Source), film.Poster} {
		if file, err := os.Stat(filepath.Join("../../static", name)); err != nil || file.Size() > 400<<10 || file.Size() < 1<<10 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Limits of what a phone downloads before the first touch of a form.
func TestThePageIsLight(t *testing.T) {
	if !static.Built() {
		t.Skip("the front end is not built: ./task bundle")
	}
	o := testSite(t)
	assets := static.Handler()
	weigh := func(address string) int {
		r := httptest.NewRequest(http.MethodGet, address, nil)
		r.Header.Set("Accept-Encoding", "br")
		answer := httptest.NewRecorder()
		assets.ServeHTTP(answer, r)
		if answer.Code != http.StatusOK {
			t.Fatalf("%s answers %d", address, answer.Code)
		}
		return answer.Body.Len()
	}
	page := o.ask(http.MethodGet, "/scholarship/hiresure-mgrow-2025", "Accept-Encoding", "br")
	markup, style, script, fonts := page.Body.Len(), weigh(static.Path("site.css")), weigh(static.Path("runtime.js")), 0
	for _, module := range static.Imports("runtime.js") {
		script += weigh(module)
	}
	for _, name := range []string{"eczar", "figtree"} {
		fonts += weigh(static.Path("fonts/" + name + ".woff2"))
	}
	t.Logf("HTML %d, CSS %d, script %d, fonts %d bytes", markup, style, script, fonts)
	if script > 8<<10 {
		t.Errorf("%d bytes of script before a form is touched, at most 8 KB", script)
	}
	if whole := markup + style + script + fonts; whole > 100<<10 {
		t.Errorf("%d bytes in all, at most 100 KB", whole)
	}
	source := o.page("/scholarship/hiresure-mgrow-2025")
	for _, address := range regexp.MustCompile(`(?:src|href|poster)="(https?:)?//[^"]*"`).FindAllString(source, -1) {
		if !strings.Contains(address, "example.com/press") && !strings.Contains(address, origin) {
			t.Errorf("a third party: %s", address)
		}
	}
}

func TestACourseTearsOffIntoTheForm(t *testing.T) {
	o := testSite(t)
	for _, test := range []struct {
		address, href string
		torn          int
	}{
		{"/scholarship/hiresure-mgrow-2025", `href="?course=Blockchain#enrol"`, 1},
		{"/scholarship/hiresure-mgrow-2025?couponCode=mgrow500", `href="?couponCode=MGROW500&amp;course=Blockchain#enrol"`, 1},
		{"/scholarship/hiresure-campus-2026", `href="?course=Cyber_Security#enrol"`, 1},
		{"/apply/hiresure-campus-2026", `href="?course=Cyber_Security#enrol"`, 0},
	} {
		page := o.page(test.address)
		if !strings.Contains(page, test.href) || strings.Count(page, "is-chosen") != test.torn {
			t.Errorf("%s: no %s, or %d torn off", test.address, test.href, strings.Count(page, "is-chosen"))
		}
	}
	event, _ := o.words.Event("hiresure-mgrow-2025")
	o.clock.Set(event.EnrolmentCloses)
	if closed := o.page("/scholarship/hiresure-mgrow-2025"); strings.Contains(closed, "course-apply") || !strings.Contains(closed, "24 weeks") {
		t.Error("a closed event offers its courses, or hides them")
	}
}
