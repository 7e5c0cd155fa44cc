package payment

import (
	"errors"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/paths"
)

// Business days that we promise a payer.
const (
	SurplusDays = 4 // until the refund of a payment that was not needed arrives
	RefundDays  = 7 // until the refund of a fee arrives
	StaffDays   = 1 // until a person has acted on money that needs one
)

// SentAt returns when a refund was sent.
func (r Refund) SentAt() time.Time {
	if r.PostedAt.IsZero() {
		return r.CreatedAt
	}
	return r.PostedAt
}

// ArrivesBy returns the day by which a refund should arrive.
func (r Refund) ArrivesBy(days int) time.Time { return admission.BusinessDays(r.SentAt(), days) }

// arrivesBy formats it: "Thursday, 3 December".
func arrivesBy(refund *Refund, days int) string {
	return admission.DayMonthAndWeekday(refund.ArrivesBy(days))
}

// notifyDisputed notifies the payer that a dispute was opened.
func (c *change) notifyDisputed() error {
	return c.notify("dispute-open:"+c.t.ID+":"+c.now.Format(time.RFC3339), "dispute-open", c.disputeParams())
}

// notifyKept notifies the payer that a dispute was won.
func (c *change) notifyKept() error {
	return c.notify("dispute-won:"+c.t.ID+":"+c.now.Format(time.RFC3339), "dispute-won", c.disputeParams())
}

func (c *change) disputeParams() map[string]string {
	return map[string]string{"Name": c.r.FullName, "Amount": c.t.Charge.String(), "Transaction": c.t.ID, "Ticket": c.r.Ticket, "TicketURL": c.ticketURL()}
}

// ticketURL returns the page of the registration's ticket; "" for none.
func (c *change) ticketURL() string {
	if c.r.TicketKey == "" {
		return ""
	}
	return c.BaseURL + paths.Ticket(c.r.TicketKey)
}

// nextBy returns the day by which a person acts on money.
func (c *change) nextBy() string {
	return admission.DayMonthAndWeekday(admission.BusinessDays(c.now, StaffDays))
}

// paymentURL returns the page that shows the outcome of the attempt on any device.
func (c *change) paymentURL() string { return c.BaseURL + paths.Payment(c.t.ID) }

// notifyUnpaid notifies the payer that the attempt ended unpaid: by e-mail, and by one SMS a day.
func (c *change) notifyUnpaid() error {
	sms := "payment-missing-sms"
	if c.r.IsApplication() {
		sms += "-application"
	}
	return errors.Join(c.notify("unpaid:"+c.t.ID, "payment-missing", c.unpaidParams(c.t.Charge)), c.text("unpaid-sms:"+c.r.ID+":"+admission.ISODate(c.now), sms, nil))
}

// notifyPending notifies the payer that the bank has not answered yet.
func (c *change) notifyPending() error {
	params := map[string]string{"Name": c.r.FullName, "Amount": c.t.Charge.String(), "Transaction": c.t.ID, "PaymentURL": c.paymentURL()}
	return errors.Join(c.notify("pending:"+c.t.ID, "payment-pending", params), c.text("pending-sms:"+c.t.ID, "payment-pending-sms", map[string]string{"Amount": inSMS(c.t.Charge)}))
}

// notifyOtherWay texts the payer, once per cause, that a person sends a refund another way.
func (c *change) notifyOtherWay(cause string, amount admission.Money) error {
	by := admission.BusinessDays(c.now, StaffDays)
	return c.text(cause+":sms", "refund-other-sms", map[string]string{"Amount": inSMS(amount), "NextBy": admission.Date(by)})
}

// inSMS formats an amount in the characters of an SMS: "Rs 1499", "Rs 1498.99".
func inSMS(m admission.Money) string {
	return strings.NewReplacer("₹", "Rs ", ",", "").Replace(m.Short())
}

// text sends an SMS once per cause. A deleted person gets none.
func (c *change) text(cause, template string, params map[string]string) error {
	if !c.r.HasPerson() {
		return nil
	}
	return c.Messages.Send(c.tx, message.Message{Cause: cause, Channel: message.SMS, To: c.r.Phone, Template: template, Params: params})
}

// unpaidParams returns the params of a mail with the link that continues to the payment.
func (c *change) unpaidParams(amount admission.Money) map[string]string {
	return map[string]string{
		"Name": c.r.FullName, "Amount": amount.String(), "Transaction": c.t.ID,
		"PayURL": c.BaseURL + c.r.UnpaidPath(), "Phone": admission.FormatMobile(c.r.Phone),
	}
}

// notifyReview notifies the payer that a person checks the received amount.
func (c *change) notifyReview() error {
	params := map[string]string{
		"Name": c.r.FullName, "Amount": c.t.Arrived.String(), "Fee": c.t.Charge.String(), "Transaction": c.t.ID,
		"PaymentURL": c.paymentURL(), "DecidedBy": c.nextBy(),
	}
	if differs := c.t.Charge.With(c.t.Charge.Minor - c.t.Arrived.Minor); c.t.Arrived.Currency == c.t.Charge.Currency && differs.Minor != 0 {
		if differs.Minor < 0 {
			differs.Minor, params["More"] = -differs.Minor, "yes"
		}
		params["Difference"] = differs.String()
	}
	return c.notify("review:"+c.t.ID, "payment-checked", params)
}

// notifyDueRefund notifies the payer that an unneeded charge was received and that we request its refund.
func (c *change) notifyDueRefund(paymentID string, amount admission.Money) error {
	params, err := c.unneededParams(amount)
	if err != nil {
		return err
	}
	return c.notify("refund-due:"+c.t.ID+":"+paymentID, "refund-due", params)
}

// notifyRefund notifies the payer that the provider has accepted the refund of an unneeded payment.
func (c *change) notifyRefund(refund *Refund) error {
	params, err := c.unneededParams(refund.Amount)
	if err != nil {
		return err
	}
	params["SentOn"], params["ArrivesBy"] = admission.Date(refund.SentAt()), arrivesBy(refund, SurplusDays)
	return c.notify("refund:"+refund.ID, "refund-started", params)
}

// notifyFailedRefund notifies the payer, once per charge, that staff will send an unneeded payment, or an excess, back by hand.
func (c *change) notifyFailedRefund(refund *Refund) error {
	params, err := c.unneededParams(refund.Amount)
	if err != nil {
		return err
	}
	params["NextBy"] = c.nextBy()
	if c.t.State == Review {
		params["Review"] = "yes"
	}
	if refund.Reason == ReasonExcess {
		params["Excess"] = "yes"
	}
	cause := "refund-failed:" + refund.PaymentID
	return errors.Join(c.notify(cause, "refund-failed", params), c.notifyOtherWay(cause, refund.Amount))
}

// unneededParams returns the params of a mail about the refund of an unneeded payment.
func (c *change) unneededParams(amount admission.Money) (map[string]string, error) {
	params := map[string]string{"Name": c.r.FullName, "Amount": amount.String(), "Transaction": c.t.ID}
	if c.r.Refunded {
		params["Ended"] = "yes"
		return params, nil
	}
	params["Ticket"] = c.r.Ticket
	if counts, err := c.tx.Transaction(c.r.PaidTxnID); err != nil {
		return nil, err
	} else if counts != nil && counts.Gateway == NoGateway {
		params["Free"] = "yes"
	}
	if c.r.Paid() {
		return params, nil
	}
	switch other, err := c.tx.ReviewOf(c.r.ID); {
	case err != nil:
		return nil, err
	case other != nil:
		params["InReview"] = "yes"
	case amount != c.t.Charge:
		params["Review"] = "yes"
	}
	return params, nil
}

// notify mails the payer once per cause, with the papers attached.
func (c *change) notify(cause, template string, params map[string]string, papers ...string) error {
	event, _ := c.Events.EventByCode(c.r.EventCode)
	return c.Messages.Send(c.tx, message.Message{
		Cause: cause, Channel: message.Email, To: c.r.Email, Template: template, Params: c.r.PaymentParams(event, params), Papers: papers,
	})
}
