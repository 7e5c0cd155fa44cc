package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

// Addresses that the buttons of Today post to.
const (
	takePath      = "/admin/take"
	askPath       = "/admin/ask-gateway"
	sendAgainPath = "/admin/send-again"
	runAgainPath  = "/admin/run-again"
)

type todayView struct {
	Title, Text string
	Said        string          // what a button did; "" for nothing
	Documents   components.Link // to applications whose documents wait; empty for none
	Tabs        []tab
	Groups      []caseGroup
	Numbers     []number
	Weekday     string // "Saturday", of the comparison
}

type caseGroup struct {
	Name  string
	Count string
	All   string // address of the whole group; "" if all its cases are shown
	Rows  []caseRow
}

type caseRow struct {
	Kind, Ref    string
	Who, Small   string // whom it concerns, and how to reach them
	What, Detail string
	Waits        string
	Late         bool
	Owner        string // "" for nobody
	Own          bool
	Href         string // of whom it concerns; "" for none
	Link         string // the next step, where another page has it; "" for none
	LinkHref     string
	Action, Path string // the next step as a button; "" for none
}

// number is a figure of the day and the same part of the day a week before.
type number struct{ Name, Value, Before string }

// groupNames are the headings of the kinds of cases.
var groupNames = map[office.CaseKind]string{
	office.NoAnswer: "Payments with no answer", office.InReview: "Payments in review", office.Disputed: "Open disputes", office.RefundFailed: "Refunds that failed",
	office.ToApprove:   "Refunds to approve",
	office.Undelivered: "Messages that did not arrive", office.WorkFailed: "Failed jobs",
}

const rowsPerGroup = 3

func (h handlers) today(c *echo.Context) error {
	ctx, me, now := c.Request().Context(), web.StaffPerson(c), h.Clock()
	cases, err := h.office.Cases(ctx, me.Roles)
	if err != nil {
		return err
	}
	accounts, err := h.Staff.Accounts(ctx)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, a := range accounts {
		names[a.ID] = a.Name
	}
	whose, only := c.QueryParam("whose"), office.CaseKind(c.QueryParam("kind"))
	p := todayView{Tabs: caseTabs(cases, me.ID, whose), Said: said[c.QueryParam("said")], Weekday: now.In(admission.IST).Weekday().String()}
	p.Title, p.Text = headline(cases, now)
	if err := h.addDocuments(c, &p, len(cases)); err != nil {
		return err
	}
	for _, found := range cases {
		if whose == "mine" && found.OwnerID != me.ID || whose == "nobody" && found.OwnerID != "" || only != "" && found.Kind != only {
			continue
		}
		if n := len(p.Groups); n == 0 || p.Groups[n-1].Name != groupNames[found.Kind] {
			p.Groups = append(p.Groups, caseGroup{Name: groupNames[found.Kind]})
		}
		group := &p.Groups[len(p.Groups)-1]
		group.Rows = append(group.Rows, h.caseRow(found, names, me, now))
		group.Count = strconv.Itoa(len(group.Rows))
		if len(group.Rows) > rowsPerGroup && only == "" {
			group.All = web.WithQuery(web.StaffPath, url.Values{"kind": {string(found.Kind)}})
		}
	}
	for i, group := range p.Groups {
		if group.All != "" {
			p.Groups[i].Rows = group.Rows[:rowsPerGroup]
		}
	}
	if p.Numbers, err = h.numbers(c, now); err != nil {
		return err
	}
	return h.Show(c, http.StatusOK, todayPage(frameOf(c, "Today", web.StaffPath), p))
}

// addDocuments names the applications whose documents wait for a reviewer, with a link to them.
func (h handlers) addDocuments(c *echo.Context, p *todayView, cases int) error {
	if !web.StaffPerson(c).Can(staff.ReviewDocuments) {
		return nil
	}
	counts, err := h.office.CountRegistrations(c.Request().Context(), office.Query{Phases: chosen(documentChoices, "waiting")})
	if err != nil || counts[0].All == 0 {
		return err
	}
	n := prose.Capital(prose.Number(counts[0].All)) + " applications wait"
	if counts[0].All == 1 {
		n = "One application waits"
	}
	p.Documents = components.Link{Text: n + " to be checked", Href: web.WithQuery(web.StaffRegistrationsPath, url.Values{documentsParam: {"waiting"}})}
	if cases == 0 {
		p.Title, p.Text = p.Documents.Text, strings.TrimSuffix(p.Text, " Nothing waits for a person.")
		p.Documents.Text = "Registrations whose documents are in"
	}
	return nil
}

// headline returns the title and a line: what cannot wait.
func headline(cases []office.Case, now time.Time) (title, text string) {
	on := now.In(admission.IST).Weekday().String() + ", " + admission.Moment(now) + "."
	urgent := 0
	for _, c := range cases {
		if c.Payment != nil && c.Kind != office.ToApprove {
			urgent++
		}
	}
	rest := len(cases) - urgent
	switch {
	case len(cases) == 0:
		return "You are all caught up", on + " Nothing waits for a person."
	case urgent == 1:
		title = "One payment cannot wait"
	case urgent > 1:
		title = prose.Capital(prose.Number(urgent)) + " payments cannot wait"
	case rest == 1:
		return "One thing to do", on
	default:
		return prose.Capital(prose.Number(rest)) + " things to do", on
	}
	if rest > 0 {
		on += " " + strconv.Itoa(rest) + " more below."
	}
	return title, on
}

func caseTabs(cases []office.Case, me, whose string) []tab {
	mine, nobody := 0, 0
	for _, c := range cases {
		switch c.OwnerID {
		case me:
			mine++
		case "":
			nobody++
		}
	}
	return []tab{
		{Name: "Everything", Href: web.StaffPath, Count: strconv.Itoa(len(cases)), Here: whose == ""},
		{Name: "Mine", Href: web.StaffPath + "?whose=mine", Count: strconv.Itoa(mine), Here: whose == "mine"},
		{Name: "Unassigned", Href: web.StaffPath + "?whose=nobody", Count: strconv.Itoa(nobody), Here: whose == "nobody"},
	}
}

func (h handlers) caseRow(c office.Case, names map[string]string, me *staff.Person, now time.Time) caseRow {
	row := caseRow{Kind: string(c.Kind), Ref: c.Ref, Waits: duration(now.Sub(c.Since)), Owner: names[c.OwnerID], Own: c.OwnerID == me.ID}
	if t := c.Payment; t != nil {
		row.Who, row.Small = t.Payer.Name, pages.Mobile(t.Payer.Phone)
		row.What = t.Charge.String()
		if t.Means.Name != "" {
			row.What += " by " + t.Means.Name
		}
		row.Late = c.Kind != office.InReview && c.Kind != office.ToApprove
		row.Href = web.StaffRegistrationPath(t.RegistrationID)
		row.Link, row.LinkHref = nextSteps[c.Kind], row.Href
		switch c.Kind {
		case office.NoAnswer:
			row.Waits += ", no answer"
			if row.Detail = h.gatewayLabel(t) + " has not answered yet"; !t.FetchedAt.IsZero() {
				row.Detail = h.gatewayLabel(t) + " said “pending” " + h.moment(t.FetchedAt)
			}
			row.Link, row.Action, row.Path = "", nextSteps[c.Kind], askPath
		case office.InReview:
			row.What, row.Detail = "Asked for "+t.Charge.String()+", received "+t.Arrived.String(), "Not enrolled until somebody decides"
		case office.Disputed:
			row.What, row.Detail = t.Charge.String()+" disputed", "Answer at "+h.gatewayLabel(t)+" before its deadline"
		case office.RefundFailed:
			row.Detail = "The refund did not reach the payer. We still have the money"
		case office.ToApprove:
			row.What, row.Detail, row.LinkHref = "Refund of "+c.Order.Amount.String(), "Requested by "+c.Order.Who+". "+c.Order.Second, approvalsPath
			if c.Order.AccountID == me.ID {
				row.Link = "See your request"
			}
		}
		return row
	}
	failed := c.Job
	if n := len(failed.Failures); n > 0 {
		row.Detail = failed.Failures[n-1].Error
	}
	if c.Kind == office.WorkFailed {
		row.Who, row.Small, row.What = failed.Kind, failed.Ref, "Tried "+strconv.Itoa(failed.Attempts)+" times"
		row.Action, row.Path = "Run again", runAgainPath
		return row
	}
	row.Who, row.What = "A message", "It was deleted"
	if m := c.Message; m != nil {
		row.Who, row.What = m.To, "SMS"
		if m.Content.Subject != "" {
			row.What = m.Content.Subject
		}
		row.Action, row.Path = "Send again", sendAgainPath
	}
	return row
}

func (h handlers) gatewayLabel(t *payment.Transaction) string {
	if entry, known := h.Payment.Gateways.Find(t.Gateway); known && entry.Label != "" {
		return entry.Label
	}
	return t.Gateway
}

// duration returns a span in its two largest units: "26 min", "1 h 10 min", "3 days".
func duration(d time.Duration) string {
	minutes := int(d.Minutes())
	switch {
	case minutes < 60:
		return strconv.Itoa(max(minutes, 0)) + " min"
	case minutes < 60*24:
		return strconv.Itoa(minutes/60) + " h " + strconv.Itoa(minutes%60) + " min"
	case minutes < 2*60*24:
		return "1 day"
	}
	return strconv.Itoa(minutes/60/24) + " days"
}

// numbers compares the day so far with the same part of the day a week ago.
func (h handlers) numbers(c *echo.Context, now time.Time) ([]number, error) {
	today, err := h.office.Numbers(c.Request().Context(), now)
	if err != nil {
		return nil, err
	}
	before, err := h.office.Numbers(c.Request().Context(), now.AddDate(0, 0, -7))
	if err != nil {
		return nil, err
	}
	seen := seesMoney(web.StaffPerson(c))
	money := func(n int, minor int64) string {
		if minor == 0 || !seen {
			return strconv.Itoa(n)
		}
		return strconv.Itoa(n) + ", " + admission.INR(minor).String()
	}
	return []number{
		{"Enquiries", strconv.Itoa(today.Enquiries), strconv.Itoa(before.Enquiries)},
		{"Enrolled", strconv.Itoa(today.Enrolled), strconv.Itoa(before.Enrolled)},
		{"Paid", money(today.Paid, today.PaidMinor), money(before.Paid, before.PaidMinor)},
		{"Refunds", money(today.Refunds, today.RefundedMinor), money(before.Refunds, before.RefundedMinor)},
	}, nil
}

// said are the sentences about what a button did.
var said = map[string]string{
	"taken": "It is yours now.", "over": "This does not wait any more.", "asked": "The gateway was asked. It has no answer yet; we go on asking.",
	"paid": "The payment has arrived. Ticket and receipt go out now.", "failed": "The payment failed. The payer gets a message.",
	"noted": "The note is saved.", "receipt": "The receipt is on its way.", "changed": "Somebody else was faster: the payment has changed. Nothing was done.",
	"decided-accept": "The payment is accepted. Ticket, receipt and invoice go out now.", "decided-ask": "The gateway was asked again, and its answer decides.", "decided-refund": "We are sending the refund.",
	"refund-asked": "Your request waits for a second person, under Money. No money moves before they approve it.", "refund-closed": "The failed refund is closed.",
	"refund-approved": "Approved. We are sending the refund.", "refund-declined": "The request is declined. No money moves.", "refund-withdrawn": "Your request is withdrawn. No money moves.",
	"view-ended": "The view has ended.", "moved": "The exam is moved. E-mail and SMS go out now.",
	"link-sent": "We are sending the link. Nothing changes until the owner confirms.", "code-sent": "We are sending the code. Nothing changes until the owner enters it.",
	"renamed": "The name is corrected. Invoices and receipts keep the old one.", "reopened": "The step is open again. E-mail and SMS go out now.", "kept": "Your value was not saved.", "withdrawn": "The request is withdrawn. Its link no longer works.",
	"sent-again": "A new message is sent. The one before no longer works.", "too-soon": "It was sent less than a minute ago. Wait a minute, then send it again.", "done-already": "Already done or ended. Nothing was changed.",
	"review": "The gateway has another amount than we asked for. The payment is in review.", "again": "It is tried again now.",
	"printing": "This PDF is being made. Open it again in a minute.", "stopped": "The job is stopped. Nothing counts as printed.", "ended": "The job had already ended. Nothing was done.",
}

func (h handlers) tell(c *echo.Context, what string) error {
	return c.Redirect(http.StatusSeeOther, web.WithQuery(web.StaffPath, url.Values{"said": {what}}))
}

// back redirects to the page of the form: a registration's, or Today.
func (h handlers) back(c *echo.Context, typed url.Values, what string) error {
	if id := typed.Get(ofRegistration); admission.IsID(id) {
		return h.tellOn(c, id, what)
	}
	return h.tell(c, what)
}

func (h handlers) take(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	err = h.office.Take(c.Request().Context(), office.CaseKind(typed.Get("kind")), typed.Get("ref"), web.StaffPerson(c), h.Session.StaffActor(c))
	switch {
	case admission.AsProblem(err) != nil:
		return h.tell(c, "over")
	case err != nil:
		return err
	}
	return h.tell(c, "taken")
}

func (h handlers) ask(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	answer, err := h.office.Ask(c.Request().Context(), typed.Get("ref"), h.Session.StaffActor(c))
	switch {
	case admission.AsProblem(err) != nil:
		return h.back(c, typed, "over")
	case err != nil:
		return err
	}
	return h.back(c, typed, string(answer))
}

// sendAgain sends a failed message again, and nothing else.
func (h handlers) sendAgain(c *echo.Context) error {
	return h.retry(c, func(kind string) bool { return slices.Contains(office.MessageJobs, kind) })
}

func (h handlers) runAgain(c *echo.Context) error {
	return h.retry(c, func(string) bool { return true })
}

func (h handlers) retry(c *echo.Context, allowed func(kind string) bool) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	kind, ref, _ := strings.Cut(typed.Get("ref"), " ")
	if kind == "" || ref == "" || !allowed(kind) {
		return echo.ErrBadRequest
	}
	_, err = h.office.Retry(c.Request().Context(), kind, ref, h.Session.StaffActor(c))
	switch {
	case admission.AsProblem(err) != nil:
		return h.back(c, typed, "over")
	case err != nil:
		return err
	}
	return h.back(c, typed, "again")
}
