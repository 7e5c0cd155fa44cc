package landing

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

// questionsView is the page of all questions of an event, or of those that a search finds.
type questionsView struct {
	*content.Landing
	Page           components.Page
	Navbar, Footer templ.Component
	Enquiry        enquiryView
	Here           string // path of this page
	Sought         string // "" for all questions
	Groups         []questionGroup
	Found          int
	Closed         bool
}

// questionGroup are neighbours with one heading.
type questionGroup struct {
	Name  string
	Items []content.Question
}

// longestSearch is how many bytes of a search count, and are shown again.
const longestSearch = 100

// soughtBy is what a query looks for; "" for nothing.
func soughtBy(query string) string {
	query = strings.TrimSpace(query)
	return strings.ToValidUTF8(query[:min(len(query), longestSearch)], "")
}

// questions serves all questions from memory, and what a search finds for the one who asks.
func (l *Landing) questions(c *echo.Context) error {
	words, slug, now := l.Content.Current(), c.Param("slug"), l.Clock()
	state, known := words.Enrolment(slug, now)
	if !known {
		return l.unknown(c, words)
	}
	path := c.Request().URL.Path
	if sought := soughtBy(c.QueryParam("q")); sought != "" {
		page, _ := words.Landing(slug, now)
		return l.Show(c, http.StatusOK, questionsPage(l.questionsView(page, path, sought)))
	}
	return l.ShowCached(c, words, path, string(state), func() templ.Component {
		page, _ := words.Landing(slug, now)
		return questionsPage(l.questionsView(page, path, ""))
	})
}

func (l *Landing) questionsView(page *content.Landing, path, sought string) questionsView {
	frame := l.FrameOf(page.Site)
	v := questionsView{
		Landing: page, Here: path, Sought: sought, Closed: page.Notice.Title != "",
		Navbar: frame.Navbar(web.ScholarshipPath(page.Event.Slug), partnerOf(page)), Footer: frame.Footer(),
		Enquiry: l.enquiryOn(page, path),
		Page: components.Page{
			Title:       "Questions on the " + page.Event.Title,
			Description: prose.Capital(page.QuestionCount()) + " answers on cost, refund, job guarantee and exam of the " + page.Event.Title + ".",
			Canonical:   l.Absolute(web.QuestionsPath(page.Event.Slug)), NoIndex: sought != "",
			Image: l.Absolute(pages.PreviewOf(page).Path()), ImageAlt: pages.PreviewOf(page).Alt(),
		},
	}
	found := page.FAQ
	if sought != "" {
		found = search(page.FAQ, sought)
	} else {
		v.Page.Data = []json.RawMessage{answersData(found)}
	}
	v.Found = len(found)
	if v.Found == 0 { // all of them, closed: the answer may have another word
		found = page.FAQ
	}
	for _, item := range found {
		if last := len(v.Groups) - 1; last >= 0 && v.Groups[last].Name == item.Group {
			v.Groups[last].Items = append(v.Groups[last].Items, item)
			continue
		}
		v.Groups = append(v.Groups, questionGroup{item.Group, []content.Question{item}})
	}
	return v
}

// search are the questions in which each of the words stands, in its heading, its question or its answer.
func search(all []content.Question, sought string) (found []content.Question) {
	words := strings.Fields(strings.ToLower(sought))
	for _, item := range all {
		text := strings.ToLower(item.Group + " " + item.Question + " " + item.Plain() + " " + item.More.Text)
		stands := true
		for _, word := range words {
			stands = stands && strings.Contains(text, word)
		}
		if stands {
			found = append(found, item)
		}
	}
	return found
}

// foundSays tells how much a search has found.
func (v questionsView) foundSays() string {
	switch v.Found {
	case 0:
		return "Nothing answers “" + v.Sought + "”. All " + v.QuestionCount() + " questions stand below; or call or write to us."
	case 1:
		return "One answer to “" + v.Sought + "”"
	}
	return prose.Capital(content.InWords(v.Found)) + " answers to “" + v.Sought + "”"
}

// searched reports whether the page holds what a search has found, and nothing else.
func (v questionsView) searched() bool { return v.Sought != "" && v.Found > 0 }

// opened reports whether a question's answer is shown from the start: the first one, and all that a search has found.
func (v questionsView) opened(group, item int) bool {
	return v.searched() || v.Sought == "" && group+item == 0
}

// exclusive is the name that questions share of which one is open at a time; those that a search found stay open.
func (v questionsView) exclusive() string {
	if v.searched() {
		return ""
	}
	return "faq"
}

// answer leads to an answer, on the page of all questions where this one does not hold it.
func (v questionsView) answer(id string) string {
	if v.searched() {
		return v.Here + answerHref(id)
	}
	return answerHref(id)
}

// askedFirst are the questions that the event's page answers itself.
func (v view) askedFirst() (all []content.Question) {
	for _, id := range v.Words.AskedFirst {
		if item, known := v.Question(id); known {
			all = append(all, item)
		}
	}
	return all
}

func groupName(name string) templ.Attributes {
	if name == "" {
		return nil
	}
	return templ.Attributes{"name": name}
}
