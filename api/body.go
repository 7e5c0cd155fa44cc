package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/forms"
	"hiresure/web"
)

const (
	maxFaults = 20  // an answer names no more: nobody mends them at once
	maxName   = 100 // bytes of an unknown field's name that an answer repeats
)

// kind is what a field of a body may hold.
type kind string

const (
	text   kind = "text"
	flag   kind = "true or false"
	list   kind = "a list of texts"
	amount kind = "an amount in rupees, a number with at most two decimals"
	whole  kind = "a whole number"
)

// shape is what a call takes: every field with its kind. A field of an object inside is written "outer.inner".
type shape map[string]kind

var formKinds = map[forms.Kind]kind{forms.Text: text, forms.Flag: flag, forms.List: list}

// formBody is what a call takes that sends a form: the form's fields, and those that are the call's own.
func formBody(form *forms.Form, own shape) (shape, error) {
	takes := maps.Clone(own)
	for name, kind := range form.Shape() {
		if _, taken := own[name]; taken {
			return nil, fmt.Errorf("the form %s has a field %s, which its call has too", form.Name, name)
		}
		takes[name] = formKinds[kind]
	}
	return takes, nil
}

// fields are the values of a body as forms take them: flags are "true" or "false", lists are joined by commas, amounts
// are digits. What was not sent is absent.
type fields map[string]string

// unreadable is a body that no field can be blamed for.
func unreadable(why string) error {
	return web.Refusal{Status: http.StatusBadRequest, Message: why}
}

// readJSON reads a small body that says it is JSON. alsoAs names further content types, as sendBeacon writes them.
func readJSON(c *echo.Context, alsoAs ...string) ([]byte, error) {
	h := c.Request().Header
	mediaType, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || mediaType != "application/json" && !slices.Contains(alsoAs, mediaType) ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") || h.Get("Content-Encoding") != "" {
		return nil, echo.ErrUnsupportedMediaType
	}
	return readBody(c)
}

// readBody reads a body whole; the route's policy bounds it.
func readBody(c *echo.Context) ([]byte, error) {
	raw, err := io.ReadAll(c.Request().Body)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, echo.ErrStatusRequestEntityTooLarge
	}
	if err != nil {
		return nil, echo.ErrBadRequest // the sender broke off
	}
	return raw, nil
}

// decode reads one JSON object and nothing else. A body that two readers could read differently (a byte order mark, bad
// UTF-8, a repeated name, more after the end) is unreadable; a field that is unknown or of the wrong kind is refused by
// name. It reads tokens because json.Unmarshal takes the last of two equal names, reports one unknown field only, fails on
// deep nesting, and needs a struct where a shape comes from a form's data.
func (s shape) decode(raw []byte) (fields, error) {
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) || !utf8.Valid(raw) {
		return nil, unreadable("The body must be JSON in UTF-8, without a byte order mark.")
	}
	r := reader{json.NewDecoder(bytes.NewReader(raw)), s, fields{}, &admission.Problem{Kind: admission.Invalid}}
	r.UseNumber()
	if open, err := r.Token(); err != nil || open != json.Delim('{') {
		return nil, unreadable("The body must be a JSON object.")
	}
	switch err := r.object(""); {
	case errors.Is(err, errTooWrong): // what is left is not read
	case err != nil:
		return nil, err
	default:
		if _, err := r.Token(); err != io.EOF {
			return nil, unreadable("The body must be one JSON object and nothing after it.")
		}
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

// errTooWrong ends the reading of a body that has maxFaults faults.
var errTooWrong = errors.New("too many faults")

// object reads the members of an object whose opening brace is gone. A name with a dot is no field's: in a shape the dot
// stands between an object and what it holds.
func (r *reader) object(outer string) error {
	seen := map[string]bool{}
	for r.More() {
		token, err := r.Token()
		if err != nil {
			return unreadable("The body is not valid JSON.")
		}
		own := token.(string) // a key: Token has checked it
		name := outer + own
		if seen[own] {
			return unreadable("A name stands twice in the body.")
		}
		seen[own] = true
		if strings.Contains(own, ".") {
			name = ""
		}
		if r.holdsObject(name) {
			if err := r.inner(name); err != nil {
				return err
			}
			continue
		}
		if err := r.field(name, own); err != nil {
			return unreadable("The body is not valid JSON.")
		}
		if len(r.problem.Faults) == maxFaults {
			return errTooWrong
		}
	}
	if _, err := r.Token(); err != nil {
		return unreadable("The body is not valid JSON.")
	}
	return nil
}

func (r *reader) holdsObject(name string) bool {
	if name == "" {
		return false
	}
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

// field reads a value, for the field of that name in the shape, "" for none; own is what the body calls it.
func (r *reader) field(name, own string) error {
	kind, known := r.takes[name]
	value, is, err := r.value()
	switch {
	case err != nil:
		return err
	case !known:
		r.refuse(own, "This field is unknown.")
	case is != kind && (kind != whole || is != amount || strings.Contains(value, ".")):
		r.refuse(own, "This must be "+string(kind)+".")
	case strings.ContainsRune(value, 0): // no text holds it, and PostgreSQL refuses it
		r.refuse(own, "This holds a character that cannot be kept.")
	default:
		r.found[name] = value
	}
	return nil
}

func (r *reader) refuse(name, message string) {
	r.problem.Faults = append(r.problem.Faults, fault(cut(name), message))
}

// cut is an unknown field's name as far as an answer repeats it.
func cut(name string) string {
	if len(name) > maxName {
		name = name[:maxName] + "…"
	}
	return strings.ToValidUTF8(name, "")
}

// value reads the next value, and says which kind it is; "" is one that no field may hold.
func (r *reader) value() (value string, is kind, err error) {
	token, err := r.Token()
	if err != nil {
		return "", "", err
	}
	switch token := token.(type) {
	case string:
		return token, text, nil
	case bool:
		return strconv.FormatBool(token), flag, nil
	case json.Number:
		if _, err := admission.ParseRupees(token.String()); err == nil {
			return token.String(), amount, nil
		}
	case json.Delim:
		return r.values(token)
	}
	return "", "", nil
}

// values reads the list or object that opened has begun, to its end. Only a list of texts without commas is of a kind.
func (r *reader) values(opened json.Delim) (joined string, is kind, err error) {
	var words []string
	if opened == '[' {
		is = list
	}
	for depth := 1; depth > 0; {
		token, err := r.Token()
		if err != nil {
			return "", "", err
		}
		switch token := token.(type) {
		case string:
			words = append(words, token)
			if strings.Contains(token, ",") {
				is = ""
			}
		case json.Delim:
			if token == ']' || token == '}' {
				depth--
				continue
			}
			depth++
			is = ""
		default: // a null would read as ""
			is = ""
		}
	}
	return strings.Join(words, ","), is, nil
}
