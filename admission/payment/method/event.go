package method

// Event is a webhook with a verified signature. It names what to fetch from the provider and never settles a payment itself.
type Event struct {
	ID, Type                        string
	Kind                            EventKind
	TxnID, Ref, PaymentID, RefundID string  // "" if the event does not name it
	Dispute                         Dispute // set if Descriptor.DisputesByEvent
	Ack                             []byte  // response body that the provider requires; nil for none
	AckType                         string  // content type of Ack; "" is text/plain
}

// EventKind is the subject of a webhook.
type EventKind string

const (
	EventOfCharge  EventKind = "charge"
	EventOfRefund  EventKind = "refund"
	EventOfDispute EventKind = "dispute"
	EventIgnored   EventKind = "ignore" // another shop's, or irrelevant
)

// Dispute is the state of a dispute.
type Dispute string

const (
	DisputeOpened Dispute = "opened"
	DisputeWon    Dispute = "won"
	DisputeLost   Dispute = "lost"
)
