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

// pageSize is the number of registrations on a page of the list.
const pageSize = 10

// applyLabel is the label of Apply in a list that has an enrolment, where "Apply Now" would be ambiguous.
const applyLabel = "Apply for HireSure"

// listMeta is the page of the list.
var listMeta = components.Page{Title: "My Registrations", Main: "account-page"}

type listView struct {
	Me      account.Account
	Title   string
	Rows    []row
	Next    string // address of the next page; "" on the last
	Apply   string // where the application starts; "" when it cannot
	Failed  string // why the list is missing
	NoPage  bool   // the requested page does not exist
	Support content.Contact
}

// row is a registration in the list.
type row struct {
	Title, Line, Number string // Number of the ticket ends Line unbroken
	Badge               components.BadgeProps
	Steps               components.StepperProps
	Assignee            components.AssigneeProps
	Modified            string
	First               link // button
	Solid               bool // it is the page's only solid button
	Links               []link
	Details             string // address
}

// reassurance reassures a person whose list is missing.
func (v listView) reassurance() string {
	if v.NoPage {
		return "Nothing is lost: what you saved and paid is kept."
	}
	return "Nothing is lost: what you saved and paid is kept. Try again, or come back later."
}

// failure returns Failed, in lower case where it continues the heading.
func (v listView) failure() string {
	if v.NoPage {
		return prose.Lower(strings.TrimSuffix(v.Failed, "."))
	}
	return v.Failed
}

func (h *home) list(c *echo.Context) error {
	v, me, err := h.Me(c)
	if err != nil {
		return err
	}
	view := listView{Me: me, Apply: web.VerifyPath, Support: h.Content.Current().Site().Support}
	list, err := h.Registry.List(c.Request().Context(), v, c.QueryParam(web.CursorQuery), pageSize)
	if problem := h.ProblemOf(c, err); problem != nil {
		view.Title, view.Failed, view.NoPage = "Your registrations did not load", problem.Message, problem.Kind == admission.NotFound
		return h.Show(c, pages.StatusOf(c, problem), listPage(h.Frame(), view))
	}
	if list.All == 0 {
		return h.Show(c, http.StatusOK, emptyPage(h.Frame(), view))
	}
	view.Title = waitingTitle(list.Waiting, list.All)
	if list.Next != "" {
		view.Next = web.WithQuery(web.RegistrationsPath, url.Values{web.CursorQuery: {list.Next}})
	}
	if view.Apply, err = h.applyPath(c.Request().Context(), v); err != nil {
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
		Title: titleOf(item), Line: standing.Line(), Badge: badgeOf(item), Steps: stepsOf(standing), Assignee: assigneeOf(item.Assignee),
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

// waitingTitle returns how many registrations wait for the person.
func waitingTitle(n, all int) string {
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
