package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"hiresure/admission/document"
	"hiresure/admission/message"
	"hiresure/admission/payment"
)

// clock moves only when it is set.
type clock struct{ at atomic.Int64 }

func newClock(at time.Time) *clock {
	c := &clock{}
	c.set(at)
	return c
}

func (c *clock) now() time.Time   { return time.UnixMicro(c.at.Load()).UTC() }
func (c *clock) set(at time.Time) { c.at.Store(at.UnixMicro()) }

// mailbox reads codes as they are written, and refuses unknown addresses as a mail server does.
type mailbox struct {
	message.Notifier
	d *demo
}

func (b mailbox) Render(m *message.Message) error {
	if code, is := m.Params["Code"]; is {
		b.d.codes[m.To] = code
	}
	return b.Notifier.Render(m)
}

// unknownMailbox is a mail server's refusal.
type unknownMailbox struct{ template string }

func (u unknownMailbox) Error() string {
	return "send " + u.template + " by email: 550 5.1.1 (recipient): Recipient address rejected: User unknown in virtual mailbox table"
}

func (unknownMailbox) Permanent() bool { return true }

func (b mailbox) Send(ctx context.Context, m message.Message) error {
	if b.d.unknown[m.To] {
		return unknownMailbox{m.Template}
	}
	return b.Notifier.Send(ctx, m)
}

// inspected is an inspector that looks at equal pictures once, because each look starts a process.
type inspected struct {
	document.Inspector
	seen map[string]verdict // by kind and content
}

type verdict struct {
	found   document.Found
	refusal string
	kept    []byte
}

func (i *inspected) Inspect(ctx context.Context, who string, u document.Upload, in io.Reader, out io.Writer) (document.Found, string, error) {
	picture, err := io.ReadAll(in)
	if err != nil {
		return document.Found{}, "", err
	}
	key := string(u.Kind) + string(picture)
	v, known := i.seen[key]
	if !known {
		var kept bytes.Buffer
		if v.found, v.refusal, err = i.Inspector.Inspect(ctx, who, u, bytes.NewReader(picture), &kept); err != nil {
			return v.found, v.refusal, err
		}
		v.kept = kept.Bytes()
		i.seen[key] = v
	}
	_, err = out.Write(v.kept)
	return v.found, v.refusal, err
}

// webhooks returns a client that passes the sandbox's webhooks to the business, because nothing serves yet.
func (d *demo) webhooks() *http.Client { return &http.Client{Transport: delivery{d}} }

type delivery struct{ d *demo }

func (t delivery) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	ack, _, err := t.d.Business.Payment.ReceiveWebhook(r.Context(), t.d.bank.Name, payment.Webhook{Header: r.Header, Body: raw})
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Body: io.NopCloser(bytes.NewReader(ack)), Request: r}, nil
}

// unanswered is how many questions about a payment the bank leaves without an answer: for more than a day.
const unanswered = 1000

// silence lets the bank leave questions about a payment unanswered.
func (d *demo) silence(txn string) error {
	return d.Store.ChangeSandboxOrder(d.ctx, txn, func(body []byte) ([]byte, error) {
		var order map[string]any
		if err := json.Unmarshal(body, &order); err != nil {
			return nil, err
		}
		order["Errors"] = unanswered
		return json.Marshal(order)
	})
}
