package web

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/rs/zerolog"

	"hiresure/admission"
)

// MaskPhone keeps the first and last two digits of a number without its country code: "+919876543210" is "98******10".
func MaskPhone(phone string) string {
	digits := strings.TrimPrefix(strings.TrimPrefix(phone, "+"), "91")
	if len(phone) <= 10 {
		digits = phone
	}
	if len(digits) <= 4 {
		return strings.Repeat("*", len(digits))
	}
	return digits[:2] + strings.Repeat("*", len(digits)-4) + digits[len(digits)-2:]
}

// MaskEmail keeps the first letter and the host: "asha@example.com" is "a***@example.com".
func MaskEmail(email string) string {
	at := strings.LastIndexByte(email, '@')
	if at <= 0 {
		return "***"
	}
	first := []rune(email[:at])[:1]
	return string(first) + "***" + email[at:]
}

// MaskAddress cuts an IPv4 address to its /24; an IPv6 address comes as a /64 and stays.
func MaskAddress(address string) string {
	last := strings.LastIndexByte(address, '.')
	if last < 0 {
		return address
	}
	return address[:last] + ".x"
}

// MaskPath is a path fit for a log: it carries no token of a mail link, and never a query.
func MaskPath(path string) string {
	path, _, _ = strings.Cut(path, "?")
	for _, secret := range []string{ReceiptPath(""), InvoicePath(""), TicketPath("")} {
		if strings.HasPrefix(path, secret) {
			return secret + "…"
		}
	}
	return Mask(path)
}

// personal finds e-mail addresses, runs of ten to nineteen digits (phones, cards), and words that may be a secret.
var personal = regexp.MustCompile(`[^\s@/<>"'` + "`" + `,;:=()\[\]{}]+@[^\s@/<>"'` + "`" + `,;:=()\[\]{}]+|(?:\+|\b)[0-9]{10,19}\b|[A-Za-z0-9_-]{20,}`)

// Mask hides personal data and secrets in a text of any kind.
func Mask(text string) string {
	if !mayBePersonal(text) {
		return text
	}
	return personal.ReplaceAllStringFunc(text, func(found string) string {
		switch {
		case strings.ContainsRune(found, '@'):
			return MaskEmail(found)
		case strings.Trim(found, "+0123456789") == "":
			return MaskPhone(found)
		case admission.IsID(found) && strings.ContainsAny(found, "0123456789"):
			return found[:8] + "…" // who looks after the site finds the row by it
		case isSecret(found):
			return found[:4] + "…"
		}
		return found
	})
}

// isSecret tells a token, or a part of one that dots have cut, from the long words of our routes and of a stack: it has
// 256 bits, or letters of both cases and digits all in one.
func isSecret(word string) bool {
	return len(word) >= 43 || strings.ContainsAny(word, "0123456789") && strings.ToLower(word) != word && strings.ToUpper(word) != word
}

// mayBePersonal spares most texts the search.
func mayBePersonal(text string) bool {
	digits, word := 0, 0
	for i := range len(text) {
		switch b := text[i]; {
		case b == '@':
			return true
		case b >= '0' && b <= '9':
			digits++
			word++
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == '-':
			digits = 0
			word++
		default:
			digits, word = 0, 0
		}
		if digits >= 10 || word >= 20 {
			return true
		}
	}
	return false
}

// secretKeys are attributes whose value never belongs in a log.
var secretKeys = map[string]bool{
	"otp": true, "phone_otp": true, "guardian_otp": true, "token": true, "secret": true, "password": true, "cookie": true,
	"authorization": true, "captcha_token": true, "access_token": true, "refresh_token": true,
}

// paymentKey is the attribute that names a payment whole: the commands of who looks after the site want it so.
const paymentKey = "txn"

// maskingHandler masks whatever is logged, and names the request that it belongs to.
type maskingHandler struct {
	next     slog.Handler
	requests zerolog.Logger
}

// NewLogHandler wraps a handler so that no record carries personal data or secrets, wherever it comes from, and each one of
// a request carries its id. The access log goes to requests, as JSON lines like those of slog: there is one a request, and
// zerolog writes it in a third of the time.
func NewLogHandler(next slog.Handler, requests io.Writer) slog.Handler {
	return maskingHandler{next, zerolog.New(requests)}
}

// requestLines is where the access log is written; a handler that NewLogHandler has not made keeps none.
func requestLines(h slog.Handler) zerolog.Logger {
	if masking, ok := h.(maskingHandler); ok {
		return masking.requests
	}
	return zerolog.Nop()
}

func (h maskingHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

func (h maskingHandler) Handle(ctx context.Context, record slog.Record) error {
	masked := slog.NewRecord(record.Time, record.Level, Mask(record.Message), record.PC)
	attrs := make([]slog.Attr, 0, 8)
	if id := RequestID(ctx); id != "" {
		attrs = append(attrs, slog.String("request", id))
	}
	record.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, maskAttr(a))
		return true
	})
	masked.AddAttrs(attrs...)
	return h.next.Handle(ctx, masked)
}

func (h maskingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	masked := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		masked[i] = maskAttr(a)
	}
	return maskingHandler{h.next.WithAttrs(masked), h.requests}
}

func (h maskingHandler) WithGroup(name string) slog.Handler {
	return maskingHandler{h.next.WithGroup(name), h.requests}
}

func maskAttr(a slog.Attr) slog.Attr {
	if secretKeys[strings.ToLower(a.Key)] {
		return slog.String(a.Key, "…")
	}
	value := a.Value.Resolve()
	switch value.Kind() {
	case slog.KindString:
		if a.Key == paymentKey && admission.IsID(value.String()) {
			return a
		}
		return slog.String(a.Key, Mask(value.String()))
	case slog.KindGroup:
		members := value.Group()
		masked := make([]slog.Attr, len(members))
		for i, member := range members {
			masked[i] = maskAttr(member)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(masked...)}
	case slog.KindAny: // errors, URLs, structs: as text, since what is inside may be personal
		return slog.String(a.Key, Mask(fmt.Sprint(value.Any())))
	}
	return slog.Attr{Key: a.Key, Value: value}
}
