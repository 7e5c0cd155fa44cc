package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"gorm.io/gorm"
)

type outboxRow struct {
	ID        string
	Channel   string
	Recipient string
	Subject   string    // sealed
	Body      string    // sealed
	Files     string    // names, without personal data
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (outboxRow) TableName() string { return "outbox" }

// OutboxMessage is a message of the development outbox.
type OutboxMessage struct {
	ID, Channel, To, Subject, Body string
	Files                          string // names of a mail's attachments: "invoice.pdf, ticket.pdf"
	CreatedAt                      time.Time
}

// AddOutbox stores a sealed message, unless its ID exists.
func (s *Store) AddOutbox(ctx context.Context, m OutboxMessage) error {
	row := outboxRow{
		ID: m.ID, Channel: m.Channel, Recipient: m.To, Files: m.Files, CreatedAt: m.CreatedAt,
		Subject: s.sealer.seal("outbox subjects", m.ID, []byte(m.Subject)), Body: s.sealer.seal("outbox", m.ID, []byte(m.Body)),
	}
	return wrap("add to outbox", s.update(ctx, func(t *tx) error {
		return addIfAbsent(t, &row)
	}))
}

// Outbox returns the messages to a recipient, or to all if to is "", newest first.
func (s *Store) Outbox(ctx context.Context, to string) iter.Seq2[OutboxMessage, error] {
	return func(yield func(OutboxMessage, error) bool) {
		for row, err := range outbox.all(ctx, s, toRecipient(to)) {
			if err != nil {
				yield(OutboxMessage{}, err)
				return
			}
			if m, readable := s.outboxMessage(ctx, row); readable && !yield(m, nil) {
				return
			}
		}
	}
}

// OutboxPage returns a page of Outbox, of 1 to 200 messages, and the cursor of the next page, "" after the last. An unknown
// cursor is a NotFound.
func (s *Store) OutboxPage(ctx context.Context, to, cursor string, limit int) (messages []OutboxMessage, next string, err error) {
	var rows []outboxRow
	err = s.view(ctx, func(t *tx) (err error) {
		rows, next, err = outbox.page(t, to, toRecipient(to), cursor, limit)
		return err
	})
	for _, row := range rows {
		if m, readable := s.outboxMessage(ctx, row); readable {
			messages = append(messages, m)
		}
	}
	return messages, next, err
}

var outbox = list[outboxRow]{
	name: "outbox", columns: []string{"created_at", "id"}, down: true,
	position: func(row *outboxRow) []any { return []any{toMicros(row.CreatedAt), row.ID} },
}

func toRecipient(recipient string) scope {
	if recipient == "" {
		return allRows
	}
	return func(db *gorm.DB) *gorm.DB { return db.Where("recipient = ?", recipient) }
}

// outboxMessage decrypts a message. One sealed with an earlier secret is not readable.
func (s *Store) outboxMessage(ctx context.Context, row outboxRow) (m OutboxMessage, readable bool) {
	subject, subjectErr := s.sealer.open("outbox subjects", row.ID, row.Subject)
	body, bodyErr := s.sealer.open("outbox", row.ID, row.Body)
	if err := errors.Join(subjectErr, bodyErr); err != nil {
		s.log.WarnContext(ctx, "a message of the outbox cannot be read", "id", row.ID, "error", err)
		return m, false
	}
	return OutboxMessage{ID: row.ID, Channel: row.Channel, To: row.Recipient, Subject: string(subject), Body: string(body), Files: row.Files, CreatedAt: row.CreatedAt}, true
}
