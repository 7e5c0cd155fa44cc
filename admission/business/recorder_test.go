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

// A recorder is the real store. It writes down which moves of payments were committed, and lets a test come in between.
type recorder struct {
	admission.Store[store.Tx]
	mutex  sync.Mutex
	moves  map[[2]payment.State]int
	codes  map[string]string // by phone, the one sent last
	before func()            // once, ahead of the next change
	finish func(*watchedTx) error
}

// beforeNext runs ahead of the next change, once.
func (n *recorder) beforeNext(do func()) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.before = do
}

// atTheEnd stands at the end of every change, before its commit; its error rolls the change back.
func (n *recorder) atTheEnd(finish func(*watchedTx) error) {
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
	var seen *watchedTx
	err := n.Store.Update(ctx, func(tx store.Tx) error {
		seen = &watchedTx{Tx: tx, states: map[string]payment.State{}}
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

// A watchedTx sees what one change does.
type watchedTx struct {
	store.Tx
	states   map[string]payment.State
	moves    [][2]payment.State
	messages []message.Message
	invoices int
}

func (x *watchedTx) TransactionForUpdate(id string) (*payment.Transaction, error) {
	t, err := x.Tx.TransactionForUpdate(id)
	if t != nil {
		x.states[id] = t.State
	}
	return t, err
}

func (x *watchedTx) AddTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{"", t.State}), t.State
	return x.Tx.AddTransaction(t)
}

func (x *watchedTx) SaveTransaction(t *payment.Transaction) error {
	x.moves, x.states[t.ID] = append(x.moves, [2]payment.State{x.states[t.ID], t.State}), t.State
	return x.Tx.SaveTransaction(t)
}

func (x *watchedTx) AddMessage(m *message.Message) error {
	x.messages = append(x.messages, *m)
	return x.Tx.AddMessage(m)
}

func (x *watchedTx) AddInvoice(i *invoice.Invoice) error {
	x.invoices++
	return x.Tx.AddInvoice(i)
}
