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

func TestTheTenAnswersComeFromTheRecord(t *testing.T) {
	o := testSite(t)
	tuition := map[string]string{
		mgrowPage:  "From rank 251 the tuition is ₹4,50,000. You decide after the result.",
		campusPage: "From rank 201 the tuition is ₹2,25,000, from rank 301 ₹4,50,000. You decide after the result.",
	}
	for address, want := range map[string][][2]string{
		mgrowPage: {
			{"Who we are", "Aksharam Skill Academy, Bengaluru, with Meruvia Technologies"}, {"Cost", "₹1,499 for the exam. Then, by rank, ₹0 or ₹4,50,000 tuition"},
			{"Refund", "The full fee, if you e-mail us by 7 March"}, {"You learn", "Blockchain, AI or Data Analytics, live in English, Monday to Friday, 18:30 to 21:30"},
			{"Exam", "Sunday, 14 March 2027, 10:00 to 11:00 (planned), online. No negative marks"}, {"No seat?", "You owe nothing more. Or join and pay tuition"},
			{"Guarantee", "A job offer if you clear the exam, attend at least 80% of the classes and complete every project and the internship. No offer? We refund everything"},
			{"Eligibility", "Any subject, any year, graduates too. Under 18 with a parent"}, {"How to pay", "UPI, card, net banking or wallet, only on this site"},
			{"Call us", "+91 80 0000 0101, Monday to Saturday, 10:00 to 18:00"},
		},
		campusPage: {
			{"Who we are", "Aksharam Skill Academy, Bengaluru, with Veltara Systems"}, {"Cost", "₹1,499 for the exam. Then, by rank, ₹0, ₹2,25,000 or ₹4,50,000 tuition"},
			{"Exam", "Sunday, 28 March 2027, 10:00 to 11:00 (planned), online. No negative marks"},
		},
	} {
		facts := part(t, o.page(address), `id="facts"`, "</section>")
		var got [][2]string
		for _, row := range factRows.FindAllStringSubmatch(facts, -1) {
			value := regexp.MustCompile(`<s .*?</s> |</?(span|b)( class="(rupee|nowrap|whole)"| data-[^>]*)?>`).ReplaceAllString(row[2], "")
			got = append(got, [2]string{row[1], strings.TrimSpace(visible(value))})
		}
		if len(got) != 10 {
			t.Errorf("%s: %d answers", address, len(got))
		}
		for _, row := range want {
			if !slices.Contains(got, row) {
				t.Errorf("%s: no %q among %q", address, row, got)
			}
		}
		if told := tuition[address]; !strings.Contains(o.page(address), told+"</span>") {
			t.Errorf("%s: a parent is not told %q", address, told)
		}
		if !strings.Contains(facts, `<a href="tel:+918000000101">`) || !strings.Contains(facts, `<div id="guarantee">`) {
			t.Errorf("%s: the number cannot be called, or the guarantee not linked", address)
		}
	}
	event, _ := o.words.Event("hiresure-mgrow-2025")
	o.clock.Set(event.RefundUntil().AddDate(0, 0, 1))
	if facts := visible(part(t, o.page(mgrowPage), `id="facts"`, "</section>")); !strings.Contains(facts, "No refund any more, but one free move to the next exam") {
		t.Errorf("after the last day of a refund: %s", facts)
	}
}

func TestExamHasAPictureAndText(t *testing.T) {
	o := testSite(t)
	section := part(t, o.page(mgrowPage), `id="exam"`, "</section>")
	text := visible(section)
	for _, sentence := range []string{
		"The exam: one hour, 60 marks, no programming", "Equal marks? Reasoning marks decide, then Numbers.",
		"Connection lost? Rejoin with the same link. We add back up to 5 minutes.", "Disability? 20 more minutes, and a scribe if you need one.",
		"Syllabus, sample questions, all rules",
	} {
		if !strings.Contains(text, sentence) {
			t.Errorf("it does not say %q: %s", sentence, text)
		}
	}
	for _, markup := range []string{`<svg width="100%" height="8.75em" role="img" aria-label="Reasoning 25 minutes, Numbers 20 minutes, Reading 15 minutes">`, `x="41.667%" width="33.333%"`, `<a href="` + mgrowPage + `/exam">`} {
		if !strings.Contains(section, markup) {
			t.Errorf("it has no %s", markup)
		}
	}
}

func TestExamPage(t *testing.T) {
	o := testSite(t)
	for address, own := range map[string][]string{
		mgrowPage: {
			"14 March 2027 Sunday, online", "Planned for 10:00 to 11:00, confirmed by 28 Feb 2027. In English. No negative marks.", "Monday You get your rank eight days later", "Classes begin on 5 April.", "A The 6th B The 7th C The 8th D The 13th", "B The 7th is right C The 8th D The 13th Seven days before the 14th is the 7th.",
		},
		campusPage: {"28 March 2027 Sunday, online", "Planned for 10:00 to 11:00, confirmed by 14 Mar 2027. In English.", "Classes begin on 19 April.", "B The 21st is right", "Seven days before the 28th is the 21st."},
	} {
		page := o.page(address + "/exam")
		text := visible(page)
		for _, sentence := range append(own,
			"Sixty minutes, sixty marks, no programming", "The pattern may still change before the exam.",
			"No negative marks. Equal marks? Reasoning marks decide, then Numbers.", "Still equal? You share the rank.", "Cheating? We may cancel a result. First we show you the reason, and you have 5 days to reply. A second person then decides.",
			"Reasoning, numbers and reading", "25 marks in 25 minutes Order and direction Groups and exceptions",
			"Three to try, a minute each", "Reasoning, one mark All seats are numbered.", "Show the answers", "C No two seats share a number is right", "Each seat has a number",
			"What to bring", "A phone or computer with a camera A person watches by camera. If you are under 18, nothing is recorded.", "If the fault is ours, you get all the time back, or another date.", "If you have a disability, you may bring a scribe, and you get 20 more minutes. Write to us after you enrol.", "Yourself, alone Nobody else in the room, no second screen.",
			"Apply Now", "What you pay, by rank",
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
