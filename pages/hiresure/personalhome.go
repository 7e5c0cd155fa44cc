package hiresure

import (
	"context"
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

// personalView is the home page of a signed-in person: next step and ticket.
type personalView struct {
	Me     account.Account
	Title  string
	Item   *nextItem         // nil before the first registration
	Ticket *pages.TicketView // of a paid exam; nil for none
	Apply  string            // where the application starts; "" when it cannot
}

type nextItem struct {
	Programme, Line string
	Steps           components.StepperProps
	Assignee        components.AssigneeProps
	Stage           string // "Step 5 of 5"; "" once the fee is refunded
	Drawn           int    // twelfths of the emblem; 0 once the fee is refunded
	Fee             string // note on the due fee; "" for none
	Button          link
}

// personalHome returns the home page of a signed-in person; nil for other visitors, and while the database is unavailable. It reads
// the database only with a session.
func (h *home) personalHome(c *echo.Context) (*personalView, error) {
	if !h.Session.HasSessionCookie(c) {
		return nil, nil
	}
	v, err := h.Session.Visitor(c)
	if err != nil || v.AccountID == "" {
		return nil, pages.IgnoreUnavailable(err)
	}
	ctx := c.Request().Context()
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
	name := content.FirstName(me.FullName)
	view := &personalView{Me: me, Title: "Welcome, " + name, Apply: web.VerifyPath}
	if first.Next != nil {
		standing := standingOf(h.Content.Current(), *first.Next, h.Clock())
		view.Title = standing.Title() + ", " + name
		view.Item = nextItemOf(*first.Next, standing)
		view.Item.Fee = h.feeOf(*first.Next)
		if view.Apply, err = h.applyPath(ctx, v); err != nil {
			return nil, err
		}
	}
	if first.Ticket != nil {
		view.Ticket = h.ticketOf(*first.Ticket)
	}
	return view, nil
}

// applyPath returns where the application starts; "" while one is in progress or enrolment is closed.
func (h *home) applyPath(ctx context.Context, v admission.Visitor) (string, error) {
	standing, err := h.Apply.Standing(ctx, v)
	if err != nil || standing.Registration != nil || standing.Event.Closed(h.Clock()) != "" {
		return "", pages.IgnoreUnavailable(err)
	}
	return web.VerifyPath, nil
}

// feeOf returns the note on an application's due fee.
func (h *home) feeOf(item registry.Item) string {
	due := item.Unclosed == status.FeeDue || status.FeeOf(item.Product, item.Unclosed) == status.FeeMissing
	if item.Product != enrol.ProductApplication || !due || item.Event.Fee.Minor == 0 {
		return ""
	}
	words := h.Content.Current().Application()
	return h.Taxes() + ", for " + words.FeeFor + ". " + words.FeeApart
}

func nextItemOf(item registry.Item, standing pages.Standing) *nextItem {
	own := &nextItem{Programme: titleOf(item), Line: standing.Line(), Steps: stepsOf(standing), Assignee: assigneeOf(item.Assignee), Button: actionOf(item)}
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
		own.Assignee.Text = "Our turn"
	case item.Assignee == status.Person && at < all:
		own.Assignee.Text = own.Steps[at].Name + ": your turn"
	}
	if own.Button.Text != "" {
		own.Button.Text = item.Registration.Fact().Home
	}
	if item.Action == status.DownloadInvoice || own.Button.Text == "" {
		own.Button = link{Text: "View Registration", Href: web.RegistrationPath(item.Registration.ID)}
	}
	return own
}

// ticketOf returns the ticket of a paid registration.
func (h *home) ticketOf(item registry.Item) *pages.TicketView {
	page, _ := h.Content.Current().Landing(item.Registration.EventSlug, h.Clock())
	view := h.TicketOf(page, item.Registration, titleOf(item), *item.Transaction)
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
