package business_test

import (
	"context"
	"sync"

	"hiresure/admission"
	"hiresure/admission/invoice"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
)

// A recorder is the real store. It records committed moves of payments and has hooks for tests.
type recorder struct {
	admission.Store[store.Tx]
	mutex  sync.Mutex
	moves  map[[2]payment.State]int
	codes  map[string]string // by phone, the one sent last
	before func()            // once, ahead of the next change
	finish func(*recordedTx) error
}

// beforeNext runs do once before the next change.
func (n *recorder) beforeNext(do func()) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.before = do
}

// beforeCommit runs finish at the end of every change. Its error rolls the change back.
func (n *recorder) beforeCommit(finish func(*recordedTx) error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.finish = finish
}

func (n *recorder) Update(ctx context.Context, work func(store.Tx) error) error {
	n.mutex.Lock()
	before, finish := n.before, n.finish
	n.before = nil
	n.mutex.Unlock()
	if before != nil {
		before()
	}
	var seen *recordedTx
	err := n.Store.Update(ctx, func(tx store.Tx) error {
		seen = &recordedTx{Tx: tx, states: map[string]payment.State{}}
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
		n.moves[move]++
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

func (n *recorder) code(phone string) string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.codes[phone]
}

// A recordedTx records one change.
type recordedTx struct {
	store.Tx
	states   map[string]payment.State
	moves    [][2]payment.State
	messages []message.Message
	invoices int
}

func (x *recordedTx) TransactionForUpdate(id string) (*payment.Transaction, error) {
	t, err := x.Tx.TransactionForUpdate(id)
	if t != nil {
		x.states[id] = t.State
	}
	return t, err
}

func (x *recordedTx) AddTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{"", t.State}), t.State
	return x.Tx.AddTransaction(t)
}

func (x *recordedTx) SaveTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{x.states[t.ID], t.State}), t.State
	return x.Tx.SaveTransaction(t)
}

func (x *recordedTx) AddMessage(m *message.Message) error {
	x.messages = append(x.messages, *m)
	return x.Tx.AddMessage(m)
}

func (x *recordedTx) AddInvoice(i *invoice.Invoice) error {
	x.invoices++
	return x.Tx.AddInvoice(i)
}
