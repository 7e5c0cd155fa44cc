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

// questionsView is the page of an event's questions, all or found by a search.
type questionsView struct {
	*content.Landing
	Page           components.Page
	Navbar, Footer templ.Component
	Enquiry        enquiryView
	Here           string // path of this page
	Query          string // "" for all questions
	Groups         []questionGroup
	Found          int
	Closed         bool
}

// questionGroup is a group of questions with one heading.
type questionGroup struct {
	Name  string
	Items []content.Question
}

// maxSearchLength limits a search, in bytes.
const maxSearchLength = 100

// searchText returns the search text of a query; "" for none.
func searchText(query string) string {
	query = strings.TrimSpace(query)
	return strings.ToValidUTF8(query[:min(len(query), maxSearchLength)], "")
}

// questions serves all questions from the cache, or the result of a search.
func (l *Landing) questions(c *echo.Context) error {
	words, slug, now := l.Content.Current(), c.Param("slug"), l.Clock()
	state, known := words.Enrolment(slug, now)
	if !known {
		return l.unknown(c, words)
	}
	path := c.Request().URL.Path
	if query := searchText(c.QueryParam("q")); query != "" {
		page, _ := words.Landing(slug, now)
		return l.Show(c, http.StatusOK, questionsPage(l.questionsView(page, path, query)))
	}
	return l.ShowCached(c, words, path, string(state), func() templ.Component {
		page, _ := words.Landing(slug, now)
		return questionsPage(l.questionsView(page, path, ""))
	})
}

func (l *Landing) questionsView(page *content.Landing, path, query string) questionsView {
	frame := l.FrameOf(page.Site)
	v := questionsView{
		Landing: page, Here: path, Query: query, Closed: page.Notice.Title != "",
		Navbar: frame.Navbar(web.ScholarshipPath(page.Event.Slug), partnerOf(page)), Footer: frame.Footer(),
		Enquiry: l.enquiryOn(page, path),
		Page: components.Page{
			Title:       "Questions on the " + page.Event.Title,
			Description: prose.Capital(page.QuestionCount()) + " answers on cost, refund, job guarantee and exam of the " + page.Event.Title + ".",
			Canonical:   l.Absolute(web.QuestionsPath(page.Event.Slug)), NoIndex: query != "",
			Image: l.Absolute(pages.PreviewOf(page).Path()), ImageAlt: pages.PreviewOf(page).Alt(),
		},
	}
	found := page.FAQ
	if query != "" {
		found = search(page.FAQ, query)
	} else {
		v.Page.Data = []json.RawMessage{answersData(found)}
	}
	v.Found = len(found)
	if v.Found == 0 { // shows all, closed: the answer may use other words
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

// search returns the questions that contain every word, in heading, question or answer.
func search(all []content.Question, query string) (found []content.Question) {
	words := strings.Fields(strings.ToLower(query))
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

// resultTitle returns the number of results.
func (v questionsView) resultTitle() string {
	switch v.Found {
	case 0:
		return "No answer for “" + v.Query + "”. All " + v.QuestionCount() + " questions are below. Or call or write to us."
	case 1:
		return "One answer to “" + v.Query + "”"
	}
	return prose.Capital(content.InWords(v.Found)) + " answers to “" + v.Query + "”"
}

// showsResults reports whether the page shows results only.
func (v questionsView) showsResults() bool { return v.Query != "" && v.Found > 0 }

// opened reports whether an answer is open at first: the first one, or every result.
func (v questionsView) opened(group, item int) bool {
	return v.showsResults() || v.Query == "" && group+item == 0
}

// exclusive returns the name that makes questions close each other; "" for results.
func (v questionsView) exclusive() string {
	if v.showsResults() {
		return ""
	}
	return "faq"
}

// answer returns the link to an answer, on the page of all questions if this page lacks it.
func (v questionsView) answer(id string) string {
	if v.showsResults() {
		return v.Here + answerHref(id)
	}
	return answerHref(id)
}

// topQuestions returns the questions on the event's page.
func (v view) topQuestions() (all []content.Question) {
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
