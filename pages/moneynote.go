package pages

import (
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/receipt"
	"hiresure/admission/status"
)

// Notice is a message about money; Strong begins it.
type Notice struct{ Strong, Text string }

// MoneyNote is a note about money on the page of a ticket; Brief is its short form on the receipt and on pages that link to it.
type MoneyNote struct {
	Title, Text string
	Brief       Notice
	Payment     string // its ID; "" where the payer needs none
	Waiting     bool   // we owe the payer an answer
	More        bool   // the receipt has more of it than Text
}

// becauseOf states why an amount is not ours.
var becauseOf = map[receipt.Reason]string{
	receipt.PaidTwice: "You paid twice.",
	receipt.Covered:   "Your coupon covered the whole fee.",
	receipt.TooMuch:   "You paid more than the fee.",
	receipt.WrongSum:  "It was not the amount of the fee.",
	receipt.Returned:  "It was returned before it reached us.",
}

// whatWeSend names what is refunded.
var whatWeSend = map[receipt.Reason]string{
	receipt.PartOfFee: "a part of your fee",
	receipt.PaidTwice: "the second payment",
	receipt.TooMuch:   "the difference",
}

// ReceiptNotes returns the notes on a receipt about money that moved after the payment, the newest first.
func ReceiptNotes(of receipt.Receipt, now time.Time) (notes []MoneyNote) {
	for _, n := range of.Notes(now) {
		note := wordsOf(n, of, daysOf{n, admission.ISODate(now)})
		if n.Kind != receipt.Late && n.Kind != receipt.DisputeOpen {
			note.Payment = n.TxnID
		}
		note.Waiting = n.Kind == receipt.Failed || n.Kind == receipt.Bounced
		notes = append(notes, note)
	}
	return notes
}

// MoneyNotes returns the notes on a valid registration. The first one is about the refund of its whole fee, which a receipt has as its title;
// a refunded registration has only titles.
func MoneyNotes(of receipt.Receipt, now time.Time) []MoneyNote {
	notes := ReceiptNotes(of, now)
	if title, back := RefundNotice(of, now); title != "" && !of.Registration.Refunded {
		text := sentences(back.Strong) + back.Text
		notes = append([]MoneyNote{{Title: title, Text: text, Brief: Notice{title + ".", " " + text}, Payment: of.Transaction.ID}}, notes...)
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

// person states who sends the money, and by when.
func (d daysOf) person() string {
	return "We refund you another way and e-mail you the next step" + d.next() + "."
}

// PersonSends states who sends money whose refund failed or bounced at a time, and by when.
func PersonSends(at, now time.Time) string {
	return daysOf{receipt.Note{By: admission.BusinessDays(at, payment.StaffDays)}, admission.ISODate(now)}.person()
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
func wordsOf(n receipt.Note, of receipt.Receipt, days daysOf) MoneyNote {
	valid := validOf(of.Registration)
	amount, why, what := n.Amount.String(), becauseOf[n.Reason], whatWeSend[n.Reason]
	if what == "" {
		what = "it"
	}
	person := days.person()
	step := " We e-mail you the next step" + days.next() + "."
	switch n.Kind {
	case receipt.Late:
		return MoneyNote{
			Title: "Did you pay again in between?", Text: "Then we have two payments. We refund one and e-mail you when it is sent.",
			Brief: Notice{"Your bank confirmed this payment late.", " Did you pay again in between? Then we refund one payment and e-mail you when it is sent."},
		}
	case receipt.DisputeOpen:
		const title, ends = "Your bank is looking into this payment, because it was disputed.", " Was it a mistake? Tell your bank."
		until := sentences(valid+" until the bank decides", "We e-mail you then")
		return MoneyNote{Title: title, Text: until, Brief: Notice{title, " " + until + ends}, More: true}
	case receipt.Due:
		note := MoneyNote{Title: "We are refunding " + amount, Text: sentences(why, "We refund it and e-mail you when it is sent.", valid)}
		if n.Reason == receipt.PaidTwice {
			note = MoneyNote{Title: "You paid twice", Text: sentences("We refund the second payment, "+amount+", and e-mail you when it is sent.", valid, "Please do not pay again.")}
		}
		note.Brief = Notice{note.Title + ".", " " + note.Text}
		return note
	case receipt.Sent:
		on := admission.Date(n.At)
		note := MoneyNote{
			Title: "Refund of " + amount + " sent", Text: sentences(why, "We refunded "+what+" on "+on+".", days.arrives()+", in the account you paid from."),
			Brief: Notice{sentences(why, "Refund of "+amount+" sent."), " " + sentences(days.arrives(), valid)},
		}
		if n.Reason == receipt.PartOfFee {
			note.Text = sentences("We refunded "+what+" on "+on+".", days.arrives(), valid)
			note.Brief = Notice{"Refund of " + amount + " sent on " + on + ".", " " + sentences(days.arrives()+", in the account you paid from.", valid)}
		}
		return note
	case receipt.Failed:
		return MoneyNote{
			Title: amount + " is still with us", Text: sentences(why, "The payment provider refused our refund. The money is safe, and it is yours.", person),
			Brief: Notice{amount + " is still with us, and it is yours.", " " + sentences("The payment provider refused our refund."+step, valid)},
		}
	case receipt.Bounced:
		until := valid
		if n.Reason == "" && valid != "" {
			until = "Until then your" + valid[len("Your"):]
		}
		return MoneyNote{
			Title: RefundBounced, Text: sentences(why, "Your bank did not accept "+amount+". The money is safe, and it is yours.", person, until),
			Brief: Notice{RefundBounced + ".", " " + sentences("Your bank did not accept "+amount+". The money is safe, and it is yours."+step, until)},
		}
	case receipt.DisputeLost:
		t := of.Transaction
		return MoneyNote{
			Title: "Your bank took back " + amount,
			Text:  sentences("It decided so on the payment that you disputed. "+t.Charge.With(t.Charge.Minor-t.RefundedMinor).String()+" stays with us.", valid+", and you need not pay the difference."),
			Brief: Notice{"Your bank took back " + amount + " after your dispute.", " " + sentences(valid)},
		}
	}
	return MoneyNote{
		Title: "The bank gave " + amount + " back to us", Text: "It has changed its decision on the payment that you disputed. You need not pay or do anything.",
		Brief: Notice{"The bank gave " + amount + " back to us.", " It has changed its decision on the payment that you disputed. You need not pay or do anything."},
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

// Titles of the refund of a whole fee.
const (
	RefundBounced   = "Your refund came back to us" // title of a bounced refund
	refundStarted   = "We are refunding your fee"
	refundSent      = "Refund sent" // until it should have arrived
	Refunded        = "Your fee was refunded"
	RefundByDispute = "Your bank took back your fee"
)

// RefundNotice describes the refund of the whole fee with its title; empty for none.
func RefundNotice(of receipt.Receipt, now time.Time) (title string, what Notice) {
	t := of.Transaction
	amount := t.Charge.With(t.RefundedMinor).String()
	if of.Registration.Refunded {
		what.Strong = "Your " + string(of.Registration.Product()) + " is cancelled."
	}
	last, times := of.LastRefund()
	days := daysOf{receipt.Note{By: last.ArrivesBy(payment.RefundDays)}, admission.ISODate(now)}
	phase := of.RefundPhase(now)
	switch phase {
	case "":
		return "", Notice{}
	case status.RefundPending:
		if status.MoneyOf(&t, now) == status.MoneyHeld {
			return RefundBounced, Notice{"Your bank did not accept " + last.Amount.String() + ".", " The money is safe, and it is yours. " + PersonSends(last.ChangedAt, now)}
		}
		return refundStarted, Notice{what.Strong, " We e-mail you when it is sent."}
	case status.ChargedBack:
		return RefundByDispute, Notice{what.Strong, " You had disputed this payment, and the bank decided for you."}
	}
	if last.ID == "" { // of an older version
		if t.RefundedMinor == 0 {
			return "", Notice{}
		}
		return Refunded, Notice{what.Strong, " We refunded " + amount + "."}
	}
	if last.State == method.RefundAccepted {
		amount = last.Amount.String()
	}
	text := " We refunded " + amount
	if times == 1 {
		text += " on " + admission.Date(last.SentAt())
	}
	if phase == status.Refunded {
		return Refunded, Notice{what.Strong, text + "."}
	}
	return refundSent, Notice{what.Strong, text + ". " + days.arrives() + ", in the account you paid from."}
}
