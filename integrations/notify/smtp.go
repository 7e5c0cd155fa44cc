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

// SMTP sends mail through a server. It opens a connection for each message, so it recovers when the server does.
type SMTP struct {
	host    string
	options []mail.Option
	from    netmail.Address
	domain  string
}

// NewSMTP parses smtp://user:pass@host:port?from=Name+<a@b>&tls=starttls. tls is starttls (default, port 587), implicit (465; also
// the scheme smtps) or none (25).
func NewSMTP(smtpURL string) (*SMTP, error) {
	u, err := url.Parse(smtpURL)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("SMTP_URL must be smtp://user:pass@host:port?from=…&tls=…") // without the parser's error, which quotes the password
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
			way = mail.SMTPAuthPlain // refused without TLS, except on loopback
		}
		options = append(options, mail.WithSMTPAuth(way), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	if _, err := mail.NewClient(u.Hostname(), options...); err != nil {
		return nil, fmt.Errorf("SMTP_URL: %w", err)
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	return &SMTP{u.Hostname(), options, *from, domain}, nil
}

// resendAfter delays the retry of a mail that may have arrived: the server received it all and closed without a reply.
const resendAfter = 5 * time.Minute

// Send sends text and HTML with pictures and attachments. All tries of a message have the same Message-ID and Date.
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
	for _, file := range m.Attachments {
		letter.AttachReadSeeker(file.Name, bytes.NewReader(file.Content), mail.WithFileContentType(mail.ContentType(file.Type)))
	}
	client, err := mail.NewClient(s.host, s.options...) // a client is one connection
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, letter)
	if letter.IsDelivered() { // only RSET or QUIT failed
		return nil
	}
	return classifySMTP(err)
}

// unknownMailbox matches a permanent refusal of this recipient: the codes 5.1.x of RFC 3463 and RFC 7505 about recipients, and
// 5.2.1, a disabled mailbox. Not 5.1.0, which servers also use about senders. It matches the error's text, because go-mail exposes
// the code only if the server announced enhanced codes.
var unknownMailbox = regexp.MustCompile(`(?:command|writer): 55\d "?5\.(?:1\.(?:[1-46]|10)|2\.1)\b`)

// classifySMTP makes only a refusal of this recipient permanent. All else may be temporary or our fault: a misconfigured relay refuses
// every mail with 550 and accepts them once it is fixed.
func classifySMTP(err error) error {
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
