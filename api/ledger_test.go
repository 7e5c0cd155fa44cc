package api_test

import (
	"context"
	"maps"
	"slices"
	"sync"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/contact"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
)

// ledger is the real store; it counts commits and keeps the messages.
type ledger struct {
	admission.Store[store.Tx]
	mutex    sync.Mutex
	counts   map[string]int
	messages []message.Message
	down     error
}

type ledgerTx struct {
	store.Tx
	counts   map[string]int
	messages []message.Message
}

func (l *ledger) Update(ctx context.Context, work func(store.Tx) error) error {
	if err := l.isDown(); err != nil {
		return err
	}
	var seen *ledgerTx
	err := l.Store.Update(ctx, func(tx store.Tx) error {
		seen = &ledgerTx{Tx: tx, counts: map[string]int{}}
		return work(seen)
	})
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for what, n := range seen.counts {
		l.counts[what] += n
	}
	for _, m := range seen.messages { // once per cause
		if !slices.ContainsFunc(l.messages, func(known message.Message) bool { return known.Cause == m.Cause }) {
			l.messages = append(l.messages, m)
			l.counts["message"]++
		}
	}
	return nil
}

func (l *ledger) View(ctx context.Context, work func(store.Tx) error) error {
	if err := l.isDown(); err != nil {
		return err
	}
	return l.Store.View(ctx, work)
}

func (l *ledger) Read(ctx context.Context, work func(store.Tx) error) error {
	if err := l.isDown(); err != nil {
		return err
	}
	return l.Store.Read(ctx, work)
}

func (l *ledger) isDown() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.down
}

func (l *ledger) setDown(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.down = err
}

// written counts the written rows by kind.
func (l *ledger) written() map[string]int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return maps.Clone(l.counts)
}

func (l *ledger) sent(template, to string) (found []message.Message) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, m := range l.messages {
		if m.Template == template && m.To == to {
			found = append(found, m)
		}
	}
	return found
}

func (x *ledgerTx) AddMessage(m *message.Message) error {
	x.messages = append(x.messages, *m)
	return x.Tx.AddMessage(m)
}

func (x *ledgerTx) AddSession(s *access.Session) error {
	x.counts["session"]++
	return x.Tx.AddSession(s)
}

func (x *ledgerTx) AddEnquiry(e *contact.Enquiry) error {
	x.counts["enquiry"]++
	return x.Tx.AddEnquiry(e)
}

func (x *ledgerTx) AddRegistration(r *enrol.Registration) error {
	x.counts["registration"]++
	return x.Tx.AddRegistration(r)
}

func (x *ledgerTx) AddTransaction(t *payment.Transaction) error {
	x.counts["transaction"]++
	return x.Tx.AddTransaction(t)
}

func (x *ledgerTx) SaveTransaction(t *payment.Transaction) error {
	x.counts["transaction change"]++
	return x.Tx.SaveTransaction(t)
}

func (x *ledgerTx) AddInboxEvent(e *payment.InboxEvent) (bool, error) {
	fresh, err := x.Tx.AddInboxEvent(e)
	if fresh {
		x.counts["inbox event"]++
	}
	return fresh, err
}

func (x *ledgerTx) AddLead(lead *enrol.Lead) (bool, error) {
	fresh, err := x.Tx.AddLead(lead)
	if fresh {
		x.counts["lead"]++
	}
	return fresh, err
}

func (x *ledgerTx) AddConsent(c consent.Consent) error {
	x.counts["consent to "+c.Purpose]++
	return x.Tx.AddConsent(c)
}
