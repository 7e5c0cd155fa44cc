package hiresure

import (
	"errors"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/registry"
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
	Apply  string

	Leaving string // that the person has asked to be deleted, and when that is; "" where not
}

type ownItem struct {
	Programme, Line string
	Steps           components.KnotsProps
	Turn            components.TurnProps
	Stage           string // "Step 5 of 5"
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
		return nil, available(err)
	}
	ctx := c.Request().Context()
	me, err := h.Account.Profile(ctx, v)
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, available(err)
	}
	list, err := h.Registry.List(ctx, v, "", listed)
	if err != nil {
		return nil, available(err)
	}
	name := content.FirstName(me.FullName)
	view := &ownView{Me: me, Title: "Welcome, " + name, Apply: web.ApplyPath(h.DefaultEvent)}
	leaving, err := h.MyData.Deletion(ctx, v)
	if err != nil {
		return nil, available(err)
	}
	switch {
	case leaving == nil:
	case leaving.PostponedAt.IsZero():
		view.Leaving = "Everything we hold about you is deleted on " + admission.Date(leaving.DueAt) + "."
	default:
		view.Leaving = "Everything we hold about you is deleted as soon as your money has settled."
	}
	if len(list.Items) == 0 {
		return view, nil
	}
	item := next(list.Items)
	view.Title = item.Title + ", " + name
	view.Item = ownItemOf(item)
	view.Ticket = h.ticketAmong(list.Items)
	return view, nil
}

// next is what a person should look at: what waits for them, or else what has changed last.
func next(items []registry.Item) registry.Item {
	for _, item := range items {
		if item.Turn == registry.Yours {
			return item
		}
	}
	return items[0]
}

func ownItemOf(item registry.Item) *ownItem {
	own := &ownItem{Programme: titleOf(item), Line: item.Line, Steps: stepsOf(item), Turn: turnOf(item.Turn), Button: actionOf(item)}
	last := own.Steps[len(own.Steps)-1]
	own.Stage = "Step 5 of 5"
	if last.State == components.KnotDone {
		own.Stage = "All five steps are done"
	}
	switch item.Turn {
	case registry.Yours:
		own.Turn.Text = last.Name + ": your turn"
	case registry.Ours:
		own.Turn.Text = "Our turn"
	}
	if own.Button.Text != "" {
		own.Button.Text = item.Registration.Fact().Home
	}
	if item.Action == registry.DownloadInvoice || own.Button.Text == "" {
		own.Button = link{Text: "View Registration", Href: web.RegistrationPath(item.Registration.ID)}
	}
	return own
}

// ticketAmong returns the ticket of the registration that was paid last; nil for none.
func (h *home) ticketAmong(items []registry.Item) *pages.TicketView {
	for _, item := range items {
		if r := item.Registration; r.Ticket != "" && !r.Refunded && item.Payment != nil {
			page, known := h.Content.Current().Landing(r.EventSlug, h.Clock())
			if !known {
				page = nil
			}
			return h.TicketOf(page, r, titleOf(item), item.Payment.Charge)
		}
	}
	return nil
}

// available leaves out that the database does not answer.
func available(err error) error {
	if errors.Is(err, admission.ErrUnavailable) {
		return nil
	}
	return err
}
