// Package message writes messages to people, once for each cause, and delivers them.
package message

import (
	"context"
	"log/slog"
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

	Papers  []string               // names of papers that a mail brings along, as far as they are printed in time
	Brings  []admission.Attachment // those papers, while it is delivered
	ReplyTo string                 // of a mail, while it is delivered; "" is who sends it

	TemplateVersion string  // of the template that Content was rendered from
	Content         Content // the words as they will arrive; empty where they could not be rendered when it was written
}

// Content is the words of a message. An SMS has only Text. HTML is "" too where a mail's is laid out when it is sent: of its
// Parts, which say what Text says, or of Text alone where a version without Parts has written it.
type Content struct{ Subject, Text, HTML, Parts string }

// Notifier renders messages and hands them to the world.
type Notifier interface {
	// Render fills the message's Content from its template and params, and TemplateVersion with it.
	Render(m *Message) error
	// Send delivers the message, rendered now if it has no Content. ID is its idempotency key: the outbox takes it once,
	// SMTP sends it as Message-ID. An error with Permanent() true means that no repetition will help.
	Send(ctx context.Context, m Message) error
}

// The kinds of jobs that deliver messages.
const (
	JobSMS  = "sms" // somebody waits for it
	JobMail = "mail"

	// Versions that did not store Content wrote these for an SMS and a mail. They discard a message whose template they do
	// not know, so that ours have kinds which those versions leave alone; theirs are done here too.
	JobText    = "text"
	JobDeliver = "deliver"
)

// Writer is the part of a transaction that writes messages. AddMessage adds the job that delivers the message too; for a
// cause that has a message already it adds no other, and its job has nothing to deliver.
type Writer interface {
	AddMessage(*Message) error
}

// Tx is what this area needs of a transaction. Message returns a message that was sent with empty Params and Content.
type Tx interface {
	Writer
	Message(id string) (*Message, error)
	MarkSent(id string, at time.Time) error
}

// JobKind is the kind of the job that delivers the message.
func (m *Message) JobKind() string {
	if m.Channel == SMS {
		return JobSMS
	}
	return JobMail
}

// Papers reads papers by their names, those that are printed. waits reports whether another of them is about to be.
type Papers func(ctx context.Context, names []string) (printed []admission.Attachment, waits bool, err error)

// Needs is everything that a Service works with; all of it is required but Papers, without which mails bring none along.
type Needs struct {
	Store    admission.Store[Tx]
	Notifier Notifier
	Papers   Papers
	Clock    func() time.Time
	Log      *slog.Logger
	Alert    func(what string)
}

// Service writes and delivers messages. It is safe for concurrent use and keeps no state.
type Service struct{ Needs }

// Send writes a message, and the job that delivers it. It is rendered here, so that it arrives in these words whatever
// version delivers it. One that cannot be rendered is stored all the same: what caused it must not fail for that, and
// Deliver tries again. Nothing goes to nobody: whoever was deleted has no address any more.
func (s *Service) Send(tx Writer, m Message) error {
	if m.To == "" {
		return nil
	}
	m.ID, m.CreatedAt = admission.NewID(), s.Clock()
	if err := s.Notifier.Render(&m); err != nil {
		s.Log.Error("message is stored without its words", "id", m.ID, "template", m.Template, "error", err)
		s.Alert("message cannot be rendered: " + m.Template)
	}
	return tx.AddMessage(&m)
}

// Deliver is the work of JobSMS and JobMail, and of JobText and JobDeliver: again is when to look anew whether its papers are
// printed. A message that was not added, or is sent already, is done.
func (s *Service) Deliver(ctx context.Context, messageID string) (again time.Duration, err error) {
	var m *Message
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		m, err = tx.Message(messageID)
		return err
	}); err != nil || m == nil || !m.SentAt.IsZero() {
		return 0, err
	}
	if again := s.bring(ctx, m); again > 0 {
		return again, nil
	}
	if err := s.Notifier.Send(ctx, *m); err != nil {
		return 0, err
	}
	return 0, s.Store.Update(ctx, func(tx Tx) error { return tx.MarkSent(m.ID, s.Clock()) })
}

const (
	// papersWait is how long a mail waits for its papers. Then it goes without: it holds the link to them.
	papersWait = 2 * time.Minute
	lookFirst  = 2 * time.Second
	lookLast   = 30 * time.Second // the longest between two looks whether they are printed
)

// bring fills what a mail brings along, or returns when to look again because its papers are about to be printed.
func (s *Service) bring(ctx context.Context, m *Message) (again time.Duration) {
	if len(m.Papers) == 0 || s.Papers == nil {
		return 0
	}
	brings, waits, err := s.Papers(ctx, m.Papers)
	// A message that is younger than nothing was written before the clock was set back.
	if age := s.Clock().Sub(m.CreatedAt); (waits || err != nil) && age >= 0 && age < papersWait {
		return min(max(age/2, lookFirst), lookLast, papersWait-age)
	}
	if err != nil {
		s.Log.WarnContext(ctx, "a mail goes without its papers", "id", m.ID, "error", err)
	}
	m.Brings = brings
	return 0
}
