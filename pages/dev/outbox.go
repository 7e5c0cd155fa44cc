// Package dev holds pages for those who build the product; they are never mounted in production.
package dev

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/pages"
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
func Routes(e *echo.Echo, n Needs) error {
	if n.Kit == nil || n.Outbox == nil {
		return errors.New("dev pages need a Kit and an Outbox")
	}
	pages.Get(e, "/dev/outbox", n.outboxPage)
	pages.Get(e, "/dev/outbox.json", n.outboxJSON)
	pages.Get(e, "/dev/components", n.gallery)
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

func (m Message) facts() []components.Fact {
	facts := []components.Fact{{Name: "To", Value: m.To}, {Name: "When", Value: m.CreatedAt.In(admission.IST).Format("2 January 2006, 15:04:05")}, {Name: "By", Value: m.Channel}}
	if m.Subject != "" {
		facts = append(facts, components.Fact{Name: "Subject", Value: m.Subject})
	}
	return facts
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
