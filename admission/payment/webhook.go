package payment

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"hiresure/admission"
)

// InboxEvent is a webhook as it came, kept before it is acknowledged.
type InboxEvent struct {
	ID         string // ours
	Gateway    string
	EventID    string // the provider's, or the SHA-256 of the body; unique with Gateway
	Type       string
	TxnID, Ref string
	Body       []byte
	ReceivedAt time.Time
}

// TakeWebhook verifies and keeps a webhook, and answers the body that the provider insists on. The same event again
// changes nothing. ErrSignature: nothing was kept.
func (s *Service) TakeWebhook(ctx context.Context, gatewayName string, h http.Header, raw []byte) (ack []byte, err error) {
	gateway, known := s.gateway(gatewayName)
	if !known {
		return nil, admission.NotFoundProblem("Gateway")
	}
	e, err := gateway.Webhook(ctx, h, raw)
	if err != nil {
		return nil, err
	}
	if e.ID == "" {
		e.ID = admission.HashToken(string(raw))
	}
	in := InboxEvent{ID: admission.NewID(), Gateway: gatewayName, EventID: e.ID, Type: e.Type, TxnID: e.TxnID, Ref: e.Ref, Body: raw, ReceivedAt: s.Clock()}
	err = s.Store.Update(ctx, func(tx Tx) error {
		fresh, err := tx.AddInboxEvent(&in)
		if err != nil || !fresh {
			return err
		}
		return tx.AddJob(admission.Job{Kind: JobEvent, Ref: in.ID, DueAt: in.ReceivedAt})
	})
	return e.Ack, err
}

// HandleEvent is the work of JobEvent: ask the gateway about the event's attempt, and settle. An event of an attempt
// that we do not know is tried for an hour, then a person must look.
func (s *Service) HandleEvent(ctx context.Context, inboxID string) (again time.Duration, err error) {
	var e *InboxEvent
	var t *Transaction
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		if e, err = tx.InboxEvent(inboxID); err != nil || e == nil {
			return err
		}
		if e.TxnID != "" {
			t, err = tx.Transaction(e.TxnID)
		} else {
			t, err = tx.TransactionByRef(e.Gateway, e.Ref)
		}
		return err
	}); err != nil || e == nil {
		return 0, err
	}
	if t == nil || t.Gateway != e.Gateway {
		if s.Clock().Sub(e.ReceivedAt) < time.Hour {
			return time.Minute, nil
		}
		s.Alert("webhook of an unknown payment")
		return 0, s.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(e.ID, "unknown payment", s.Clock()) })
	}
	l, err := s.load(ctx, t.ID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil {
		return 0, fmt.Errorf("handle event: gateway %q is not configured", t.Gateway)
	}
	wait, cancel := context.WithTimeout(ctx, gatewayWait)
	defer cancel()
	answer, err := l.gateway.Fetch(wait, s.intent(*l.t, l.r, l.event), l.t.Ref)
	if errors.Is(err, ErrNoCharge) && s.Clock().Sub(e.ReceivedAt) >= time.Hour {
		s.Alert("webhook of a payment that its provider does not know")
		return 0, s.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(e.ID, "unknown to the provider", s.Clock()) })
	}
	if err != nil {
		return 0, fmt.Errorf("fetch after event: %w", err)
	}
	if _, err := s.Settle(ctx, t.ID, answer); err != nil {
		return 0, err
	}
	return 0, s.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(e.ID, "", s.Clock()) })
}
