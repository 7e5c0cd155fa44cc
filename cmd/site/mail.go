package main

import (
	"fmt"

	"hiresure/admission/message"
	"hiresure/content"
	"hiresure/integrations/notify"
)

func (s *site) layoutMail(c message.Content) (html string, pictures []notify.Picture, err error) {
	html, drawn, err := content.MailHTML(s.words.Current().Site().Name, content.Rendered(c))
	for _, picture := range drawn {
		pictures = append(pictures, notify.Picture(picture))
	}
	return html, pictures, err
}

// replyTo returns the Reply-To address of a mail template.
func (s *site) replyTo(template string) string {
	from, _ := s.words.Current().Message(template)
	return from.ReplyTo()
}

func (s *site) notifier() (message.Notifier, error) {
	outbox := notify.NewOutbox(outboxStore{s.store})
	config := notify.Config{Render: renderMessage(s.words, s.config.BaseURL), Layout: s.layoutMail, ReplyTo: s.replyTo, Mail: outbox, SMS: outbox, Clock: s.clock, Log: s.log}
	var err error
	if s.config.SMTPURL != "" {
		if config.Mail, err = notify.NewSMTP(s.config.SMTPURL); err != nil {
			return nil, fmt.Errorf("SMTP_URL: %w", err)
		}
	}
	if s.config.SMSURL != "" {
		if config.SMS, err = notify.NewSMS(s.config.SMSURL); err != nil {
			return nil, fmt.Errorf("SMS_URL: %w", err)
		}
	}
	return notify.New(config)
}
