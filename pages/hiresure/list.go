package hiresure

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
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

// listMeta is the page of the list.
var listMeta = components.Page{Title: "My Registrations", Main: "account-page"}

type listView struct {
	Me      account.Account
	Title   string
	Rows    []row
	Next    string // address of the next page; "" on the last
	Failed  string // why the list is missing
	NoPage  bool   // the requested page does not exist
	Support content.Contact
}

// row is a registration in the list.
type row struct {
	Kind                string // Application or Exam, since the titles are alike
	Title, Line, Number string // Number of the ticket ends Line unbroken
	Beside              string // what the badge means
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
		return "Your registrations and payments are safe."
	}
	return "Your registrations and payments are safe. Try again, or come back later."
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
	view := listView{Me: me, Support: h.Content.Current().Site().Support}
	list, err := h.Registry.List(c.Request().Context(), v, c.QueryParam(web.CursorQuery), pageSize)
	if problem := h.ProblemOf(c, err); problem != nil {
		view.Title, view.Failed, view.NoPage = "Your registrations did not load", problem.Message, problem.Kind == admission.NotFound
		return h.Show(c, pages.StatusOf(c, problem), listPage(h.Frame(), view))
	}
	if list.All == 0 {
		return h.Show(c, http.StatusOK, emptyPage(h.Frame(), h.newView(me)))
	}
	view.Title = waitingTitle(list.Waiting)
	if list.Next != "" {
		view.Next = web.WithQuery(web.RegistrationsPath, url.Values{web.CursorQuery: {list.Next}})
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
		Title: titleOf(item), Line: standing.ListLine(), Badge: badgeOf(item), Beside: standing.Beside(), Steps: standing.Steps(), Assignee: shownAssignee(item),
		Modified: admission.Date(r.ModifiedAt), First: actionOf(item), Details: web.RegistrationPath(r.ID),
	}
	line.Kind = map[enrol.Product]string{enrol.ProductApplication: "Application", enrol.ProductEnrolment: "Exam"}[item.Product]
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

// waitingTitle returns how many registrations need the person's action.
func waitingTitle(n int) string {
	switch n {
	case 0:
		return "Nothing to do"
	case 1:
		return "1 needs action"
	}
	return strconv.Itoa(n) + " need action"
}
