// Package dev holds pages for those who build the product; they are never mounted in production.
package dev

import (
	"cmp"
	"context"
	"errors"
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

// Message is a message as its receiver would have read it. Its JSON is read by scripts: keep it stable.
type Message struct {
	ID        string    `json:"id"`
	Channel   string    `json:"channel"` // sms or email
	To        string    `json:"to"`      // bare address, or E.164
	Subject   string    `json:"subject"`
	Body      string    `json:"body"` // the text part
	CreatedAt time.Time `json:"created_at"`
}

// Needs is what the pages of this package work with.
type Needs struct {
	Kit    *pages.Kit
	Outbox func(ctx context.Context, to string, limit int) ([]Message, error) // the latest messages to one receiver ("": to all), newest first
}

// outboxLimit is how many messages the outbox shows.
const outboxLimit = 200

// Routes mounts the pages of this package. The caller does so in development only.
func Routes(r *web.Routes, n Needs) error {
	if n.Kit == nil || n.Outbox == nil {
		return errors.New("dev pages need a Kit and an Outbox")
	}
	r.Get("/dev/outbox", web.Private, n.outboxPage)
	r.Get("/dev/outbox.json", web.Private, n.outboxJSON)
	r.Get("/dev/components", web.Private, n.gallery)
	return nil
}

func (n Needs) outboxPage(c *echo.Context) error {
	messages, err := n.Outbox(c.Request().Context(), c.QueryParam("to"), outboxLimit)
	if err != nil {
		return err
	}
	return n.Kit.Show(c, http.StatusOK, outbox(n.Kit, messages))
}

func (n Needs) outboxJSON(c *echo.Context) error {
	messages, err := n.Outbox(c.Request().Context(), c.QueryParam("to"), outboxLimit)
	if err != nil {
		return err
	}
	if messages == nil {
		messages = []Message{}
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, messages)
}

func (n Needs) gallery(c *echo.Context) error { return n.Kit.Show(c, http.StatusOK, Gallery()) }

func (m Message) title() string { return cmp.Or(m.Subject, "SMS") }

func (m Message) when() string {
	return admission.Date(m.CreatedAt) + m.CreatedAt.In(admission.IST).Format(", 15:04:05")
}

// others is the address of everything that went to the same receiver.
func (m Message) others() templ.SafeURL {
	return templ.URL("/dev/outbox?" + url.Values{"to": {m.To}}.Encode())
}

// code is the one-time code of a message; "" where it has none.
func (m Message) code() string {
	found := lastLine.FindStringSubmatch(m.Body)
	if found == nil {
		return ""
	}
	return found[1]
}

// lastLine is that of a message with a code, as browsers read it.
var lastLine = regexp.MustCompile(`\n@\S+ #([0-9]{6})$`)

// signature stands between the text of a mail and its footer.
const signature = "\n-- \n"

func (m Message) text() string {
	text, _, _ := strings.Cut(m.Body, signature)
	return strings.TrimSpace(text)
}

func (m Message) footer() string {
	_, footer, _ := strings.Cut(m.Body, signature)
	return strings.TrimSpace(footer)
}

// linked is a message's text in which addresses of the web can be followed.
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
