package checkout

import (
	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/receipt"
)

// moneyNote is a note about money on the ticket's page; Receipt is its short form.
type moneyNote struct {
	Title, Text string
	Receipt     notice
	Payment     string // its ID; "" where the payer needs none
	Waiting     bool   // we owe the payer an answer
}

// becauseOf states why an amount is not ours.
var becauseOf = map[receipt.Reason]string{
	receipt.PaidTwice: "You paid twice.",
	receipt.Covered:   "Your coupon covered the whole fee.",
	receipt.TooMuch:   "You paid more than the fee.",
	receipt.WrongSum:  "It was not the amount of the fee.",
	receipt.Returned:  "It went back before it reached us.",
}

// whatWeSend names what a refund sends back.
var whatWeSend = map[receipt.Reason]string{
	receipt.PartOfFee: "a part of your fee",
	receipt.PaidTwice: "the second payment",
	receipt.TooMuch:   "the difference",
}

// moneyNotes returns the notes about a receipt's money, the newest first.
func (h handlers) moneyNotes(of receipt.Receipt) (notes []moneyNote) {
	now := h.Clock()
	for _, n := range of.Notes(now) {
		note := wordsOf(n, of, daysOf{n, admission.ISODate(now)})
		if n.Kind != receipt.Late {
			note.Payment = n.TxnID
		}
		note.Waiting = n.Kind == receipt.Failed || n.Kind == receipt.Bounced
		notes = append(notes, note)
	}
	return notes
}

// daysOf formats the day of a note.
type daysOf struct {
	receipt.Note
	today string
}

// arrives returns by when the money should arrive.
func (d daysOf) arrives() string {
	verb := "It should arrive by "
	if d.today > admission.ISODate(d.By) {
		verb = "It should have arrived by "
	}
	return verb + admission.DayMonthAndWeekday(d.By)
}

// next returns " by Tuesday, 1 December", the day by which a person acts; "" once it has passed.
func (d daysOf) next() string {
	if d.By.IsZero() || d.today > admission.ISODate(d.By) {
		return ""
	}
	return " by " + admission.DayMonthAndWeekday(d.By)
}

// validOf states that a registration is valid, without a full stop; "" once it is refunded.
func validOf(r enrol.Registration) string {
	switch {
	case r.Refunded:
		return ""
	case r.Product() == enrol.ProductApplication:
		return "Your application is valid"
	}
	return "Your ticket is valid"
}

// wordsOf returns the words of a note.
func wordsOf(n receipt.Note, of receipt.Receipt, days daysOf) moneyNote {
	valid := validOf(of.Registration)
	amount, why, what := n.Amount.String(), becauseOf[n.Reason], whatWeSend[n.Reason]
	if what == "" {
		what = "it"
	}
	person := "A person sends it another way and e-mails you the next step" + days.next() + "."
	step := " We e-mail you the next step" + days.next() + "."
	switch n.Kind {
	case receipt.Late:
		return moneyNote{
			Title: "Did you pay again in between?", Text: "Then we have two payments. We refund one and e-mail you when it is sent.",
			Receipt: notice{"Your bank confirmed this payment late.", " Did you pay again in between? Then we refund one payment and e-mail you when it is sent."},
		}
	case receipt.Due:
		note := moneyNote{Title: "We are refunding " + amount, Text: sentences(why, "We refund it and e-mail you when it is sent.", valid)}
		if n.Reason == receipt.PaidTwice {
			note = moneyNote{Title: "You paid twice", Text: sentences("We refund the second payment, "+amount+", and e-mail you when it is sent.", valid, "Please do not pay again.")}
		}
		note.Receipt = notice{note.Title + ".", " " + note.Text}
		return note
	case receipt.Sent:
		on := admission.Date(n.At)
		note := moneyNote{
			Title: amount + " is on its way back", Text: sentences(why, "We sent "+what+" back on "+on+".", days.arrives()+", in the account you paid from."),
			Receipt: notice{sentences(why, amount+" is on its way back."), " " + sentences(days.arrives(), valid)},
		}
		if n.Reason == receipt.PartOfFee {
			note.Text = sentences("We sent back "+what+" on "+on+".", days.arrives(), valid)
			note.Receipt = notice{amount + " is on its way back.", " " + sentences("Sent on "+on+".", days.arrives()+", in the account you paid from.", valid)}
		}
		return note
	case receipt.Failed:
		return moneyNote{
			Title: amount + " is still with us", Text: sentences(why, "The payment provider refused our refund. The money is safe, and it is yours.", person),
			Receipt: notice{amount + " is still with us, and it is yours.", " " + sentences("The payment provider refused our refund."+step, valid)},
		}
	case receipt.Bounced:
		until := valid
		if n.Reason == "" && valid != "" {
			until = "Until then your" + valid[len("Your"):]
		}
		return moneyNote{
			Title: refundBounced, Text: sentences(why, "Your bank did not accept "+amount+". The money is safe, and it is yours.", person, until),
			Receipt: notice{refundBounced + ".", " " + sentences("Your bank did not accept "+amount+". The money is safe, and it is yours."+step, until)},
		}
	case receipt.DisputeLost:
		t := of.Transaction
		return moneyNote{
			Title:   "Your bank took back " + amount,
			Text:    sentences("It decided so on the payment that you disputed. "+t.Charge.With(t.Charge.Minor-t.RefundedMinor).String()+" stays with us.", valid+", and you need not pay the difference."),
			Receipt: notice{"Your bank took back " + amount + " after your dispute.", " " + sentences(valid)},
		}
	}
	return moneyNote{
		Title: "The bank gave " + amount + " back to us", Text: "It has changed its decision on the payment that you disputed. You need not pay or do anything.",
		Receipt: notice{"The bank gave " + amount + " back to us.", " It has changed its decision on the payment that you disputed. You need not pay or do anything."},
	}
}

// sentences joins the sentences that are not empty, each with its full stop.
func sentences(parts ...string) (text string) {
	for _, part := range parts {
		if part == "" {
			continue
		}
		if text != "" {
			text += " "
		}
		text += part
		if last := part[len(part)-1]; last != '.' && last != '?' {
			text += "."
		}
	}
	return text
}
