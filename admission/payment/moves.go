package payment

// State is the state of one attempt to pay.
type State string

const (
	Created       State = "created" // stored, the provider has not answered yet
	Pending       State = "pending"
	Paid          State = "paid"
	Failed        State = "failed"
	Expired       State = "expired"
	Review        State = "review"     // paid, but not the amount or payment that we requested
	RefundDue     State = "refund_due" // paid, but not needed: to be refunded
	RefundPending State = "refund_pending"
	Refunded      State = "refunded"
	Disputed      State = "disputed" // the payer's bank holds the money; the registration still counts as paid
)

// Event moves an attempt. It always comes from a gateway's answer to the server, never from a query string.
type Event string

const (
	EventStarted            Event = "start ok or unknown"
	EventStartRefused       Event = "start refused"
	EventPaid               Event = "paid, and all is equal"
	EventPaidTwice          Event = "paid, but the registration is paid already"
	EventPaidWrong          Event = "paid, but amount or currency differ"
	EventPaidAndReturned    Event = "paid, and all of it returned before we knew"
	EventAttemptFailed      Event = "attempt failed"
	EventFailed             Event = "terminal failure"
	EventTimeout            Event = "older than its life and not paid"
	EventRefundSent         Event = "refund accepted"
	EventRefundDone         Event = "refund processed"
	EventRefundFailed       Event = "refund failed"
	EventRefundedAtProvider Event = "refunded at the provider, all of it"
	EventBounced            Event = "refund bounced"
	EventBouncedExtra       Event = "refund bounced, and the registration does not need the payment"
	EventDisputed           Event = "dispute opened"
	EventDisputeWon         Event = "dispute won"
	EventDisputeLost        Event = "dispute lost"
	EventDisputeLostInPart  Event = "dispute lost in part"
	EventAccepted           Event = "accepted by staff"
)

// Move is one allowed move of an attempt.
type Move struct {
	From  State // "" before there is one
	Event Event
	To    State // "" for EventRefundFailed: back to StateBefore
}

// Moves is the state machine of an attempt. A move that is absent is refused and changes nothing.
var Moves = []Move{
	{"", "initiate", Created},
	{Created, EventStarted, Pending},
	{Created, EventStartRefused, Failed},
	{Created, EventPaid, Paid}, // the poller was faster than Start's answer, or the price is zero
	{Created, EventPaidTwice, RefundDue},
	{Created, EventPaidWrong, Review},
	{Created, EventFailed, Failed},
	{Created, EventTimeout, Expired},
	{Pending, EventPaid, Paid},
	{Pending, EventPaidWrong, Review},
	{Pending, EventAttemptFailed, Pending},
	{Pending, EventFailed, Failed},
	{Pending, EventTimeout, Expired},
	{Failed, EventPaid, Paid}, // late success
	{Failed, EventPaidTwice, RefundDue},
	{Failed, EventPaidWrong, Review},
	{Expired, EventPaid, Paid},
	{Expired, EventPaidTwice, RefundDue},
	{Expired, EventPaidWrong, Review},
	{Pending, EventPaidTwice, RefundDue},
	{Created, EventPaidAndReturned, Refunded},
	{Pending, EventPaidAndReturned, Refunded},
	{Failed, EventPaidAndReturned, Refunded},
	{Expired, EventPaidAndReturned, Refunded},
	{Paid, EventRefundSent, RefundPending},
	{RefundDue, EventRefundSent, RefundPending},
	{Review, EventRefundSent, RefundPending},
	{RefundPending, EventRefundDone, Refunded},
	{RefundPending, EventRefundFailed, ""},
	{Paid, EventRefundedAtProvider, Refunded},
	{RefundDue, EventRefundedAtProvider, Refunded},
	{Review, EventRefundedAtProvider, Refunded},
	{Refunded, EventBounced, Paid},
	{Refunded, EventBouncedExtra, RefundDue},
	{Paid, EventDisputed, Disputed},
	{Disputed, EventDisputeWon, Paid},
	{Disputed, EventDisputeLost, Refunded},
	{Disputed, EventDisputeLostInPart, Paid},
	{Paid, EventDisputeLost, Refunded}, // we heard of it at its end, as in the next two
	{RefundDue, EventDisputeLost, Refunded},
	{Review, EventDisputeLost, Refunded},
	{Review, EventAccepted, Paid},
	{Review, EventPaid, Paid}, // by JudgeAgain, as are the next two
	{Review, EventPaidTwice, RefundDue},
	{Review, EventFailed, Failed},
}

func move(from State, event Event) (to State, allowed bool) {
	for _, m := range Moves {
		if m.From == from && m.Event == event {
			return m.To, true
		}
	}
	return from, false
}
