package hiresure

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// personalView is the home page of a person: what is next, the ticket with its papers, and the documents of an application.
type personalView struct {
	Me        *account.Account // nil for a verified phone without an account
	Kind      string           // "HireSure application" or "Scholarship exam"
	Title     string
	Strong    string // comes before Line
	Line      string
	Money     []moneyView
	Steps     components.StepperProps // of an application; nil after a refund
	Assignee  components.AssigneeProps
	Stage     string // "Step 5 of 6"
	Buttons   []link // the first is solid unless Quiet
	Quiet     bool   // the bank is asked: nothing is to be pressed
	Ticket    *pages.TicketView
	Papers    []paperLink
	Attempt   *attempt // of an enrolment, while the bank is asked
	Late      string   // payment ID to name when a refund does not arrive; "" for none
	Documents []documentLine
	Enrolled  bool   // paid, and not refunded
	Door      string // the application for somebody with an exam; "" for none
	Support   content.Contact
}

// paperLink is a row of the papers of a payer.
type paperLink struct {
	link
	Text, More string
	Sign       string // path of the icon
}

// Icons of papers.
const (
	signPaper    = "M6 3.5h8.5L18.5 7.5v13H6zM14 3.5V8h4.5M9 12h6.5M9 16h6.5"
	signDownload = "M12 4v11M7.5 11L12 15.5 16.5 11M5 20h14"
	signTicket   = "M3.5 6.5h17v3.7a2 2 0 0 0 0 3.6v3.7h-17v-3.7a2 2 0 0 0 0-3.6zM14.5 7v2M14.5 11v2M14.5 15v2"
	signList     = "M5 6h14M5 12h14M5 18h9"
)

// attempt is an enrolment whose payment the bank has not confirmed.
type attempt struct{ Programme, Name, Course, Exam, Amount, Payment string }

// documentLine is a kind of document on the home page.
type documentLine struct{ Label, State, Look string }

// kinds names the two scholarships, which have similar titles.
var kinds = map[enrol.Product]string{enrol.ProductEnrolment: "Scholarship exam", enrol.ProductApplication: "HireSure application"}

// personalHome returns the home page of a person: of an account, or of a browser that verified the phone of an enrolment. It
// returns nil for other visitors, and while the database is unavailable. It reads the database only with a session.
func (h *home) personalHome(c *echo.Context) (templ.Component, error) {
	if !h.Session.HasSessionCookie(c) {
		return nil, nil
	}
	v, err := h.Session.Visitor(c)
	if err != nil || v.SessionID == "" {
		return nil, pages.IgnoreUnavailable(err)
	}
	ctx := c.Request().Context()
	if v.AccountID == "" {
		page, err := h.homeWithoutAccount(ctx, v)
		return page, pages.IgnoreUnavailable(err)
	}
	me, err := h.Account.Profile(ctx, v)
	if admission.HasKind(err, admission.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	first, err := h.Registry.Home(ctx, v)
	if err != nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	if first.Next == nil {
		return newPage(h.Frame(), h.newView(me)), nil
	}
	view, err := h.viewOf(ctx, v, first)
	if err != nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	view.Me = &me
	if item := *first.Next; item.Product == enrol.ProductEnrolment {
		if len(view.Papers) > 0 && !item.Registration.Refunded {
			view.Papers = append(view.Papers, paperLink{Text: "View Registration", link: link{Href: web.RegistrationPath(item.Registration.ID)}, More: "Your details and dates", Sign: signList})
		}
		if view.Door, err = h.doorFor(ctx, v, item); err != nil {
			return nil, err
		}
	}
	return personalPage(h.Frame(), view), nil
}

// homeWithoutAccount returns the home page of a browser without an account; nil for one that has verified no phone.
func (h *home) homeWithoutAccount(ctx context.Context, v admission.Visitor) (templ.Component, error) {
	verified, err := h.Account.VerifiedAddress(ctx, v)
	if err != nil || strings.Contains(verified, "@") {
		return nil, err
	}
	first, err := h.Registry.HomeWithoutAccount(ctx, v, verified)
	switch {
	case err != nil:
		return nil, err
	case first.Next != nil:
		view, err := h.viewOf(ctx, v, first)
		return personalPage(h.Frame(), view), err
	case verified != "":
		return noTicketPage(h.Frame(), h.noTicketView(verified)), nil
	}
	return nil, nil
}

// doorFor returns the text that offers the application to somebody who is enrolled for an exam; "" where there is one, where
// it is closed, and after a refund.
func (h *home) doorFor(ctx context.Context, v admission.Visitor, item registry.Item) (string, error) {
	if status.FeeOf(item.Product, item.Phase) != status.FeePaid {
		return "", nil
	}
	if path, err := h.applyPath(ctx, v); path == "" {
		return "", err
	}
	return pages.DoorOf(h.Content.Current()).Second, nil
}

// applyPath returns where the application starts; "" while one is in progress or closed.
func (h *home) applyPath(ctx context.Context, v admission.Visitor) (string, error) {
	standing, err := h.Apply.Standing(ctx, v)
	if err != nil || standing.Registration != nil || standing.Event.Closed(h.Clock()) != "" {
		return "", pages.IgnoreUnavailable(err)
	}
	return web.VerifyPath, nil
}

// viewOf returns the home page of a person with a registration.
func (h *home) viewOf(ctx context.Context, v admission.Visitor, first registry.Home) (personalView, error) {
	item := *first.Next
	r, standing := item.Registration, standingOf(h.Content.Current(), item, h.Clock())
	view := personalView{
		Kind: kinds[item.Product], Title: standing.Title(), Strong: standing.Words.Home.Lead, Line: standing.Line(),
		Enrolled: status.FeeOf(item.Product, item.Phase) == status.FeePaid,
		Support:  h.Content.Current().Site().Support,
	}
	if !strings.HasSuffix(view.Title, "!") { // not the specification's texts
		view.Title += ", " + content.FirstName(r.FullName)
	}
	view.setSteps(item, standing)
	shown := first.Ticket
	if shown == nil && r.Refunded && r.Ticket != "" && item.Transaction != nil {
		shown = first.Next
	}
	if shown != nil {
		view.Ticket, view.Papers = h.ticketOf(*shown), papersOf(*shown)
	} else if item.Product == enrol.ProductApplication {
		view.Documents = documentLines(item)
	}
	view.setButtons(item)
	if item.Product == enrol.ProductEnrolment && r.Refunded && first.Ticket == nil && item.Event.Closed(h.Clock()) == "" {
		view.Buttons = append(view.Buttons, link{Text: "Enrol again", Href: web.ScholarshipPath(r.EventSlug)})
	}
	if status.FeeOf(item.Product, item.Phase) == status.FeeBack && !r.Refunded { // its note says the same
		view.Line = ""
	}
	of := []*registry.Item{&item}
	if first.Ticket != nil && first.Ticket.Registration.ID != r.ID {
		of = append(of, first.Ticket)
	}
	for _, item := range of {
		money, err := h.moneyOf(ctx, v, item)
		if err != nil {
			return view, err
		}
		view.Money = append(view.Money, money)
	}
	return view, nil
}

// setSteps sets the steps of an application and whose turn it is.
func (view *personalView) setSteps(item registry.Item, standing pages.Standing) {
	if item.Product != enrol.ProductApplication || item.Registration.Refunded {
		return
	}
	view.Steps, view.Assignee = standing.Steps(), shownAssignee(item)
	at, all := view.Steps.Current(), len(view.Steps)
	view.Stage = "All " + content.InWords(all) + " steps are done"
	if at < all {
		view.Stage = "Step " + strconv.Itoa(at+1) + " of " + strconv.Itoa(all)
		if item.Assignee == status.Person {
			view.Assignee.Text = view.Steps[at].Name + ": your turn"
		}
	}
	if item.Assignee == status.Staff {
		view.Assignee.Text = "Our turn"
	}
	if item.Phase == status.PaymentOpen {
		view.Assignee.Text = view.Steps[at].Name + ": not finished"
		if item.Transaction.AtBank {
			view.Assignee.Text = view.Steps[at].Name + ": your bank’s turn"
		}
	}
}

// setButtons sets what can be pressed next.
func (view *personalView) setButtons(item registry.Item) {
	r, t := item.Registration, item.Transaction
	details := link{Text: "View Registration", Href: web.RegistrationPath(r.ID)}
	switch {
	case item.Phase == status.PaymentOpen:
		view.Quiet = true
		view.Buttons = []link{seePayment(item)}
		if !t.AtBank {
			view.Buttons = append(view.Buttons, link{Text: "Continue to pay", Href: web.CheckoutAgainPath(t.ID)})
		}
		if item.Product == enrol.ProductEnrolment {
			view.Attempt = attemptOf(item)
		}
	case status.FeeOf(item.Product, item.Phase) == status.FeeBack && item.Action == status.DownloadInvoice:
		view.Buttons = []link{{Text: "Credit note", Href: web.OwnInvoicePath(t.ID)}, {Text: "Receipt", Href: web.OwnReceiptPath(t.ID)}}
	case item.Product == enrol.ProductEnrolment && status.FeeOf(item.Product, item.Phase) == status.FeePaid: // nothing to do
	case item.Action == status.NoAction || item.Action == status.DownloadInvoice:
		if r.AccountID != "" {
			view.Buttons = []link{details}
		}
	default:
		action := actionOf(item)
		action.Text = r.Fact().Home
		view.Buttons = []link{action}
	}
	if item.Phase == status.RefundSent {
		view.Late = firstEight(t.ID)
	}
	if view.Ticket != nil && view.Ticket.Calendar != "" && !r.Refunded {
		view.Buttons = append(view.Buttons, link{Text: "Add to calendar", Href: view.Ticket.Calendar})
	}
}

// page is the page's head. Without scripts it is loaded again while the bank is asked.
func (view personalView) page() components.Page {
	page := components.Page{Title: "HireSure", Main: "account-page", Styles: []string{"paid.css"}}
	if view.Me == nil && view.Ticket != nil {
		page.Title = "Your ticket"
	}
	if view.Attempt != nil {
		page.Refresh = 3
	}
	return page
}

// poll makes a script ask for the page until the bank has answered.
func (view personalView) poll() templ.Attributes {
	if view.Attempt == nil {
		return nil
	}
	return templ.Attributes{"data-poll": web.HomePath}
}

// attemptPath returns the page of a registration's last attempt to pay.
func attemptPath(item registry.Item) string {
	if item.Product == enrol.ProductApplication {
		return web.FeePaymentPath(item.Transaction.ID)
	}
	return web.PaymentPath(item.Transaction.ID)
}

func attemptOf(item registry.Item) *attempt {
	r, t := item.Registration, item.Transaction
	of := attempt{Programme: titleOf(item), Name: r.FullName, Course: enrol.CourseLabel(r.Course), Amount: t.Charge.String(), Payment: firstEight(t.ID)}
	if !item.Event.Exam.IsZero() {
		of.Exam = admission.LongDate(item.Event.Exam)
	}
	return &of
}

// ticketOf returns the ticket of a paid registration.
func (h *home) ticketOf(item registry.Item) *pages.TicketView {
	page, _ := h.Content.Current().Landing(item.Registration.EventSlug, h.Clock())
	view := h.TicketOf(page, item.Registration, titleOf(item), *item.Transaction)
	view.MarkRefund(item.Phase)
	view.Dates.Apart = true
	if paid := item.Transaction.SettledAt; len(view.Dates.Items) > 0 && !paid.IsZero() {
		view.Dates.Items[0].On = content.Date{Time: paid.In(admission.IST)}.DayMonthAndWeekday()
	}
	for i, item := range view.Dates.Items { // no-break between day and month
		if weekday, day, found := strings.Cut(item.On, ", "); found {
			view.Dates.Items[i].On = weekday + ", " + strings.ReplaceAll(day, " ", "\u00a0")
		}
	}
	return view
}

// papersOf returns the papers of a paid enrolment. After a refund the buttons have the receipt.
func papersOf(item registry.Item) (papers []paperLink) {
	r, t := item.Registration, item.Transaction
	if !r.Refunded {
		more := t.Charge.String() + " paid on " + admission.Date(t.SettledAt)
		if t.Charge.Minor == 0 {
			more = "Nothing to pay"
		}
		papers = append(papers, paperLink{Text: "Receipt", link: link{Href: web.OwnReceiptPath(t.ID)}, More: more, Sign: signPaper})
	}
	if item.Invoice != nil {
		papers = append(papers, paperLink{Text: string(status.DownloadInvoice), link: invoiceOf(item), More: item.Invoice.Number + ", PDF", Sign: signDownload})
	}
	if !r.Refunded {
		papers = append(papers, paperLink{Text: "Ticket as PDF", link: link{Href: web.OwnPaperPath(t.ID, web.TicketFile)}, More: "To print or to share", Sign: signTicket})
	}
	return papers
}

// documentLines returns the state of each kind of document; nil before they are due.
func documentLines(item registry.Item) (states []documentLine) {
	due := item.Phase == status.DocumentsDue
	if !due && item.Phase != status.DocumentsSubmitted {
		return nil
	}
	for _, fact := range document.Kinds {
		_, there := document.OfKind(item.Documents, fact.Kind)
		row := documentLine{Label: fact.Label, State: "Needed"}
		switch {
		case there && due:
			row.State, row.Look = "Uploaded", "is-done"
		case there:
			row.State = "To be read"
		case !due:
			row.State = "Not uploaded"
		case fact.Required == "":
			row.State = "Optional"
		}
		states = append(states, row)
	}
	return states
}

// newView is the home page of an account without registrations: every open exam and the application, with their prices.
type newView struct {
	Me        account.Account
	Doors     []door
	Enough    string
	FirstName string
}

// door is a way to a scholarship.
type door struct {
	Kind, Title, Text, Fee string
	Name, Value            string // second fact
	Button, Href           string
	Open, Gold             bool // enrolment is open; the page's solid button
}

func (h *home) newView(me account.Account) newView {
	library := h.Content.Current()
	view := newView{Me: me, FirstName: content.FirstName(me.FullName)}
	if exam := h.examDoor(library, h.DefaultEvent); exam.Title != "" {
		view.Doors = append(view.Doors, exam)
	}
	for _, event := range library.Events() {
		if exam := h.examDoor(library, event.Slug); exam.Open && event.State != content.Draft && event.Slug != h.DefaultEvent {
			view.Doors = append(view.Doors, exam)
		}
	}
	if application := library.Application(); application.Open() {
		switch len(view.Doors) {
		case 0:
		case 1:
			view.Enough = "One is enough. You can try for both: the better result counts."
		default:
			view.Enough = "One is enough. You can take an exam and apply too: the better result counts."
		}
		offer := pages.DoorOf(library)
		view.Doors = append(view.Doors, door{
			Kind: kinds[enrol.ProductApplication], Title: application.Title, Text: offer.Who, Fee: offer.Price,
			Name: "Answer", Value: "Within " + strconv.Itoa(application.AnswerDays) + " days", Button: "See who it is for", Href: web.VerifyPath,
		})
	}
	return view
}

// examDoor returns an event; without Title its content is missing.
func (h *home) examDoor(library *content.Library, slug string) door {
	page, known := library.Landing(slug, h.Clock())
	if !known {
		return door{}
	}
	exam := door{
		Kind: kinds[enrol.ProductEnrolment], Title: page.Event.Title, Text: "Your rank decides.",
		Fee:  admission.Money{Minor: page.Event.FeeMinor, Currency: page.Event.Currency}.Short(),
		Name: "Exam", Value: admission.LongDate(page.Event.Exam.Time), Button: "Apply Now", Href: web.ApplyPath(slug), Open: page.Notice.Title == "", Gold: slug == h.DefaultEvent && page.Notice.Title == "",
	}
	if page.Notice.Title != "" {
		exam.Button, exam.Href = "See the exam", web.ScholarshipPath(slug)
	}
	if bands := page.Ranks; len(bands) > 0 && bands[0].TuitionMinor == 0 {
		exam.Text += " The top " + strconv.Itoa(bands[0].To) + " pay no tuition."
	}
	return exam
}

// noTicketView is the home page of a verified phone without an enrolment. It names no other number or e-mail.
type noTicketView struct {
	Phone   string
	Exam    door
	Support content.Contact
}

func (h *home) noTicketView(phone string) noTicketView {
	library := h.Content.Current()
	return noTicketView{Phone: pages.Mobile(phone), Exam: h.examDoor(library, h.DefaultEvent), Support: library.Site().Support}
}

// firstEight returns the part of a payment ID that support asks for.
func firstEight(id string) string { return id[:min(8, len(id))] }
