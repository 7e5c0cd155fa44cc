package business_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/message"
)

type clock struct {
	mutex sync.Mutex
	now   time.Time
}

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) set(now time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = now
}

type anybody struct{}

func (anybody) Needed() bool { return false }
func (anybody) Check(context.Context, string, admission.Visitor) (access.Pass, error) {
	return access.Pass{}, nil
}

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

type catalogue struct{ events []admission.Event }

func newCatalogue() *catalogue {
	opens, closes := time.Date(2026, 10, 1, 0, 0, 0, 0, admission.IST), time.Date(2028, 3, 11, 0, 0, 0, 0, admission.IST)
	terms := admission.Terms{Version: "2026-11-01", Hash: "5e5f"}
	return &catalogue{[]admission.Event{
		{
			Slug: "hiresure-mgrow-2025", Code: "KS_Mgrow", SubeventCode: "KS_Mgrow_2025", Title: "HireSure mGrow Scholarship", Courses: []string{"Blockchain", "Artificial_Intelligence"},
			Fee: admission.INR(1499_00), ListFee: admission.INR(1499_00), Prices: map[string]admission.Money{"USD": {Minor: 19_00, Currency: "USD"}}, Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
		{
			Slug: "hiresure-campus-2026", Code: "KS_Campus", SubeventCode: "KS_Campus_2026", Title: "HireSure Campus Scholarship", Courses: []string{"Blockchain"},
			Fee: admission.INR(1499_50), ListFee: admission.INR(1499_50), Published: true, OpensAt: opens, ClosesAt: closes, Terms: terms,
		},
	}}
}

func (c *catalogue) EventBySlug(slug string) (admission.Event, bool) {
	return c.find(func(e admission.Event) bool { return e.Slug == slug })
}

func (c *catalogue) EventByCode(code string) (admission.Event, bool) {
	return c.find(func(e admission.Event) bool { return e.Code == code })
}

func (c *catalogue) find(is func(admission.Event) bool) (admission.Event, bool) {
	if i := slices.IndexFunc(c.events, is); i >= 0 {
		return c.events[i], true
	}
	return admission.Event{}, false
}
