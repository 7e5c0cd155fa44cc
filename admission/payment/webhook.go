package payment

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
)

// InboxEvent is a received webhook, stored before it is acknowledged.
type InboxEvent struct {
	ID         string // ours
	Gateway    string
	EventID    string // the provider's, or the SHA-256 of the body; unique with Gateway
	Type       string
	TxnID, Ref string
	PaymentID  string
	Dispute    method.Dispute // as in method.Event
	Body       []byte
	ReceivedAt time.Time
}

// Webhook is a provider's request.
type Webhook struct {
	Header http.Header
	Body   []byte
	Query  url.Values
}

// ReceiveWebhook verifies and stores a webhook, and returns the acknowledgement that the provider expects. A repeated event
// changes nothing; a webhook with a wrong signature returns ErrSignature. For an unconfigured gateway it returns
// Unavailable, so that the provider sends the event again later.
func (s *Service) ReceiveWebhook(ctx context.Context, gatewayName string, w Webhook) (ack []byte, ackType string, err error) {
	entry, known := s.Gateways.Find(gatewayName)
	if !known {
		return nil, "", admission.NotFoundProblem("Gateway")
	}
	if entry.Gateway == nil {
		return nil, "", errors.Join(
			&admission.Problem{Kind: admission.Unavailable, RetryAfter: time.Hour, Message: "This gateway is not configured at the moment."},
			s.alertDaily(ctx, "webhook "+gatewayName, func() { s.Alert("webhooks arrive for a gateway that is not configured: " + gatewayName) }))
	}
	e, err := entry.Gateway.Webhook(ctx, w.Header, w.Body, w.Query)
	if err != nil {
		return nil, "", err
	}
	if e.Kind == method.EventIgnored {
		return e.Ack, e.AckType, nil
	}
	if e.ID == "" {
		e.ID = admission.HashToken(string(w.Body))
	}
	in := InboxEvent{
		ID: admission.NewID(), Gateway: gatewayName, EventID: e.ID, Type: e.Type, TxnID: e.TxnID, Ref: e.Ref, PaymentID: e.PaymentID, Dispute: e.Dispute,
		Body: w.Body, ReceivedAt: s.Clock(),
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		fresh, err := tx.AddInboxEvent(&in)
		if err != nil || !fresh {
			return err
		}
		return tx.AddJob(admission.Job{Kind: JobEvent, Ref: in.ID, DueAt: in.ReceivedAt})
	})
	return e.Ack, e.AckType, err
}

// HandleEvent handles JobEvent: it fetches the event's attempt from the gateway and settles it. An event of an unknown
// attempt is retried for an hour, then staff are alerted.
func (s *Service) HandleEvent(ctx context.Context, inboxID string) (again time.Duration, err error) {
	var e *InboxEvent
	var t *Transaction
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		if e, err = tx.InboxEvent(inboxID); err != nil || e == nil {
			return err
		}
		t, err = attemptOf(tx, e)
		return err
	}); err != nil || e == nil {
		return 0, err
	}
	if t == nil || t.Gateway != e.Gateway {
		if s.Clock().Sub(e.ReceivedAt) < time.Hour {
			return time.Minute, nil
		}
		s.alertPayment("webhook of an unknown payment", e.TxnID, "gateway", e.Gateway, "ref", e.Ref, "event", e.EventID)
		return 0, s.markHandled(ctx, e.ID, "unknown payment")
	}
	l, err := s.load(ctx, t.ID)
	if err != nil {
		return 0, err
	}
	if l.gateway == nil { // the gateway may be configured again
		return 24 * time.Hour, s.alertDaily(ctx, "event "+t.Gateway, func() { s.Alert("a webhook waits for a gateway that is not configured: " + t.Gateway) })
	}
	answer, asked, err := s.fetchTimed(ctx, l)
	if errors.Is(err, method.ErrNoCharge) && s.Clock().Sub(e.ReceivedAt) >= time.Hour {
		s.alertPayment("webhook of a payment that its provider does not know", t.ID, "gateway", e.Gateway, "event", e.EventID)
		return 0, s.markHandled(ctx, e.ID, "unknown to the provider")
	}
	if err != nil {
		return 0, errors.Join(fmt.Errorf("fetch after event: %w", err), s.alertRefusedCredentials(ctx, t.Gateway, err))
	}
	if _, err := s.settleAsked(ctx, t.ID, asked, answer, false); err != nil {
		return 0, err
	}
	end := func(tx Tx) error {
		refunds, err := tx.RefundsOf(t.ID) // the event may be about one of them
		if err != nil {
			return err
		}
		for _, refund := range refunds {
			if refund.State == method.RefundAccepted {
				if err := tx.AddJob(admission.Job{Kind: JobRefund, Ref: refund.ID, DueAt: s.Clock()}); err != nil {
					return err
				}
			}
		}
		return tx.MarkHandled(e.ID, "", s.Clock())
	}
	if e.Dispute == "" {
		return 0, s.Store.Update(ctx, end)
	}
	err = s.changeTransaction(ctx, t.ID, func(c *change) error {
		again = 0
		wait, err := c.applyDisputeEvent(e.Dispute, e.PaymentID, answer)
		if err != nil {
			return err
		}
		if wait {
			again = refundPollInterval
			return nil
		}
		return end(c.tx)
	})
	return again, err
}

// attemptOf returns the attempt of an event; nil for an unknown one.
func attemptOf(tx Tx, e *InboxEvent) (*Transaction, error) {
	if e.TxnID != "" {
		return tx.Transaction(e.TxnID)
	}
	if t, err := tx.TransactionByRef(e.Gateway, e.Ref); err != nil || t != nil {
		return t, err
	}
	return tx.TransactionByPayment(e.Gateway, e.PaymentID)
}

func (s *Service) markHandled(ctx context.Context, inboxID, problem string) error {
	return s.Store.Update(ctx, func(tx Tx) error { return tx.MarkHandled(inboxID, problem, s.Clock()) })
}
