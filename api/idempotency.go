package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/web"
)

const jsonType = "application/json; charset=utf-8"

// encoded is an answer to send.
type encoded struct {
	status  int
	body    []byte
	refusal web.Refusal // for its headers
	keep    []byte      // stored instead of the body; nil for the body
}

// encode encodes a handler's answer or error. If both are given, the answer's fields are added to the refusal.
func (a *api) encode(c *echo.Context) func(answer, error) encoded {
	return func(out answer, err error) encoded {
		if out == nil {
			out = &done{}
		}
		var refusal web.Refusal
		head := out.head()
		head.Success, head.IsOk, head.Code = true, true, http.StatusOK
		if err != nil {
			refusal = a.Sessions.RefusalOf(c, err)
			*head = refusal.Result()
		}
		body, err := json.Marshal(out)
		if err != nil {
			return a.encode(c)(nil, err)
		}
		return encoded{status: head.Code, body: append(body, '\n'), refusal: refusal}
	}
}

func (a *api) write(c *echo.Context, e encoded) error {
	e.refusal.SetHeaders(c.Response().Header())
	c.Response().Header().Set("Content-Length", strconv.Itoa(len(e.body))) // net/http counts short bodies only
	return c.Blob(e.status, jsonType, e.body)
}

// idempotent runs work once per Idempotency-Key: a repeated body gets the same answer for 24 hours, another body 422, and a
// concurrent one 409. A refusal changed nothing and is not stored, so that a retry runs work again.
func (a *api) idempotent(c *echo.Context, raw []byte, work func() encoded) error {
	sum := sha256.Sum256(raw)
	return a.once(c, hex.EncodeToString(sum[:]), work, func(kept []byte) ([]byte, error) { return kept, nil })
}

// once is idempotent for a body whose bodyHash is known before work runs. again returns the answer from what was stored.
func (a *api) once(c *echo.Context, bodyHash string, work func() encoded, again func(kept []byte) ([]byte, error)) error {
	key := c.Request().Header.Get("Idempotency-Key")
	if key == "" {
		return a.write(c, work())
	}
	if !printable(key) {
		return &admission.Problem{Kind: admission.Invalid, Message: "Idempotency-Key must be 1 to 255 visible characters."}
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return err
	}
	ctx, scope := c.Request().Context(), scoped(c, v, key)
	if err := a.Access.AllowKey(ctx, v); err != nil {
		return err
	}
	now := a.Clock()
	prior, state, err := a.Keys.ClaimKey(ctx, scope, bodyHash, now, a.Sessions.AnswersWithin(c))
	if err != nil {
		return err
	}
	switch state {
	case KeyDone:
		body, err := again(prior.Body)
		if err != nil {
			return err
		}
		return a.write(c, encoded{status: prior.Status, body: body})
	case KeyRunning:
		return admission.BusyProblem(prior.Held)
	case KeyMismatch:
		return otherRequest()
	}
	ctx = context.WithoutCancel(ctx) // the answer must be stored even if the client has gone
	finished := false
	defer func() {
		if !finished {
			if err := a.Keys.AbandonKey(ctx, scope, now); err != nil {
				a.Log.WarnContext(ctx, "idempotency key was not freed", "error", err)
			}
		}
	}()
	answer := work()
	if answer.status < http.StatusMultipleChoices {
		finished = a.remember(c, v, scope, key, bodyHash, now, answer)
	}
	return a.write(c, answer)
}

func otherRequest() error {
	return &admission.Problem{Kind: admission.Invalid, Message: "This Idempotency-Key was used for another request."}
}

// remember stores an answer under the claimed scope. If the work opened a session, the browser's scope changed from its
// address to that session; the answer is stored under both, because a retry comes with the cookie or, if the answer was
// lost, without.
func (a *api) remember(c *echo.Context, claimant admission.Visitor, claimed, key, bodyHash string, at time.Time, answer encoded) (kept bool) {
	ctx := context.WithoutCancel(c.Request().Context())
	body := answer.keep
	if body == nil {
		body = answer.body
	}
	err := a.Keys.FinishKey(ctx, claimed, at, answer.status, jsonType, body)
	kept = err == nil
	v, visitorErr := a.Sessions.Visitor(c)
	if err = errors.Join(err, visitorErr, a.Access.CountKey(ctx, claimant)); err == nil {
		if own := scoped(c, v, key); own != claimed {
			if _, _, err = a.Keys.ClaimKey(ctx, own, bodyHash, at, a.Sessions.AnswersWithin(c)); err == nil {
				err = errors.Join(a.Keys.FinishKey(ctx, own, at, answer.status, jsonType, body), a.Access.CountKey(ctx, v))
			}
		}
	}
	if err != nil {
		a.Log.ErrorContext(ctx, "idempotency key was not kept", "error", err)
	}
	return kept
}

// scoped makes a key unique to a caller and a call. The caller is identified by all credentials, without any by the address.
// An access token counts as its session, whose next token belongs to the same client.
func scoped(c *echo.Context, v admission.Visitor, key string) string {
	who := "session " + v.SessionID + " of " + v.AccountID
	if v.SessionID == "" {
		who = "address " + v.IP
	}
	h := c.Request().Header
	other := h.Get("Authorization")
	if _, has := web.Bearer(c.Request()); has { // validated by Visitor
		who, other = "client "+v.SessionID, ""
	}
	return admission.HashToken(strings.Join([]string{who, h.Get(secretHeader), other, c.Path(), key}, "\x00"))
}

func printable(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return len(key) <= 255
}
