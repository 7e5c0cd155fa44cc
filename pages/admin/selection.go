package admin

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/pages"
	"hiresure/web"
)

// pagePath shows a page of the list and keeps what is selected.
const pagePath = web.StaffRegistrationsPath + "/page"

// The fields of a selection. selectionParam is sent with each, so that an empty one is not taken for the whole list.
const selectionParam, idParam, allParam = "selection", "id", "all"

// maxSelected limits the registrations that are selected one by one.
const maxSelected = 500

// selectionAction is a button of the bar below the list. It posts the selection: ids, or all=yes with the filter.
type selectionAction struct {
	Text, Icon, Path string
	Needs            staff.Permission
}

// selectionActions are the buttons in their order. The first is solid. Printing is a row before Export.
var selectionActions = []selectionAction{
	{"Export", "down", web.StaffRegistrationsPath, staff.ExportPeople},
}

// selection is what somebody has selected in the list: some registrations, or all that match.
type selection struct {
	IDs    []string
	All    bool
	Excess int // registrations above the limit, which are left out
}

// selectionOf reads the selection of a posted form. What is not an id is left out.
func selectionOf(typed url.Values) (s selection) {
	if s.All = typed.Get(allParam) != ""; s.All {
		return s
	}
	for _, id := range typed[idParam] {
		if admission.IsID(id) && !slices.Contains(s.IDs, id) {
			s.IDs = append(s.IDs, id)
		}
	}
	if s.Excess = len(s.IDs) - maxSelected; s.Excess > 0 {
		s.IDs = s.IDs[:maxSelected]
	}
	return s
}

// check returns Invalid for field selection if nothing or too much is selected.
func (s selection) check() error {
	switch {
	case s.Excess == 1:
		return admission.FieldProblem(selectionParam, "Select at most 500 people, or all that match. 1 was left out.")
	case s.Excess > 1:
		return admission.FieldProblem(selectionParam, "Select at most 500 people, or all that match. "+strconv.Itoa(s.Excess)+" were left out.")
	case !s.All && len(s.IDs) == 0:
		return admission.FieldProblem(selectionParam, "Select at least one person first.")
	}
	return nil
}

type selectionView struct {
	Actions   []selectionAction // none: nothing can be selected
	All       string            // "All 96", if all that match are selected
	More      string            // text of the button that selects all that match; "" where the page shows them
	Elsewhere []string          // what is selected on other pages
	Clear     string            // address of this page without a selection
}

// where returns where the selected ones are.
func (p selectionView) where() string {
	if n := len(p.Elsewhere); n > 0 {
		return "on this page and " + strconv.Itoa(n) + " on other pages."
	}
	return "on this page."
}

// selected adds the selection to a page of the list. shown is the count of what matches; "" if it is unknown.
func (p *registrationsView) selected(query url.Values, s selection, me *staff.Person, shown string) {
	for _, action := range selectionActions {
		if me.Can(action.Needs) {
			p.Selection.Actions = append(p.Selection.Actions, action)
		}
	}
	here := map[string]bool{}
	for i := range p.Rows {
		row := &p.Rows[i]
		here[row.ID] = true
		row.Selected = s.All || slices.Contains(s.IDs, row.ID)
	}
	all := "all"
	if shown != "" {
		all += " " + shown
	}
	switch {
	case s.All:
		p.Selection.All = "A" + all[1:]
	case p.Newer+p.Older != "":
		p.Selection.More = "Select " + all + " that match"
	}
	for _, id := range s.IDs {
		if !here[id] {
			p.Selection.Elsewhere = append(p.Selection.Elsewhere, id)
		}
	}
	cursor, name := query.Get(newerParam), newerParam
	if cursor == "" {
		cursor, name = query.Get(olderParam), olderParam
	}
	p.Selection.Clear = listAddress(query, name, cursor)
}

// registrationsOnPage shows a page of the list with what was selected on others.
func (h handlers) registrationsOnPage(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	var fault *admission.Problem
	if s := selectionOf(typed); s.Excess > 0 {
		fault = admission.AsProblem(s.check())
	}
	return h.showRegistrations(c, typed, fault)
}

type exportView struct {
	Title, Reason string
	Kept          []pages.HiddenField
	Faults        faults
}

// showExport shows the form that exports a selection; problem may be nil.
func (h handlers) showExport(c *echo.Context, typed url.Values, q office.Query, problem *admission.Problem) error {
	counts, err := h.office.CountRegistrations(c.Request().Context(), q)
	if err != nil {
		return err
	}
	n := countText(counts[0])
	p := exportView{Title: "Export " + n + " registrations", Reason: typed.Get("reason"), Faults: faults{}}
	if n == "" {
		p.Title = "Export all registrations that match"
	} else if n == "1" {
		p.Title = "Export 1 registration"
	}
	for _, name := range append([]string{selectionParam, allParam, rowsParam}, filterParams...) {
		p.Kept = append(p.Kept, hiddenFields(typed, name)...)
	}
	for _, id := range selectionOf(typed).IDs {
		p.Kept = append(p.Kept, pages.HiddenField{Name: idParam, Value: id})
	}
	if problem != nil {
		p.Faults = faultsOf(problem)
	}
	return h.Show(c, pages.StatusOf(c, problem), exportPage(frameOf(c, "Export", web.StaffRegistrationsPath), p))
}

// exportOf returns what a posted form exports, and how the log describes it. shown: it is a selection that cannot be exported, and the list
// says why.
func (h handlers) exportOf(c *echo.Context, typed url.Values) (q office.Query, filter string, shown bool, err error) {
	me := web.StaffPerson(c)
	money := seesMoney(me)
	q, wrong := listQuery(typed, money)
	if len(wrong) > 0 {
		return q, "", false, echo.ErrBadRequest
	}
	if typed.Has(selectionParam) {
		s := selectionOf(typed)
		if err := s.check(); err != nil {
			return q, "", true, h.showRegistrations(c, typed, admission.AsProblem(err))
		}
		if !s.All {
			return office.Query{Only: s.IDs}, "registrations: selected one by one", false, nil
		}
	}
	if typed.Get(statusParam) == needsALook {
		waits, _, err := h.waiting(c, me)
		if err != nil {
			return q, "", false, err
		}
		q.Only = registrationsOf(waits)
	}
	return q, filterWords("registrations", usedFilter(typed, money)), false, nil
}
