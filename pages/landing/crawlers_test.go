package landing

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var dataBlocks = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

func TestStructuredDataSaysWhatThePageSays(t *testing.T) {
	o := testSite(t)
	for _, slug := range []string{"hiresure-mgrow-2025", "hiresure-campus-2026"} {
		page := o.page("/scholarship/" + slug)
		text := visible(page)
		event, _ := o.words.Event(slug)
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
			for _, offer := range []any{entity["offers"], entity} {
				if offer, is := offer.(map[string]any); is && offer["@type"] == "Offer" && (offer["price"] != decimal(event.FeeMinor) || offer["priceCurrency"] != "INR") {
					t.Errorf("%s offers %v %v, want %s INR", kind, offer["price"], offer["priceCurrency"], decimal(event.FeeMinor))
				}
			}
			if kind == "Course" {
				instance, _ := entity["hasCourseInstance"].(map[string]any)
				if instance["courseMode"] != "Online" || instance["courseWorkload"] != "PT15H" || !strings.Contains(text, entity["name"].(string)) || !strings.Contains(text, entity["description"].(string)) {
					t.Errorf("course %v is not the page's", entity["name"])
				}
			}
			questions, _ := entity["mainEntity"].([]any)
			if kind == "FAQPage" && len(questions) != 9 {
				t.Errorf("%d questions", len(questions))
			}
			for _, question := range questions {
				question := question.(map[string]any)
				answer := question["acceptedAnswer"].(map[string]any)
				if !strings.Contains(text, question["name"].(string)) || !strings.Contains(text, answer["text"].(string)) {
					t.Errorf("the page does not say %v %v", question["name"], answer["text"])
				}
			}
		}
		wanted := map[string]int{"EducationalOccupationalProgram": 1, "Course": len(event.Courses), "FAQPage": 1, "Organization": 1, "BreadcrumbList": 1, "Offer": 1, "VideoObject": 1}
		for kind, count := range wanted {
			if counts[kind] != count {
				t.Errorf("%s: %d blocks of %s, want %d", slug, counts[kind], kind, count)
			}
		}
		if n := strings.Count(text, "₹1,499"); n < 3 {
			t.Errorf("the fee stands %d times", n)
		}
		for _, tag := range []string{
			`<meta property="og:image" content="` + origin + `/og/` + slug + `.png">`, `<meta property="og:image:alt" content="` + html.EscapeString(event.Title), `<meta property="og:locale" content="en_IN">`,
			`<meta property="og:site_name" content="HireSure">`, `<meta name="twitter:card" content="summary_large_image">`, `<meta name="description" content="`,
		} {
			if !strings.Contains(page, tag) {
				t.Errorf("no %s", tag)
			}
		}
	}
}

func TestCrawlersFindWhatTheyMayShow(t *testing.T) {
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
		if _, err := time.Parse(time.DateOnly, place.Changed); err != nil && address != "/hiresure" {
			t.Errorf("%s changed %q", address, place.Changed)
		}
	}
	wanted := []string{"/scholarship/hiresure-campus-2026", "/scholarship/hiresure-mgrow-2025", "/hiresure", "/legal/privacy", "/legal/terms", "/legal/refund-policy", "/legal/legal-disclosure", "/legal/grievance"}
	if !slices.Equal(addresses, wanted) {
		t.Errorf("sitemap names %v", addresses)
	}
}

func TestThePreviewIsAPictureOfTheEvent(t *testing.T) {
	o := testSite(t)
	answer := o.ask(http.MethodGet, "/og/hiresure-mgrow-2025.png")
	picture, err := png.Decode(bytes.NewReader(answer.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 1200 || size.Y != 630 || answer.Header().Get("Content-Type") != "image/png" {
		t.Errorf("%v, %s", size, answer.Header().Get("Content-Type"))
	}
	if again := o.ask(http.MethodGet, "/og/hiresure-mgrow-2025.png"); !bytes.Equal(again.Body.Bytes(), answer.Body.Bytes()) {
		t.Error("the second one is another picture")
	}
}
