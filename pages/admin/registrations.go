package admin

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// rowChoices are how many rows a page of the list may have.
var rowChoices = []int{10, 25, 50}

type registrationsView struct {
	Part       bool   // without the frame, for the script
	Text       string // below the heading
	Q          string
	Tabs       []tab
	Events     []option
	Statuses   []option
	Payments   []option // nil for somebody who does not see money
	Documents  []option
	Typed      url.Values
	Faults     faults
	Open       bool   // shows the filters
	Toggle     string // address that opens or closes them
	Chips      []chip
	Clear      string // address without filters
	Kept       []pages.HiddenField
	Everywhere string            // address of the same search without filters
	Similar    []registrationRow // where nobody matches
	Rows       []registrationRow
	Money      bool
	Range      string
	Newer      string
	Older      string
	PerPage    []tab
	Views      viewsMenuView
	Selection  selectionView
	OlderAt    string // cursor of the page Older; "" for none
	NewerAt    string
	Save       string              // address that saves the filters
	Export     bool                // the person may
	Filter     []pages.HiddenField // for the file
}

type registrationRow struct {
	ID                                 string
	Selected                           bool
	Name, Href, Phone                  string
	Programme, Detail                  string
	Steps                              components.StepperProps
	Badge                              components.BadgeProps
	Documents, Missing, Fee, FeeDetail string
	When, WhenDetail                   string
	Next                               string // the next step of somebody with these roles; "" for none
	Late                               bool
}

// Lines of a row that has not come yet, and of a list that did not come.
var (
	ghostSteps  = components.ApplicationSteps(-1, components.StepAhead, "")
	brokenSteps = components.ApplicationSteps(2, components.StepFailed, "")
)

func (h handlers) registrations(c *echo.Context) error {
	return h.showRegistrations(c, c.QueryParams(), nil)
}

// showRegistrations shows the list of an address. fault is what is wrong with an export of it; nil: none was asked for.
func (h handlers) showRegistrations(c *echo.Context, query url.Values, fault *admission.Problem) error {
	ctx, me, now := c.Request().Context(), web.StaffPerson(c), h.Clock()
	money := seesMoney(me)
	q, wrong := listQuery(query, money)
	waits, oldest, err := h.waiting(c, me)
	if err != nil {
		return err
	}
	base := q
	base.Status = ""
	if query.Get(statusParam) == needsALook {
		q.Only = registrationsOf(waits)
	}
	limit := rowChoices[0]
	if n, _ := strconv.Atoi(query.Get(rowsParam)); slices.Contains(rowChoices, n) {
		limit = n
	}
	cursor, newer := cursorOf(query)
	page, err := h.office.Registrations(ctx, q, cursor, newer, limit)
	if err != nil {
		return err
	}
	part := c.Request().Header.Get("HX-Request") == "true" // somebody types, and may not be done yet
	if c.Request().Method == http.MethodGet && !part && q.Text != "" && !filtered(q) && len(page.Items) == 1 && page.Newer+page.Older == "" {
		return c.Redirect(http.StatusSeeOther, web.StaffRegistrationPath(page.Items[0].Registration.ID))
	}
	p := registrationsView{
		Part: part, Q: q.Text, Typed: query, Faults: wrong, Money: money, Open: query.Get(panelParam) != "" || len(wrong) > 0, Export: me.Can(staff.ExportPeople),
		Clear: listAddress(url.Values{rowsParam: query[rowsParam]}),
	}
	shown, err := h.countTabs(c, &p, query, base, q, registrationsOf(waits))
	if err != nil {
		return err
	}
	if q.Text == "" && !filtered(q) {
		p.Text += lookText(len(waits), oldest, now)
	}
	h.fillFilters(&p, query, money)
	if p.Views, err = h.viewsMenu(c, query); err != nil {
		return err
	}
	for _, item := range page.Items {
		p.Rows = append(p.Rows, h.registrationRow(item, page.Documents[item.Registration.ID], caseOf(waits, item.Registration.ID), me, now))
	}
	if len(p.Rows) == 0 && q.Text != "" {
		similar, err := h.office.Similar(ctx, q.Text)
		if err != nil {
			return err
		}
		for _, item := range similar {
			p.Similar = append(p.Similar, h.registrationRow(item, 0, nil, me, now))
		}
	}
	if page.Newer != "" {
		p.Newer = listAddress(query, newerParam, page.Newer)
	}
	if page.Older != "" {
		p.Older = listAddress(query, olderParam, page.Older)
	}
	for _, n := range rowChoices {
		p.PerPage = append(p.PerPage, tab{Name: strconv.Itoa(n), Href: listAddress(query, rowsParam, strconv.Itoa(n)), Here: n == limit})
	}
	p.Range = "Newest change first."
	if q.Text != "" {
		p.Range = "Newest registration first."
	}
	p.Filter, p.NewerAt, p.OlderAt = hiddenFields(query, filterParams...), page.Newer, page.Older
	p.selected(query, selectionOf(query), me, shown)
	status := http.StatusOK
	if fault != nil {
		p.Faults[fault.Field], status = fault.Message, pages.StatusOf(c, fault)
	}
	c.Response().Header().Add("Vary", "HX-Request")
	if part {
		return h.Show(c, status, listPart(p))
	}
	return h.Show(c, status, registrationsPage(frameOf(c, "Registrations", web.StaffRegistrationsPath), p))
}

// waiting returns what waits for somebody with these roles, by registration: the most harmful case of each. oldest is since when the oldest
// does.
func (h handlers) waiting(c *echo.Context, me *staff.Person) (waits map[string]office.Case, oldest time.Time, err error) {
	cases, err := h.office.PaymentCases(c.Request().Context(), me.Roles)
	waits = map[string]office.Case{}
	for _, found := range cases {
		if _, known := waits[found.Payment.RegistrationID]; !known {
			waits[found.Payment.RegistrationID] = found
		}
		if oldest.IsZero() || found.Since.Before(oldest) {
			oldest = found.Since
		}
	}
	return waits, oldest, err
}

// registrationsOf returns the ids of the registrations that wait; not nil.
func registrationsOf(waits map[string]office.Case) []string {
	return append([]string{}, slices.Sorted(maps.Keys(waits))...)
}

// caseOf returns the case of a registration; nil for none.
func caseOf(waits map[string]office.Case, id string) *office.Case {
	if found, waiting := waits[id]; waiting {
		return &found
	}
	return nil
}

func lookText(n int, oldest, now time.Time) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " 1 needs a look, for " + duration(now.Sub(oldest)) + "."
	}
	return " " + strconv.Itoa(n) + " need a look, the oldest for " + duration(now.Sub(oldest)) + "."
}

// countTabs adds the tabs with their counts, and the first sentence below the heading, and returns the count of the tab that is shown. base
// is the query without the tab, q with it.
func (h handlers) countTabs(c *echo.Context, p *registrationsView, query url.Values, base, q office.Query, waiting []string) (string, error) {
	look := base
	look.Only = waiting
	counts, err := h.office.CountRegistrations(c.Request().Context(), base, look)
	if err != nil {
		return "", err
	}
	all, waits, byStatus := counts[0], counts[1], counts[0].ByStatus
	if byStatus == nil && base.Text == "" && onlyEvent(base) {
		if byStatus, err = h.countEach(c, base); err != nil {
			return "", err
		}
	}
	here := query.Get(statusParam)
	shown := all
	p.Tabs = append(p.Tabs,
		tab{Name: "All", Href: listAddress(query, statusParam, ""), Count: countText(all), Here: !slices.Contains(append(statusTabs, needsALook), here)},
		tab{Name: tabName(needsALook), Href: listAddress(query, statusParam, needsALook), Count: countText(waits), Here: here == needsALook, Due: waits.All > 0})
	if here == needsALook {
		shown = waits
	}
	for _, badge := range statusTabs {
		of := office.Counts{All: byStatus[badge], Unknown: byStatus == nil}
		p.Tabs = append(p.Tabs, tab{Name: badge, Href: listAddress(query, statusParam, badge), Count: countText(of), Here: here == badge})
		if here == badge {
			shown = of
		}
	}
	match := q.Text != "" || filtered(q)
	n := countText(shown)
	switch {
	case n == "" && match:
		p.Text = "Registrations that match."
	case n == "0" && match:
		p.Text = "No matches."
	case n == "1" && match:
		p.Text = "1 registration matches."
	case match:
		p.Text = n + " registrations match."
	case n == "1":
		p.Text = "1 registration."
	default:
		p.Text = n + " registrations."
	}
	return n, nil
}

// countEach counts the registrations of each status.
func (h handlers) countEach(c *echo.Context, base office.Query) (map[string]int, error) {
	var queries []office.Query
	for _, badge := range statusTabs {
		of := base
		of.Status = badge
		queries = append(queries, of)
	}
	counts, err := h.office.CountRegistrations(c.Request().Context(), queries...)
	byStatus := map[string]int{}
	for i, n := range counts {
		byStatus[statusTabs[i]] = n.All
	}
	return byStatus, err
}

// countText formats a count; "" if it is unknown.
func countText(n office.Counts) string {
	switch {
	case n.Unknown:
		return ""
	case n.All >= office.MostCounted:
		return "1,000+"
	}
	return strconv.Itoa(n.All)
}

func (h handlers) registrationRow(item registry.Item, documents int, wait *office.Case, me *staff.Person, now time.Time) registrationRow {
	r := item.Registration
	standing := pages.StandingOf(h.Content.Current(), item.Facts, item.Status, item.Documents, now)
	row := registrationRow{
		ID: r.ID, Name: cmp.Or(r.FullName, "No name yet"), Href: web.StaffRegistrationPath(r.ID), Phone: pages.Mobile(r.Phone), Programme: cmp.Or(item.Event.Title, r.EventCode), Steps: standing.Steps(), Badge: staffBadge(&r),
		When: recently(r.ModifiedAt, now),
	}
	row.Detail = cmp.Or(enrol.CourseLabel(r.Course), r.College)
	if item.Product == enrol.ProductApplication {
		row.Detail = cmp.Or(r.College, enrol.CourseLabel(r.Course))
		if status.FeeOf(item.Product, item.Phase) == status.FeePaid {
			row.Documents = strconv.Itoa(documents) + " of 3"
			if documents < 3 {
				row.Missing = strconv.Itoa(3-documents) + " missing"
			}
		}
	}
	if seesMoney(me) {
		row.Fee, row.FeeDetail = feeOf(item)
	}
	if item.Phase == status.Form {
		row.WhenDetail = "at step " + strconv.Itoa(int(r.Step)+1) + " of 6"
	}
	if wait != nil {
		row.Late, row.Next = true, nextSteps[wait.Kind]
		if wait.Kind == office.NoAnswer {
			row.When, row.WhenDetail = duration(now.Sub(wait.Since))+", no answer", "since "+recently(wait.Since, now)
		}
	}
	return row
}

// nextSteps are what somebody who may see a case does next.
var nextSteps = map[office.CaseKind]string{
	office.NoAnswer: "Ask the gateway", office.InReview: "Decide", office.Disputed: "Answer the dispute", office.RefundFailed: "Send the refund again",
	office.ToApprove: "Approve",
}

// feeOf returns what a registration has paid, and the number of its invoice.
func feeOf(item registry.Item) (amount, detail string) {
	t := item.Transaction
	switch {
	case t == nil:
		return "", "not yet"
	case item.Invoice != nil:
		detail = item.Invoice.Number
	case status.FeeOf(item.Product, item.Phase) != status.FeePaid:
		detail = "no invoice yet"
	}
	return t.Charge.String(), detail
}

// staffBadge returns the badge of a registration with the looks of the staff area.
func staffBadge(r *enrol.Registration) components.BadgeProps {
	return components.BadgeProps{Text: r.Status(), Look: pages.BadgeLook(r.Fact().Badge)}
}

// badgeLooks are the class and the icon of a badge.
var badgeLooks = map[string]struct{ class, icon string }{
	"open": {"", "ring"}, "waiting": {"gold", "half"}, "failed": {"red", "cross"}, "info": {"info", "up"}, "done": {"done", "tick"}, "refunded": {"", "back"},
}

// recently formats a moment: "12:04 today", "Yesterday, 18:32", "27 Nov 2026, 12:18".
func recently(at, now time.Time) string {
	switch admission.Midnight(now).Sub(admission.Midnight(at)) {
	case 0:
		return admission.TimeOfDay(at) + " today"
	case 24 * time.Hour:
		return "Yesterday, " + admission.TimeOfDay(at)
	}
	return admission.Moment(at)
}
