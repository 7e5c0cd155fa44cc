package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/india"
	"hiresure/admission/office"
	"hiresure/pages"
	"hiresure/sheet"
	"hiresure/web"
)

// The names of the register's own query parameters.
const placeParam, seriesParam = "place", "series"

var registerParams = []string{fromParam, toParam, placeParam, seriesParam, eventParam}

// registerRows is how many documents a page of the register has.
const registerRows = 25

type registerView struct {
	Typed                  url.Values
	Faults                 faults
	Places, Series, Events []option
	Kept                   []pages.HiddenField // the filter, for the files
	Figures                []figure
	Rows                   []entryLine
	Page, All              taxLine
	Rates                  []taxLine
	Range, Newer, Older    string
}

type figure struct{ Name, Value, Small string }

// taxLine is a row of amounts.
type taxLine struct {
	Name, Rate, Documents                string
	Taxable, CGST, StateTax, IGST, Total string
}

type entryLine struct {
	taxLine
	Number, Href, Original, Date, Buyer, SAC string
}

// plain formats paise without the sign of the currency.
func plain(minor int64) string { return strings.Replace(admission.INR(minor).String(), "₹", "", 1) }

func taxLineOf(tax india.TaxSplit, total int64) taxLine {
	return taxLine{Taxable: plain(tax.Taxable), CGST: plain(tax.CGST), StateTax: plain(tax.SGST + tax.UTGST), IGST: plain(tax.IGST), Total: plain(total)}
}

// registerFilter returns the filter of an address. Without one it begins with the month before.
func registerFilter(query url.Values, now time.Time) url.Values {
	filter := url.Values{}
	for _, name := range registerParams {
		filter.Set(name, strings.TrimSpace(query.Get(name)))
	}
	if place := office.Place(filter.Get(placeParam)); place != office.Home && place != office.Away {
		filter.Del(placeParam)
	}
	if !query.Has(fromParam) && !query.Has(toParam) {
		today := now.In(admission.IST)
		filter.Set(fromParam, time.Date(today.Year(), today.Month()-1, 1, 0, 0, 0, 0, admission.IST).Format(time.DateOnly))
		filter.Set(toParam, today.Format(time.DateOnly))
	}
	return filter
}

// registerQuery reads a filter. A malformed date filters nothing and has a message.
func registerQuery(filter url.Values) (q office.RegisterQuery, wrong faults) {
	wrong = faults{}
	day := dayReader(filter, wrong)
	q = office.RegisterQuery{From: day(fromParam), Event: filter.Get(eventParam), Series: filter.Get(seriesParam)}
	if to := day(toParam); !to.IsZero() {
		q.Until = to.AddDate(0, 0, 1)
	}
	q.Place = office.Place(filter.Get(placeParam))
	return q, wrong
}

func (h handlers) register(c *echo.Context) error {
	query, now := c.QueryParams(), h.Clock()
	filter := registerFilter(query, now)
	q, wrong := registerQuery(filter)
	cursor, newer := cursorOf(query)
	page, sums, err := h.office.Register(c.Request().Context(), q, cursor, newer, registerRows)
	if err != nil {
		return err
	}
	p := registerView{Typed: filter, Faults: wrong, Places: h.places(filter), Events: h.eventOptions(filter.Get(eventParam)), Figures: h.figures(q, sums)}
	p.Series = []option{{"", "All series", true}}
	for _, series := range sums.Series {
		p.Series = append(p.Series, option{series, series, series == q.Series})
	}
	for _, name := range registerParams {
		p.Kept = append(p.Kept, pages.HiddenField{Name: name, Value: filter.Get(name)})
	}
	var shown office.TaxSum
	for _, e := range page.Entries {
		shown.Add(e)
		p.Rows = append(p.Rows, entryLineOf(e))
	}
	all := sums.Total()
	p.Page, p.All = taxLineOf(shown.Tax, shown.TotalMinor), taxLineOf(all.Tax, all.TotalMinor)
	p.Page.Name, p.All.Name = "These "+documents(shown.Documents), "All "+documents(all.Documents)
	for _, sum := range sums.ByRate() {
		line := taxLineOf(sum.Tax, sum.TotalMinor)
		line.Name, line.Rate, line.Documents = placeOf(sum.PlaceOfSupply, sum.PlaceCode), rateOf(sum.RateBP), strconv.Itoa(sum.Documents)
		p.Rates = append(p.Rates, line)
	}
	p.Range = documents(all.Documents) + ", newest first."
	address := func(name, cursor string) string {
		if cursor == "" {
			return ""
		}
		of := url.Values{name: {cursor}}
		for _, name := range registerParams {
			of.Set(name, filter.Get(name))
		}
		return web.WithQuery(web.StaffRegisterPath, of)
	}
	p.Newer, p.Older = address(newerParam, page.Newer), address(olderParam, page.Older)
	return h.Show(c, http.StatusOK, registerPage(frameOf(c, "Invoice register", web.StaffPrintPath), p))
}

func documents(n int) string {
	if n == 1 {
		return "1 document"
	}
	return admission.Count(uint(n)) + " documents"
}

func placeOf(name, code string) string { return name + " (" + code + ")" }

func rateOf(bp int) string {
	if bp == 0 {
		return "No tax"
	}
	return india.Percent(bp)
}

func entryLineOf(e office.Entry) entryLine {
	line := entryLine{
		taxLine: taxLineOf(e.Tax, e.TotalMinor), Number: e.Number, Href: web.StaffRegistrationPath(e.RegistrationID), Date: admission.Date(e.IssuedOn), Buyer: e.BuyerName, SAC: e.SAC,
	}
	line.Name, line.Rate = placeOf(e.PlaceOfSupply, e.PlaceCode), rateOf(e.RateBP)
	switch e.Kind {
	case office.CreditNote:
		line.Original = "to " + e.Original
	case office.DebitNote:
		line.Original = "reverses " + e.Original
	}
	return line
}

// places are the choices of the filter by State.
func (h handlers) places(filter url.Values) []option {
	home := "Our State"
	if name := h.homeState(); name != "" {
		home = name
	}
	here := filter.Get(placeParam)
	return []option{{"", "All States", here == ""}, {string(office.Home), home, here == string(office.Home)}, {string(office.Away), "Other States", here == string(office.Away)}}
}

// homeState returns the supplier's State with its code; "" while none is registered.
func (h handlers) homeState() string {
	supplier := h.office.Supplier(h.Clock())
	if supplier == nil || len(supplier.GSTIN) < 2 {
		return ""
	}
	state, known := india.StateByCode(supplier.GSTIN[:2])
	if !known {
		return ""
	}
	return placeOf(state.Name, state.Code)
}

func (h handlers) eventOptions(code string) []option {
	events := []option{{"", "All programme events", code == ""}}
	if application, known := h.Events.EventByCode(enrol.ApplicationCode); known {
		events = append(events, option{application.Code, application.Title, application.Code == code})
	}
	for _, e := range h.Content.Current().Events() {
		events = append(events, option{e.ScholarshipCode, e.Title, e.ScholarshipCode == code})
	}
	return events
}

// figures are the sums above the register.
func (h handlers) figures(q office.RegisterQuery, sums office.RegisterSums) []figure {
	all, gapless := sums.Total(), q.Event == "" && q.Place == ""
	within := "within our State"
	if name := h.homeState(); name != "" {
		within = "within " + name
	}
	figures := []figure{{"Invoices", admission.Count(uint(sums.Documents(office.TaxInvoice))), runs(sums, office.TaxInvoice, gapless)}}
	if n := sums.Documents(office.DebitNote); n > 0 {
		figures = append(figures, figure{"Debit notes", admission.Count(uint(n)), runs(sums, office.DebitNote, false)})
	}
	return append(figures,
		figure{"Credit notes", admission.Count(uint(sums.Documents(office.CreditNote))), runs(sums, office.CreditNote, false)},
		figure{"Taxable value", admission.INR(all.Tax.Taxable).String(), "less credit notes"},
		figure{"CGST + SGST or UTGST", admission.INR(all.Tax.CGST + all.Tax.SGST + all.Tax.UTGST).String(), within},
		figure{"IGST", admission.INR(all.Tax.IGST).String(), "to other States"},
		figure{"Total", admission.INR(all.TotalMinor).String(), "less credit notes"})
}

// runs formats the numbers of a kind: "KS/26-27/000001 to 000842, no gap". Gaps say something only of all documents of a series.
func runs(sums office.RegisterSums, kind office.Kind, gapless bool) string {
	var all []string
	for _, run := range sums.Runs {
		if run.Kind != kind {
			continue
		}
		text := fmt.Sprintf("%s/%s/%06d to %06d", run.Series, run.FinancialYear, run.First, run.Last)
		if run.First == run.Last {
			text = fmt.Sprintf("%s/%s/%06d", run.Series, run.FinancialYear, run.First)
		}
		switch missing := run.Last - run.First + 1 - run.Documents; {
		case !gapless:
		case missing == 0:
			text += ", no gap"
		default:
			text += fmt.Sprintf(", %d missing", missing)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// registerColumns are those of a sales and note register.
var registerColumns = []sheet.Column[office.Entry]{
	sheet.Text("Number", func(e office.Entry) string { return e.Number }),
	sheet.Text("Kind", func(e office.Entry) string { return string(e.Kind) }),
	sheet.Date("Date", func(e office.Entry) time.Time { return e.IssuedOn }),
	sheet.Text("Buyer", func(e office.Entry) string { return e.BuyerName }),
	sheet.Text("GSTIN", func(e office.Entry) string { return e.BuyerGSTIN }),
	sheet.Text("Place of supply", func(e office.Entry) string { return placeOf(e.PlaceOfSupply, e.PlaceCode) }),
	sheet.Text("SAC", func(e office.Entry) string { return e.SAC }),
	sheet.Sum("Gross", func(e office.Entry) int64 { return e.ListMinor }),
	sheet.Sum("Discount", func(e office.Entry) int64 { return e.DiscountMinor }),
	sheet.Sum("Not received", func(e office.Entry) int64 { return e.AdjustmentMinor }),
	sheet.Text("Coupon", func(e office.Entry) string { return e.CouponCode }),
	sheet.Sum("Taxable value", func(e office.Entry) int64 { return e.Tax.Taxable }),
	sheet.Number("Rate in %", func(e office.Entry) (int64, bool) { return int64(e.RateBP), true }),
	sheet.Sum("CGST", func(e office.Entry) int64 { return e.Tax.CGST }),
	sheet.Sum("SGST", func(e office.Entry) int64 { return e.Tax.SGST }),
	sheet.Sum("UTGST", func(e office.Entry) int64 { return e.Tax.UTGST }),
	sheet.Sum("IGST", func(e office.Entry) int64 { return e.Tax.IGST }),
	sheet.Sum("Total", func(e office.Entry) int64 { return e.TotalMinor }),
	sheet.Number("Received", func(e office.Entry) (int64, bool) { return e.Received.Minor, true }),
	sheet.Text("Currency", func(e office.Entry) string { return e.Received.Currency }),
	sheet.Text("Rate of exchange", exchangeOf),
	sheet.Text("Gateway", func(e office.Entry) string { return e.PaymentMethod }),
	sheet.Text("Payment ID", func(e office.Entry) string { return e.PaymentID }),
	sheet.Text("Changes document", func(e office.Entry) string { return e.Original }),
	sheet.Date("of", func(e office.Entry) time.Time { return e.OriginalOn }),
	sheet.Text("Reason", func(e office.Entry) string { return e.Reason.Words() }),
	sheet.Date("Last day (s. 34)", office.Entry.LastDay),
}

func exchangeOf(e office.Entry) string {
	if e.Exchange == (admission.ExchangeRate{}) {
		return ""
	}
	return e.Exchange.String() + ", " + e.Exchange.Source
}

// rateColumns are those of the sheet with the tax per rate and State.
var rateColumns = []sheet.Column[office.TaxSum]{
	sheet.Text("Place of supply", func(s office.TaxSum) string { return placeOf(s.PlaceOfSupply, s.PlaceCode) }),
	sheet.Number("Rate in %", func(s office.TaxSum) (int64, bool) { return int64(s.RateBP), true }),
	sheet.Text("Documents", func(s office.TaxSum) string { return strconv.Itoa(s.Documents) }),
	sheet.Sum("Taxable value", func(s office.TaxSum) int64 { return s.Tax.Taxable }),
	sheet.Sum("CGST", func(s office.TaxSum) int64 { return s.Tax.CGST }),
	sheet.Sum("SGST", func(s office.TaxSum) int64 { return s.Tax.SGST }),
	sheet.Sum("UTGST", func(s office.TaxSum) int64 { return s.Tax.UTGST }),
	sheet.Sum("IGST", func(s office.TaxSum) int64 { return s.Tax.IGST }),
	sheet.Sum("Total", func(s office.TaxSum) int64 { return s.TotalMinor }),
}

func (h handlers) exportRegister(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	as, known := formats[typed.Get(formatParam)]
	filter := registerFilter(typed, h.Clock())
	q, wrong := registerQuery(filter)
	if !known || len(wrong) > 0 {
		return echo.ErrBadRequest
	}
	if done, err := h.confirmed(c, typed, "You are about to download the invoice register with the names of buyers."); !done {
		return err
	}
	ctx := c.Request().Context()
	q, sums, err := h.office.ExportRegister(ctx, q, office.Export{Filter: filterWords("invoice register", filter), Format: as.name}, h.Session.StaffActor(c))
	if err != nil {
		return err
	}
	name := "invoice-register"
	for _, day := range []string{filter.Get(fromParam), filter.Get(toParam)} {
		if day != "" {
			name += "-" + day
		}
	}
	return as.send(c, name, func(file sheet.File) error {
		book, sheets := file.(*sheet.XLSX)
		if !sheets {
			_, err := h.writeEntries(c, file, "", q, office.TaxSum{})
			return err
		}
		var written []office.TaxSum
		for _, rate := range sums.ByRate() {
			of := q
			of.Rate = &rate.TaxRate
			sum, err := h.writeEntries(c, file, rateOf(rate.RateBP)+" "+rate.PlaceCode+" "+rate.PlaceOfSupply, of, office.TaxSum{TaxRate: rate.TaxRate, PlaceOfSupply: rate.PlaceOfSupply})
			if err != nil {
				return err
			}
			written = append(written, sum)
		}
		table, err := sheet.Begin(file, "Tax by rate and State", rateColumns)
		if err != nil {
			return err
		}
		book.ShowFirst()
		for _, sum := range written {
			if err := table.Add(sum); err != nil {
				return err
			}
		}
		return table.Total()
	})
}

// writeEntries writes a table of documents and returns their sum.
func (h handlers) writeEntries(c *echo.Context, file sheet.File, name string, q office.RegisterQuery, sum office.TaxSum) (office.TaxSum, error) {
	table, err := sheet.Begin(file, name, registerColumns)
	if err != nil {
		return sum, err
	}
	for e, err := range h.office.Entries(c.Request().Context(), q) {
		if err != nil {
			return sum, err
		}
		sum.Add(e)
		if err := table.Add(e); err != nil {
			return sum, err
		}
	}
	return sum, table.Total()
}
