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

// KeysCashfree are the credentials of an account at Cashfree.
type KeysCashfree struct {
	AppID, SecretKey string
	Clock            func() time.Time // nil is time.Now
}

// Cashfree simulates Cashfree as documented at https://www.cashfree.com/docs/api-reference/payments, from its version 2022-09-01 on. Sums are
// kept in paise and written as numbers with two decimals.
type Cashfree struct {
	keys    KeysCashfree
	routes  *http.ServeMux
	browser *http.ServeMux

	account
	slow     bool // refunds stay pending until FinishRefund
	last     int64
	orders   []*cashfreeOrder
	payments []*cashfreePayment
	refunds  []*cashfreeRefund
	disputes []*cashfreeDispute
	replays  map[string]any // responses by x-idempotency-key
}

type cashfreeOrder struct {
	id, currency, status, session string
	number, minor                 int64
	customer                      map[string]any
	meta                          map[string]any
	expires, created              string
}

type cashfreePayment struct {
	number, minor    int64
	order            *cashfreeOrder
	currency, status string
	captured         bool
	at               time.Time
}

type cashfreeRefund struct {
	id, note, status, kind string
	number, minor          int64
	payment                *cashfreePayment
	at                     time.Time
}

type cashfreeDispute struct {
	number, minor int64
	status        string
	payment       *cashfreePayment
	at            time.Time
}

// NewCashfree creates an account.
func NewCashfree(with KeysCashfree) *Cashfree {
	if with.Clock == nil {
		with.Clock = time.Now
	}
	s := &Cashfree{keys: with, routes: http.NewServeMux(), last: 1453000000, replays: map[string]any{}}
	for route, answer := range map[string]func(*http.Request, map[string]any) (any, error){
		"POST /pg/orders":                      s.createOrder,
		"GET /pg/orders/{id}":                  s.onOrder(func(o *cashfreeOrder, _ *http.Request, _ map[string]any) (any, error) { return o.json(), nil }),
		"PATCH /pg/orders/{id}":                s.onOrder(s.terminate),
		"GET /pg/orders/{id}/payments":         s.onOrder(s.paymentsOf),
		"POST /pg/orders/{id}/authorization":   s.onOrder(s.capture),
		"POST /pg/orders/{id}/refunds":         s.onOrder(s.createRefund),
		"GET /pg/orders/{id}/refunds":          s.onOrder(s.refundsOf),
		"GET /pg/orders/{id}/refunds/{refund}": s.onOrder(s.refundOf),
		"GET /pg/orders/{id}/disputes":         s.onOrder(s.disputesOf),
		"POST /pg/recon":                       s.recon,
	} {
		s.routes.HandleFunc(route, s.handler(answer))
	}
	s.browser = s.browserRoutes()
	return s
}

// cashfreeRefusal is an error of Cashfree.
type cashfreeRefusal struct {
	status     int
	code, text string
}

func (r cashfreeRefusal) Error() string { return r.text }

func (r cashfreeRefusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	kind := "invalid_request_error"
	if r.status >= 500 {
		kind = "api_error"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"message": r.text, "code": r.code, "type": kind})
}

func cashfreeBad(field string) error {
	return cashfreeRefusal{http.StatusBadRequest, field + "_invalid", field + " : is invalid"}
}

// ServeHTTP serves the API and the payer's browser.
func (s *Cashfree) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, route := s.browser.Handler(r); route != "" {
		s.browser.ServeHTTP(w, r)
		return
	}
	s.answer(w, r, http.HandlerFunc(s.serve), refuseCashfree)
}

func (s *Cashfree) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get("X-Client-Id") != s.keys.AppID || r.Header.Get("X-Client-Secret") != s.keys.SecretKey:
		refuseCashfree(w, http.StatusUnauthorized)
	case r.Header.Get("X-Api-Version") == "":
		cashfreeRefusal{http.StatusBadRequest, "request_failed", "version is missing"}.write(w)
	default:
		s.routes.ServeHTTP(w, r)
	}
}

// refuseCashfree writes Cashfree's response to a call that matches no order.
func refuseCashfree(w http.ResponseWriter, status int) {
	refusal := cashfreeRefusal{status, "request_failed", "authentication Failed"}
	switch status {
	case http.StatusInternalServerError:
		refusal.code, refusal.text = "api_error", "internal error"
	case http.StatusTooManyRequests:
		refusal.text = "Too many requests from IP. Check headers"
	}
	refusal.write(w)
}

// handler runs a handler once for an idempotency key, under the lock.
func (s *Cashfree) handler(answer func(*http.Request, map[string]any) (any, error)) http.HandlerFunc {
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
		key := r.Header.Get("X-Idempotency-Key")
		replay := r.Method + r.URL.Path + " " + key
		result, again := s.replays[replay]
		if err == nil && (key == "" || !again) {
			result, err = answer(r, body)
			if key != "" && err == nil {
				s.replays[replay] = result
			}
		}
		if refused := (cashfreeRefusal{}); errors.As(err, &refused) {
			refused.write(w)
			return
		}
		if err != nil {
			cashfreeRefusal{http.StatusBadRequest, "request_failed", "bad body"}.write(w)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		text, _ := json.Marshal(idsOf(r.Header.Get("X-Api-Version"), result)) // numbers and text always marshal
		_, _ = w.Write(text)
	}
}

// idsOf converts the ids of a response: numbers in version 2022-09-01, strings from 2023-08-01 on.
func idsOf(version string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		written := map[string]any{}
		for name, value := range v {
			if number, isID := value.(int64); isID && strings.HasPrefix(name, "cf_") && (version >= "2023" || name == "cf_refund_id") {
				value = strconv.FormatInt(number, 10)
			}
			written[name] = idsOf(version, value)
		}
		return written
	case []any:
		written := []any{}
		for _, each := range v {
			written = append(written, idsOf(version, each))
		}
		return written
	}
	return value
}

func (s *Cashfree) next() int64 { s.last++; return s.last }

// paiseOf parses a JSON number of rupees and rejects everything else, strings too.
func paiseOf(value any) (int64, bool) {
	number, isNumber := value.(json.Number)
	whole, part, _ := strings.Cut(string(number), ".")
	if !isNumber || len(part) > 2 {
		return 0, false
	}
	minor, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	return minor, err == nil && minor > 0
}

func inRupees(minor int64) json.Number {
	return json.Number(fmt.Sprintf("%d.%02d", minor/100, minor%100))
}

func textOf(value any) string {
	found, _ := value.(string)
	return found
}
