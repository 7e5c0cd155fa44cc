package admin

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/web"
)

// The names of the fields of a print. from, to and event are those of the other lists.
const (
	kindParam    = "kind"
	firstParam   = "first"
	lastParam    = "last"
	printedParam = "printed"
	orderParam   = "order"
	asParam      = "as"
	doubleParam  = "double"
	refParam     = "ref"
	pressField   = "press"
)

var printParams = []string{fromParam, toParam, firstParam, lastParam, eventParam, printedParam, orderParam, asParam, doubleParam, refParam}

// skipPrinted is the value of printedParam that leaves out what was printed before.
const skipPrinted = "skip"

// printedKinds are the kinds on the page, with their series.
var printedKinds = []struct {
	kind             paper.Kind
	one, many, small string
}{
	{paper.Invoice, "invoice", "invoices", "KS"},
	{paper.CreditNote, "credit note", "credit notes", "KSC"},
	{paper.Receipt, "receipt", "receipts", "no series"},
	{paper.Ticket, "ticket", "tickets", "exam day"},
}

var printOrders = []option{{Value: string(office.ByNumber), Text: "By number"}, {Value: string(office.ByName), Text: "By name"}, {Value: string(office.ByEvent), Text: "By event, then number"}}

type printView struct {
	Tabs        []tab
	Form        string // of the file
	Double      bool
	Typed       url.Values
	Faults      faults
	Problem     string // why nothing was ordered; "" for none
	Said        string
	Kinds       []kindBox
	Days        []tab
	Series      string // what a number begins with
	Events      []option
	Orders      []option
	Skip        bool
	Again, Left string // how many of the selection were printed, and how many are left without them
	Preview     previewView
	Open        []batchRow
	Ended       []batchRow
	List        bool // shows the papers
	ListLink    string
	Refresh     string // address of the same page
}

type kindBox struct {
	Value, Text, Small string
	Chosen             bool
}

// previewView is what a selection would print.
type previewView struct {
	Title, Text string
	Facts       []previewFact
	Gaps        []gapLine
	MoreGaps    string
	Whole       string // says that there is no gap; "" where there are or can be some
	Press       string // value of the button
	Button      string
	Papers      []paperLine
	More        string
}

type previewFact struct{ Name, Value, Small string }

type gapLine struct{ Numbers, Why string }

type paperLine struct{ Number, Kind, Name, Date, Mark string }

// printFilter returns the filter of an address. Without one it is the invoices of this month.
func printFilter(query url.Values, now time.Time) url.Values {
	filter := url.Values{}
	for _, name := range printParams {
		if value := strings.TrimSpace(query.Get(name)); value != "" {
			filter.Set(name, value)
		}
	}
	for _, kind := range printedKinds {
		if slices.Contains(query[kindParam], string(kind.kind)) {
			filter.Add(kindParam, string(kind.kind))
		}
	}
	if !query.Has(kindParam) && !query.Has(orderParam) {
		today := now.In(admission.IST)
		filter.Set(kindParam, string(paper.Invoice))
		filter.Set(fromParam, time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, admission.IST).Format(time.DateOnly))
		filter.Set(toParam, today.Format(time.DateOnly))
	}
	for name, choices := range map[string][]string{
		orderParam: {string(office.ByNumber), string(office.ByName), string(office.ByEvent)}, asParam: {string(office.OnePDF), string(office.ZIP)}, printedParam: {"again", skipPrinted},
	} {
		if !slices.Contains(choices, filter.Get(name)) {
			filter.Set(name, choices[0])
		}
	}
	return filter
}

var serialNumber = regexp.MustCompile(`^(?:([A-Z]{1,8})/(\d\d-\d\d)/)?0*([1-9]\d{0,8})$`)

// printSelection reads a filter. What is malformed selects nothing less and has a message.
func printSelection(filter url.Values, now time.Time) (of office.Selection, wrong faults) {
	wrong = faults{}
	day := dayReader(filter, wrong)
	of = office.Selection{From: day(fromParam), Event: filter.Get(eventParam), Ref: filter.Get(refParam), Order: office.BatchOrder(filter.Get(orderParam)), Unprinted: filter.Get(printedParam) == skipPrinted}
	if to := day(toParam); !to.IsZero() {
		of.Until = to.AddDate(0, 0, 1)
	}
	for _, kind := range filter[kindParam] {
		of.Kinds = append(of.Kinds, paper.Kind(kind))
	}
	if len(of.Kinds) == 0 {
		wrong[kindParam] = "Choose at least one kind"
	}
	if of.Ref != "" && !admission.IsID(of.Ref) {
		of.Ref = admission.NewID() // nobody's
	}
	if filter.Get(firstParam) == "" && filter.Get(lastParam) == "" {
		return of, wrong
	}
	of.Numbers.FinancialYear = india.FinancialYear(now)
	for _, name := range []string{firstParam, lastParam} {
		value := strings.ToUpper(filter.Get(name))
		if value == "" {
			continue
		}
		found := serialNumber.FindStringSubmatch(value)
		if found == nil {
			wrong[name] = "Enter a number like 643 or KS/26-27/000643"
			continue
		}
		serial, _ := strconv.ParseInt(found[3], 10, 64) // at most nine digits
		if name == firstParam {
			of.Numbers.First = serial
		} else {
			of.Numbers.Last = serial
		}
		switch before := of.Numbers.Series; {
		case found[1] == "":
		case name == lastParam && before != "" && (before != found[1] || of.Numbers.FinancialYear != found[2]):
			wrong[name] = "Enter two numbers of one series and year"
		default:
			of.Numbers.Series, of.Numbers.FinancialYear = found[1], found[2]
		}
	}
	switch {
	case len(wrong) > 0:
	case of.Numbers.Last > 0 && of.Numbers.First > of.Numbers.Last:
		wrong[lastParam] = "This number is before the first"
	case slices.Contains(of.Kinds, paper.Receipt) || slices.Contains(of.Kinds, paper.Ticket):
		wrong[firstParam] = "Receipts and tickets have no serial numbers. Leave this empty for them"
	}
	return of, wrong
}

// fingerprint identifies a filter.
func fingerprint(filter url.Values) string {
	sum := sha256.Sum256([]byte(filter.Encode()))
	return hex.EncodeToString(sum[:8])
}

func (h handlers) print(c *echo.Context) error {
	return h.showPrint(c, http.StatusOK, c.QueryParams(), "")
}

// showPrint shows the form with what it would print, and the jobs. problem is why nothing was ordered.
func (h handlers) showPrint(c *echo.Context, status int, query url.Values, problem string) error {
	ctx, now := c.Request().Context(), h.Clock()
	filter := printFilter(query, now)
	of, wrong := printSelection(filter, now)
	p := printView{
		Tabs: printTabs(web.StaffPrintPath), Typed: filter, Faults: wrong, Problem: problem, Said: said[c.QueryParam("said")], Days: printDays(filter, now), Series: h.seriesOf(of.Kinds, now), Events: h.eventOptions(filter.Get(eventParam)),
		Form: filter.Get(asParam), Double: filter.Get(doubleParam) != "", Skip: of.Unprinted, List: query.Get("list") != "",
	}
	for _, kind := range printedKinds {
		p.Kinds = append(p.Kinds, kindBox{string(kind.kind), upperFirst(kind.many), kind.small, slices.Contains(of.Kinds, kind.kind)})
	}
	for _, order := range printOrders {
		order.Chosen = order.Value == filter.Get(orderParam)
		p.Orders = append(p.Orders, order)
	}
	if len(wrong) > 0 {
		p.Preview = previewView{Title: "Nothing to print yet", Text: strings.Join(slices.Sorted(maps.Values(wrong)), ". ") + "."}
	} else if err := h.fillPreview(c, &p, of, filter); err != nil {
		return err
	}
	open, ended, err := h.office.Batches(ctx)
	if err != nil {
		return err
	}
	for _, b := range open {
		p.Open = append(p.Open, h.batchRow(b, now))
	}
	for _, b := range ended {
		p.Ended = append(p.Ended, h.batchRow(b, now))
	}
	p.Refresh = web.WithQuery(web.StaffPrintPath, filter)
	p.ListLink = p.Refresh + "&list=yes#documents"
	f := frameOf(c, "Print", web.StaffPrintPath)
	return h.Show(c, status, printPage(f, p))
}

// fillPreview counts a selection.
func (h handlers) fillPreview(c *echo.Context, p *printView, of office.Selection, filter url.Values) error {
	ctx := c.Request().Context()
	shown, err := h.office.Preview(ctx, of)
	if err != nil {
		return err
	}
	all := shown
	if of.Unprinted {
		of.Unprinted = false
		if all, err = h.office.Preview(ctx, of); err != nil {
			return err
		}
	}
	p.Again, p.Left = fmt.Sprintf("%s of these %s", admission.Count(uint(all.Duplicates)), admission.Count(uint(all.Total))), admission.Count(uint(all.Total-all.Duplicates))+" left"
	v := &p.Preview
	if shown.Total == 0 {
		v.Title, v.Text = "Nothing to print", "No document fits this selection."
		if all.Total > 0 {
			v.Text = "All " + documents(all.Total) + " of this selection were printed before."
		}
		return nil
	}
	v.Title = kindCounts(shown.Counts)
	v.Text = "None of them was printed before."
	if shown.Duplicates > 0 {
		v.Text = admission.Count(uint(shown.Duplicates)) + " of them will be marked DUPLICATE."
	}
	if shown.Total > office.MaxBatch {
		v.Text = "One job prints at most " + admission.Count(office.MaxBatch) + ". Choose fewer days or numbers."
	} else {
		v.Press = strings.Join([]string{admission.NewID(), strconv.Itoa(shown.Total), strconv.Itoa(shown.Duplicates), fingerprint(filter)}, " ")
	}
	v.Button = "Create PDF"
	if filter.Get(asParam) == string(office.ZIP) {
		v.Button = "Create ZIP"
	}
	fact := func(name string, of office.Chosen) {
		v.Facts = append(v.Facts, previewFact{name, of.Number, cmp.Or(of.Name, "Name deleted") + ", " + admission.Date(of.IssuedOn)})
	}
	fact("First", shown.Papers[0])
	if shown.Total > 1 {
		fact("Last", shown.Last)
	}
	serials := shown.Counts[paper.Invoice] + shown.Counts[paper.CreditNote]
	if serials > 0 {
		v.Facts = append(v.Facts, previewFact{Name: "Total", Value: admission.INR(shown.Minor).String()})
		if shown.Counts[paper.CreditNote] > 0 && shown.Counts[paper.Invoice] > 0 {
			v.Facts[len(v.Facts)-1].Small = "invoices less credit notes"
		}
	}
	switch {
	case serials == 0:
	case len(shown.Gaps) == 0:
		v.Whole = "None, all " + admission.Count(uint(serials)) + " in sequence"
	}
	for _, g := range shown.Gaps[:min(len(shown.Gaps), shownGaps)] {
		v.Gaps = append(v.Gaps, gapLineOf(g))
	}
	if more := len(shown.Gaps) - shownGaps; len(shown.Gaps) == office.MaxGaps {
		v.MoreGaps = fmt.Sprintf("and %d others or more", more)
	} else if more > 0 {
		v.MoreGaps = fmt.Sprintf("and %d others", more)
	}
	if p.List {
		for _, chosen := range shown.Papers {
			line := paperLine{Number: chosen.Number, Kind: upperFirst(kindName(chosen.Kind, 1)), Name: chosen.Name, Date: admission.Date(chosen.IssuedOn)}
			if chosen.Printed {
				line.Mark = "DUPLICATE"
			}
			v.Papers = append(v.Papers, line)
		}
		if rest := shown.Total - len(shown.Papers); rest > 0 {
			v.More = "And " + admission.Count(uint(rest)) + " more."
		}
	}
	return nil
}

// shownGaps are named; the others are counted.
const shownGaps = 4

// gapLineOf names the numbers that a selection does not have, and why.
func gapLineOf(g office.Gap) gapLine {
	line := gapLine{Numbers: fmt.Sprintf("%s/%s/%06d", g.Series, g.FinancialYear, g.First)}
	n := g.Last - g.First + 1
	if n > 1 {
		line.Numbers += fmt.Sprintf(" to %06d", g.Last)
	}
	switch {
	case g.Issued == n:
		line.Why = "left out by this selection"
	case g.Issued == 0:
		line.Why = "never issued"
	default:
		line.Why = fmt.Sprintf("%d left out by this selection, %d never issued", g.Issued, n-g.Issued)
	}
	return line
}

// kindName returns the name of so many papers of a kind.
func kindName(kind paper.Kind, n int) string {
	for _, k := range printedKinds {
		if k.kind == kind && n == 1 {
			return k.one
		} else if k.kind == kind {
			return k.many
		}
	}
	return string(kind)
}

// kindCounts formats counts: "200 invoices, 1 credit note".
func kindCounts(counts map[paper.Kind]int) string {
	var all []string
	for _, k := range printedKinds {
		if n := counts[k.kind]; n > 0 {
			all = append(all, admission.Count(uint(n))+" "+kindName(k.kind, n))
		}
	}
	return strings.Join(all, ", ")
}

// seriesOf returns what the numbers of some kinds begin with; "" if they differ.
func (h handlers) seriesOf(kinds []paper.Kind, now time.Time) string {
	supplier := h.office.Supplier(now)
	if supplier == nil || len(kinds) != 1 {
		return ""
	}
	switch kinds[0] {
	case paper.Invoice:
		return supplier.Series + "/" + india.FinancialYear(now) + "/"
	case paper.CreditNote:
		return supplier.CreditSeries + "/" + india.FinancialYear(now) + "/"
	}
	return ""
}

// printTabs are the pages of the area.
func printTabs(here string) []tab {
	return []tab{{Name: "Print", Href: web.StaffPrintPath, Here: here == web.StaffPrintPath}, {Name: "Invoice register", Href: web.StaffRegisterPath, Here: here == web.StaffRegisterPath}}
}

// printDays are the same filter for other days.
func printDays(filter url.Values, now time.Time) (links []tab) {
	today := admission.Midnight(now).In(admission.IST)
	week := today.AddDate(0, 0, -int(today.Weekday()+6)%7)
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, admission.IST)
	quarter := time.Date(today.Year(), (today.Month()-1)/3*3+1, 1, 0, 0, 0, 0, admission.IST)
	for _, days := range []struct {
		name        string
		first, last time.Time
	}{
		{"Today", today, today}, {"Yesterday", today.AddDate(0, 0, -1), today.AddDate(0, 0, -1)}, {"This week", week, today},
		{today.Month().String(), month, today}, {month.AddDate(0, -1, 0).Month().String(), month.AddDate(0, -1, 0), month.AddDate(0, 0, -1)}, {"This quarter", quarter, today},
	} {
		of := url.Values{}
		for name, values := range filter {
			of[name] = values
		}
		of[fromParam], of[toParam] = []string{days.first.Format(time.DateOnly)}, []string{days.last.Format(time.DateOnly)}
		links = append(links, tab{Name: days.name, Href: web.WithQuery(web.StaffPrintPath, of)})
	}
	return links
}
