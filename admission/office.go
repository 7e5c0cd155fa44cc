// Package admission is the business of HireSure: enquiries, one-time codes, enrolment, coupons, payments and invoices.
// It does no I/O of its own; what it needs of the world stands in small interfaces.
package admission

import (
	"errors"
	"log/slog"
	"time"
)

// Needs is everything that an Office works with.
type Needs struct {
	Store          Store
	Events         Catalogue
	Supplier       func(at time.Time) *Supplier // nil where none is registered at that time: receipts without tax
	Gateways       []Gateway                    // in the order offered; the first is the default
	Human          HumanCheck
	Notifier       Notifier
	Clock          func() time.Time
	Pepper         []byte // 32 bytes, kept outside of the database
	NoticeVersion  string // of the privacy notice that the forms show
	BaseURL        string // own origin, without a trailing slash
	GrievanceEmail string // of the grievance officer, who gets every complaint
	RateLimitsOff  bool
	LeadWebhook    bool // abandoned enrolments are forwarded
	Log            *slog.Logger
	Alert          func(what string) // counts something that a person must look at
}

// Office is where the verbs of the product live. It is safe for concurrent use and keeps no state.
type Office struct{ Needs }

// NewOffice refuses needs that are missing, naming each.
func NewOffice(n Needs) (*Office, error) {
	missing := map[string]bool{
		"Store": n.Store == nil, "Events": n.Events == nil, "Supplier": n.Supplier == nil, "Human": n.Human == nil,
		"Notifier": n.Notifier == nil, "Clock": n.Clock == nil, "Log": n.Log == nil, "Alert": n.Alert == nil,
		"Pepper of 32 bytes": len(n.Pepper) != 32, "BaseURL": n.BaseURL == "", "NoticeVersion": n.NoticeVersion == "",
		"GrievanceEmail": n.GrievanceEmail == "",
	}
	var errs []error
	for name, isMissing := range missing {
		if isMissing {
			errs = append(errs, errors.New("office needs a "+name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &Office{Needs: n}, nil
}

func (o *Office) gateway(name string) (Gateway, bool) {
	for _, g := range o.Gateways {
		if g.Name() == name {
			return g, true
		}
	}
	return nil, false
}
