// Package message writes messages to people, once per cause, and delivers them.
package message

import (
	"context"
	"log/slog"
	"time"

	"hiresure/admission"
)

// Channel is SMS or e-mail.
type Channel string

const (
	SMS   Channel = "sms"
	Email Channel = "email"
)

// Message is a message to one person. Cause is unique: a second message for it is not written.
type Message struct {
	ID        string
	Cause     string // "receipt:" + transaction id, …
	Channel   Channel
	To        string // bare address, or E.164
	Template  string // id of a template in content
	Params    map[string]string
	CreatedAt time.Time
	SentAt    time.Time

	Papers      []string               // names of papers to attach, if they are printed in time
	Attachments []admission.Attachment // those papers, set on delivery
	ReplyTo     string                 // of a mail, set on delivery; "" means the sender

	TemplateVersion string  // of the template of Content
	Content         Content // rendered text; empty if rendering failed
}

// Content is a message's text. An SMS has only Text. HTML is "" for a mail that is laid out on delivery, from its Parts (which have the
// same text), or from Text if it was written by a version without Parts.
type Content struct{ Subject, Text, HTML, Parts string }

// Notifier renders and sends messages.
type Notifier interface {
	// Render sets the message's Content, from its template and params, and TemplateVersion.
	Render(m *Message) error
	// Send delivers the message, rendering it if it has no Content. ID is the idempotency key: the outbox stores it once, SMTP sends it
	// as Message-ID. An error with Permanent() true must not be retried.
	Send(ctx context.Context, m Message) error
}

// Job kinds that deliver messages.
const (
	JobSMS  = "sms" // urgent: a person waits for it
	JobMail = "mail"

	// Kinds written by versions without Content. Those versions discard a message with an unknown template, so new messages have
	// kinds that they ignore; this version handles both.
	JobText    = "text"
	JobDeliver = "deliver"
)

// Writer is the part of a transaction that writes messages. AddMessage also adds the delivery job. For a cause that has a message it adds
// no second one; the job then finds nothing to deliver.
type Writer interface {
	AddMessage(*Message) error
}

// Tx is the part of a transaction that this package uses. Message returns a sent message with empty Params and Content.
type Tx interface {
	Writer
	Message(id string) (*Message, error)
	MarkSent(id string, at time.Time) error
}

// JobKind returns the kind of the job that delivers the message.
func (m *Message) JobKind() string {
	if m.Channel == SMS {
		return JobSMS
	}
	return JobMail
}

// Papers returns the printed papers among names. waits reports whether others will be printed soon.
type Papers func(ctx context.Context, names []string) (printed []admission.Attachment, waits bool, err error)

// Config configures a Service. All fields are required except Papers; without it mails have no attachments.
type Config struct {
	Store    admission.Store[Tx]
	Notifier Notifier
	Papers   Papers
	Clock    func() time.Time
	Log      *slog.Logger
	Alert    func(what string)
}

// Service writes and delivers messages. It is safe for concurrent use and keeps no state.
type Service struct{ Config }

// Send writes a message and its delivery job. It renders the message now, so that the text does not depend on the delivering version. A
// message that cannot be rendered is still stored, so that its cause does not fail; Deliver retries. A message to "" is dropped: the
// person was deleted.
func (s *Service) Send(tx Writer, m Message) error {
	if m.To == "" {
		return nil
	}
	m.ID, m.CreatedAt = admission.NewID(), s.Clock()
	if err := s.Notifier.Render(&m); err != nil {
		s.Log.Error("storing a message without text: rendering failed", "id", m.ID, "template", m.Template, "error", err)
		s.Alert("message cannot be rendered: " + m.Template)
	}
	return tx.AddMessage(&m)
}

// Deliver handles JobSMS, JobMail, JobText and JobDeliver. again is when to check again for the message's papers. It does nothing for a
// missing or sent message.
func (s *Service) Deliver(ctx context.Context, messageID string) (again time.Duration, err error) {
	var m *Message
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		m, err = tx.Message(messageID)
		return err
	}); err != nil || m == nil || !m.SentAt.IsZero() {
		return 0, err
	}
	if again := s.attachPapers(ctx, m); again > 0 {
		return again, nil
	}
	if err := s.Notifier.Send(ctx, *m); err != nil {
		return 0, err
	}
	return 0, s.Store.Update(ctx, func(tx Tx) error { return tx.MarkSent(m.ID, s.Clock()) })
}

const (
	// papersWait is how long a mail waits for its papers; then it is sent with only the link to them.
	papersWait       = 2 * time.Minute
	firstCheck       = 2 * time.Second
	maxCheckInterval = 30 * time.Second // maximum interval between two checks
)

// attachPapers attaches a mail's papers, or returns when to check again for papers about to be printed.
func (s *Service) attachPapers(ctx context.Context, m *Message) (again time.Duration) {
	if len(m.Papers) == 0 || s.Papers == nil {
		return 0
	}
	brings, waits, err := s.Papers(ctx, m.Papers)
	// A negative age means that the clock was set back.
	if age := s.Clock().Sub(m.CreatedAt); (waits || err != nil) && age >= 0 && age < papersWait {
		return min(max(age/2, firstCheck), maxCheckInterval, papersWait-age)
	}
	if err != nil {
		s.Log.WarnContext(ctx, "sending a mail without its papers", "id", m.ID, "error", err)
	}
	m.Attachments = brings
	return 0
}
