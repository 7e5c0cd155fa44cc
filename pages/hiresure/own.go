package hiresure

import (
	"context"
	"slices"
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
	"hiresure/web"
)

// ownView is the home of who is signed in: what comes next, whose turn it is, and the exam's ticket.
type ownView struct {
	Me     account.Account
	Title  string
	Item   *ownItem          // nil: nothing has begun
	Ticket *pages.TicketView // of an exam that is paid for; nil: there is none
	Apply  string            // where the application begins; "" where it cannot
}

type ownItem struct {
	Programme, Line string
	Steps           components.KnotsProps
	Turn            components.TurnProps
	Stage           string // "Step 5 of 5"; "" once its fee goes back: no step is done or missing then
	Drawn           int    // twelfths of the emblem, as far as it has come; 0 once its fee goes back
	Fee             string // what to know of the fee that is due; "" where none is
	Button          link
}

// own returns the home of who is signed in; nil for everybody else. Only who brings a session is looked up. While the
// database does not answer there is the home that everybody gets.
func (h *home) own(c *echo.Context) (*ownView, error) {
	if !h.Session.BringsSession(c) {
		return nil, nil
	}
	v, err := h.Session.Visitor(c)
	if err != nil || v.AccountID == "" {
		return nil, pages.IgnoreUnavailable(err)
	}
	ctx := c.Request().Context()
	me, err := h.Account.Profile(ctx, v)
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	first, err := h.Registry.Home(ctx, v)
	if err != nil {
		return nil, pages.IgnoreUnavailable(err)
	}
	name := content.FirstName(me.FullName)
	view := &ownView{Me: me, Title: "Welcome, " + name, Apply: web.VerifyPath}
	if first.Next != nil {
		standing := standingOf(h.Content.Current(), *first.Next, h.Clock())
		view.Title = standing.Title() + ", " + name
		view.Item = ownItemOf(*first.Next, standing)
		view.Item.Fee = h.feeOf(*first.Next)
		if view.Apply, err = h.mayApply(ctx, v); err != nil {
			return nil, err
		}
	}
	if first.Ticket != nil {
		view.Ticket = h.ticketOf(*first.Ticket)
	}
	return view, nil
}

// mayApply is where who has registrations begins the application; "" while one goes on, or nobody may.
func (h *home) mayApply(ctx context.Context, v admission.Visitor) (string, error) {
	standing, err := h.Apply.Standing(ctx, v)
	if err != nil || standing.Registration != nil || standing.Event.Closed(h.Clock()) != "" {
		return "", pages.IgnoreUnavailable(err)
	}
	return web.VerifyPath, nil
}

// feeOf is what to know of the fee that an application waits for.
func (h *home) feeOf(item registry.Item) string {
	due := slices.Contains([]status.Phase{status.FeeDue, status.PaymentFailed, status.PaymentExpired, status.PaymentReturned}, item.Unclosed)
	if item.Product != enrol.ProductApplication || !due || item.Event.Fee.Minor == 0 {
		return ""
	}
	words := h.Content.Current().Application()
	return h.Taxes() + ", for " + words.FeeFor + ". " + words.FeeApart
}

func ownItemOf(item registry.Item, standing pages.Standing) *ownItem {
	own := &ownItem{Programme: titleOf(item), Line: standing.Line(), Steps: stepsOf(standing), Turn: turnOf(item.Assignee), Button: actionOf(item)}
	at, all := own.Steps.Current(), len(own.Steps)
	if !item.Registration.Refunded {
		own.Drawn = 12 * (2*at + 1) / (2*all + 1)
		own.Stage = "All " + content.InWords(all) + " steps are done"
		if at < all {
			own.Stage = "Step " + strconv.Itoa(at+1) + " of " + strconv.Itoa(all)
		}
	}
	switch {
	case item.Assignee == status.Staff:
		own.Turn.Text = "Our turn"
	case item.Assignee == status.Person && at < all:
		own.Turn.Text = own.Steps[at].Name + ": your turn"
	}
	if own.Button.Text != "" {
		own.Button.Text = item.Registration.Fact().Home
	}
	if item.Action == status.DownloadInvoice || own.Button.Text == "" {
		own.Button = link{Text: "View Registration", Href: web.RegistrationPath(item.Registration.ID)}
	}
	return own
}

// ticketOf is the ticket of a registration that is paid.
func (h *home) ticketOf(item registry.Item) *pages.TicketView {
	page, known := h.Content.Current().Landing(item.Registration.EventSlug, h.Clock())
	if !known {
		page = nil
	}
	view := h.TicketOf(page, item.Registration, titleOf(item), *item.Transaction)
	view.Dates.Apart = true
	if paid := item.Transaction.SettledAt; len(view.Dates.Items) > 0 && !paid.IsZero() {
		view.Dates.Items[0].On = content.Date{Time: paid.In(admission.IST)}.DayMonthAndWeekday()
	}
	for i, item := range view.Dates.Items { // the day stays with its month
		if weekday, day, found := strings.Cut(item.On, ", "); found {
			view.Dates.Items[i].On = weekday + ", " + strings.ReplaceAll(day, " ", "\u00a0")
		}
	}
	return view
}
