package business_test

import (
	"context"
	"slices"
	"sync"

	"hiresure/admission/message"
)

type alerts struct {
	mutex sync.Mutex
	heard []string
}

func (a *alerts) add(what string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.heard = append(a.heard, what)
}

func (a *alerts) all() []string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.heard)
}

// post is where messages end up.
type post struct {
	mutex     sync.Mutex
	down      error
	delivered []message.Message
}

func (p *post) Render(*message.Message) error { return nil }

func (p *post) Send(_ context.Context, m message.Message) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.down == nil {
		p.delivered = append(p.delivered, m)
	}
	return p.down
}

func (p *post) setDown(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down = err
}

// to returns what somebody got, codes left out.
func (p *post) to(email string) []message.Message {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(p.delivered), func(m message.Message) bool { return m.To != email })
}
