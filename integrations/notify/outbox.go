package notify

import (
	"context"
	"fmt"

	"hiresure/admission/message"
)

// Box stores outbox messages, once per id.
type Box interface {
	AddOutbox(ctx context.Context, m message.Message) error
}

// Outbox is the Sender of development: it stores messages instead of sending them.
type Outbox struct{ box Box }

// NewOutbox returns an outbox that stores in box.
func NewOutbox(box Box) Outbox { return Outbox{box} }

// Send stores a message's text and the names of its attachments.
func (o Outbox) Send(ctx context.Context, m message.Message, _ []Picture) error {
	if err := o.box.AddOutbox(ctx, m); err != nil {
		return fmt.Errorf("add to outbox: %w", err)
	}
	return nil
}
