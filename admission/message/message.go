// Package message writes messages to people, once for each cause, and delivers them.
package message

import (
	"context"
	"time"

	"hiresure/admission"
)

// Channel is the way a message goes.
type Channel string

const (
	SMS   Channel = "sms"
	Email Channel = "email"
)

// Message is one message to one person, for one cause. Cause is unique: the same cause never writes twice.
type Message struct {
	ID        string
	Cause     string // "receipt:" + transaction id, …
	Channel   Channel
	To        string // bare address, or E.164
	Template  string // id of a template in content
	Params    map[string]string
	CreatedAt time.Time
	SentAt    time.Time
}

// Notifier hands a message to the world. ID is its idempotency key: the outbox takes it once, SMTP sends it as Message-ID.
type Notifier interface {
	Send(ctx context.Context, m Message) error
}

// The kinds of jobs that deliver messages.
const (
	JobText    = "text"    // an SMS: somebody waits for it
	JobDeliver = "deliver" // a mail
)

// Writer is the part of a transaction that writes messages. AddMessage adds the job that delivers the message too; for a
// cause that has a message already it changes nothing.
type Writer interface {
	AddMessage(*Message) error
}

// Tx is what this area needs of a transaction. Message returns a message that was sent with empty Params.
type Tx interface {
	Writer
	Message(id string) (*Message, error)
	MarkSent(id string, at time.Time) error
}

// Send writes a message, and the job that delivers it.
func Send(tx Writer, at time.Time, m Message) error {
	m.ID, m.CreatedAt = admission.NewID(), at
	return tx.AddMessage(&m)
}

// JobKind is the kind of the job that delivers the message.
func (m *Message) JobKind() string {
	if m.Channel == SMS {
		return JobText
	}
	return JobDeliver
}

// Needs is everything that a Service works with; all of it is required.
type Needs struct {
	Store    admission.Store[Tx]
	Notifier Notifier
	Clock    func() time.Time
}

// Service delivers messages. It is safe for concurrent use and keeps no state.
type Service struct{ Needs }

// Deliver is the work of JobText and JobDeliver.
func (s *Service) Deliver(ctx context.Context, messageID string) error {
	var m *Message
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		m, err = tx.Message(messageID)
		return err
	}); err != nil || m == nil || !m.SentAt.IsZero() {
		return err
	}
	if err := s.Notifier.Send(ctx, *m); err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx Tx) error { return tx.MarkSent(m.ID, s.Clock()) })
}
