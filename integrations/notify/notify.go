// Package notify delivers messages: to the development outbox, an SMTP server, or an HTTP SMS provider.
package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"hiresure/admission/message"
)

// Sender delivers over one channel. m.ID is the idempotency key: a repeated message is delivered once, if the channel supports it.
type Sender interface {
	// Send delivers m, whose Content is set, with the pictures of its HTML. An error with Permanent() true must not be retried;
	// one with RetryAfter() > 0 must not be retried before, because the message may have arrived.
	Send(ctx context.Context, m message.Message, pictures []Picture) error
}

// Picture is an embedded picture of a mail, referenced as "cid:" and Name.
type Picture struct {
	Name string
	PNG  []byte
}

// Config configures a Notifier.
type Config struct {
	Render  func(template string, params map[string]string) (c message.Content, version string, err error)
	Layout  func(c message.Content) (html string, pictures []Picture, err error) // for mails without HTML
	ReplyTo func(template string) string                                         // reply address; "" means the sender
	Mail    Sender
	SMS     Sender
	Clock   func() time.Time
	Log     *slog.Logger
}

// Notifier implements message.Notifier: it renders messages and passes each to its channel's sender.
type Notifier struct{ Config }

var _ message.Notifier = (*Notifier)(nil)

// New returns a Notifier, or an error for a missing field.
func New(n Config) (*Notifier, error) {
	if n.Render == nil || n.Layout == nil || n.ReplyTo == nil || n.Mail == nil || n.SMS == nil || n.Clock == nil || n.Log == nil {
		return nil, errors.New("notifier needs Render, Layout, ReplyTo, Mail, SMS, Clock and Log")
	}
	return &Notifier{n}, nil
}

// givenUpAfter is how long a refused message is retried; mail servers do so for four to five days (RFC 5321, section 4.5.4.1).
const givenUpAfter = 5 * 24 * time.Hour

// Render sets the message's Content and TemplateVersion.
func (n *Notifier) Render(m *message.Message) error {
	content, version, err := n.Config.Render(m.Template, m.Params)
	if err != nil {
		return fmt.Errorf("render %s: %w", m.Template, err)
	}
	m.Content, m.TemplateVersion = content, version
	return nil
}

// Send renders a message without Content and delivers it. Its errors contain neither address nor text. An unknown template or
// channel is no permanent error: another version of the program knows it.
func (n *Notifier) Send(ctx context.Context, m message.Message) error {
	senders := map[message.Channel]Sender{message.Email: n.Mail, message.SMS: n.SMS}
	sender, known := senders[m.Channel]
	if !known {
		return fmt.Errorf("send %s: unknown channel %q", m.Template, m.Channel)
	}
	if m.Content == (message.Content{}) {
		if err := n.Render(&m); err != nil {
			return err
		}
	}
	m.ReplyTo = n.ReplyTo(m.Template)
	var pictures []Picture
	if m.Channel == message.Email && m.Content.HTML == "" {
		var err error
		if m.Content.HTML, pictures, err = n.Layout(m.Content); err != nil {
			return fmt.Errorf("lay out %s: %w", m.Template, err)
		}
	}
	if err := sender.Send(ctx, m, pictures); err != nil {
		return fmt.Errorf("send %s by %s: %w", m.Template, m.Channel, n.classify(err, m))
	}
	n.Log.InfoContext(ctx, "message sent", "id", m.ID, "template", m.Template, "channel", m.Channel)
	return nil
}

// failure is an error whose text may be stored and logged. Its methods are those that the queue's worker checks.
type failure struct {
	text      string
	cause     error
	permanent bool
	refused   bool          // by the server; retried until givenUpAfter
	after     time.Duration // earliest retry, because the message may have arrived
}

func (f failure) Error() string             { return f.text }
func (f failure) Unwrap() error             { return f.cause }
func (f failure) Permanent() bool           { return f.permanent }
func (f failure) RetryAfter() time.Duration { return f.after }

// refused marks an error as permanent.
func refused(err error) error { return failure{text: err.Error(), cause: err, permanent: true} }

// classify removes the address from an error's text and makes a refusal permanent after givenUpAfter.
func (n *Notifier) classify(err error, m message.Message) error {
	var f failure
	errors.As(err, &f)
	f.text, f.cause = err.Error(), err
	if m.To != "" {
		f.text = strings.ReplaceAll(f.text, m.To, "(recipient)")
	}
	if f.refused && n.Clock().Sub(m.CreatedAt) >= givenUpAfter {
		f.permanent = true
	}
	return f
}
