package e2e

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// A mailbox is an SMTP server for all addresses. It records every delivery, so that duplicates can be counted.
type mailbox struct {
	mutex   sync.Mutex
	letters []letter
	faults  []error
	addr    string
}

type letter struct{ To, MessageID, Text string }

// openMailbox accepts mails until the test ends.
func openMailbox(t *testing.T) *mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &mailbox{addr: listener.Addr().String()}
	server := smtp.NewServer(m)
	server.Domain, server.ReadTimeout, server.WriteTimeout = "mailbox.invalid", time.Minute, time.Minute
	server.ErrorLog = log.New(io.Discard, "", 0) // it logs each connection of a killed process
	go func() { _ = server.Serve(listener) }()   // until Close
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// variable returns the environment variable for sites to send mails here.
func (m *mailbox) variable() string {
	return "SMTP_URL=smtp://" + m.addr + "?tls=none&from=HireSure+%3Chello@example.in%3E"
}

// NewSession implements smtp.Backend.
func (m *mailbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &delivery{box: m}, nil }

type delivery struct {
	box *mailbox
	to  []string
}

func (d *delivery) Reset()                                    { d.to = nil }
func (d *delivery) Logout() error                             { return nil }
func (d *delivery) Mail(string, *smtp.MailOptions) error      { return nil }
func (d *delivery) Rcpt(to string, _ *smtp.RcptOptions) error { d.to = append(d.to, to); return nil }

// Data accepts a mail: if it returns nil the server confirms the delivery.
func (d *delivery) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err // the sender aborted and knows that the mail was not delivered
	}
	id, text, err := readLetter(raw)
	d.box.mutex.Lock()
	defer d.box.mutex.Unlock()
	if err != nil {
		d.box.faults = append(d.box.faults, err)
	}
	for _, to := range d.to {
		d.box.letters = append(d.box.letters, letter{to, id, text})
	}
	return nil
}

// readLetter returns the Message-ID and the plain text.
func readLetter(raw []byte) (id, text string, err error) {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return "", "", err
	}
	id = message.Header.Get("Message-ID")
	body, header := message.Body, message.Header.Get
	for { // multipart/related in multipart/alternative
		kind, params, err := mime.ParseMediaType(header("Content-Type"))
		if err != nil || !strings.HasPrefix(kind, "multipart/") {
			break
		}
		part, err := multipart.NewReader(body, params["boundary"]).NextRawPart()
		if err != nil {
			return id, "", err
		}
		body, header = part, part.Header.Get
	}
	if strings.EqualFold(header("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	if kind, _, err := mime.ParseMediaType(header("Content-Type")); err != nil || kind != "text/plain" {
		return id, "", fmt.Errorf("the first part of a letter is %q, not plain text: %w", kind, err)
	}
	read, err := io.ReadAll(body)
	return id, string(read), err
}

// receipts returns the Message-IDs of all deliveries of receipts by address.
func (m *mailbox) receipts(t *testing.T) map[string][]string {
	t.Helper()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, err := range m.faults {
		t.Errorf("a letter cannot be read: %v", err)
	}
	came := map[string][]string{}
	for _, l := range m.letters {
		if strings.Contains(l.Text, "/receipt/") {
			came[l.To] = append(came[l.To], l.MessageID)
		}
	}
	return came
}

// wait returns when all addressees have a receipt, or after patience without a delivery.
func (m *mailbox) wait(t *testing.T, addressees int, patience time.Duration) {
	t.Helper()
	before, since := -1, time.Now()
	for ; ; <-time.After(50 * time.Millisecond) {
		have := len(m.receipts(t))
		if have >= addressees || time.Since(since) > patience {
			return
		}
		if have != before {
			before, since = have, time.Now()
		}
	}
}

// judge compares the deliveries with the addressees who must have a receipt, and returns the number of duplicates. At most
// forgiven duplicates are allowed, with the same Message-ID: those of mails sent by a process that was killed before it stored
// that.
func (m *mailbox) judge(t *testing.T, addressees map[string]bool, forgiven int) (again int) {
	t.Helper()
	missing := 0
	came := m.receipts(t)
	for to := range addressees {
		if len(came[to]) == 0 {
			if missing++; missing <= 5 {
				t.Errorf("%s has got no receipt", to)
			}
			continue
		}
		for _, id := range came[to][1:] {
			again++
			if id != came[to][0] || id == "" {
				t.Errorf("%s has got two different receipts: %q and %q", to, came[to][0], id)
			}
		}
	}
	for to := range came {
		if !addressees[to] {
			t.Errorf("%s has got a receipt and has paid nothing", to)
		}
	}
	if missing > 0 {
		t.Errorf("%d of %d receipts are missing", missing, len(addressees))
	}
	if again > forgiven {
		t.Errorf("%d receipts came once more, of which %d can be forgiven", again, forgiven)
	}
	t.Logf("%d receipts have come to %d addresses, %d of them once more", len(addressees)-missing+again, len(addressees)-missing, again)
	return again
}
