package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/india"
	"hiresure/admission/invoice"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/prose"
	"hiresure/web"
)

func refundPath(id string) string { return web.StaffRegistrationPath(id) + "/refund" }
func keepPath(id string) string   { return refundPath(id) + "/keep" }

type refundView struct {
	dialogView
	Why       string // why nothing can be refunded; "" if something can
	All       string // "₹1,499.00"
	LeftMinor int64
	Hint      string // at the amount
	Part      bool
	Currency  string // "rupees"
	Amount    string // as typed
	Shown     int64  // the amount that Note is about, in minor units
	Causes    []option
	Words     string
	Note      []components.Fact // what the credit note will say; nil without an invoice
	Sum       string
	After     string
	Second    string // why it needs a second person; "" if it does not
	Approvers string
	Button    string
	Faults    faults
}

// refundForm shows what a refund of the whole fee would do.
func (h handlers) refundForm(c *echo.Context) error {
	return h.showRefund(c, http.StatusOK, url.Values{"part": {"all"}}, nil)
}

// showRefund shows the form of a refund as typed, with what it would do, and the message of a refused one.
func (h handlers) showRefund(c *echo.Context, code int, typed url.Values, refused *admission.Problem) error {
	ctx, id := c.Request().Context(), c.Param("id")
	txnID, name, err := h.office.PaidBy(ctx, id)
	if err != nil {
		return err
	}
	v := refundView{dialogView: dialogView{ID: id, Name: name, Title: "Refund " + name}, Part: typed.Get("part") == "part", Amount: typed.Get("amount"), Words: typed.Get("words"), Faults: faults{}}
	if refused != nil {
		v.Faults = faultsOf(refused)
	}
	minor, wrong := refundAmount(typed)
	draft, err := h.Payment.DraftRefund(ctx, txnID, minor)
	problem := h.ProblemOf(c, err)
	if problem != nil && problem.Field == "amount" {
		wrong = problem.Message
		draft, err = h.Payment.DraftRefund(ctx, txnID, 0)
		problem = h.ProblemOf(c, err)
	}
	switch {
	case problem != nil && problem.Kind == admission.Conflict:
		v.Why = problem.Message
	case problem != nil:
		return err
	case draft.Order != nil:
		v.Why = draft.Order.Who + " requested a refund of " + draft.Order.Amount.String() + ". It waits for approval."
	}
	if v.Why != "" {
		return h.Show(c, code, refundPage(frameOf(c, v.Title, web.StaffRegistrationsPath), v))
	}
	if wrong != "" {
		v.Faults["amount"], code = wrong, http.StatusUnprocessableEntity
	}
	fillRefund(&v, draft)
	for _, cause := range payment.Causes {
		v.Causes = append(v.Causes, option{Value: string(cause.Cause), Text: cause.Words, Chosen: string(cause.Cause) == typed.Get("cause")})
	}
	if v.Second != "" {
		if v.Approvers, err = h.approvers(c); err != nil {
			return err
		}
	}
	return h.Show(c, code, refundPage(frameOf(c, v.Title, web.StaffRegistrationsPath), v))
}

func fillRefund(v *refundView, draft payment.RefundDraft) {
	t := &draft.Transaction
	v.Line = paidOn(t)
	v.All, v.LeftMinor, v.Shown, v.Sum, v.Second = draft.Left.String(), draft.Left.Minor, draft.Amount.Minor, draft.Amount.String(), draft.Second
	v.Currency = "rupees"
	if draft.Left.Currency != "INR" {
		v.Currency = draft.Left.Currency
	}
	v.Hint = "At most " + unsigned(draft.Left) + ", nothing refunded yet."
	if t.RefundedMinor > 0 {
		v.Hint = "At most " + unsigned(draft.Left) + ", " + unsigned(t.Charge.With(t.RefundedMinor)) + " refunded so far."
	}
	if !v.Part {
		v.Amount = unsigned(draft.Left)
	}
	v.Note = noteFacts(draft.Note)
	arrives := "Back to " + backTo(t) + ", within " + pages.RefundTime + ". "
	if draft.Whole() {
		v.After = arrives + "This ends the registration: the status becomes Refunded, any ticket stops working, and the person may register again."
	} else {
		v.After = arrives + "The registration stays active; only a full refund ends it."
	}
	v.Button = "Refund " + v.Sum
	if v.Second != "" {
		v.Button = "Request approval of " + v.Sum
	}
}

// unsigned formats an amount without the rupee sign: "1,499.00".
func unsigned(m admission.Money) string { return strings.TrimPrefix(m.String(), "₹") }

// paidOn returns what was paid, when and how: "₹1,499.00 paid on 3 Mar 2027, UPI".
func paidOn(t *payment.Transaction) string {
	paid := t.Charge.String() + " paid on " + admission.Date(t.SettledAt)
	if t.Means.Name != "" {
		paid += ", " + t.Means.Name
	}
	return paid
}

// backTo returns where a refund goes: "UPI", "Debit card".
func backTo(t *payment.Transaction) string { return cmp.Or(t.Means.Name, "the account that paid") }

// noteFacts returns what a credit note will say; nil for none.
func noteFacts(note *invoice.CreditNote) (facts []components.Fact) {
	if note == nil {
		return nil
	}
	facts = []components.Fact{
		{Name: "Number, date", Value: "next in " + note.Series + "/" + india.FinancialYear(note.IssuedOn) + ", " + admission.Date(note.IssuedOn)},
		{Name: "To invoice", Value: note.InvoiceNumber + " of " + admission.Date(note.InvoiceDate)},
		{Name: "Taxable value", Value: admission.INR(note.Tax.Taxable).String()},
	}
	if note.Financial {
		facts[2].Name = "Without tax: its GST can no longer be reversed"
	}
	for _, line := range note.Tax.Lines(note.RateBP) {
		facts = append(facts, components.Fact{Name: line.Label, Value: admission.INR(line.Minor).String()})
	}
	return facts
}

// refundAmount returns the typed amount in minor units, 0 for all; or what is wrong with it.
func refundAmount(typed url.Values) (minor int64, wrong string) {
	if typed.Get("part") != "part" {
		return 0, ""
	}
	amount := strings.NewReplacer(",", "", " ", "", "₹", "", "Rs.", "", "Rs", "", "\u00a0", "").Replace(typed.Get("amount"))
	if amount == "" {
		return 0, "Enter an amount."
	}
	minor, err := admission.ParseRupees(amount)
	switch {
	case err != nil:
		return 0, "Enter an amount like 1,000.00."
	case minor == 0:
		return 0, "Enter an amount above 0."
	}
	return minor, ""
}

// approvers returns who else can approve a refund: "Arvind Kulkarni or Kavya Hegde"; "" for nobody.
func (h handlers) approvers(c *echo.Context) (string, error) {
	accounts, err := h.Staff.Accounts(c.Request().Context())
	var names []string
	for _, a := range accounts {
		if !a.Ended() && a.IsSetUp() && a.ID != web.StaffPerson(c).ID && staff.Allows(a.Roles, staff.RefundAboveLimit) {
			names = append(names, a.Name)
		}
	}
	return prose.Either(names), err
}

// refund refunds a fee, or asks a second person to approve it. An amount that the page has not shown is shown first.
func (h handlers) refund(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	minor, wrong := refundAmount(typed)
	left, noNumber := strconv.ParseInt(typed.Get("left"), 10, 64)
	if noNumber != nil {
		return echo.ErrBadRequest
	}
	if minor == 0 {
		minor = left
	}
	if wrong != "" || typed.Get("do") == "show" || typed.Get("shown") != strconv.FormatInt(minor, 10) {
		return h.showRefund(c, http.StatusOK, typed, nil)
	}
	txnID, name, err := h.office.PaidBy(ctx, id)
	if err != nil {
		return err
	}
	order := payment.FeeRefund{TxnID: txnID, Minor: minor, LeftMinor: left, Cause: payment.Cause(typed.Get("cause")), Words: typed.Get("words")}
	if problem := h.ProblemOf(c, order.Check()); problem != nil {
		return h.showRefund(c, pages.StatusOf(c, problem), typed, problem)
	}
	if done, err := h.confirmed(c, typed, "You are about to refund a payment of "+name+"."); !done {
		return err
	}
	placed, err := h.Payment.RefundFee(ctx, order, h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showRefund(c, pages.StatusOf(c, problem), typed, problem)
	}
	if placed.Decision == payment.Waiting {
		return h.tellOn(c, id, "refund-asked")
	}
	return h.tellOn(c, id, "decided-refund")
}

// keepFee ends the case of a refund that failed without another one.
func (h handlers) keepFee(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	if err := h.office.BelongsTo(ctx, typed.Get("payment"), id); err != nil {
		return err
	}
	err = h.Payment.KeepFee(ctx, typed.Get("payment"), typed.Get("words"), h.Session.StaffActor(c))
	switch problem := admission.AsProblem(err); {
	case problem != nil && problem.Field != "":
		return h.showRegistration(c, pages.StatusOf(c, problem), id, "", faultsOf(problem))
	case problem != nil:
		return h.tellOn(c, id, "changed")
	case err != nil:
		return err
	}
	return h.tellOn(c, id, "refund-closed")
}

// refundable reports whether staff may try to refund the fee of a registration.
func refundable(p office.Person) bool {
	t := p.Transaction
	return t != nil && t.ID == p.Registration.PaidTxnID && p.Money == status.MoneyPaid && t.Charge.Minor > 0
}

// orderMoments returns what people did about the refund of a fee, beyond its own entries.
func orderMoments(o payment.RefundOrder, now time.Time) (all []moment) {
	said := ": “" + o.Words + "”"
	if o.Words == "" { // the person was deleted
		said = ""
	}
	entry := func(at time.Time, title, who, words string) {
		all = append(all, moment{at, momentRow{Title: title, Text: recently(at, now) + ", " + who + words}})
	}
	switch o.Decision {
	case payment.NotNeeded:
		entry(o.At, "Why "+o.Amount.String()+" goes back", o.Who, said)
		return all
	case payment.Kept:
		entry(o.At, "Failed refund closed", o.Who, said)
		return all
	}
	entry(o.At, "Approval requested for a refund of "+o.Amount.String(), o.Who, said)
	switch o.Decision {
	case payment.Approved:
		entry(o.DecidedAt, "Refund approved", o.Decider, "")
	case payment.Declined:
		entry(o.DecidedAt, "Refund declined", o.Decider, ": “"+o.Answer+"”")
	case payment.Withdrawn:
		entry(o.DecidedAt, "Request withdrawn", o.Decider, "")
	}
	return all
}
