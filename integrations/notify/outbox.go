package notify

import (
	"context"
	"fmt"
	"time"

	"hiresure/admission/message"
)

// Box keeps what would have been sent, once for an id.
type Box interface {
	AddOutbox(ctx context.Context, id, channel, to, subject, body string, at time.Time) error
}

// Outbox is the sender of development: it delivers to nobody, and shows everything to the developer.
type Outbox struct{ box Box }

// NewOutbox is an outbox over a box.
func NewOutbox(box Box) Outbox { return Outbox{box} }

// Send keeps the text of a message.
func (o Outbox) Send(ctx context.Context, m message.Message, c Content) error {
	if err := o.box.AddOutbox(ctx, m.ID, string(m.Channel), m.To, c.Subject, c.Text, m.CreatedAt); err != nil {
		return fmt.Errorf("add to outbox: %w", err)
	}
	return nil
}
