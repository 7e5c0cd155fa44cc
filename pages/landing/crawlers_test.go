package landing

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"image/png"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/static"
)

var dataBlocks = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

func TestStructuredDataMatchesThePage(t *testing.T) {
	o := testSite(t)
	for _, slug := range []string{"hiresure-mgrow-2025", "hiresure-campus-2026"} {
		page := o.page("/scholarship/" + slug)
		text := visible(page)
		event, _ := o.words.Event(slug)
		landing, _ := o.words.Landing(slug, o.clock.Now())
		counts := map[string]int{}
		for _, block := range dataBlocks.FindAllStringSubmatch(page, -1) {
			var entity map[string]any
			if err := json.Unmarshal([]byte(block[1]), &entity); err != nil {
				t.Fatal(err)
			}
			kind, _ := entity["@type"].(string)
			counts[kind]++
			if entity["@context"] != "https://schema.org" {
				t.Errorf("%s has no context", kind)
			}
			switch kind {
			case "EducationEvent":
				offer := entity["offers"].(map[string]any)
				if offer["price"] != decimal(event.FeeMinor) || offer["priceCurrency"] != "INR" {
					t.Errorf("the exam is offered at %v %v", offer["price"], offer["priceCurrency"])
				}
				day := event.Exam.Format(time.DateOnly)
				if entity["startDate"] != day+"T10:00:00+05:30" || entity["endDate"] != day+"T11:00:00+05:30" || !strings.Contains(text, "10:00 to 11:00") || entity["image"] != origin+pages.PreviewOf(landing).Path() {
					t.Errorf("the exam takes place from %v to %v, shown by %v", entity["startDate"], entity["endDate"], entity["image"])
				}
				if day := event.Exam.Format("Monday, 2 Jan 2006"); !strings.Contains(text, day) {
					t.Errorf("the page does not say %q", day)
				}
				if offer["availability"] != "https://schema.org/InStock" || offer["validFrom"] != admission.ISODate(event.EnrolmentOpens) || offer["validThrough"] != lastDay(event) {
					t.Errorf("the exam is offered from %v to %v, %v: the page says until %s", offer["validFrom"], offer["validThrough"], offer["availability"], lastDay(event))
				}
			case "EducationalOccupationalProgram":
				if entity["applicationDeadline"] != lastDay(event) {
					t.Errorf("one enrols until %v: the page says until %s", entity["applicationDeadline"], lastDay(event))
				}
			case "Course":
				instance, _ := entity["hasCourseInstance"].(map[string]any)
				schedule, _ := instance["courseSchedule"].(map[string]any)
				if instance["courseMode"] != "Online" || schedule["duration"] != "PT15H" || !strings.Contains(text, "15 hours a week") || entity["offers"] != nil ||
					!strings.Contains(text, entity["name"].(string)) || !strings.Contains(text, entity["description"].(string)) {
					t.Errorf("course %v is not the page's", entity["name"])
				}
				if weeks := fmt.Sprintf("%v weeks", schedule["repeatCount"]); !strings.Contains(text, weeks) {
					t.Errorf("the page does not say that %v takes %s", entity["name"], weeks)
				}
				if begins := event.ClassesBegin; instance["startDate"] != begins.Format(time.DateOnly) || !strings.Contains(text, begins.Format("2 January")) {
					t.Errorf("classes begin on %v", instance["startDate"])
				}
			case "VideoObject":
				if entity["uploadDate"] != event.EnrolmentOpens.Format(time.RFC3339) || entity["url"] != origin+"/scholarship/"+slug+"#how-it-works" || !strings.Contains(page, `id="how-it-works"`) {
					t.Errorf("the film of %v is watched at %v", entity["uploadDate"], entity["url"])
				}
			case "Organization":
				for _, part := range append(strings.Split(entity["address"].(string), ", Bengaluru"), entity["legalName"].(string)) {
					if !strings.Contains(text, strings.TrimSpace(strings.Split(part, ",")[0])) {
						t.Errorf("the page does not say %q", part)
					}
				}
				if logo := entity["logo"].(string); !strings.HasSuffix(logo, ".png") {
					t.Errorf("the logo is %s, which some readers do not show", logo)
				}
			}
		}
		wanted := map[string]int{"EducationalOccupationalProgram": 1, "Course": len(event.Courses), "FAQPage": 0, "Organization": 1, "BreadcrumbList": 1, "EducationEvent": 1, "ItemList": 1, "WebSite": 1, "VideoObject": 1}
		for kind, count := range wanted {
			if counts[kind] != count {
				t.Errorf("%s: %d blocks of %s, want %d", slug, counts[kind], kind, count)
			}
		}
		if n := strings.Count(text, "₹1,499"); n < 3 {
			t.Errorf("the fee stands %d times", n)
		}
		for _, tag := range []string{
			`<meta property="og:image" content="` + origin + pages.PreviewOf(landing).Path() + `">`, `<meta property="og:image:alt" content="` + html.EscapeString(event.Title), `<meta property="og:locale" content="en_IN">`,
			`<meta property="og:site_name" content="HireSure">`, `<meta name="twitter:card" content="summary_large_image">`, `<meta name="description" content="`,
		} {
			if !strings.Contains(page, tag) {
				t.Errorf("no %s", tag)
			}
		}
	}
}

// lastDay returns the last day of enrolment in the page's schedule.
func lastDay(event content.Event) string {
	for _, day := range event.Schedule {
		if day.ID == "enrolment-closes" {
			return day.Date.Format(time.DateOnly)
		}
	}
	return ""
}

func TestCrawlersMayIndexPublicPages(t *testing.T) {
	o := testSite(t)
	robots := o.page("/robots.txt")
	for _, line := range []string{"User-agent: *", "Disallow: /admin", "Disallow: /checkout", "Disallow: /dev", "Sitemap: " + origin + "/sitemap.xml"} {
		if !strings.Contains(robots, line+"\n") {
			t.Errorf("robots.txt has no %q", line)
		}
	}
	if n := strings.Count(robots, "Disallow"); n != 3 {
		t.Errorf("robots.txt disallows %d paths: a page with noindex must stay readable", n)
	}
	var places sitemap
	if err := xml.Unmarshal([]byte(o.page("/sitemap.xml")), &places); err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, place := range places.Places {
		address := strings.TrimPrefix(place.Address, origin)
		addresses = append(addresses, address)
		if _, err := time.Parse(time.DateOnly, place.Changed); err != nil {
			t.Errorf("%s changed %q", address, place.Changed)
		}
	}
	var wanted []string
	for _, event := range o.words.Events() {
		page := "/scholarship/" + event.Slug
		wanted = append(wanted, page, page+"/exam", page+"/questions", page+"/courses")
		for _, code := range event.Courses {
			wanted = append(wanted, page+"/courses/"+strings.ToLower(strings.ReplaceAll(code, "_", "-")))
		}
	}
	wanted = append(wanted, "/hiresure")
	for _, page := range o.words.Pages() {
		wanted = append(wanted, "/legal/"+page.Slug)
	}
	for _, shipped := range []string{"/scholarship/hiresure-campus-2026", "/scholarship/hiresure-mgrow-2025/exam", "/scholarship/hiresure-mgrow-2025/courses/data-analytics", "/legal/privacy", "/legal/terms", "/legal/refund-policy", "/legal/legal-disclosure", "/legal/grievance"} {
		if !slices.Contains(wanted, shipped) {
			t.Errorf("the content has no %s", shipped)
		}
	}
	if !slices.Equal(addresses, wanted) {
		t.Errorf("sitemap names\n%v, want\n%v", addresses, wanted)
	}
}

func TestSitemapHasModificationDates(t *testing.T) {
	event := content.Event{
		Updated:        content.Date{Time: time.Date(2026, 11, 22, 0, 0, 0, 0, admission.IST)},
		EnrolmentOpens: time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), EnrolmentCloses: time.Date(2027, 3, 11, 0, 0, 0, 0, admission.IST),
	}
	for now, want := range map[time.Time]string{
		event.EnrolmentCloses.Add(-1):                         "2026-11-22",
		event.EnrolmentCloses:                                 "2027-03-11",
		time.Date(2030, 1, 1, 0, 0, 0, 0, admission.IST):      "2027-03-11",
		time.Date(2026, 11, 22, 23, 59, 59, 0, admission.IST): "2026-11-22",
	} {
		if got := admission.ISODate(lastChange(event, now)); got != want {
			t.Errorf("at %s it changed on %s, want %s", now, got, want)
		}
	}
	event.EnrolmentOpens = event.Updated.AddDate(0, 0, 3)
	if got := admission.ISODate(lastChange(event, event.EnrolmentOpens)); got != "2026-11-25" {
		t.Errorf("enrolment that opens later changes the page on %s", got)
	}
}

func TestEveryPageNamesTheManifest(t *testing.T) {
	o := testSite(t)
	for _, address := range []string{"/scholarship/hiresure-mgrow-2025", "/apply/hiresure-campus-2026", "/scholarship/hiresure-mgrow-2025/exam"} {
		if !strings.Contains(o.page(address), `<link rel="manifest" href="/site.webmanifest">`) {
			t.Errorf("%s names no manifest", address)
		}
	}
	answer := o.ask(http.MethodGet, "/site.webmanifest")
	if got := answer.Header().Get("Content-Type"); answer.Code != http.StatusOK || got != "application/manifest+json" {
		t.Errorf("%d, %q", answer.Code, got)
	}
	var manifest struct {
		Name     string `json:"name"`
		StartURL string `json:"start_url"`
		Theme    string `json:"theme_color"`
		Icons    []struct{ Src, Sizes, Type string }
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Name != "HireSure Scholarship" || manifest.StartURL != "/" || !strings.Contains(o.page("/scholarship"), `<meta name="theme-color" content="`+manifest.Theme+`"`) {
		t.Errorf("%+v", manifest)
	}
	for _, icon := range manifest.Icons {
		w := httptest.NewRecorder()
		static.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, icon.Src, nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != icon.Type {
			t.Errorf("%s: %d, %q", icon.Src, w.Code, w.Header().Get("Content-Type"))
		}
		if icon.Type != "image/png" {
			continue
		}
		if drawn, err := png.DecodeConfig(w.Body); err != nil || fmt.Sprintf("%dx%d", drawn.Width, drawn.Height) != icon.Sizes {
			t.Errorf("%s is no picture of %s: %v", icon.Src, icon.Sizes, err)
		}
	}
}

func TestTheLogosOfTheAPIAreThere(t *testing.T) {
	o := testSite(t)
	page := o.page("/scholarship/hiresure-mgrow-2025")
	for _, name := range []string{"meruvia.svg", "aksharam.svg", "council.svg"} {
		logo := o.ask(http.MethodGet, "/logos/"+name)
		if kind := logo.Header().Get("Content-Type"); logo.Code != http.StatusOK || kind != "image/svg+xml" || !strings.Contains(page, logo.Body.String()) {
			t.Errorf("%s answers %d, %s", name, logo.Code, kind)
		}
	}
	for _, address := range []string{"/logos/moon.svg", "/logos/%2e%2e%2fsite.yaml"} {
		if logo := o.ask(http.MethodGet, address); logo.Code != http.StatusNotFound {
			t.Errorf("%s answers %d", address, logo.Code)
		}
	}
}
