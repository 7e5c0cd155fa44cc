package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

const approvalsPath = "/admin/money/approvals"

func approvalPath(id string) string { return approvalsPath + "/" + id }

type approvalsView struct {
	Title, Said, Fault string
	Cases              []approvalCase
	Own                []approvalRow
	Approvers          string // who can decide Own
	Decided            []approvalRow
}

// approvalCase is a request that this person can decide.
type approvalCase struct {
	ID, Title, Expires, Line string
	Who                      string // first name of who asked
	Request, Effect          []components.Fact
	Name, Href, Registration string
	Sum, Why                 string // Why it cannot be approved; "" if it can
	Gateway                  string
	Answer                   string // as typed
	Faults                   faults
}

type approvalRow struct {
	ID, When, Name, Href, Cause, What, Amount, By, Until string
	Decider, Mark, State, Answer                         string
}

func (h handlers) approvals(c *echo.Context) error {
	return h.showApprovals(c, http.StatusOK, "", "", nil)
}

// showApprovals shows the requests. answer and f belong to the refused form of the request id; "" for none.
func (h handlers) showApprovals(c *echo.Context, code int, id, answer string, f faults) error {
	me := web.StaffPerson(c)
	waiting, over, err := h.office.Approvals(c.Request().Context())
	if err != nil {
		return err
	}
	p := approvalsView{Title: "No refund waits for your approval", Said: said[c.QueryParam("said")], Fault: f[""]}
	for _, a := range waiting {
		if a.Order.AccountID == me.ID {
			p.Own = append(p.Own, h.approvalRow(a))
			continue
		}
		one := h.approvalCase(a)
		if a.Order.ID == id {
			one.Answer, one.Faults = answer, f
		}
		p.Cases = append(p.Cases, one)
	}
	for _, a := range over {
		p.Decided = append(p.Decided, h.approvalRow(a))
	}
	if len(p.Own) > 0 {
		if p.Approvers, err = h.approvers(c); err != nil {
			return err
		}
	}
	switch n := len(p.Cases); {
	case n == 1:
		p.Title = p.Cases[0].Who + " needs your approval for a refund"
	case n > 1:
		p.Title = prose.Capital(prose.Number(n)) + " refunds need your approval"
	}
	return h.Show(c, code, approvalsPage(frameOf(c, "Approvals", approvalsPath), p))
}

func (h handlers) approvalCase(a office.Approval) approvalCase {
	o, r, t := a.Order, a.Registration, &a.Draft.Transaction
	name := cmp.Or(r.FullName, "a deleted person")
	event, _ := h.Events.EventByCode(r.EventCode)
	one := approvalCase{
		ID: o.ID, Title: "Refund " + o.Amount.String() + " to " + name, Expires: "Expires " + admission.Moment(o.ExpiresAt), Who: firstWord(o.Who), Sum: o.Amount.String(), Why: a.Why,
		Line: "Requested by " + o.Who + " on " + admission.Moment(o.At) + ". " + strings.TrimSuffix(o.Second, ".") + ", so someone else must approve it.",
		Name: name, Href: web.StaffRegistrationPath(r.ID), Registration: cmp.Or(event.Title, r.EventCode) + ", " + r.Status(), Gateway: h.gatewayLabel(t),
	}
	one.Request = []components.Fact{{Name: "Reason", Value: o.Cause.Words()}, {Name: "What happened", Value: "“" + o.Words + "”"}}
	if t.ID != "" {
		one.Request = append(one.Request, components.Fact{Name: "Payment", Value: paidOn(t)},
			components.Fact{Name: "Refunded so far", Value: t.Charge.With(t.RefundedMinor).String()})
	}
	if a.Why != "" {
		return one
	}
	one.Effect = noteFacts(a.Draft.Note)
	becomes := r.Status() + ", as now"
	if a.Draft.Whole() {
		becomes = r.Status() + " → Refunded"
	}
	one.Effect = append(one.Effect, components.Fact{Name: "Back to", Value: backTo(t) + ", within " + pages.RefundTime}, components.Fact{Name: "Status", Value: becomes})
	return one
}

func (h handlers) approvalRow(a office.Approval) approvalRow {
	o := a.Order
	row := approvalRow{
		ID: o.ID, When: admission.Moment(o.At), Name: cmp.Or(a.Registration.FullName, "a deleted person"), Href: web.StaffRegistrationPath(o.RegistrationID), Cause: o.Cause.Words(),
		What: "Refund in part", Amount: o.Amount.String(), By: o.Who, Until: admission.Moment(o.ExpiresAt), Decider: o.Decider, Answer: o.Answer,
	}
	if o.Amount.Minor == o.LeftMinor {
		row.What = "Full refund"
	}
	switch o.Decision {
	case payment.Approved:
		row.Mark, row.State, row.Answer = "ok", "Approved", "after "+duration(o.DecidedAt.Sub(o.At))
	case payment.Declined:
		row.Mark, row.State = "no", "Declined"
	case payment.Withdrawn:
		row.Mark, row.State = "no", "Withdrawn"
	default:
		row.Mark, row.State = "wait", "Expired"
	}
	return row
}

// approve approves or declines a request, or withdraws one's own.
func (h handlers) approve(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, id, by := c.Request().Context(), c.Param("id"), h.Session.StaffActor(c)
	var order payment.RefundOrder
	switch typed.Get("do") {
	case "approve":
		if done, err := h.confirmed(c, typed, "You are about to approve a refund that a colleague asked for."); !done {
			return err
		}
		order, err = h.Payment.ApproveRefund(ctx, id, by)
	case "decline":
		order, err = h.Payment.DeclineRefund(ctx, id, typed.Get("answer"), by)
	default:
		return echo.ErrBadRequest
	}
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showApprovals(c, pages.StatusOf(c, problem), id, typed.Get("answer"), faultsOf(problem))
	}
	return c.Redirect(http.StatusSeeOther, web.WithQuery(approvalsPath, url.Values{"said": {"refund-" + string(order.Decision)}}))
}
