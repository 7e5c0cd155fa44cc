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
	maxFaults = 20  // limits the faults in an answer
	maxName   = 100 // bytes of an unknown name that an answer repeats
)

// kind is the type of a field.
type kind string

const (
	text   kind = "text"
	flag   kind = "true or false"
	list   kind = "a list of texts"
	amount kind = "an amount in rupees, a number with at most two decimals"
	whole  kind = "a whole number"
)

// shape lists the fields of a call with their kinds. A field of an inner object is named "outer.inner".
type shape map[string]kind

var formKinds = map[forms.Kind]kind{forms.Text: text, forms.Flag: flag, forms.List: list}

// formBody returns the shape of a call that sends a form: the form's fields and own.
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

// fields are the values of a body as forms take them: flags are "true" or "false", lists are joined by commas, amounts are
// digits. Missing fields are absent.
type fields map[string]string

// unreadable returns a refusal without a field.
func unreadable(why string) error {
	return web.Refusal{Status: http.StatusBadRequest, Message: why}
}

// readJSON reads a small JSON body. alsoAs lists other accepted content types, which sendBeacon sends.
func readJSON(c *echo.Context, alsoAs ...string) ([]byte, error) {
	h := c.Request().Header
	mediaType, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || mediaType != "application/json" && !slices.Contains(alsoAs, mediaType) ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") || h.Get("Content-Encoding") != "" {
		return nil, echo.ErrUnsupportedMediaType
	}
	return readBody(c)
}

// readBody reads a body; the route's policy limits it.
func readBody(c *echo.Context) ([]byte, error) {
	raw, err := io.ReadAll(c.Request().Body)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, echo.ErrStatusRequestEntityTooLarge
	}
	if err != nil {
		return nil, echo.ErrBadRequest // connection lost
	}
	return raw, nil
}

// decode parses one JSON object and nothing else. It rejects bodies that parsers could read differently (a byte order mark,
// invalid UTF-8, a repeated name, trailing data), and names fields that are unknown or of the wrong kind. It reads tokens
// because json.Unmarshal takes the last of two equal names, reports one unknown field only, fails on deep nesting, and needs
// a struct where a shape comes from a form's data.
func (s shape) decode(raw []byte) (fields, error) {
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) || !utf8.Valid(raw) {
		return nil, unreadable("The body must be JSON in UTF-8, without a byte order mark.")
	}
	r := reader{json.NewDecoder(bytes.NewReader(raw)), s, fields{}, nil}
	r.UseNumber()
	if open, err := r.Token(); err != nil || open != json.Delim('{') {
		return nil, unreadable("The body must be a JSON object.")
	}
	switch err := r.object(""); {
	case errors.Is(err, errTooManyFaults): // the rest is not read
	case err != nil:
		return nil, err
	default:
		if _, err := r.Token(); err != io.EOF {
			return nil, unreadable("The body must be one JSON object and nothing after it.")
		}
	}
	if problem := admission.FormProblem(r.faults); problem != nil {
		return nil, problem
	}
	return r.found, nil
}

type reader struct {
	*json.Decoder
	takes  shape
	found  fields
	faults []forms.Fault
}

// errTooManyFaults stops the parsing after maxFaults faults.
var errTooManyFaults = errors.New("too many faults")

// object parses the members of an object after its opening brace. Names with a dot are unknown, because a shape uses the dot
// for inner objects.
func (r *reader) object(outer string) error {
	seen := map[string]bool{}
	for r.More() {
		token, err := r.Token()
		if err != nil {
			return unreadable("The body is not valid JSON.")
		}
		own := token.(string) // Token has checked that it is a key
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
		if len(r.faults) == maxFaults {
			return errTooManyFaults
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

// field parses a value. name is its field in the shape, "" for none; own is its name in the body.
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
	case strings.ContainsRune(value, 0): // PostgreSQL rejects it
		r.refuse(own, "This holds a character that cannot be kept.")
	default:
		r.found[name] = value
	}
	return nil
}

func (r *reader) refuse(name, message string) {
	r.faults = append(r.faults, fault(clip(name), message))
}

// clip shortens an unknown field's name for an answer.
func clip(name string) string {
	if len(name) > maxName {
		name = name[:maxName] + "…"
	}
	return strings.ToValidUTF8(name, "")
}

// value parses the next value and returns its kind; "" is a kind that no field has.
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

// values parses the list or object after its opening token. Only a list of texts without commas has a kind.
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
		default: // null would become ""
			is = ""
		}
	}
	return strings.Join(words, ","), is, nil
}
