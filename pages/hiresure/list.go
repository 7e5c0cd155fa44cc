package hiresure

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

// listed is how many registrations a page of the list shows.
const listed = 10

// applyToo is the button of who has enrolled and may apply: beside an enrolment "Apply Now" would not say for what.
const applyToo = "Apply for HireSure"

// listMeta is the frame of the list.
var listMeta = components.Page{Title: "My Registrations", Main: "mine"}

type listView struct {
	Me      account.Account
	Title   string
	Rows    []row
	Next    string // address of the next page; "" behind the last
	Apply   string // where the application begins; "" where it cannot
	Failed  string // why there is no list
	NoPage  bool   // the page that was asked for does not exist
	Support content.Contact
}

// row is a registration in the list.
type row struct {
	Title, Line, Number string // Number of the ticket ends Line, and is never broken
	Badge               components.BadgeProps
	Steps               components.KnotsProps
	Turn                components.TurnProps
	Modified            string
	First               link // the button
	Solid               bool // the page's one solid button
	Links               []link
	Details             string // address
}

// kept is what somebody who sees no list may rely on.
func (v listView) kept() string {
	if v.NoPage {
		return "Nothing is lost: what you saved and paid is kept."
	}
	return "Nothing is lost: what you saved and paid is kept. Try again, or come back later."
}

// why is what failed; one sentence goes on within that of the heading.
func (v listView) why() string {
	if v.NoPage {
		return content.Lower(strings.TrimSuffix(v.Failed, "."))
	}
	return v.Failed
}

func (h *home) list(c *echo.Context) error {
	v, me, err := h.Me(c)
	if err != nil {
		return err
	}
	view := listView{Me: me, Apply: web.VerifyPath, Support: h.Content.Current().Site().Support}
	list, err := h.Registry.List(c.Request().Context(), v, c.QueryParam(web.CursorQuery), listed)
	if problem := h.ProblemOf(c, err); problem != nil {
		view.Title, view.Failed, view.NoPage = "Your registrations did not load", problem.Message, problem.Kind == admission.NotFound
		web.Refusal{RetryAfter: problem.RetryAfter}.SetHeaders(c.Response().Header())
		return h.Show(c, web.StatusOf(problem), listPage(h.Frame(), view))
	}
	if list.All == 0 {
		return h.Show(c, http.StatusOK, emptyPage(h.Frame(), view))
	}
	view.Title = waiting(list.Waiting, list.All)
	if list.Next != "" {
		view.Next = web.WithQuery(web.RegistrationsPath, url.Values{web.CursorQuery: {list.Next}})
	}
	if view.Apply, err = h.mayApply(c.Request().Context(), v); err != nil {
		return err
	}
	solid := false
	for _, item := range list.Items {
		line := rowOf(item, standingOf(h.Content.Current(), item, h.Clock()))
		line.Solid = !solid && item.Assignee == status.Person && line.First.Text != ""
		solid = solid || line.Solid
		view.Rows = append(view.Rows, line)
	}
	return h.Show(c, http.StatusOK, listPage(h.Frame(), view))
}

func rowOf(item registry.Item, standing pages.Standing) row {
	r := item.Registration
	line := row{
		Title: titleOf(item), Line: standing.Line(), Badge: badgeOf(item), Steps: stepsOf(standing), Turn: turnOf(item.Assignee),
		Modified: admission.Date(r.ModifiedAt), First: actionOf(item), Details: web.RegistrationPath(r.ID),
	}
	if r.Ticket != "" {
		if before, found := strings.CutSuffix(line.Line, r.Ticket); found {
			line.Line, line.Number = before, r.Ticket
		}
	}
	details := link{Text: "View Details", Href: line.Details}
	if line.First.Text == "" {
		line.First = details
	} else {
		line.Links = append(line.Links, details)
	}
	if paper := invoiceOf(item); paper.Text != "" && paper != line.First {
		line.Links = append(line.Links, paper)
	}
	return line
}

// waiting says how many of all registrations wait for the person.
func waiting(n, all int) string {
	switch {
	case n == 0:
		return "Nothing waits for you"
	case all == 1:
		return "One waits for you"
	case n == all && n == 2:
		return "Both wait for you"
	case n == all:
		return "All " + content.InWords(n) + " wait for you"
	case n == 1:
		return "One of " + content.InWords(all) + " waits for you"
	}
	return prose.Capital(content.InWords(n)) + " of " + content.InWords(all) + " wait for you"
}
