package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"hiresure/admission/message"
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

// resendAfter is how long a mail is not repeated that may have arrived: its server had all of it and broke off without a word.
const resendAfter = 5 * time.Minute

// Send sends text and HTML, with its pictures, and what the message brings along. Every try of a message carries the same Message-ID and Date.
func (s *SMTP) Send(ctx context.Context, m message.Message, pictures []Picture) error {
	letter := mail.NewMsg()
	if err := letter.FromFormat(s.from.Name, s.from.Address); err != nil {
		return fmt.Errorf("from: %w", err)
	}
	if err := letter.To(m.To); err != nil {
		return refused(fmt.Errorf("to: %w", err))
	}
	if m.ReplyTo != "" {
		if err := letter.ReplyTo(m.ReplyTo); err != nil {
			return fmt.Errorf("reply to: %w", err)
		}
	}
	letter.Subject(m.Content.Subject)
	letter.SetMessageIDWithValue(m.ID + "@" + s.domain)
	letter.SetDateWithValue(m.CreatedAt)
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	letter.SetBodyString(mail.TypeTextPlain, m.Content.Text)
	if m.Content.HTML != "" {
		letter.AddAlternativeString(mail.TypeTextHTML, m.Content.HTML)
	}
	for _, picture := range pictures {
		name, _, _ := strings.Cut(picture.Name, "@")
		letter.EmbedReadSeeker(name+".png", bytes.NewReader(picture.PNG), mail.WithFileContentID("<"+picture.Name+">"), mail.WithFileContentType("image/png"))
	}
	for _, file := range m.Brings {
		letter.AttachReadSeeker(file.Name, bytes.NewReader(file.Content), mail.WithFileContentType(mail.ContentType(file.Type)))
	}
	client, err := mail.NewClient(s.host, s.options...) // a client holds one connection: one for each message
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, letter)
	if letter.IsDelivered() { // what failed after that is RSET or QUIT
		return nil
	}
	return judgeSMTP(err)
}

// unknownMailbox finds the reply of a server that does not and will not know this recipient: the codes 5.1.x of RFC 3463
// and RFC 7505 that are about a recipient alone, and 5.2.1, a mailbox that is closed. 5.1.0 is not: servers say it of senders too. It reads
// the error's text, for go-mail gives the code only where the server has announced that it sends some.
var unknownMailbox = regexp.MustCompile(`(?:command|writer): 55\d "?5\.(?:1\.(?:[1-46]|10)|2\.1)\b`)

// judgeSMTP tells a refusal of this recipient, which is permanent, from all that may lie with us, the server or the hour:
// a relay that knows neither us nor its own domains refuses every mail with 550, and takes them all once that is mended.
func judgeSMTP(err error) error {
	var fault *mail.SendError
	if !errors.As(err, &fault) {
		return err
	}
	f := failure{text: err.Error(), cause: err}
	switch fault.Reason {
	case mail.ErrSMTPRcptTo, mail.ErrSMTPData, mail.ErrSMTPDataClose:
		f.permanent = unknownMailbox.MatchString(f.text)
	}
	switch {
	case fault.ErrorCode() >= 500:
		f.refused = true
	case fault.ErrorCode() == 0 && (fault.Reason == mail.ErrSMTPDataClose || fault.Reason == mail.ErrWriteContent):
		f.after = resendAfter
	}
	return f
}
