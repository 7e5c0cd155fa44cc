package simulators

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// KeysRazorpay are the credentials of an account at Razorpay.
type KeysRazorpay struct {
	KeyID, KeySecret, WebhookSecret string
	Clock                           func() time.Time // nil is time.Now
}

// Razorpay simulates Razorpay as documented at https://razorpay.com/docs/api, with its checkout for browsers. Sums are in paise.
// Payments are captured automatically, except those by Authorise.
type Razorpay struct {
	keys   KeysRazorpay
	routes *http.ServeMux

	account
	slow     bool // refunds stay pending until FinishRefund
	last     int64
	orders   []*razorpayOrder
	payments []*razorpayPayment
	refunds  []*razorpayRefund
	disputes []*razorpayDispute
}

type razorpayOrder struct {
	id, currency, receipt string
	minor                 int64
	notes                 map[string]any
	at                    time.Time
}

type razorpayPayment struct {
	id, currency, status string
	minor                int64
	order                *razorpayOrder
	captured             bool
	notes                map[string]any
	at                   time.Time
}

type razorpayRefund struct {
	id, receipt, status, key, body string
	minor                          int64
	payment                        *razorpayPayment
	notes                          map[string]any
	at                             time.Time
}

type razorpayDispute struct {
	id, status, phase string
	payment           *razorpayPayment
	at                time.Time
}

// NewRazorpay creates an account.
func NewRazorpay(with KeysRazorpay) *Razorpay {
	if with.Clock == nil {
		with.Clock = time.Now
	}
	s := &Razorpay{keys: with, routes: http.NewServeMux()}
	for route, answer := range map[string]func(*http.Request, map[string]any) (any, error){
		"POST /v1/orders":                s.createOrder,
		"GET /v1/orders":                 s.listOrders,
		"GET /v1/orders/{id}":            s.oneOrder,
		"GET /v1/orders/{id}/payments":   s.paymentsOfOrder,
		"GET /v1/payments":               s.listPayments,
		"GET /v1/payments/{id}":          s.onPayment(func(p *razorpayPayment, _ *http.Request, _ map[string]any) (any, error) { return s.paymentJSON(p), nil }),
		"POST /v1/payments/{id}/capture": s.onPayment(s.capture),
		"POST /v1/payments/{id}/refund":  s.onPayment(s.createRefund),
		"GET /v1/payments/{id}/refunds":  s.onPayment(s.refundsOfPayment),
		"GET /v1/refunds":                s.listRefunds,
		"GET /v1/refunds/{id}":           s.oneRefund,
		"GET /v1/disputes":               s.listDisputes,
	} {
		s.routes.HandleFunc(route, s.handler(answer))
	}
	return s
}

// razorpayRefusal is an error of Razorpay.
type razorpayRefusal struct {
	status            int
	description, name string // of the field
}

func (r razorpayRefusal) Error() string { return r.description }

func (r razorpayRefusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	code := "BAD_REQUEST_ERROR"
	if r.status >= 500 {
		code = "SERVER_ERROR"
	}
	told := map[string]any{"code": code, "description": r.description, "source": "business", "step": "payment_initiation", "reason": "input_validation_failed", "metadata": map[string]any{}}
	if r.name != "" {
		told["field"] = r.name
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"error": told})
}

func razorpayBad(description, field string) error {
	return razorpayRefusal{http.StatusBadRequest, description, field}
}

var errRazorpayNotFound = razorpayBad("The id provided does not exist", "")

// ServeHTTP serves the API and, below /v1/checkout, browsers.
func (s *Razorpay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/v1/checkout") {
		s.serveCheckout(w, r)
		return
	}
	s.answer(w, r, http.HandlerFunc(s.serve), refuseRazorpay)
}

func (s *Razorpay) serve(w http.ResponseWriter, r *http.Request) {
	if id, secret, _ := r.BasicAuth(); id != s.keys.KeyID || secret != s.keys.KeySecret {
		refuseRazorpay(w, http.StatusUnauthorized)
		return
	}
	s.routes.ServeHTTP(w, r)
}

// refuseRazorpay writes Razorpay's response to a call that matches nothing.
func refuseRazorpay(w http.ResponseWriter, status int) {
	refusal := razorpayRefusal{status, "Authentication failed", ""}
	switch status {
	case http.StatusInternalServerError:
		refusal.description = "The server encountered an error. The incident has been reported to admins."
	case http.StatusTooManyRequests:
		refusal.description = "Request failed. Please try after sometime."
	}
	refusal.write(w)
}

// handler runs a handler under the lock. Its body is a JSON object with numbers as json.Number.
func (s *Razorpay) handler(answer func(*http.Request, map[string]any) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		var body map[string]any
		if err == nil && len(raw) > 0 {
			reader := json.NewDecoder(strings.NewReader(string(raw)))
			reader.UseNumber()
			err = reader.Decode(&body)
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		var told any
		if err == nil {
			told, err = answer(r, body)
		}
		if refused := (razorpayRefusal{}); errors.As(err, &refused) {
			refused.write(w)
			return
		}
		if err != nil {
			razorpayRefusal{http.StatusBadRequest, "The request is invalid", ""}.write(w)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(told)
	}
}

// next returns a new id: a kind and 14 characters.
func (s *Razorpay) next(kind string) string {
	s.last++
	return fmt.Sprintf("%s_Sim%011d", kind, s.last)
}

// razorpayPaise parses a sum of at least a rupee, which must be a JSON integer.
func razorpayPaise(value any) (int64, error) {
	number, _ := value.(json.Number)
	minor, err := strconv.ParseInt(string(number), 10, 64)
	switch {
	case err != nil:
		return 0, razorpayBad("The amount must be an integer.", "amount")
	case minor < 100:
		return 0, razorpayBad("The amount must be at least INR 1.00", "amount")
	}
	return minor, nil
}

// razorpayNotesIn parses notes: at most 15, each of at most 256 characters.
func razorpayNotesIn(value any) (map[string]any, error) {
	notes, isMap := value.(map[string]any)
	if value != nil && !isMap || len(notes) > 15 {
		return nil, razorpayBad("Number of fields in notes should be less than or equal to 15", "notes")
	}
	for _, note := range notes {
		if len([]rune(textOf(note))) > 256 {
			return nil, razorpayBad("notes may not be greater than 256 characters.", "notes")
		}
	}
	return notes, nil
}

// razorpayKnown rejects a body with unknown fields.
func razorpayKnown(body map[string]any, names ...string) error {
	for name := range body {
		known := false
		for _, each := range names {
			known = known || name == each
		}
		if !known {
			return razorpayBad(name+" is/are not required and should not be sent", name)
		}
	}
	return nil
}

// razorpayNotes returns notes as in responses: an empty list if there are none.
func razorpayNotes(notes map[string]any) any {
	if len(notes) == 0 {
		return []any{}
	}
	return notes
}

func razorpayText(text string) any {
	if text == "" {
		return nil
	}
	return text
}
