package notify

import (
	"context"
	"fmt"

	"hiresure/admission/message"
)

// Box stores what would have been sent, once for an id.
type Box interface {
	AddOutbox(ctx context.Context, m message.Message) error
}

// Outbox is the sender of development: it delivers to nobody, and shows everything to the developer.
type Outbox struct{ box Box }

// NewOutbox returns an outbox that stores in box.
func NewOutbox(box Box) Outbox { return Outbox{box} }

// Send stores the text of a message, and what is called what it brings along.
func (o Outbox) Send(ctx context.Context, m message.Message, _ []Picture) error {
	if err := o.box.AddOutbox(ctx, m); err != nil {
		return fmt.Errorf("add to outbox: %w", err)
	}
	return nil
}
