package notify

import (
	"context"
	"errors"
	"fmt"

	"hiresure/admission/message"

	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

const smtpWait = 15 * time.Second

// SMTP sends mail through a server. It connects for each message, so one that was away is used again once it is back.
type SMTP struct {
	host    string
	options []mail.Option
	from    netmail.Address
	domain  string
}

// NewSMTP reads smtp://user:pass@host:port?from=Name+<a@b>&tls=starttls. tls is starttls (the default, port 587), implicit
// (465; also the scheme smtps) or none (25).
func NewSMTP(smtpURL string) (*SMTP, error) {
	u, err := url.Parse(smtpURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("SMTP_URL must be smtp://user:pass@host:port?from=…&tls=…") // the text itself holds a password
	}
	from, err := netmail.ParseAddress(u.Query().Get("from"))
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL: from must be an address: %w", err)
	}
	options := []mail.Option{mail.WithTimeout(smtpWait)}
	security := u.Query().Get("tls")
	if security == "" && u.Scheme == "smtps" {
		security = "implicit"
	}
	port := 587
	switch security {
	case "", "starttls":
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	case "implicit":
		options = append(options, mail.WithSSL())
		port = 465
	case "none":
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
		port = 25
	default:
		return nil, fmt.Errorf("SMTP_URL: tls must be starttls or implicit or none, not %q", security)
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, fmt.Errorf("SMTP_URL: port: %w", err)
		}
	}
	options = append(options, mail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		way := mail.SMTPAuthAutoDiscover
		if security == "none" {
			way = mail.SMTPAuthPlain // which is refused without TLS, except to loopback
		}
		options = append(options, mail.WithSMTPAuth(way), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	if _, err := mail.NewClient(u.Hostname(), options...); err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	return &SMTP{u.Hostname(), options, *from, domain}, nil
}

// Send sends text and HTML. Every try of a message carries the same Message-ID and Date. A recipient that the server
// refuses for good is a permanent failure; all else, a wrong password too, is worth another try.
func (s *SMTP) Send(ctx context.Context, m message.Message, c Content) error {
	letter := mail.NewMsg()
	if err := letter.FromFormat(s.from.Name, s.from.Address); err != nil {
		return fmt.Errorf("from: %w", err)
	}
	if err := letter.To(m.To); err != nil {
		return refused(fmt.Errorf("to: %w", err))
	}
	letter.Subject(c.Subject)
	letter.SetMessageIDWithValue(m.ID + "@" + s.domain)
	letter.SetDateWithValue(m.CreatedAt)
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	letter.SetBodyString(mail.TypeTextPlain, c.Text)
	if c.HTML != "" {
		letter.AddAlternativeString(mail.TypeTextHTML, c.HTML)
	}
	client, err := mail.NewClient(s.host, s.options...) // a client holds one connection: one for each message
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, letter)
	var sendError *mail.SendError
	if errors.As(err, &sendError) && sendError.Reason == mail.ErrSMTPRcptTo && sendError.ErrorCode() >= 500 {
		return refused(err)
	}
	return err
}
