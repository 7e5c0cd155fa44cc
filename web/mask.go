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

// MaskPhone keeps the first and last two digits of a national number: "+919876543210" becomes "98******10".
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

// MaskEmail keeps the first letter and the host: "asha@example.com" becomes "a***@example.com".
func MaskEmail(email string) string {
	at := strings.LastIndexByte(email, '@')
	if at <= 0 {
		return "***"
	}
	first := []rune(email[:at])[:1]
	return string(first) + "***" + email[at:]
}

// MaskAddress truncates an IPv4 address to its /24; an IPv6 address arrives as a /64 and is returned unchanged.
func MaskAddress(address string) string {
	last := strings.LastIndexByte(address, '.')
	if last < 0 {
		return address
	}
	return address[:last] + ".x"
}

// MaskPath returns a path without its query and without mail-link tokens, for logs.
func MaskPath(path string) string {
	path, _, _ = strings.Cut(path, "?")
	for _, secret := range []string{ReceiptPath(""), InvoicePath(""), ConfirmPath(""), TicketPath(""), StaffWelcomePath("")} {
		if strings.HasPrefix(path, secret) {
			return secret + "…"
		}
	}
	if begin, _, viewed := strings.Cut(path, staffViewPages); viewed { // an applicant's page, with keys of its own
		return Mask(begin) + staffViewPages + "…"
	}
	return Mask(path)
}

// staffViewPages is in the address of an applicant's page that staff view.
const staffViewPages = "/page/"

// personal matches e-mail addresses, runs of ten to nineteen digits (phones, cards), and words long enough to be secrets.
var personal = regexp.MustCompile(`[^\s@/<>"'` + "`" + `,;:=()\[\]{}]+@[^\s@/<>"'` + "`" + `,;:=()\[\]{}]+|(?:\+|\b)[0-9]{10,19}\b|[A-Za-z0-9_-]{20,}`)

// Mask hides personal data and secrets in any text.
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
			return found[:8] + "…" // enough for an operator to find the row
		case isSecret(found):
			return found[:4] + "…"
		}
		return found
	})
}

// isSecret distinguishes a token, or a part of a dotted one, from long words of routes and stack traces: it has 256 bits, or
// mixes upper case, lower case and digits.
func isSecret(word string) bool {
	return len(word) >= 43 || strings.ContainsAny(word, "0123456789") && strings.ToLower(word) != word && strings.ToUpper(word) != word
}

// mayBePersonal skips the regular expression for most texts.
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

// secretKeys are log attributes whose values are never logged.
var secretKeys = map[string]bool{
	"otp": true, "phone_otp": true, "guardian_otp": true, "token": true, "secret": true, "password": true, "cookie": true,
	"authorization": true, "captcha_token": true, "access_token": true, "refresh_token": true,
}

// paymentKey is the attribute with an unmasked payment id: operators pass it to commands.
const paymentKey = "txn"

// maskingHandler masks log records and adds the request id.
type maskingHandler struct {
	next     slog.Handler
	requests zerolog.Logger
}

// NewLogHandler returns a handler that masks personal data and secrets in every record and adds the request id. The access
// log goes to requests as JSON lines, written by zerolog: one line a request, in a third of slog's time.
func NewLogHandler(next slog.Handler, requests io.Writer) slog.Handler {
	return maskingHandler{next, zerolog.New(requests)}
}

// requestLines returns the access log's writer; a no-op for handlers not made by NewLogHandler.
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
	case slog.KindAny: // errors, URLs, structs: formatted first, since their contents may be personal
		return slog.String(a.Key, Mask(fmt.Sprint(value.Any())))
	}
	return slog.Attr{Key: a.Key, Value: value}
}
