package simulators

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// KeysStripe are the credentials of an account at Stripe.
type KeysStripe struct {
	PublishableKey, SecretKey, WebhookSecret string
	Clock                                    func() time.Time // nil is time.Now
}

// Stripe simulates Stripe as documented at https://docs.stripe.com/api, and its script in the browser.
type Stripe struct {
	keys   KeysStripe
	routes *http.ServeMux

	account
	slow     bool // refunds stay pending until FinishRefund
	last     int
	intents  []*stripeIntent
	charges  []*stripeCharge
	refunds  []*stripeRefund
	disputes []*stripeDispute
	balance  []*stripeBalance
	replays  map[string]stripeAnswer // by idempotency key
}

// stripeAnswer is the stored response to the first call with a key.
type stripeAnswer struct {
	call   string // method, path and parameters
	status int
	body   any
}

// NewStripe creates an account.
func NewStripe(with KeysStripe) *Stripe {
	if with.Clock == nil {
		with.Clock = time.Now
	}
	s := &Stripe{keys: with, routes: http.NewServeMux(), replays: map[string]stripeAnswer{}}
	for route, c := range map[string]stripeCall{
		"POST /v1/payment_intents": {s.createIntent, "amount currency description metadata automatic_payment_methods receipt_email capture_method"},
		"GET /v1/payment_intents":  {s.listIntents, stripeLists},
		"GET /v1/payment_intents/{id}": {s.onIntent(func(p *stripeIntent, asked *stripeRequest) (any, error) {
			return p.json(asked.expands("latest_charge")), nil
		}), "expand client_secret"},
		"POST /v1/payment_intents/{id}/cancel":  {s.onIntent(s.cancelIntent), "cancellation_reason"},
		"POST /v1/payment_intents/{id}/capture": {s.onIntent(s.captureIntent), "amount_to_capture"},
		"POST /v1/payment_intents/{id}/confirm": {s.onIntent(s.confirmIntent), "client_secret payment_method_data return_url"},
		"POST /v1/payment_intents/{id}/proof":   {s.onIntent(s.confirmProof), "client_secret good"}, // called by our stripe.js
		"GET /v1/charges/{id}":                  {s.chargeOf, "expand"},
		"POST /v1/refunds":                      {s.createRefund, "charge payment_intent amount metadata reason"},
		"GET /v1/refunds":                       {s.listRefunds, stripeLists + " charge payment_intent"},
		"GET /v1/refunds/{id}":                  {s.refundOf, "expand"},
		"GET /v1/disputes":                      {s.listDisputes, stripeLists + " charge payment_intent"},
		"GET /v1/balance_transactions":          {s.listBalance, stripeLists},
	} {
		s.routes.HandleFunc(route, s.handler(c))
	}
	return s
}

const stripeLists = "limit starting_after created expand"

// stripeCall is a call with the names of its parameters.
type stripeCall struct {
	answer func(*stripeRequest) (any, error)
	takes  string
}

// stripeRequest is a received call.
type stripeRequest struct {
	*http.Request
	form url.Values
}

// expands reports whether an object is to be expanded: expand[]=…, or expand[0]=….
func (a *stripeRequest) expands(what string) bool {
	for name, values := range a.form {
		if strings.HasPrefix(name, "expand[") && slices.Contains(values, what) {
			return true
		}
	}
	return false
}

// stripeRefusal is an error of Stripe.
type stripeRefusal struct {
	status           int
	kind, code, text string
	intent           map[string]any // or nil
}

func (r stripeRefusal) Error() string { return r.text }

func (r stripeRefusal) body() any {
	told := map[string]any{"type": r.kind, "code": r.code, "message": r.text}
	if r.intent != nil {
		told["payment_intent"] = r.intent
	}
	return map[string]any{"error": told}
}

func stripeBad(code, text string) error {
	return stripeRefusal{status: http.StatusBadRequest, kind: "invalid_request_error", code: code, text: text}
}

func stripeMissing(what, id string) error {
	return stripeRefusal{status: http.StatusNotFound, kind: "invalid_request_error", code: "resource_missing", text: "No such " + what + ": '" + id + "'"}
}

func writeStripe(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// refuseStripe writes Stripe's response to a call that matches no object.
func refuseStripe(w http.ResponseWriter, status int) {
	refusal := stripeRefusal{status: status, kind: "invalid_request_error", text: "Invalid API Key provided"}
	switch status {
	case http.StatusInternalServerError:
		refusal.kind, refusal.text = "api_error", "An unknown error occurred"
	case http.StatusTooManyRequests:
		refusal.code, refusal.text = "rate_limit", "Request rate limit exceeded"
	}
	writeStripe(w, status, refusal.body())
}

// stripeWriter records the status.
type stripeWriter struct {
	http.ResponseWriter
	status int
}

func (w *stripeWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// ServeHTTP serves the API and the payer's browser. A failure after the effect is stored under the call's key, so that
// repetitions fail too.
func (s *Stripe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.serveBrowser(w, r) {
		return
	}
	told := &stripeWriter{ResponseWriter: w}
	s.answer(told, r, http.HandlerFunc(s.serve), refuseStripe)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if kept, there := s.replays[key]; there && told.status == http.StatusInternalServerError {
		kept.status, kept.body = told.status, stripeRefusal{kind: "api_error", text: "An unknown error occurred"}.body()
		s.replays[key] = kept
	}
}

func (s *Stripe) serve(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if key == s.keys.SecretKey || key == s.keys.PublishableKey && stripeBrowsers.MatchString(r.URL.Path) {
		s.routes.ServeHTTP(w, r)
		return
	}
	refuseStripe(w, http.StatusUnauthorized)
}

// handler runs a call once for an idempotency key, under the lock.
func (s *Stripe) handler(c stripeCall) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked, err := parseStripeRequest(r, strings.Fields(c.takes))
		s.mutex.Lock()
		defer s.mutex.Unlock()
		key, call := r.Header.Get("Idempotency-Key"), ""
		if err == nil && r.Method == http.MethodPost && key != "" {
			call = r.Method + r.URL.Path + "?" + asked.form.Encode()
			if kept, again := s.replays[key]; again && kept.call != call {
				err = stripeRefusal{status: http.StatusBadRequest, kind: "idempotency_error", text: "Keys for idempotent requests can only be used with the same parameters they were first used with."}
			} else if again {
				w.Header().Set("Idempotent-Replayed", "true")
				writeStripe(w, kept.status, kept.body)
				return
			}
		}
		var body any
		if err == nil {
			body, err = c.answer(asked)
		}
		status := http.StatusOK
		if refused := (stripeRefusal{}); errors.As(err, &refused) {
			status, body = refused.status, refused.body()
		}
		if call != "" && (err == nil || status == http.StatusPaymentRequired) { // a call with invalid parameters is not stored
			s.replays[key] = stripeAnswer{call, status, body}
		}
		writeStripe(w, status, body)
	}
}

// parseStripeRequest parses a call's parameters and rejects unknown ones.
func parseStripeRequest(r *http.Request, takes []string) (*stripeRequest, error) {
	text := r.URL.RawQuery
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(r.Header.Get("Idempotency-Key")) > 255 {
			return nil, stripeBad("", "bad body or key")
		}
		text = string(body)
	}
	form, err := url.ParseQuery(text)
	if err != nil {
		return nil, stripeBad("", "bad parameters")
	}
	for name := range form {
		if first, _, _ := strings.Cut(name, "["); !slices.Contains(takes, first) {
			return nil, stripeBad("parameter_unknown", "Received unknown parameter: "+name)
		}
	}
	return &stripeRequest{r, form}, nil
}

// metadata parses and checks metadata.
func (a *stripeRequest) metadata() (map[string]string, error) {
	kept := map[string]string{}
	for name := range a.form {
		key, found := strings.CutPrefix(name, "metadata[")
		if !found {
			continue
		}
		key = strings.TrimSuffix(key, "]")
		if kept[key] = a.form.Get(name); len(key) > 40 || len(kept[key]) > 500 {
			return nil, stripeBad("", "Metadata keys can have up to 40 characters, values up to 500.")
		}
	}
	return kept, nil
}

// number parses a sum in minor units, digits only.
func (a *stripeRequest) number(name string) (int64, error) {
	n, err := strconv.ParseInt(a.form.Get(name), 10, 64)
	if err != nil {
		return 0, stripeBad("parameter_invalid_integer", "Invalid integer: "+a.form.Get(name))
	}
	return n, nil
}

// next returns a new id.
func (s *Stripe) next(kind string) string {
	s.last++
	return fmt.Sprintf("%s_3Sim%020d", kind, s.last)
}

// stripePage returns a page of a list, newest first: at most two rows on the first page, so that clients must read on, and 20 on
// the others, which limits the pages of a storm.
func stripePage[T any](a *stripeRequest, all []T, id func(T) string, created func(T) time.Time, json func(T) any) (any, error) {
	if limit, err := strconv.Atoi(a.form.Get("limit")); a.form.Get("limit") != "" && (err != nil || limit < 1 || limit > 100) {
		return nil, stripeBad("parameter_invalid_integer", "limit must be between 1 and 100")
	}
	bound := func(name string, unbound int64) int64 {
		if at, err := strconv.ParseInt(a.form.Get("created["+name+"]"), 10, 64); err == nil {
			return at
		}
		return unbound
	}
	from, to, below := bound("gte", 0), bound("lte", 1<<60), bound("lt", 1<<60)
	data, more, after := []any{}, false, a.form.Get("starting_after")
	most := 2
	if after != "" {
		most = 20
	}
	for _, item := range slices.Backward(all) {
		if after != "" {
			if id(item) == after {
				after = ""
			}
			continue
		}
		if at := created(item).Unix(); at < from || at > to || at >= below {
			continue
		}
		if len(data) == most {
			more = true
			break
		}
		data = append(data, json(item))
	}
	if after != "" {
		return nil, stripeMissing("object", after)
	}
	return map[string]any{"object": "list", "data": data, "has_more": more, "url": a.URL.Path}, nil
}
