package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hiresure/admission/message"
)

var (
	noon    = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	receipt = message.Message{
		ID: "m1", Channel: message.Email, To: "asha@example.com", Template: "receipt", CreatedAt: noon,
		Params: map[string]string{"Name": "Asha"},
	}
	code = message.Message{
		ID: "m2", Channel: message.SMS, To: "+919876543210", Template: "code", CreatedAt: noon,
		Params: map[string]string{"Code": "482913"},
	}
)

func render(template string, params map[string]string) (c message.Content, version string, err error) {
	switch template {
	case "receipt":
		return message.Content{
			Subject: "Payment received – ₹1,499", Text: "Dear " + params["Name"] + ",\n\nthank you.\n", HTML: "<p>Dear " + params["Name"] + "</p>",
		}, "r1", nil
	case "code":
		return message.Content{Text: params["Code"] + " is your code"}, "c1", nil
	}
	return c, "", fmt.Errorf("no template %q", template)
}

func replyTo(template string) string {
	if template == "receipt" {
		return "support@example.in"
	}
	return ""
}

func layout(c message.Content) (string, []Picture, error) {
	if c.Subject == "" {
		return "", nil, errors.New("a mail has a subject")
	}
	return "<h1>" + c.Subject + "</h1><p>" + c.Text + c.Parts + `</p><img src="cid:mark-1@hiresure">`, []Picture{{"mark-1@hiresure", []byte("a picture")}}, nil
}

// memoryBox is an in-memory Box.
type memoryBox struct {
	rows map[string]string
	err  error
}

func (k *memoryBox) AddOutbox(_ context.Context, m message.Message) error {
	if _, known := k.rows[m.ID]; k.err == nil && !known {
		k.rows[m.ID] = strings.Join([]string{string(m.Channel), m.To, m.Content.Subject, m.Content.Text, m.CreatedAt.Format(time.RFC3339)}, "|")
	}
	return k.err
}

func newNotifier(t *testing.T, mail, sms Sender) (*Notifier, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	clock := func() time.Time { return noon }
	n, err := New(Config{Render: render, Layout: layout, ReplyTo: replyTo, Mail: mail, SMS: sms, Clock: clock, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return n, &log
}

func isPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}

func retryAfter(err error) time.Duration {
	var p interface{ RetryAfter() time.Duration }
	if errors.As(err, &p) {
		return p.RetryAfter()
	}
	return 0
}

func TestOutboxStoresMessageOnce(t *testing.T) {
	box := &memoryBox{rows: map[string]string{}}
	n, log := newNotifier(t, NewOutbox(box), NewOutbox(box))
	for _, m := range []message.Message{receipt, code, receipt} {
		if err := n.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		"m1": "email|asha@example.com|Payment received – ₹1,499|Dear Asha,\n\nthank you.\n|2026-11-21T06:30:00Z",
		"m2": "sms|+919876543210||482913 is your code|2026-11-21T06:30:00Z",
	}
	if fmt.Sprint(box.rows) != fmt.Sprint(want) {
		t.Errorf("kept %q, want %q", box.rows, want)
	}
	for _, personal := range []string{"asha@", "9876543210", "482913", "Asha"} {
		if strings.Contains(log.String(), personal) {
			t.Errorf("the log holds %q: %s", personal, log)
		}
	}
	box.err = errors.New("disk is full")
	if err := n.Send(t.Context(), code); err == nil || isPermanent(err) || err.Error() != "send code by sms: add to outbox: disk is full" {
		t.Errorf("a box that is full: %v", err)
	}
}

func TestRenderedMessageIsNotRenderedAgain(t *testing.T) {
	box := &memoryBox{rows: map[string]string{}}
	n, _ := newNotifier(t, NewOutbox(box), NewOutbox(box))
	m := receipt
	if err := n.Render(&m); err != nil || m.TemplateVersion != "r1" || m.Content.HTML != "<p>Dear Asha</p>" {
		t.Fatalf("rendered %+v, %v", m, err)
	}
	n.Config.Render = func(string, map[string]string) (message.Content, string, error) { // as in another version
		return message.Content{}, "", errors.New("no such template")
	}
	if err := n.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if want := "email|asha@example.com|Payment received – ₹1,499|Dear Asha,\n\nthank you.\n|2026-11-21T06:30:00Z"; box.rows["m1"] != want {
		t.Errorf("kept %q, want %q", box.rows["m1"], want)
	}
}

func TestUnknownTemplateIsRetried(t *testing.T) {
	box := &memoryBox{rows: map[string]string{}}
	n, _ := newNotifier(t, NewOutbox(box), NewOutbox(box))
	for _, c := range []struct {
		message message.Message
		want    string
	}{
		{message.Message{Channel: "pigeon", Template: "receipt"}, `send receipt: unknown channel "pigeon"`},
		{message.Message{Channel: message.SMS, Template: "other"}, `render other: no template "other"`},
	} {
		if err := n.Send(t.Context(), c.message); err == nil || err.Error() != c.want || isPermanent(err) {
			t.Errorf("%v, want %s, not for good", err, c.want)
		}
	}
	if len(box.rows) != 0 {
		t.Errorf("kept %q", box.rows)
	}
	if _, err := New(Config{}); err == nil || err.Error() != "notifier needs Render, Layout, ReplyTo, Mail, SMS, Clock and Log" {
		t.Error(err)
	}
}
