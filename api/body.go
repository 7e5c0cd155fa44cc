package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/session"
)

const (
	maxBody    = 64 << 10
	maxWebhook = 256 << 10
)

// kind is what a field of a body may hold.
type kind string

const (
	text   kind = "text"
	flag   kind = "true or false"
	list   kind = "a list of texts"
	amount kind = "an amount in rupees, a number with at most two decimals"
)

// shape is what a call takes: every field with its kind. A field of an object inside is written "outer.inner".
type shape map[string]kind

// fields are the values of a body as forms take them: flags are "true" or "false", lists are joined by commas, amounts
// are digits. What was not sent is absent.
type fields map[string]string

// unreadable is a body that no field can be blamed for.
func unreadable(why string) error {
	return session.Refusal{Status: http.StatusBadRequest, Message: why}
}

// readJSON reads a small body that says it is JSON. alsoAs names further content types, as sendBeacon writes them.
func readJSON(c *echo.Context, alsoAs ...string) ([]byte, error) {
	h := c.Request().Header
	mediaType, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || mediaType != "application/json" && !slices.Contains(alsoAs, mediaType) ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") || h.Get("Content-Encoding") != "" {
		return nil, echo.ErrUnsupportedMediaType
	}
	return readBody(c, maxBody)
}

func readBody(c *echo.Context, most int64) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, most))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, echo.ErrStatusRequestEntityTooLarge
	}
	if err != nil {
		return nil, echo.ErrBadRequest // the sender broke off
	}
	return raw, nil
}

// decode reads one JSON object and nothing else. A body that two readers could read differently (a byte order mark, bad
// UTF-8, a name that stands twice, more after the end) is unreadable; a field that is unknown or of the wrong kind is
// refused by name.
func (s shape) decode(raw []byte) (fields, error) {
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) || !utf8.Valid(raw) {
		return nil, unreadable("The body must be JSON in UTF-8, without a byte order mark.")
	}
	r := reader{json.NewDecoder(bytes.NewReader(raw)), s, fields{}, &admission.Problem{Kind: admission.Invalid}}
	r.UseNumber()
	if open, err := r.Token(); err != nil || open != json.Delim('{') {
		return nil, unreadable("The body must be a JSON object.")
	}
	if err := r.object(""); err != nil {
		return nil, err
	}
	if _, err := r.Token(); err != io.EOF {
		return nil, unreadable("The body must be one JSON object and nothing after it.")
	}
	if len(r.problem.Faults) > 0 {
		r.problem.Field, r.problem.Message = r.problem.Faults[0].Field, r.problem.Faults[0].Message
		return nil, r.problem
	}
	return r.found, nil
}

type reader struct {
	*json.Decoder
	takes   shape
	found   fields
	problem *admission.Problem
}

// object reads the members of an object whose opening brace is gone.
func (r *reader) object(outer string) error {
	seen := map[string]bool{}
	for r.More() {
		token, err := r.Token()
		if err != nil {
			return unreadable("The body is not valid JSON.")
		}
		name := outer + token.(string) // a key: Token has checked it
		if seen[name] {
			return unreadable("A name stands twice in the body.")
		}
		seen[name] = true
		if r.holdsObject(name) {
			if err := r.inner(name); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := r.Decode(&value); err != nil {
			return unreadable("The body is not valid JSON.")
		}
		r.field(name, value)
	}
	if _, err := r.Token(); err != nil {
		return unreadable("The body is not valid JSON.")
	}
	return nil
}

func (r *reader) holdsObject(name string) bool {
	for known := range r.takes {
		if strings.HasPrefix(known, name+".") {
			return true
		}
	}
	return false
}

func (r *reader) inner(name string) error {
	open, err := r.Token()
	if err != nil {
		return unreadable("The body is not valid JSON.")
	}
	if open != json.Delim('{') {
		return unreadable("An object is expected for " + name + ".")
	}
	return r.object(name + ".")
}

func (r *reader) field(name string, raw json.RawMessage) {
	kind, known := r.takes[name]
	if !known {
		r.refuse(name, "This field is unknown.")
		return
	}
	value, ok := kind.read(raw)
	if !ok {
		r.refuse(name, "This must be "+string(kind)+".")
		return
	}
	if strings.ContainsRune(value, 0) { // no text holds it, and PostgreSQL refuses it
		r.refuse(name, "This holds a character that cannot be kept.")
		return
	}
	r.found[name] = value
}

func (r *reader) refuse(name, message string) {
	r.problem.Faults = append(r.problem.Faults, fault(name[strings.LastIndexByte(name, '.')+1:], message))
}

func (k kind) read(raw json.RawMessage) (value string, ok bool) {
	if string(raw) == "null" {
		return "", false
	}
	switch k {
	case text:
		return value, json.Unmarshal(raw, &value) == nil
	case flag:
		return string(raw), string(raw) == "true" || string(raw) == "false"
	case amount:
		_, err := admission.ParseRupees(string(raw))
		return string(raw), err == nil
	}
	var values []*string // list; a null in it would read as ""
	if json.Unmarshal(raw, &values) != nil {
		return "", false
	}
	words := make([]string, len(values))
	for i, v := range values {
		if v == nil || strings.Contains(*v, ",") {
			return "", false
		}
		words[i] = *v
	}
	return strings.Join(words, ","), true
}
