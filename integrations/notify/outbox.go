package notify

import (
	"context"
	"fmt"
	"time"

	"hiresure/admission/message"
)

// Box stores what would have been sent, once for an id.
type Box interface {
	AddOutbox(ctx context.Context, id, channel, to, subject, body string, at time.Time) error
}

// Outbox is the sender of development: it delivers to nobody, and shows everything to the developer.
type Outbox struct{ box Box }

// NewOutbox returns an outbox that stores in box.
func NewOutbox(box Box) Outbox { return Outbox{box} }

// Send stores the text of a message.
func (o Outbox) Send(ctx context.Context, m message.Message, _ []Picture) error {
	if err := o.box.AddOutbox(ctx, m.ID, string(m.Channel), m.To, m.Content.Subject, m.Content.Text, m.CreatedAt); err != nil {
		return fmt.Errorf("add to outbox: %w", err)
	}
	return nil
}
