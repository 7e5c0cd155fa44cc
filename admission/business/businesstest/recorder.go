package businesstest

import (
	"context"
	"sync"

	"hiresure/admission"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
)

// A Recorder is the real store. It records committed moves of payments and has hooks for tests.
type Recorder struct {
	admission.Store[store.Tx]
	mutex  sync.Mutex
	Moves  map[[2]payment.State]int
	codes  map[string]string // by phone, the one sent last
	before func()            // once, ahead of the next change
	finish func(*RecordedTx) error
}

// BeforeNext runs do once before the next change.
func (n *Recorder) BeforeNext(do func()) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.before = do
}

// BeforeCommit runs finish at the end of every change. Its error rolls the change back.
func (n *Recorder) BeforeCommit(finish func(*RecordedTx) error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.finish = finish
}

// Update runs the hooks and records what a committed change did.
func (n *Recorder) Update(ctx context.Context, work func(store.Tx) error) error {
	n.mutex.Lock()
	before, finish := n.before, n.finish
	n.before = nil
	n.mutex.Unlock()
	if before != nil {
		before()
	}
	var seen *RecordedTx
	err := n.Store.Update(ctx, func(tx store.Tx) error {
		seen = &RecordedTx{Tx: tx, states: map[string]payment.State{}}
		if err := work(seen); err != nil || finish == nil {
			return err
		}
		return finish(seen)
	})
	if err != nil {
		return err
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, move := range seen.moves {
		n.Moves[move]++
	}
	for _, m := range seen.messages {
		if code, isCode := m.Params["Code"]; isCode {
			if n.codes == nil {
				n.codes = map[string]string{}
			}
			n.codes[m.To] = code
		}
	}
	return nil
}

// Code returns the last code sent to a phone.
func (n *Recorder) Code(phone string) string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.codes[phone]
}

// A RecordedTx records one change.
type RecordedTx struct {
	store.Tx
	states   map[string]payment.State
	moves    [][2]payment.State
	messages []message.Message
	Invoices int
}

func (x *RecordedTx) TransactionForUpdate(id string) (*payment.Transaction, error) {
	t, err := x.Tx.TransactionForUpdate(id)
	if t != nil {
		x.states[id] = t.State
	}
	return t, err
}

func (x *RecordedTx) AddTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{"", t.State}), t.State
	return x.Tx.AddTransaction(t)
}

func (x *RecordedTx) SaveTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{x.states[t.ID], t.State}), t.State
	return x.Tx.SaveTransaction(t)
}

func (x *RecordedTx) AddMessage(m *message.Message) error {
	x.messages = append(x.messages, *m)
	return x.Tx.AddMessage(m)
}

func (x *RecordedTx) AddInvoice(i *invoice.Invoice) error {
	x.Invoices++
	return x.Tx.AddInvoice(i)
}
