package checkout

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// result shows how an attempt ended. The query only says which one: the gateway is asked what happened.
func (h handlers) result(c *echo.Context) error {
	ctx := c.Request().Context()
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	id := web.PaymentIDOf(c.QueryParams())
	if id == "" {
		return c.Redirect(http.StatusFound, web.PayPath) // which leads on to / where there is nothing to pay
	}
	t, err := h.Payment.Verify(ctx, id)
	if isProblem(err, admission.NotFound) {
		return h.unknownPayment(c)
	}
	if err != nil {
		return err
	}
	p, err := h.Payment.Find(ctx, id)
	if err != nil {
		return err
	}
	owner, err := h.owns(c, v, p.Registration.ID)
	if err != nil {
		return err
	}
	view := resultView{Txn: id, Home: "/", Look: looks[t.Outcome()]}
	if owner {
		view.Home = web.ScholarshipPath(p.Event.Slug)
		view.RegistrationID = p.Registration.ID
		view.OtherMethods = len(h.Payment.Gateways.For(p.Event)) > 1
		view.Facts = append(factsOf(p.Registration, p.Event),
			components.Fact{Name: "Payment number", Value: t.ID})
		view.Price = pages.PriceOf(t.List, t.Discount, t.Charge, t.CouponCode)
	}
	switch t.Outcome() {
	case payment.OutcomePaid:
		view.Countdown = 5
		if owner && p.Registration.PaidTxnID == id {
			papers, _, err := h.paidFacts(c, v, id)
			if err != nil {
				return err
			}
			view.Ticket = h.TicketOf(p.Registration, p.Event.Title, t.Charge)
			view.Ticket.Receipt, view.Ticket.Mailed = papers.Receipt, "Your receipt is on its way to"
			if papers.Invoice != "" {
				view.Ticket.Mailed = "Receipt and tax invoice are on their way to"
			}
			return h.Show(c, http.StatusOK, successPage(h.Kit, view))
		}
	case payment.OutcomePending:
		view.movesOf(t)
	case payment.OutcomeFailed:
		view.PaidElsewhere = p.Registration.Paid()
	}
	return h.Show(c, http.StatusOK, resultPage(h.Kit, view))
}

type resultView struct {
	Txn            string
	Home           string // where a person goes on
	Look           resultLook
	Facts          []components.Fact // for the one who pays; anybody else learns the status only
	Price          components.PriceProps
	RegistrationID string // "" for anybody else
	OtherMethods   bool
	Countdown      int               // seconds until a paid page goes on by itself; 0: it stays
	Ticket         *pages.TicketView // of who has paid with this attempt
	Poll           bool
	Moves          string // what happens to the money instead
	PaidElsewhere  bool   // another attempt paid: nothing to try again
}

// resultLook is the words of an outcome, as spec §2 has them.
type resultLook struct {
	Outcome     string
	Money       string // what the amount is
	Title, Text string
}

var looks = map[payment.Outcome]resultLook{
	payment.OutcomePaid: {
		"paid", "Paid",
		"Congratulations! Your registration has been successfully submitted.",
		"Our team will get in touch with you soon for the next steps.",
	},
	payment.OutcomePending: {
		"pending", "Not confirmed yet",
		"Transaction in pending!",
		"Your transaction is in processing due to some technical issue.Any amount deducted will be refunded in 3-4 business days.",
	},
	payment.OutcomeFailed: {
		"failed", "Not paid",
		"Transaction failed!",
		"Your transaction could not be processed due to some technical issue.Any amount deducted will be refunded in 3-4 business days.",
	},
}

// movesOf says where money goes, or has gone, that buys nothing here; while the outcome is open the page asks on.
func (v *resultView) movesOf(t payment.Transaction) {
	switch t.State {
	case payment.RefundDue, payment.RefundPending:
		v.Look.Money, v.Moves = "On its way back", "This payment is on its way back to where it came from."
	case payment.Refunded: // nothing is pending any more
		v.Look.Money, v.Look.Title, v.Look.Text = "Gone back", goneBack, "This payment has gone back to where it came from."
	default:
		v.Poll = true
	}
}

// goneBack is the title of what was paid and is no longer held.
const goneBack = "Your payment has gone back"

func (v resultView) page() components.Page {
	page := components.Page{Title: v.Look.Title, Main: "wrap section"}
	if v.Poll {
		page.Refresh = pollSeconds
	}
	return page
}

// pollSeconds is how often a pending page asks.
const pollSeconds = 3

// poll lets the script of the page ask for this page, until it is no longer pending.
func (v resultView) poll() templ.Attributes {
	if !v.Poll {
		return nil
	}
	return templ.Attributes{"data-poll": web.PaymentPath(v.Txn)}
}
