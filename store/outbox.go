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
	Files     string    // names, that say nothing of anybody
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (outboxRow) TableName() string { return "outbox" }

// OutboxMessage is a message of the development outbox, as its receiver would have read it.
type OutboxMessage struct {
	ID, Channel, To, Subject, Body string
	Files                          string // names of what a mail brought along: "invoice.pdf, ticket.pdf"
	CreatedAt                      time.Time
}

// AddOutbox keeps a message, sealed. The same ID again changes nothing.
func (s *Store) AddOutbox(ctx context.Context, m OutboxMessage) error {
	row := outboxRow{
		ID: m.ID, Channel: m.Channel, Recipient: m.To, Files: m.Files, CreatedAt: m.CreatedAt,
		Subject: s.sealer.seal("outbox subjects", m.ID, []byte(m.Subject)), Body: s.sealer.seal("outbox", m.ID, []byte(m.Body)),
	}
	return wrap("add to outbox", s.update(ctx, func(t *tx) error {
		return addUnlessThere(t, &row)
	}))
}

// Outbox reads the messages as the caller takes them, newest first: to one receiver, or to all where to is "".
func (s *Store) Outbox(ctx context.Context, to string) iter.Seq2[OutboxMessage, error] {
	return func(yield func(OutboxMessage, error) bool) {
		for row, err := range outbox.all(ctx, s, sentTo(to)) {
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

// OutboxPage reads a page of what Outbox reads, of 1 to 200 messages; next is the cursor of the page behind it, "" where
// there is none. A cursor that OutboxPage has not returned for this receiver is a NotFound.
func (s *Store) OutboxPage(ctx context.Context, to, cursor string, most int) (messages []OutboxMessage, next string, err error) {
	var rows []outboxRow
	err = s.view(ctx, func(t *tx) (err error) {
		rows, next, err = outbox.page(t, to, sentTo(to), cursor, most)
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
	place: func(row *outboxRow) []any { return []any{toMicros(row.CreatedAt), row.ID} },
}

func sentTo(recipient string) scope {
	if recipient == "" {
		return allRows
	}
	return func(db *gorm.DB) *gorm.DB { return db.Where("recipient = ?", recipient) }
}

// outboxMessage opens a message; not readable is one of another secret, which a developer has thrown away.
func (s *Store) outboxMessage(ctx context.Context, row outboxRow) (m OutboxMessage, readable bool) {
	subject, subjectErr := s.sealer.open("outbox subjects", row.ID, row.Subject)
	body, bodyErr := s.sealer.open("outbox", row.ID, row.Body)
	if err := errors.Join(subjectErr, bodyErr); err != nil {
		s.log.WarnContext(ctx, "a message of the outbox cannot be read", "id", row.ID, "error", err)
		return m, false
	}
	return OutboxMessage{ID: row.ID, Channel: row.Channel, To: row.Recipient, Subject: string(subject), Body: string(body), Files: row.Files, CreatedAt: row.CreatedAt}, true
}
