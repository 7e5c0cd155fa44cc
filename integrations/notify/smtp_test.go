package notify

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/wneessen/go-mail"

	netmail "net/mail"

	"hiresure/admission/message"
	"hiresure/integrations/notify/notifytest"
)

func TestSMTPSendsTextAndHTML(t *testing.T) {
	c := &notifytest.Server{}
	address, _ := c.Serve(t, "127.0.0.1:0", nil)
	s, err := NewSMTP("smtp://post:pass%20word@" + address + "?tls=none&from=HireSure+%3Chello%40example.in%3E")
	if err != nil {
		t.Fatal(err)
	}
	n, log := newNotifier(t, s, s)
	for range 2 {
		if err := n.Send(t.Context(), receipt); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.Letters()) != 2 || !slices.Equal(c.Users(), []string{"post", "post"}) {
		t.Fatalf("%d letters by %q", len(c.Letters()), c.Users())
	}
	for _, text := range c.Letters() {
		letter, err := netmail.ReadMessage(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(letter.Header.Get("Subject"))
		if err != nil {
			t.Fatal(err)
		}
		for header, want := range map[string]string{
			"Message-Id": "<m1@example.in>", "From": `"HireSure" <hello@example.in>`, "To": "<asha@example.com>",
			"Date": "Sat, 21 Nov 2026 06:30:00 +0000", "Auto-Submitted": "auto-generated",
			"Reply-To": "<support@example.in>",
		} {
			if got := letter.Header.Get(header); got != want {
				t.Errorf("%s: %s, want %s", header, got, want)
			}
		}
		if subject != "Payment received – ₹1,499" {
			t.Errorf("subject %q", subject)
		}
		kind, params, err := mime.ParseMediaType(letter.Header.Get("Content-Type"))
		if err != nil || kind != "multipart/alternative" {
			t.Fatal(kind, err)
		}
		var parts []string
		for reader := multipart.NewReader(letter.Body, params["boundary"]); ; {
			part, err := reader.NextRawPart()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(quotedprintable.NewReader(part))
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part.Header.Get("Content-Type")+": "+strings.ReplaceAll(string(body), "\r\n", "\n"))
		}
		want := []string{"text/plain; charset=UTF-8: Dear Asha,\n\nthank you.\n", "text/html; charset=UTF-8: <p>Dear Asha</p>"}
		if !slices.Equal(parts, want) {
			t.Errorf("parts %q, want %q", parts, want)
		}
	}
	if strings.Contains(log.String(), "asha@") {
		t.Errorf("the log holds the address: %s", log)
	}
}

func TestMailWithoutHTMLIsLaidOut(t *testing.T) {
	server := &notifytest.Server{}
	address, _ := server.Serve(t, "127.0.0.1:0", nil)
	s, err := NewSMTP("smtp://" + address + "?tls=none&from=hello@example.in")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := newNotifier(t, s, s)
	m := receipt
	m.Content = message.Content{Subject: "Paid", Text: "thank you"}
	if err := n.Send(t.Context(), m); err != nil || len(server.Letters()) != 1 || !strings.Contains(server.Letters()[0], "<h1>Paid</h1><p>thank you</p>") {
		t.Errorf("%v, sent %q", err, server.Letters())
	}
	// Pictures are attached under the names that the HTML uses.
	for _, part := range []string{
		"Content-Type: multipart/related;", "Content-Type: multipart/alternative;", `src=3D"cid:mark-1@hiresure"`, "Content-Id: <mark-1@hiresure>",
		`Content-Disposition: inline; filename="mark-1.png"`, `Content-Type: image/png; name="mark-1.png"`, base64.StdEncoding.EncodeToString([]byte("a picture")),
	} {
		if !strings.Contains(server.Letters()[0], part) {
			t.Errorf("no %s in %s", part, server.Letters()[0])
		}
	}
	m.Content.Subject = ""
	if err := n.Send(t.Context(), m); err == nil || isPermanent(err) || err.Error() != "lay out receipt: a mail has a subject" {
		t.Errorf("a layout that fails: %v", err)
	}
}

func TestMailIsDeliveredOnceTheServerIsBack(t *testing.T) {
	c := &notifytest.Server{}
	address, stop := c.Serve(t, "127.0.0.1:0", nil)
	stop()
	s, err := NewSMTP("smtp://" + address + "?tls=none&from=hello@example.in")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := newNotifier(t, s, s)
	for range 3 {
		if err := n.Send(t.Context(), receipt); err == nil || isPermanent(err) {
			t.Fatalf("a server that is away: %v", err)
		}
	}
	c.Serve(t, address, nil)
	if err := n.Send(t.Context(), receipt); err != nil || len(c.Letters()) != 1 {
		t.Fatalf("a server that is back: %v, %d letters", err, len(c.Letters()))
	}
}

// reply is a server's reply; enhanced {0, 0, 0} becomes x.0.0.
func reply(code int, enhanced smtp.EnhancedCode, words string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: words}
}

func TestOnlyRecipientRefusalIsPermanent(t *testing.T) {
	const recipient = "asha@example.com"
	none := smtp.NoEnhancedCode
	for _, c := range []struct {
		sentence  string
		faults    notifytest.Faults
		to        string
		permanent bool
		refused   bool // a refusal by the server, retried until givenUpAfter
	}{
		{"an unknown mailbox", notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 1, 1}, "<asha@example.com>: no such user")}, recipient, true, true},
		{"an unknown mailbox, found out at the end", notifytest.Faults{AtData: reply(550, smtp.EnhancedCode{5, 1, 1}, "no such user")}, recipient, true, true},
		{"a domain without mail", notifytest.Faults{AtRcpt: reply(556, smtp.EnhancedCode{5, 1, 10}, "null MX")}, recipient, true, true},
		{"a closed mailbox", notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 2, 1}, "disabled")}, recipient, true, true},
		{"an address that is none", notifytest.Faults{}, "asha\r\nBcc: x@example.com", true, false},
		{"a full mailbox", notifytest.Faults{AtRcpt: reply(552, smtp.EnhancedCode{5, 2, 2}, "full")}, recipient, false, true},
		{"a relay that relays for nobody", notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 7, 1}, "relaying denied")}, recipient, false, true},
		{"a relay that does not say why", notifytest.Faults{AtRcpt: reply(550, none, "no")}, recipient, false, true},
		{"a code in the words alone", notifytest.Faults{AtRcpt: reply(550, none, "this is no 550 5.1.1")}, recipient, false, true},
		{"a relay that does not know the sender", notifytest.Faults{AtMail: reply(550, smtp.EnhancedCode{5, 1, 1}, "no such user")}, recipient, false, true},
		{"a relay that does not know the sender's domain", notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 1, 8}, "domain not found")}, recipient, false, true},
		{"a relay that does not know the sender, said of a recipient", notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 1, 0}, "sender rejected")}, recipient, false, true},
		{"a relay that wants a password", notifytest.Faults{AtMail: reply(530, smtp.EnhancedCode{5, 7, 0}, "authentication required")}, recipient, false, true},
		{"a letter that looks like spam", notifytest.Faults{AtData: reply(554, smtp.EnhancedCode{5, 7, 1}, "spam")}, recipient, false, true},
		{"a failed transaction", notifytest.Faults{AtData: reply(554, none, "transaction failed")}, recipient, false, true},
		{"greylisting", notifytest.Faults{AtRcpt: reply(450, none, "asha@example.com: try later")}, recipient, false, false},
		{"a full disk", notifytest.Faults{AtData: reply(452, smtp.EnhancedCode{4, 3, 1}, "try later")}, recipient, false, false},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			server := &notifytest.Server{}
			server.Break(c.faults)
			address, _ := server.Serve(t, "127.0.0.1:0", nil)
			s, err := NewSMTP("smtp://" + address + "?tls=none&from=hello@example.in")
			if err != nil {
				t.Fatal(err)
			}
			n, log := newNotifier(t, s, s)
			m := receipt
			m.To = c.to
			err = n.Send(t.Context(), m)
			if err == nil || isPermanent(err) != c.permanent || retryAfter(err) != 0 {
				t.Fatalf("%v; permanent: %t, after %s", err, isPermanent(err), retryAfter(err))
			}
			if strings.Contains(err.Error()+log.String(), "asha@") {
				t.Errorf("the address is told: %v, %s", err, log)
			}
			if len(server.Letters()) != 0 {
				t.Error("a letter went out")
			}
			for age, want := range map[time.Duration]bool{5*24*time.Hour - time.Second: c.permanent, 5 * 24 * time.Hour: c.permanent || c.refused} {
				m.CreatedAt = noon.Add(-age)
				if err := n.Send(t.Context(), m); isPermanent(err) != want {
					t.Errorf("after %s: permanent: %t, %v", age, !want, err)
				}
			}
		})
	}
}

func TestWrongPasswordIsRetried(t *testing.T) {
	server := &notifytest.Server{}
	address, _ := server.Serve(t, "127.0.0.1:0", nil)
	s, err := NewSMTP("smtp://post:wrong@" + address + "?tls=none&from=hello@example.in")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := newNotifier(t, s, s)
	m := receipt
	m.CreatedAt = noon.AddDate(0, -1, 0)
	if err := n.Send(t.Context(), m); err == nil || isPermanent(err) || !strings.Contains(err.Error(), "535") {
		t.Errorf("%v, permanent: %t", err, isPermanent(err))
	}
}

func TestBrokenConnectionAfterMail(t *testing.T) {
	for _, c := range []struct {
		sentence, at string
		after        time.Duration // 0: it counts as sent
	}{
		{"before the server has said that it took it: it may have", "data", 5 * time.Minute},
		{"after that: it is sent", "reset", 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			server := &notifytest.Server{}
			server.Break(notifytest.Faults{DropAt: c.at})
			address, _ := server.Serve(t, "127.0.0.1:0", nil)
			s, err := NewSMTP("smtp://" + address + "?tls=none&from=hello@example.in")
			if err != nil {
				t.Fatal(err)
			}
			n, _ := newNotifier(t, s, s)
			err = n.Send(t.Context(), receipt)
			if (err == nil) != (c.after == 0) || isPermanent(err) || retryAfter(err) != c.after {
				t.Errorf("%v; permanent: %t, after %s, want %s", err, isPermanent(err), retryAfter(err), c.after)
			}
			if len(server.Letters()) != 1 {
				t.Errorf("%d letters", len(server.Letters()))
			}
		})
	}
}

func TestSMTPRequiresTLSByDefault(t *testing.T) {
	certified := httptest.NewTLSServer(nil) // for its certificate
	defer certified.Close()
	roots := x509.NewCertPool()
	roots.AddCert(certified.Certificate())
	trust := mail.WithTLSConfig(&tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
	secure := &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}
	for _, c := range []struct {
		sentence string
		server   *tls.Config
		trust    bool
		arrives  bool
	}{
		{"a server with a good certificate", secure, true, true},
		{"a server with a certificate that nobody trusts", secure, false, false},
		{"a server without STARTTLS", nil, true, false},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			server := &notifytest.Server{}
			address, _ := server.Serve(t, "127.0.0.1:0", c.server)
			s, err := NewSMTP("smtp://post:pass%20word@" + address + "?from=hello@example.in")
			if err != nil {
				t.Fatal(err)
			}
			if c.trust {
				s.options = append(s.options, trust)
			}
			n, _ := newNotifier(t, s, s)
			if err := n.Send(t.Context(), receipt); (err == nil) != c.arrives || isPermanent(err) || len(server.Letters()) == 1 != c.arrives {
				t.Errorf("%v, %d letters", err, len(server.Letters()))
			}
			if !c.arrives && len(server.Users()) != 0 {
				t.Error("the password was shown")
			}
		})
	}
}
