package method

// Event is a webhook whose signature has been verified. It says what to ask about; it never marks anything paid.
type Event struct {
	ID, Type                        string
	Kind                            EventKind
	TxnID, Ref, PaymentID, RefundID string  // as far as the event tells them
	Dispute                         Dispute // of a gateway with Descriptor.DisputesByEvent; else ""
	Ack                             []byte  // the response body that the provider insists on; nil for none
	AckType                         string  // content type of Ack; "" is text/plain
}

// EventKind says what a webhook speaks of.
type EventKind string

const (
	EventOfCharge  EventKind = "charge"
	EventOfRefund  EventKind = "refund"
	EventOfDispute EventKind = "dispute"
	EventIgnored   EventKind = "ignore" // another shop's, or of no matter to us
)

// Dispute is what has become of a dispute.
type Dispute string

const (
	DisputeOpened Dispute = "opened"
	DisputeWon    Dispute = "won"
	DisputeLost   Dispute = "lost"
)
