// Package notify hands messages to the world: to the development outbox, to an SMTP server, to an HTTP SMS provider.
package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"hiresure/admission/message"
)

// Content is a rendered message. An SMS has only Text.
type Content struct{ Subject, Text, HTML string }

// Sender delivers over one channel. m.ID is its idempotency key: delivering the same message again has no second
// effect, as far as the channel can know. An error with Permanent() true means that no repetition will help.
type Sender interface {
	Send(ctx context.Context, m message.Message, c Content) error
}

// Needs is everything that a Notifier works with.
type Needs struct {
	Render func(template string, params map[string]string) (subject, text, html string, err error)
	Mail   Sender
	SMS    Sender
	Log    *slog.Logger
}

// Notifier implements admission.Notifier: it renders a message and gives it to the sender of its channel.
type Notifier struct{ Needs }

var _ message.Notifier = (*Notifier)(nil)

// New refuses needs that are missing.
func New(n Needs) (*Notifier, error) {
	if n.Render == nil || n.Mail == nil || n.SMS == nil || n.Log == nil {
		return nil, errors.New("notifier needs Render, Mail, SMS and Log")
	}
	return &Notifier{n}, nil
}

// Send renders and delivers. Its errors hold neither the address nor the words of the message.
func (n *Notifier) Send(ctx context.Context, m message.Message) error {
	senders := map[message.Channel]Sender{message.Email: n.Mail, message.SMS: n.SMS}
	sender, known := senders[m.Channel]
	if !known {
		return refused(fmt.Errorf("send %s: no such channel %q", m.Template, m.Channel))
	}
	subject, text, html, err := n.Render(m.Template, m.Params)
	if err != nil {
		return refused(fmt.Errorf("render %s: %w", m.Template, err))
	}
	if err := sender.Send(ctx, m, Content{subject, text, html}); err != nil {
		return fmt.Errorf("send %s by %s: %w", m.Template, m.Channel, hide(err, m.To))
	}
	n.Log.InfoContext(ctx, "message sent", "id", m.ID, "template", m.Template, "channel", m.Channel)
	return nil
}

// failure is an error whose text may be kept and logged. The worker of the queue asks it whether to go on trying.
type failure struct {
	text      string
	cause     error
	permanent bool
}

func (f failure) Error() string   { return f.text }
func (f failure) Unwrap() error   { return f.cause }
func (f failure) Permanent() bool { return f.permanent }

// refused marks an error that no repetition will mend.
func refused(err error) error { return failure{err.Error(), err, true} }

// hide takes an address out of an error's text: servers like to repeat it.
func hide(err error, address string) error {
	var f failure
	permanent := errors.As(err, &f) && f.permanent
	return failure{strings.ReplaceAll(err.Error(), address, "(recipient)"), err, permanent}
}
