package notify

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"

	"hiresure/admission/message"

	netmail "net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/wneessen/go-mail"
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

func render(template string, params map[string]string) (subject, text, html string, err error) {
	switch template {
	case "receipt":
		return "Payment received – ₹1,499", "Dear " + params["Name"] + ",\n\nthank you.\n", "<p>Dear " + params["Name"] + "</p>", nil
	case "code":
		return "", params["Code"] + " is your code", "", nil
	}
	return "", "", "", fmt.Errorf("no template %q", template)
}

// keeper is a box in memory.
type keeper struct {
	rows map[string]string
	err  error
}

func (k *keeper) AddOutbox(_ context.Context, id, channel, to, subject, body string, at time.Time) error {
	if _, known := k.rows[id]; k.err == nil && !known {
		k.rows[id] = strings.Join([]string{channel, to, subject, body, at.Format(time.RFC3339)}, "|")
	}
	return k.err
}

func newNotifier(t *testing.T, mail, sms Sender) (*Notifier, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	n, err := New(Needs{Render: render, Mail: mail, SMS: sms, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return n, &log
}

func isPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}

func TestOutboxKeepsEachMessageOnce(t *testing.T) {
	box := &keeper{rows: map[string]string{}}
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

func TestMessageThatCannotBeSentIsRefusedForGood(t *testing.T) {
	box := &keeper{rows: map[string]string{}}
	n, _ := newNotifier(t, NewOutbox(box), NewOutbox(box))
	for _, c := range []struct {
		message message.Message
		want    string
	}{
		{message.Message{Channel: "pigeon", Template: "receipt"}, `send receipt: no such channel "pigeon"`},
		{message.Message{Channel: message.SMS, Template: "other"}, `render other: no template "other"`},
	} {
		if err := n.Send(t.Context(), c.message); err == nil || err.Error() != c.want || !isPermanent(err) {
			t.Errorf("%v, want %s, for good", err, c.want)
		}
	}
	if len(box.rows) != 0 {
		t.Errorf("kept %q", box.rows)
	}
	if _, err := New(Needs{}); err == nil || err.Error() != "notifier needs Render, Mail, SMS and Log" {
		t.Error(err)
	}
}

// catcher is an SMTP server that keeps what it is given.
type catcher struct {
	sync.Mutex
	letters []string
	refusal *smtp.SMTPError // of every recipient
	users   []string
}

func (c *catcher) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{c}, nil }

type session struct{ *catcher }

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "pass word" {
			return smtp.ErrAuthFailed
		}
		s.users = append(s.users, user)
		return nil
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(string, *smtp.RcptOptions) error {
	if s.refusal != nil {
		return s.refusal
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	letter, err := io.ReadAll(r)
	s.Lock()
	defer s.Unlock()
	s.letters = append(s.letters, string(letter))
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// serve runs the catcher on an address, "127.0.0.1:0" for a free one, until stop.
func (c *catcher) serve(t *testing.T, address string, secure *tls.Config) (at string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(c)
	server.Domain, server.TLSConfig, server.AllowInsecureAuth = "localhost", secure, true
	server.ErrorLog = slogless{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it always ends with an error: closed
	}()
	stop = sync.OnceFunc(func() {
		_ = server.Close()
		_ = listener.Close() // Serve may not have begun
		<-ended
	})
	t.Cleanup(stop)
	return listener.Addr().String(), stop
}

type slogless struct{}

func (slogless) Printf(string, ...any) {}
func (slogless) Println(...any)        {}

func TestSMTPSendsTextAndHTML(t *testing.T) {
	c := &catcher{}
	address, _ := c.serve(t, "127.0.0.1:0", nil)
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
	if len(c.letters) != 2 || !slices.Equal(c.users, []string{"post", "post"}) {
		t.Fatalf("%d letters by %q", len(c.letters), c.users)
	}
	for _, text := range c.letters {
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

func TestMailIsDeliveredOnceTheServerIsBack(t *testing.T) {
	c := &catcher{}
	address, stop := c.serve(t, "127.0.0.1:0", nil)
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
	c.serve(t, address, nil)
	if err := n.Send(t.Context(), receipt); err != nil || len(c.letters) != 1 {
		t.Fatalf("a server that is back: %v, %d letters", err, len(c.letters))
	}
}

func TestSMTPFailures(t *testing.T) {
	refuse := func(code int, words string) *smtp.SMTPError { return &smtp.SMTPError{Code: code, Message: words} }
	for _, c := range []struct {
		sentence  string
		password  string
		to        string
		refusal   *smtp.SMTPError
		permanent bool
	}{
		{"a recipient that the server does not know", "pass%20word", "asha@example.com", refuse(550, "<asha@example.com>: no such user"), true},
		{"a recipient that is greylisted", "pass%20word", "asha@example.com", refuse(450, "asha@example.com: try later"), false},
		{"a wrong password", "wrong", "asha@example.com", nil, false},
		{"an address that is none", "pass%20word", "asha\r\nBcc: x@example.com", nil, true},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			catch := &catcher{refusal: c.refusal}
			address, _ := catch.serve(t, "127.0.0.1:0", nil)
			s, err := NewSMTP("smtp://post:" + c.password + "@" + address + "?tls=none&from=hello@example.in")
			if err != nil {
				t.Fatal(err)
			}
			n, log := newNotifier(t, s, s)
			m := receipt
			m.To = c.to
			err = n.Send(t.Context(), m)
			if err == nil || isPermanent(err) != c.permanent {
				t.Fatalf("%v; permanent: %t", err, !c.permanent)
			}
			if strings.Contains(err.Error()+log.String(), "asha@") {
				t.Errorf("the address is told: %v, %s", err, log)
			}
			if len(catch.letters) != 0 {
				t.Error("a letter went out")
			}
		})
	}
}

func TestSMTPNeedsTLSUnlessToldOtherwise(t *testing.T) {
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
			catch := &catcher{}
			address, _ := catch.serve(t, "127.0.0.1:0", c.server)
			s, err := NewSMTP("smtp://post:pass%20word@" + address + "?from=hello@example.in")
			if err != nil {
				t.Fatal(err)
			}
			if c.trust {
				s.options = append(s.options, trust)
			}
			n, _ := newNotifier(t, s, s)
			if err := n.Send(t.Context(), receipt); (err == nil) != c.arrives || isPermanent(err) || len(catch.letters) == 1 != c.arrives {
				t.Errorf("%v, %d letters", err, len(catch.letters))
			}
			if !c.arrives && len(catch.users) != 0 {
				t.Error("the password was shown")
			}
		})
	}
}

func TestAddressesOfServersAreRead(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"smtp://mail.example.in?from=a@example.in", ""},
		{"smtps://u:p@mail.example.in?from=HireSure+<a@example.in>", ""},
		{"smtp://mail.example.in:2525?from=a@example.in&tls=implicit", ""},
		{"http://mail.example.in?from=a@example.in", "SMTP_URL must be smtp://user:pass@host:port?from=…&tls=…"},
		{"smtp://u:p%zz@mail.example.in", "SMTP_URL must be smtp://user:pass@host:port?from=…&tls=…"},
		{"smtp://mail.example.in", "SMTP_URL: from must be an address: mail: no address"},
		{"smtp://mail.example.in?from=a@example.in&tls=maybe", `SMTP_URL: tls must be starttls or implicit or none, not "maybe"`},
	} {
		if _, err := NewSMTP(c.url); fmt.Sprint(err) != c.want && (err != nil || c.want != "") {
			t.Errorf("%s: %v, want %s", c.url, err, c.want)
		}
	}
	for _, c := range []struct{ url, address, key, want string }{
		{"https://k3y@sms.example.in/send?sender=HRSURE", "https://sms.example.in/send?sender=HRSURE", "k3y", ""},
		{"https://user:k3y@sms.example.in/send", "https://sms.example.in/send", "k3y", ""},
		{"https://sms.example.in/send?key=k3y&sender=HRSURE", "https://sms.example.in/send?sender=HRSURE", "k3y", ""},
		{"http://k3y@127.0.0.1:9/send", "http://127.0.0.1:9/send", "k3y", ""},
		{"http://k3y@sms.example.in/send", "", "", "SMS_URL must be https"},
		{"https://sms.example.in/send", "", "", "SMS_URL holds no key"},
		{"sms.example.in", "", "", "SMS_URL must be https://key@host/path"},
	} {
		s, err := NewSMS(c.url)
		if c.want == "" && (err != nil || s.address != c.address || s.key != c.key) || c.want != "" && fmt.Sprint(err) != c.want {
			t.Errorf("%s: %+v, %v", c.url, s, err)
		}
	}
}

func TestSMS(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	status := http.StatusOK
	var bodies []map[string]string
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		bodies = append(bodies, body)
		if r.Header.Get("Authorization") != "Bearer k3y" || r.Header.Get("Idempotency-Key") != "m2" || r.URL.RawQuery != "sender=HRSURE" {
			t.Errorf("asked with %v, query %q", r.Header, r.URL.RawQuery)
		}
		w.Header().Set("Location", other.URL)
		w.WriteHeader(status)
		fmt.Fprint(w, "+919876543210")
	}))
	defer provider.Close()
	s, err := NewSMS(strings.Replace(provider.URL, "://", "://k3y@", 1) + "?sender=HRSURE")
	if err != nil {
		t.Fatal(err)
	}
	n, log := newNotifier(t, s, s)
	for _, c := range []struct {
		status    int
		want      string
		permanent bool
	}{
		{200, "<nil>", false},
		{202, "<nil>", false},
		{302, "send code by sms: SMS provider answered 302", false},
		{307, "send code by sms: SMS provider answered 307", false},
		{400, "send code by sms: SMS provider answered 400", true},
		{401, "send code by sms: SMS provider answered 401", false},
		{422, "send code by sms: SMS provider answered 422", true},
		{429, "send code by sms: SMS provider answered 429", false},
		{500, "send code by sms: SMS provider answered 500", false},
		{503, "send code by sms: SMS provider answered 503", false},
	} {
		status, bodies = c.status, nil
		err := n.Send(t.Context(), code)
		if fmt.Sprint(err) != c.want || isPermanent(err) != c.permanent {
			t.Errorf("answer %d: %v, permanent %t; want %s", c.status, err, isPermanent(err), c.want)
		}
		want := map[string]string{"to": "+919876543210", "text": "482913 is your code", "template": "code", "id": "m2"}
		if len(bodies) != 1 || fmt.Sprint(bodies[0]) != fmt.Sprint(want) {
			t.Errorf("posted %v, want %v", bodies, want)
		}
	}
	if elsewhere != 0 {
		t.Error("a redirect carried the text to another host")
	}
	provider.Close()
	err = n.Send(t.Context(), code)
	if err == nil || isPermanent(err) {
		t.Errorf("a provider that is away: %v", err)
	}
	for _, personal := range []string{"9876543210", "482913", "k3y"} {
		if strings.Contains(log.String()+fmt.Sprint(err), personal) {
			t.Errorf("%q is told: %s, %v", personal, log, err)
		}
	}
}
