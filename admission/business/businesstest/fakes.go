package businesstest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"hiresure/admission/message"
	"hiresure/content"
)

// Alerts records alerts.
type Alerts struct {
	mutex sync.Mutex
	heard []string
}

func (a *Alerts) add(what string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.heard = append(a.heard, what)
}

// All returns the alerts, oldest first.
func (a *Alerts) All() []string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.heard)
}

// Post records messages.
type Post struct {
	t         *testing.T
	mutex     sync.Mutex
	down      error
	Delivered []message.Message
}

// Content returns the site's content, loaded once.
var Content = sync.OnceValues(content.Load)

// Render fails the test if the content cannot render a message: unknown template or missing param. It renders nothing, as
// tests compare params.
func (p *Post) Render(m *message.Message) error {
	library, err := Content()
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

// Send records a message, unless the post is down.
func (p *Post) Send(_ context.Context, m message.Message) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.down == nil {
		p.Delivered = append(p.Delivered, m)
	}
	return p.down
}

// SetDown makes Send fail with an error; nil ends it.
func (p *Post) SetDown(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.down = err
}

// Mailed returns the only mail of a template to a person.
func (p *Person) Mailed(template string) message.Message {
	p.T.Helper()
	mails := slices.DeleteFunc(p.Post.To(p.Email), func(m message.Message) bool { return m.Template != template })
	if len(mails) != 1 {
		p.T.Fatalf("%d mails of %s", len(mails), template)
	}
	return mails[0]
}

// To returns the messages to an address, without codes.
func (p *Post) To(email string) []message.Message {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(p.Delivered), func(m message.Message) bool { return m.To != email })
}
