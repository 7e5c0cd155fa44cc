// Package notify hands messages to the world: to the development outbox, to an SMTP server, to an HTTP SMS provider.
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

// Sender delivers over one channel. m.ID is its idempotency key: delivering the same message again has no second
// effect, as far as the channel can know.
type Sender interface {
	// Send delivers m, whose Content is filled, with the pictures that its HTML shows. An error with Permanent() true means that no repetition will help, one
	// with RetryAfter() > 0 that the message may have arrived all the same, and is not to be repeated before that.
	Send(ctx context.Context, m message.Message, pictures []Picture) error
}

// Picture is one that a mail brings with it; its HTML names it "cid:" and Name.
type Picture struct {
	Name string
	PNG  []byte
}

// Needs is everything that a Notifier works with.
type Needs struct {
	Render  func(template string, params map[string]string) (c message.Content, version string, err error)
	Layout  func(c message.Content) (html string, pictures []Picture, err error) // of a mail that brings no HTML
	ReplyTo func(template string) string                                         // the mailbox that an answer reaches; "" is the one that sends
	Mail    Sender
	SMS     Sender
	Clock   func() time.Time
	Log     *slog.Logger
}

// Notifier implements message.Notifier: it renders messages and gives each to the sender of its channel.
type Notifier struct{ Needs }

var _ message.Notifier = (*Notifier)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Notifier, error) {
	if n.Render == nil || n.Layout == nil || n.ReplyTo == nil || n.Mail == nil || n.SMS == nil || n.Clock == nil || n.Log == nil {
		return nil, errors.New("notifier needs Render, Layout, ReplyTo, Mail, SMS, Clock and Log")
	}
	return &Notifier{n}, nil
}

// givenUpAfter is how long a server may refuse a message before it is given up: mail servers do so after four to five
// days (RFC 5321, section 4.5.4.1).
const givenUpAfter = 5 * 24 * time.Hour

// Render fills the message's Content and TemplateVersion.
func (n *Notifier) Render(m *message.Message) error {
	content, version, err := n.Needs.Render(m.Template, m.Params)
	if err != nil {
		return fmt.Errorf("render %s: %w", m.Template, err)
	}
	m.Content, m.TemplateVersion = content, version
	return nil
}

// Send delivers, and renders before that what has no Content yet. Its errors hold neither the address nor the words of
// the message. A template or a channel that is not known is no permanent error: another version of the program knows it.
func (n *Notifier) Send(ctx context.Context, m message.Message) error {
	senders := map[message.Channel]Sender{message.Email: n.Mail, message.SMS: n.SMS}
	sender, known := senders[m.Channel]
	if !known {
		return fmt.Errorf("send %s: no such channel %q", m.Template, m.Channel)
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
		return fmt.Errorf("send %s by %s: %w", m.Template, m.Channel, n.judge(err, m))
	}
	n.Log.InfoContext(ctx, "message sent", "id", m.ID, "template", m.Template, "channel", m.Channel)
	return nil
}

// failure is an error whose text may be stored and logged. The worker of the queue asks it whether and when to try again.
type failure struct {
	text      string
	cause     error
	permanent bool
	refused   bool          // by the server, which has decided; it may be asked again for some days
	after     time.Duration // the message may have arrived: it is not repeated before that
}

func (f failure) Error() string             { return f.text }
func (f failure) Unwrap() error             { return f.cause }
func (f failure) Permanent() bool           { return f.permanent }
func (f failure) RetryAfter() time.Duration { return f.after }

// refused marks an error that no repetition will mend.
func refused(err error) error { return failure{text: err.Error(), cause: err, permanent: true} }

// judge takes the address out of an error's text, since servers like to repeat it, and gives up what is refused too long.
func (n *Notifier) judge(err error, m message.Message) error {
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
