package landing

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const allQuestions = "/scholarship/hiresure-mgrow-2025/questions"

func TestEveryQuestionIsAnsweredOnOnePage(t *testing.T) {
	o := testSite(t)
	for _, slug := range []string{"hiresure-mgrow-2025", "hiresure-campus-2026"} {
		address := "/scholarship/" + slug + "/questions"
		page := o.page(address)
		text := visible(page)
		words, _ := o.words.Landing(slug, openDay)
		for _, item := range words.FAQ {
			if !strings.Contains(text, item.Question+" "+item.Plain()) {
				t.Errorf("%s does not answer %q", address, item.Question)
			}
		}
		for _, test := range []struct {
			part  string
			count int
		}{
			{`<details name="faq"`, 10},
			{`<details name="faq" open>`, 1},
			{`<section class="faq-group">`, 5},
			{"<h1>Questions and answers</h1>", 1},
			{`<link rel="canonical" href="` + origin + address + `">`, 1},
			{`<meta name="robots"`, 0},
			{`<meta name="description" content="Ten answers on cost,`, 1},
			{`<form class="enquiry-form" id="enquiry"`, 1},
			{`href="#fee"`, 2},
			{`<div id="fee">`, 1},
			{" style=", 0},
		} {
			if n := strings.Count(page, test.part); n != test.count {
				t.Errorf("%s: %d times %s, want %d", address, n, test.part, test.count)
			}
		}
		blocks := dataBlocks.FindAllStringSubmatch(page, -1)
		if len(blocks) != 1 {
			t.Fatalf("%s: %d blocks of data", address, len(blocks))
		}
		var data struct {
			Type      string `json:"@type"`
			Questions []struct {
				Name   string `json:"name"`
				Answer struct {
					Text string `json:"text"`
				} `json:"acceptedAnswer"`
			} `json:"mainEntity"`
		}
		if err := json.Unmarshal([]byte(blocks[0][1]), &data); err != nil || data.Type != "FAQPage" || len(data.Questions) != 10 {
			t.Errorf("%s: %d questions in the data, %v", address, len(data.Questions), err)
		}
		for _, question := range data.Questions {
			if !strings.Contains(text, question.Name+" "+question.Answer.Text) {
				t.Errorf("%s does not say %q", address, question.Name)
			}
		}
	}
}

func TestASearchFindsAnswersWithoutAScript(t *testing.T) {
	o := testSite(t)
	for _, test := range []struct {
		what, sought string
		says         []string
		found        int
	}{
		{"one word", "camera", []string{"One answer to “camera”", "When and where is the exam?"}, 1},
		{"a word of several answers, in capitals", "TUITION", []string{"answers to “TUITION”", "What does it cost?"}, 4},
		{"words that stand apart", "money back", []string{"One answer to “money back”", "Can I get my money back?"}, 1},
		{"the name of a group", "internship job", []string{"Is the internship paid?", "What is the job guarantee?"}, 2},
		{"a word of what is to be confirmed", "full-time", []string{"One answer to “full-time”", "at the partner or from home."}, 1},
		{"what nobody answers", "hostel", []string{"No answer for “hostel”. All ten questions are below. Or call or write to us.", "+91 80 0000 0101"}, 0},
		{"markup", "<b>x", []string{"No answer for “<b>x”."}, 0},
		{"half of a letter", strings.Repeat("न", 60), []string{"No answer for “" + strings.Repeat("न", 33) + "”."}, 0},
		{"a letter of what stands in an answer, and much more", "camera" + strings.Repeat(" ", 200) + "hostel", []string{"One answer to “camera"}, 1},
	} {
		address := allQuestions + "?" + url.Values{"q": {test.sought}}.Encode()
		answer := o.ask(http.MethodGet, address)
		body := answer.Body.String()
		for _, text := range append(test.says, "All ten questions") {
			if !strings.Contains(visible(body), text) {
				t.Errorf("%s: does not say %q", test.what, text)
			}
		}
		closed, whole := 0, allQuestions // a search result may lack an answer: its link goes to the full page
		if test.found == 0 {
			closed, whole = 10, ""
		}
		if open, rest := strings.Count(body, "<details open>"), strings.Count(body, `<details name="faq">`); open != test.found || rest != closed {
			t.Errorf("%s: %d answers stand open and %d closed, want %d and %d", test.what, open, rest, test.found, closed)
		}
		if !strings.Contains(body, `href="`+whole+`#refund"`) {
			t.Errorf("%s: no way to the answer on refunds", test.what)
		}
		if answer.Code != http.StatusOK || answer.Header().Get("Cache-Control") != "no-store" || !strings.Contains(body, `<meta name="robots" content="noindex">`) ||
			strings.Contains(body, "FAQPage") || strings.Contains(body, "<b>x") || !strings.Contains(body, `<link rel="canonical" href="`+origin+allQuestions+`">`) {
			t.Errorf("%s: is kept, shown by search engines, or holds what was typed as markup", test.what)
		}
	}
	if empty := o.ask(http.MethodGet, allQuestions+"?q=+"); empty.Header().Get("Cache-Control") == "no-store" || strings.Contains(empty.Body.String(), "noindex") {
		t.Error("a search for nothing is a page of its own")
	}
	if unknown := o.ask(http.MethodGet, "/scholarship/no-such-event/questions"); unknown.Code != http.StatusFound || unknown.Header().Get("Location") != "/scholarship" {
		t.Errorf("an unknown event's questions: %d %q", unknown.Code, unknown.Header().Get("Location"))
	}
}
