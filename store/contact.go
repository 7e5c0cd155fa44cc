package store

import (
	"encoding/json"
	"time"

	"hiresure/admission"
	"hiresure/admission/contact"
)

type grievanceRow struct {
	ID, Ticket, FullName, Email, Phone, Category, Message string

	CreatedAt     time.Time `gorm:"serializer:micros;autoCreateTime:false"`
	AcknowledgeBy time.Time `gorm:"serializer:micros"`
	RedressBy     time.Time `gorm:"serializer:micros"`

	Answers     map[string]string `gorm:"serializer:json"`
	FormVersion int
}

func (grievanceRow) TableName() string { return "grievances" }

// AddEnquiry draws a new reference on a retry, as the first one may be taken.
func (t *tx) AddEnquiry(e *contact.Enquiry) error {
	if t.isRetry {
		e.Reference = admission.Reference("ENQ")
	}
	answers, err := answersJSON(e.Answers)
	if err != nil {
		return wrap("add enquiry", err)
	}
	return wrap("add enquiry", t.exec(`
		INSERT INTO enquiries (id, reference, full_name, email, phone, country, description, type, page, created_at, answers, form_version, source)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.ID, e.Reference, e.FullName, e.Email, e.Phone, e.Country, e.Description, e.Type, text(e.Page), toMicros(e.CreatedAt), answers, e.FormVersion, e.Source))
}

// answersJSON encodes answers like gorm's serializer: nil becomes NULL.
func answersJSON(answers map[string]string) (*string, error) {
	if answers == nil {
		return nil, nil
	}
	data, err := json.Marshal(answers)
	text := string(data)
	return &text, err
}

// AddGrievance draws a new ticket on a retry, as the first one may be taken.
func (t *tx) AddGrievance(g *contact.Grievance) error {
	if t.isRetry {
		g.Ticket = admission.Reference("GRV")
	}
	row := grievanceRow(*g)
	return wrap("add grievance", add(t, &row))
}
