package admin

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/pages"
	"hiresure/web"
)

// The names of the list's query parameters.
const (
	textParam, eventParam, statusParam, paymentParam, documentsParam = "q", "event", "status", "payment", "documents"
	fromParam, toParam, couponParam, collegeParam, sourceParam       = "from", "to", "coupon", "college", "source"
	olderParam, newerParam, rowsParam, panelParam                    = "older", "newer", "rows", "filters"
)

// filterParams are kept from page to page. All but the text and the status are chips.
var filterParams = []string{textParam, eventParam, statusParam, paymentParam, documentsParam, fromParam, toParam, couponParam, collegeParam, sourceParam}

// needsALook is the value of the parameter status for registrations that wait for a person.
const needsALook = "look"

// statusTabs are the texts of badges, in the order of the tabs.
var statusTabs = []string{"Number Verified", "Form Incomplete", "Payment Initiated", "Payment Failed", "Documents Pending", "Completed", "Refunded"}

// choice is a filter that selects phases.
type choice struct {
	value, text string
	phases      []status.Phase
}

var (
	paymentChoices = []choice{
		{"paid", "Paid", []status.Phase{status.Enrolled, status.EventOver, status.DocumentsDue, status.DocumentsSubmitted}},
		{"waiting", "Waiting for the bank", []status.Phase{status.PaymentOpen}},
		{"failed", "Failed", []status.Phase{status.PaymentFailed, status.PaymentExpired, status.PaymentReturned}},
		{"review", "In review", []status.Phase{status.PaymentReview}},
		{"refunded", "Refunded", []status.Phase{status.RefundPending, status.RefundSent, status.Refunded}},
		{"lost", "Lost in a dispute", []status.Phase{status.ChargedBack}},
	}
	documentChoices = []choice{
		{"missing", "Missing", []status.Phase{status.DocumentsDue}},
		{"waiting", "Waiting for us", []status.Phase{status.DocumentsSubmitted}},
	}
)

// chip is a filter in use, with the address that removes it.
type chip struct{ Name, Value, Href string }

// parseDay parses a day as it is typed, 28/11/2026, or as a browser's calendar sends it, 2026-11-28.
func parseDay(value string) (time.Time, error) {
	format := time.DateOnly
	if strings.Contains(value, "/") {
		format = "2/1/2006"
	}
	return time.ParseInLocation(format, value, admission.IST)
}

// seesMoney reports whether somebody may see what was paid: reviewers may not.
func seesMoney(p *staff.Person) bool { return p.Can(staff.AskGateway) }

// listQuery reads the filters of an address. What is unknown or malformed filters nothing; a malformed date has a message.
func listQuery(query url.Values, money bool) (q office.Query, wrong faults) {
	get := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	q = office.Query{
		Text: get(textParam), Event: get(eventParam), Coupon: strings.ToUpper(get(couponParam)), College: get(collegeParam), Source: get(sourceParam),
	}
	if slices.Contains(statusTabs, get(statusParam)) {
		q.Status = get(statusParam)
	}
	wrong = faults{}
	q.Phases = chosen(documentChoices, get(documentsParam))
	if !money {
		return q, wrong
	}
	if paid := chosen(paymentChoices, get(paymentParam)); q.Phases == nil {
		q.Phases = paid
	} else if paid != nil {
		q.Phases = slices.DeleteFunc(slices.Clone(q.Phases), func(p status.Phase) bool { return !slices.Contains(paid, p) })
	}
	day := dayReader(query, wrong)
	q.PaidFrom = day(fromParam)
	if to := day(toParam); !to.IsZero() {
		q.PaidUntil = to.AddDate(0, 0, 1)
	}
	return q, wrong
}

// dayReader returns a function that reads a parameter as a day. A malformed one has a message.
func dayReader(query url.Values, wrong faults) func(name string) time.Time {
	return func(name string) time.Time {
		value := strings.TrimSpace(query.Get(name))
		at, err := parseDay(value)
		if err != nil && value != "" {
			wrong[name] = "Enter a date like 28/11/2026"
		}
		return at
	}
}

// cursorOf returns the cursor of an address, and whether it leads towards the newest.
func cursorOf(query url.Values) (cursor string, newer bool) {
	if cursor = query.Get(newerParam); cursor != "" {
		return cursor, true
	}
	return query.Get(olderParam), false
}

// hiddenFields returns the parameters of an address that have a value.
func hiddenFields(query url.Values, names ...string) (fields []pages.HiddenField) {
	for _, name := range names {
		if value := query.Get(name); value != "" {
			fields = append(fields, pages.HiddenField{Name: name, Value: value})
		}
	}
	return fields
}

func chosen(choices []choice, value string) []status.Phase {
	for _, c := range choices {
		if c.value == value {
			return c.phases
		}
	}
	return nil
}

// filtered reports whether a query has anything but a text.
func filtered(q office.Query) bool {
	return q.Event+q.Status+q.Coupon+q.College+q.Source != "" || q.Phases != nil || q.Only != nil || !q.PaidFrom.IsZero() || !q.PaidUntil.IsZero()
}

// listAddress returns the address of the list with some parameters changed; "" removes one.
func listAddress(query url.Values, changes ...string) string {
	kept := url.Values{}
	for _, name := range append(slices.Clone(filterParams), rowsParam) {
		if value := strings.TrimSpace(query.Get(name)); value != "" {
			kept.Set(name, value)
		}
	}
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "" {
			kept.Del(changes[i])
		} else {
			kept.Set(changes[i], changes[i+1])
		}
	}
	return web.WithQuery(web.StaffRegistrationsPath, kept)
}

// tabName returns the text of the tab of a status.
func tabName(value string) string {
	if value == needsALook {
		return "Needs a look"
	}
	return value
}

// onlyEvent reports whether a query has no filter but an event: its statuses are counted by an index.
func onlyEvent(q office.Query) bool {
	q.Event = ""
	return !filtered(q)
}

// fillFilters adds the choices of the filters, and a chip for each that is in use.
func (h handlers) fillFilters(p *registrationsView, query url.Values, money bool) {
	event := query.Get(eventParam)
	p.Events = h.eventOptions(event)
	chips := map[string]string{}
	for _, e := range p.Events {
		if e.Chosen && event != "" {
			chips[eventParam] = e.Text
		}
	}
	p.Statuses = []option{{"", "Any", !slices.Contains(statusTabs, query.Get(statusParam))}}
	for _, badge := range statusTabs {
		p.Statuses = append(p.Statuses, option{badge, badge, badge == query.Get(statusParam)})
	}
	options := func(name string, choices []choice) []option {
		all := []option{{"", "Any", query.Get(name) == ""}}
		for _, c := range choices {
			all = append(all, option{c.value, c.text, c.value == query.Get(name)})
			if c.value == query.Get(name) {
				chips[name] = c.text
			}
		}
		return all
	}
	p.Documents = options(documentsParam, documentChoices)
	if money {
		p.Payments = options(paymentParam, paymentChoices)
	}
	for _, name := range []string{fromParam, toParam, couponParam, collegeParam, sourceParam} {
		if value := strings.TrimSpace(query.Get(name)); value != "" && p.Faults[name] == "" {
			chips[name] = value
			if day, err := parseDay(value); err == nil && (name == fromParam || name == toParam) {
				chips[name] = admission.Date(day)
			}
		}
	}
	for _, f := range []struct{ name, text string }{
		{eventParam, "Event"}, {paymentParam, "Payment"}, {documentsParam, "Documents"}, {fromParam, "Paid from"}, {toParam, "Paid to"}, {couponParam, "Coupon"}, {collegeParam, "College"}, {sourceParam, "Source"},
	} {
		if value := chips[f.name]; value != "" {
			p.Chips = append(p.Chips, chip{f.text, value, listAddress(query, f.name, "")})
		}
	}
	if len(p.Chips) > 0 || query.Get(statusParam) != "" {
		p.Everywhere = web.WithQuery(web.StaffRegistrationsPath, url.Values{textParam: {p.Q}})
	}
	p.Save = newViewPath + strings.TrimPrefix(listAddress(query), web.StaffRegistrationsPath)
	p.Toggle = listAddress(query, panelParam, "open")
	if p.Open {
		p.Toggle = listAddress(query)
	}
	p.Kept = hiddenFields(query, statusParam, paymentParam, documentsParam, fromParam, toParam, couponParam, collegeParam, sourceParam, rowsParam)
	if p.Open {
		p.Kept = append(p.Kept, pages.HiddenField{Name: panelParam, Value: "open"})
	}
}

// filtersText returns the text of the button that shows the filters.
func (p registrationsView) filtersText() string {
	if len(p.Chips) == 0 {
		return "Filters"
	}
	return "Filters (" + strconv.Itoa(len(p.Chips)) + ")"
}
