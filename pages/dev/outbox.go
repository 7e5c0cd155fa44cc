// Package dev serves pages for development, which production never mounts.
package dev

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/pages"
	"hiresure/web"
)

// Message is a message as received. Scripts read its JSON: keep it stable.
type Message struct {
	ID        string    `json:"id"`
	Channel   string    `json:"channel"` // sms or email
	To        string    `json:"to"`      // bare address, or E.164
	Subject   string    `json:"subject"`
	Body      string    `json:"body"` // the text part
	Files     string    `json:"files,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// Config configures the pages.
type Config struct {
	Kit *pages.Kit
	// Outbox returns the messages to a receiver ("": all), newest first.
	Outbox func(ctx context.Context, to string) iter.Seq2[Message, error]
	// OutboxPage returns a page of them; "" is the cursor of the first page, and after the last.
	OutboxPage func(ctx context.Context, to, cursor string, most int) (messages []Message, next string, err error)
	// Provider is nil without play money.
	Provider *Provider
}

// outboxLimit is the number of messages on a page and in the JSON.
const outboxLimit = 200

// Routes mounts the pages, in development only.
func Routes(r *web.Routes, n Config) error {
	if n.Kit == nil || n.Outbox == nil || n.OutboxPage == nil {
		return errors.New("dev pages need a Kit and an Outbox")
	}
	r.Get("/dev/outbox", web.Private, n.outboxPage)
	r.Get("/dev/outbox.json", web.Private, n.outboxJSON)
	r.Get("/dev/components", web.Private, n.gallery)
	if n.Provider != nil {
		r.Get(PaymentsPath, web.Private, n.paymentsPage)
		r.Get(paymentPath(":txn"), web.Private, n.paymentPage)
		r.Post(paymentPath(":txn"), web.Private, n.happen)
	}
	return nil
}

func (n Config) outboxPage(c *echo.Context) error {
	to := c.QueryParam("to")
	messages, next, err := n.OutboxPage(c.Request().Context(), to, c.QueryParam("after"), outboxLimit)
	if err != nil {
		return err
	}
	older := ""
	if next != "" {
		older = outboxPath(to, next)
	}
	return n.Kit.Show(c, http.StatusOK, outbox(n.Kit.Frame(), messages, older, n.Provider != nil))
}

// outboxPath returns the address of a receiver's messages, "" for all; after is a cursor.
func outboxPath(to, after string) string {
	query := url.Values{}
	for name, value := range map[string]string{"to": to, "after": after} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return "/dev/outbox?" + query.Encode()
}

func (n Config) outboxJSON(c *echo.Context) error {
	messages := n.Outbox(c.Request().Context(), c.QueryParam("to"))
	c.Response().Header().Set("Cache-Control", "no-store")
	return web.Stream(c, "application/json", func(p *web.Pieces) error {
		sent, between := 0, ""
		if _, err := p.WriteString("["); err != nil {
			return err
		}
		for m, err := range messages {
			if err != nil {
				return err
			}
			one, err := json.Marshal(m)
			if err != nil {
				return err
			}
			if _, err := p.WriteString(between + string(one)); err != nil {
				return err
			}
			if sent++; sent == outboxLimit {
				break
			}
			between = ","
		}
		_, err := p.WriteString("]\n")
		return err
	})
}

func (n Config) gallery(c *echo.Context) error { return n.Kit.Show(c, http.StatusOK, Gallery()) }

func (m Message) title() string { return cmp.Or(m.Subject, "SMS") }

func (m Message) when() string {
	return admission.Date(m.CreatedAt) + m.CreatedAt.In(admission.IST).Format(", 15:04:05")
}

// others returns the address of the receiver's messages.
func (m Message) others() templ.SafeURL {
	return templ.URL(outboxPath(m.To, ""))
}

// code returns the code in a message; "" for none.
func (m Message) code() string {
	found := lastLine.FindStringSubmatch(m.Body)
	if found == nil {
		return ""
	}
	return found[1]
}

// lastLine matches the last line of a message with a code, which browsers read.
var lastLine = regexp.MustCompile(`\n@\S+ #([0-9]{6})$`)

// signature separates the text of a mail from its footer.
const signature = "\n-- \n"

func (m Message) text() string {
	text, _, _ := strings.Cut(m.Body, signature)
	return strings.TrimSpace(text)
}

func (m Message) footer() string {
	_, footer, _ := strings.Cut(m.Body, signature)
	return strings.TrimSpace(footer)
}

// linked renders a text with its web addresses as links.
func linked(body string) templ.Component {
	var html strings.Builder
	at := 0
	for _, found := range webAddress.FindAllStringIndex(body, -1) {
		address := templ.EscapeString(body[found[0]:found[1]])
		html.WriteString(templ.EscapeString(body[at:found[0]]) + `<a href="` + address + `">` + address + `</a>`)
		at = found[1]
	}
	return templ.Raw(html.String() + templ.EscapeString(body[at:]))
}

var webAddress = regexp.MustCompile(`https?://[^\s<>"]+`)
