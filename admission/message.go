package admission

import (
	"context"
	"time"
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

// Job is work that must happen: written in the transaction that causes it, done by a worker, any number of processes.
type Job struct {
	Kind     string
	Ref      string // id of what it is about; kind and ref are unique together
	DueAt    time.Time
	Attempts int
}

// The kinds of jobs.
const (
	JobText    = "text"    // an SMS: somebody waits for it
	JobDeliver = "deliver" // a mail
	JobPoll    = "poll"    // a payment whose outcome is not known
	JobEvent   = "event"   // a webhook in the inbox
	JobRefund  = "refund"  // a charge that must go back
	JobLead    = "lead"    // an abandoned enrolment to the lead webhook
	JobRemind  = "remind"  // a mail to somebody who left an enrolment and agreed to be reminded
)

// send writes a message and the job that delivers it.
func (o *Office) send(tx Tx, m Message) error {
	m.ID, m.CreatedAt = NewID(), o.Clock()
	return tx.AddMessage(&m)
}

// JobKind is the kind of the job that delivers the message.
func (m *Message) JobKind() string {
	if m.Channel == SMS {
		return JobText
	}
	return JobDeliver
}

// Deliver is the work of JobText and JobDeliver.
func (o *Office) Deliver(ctx context.Context, messageID string) error {
	var m *Message
	if err := o.Store.View(ctx, func(tx Tx) (err error) {
		m, err = tx.Message(messageID)
		return err
	}); err != nil || m == nil || !m.SentAt.IsZero() {
		return err
	}
	if err := o.Notifier.Send(ctx, *m); err != nil {
		return err
	}
	return o.Store.Update(ctx, func(tx Tx) error { return tx.MarkSent(m.ID, o.Clock()) })
}
