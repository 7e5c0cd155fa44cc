package store

import (
	"encoding/json"
	"errors"
	"time"

	"hiresure/admission"
	"hiresure/admission/message"
)

type messageRow struct {
	ID        string
	Cause     string
	Channel   message.Channel
	Recipient string
	Template  string
	Params    string    // sealed JSON
	CreatedAt time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	SentAt    time.Time `gorm:"serializer:micros"`

	TemplateVersion string
	Content         string   // sealed JSON
	Papers          []string `gorm:"serializer:json"`
}

func (messageRow) TableName() string { return "messages" }

// AddMessage stores a message, unless one has the same cause, and adds its job, which does nothing without a message.
func (t *tx) AddMessage(m *message.Message) error {
	params, paramsErr := json.Marshal(m.Params)
	content, contentErr := t.sealContent(m)
	papers, papersErr := json.Marshal(m.Papers)
	if err := errors.Join(paramsErr, contentErr, papersErr); err != nil {
		return wrap("add message", err)
	}
	if err := t.exec(`
		INSERT INTO messages (id, cause, channel, recipient, template, params, created_at, sent_at, template_version, content, papers)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (cause) DO NOTHING`,
		m.ID, m.Cause, m.Channel, m.To, m.Template, t.sealer.seal("messages", m.ID, params), toMicros(m.CreatedAt), toMicros(m.SentAt),
		m.TemplateVersion, content, string(papers)); err != nil {
		return wrap("add message", err)
	}
	return t.AddJob(admission.Job{Kind: m.JobKind(), Ref: m.ID, DueAt: m.CreatedAt})
}

// sealContent seals the content of a message; "" if it could not be rendered.
func (t *tx) sealContent(m *message.Message) (string, error) {
	if m.Content == (message.Content{}) {
		return "", nil
	}
	content, err := json.Marshal(m.Content)
	return t.sealer.seal("message contents", m.ID, content), err
}

// Message returns a message. Params and Content are empty if it was sent.
func (t *tx) Message(id string) (*message.Message, error) {
	row, err := find[messageRow](t.db, "id = ?", id)
	if err != nil || row == nil {
		return nil, wrap("find message", err)
	}
	m := &message.Message{
		ID: row.ID, Cause: row.Cause, Channel: row.Channel, To: row.Recipient, Template: row.Template,
		CreatedAt: row.CreatedAt, SentAt: row.SentAt, TemplateVersion: row.TemplateVersion,
		Papers: row.Papers,
	}
	if err := t.sealer.openJSON("message contents", id, row.Content, &m.Content); err != nil {
		return nil, err
	}
	m.Params = map[string]string{}
	if err := t.sealer.openJSON("messages", id, row.Params, &m.Params); err != nil {
		return nil, err
	}
	return m, nil
}

// MarkSent marks a message as sent and deletes its text, which may contain a code or a link's token.
func (t *tx) MarkSent(id string, at time.Time) error {
	return wrap("mark message", t.exec("UPDATE messages SET sent_at = ?, params = '', content = '' WHERE id = ?", toMicros(at), id))
}
