package business_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"hiresure/admission/message"
	"hiresure/content"
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

// post records messages.
type post struct {
	t         *testing.T
	mutex     sync.Mutex
	down      error
	delivered []message.Message
}

var words = sync.OnceValues(content.Load)

// Render fails the test if the content cannot render a message: unknown template or missing param. It renders nothing, as
// tests compare params.
func (p *post) Render(m *message.Message) error {
	library, err := words()
	if err != nil {
		p.t.Error(err)
		return err
	}
	template, known := library.Message(m.Template)
	if !known {
		err = fmt.Errorf("content has no message %q", m.Template)
	} else {
		_, err = template.Words("www.example.in", m.Params)
	}
	if err != nil {
		p.t.Error(err)
	}
	return err
}

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

// mailed returns the only mail of a template to a person.
func (p *person) mailed(template string) message.Message {
	p.t.Helper()
	mails := slices.DeleteFunc(p.post.to(p.email), func(m message.Message) bool { return m.Template != template })
	if len(mails) != 1 {
		p.t.Fatalf("%d mails of %s", len(mails), template)
	}
	return mails[0]
}

// to returns the messages to an address, without codes.
func (p *post) to(email string) []message.Message {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(p.delivered), func(m message.Message) bool { return m.To != email })
}
