package landing

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/content"
)

const mgrowPage, campusPage = "/scholarship/hiresure-mgrow-2025", "/scholarship/hiresure-campus-2026"

// part returns the part of a page between two texts.
func part(t *testing.T, page, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, from)
	if !found {
		t.Fatalf("the page has no %q", from)
	}
	piece, _, _ := strings.Cut(rest, to)
	return from + piece
}

var factRows = regexp.MustCompile(`(?s)<dt>(.*?)</dt>\s*<dd>(.*?)</dd>`)

func TestTheFactsComeFromTheRecord(t *testing.T) {
	o := testSite(t)
	parents := map[string]string{
		mgrowPage:  "From rank 251 on the course costs ₹4,50,000. Whether to take it is decided after the result.",
		campusPage: "From rank 201 on the course costs ₹2,25,000, from rank 301 on ₹4,50,000. Whether to take it is decided after the result.",
	}
	for address, want := range map[string][][2]string{
		mgrowPage: {
			{"Exam date", "Sunday, 14 Mar 2027"}, {"Mode", "Online, with a proctor, from home or from college"},
			{"Time of day", "10:00 to 11:00, confirmed by 28 Feb 2027"}, {"Languages", "English; negative marks: none"}, {"Classes", "Live online, in English, Monday to Friday, 18:30 to 21:30. Each is recorded."},
			{"What you need", "A phone or computer with a camera for the exam. For the classes a laptop or PC, and about 1 GB of data an hour."},
			{"Who can apply", "Students in any year, graduates and working professionals of any subject, with an Indian mobile number. No technical background is needed. Under 18 with a parent or guardian, who consents with a code."},
			{"Fee", "₹1,499, all taxes included"}, {"Refund", "In full, within 7 business days, if you write to us by 7 March. After that, one free move to the next exam."}, {"Last day to enrol", "10 March, until 23:59; from 8 March on without a refund"},
			{"Who runs it", "Aksharam Skill Academy, with Meruvia Technologies"}, {"Internship", "Full-time, at the partner or from home."}, {"At the end", "A certification by Kestrel Cloud, not a university degree."}, {"Whom to call", "+91 80 0000 0101, Monday to Saturday, 10:00 to 18:00. On the day of the exam, 08:00 to 14:00"},
		},
		campusPage: {
			{"Exam date", "Sunday, 28 Mar 2027"}, {"Mode", "Online, with a proctor, in the halls of the partner college or from home"},
			{"Classes", "Live online, in English, Monday to Friday, 18:30 to 21:30. Each is recorded."},
			{"Refund", "In full, within 7 business days, if you write to us by 21 March. After that, one free move to the next exam."}, {"Last day to enrol", "24 March, until 23:59; from 22 March on without a refund"},
			{"Who runs it", "Aksharam Skill Academy, with Veltara Systems"},
		},
	} {
		facts := part(t, o.page(address), `id="facts"`, "</section>")
		var got [][2]string
		for _, row := range factRows.FindAllStringSubmatch(facts, -1) {
			value := regexp.MustCompile(`</?span( class="rupee"| data-[^>]*)?>`).ReplaceAllString(strings.ReplaceAll(row[2], `<span class="sample">`, " "), "")
			got = append(got, [2]string{row[1], strings.TrimSpace(visible(regexp.MustCompile(`</?b>`).ReplaceAllString(value, "")))})
		}
		_, folded, _ := strings.Cut(facts, `<summary>6 more facts</summary>`)
		if more := len(factRows.FindAllString(folded, -1)); len(got) != 15 || more != 6 {
			t.Errorf("%s: %d facts, %d of them folded; want 15 and 6: who looks for one reads no more", address, len(got), more)
		}
		for _, row := range want {
			if !slices.Contains(got, row) {
				t.Errorf("%s: no %q among %q", address, row, got)
			}
		}
		if parent := parents[address]; !strings.Contains(o.page(address), "<li>"+parent) {
			t.Errorf("%s: a parent is not told %q", address, parent)
		}
		if !strings.Contains(facts, `<a href="tel:+918000000101">`) {
			t.Errorf("%s: the number cannot be called", address)
		}
	}
}

func TestRefundTermsAreNextToThePriceUntilTheLastDay(t *testing.T) {
	o := testSite(t)
	event, _ := o.words.Event("hiresure-mgrow-2025")
	over := event.RefundUntil().AddDate(0, 0, 1)
	for _, test := range []struct {
		what  string
		at    time.Time
		shown int
	}{{"while it is open", openDay, 1}, {"in its last second", over.Add(-time.Second), 1}, {"once it is over", over, 0}} {
		o.clock.Set(test.at)
		if n := strings.Count(o.page("/scholarship/hiresure-mgrow-2025"), "Full refund until 7 March"); n != test.shown {
			t.Errorf("%s: %d times beside the price, want %d", test.what, n, test.shown)
		}
	}
}

func TestExamHasAPictureAndText(t *testing.T) {
	o := testSite(t)
	section := part(t, o.page(mgrowPage), `id="exam"`, "</section>")
	text := visible(section)
	for _, sentence := range []string{
		"The exam", "One hour of reasoning, numbers and reading. No\u00a0programming.",
		"Reasoning: 25 minutes, 25 marks", "Numbers: 20 minutes, 20 marks", "Reading: 15 minutes, 15 marks",
		"Numbers, one mark A class has 36 students.", "Show the answer", "A 4 B 6 is right C 9 D 12", "12 students are left; half of them cycle, that is 6.",
		"Study material and a mock test on 28 February prepare you.", "Pattern, syllabus and what to bring",
	} {
		if !strings.Contains(text, sentence) {
			t.Errorf("it does not say %q: %s", sentence, text)
		}
	}
	for _, markup := range []string{`<svg width="100%" height="11.25em" aria-hidden="true">`, `x="41.667%" width="33.333%"`, `<a href="` + mgrowPage + `/exam">`} {
		if !strings.Contains(section, markup) {
			t.Errorf("it has no %s", markup)
		}
	}
	if n := strings.Count(section, "<details"); n != 1 || strings.Contains(section, "<details open") {
		t.Errorf("%d questions to open, want one that is closed", n)
	}
}

func TestExamPage(t *testing.T) {
	o := testSite(t)
	for address, own := range map[string][]string{
		mgrowPage: {
			"14 March 2027 Sunday, online", "From 10:00 to 11:00, confirmed by 28 Feb 2027, in English.", "Monday Eight days later you know your rank", "Classes begin on 5 April.", "A The 6th B The 7th C The 8th D The 13th", "B The 7th is right C The 8th D The 13th Seven days before the 14th is the 7th.",
		},
		campusPage: {"28 March 2027 Sunday, online", "From 10:00 to 11:00, confirmed by 14 Mar 2027, in English.", "Classes begin on 19 April.", "B The 21st is right", "Seven days before the 28th is the 21st."},
	} {
		page := o.page(address + "/exam")
		text := visible(page)
		for _, sentence := range append(own,
			"Sixty minutes, sixty marks, no programming", "The pattern may still change before the exam.",
			"in English. Negative marks: none. Equal marks are ranked by the time taken.",
			"Reasoning, numbers and reading", "25 marks in 25 minutes Order and direction Groups and exceptions",
			"Three to try, a minute each", "Reasoning, one mark All seats are numbered.", "Show the answers", "C No two seats share a number is right", "Each seat has a number",
			"What to bring", "A phone or computer with a camera The camera stays on during the exam.", "Yourself, alone Nobody else in the room, no second screen.",
			"Apply Now", "What a rank pays",
		) {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s does not say %q", address, sentence)
			}
		}
		if before, _, _ := strings.Cut(text, "Show the answers"); strings.Contains(before, "is right") {
			t.Errorf("%s: a question on its page tells its answer before it is asked for", address)
		}
		title := html.UnescapeString(part(t, page, "<title>", "</title>"))[len("<title>"):]
		if n := len([]rune(title)); n >= 60 || !strings.Contains(title, "exam 2027") || !strings.Contains(title, "HireSure") {
			t.Errorf("title of %d characters: %q", n, title)
		}
		for _, markup := range []string{
			`<link rel="canonical" href="` + origin + address + `/exam">`, `<meta property="og:image" content="` + origin + "/og" + strings.TrimPrefix(address, "/scholarship") + `.`,
			`<meta name="description" content="Sixty minutes of reasoning, numbers and reading on `,
			`<a href="` + address + `">HireSure `, `href="` + address + `#enrol"`, `href="` + address + `#rank"`, `href="` + address + `#how-it-works"`,
		} {
			if !strings.Contains(page, markup) {
				t.Errorf("%s: no %s", address, markup)
			}
		}
		for _, block := range dataBlocks.FindAllStringSubmatch(page, -1) {
			var entity struct {
				Type  string `json:"@type"`
				Items []struct {
					Name, Item string
					Position   int
				} `json:"itemListElement"`
			}
			if err := json.Unmarshal([]byte(block[1]), &entity); err != nil || entity.Type != "BreadcrumbList" || len(entity.Items) != 2 {
				t.Fatalf("%v: %s", err, block[1])
			}
			for i, item := range entity.Items {
				if item.Position != i+1 || !strings.Contains(text, item.Name) || !strings.HasPrefix(item.Item, origin+address) {
					t.Errorf("%s: %+v", address, item)
				}
			}
		}
	}
}

func TestTheExamsPageIsKept(t *testing.T) {
	o := testSite(t)
	const address = mgrowPage + "/exam"
	first, second := o.ask(http.MethodGet, address), o.ask(http.MethodGet, address, "Cookie", "hiresure=someone")
	if !bytes.Equal(first.Body.Bytes(), second.Body.Bytes()) || first.Header().Get("ETag") == "" || first.Header().Get("Set-Cookie") != "" ||
		first.Header().Get("Cache-Control") != "public, max-age=0, must-revalidate" {
		t.Errorf("it is not the same for everybody: %v", first.Header())
	}
	for from, to := range map[string]string{
		"/scholarship/HireSure-mGrow-2025/exam": address,
		"/scholarship/nothing/exam":             "/scholarship",
	} {
		if answer := o.ask(http.MethodGet, from); answer.Header().Get("Location") != to {
			t.Errorf("%s answers %d to %q, want %q", from, answer.Code, answer.Header().Get("Location"), to)
		}
	}
	if answer := o.ask(http.MethodGet, "/scholarship/v1/exam"); answer.Code != http.StatusNotFound {
		t.Errorf("an address of the API answers %d", answer.Code)
	}
	event, _ := o.words.Event("hiresure-mgrow-2025")
	o.clock.Set(event.EnrolmentCloses)
	if closed := visible(o.page(address)); strings.Contains(closed, "Apply Now") || !strings.Contains(closed, "Ask a question") {
		t.Error("after the end of enrolment the page still says Apply Now, or not what to do instead")
	}
}

func TestUnconfirmedPartsOfTheExam(t *testing.T) {
	o := testSite(t)
	page, _ := o.words.Landing("hiresure-mgrow-2025", o.clock.Now())
	page.Exam.Samples = []content.ExamPart{content.ExamLanguages}
	if examOf(page).Sampled {
		t.Error("a pattern that is confirmed is called a sample")
	}
	when := func() string { return examPageView{examView: examOf(page), Event: page.Event}.when() }
	if got := when(); got != "Sunday, 10:00, online" {
		t.Errorf("a time that is confirmed stands with the day: %q", got)
	}
	page.Exam.Samples = append(page.Exam.Samples, content.ExamTime)
	if got := when(); got != "Sunday, online" {
		t.Errorf("a time that nobody has confirmed stands with the day: %q", got)
	}
}
