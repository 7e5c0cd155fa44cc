package store

import (
	"context"
	"errors"
	"time"
)

type outboxRow struct {
	ID        string
	Channel   string
	Recipient string
	Subject   string    // sealed
	Body      string    // sealed
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
}

func (outboxRow) TableName() string { return "outbox" }

// OutboxMessage is a message of the development outbox, as its receiver would have read it.
type OutboxMessage struct {
	ID, Channel, To, Subject, Body string
	CreatedAt                      time.Time
}

// AddOutbox keeps a message, sealed. The same ID again changes nothing.
func (s *Store) AddOutbox(ctx context.Context, m OutboxMessage) error {
	row := outboxRow{
		ID: m.ID, Channel: m.Channel, Recipient: m.To, CreatedAt: m.CreatedAt,
		Subject: s.sealer.seal("outbox subjects", m.ID, []byte(m.Subject)), Body: s.sealer.seal("outbox", m.ID, []byte(m.Body)),
	}
	return wrap("add to outbox", s.update(ctx, func(t *tx) error { return once(t.db).Create(&row).Error }))
}

// Outbox answers the latest messages, newest first: to one receiver, or to all where to is "".
func (s *Store) Outbox(ctx context.Context, to string, limit int) ([]OutboxMessage, error) {
	var rows []outboxRow
	if err := s.view(ctx, func(t *tx) error {
		latest := t.db.Order("created_at DESC, id DESC").Limit(limit)
		if to != "" {
			latest = latest.Where("recipient = ?", to)
		}
		return latest.Find(&rows).Error
	}); err != nil {
		return nil, wrap("read outbox", err)
	}
	var messages []OutboxMessage
	for _, row := range rows {
		subject, subjectErr := s.sealer.open("outbox subjects", row.ID, row.Subject)
		body, bodyErr := s.sealer.open("outbox", row.ID, row.Body)
		if err := errors.Join(subjectErr, bodyErr); err != nil { // of another secret, which a developer has thrown away
			s.log.WarnContext(ctx, "a message of the outbox cannot be read", "id", row.ID, "error", err)
			continue
		}
		messages = append(messages, OutboxMessage{ID: row.ID, Channel: row.Channel, To: row.Recipient, Subject: string(subject), Body: string(body), CreatedAt: row.CreatedAt})
	}
	return messages, nil
}
