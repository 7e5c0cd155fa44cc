package site

import (
	"fmt"
	"log/slog"
	"time"

	"hiresure/admission/message"
	"hiresure/cmd/site/config"
	"hiresure/content"
	"hiresure/integrations/notify"
	"hiresure/store"
)

// openNotifier returns the sender of mails and SMS. What has no server goes to the outbox.
func openNotifier(c *config.Config, words *content.Source, db *store.Store, clock func() time.Time, log *slog.Logger) (message.Notifier, error) {
	outbox := notify.NewOutbox(outboxStore{db})
	to := notify.Config{
		Render: renderMessage(words, c.BaseURL), Layout: func(m message.Content) (string, []notify.Picture, error) { return layoutMail(words, m) },
		ReplyTo: func(template string) string { return replyTo(words, template) }, Mail: outbox, SMS: outbox, Clock: clock, Log: log,
	}
	var err error
	if c.SMTPURL != "" {
		if to.Mail, err = notify.NewSMTP(c.SMTPURL); err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
	}
	if c.SMSURL != "" {
		if to.SMS, err = notify.NewSMS(c.SMSURL); err != nil {
			return nil, fmt.Errorf("SMS_URL: %w", err)
		}
	}
	return notify.New(to)
}

func layoutMail(words *content.Source, m message.Content) (html string, pictures []notify.Picture, err error) {
	html, drawn, err := content.MailHTML(words.Current().Site().Name, content.Rendered(m))
	for _, picture := range drawn {
		pictures = append(pictures, notify.Picture(picture))
	}
	return html, pictures, err
}

// replyTo returns the Reply-To address of a mail template.
func replyTo(words *content.Source, template string) string {
	from, _ := words.Current().Message(template)
	return from.ReplyTo()
}
