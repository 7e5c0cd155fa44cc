package admin

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/pages"
	"hiresure/web"
)

// Addresses of the views of the list.
const (
	viewsPath   = web.StaffRegistrationsPath + "/views"
	newViewPath = viewsPath + "/new"
)

func savedViewPath(id string) string { return viewsPath + "/" + id }

// shippedViews are the views that everybody always has.
var shippedViews = []office.SavedView{
	{Name: "Everyone"},
	{Name: "Paid, no answer from the bank", Filter: paymentParam + "=waiting"},
}

// viewFilter returns the filters of an address in one spelling, without the searched text. Without money it leaves out the filters by
// payment, as the list does.
func viewFilter(query url.Values, money bool) string {
	used := usedFilter(query, money)
	for name := range used {
		_, err := parseDay(used.Get(name))
		if day := name == fromParam || name == toParam; name == textParam || used.Get(name) == "" || day && err != nil {
			used.Del(name)
		}
	}
	return used.Encode()
}

type viewsMenuView struct {
	Name         string // of the view in use
	Shared, Mine []viewLink
}

type viewLink struct {
	Name, Href string
	Here       bool
}

// viewsMenu returns the menu of views. A view that filters by what somebody does not see is left out.
func (h handlers) viewsMenu(c *echo.Context, query url.Values) (menu viewsMenuView, err error) {
	me := web.StaffPerson(c)
	money := seesMoney(me)
	here := viewFilter(query, money)
	menu.Name = "Views"
	saved, err := h.office.Views(c.Request().Context(), me.ID)
	for _, v := range slices.Concat(shippedViews, saved) {
		filter, _ := url.ParseQuery(v.Filter)
		if viewFilter(filter, money) != v.Filter {
			continue
		}
		link := viewLink{v.Name, listAddress(filter, rowsParam, query.Get(rowsParam)), v.Filter == here}
		if link.Here {
			menu.Name = v.Name
		}
		if v.Shared || v.AccountID == "" {
			menu.Shared = append(menu.Shared, link)
		} else {
			menu.Mine = append(menu.Mine, link)
		}
	}
	return menu, err
}

type newViewView struct {
	Chips  []chip
	Kept   []pages.HiddenField
	Name   string
	Shared bool
	Back   string
	Faults faults
}

func (h handlers) newView(c *echo.Context) error {
	if viewFilter(c.QueryParams(), seesMoney(web.StaffPerson(c))) == "" {
		return c.Redirect(http.StatusSeeOther, web.StaffRegistrationsPath)
	}
	return h.showNewView(c, c.QueryParams(), nil)
}

// showNewView shows the form that saves the filters of an address; problem may be nil.
func (h handlers) showNewView(c *echo.Context, query url.Values, problem *admission.Problem) error {
	list := registrationsView{}
	h.fillFilters(&list, query, seesMoney(web.StaffPerson(c)))
	p := newViewView{
		Chips: list.Chips, Kept: hiddenFields(query, append(slices.Clone(filterParams), rowsParam)...), Name: query.Get("name"), Shared: query.Get("shared") != "",
		Back: listAddress(query), Faults: faults{},
	}
	if badge := query.Get(statusParam); slices.Contains(statusTabs, badge) || badge == needsALook {
		p.Chips = append([]chip{{Name: "Status", Value: tabName(badge)}}, p.Chips...)
	}
	if problem != nil {
		p.Faults = faultsOf(problem)
	}
	return h.Show(c, pages.StatusOf(c, problem), newViewPage(frameOf(c, "Save this view", web.StaffRegistrationsPath), p))
}

func (h handlers) saveView(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	me := web.StaffPerson(c)
	filter := viewFilter(typed, seesMoney(me))
	if filter == "" {
		return echo.ErrBadRequest
	}
	err = h.office.SaveView(c.Request().Context(), me, typed.Get("name"), filter, typed.Get("shared") != "", h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showNewView(c, typed, problem)
	}
	saved, _ := url.ParseQuery(filter)
	return c.Redirect(http.StatusSeeOther, listAddress(saved, textParam, typed.Get(textParam), rowsParam, typed.Get(rowsParam)))
}

type viewsView struct {
	Said   string // what has happened; "" for nothing
	Fault  string // of the whole page
	Views  []viewRow
	Others int // shared views of colleagues, which only they and admins change
}

type viewRow struct {
	ID, Name, Typed string
	Shared, Own     bool
	Faults          faults
}

// viewsSaid are the sentences after an action.
var viewsSaid = map[string]string{"renamed": "The view is renamed.", "removed": "The view is removed. No registration was changed."}

func (h handlers) views(c *echo.Context) error { return h.showViews(c, "", "", nil) }

// showViews shows the views that somebody may change. problem, of the view with an id and the name that was typed, may be nil.
func (h handlers) showViews(c *echo.Context, id, typed string, problem *admission.Problem) error {
	me := web.StaffPerson(c)
	saved, err := h.office.Views(c.Request().Context(), me.ID)
	if err != nil {
		return err
	}
	p := viewsView{Said: viewsSaid[c.QueryParam("said")]}
	for _, v := range saved {
		if !office.ChangesView(me, v) {
			p.Others++
			continue
		}
		row := viewRow{ID: v.ID, Name: v.Name, Typed: v.Name, Shared: v.Shared, Own: v.AccountID == me.ID}
		if problem != nil && v.ID == id {
			row.Typed, row.Faults = typed, faults{"name-" + id: problem.Message}
		}
		p.Views = append(p.Views, row)
	}
	if problem != nil && !slices.ContainsFunc(p.Views, func(row viewRow) bool { return row.Faults != nil }) {
		p.Fault = problem.Message
		if problem.Kind == admission.NotFound {
			p.Fault = "This view was removed before. Nothing was changed."
		}
	}
	return h.Show(c, pages.StatusOf(c, problem), viewsPage(frameOf(c, "Views", web.StaffRegistrationsPath), p))
}

func (h handlers) changeView(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, me, id, said := c.Request().Context(), web.StaffPerson(c), c.Param("id"), "renamed"
	if typed.Get("do") == "remove" {
		said, err = "removed", h.office.RemoveView(ctx, me, id, h.Session.StaffActor(c))
	} else {
		err = h.office.RenameView(ctx, me, id, typed.Get("was"), typed.Get("name"), h.Session.StaffActor(c))
	}
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showViews(c, id, typed.Get("name"), problem)
	}
	return c.Redirect(http.StatusSeeOther, web.WithQuery(viewsPath, url.Values{"said": {said}}))
}

// seenBy returns who sees a view.
func (row viewRow) seenBy() string {
	switch {
	case !row.Shared:
		return "Only you"
	case row.Own:
		return "Everybody"
	}
	return "Everybody, saved by a colleague"
}
