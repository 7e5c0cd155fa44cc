package web

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
)

// Result is the envelope of every JSON API response. Responses embed it.
type Result struct {
	Success   bool              `json:"success"`
	IsOk      bool              `json:"isOk"`
	Code      int               `json:"code"` // equals the HTTP status
	Message   string            `json:"message"`
	Errors    map[string]string `json:"errors,omitempty"`    // wire field → message
	Reference string            `json:"reference,omitempty"` // request id to quote for an internal error
	Challenge any               `json:"challenge,omitempty"` // proof of work with which the call is accepted at once
}

// Refusal is an error response that a visitor may read.
type Refusal struct {
	Status     int
	Message    string
	Errors     map[string]string
	RetryAfter time.Duration
	Reference  string
	Challenge  any
}

func (r Refusal) Error() string { return strconv.Itoa(r.Status) + ": " + r.Message }

// Result returns the refusal's JSON body.
func (r Refusal) Result() Result {
	return Result{Code: r.Status, Message: r.Message, Errors: r.Errors, Reference: r.Reference, Challenge: r.Challenge}
}

// SetHeaders sets WWW-Authenticate and Retry-After where they apply.
func (r Refusal) SetHeaders(h http.Header) {
	if r.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer") // required by RFC 9110 §15.5.2
	}
	if r.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int((r.RetryAfter+time.Second-1)/time.Second)))
	}
}

// statuses maps kinds of Problem to HTTP statuses, for pages and API.
var statuses = map[admission.Kind]int{
	admission.Invalid:         http.StatusUnprocessableEntity,
	admission.NotFound:        http.StatusNotFound,
	admission.Conflict:        http.StatusConflict,
	admission.TooMany:         http.StatusTooManyRequests,
	admission.AlreadyVerified: http.StatusPaymentRequired, // spec §8: 402 marks the phone as verified
	admission.Unavailable:     http.StatusServiceUnavailable,
	admission.SignedOut:       http.StatusUnauthorized,
}

// StatusOf returns the HTTP status of a Problem.
func StatusOf(problem *admission.Problem) int { return statuses[problem.Kind] }

// RefusalOf converts an error to a Refusal. It logs internal errors, under the request's id.
func (m *Manager) RefusalOf(c *echo.Context, err error) Refusal {
	if problem := admission.AsProblem(err); problem != nil {
		refusal := Refusal{Status: StatusOf(problem), Message: problem.Message, Errors: problem.Errors(), RetryAfter: problem.RetryAfter, Challenge: problem.Challenge}
		if len(refusal.Errors) == 0 {
			refusal.Errors = nil
		}
		return refusal
	}
	if refusal, ok := errors.AsType[Refusal](err); ok {
		return refusal
	}
	if message, known := plainRefusals[echo.StatusCode(err)]; known {
		return Refusal{Status: echo.StatusCode(err), Message: message}
	}
	ctx := c.Request().Context()
	id := RequestID(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return Refusal{Status: http.StatusServiceUnavailable, Message: "The request was broken off."} // the client has gone
	}
	m.Log.ErrorContext(ctx, "request failed", "method", c.Request().Method, "route", c.Path(), "error", err)
	m.Watch.Broke(ctx, err, id)
	if isDown(err) {
		return Refusal{Status: http.StatusServiceUnavailable, RetryAfter: 5 * time.Second, Reference: id, Message: "We cannot save anything at the moment. Please try again in a few seconds."}
	}
	return Refusal{Status: http.StatusInternalServerError, Reference: id, Message: "Something went wrong on our side. Please try again. If it happens again, quote " + id + "."}
}

// plainRefusals are the messages for errors of the router and the body readers.
var plainRefusals = map[int]string{
	http.StatusBadRequest:                  "This request cannot be read.",
	http.StatusNotFound:                    "Not found.",
	http.StatusMethodNotAllowed:            "This address does not take that method.",
	http.StatusRequestEntityTooLarge:       "This request is too large.",
	http.StatusUnsupportedMediaType:        "This kind of content is not taken here.",
	http.StatusRequestHeaderFieldsTooLarge: "This request is too large.",
}

// isDown reports whether the database is unreachable.
func isDown(err error) bool {
	var network net.Error // as is context.DeadlineExceeded
	return errors.Is(err, admission.ErrUnavailable) || errors.As(err, &network)
}

// Refuse writes a refusal: as JSON to scripts, API routes and API clients with a token, else as a page.
func (m *Manager) Refuse(c *echo.Context, r Refusal) error {
	r.SetHeaders(c.Response().Header())
	policy := m.policyOf(c)
	_, byClient := Bearer(c.Request())
	if wantsJSON(c.Request()) || policy.Class == ClassAPI || byClient && policy.byToken() {
		return writeJSON(c, r.Status, r.Result())
	}
	return m.RefusalPage(c, r)
}

// refuseError is Echo's error handler.
func (m *Manager) refuseError(c *echo.Context, err error) {
	if response, _ := echo.UnwrapResponse(c.Response()); response != nil && response.Committed {
		m.Log.WarnContext(c.Request().Context(), "response aborted", "route", c.Path(), "error", err)
		return
	}
	if elsewhere, ok := errors.AsType[Redirect](err); ok {
		err = c.Redirect(elsewhere.redirect(c.Request()))
	} else {
		err = m.Refuse(c, m.RefusalOf(c, err))
	}
	if err != nil {
		m.Log.WarnContext(c.Request().Context(), "sending a refusal failed", "route", c.Path(), "error", err)
		if response, _ := echo.UnwrapResponse(c.Response()); response != nil && !response.Committed {
			response.WriteHeader(http.StatusInternalServerError) // net/http would send 200
		}
	}
}

// apiPrefixes are the path prefixes reserved for the JSON API.
var apiPrefixes = []string{"/scholarship/v1", "/ks-website", "/payments", "/v2scholarship", "/v1", "/user", "/login", "/human", "/api"}

// APIPrefixes returns the path prefixes of the JSON API.
func APIPrefixes() []string { return append([]string{}, apiPrefixes...) }

// IsAPI reports whether a path belongs to the JSON API.
func IsAPI(path string) bool {
	for _, prefix := range apiPrefixes {
		if rest, found := strings.CutPrefix(path, prefix); found && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

func wantsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return IsAPI(r.URL.Path) || strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}

// writeJSON sends a JSON API response.
func writeJSON(c *echo.Context, status int, answer any) error {
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return c.Blob(status, "application/json; charset=utf-8", append(body, '\n'))
}
