package site

import (
	"context"
	"iter"
	"strings"

	"hiresure/admission/message"
	"hiresure/pages/dev"
	"hiresure/store"
)

// outboxStore stores the messages of the development outbox.
type outboxStore struct{ store *store.Store }

func (b outboxStore) AddOutbox(ctx context.Context, m message.Message) error {
	var files []string
	for _, file := range m.Attachments {
		files = append(files, file.Name)
	}
	return b.store.AddOutbox(ctx, store.OutboxMessage{
		ID: m.ID, Channel: string(m.Channel), To: m.To, Subject: m.Content.Subject, Body: m.Content.Text, Files: strings.Join(files, ", "), CreatedAt: m.CreatedAt,
	})
}

func (b outboxStore) all(ctx context.Context, to string) iter.Seq2[dev.Message, error] {
	return func(yield func(dev.Message, error) bool) {
		for m, err := range b.store.Outbox(ctx, to) {
			if !yield(dev.Message(m), err) {
				return
			}
		}
	}
}

func (b outboxStore) page(ctx context.Context, to, cursor string, most int) (messages []dev.Message, next string, err error) {
	kept, next, err := b.store.OutboxPage(ctx, to, cursor, most)
	for _, m := range kept {
		messages = append(messages, dev.Message(m))
	}
	return messages, next, err
}
