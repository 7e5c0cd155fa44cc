package simulators

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// KeysPayPal are the credentials of an app at PayPal.
type KeysPayPal struct {
	ClientID, Secret, WebhookID string
	Clock                       func() time.Time // nil is time.Now
}

// PayPal simulates PayPal as documented at https://developer.paypal.com/api/rest: Orders v2, Payments v2, Transaction search, Disputes and
// webhooks. Sums are kept in cents and written as text with two decimals.
type PayPal struct {
	keys   KeysPayPal
	routes *http.ServeMux

	account
	slow     bool // refunds stay pending until FinishRefund
	base     string
	last     int
	tokens   map[string]time.Time // expiry of each
	asked    int                  // number of requested tokens
	orders   []*paypalOrder
	captures []*paypalCapture
	refunds  []*paypalRefund
	disputes []*paypalDispute
	replays  map[string]paypalReplay
}

type paypalOrder struct {
	id, intent, status string
	unit               map[string]any // as requested
	currency           string
	minor              int64
	instrument         string // the payer's choice: good, declined, cheque
	made, updated      time.Time
}

type paypalCapture struct {
	id, status, currency string
	minor                int64
	order                *paypalOrder
	made, updated        time.Time
}

type paypalRefund struct {
	id, status, invoiceID, customID string
	minor                           int64
	capture                         *paypalCapture
	reversal                        bool // by PayPal
	made                            time.Time
}

type paypalDispute struct {
	id, status, outcome string
	refunded            int64 // by the outcome
	capture             *paypalCapture
	made, updated       time.Time
}

// paypalReplay is the response to a PayPal-Request-Id, also a rejection.
type paypalReplay struct {
	result func() any // returns the current state
	err    error
	until  time.Time
}

// NewPayPal creates an account.
func NewPayPal(with KeysPayPal) *PayPal {
	if with.Clock == nil {
		with.Clock = time.Now
	}
	s := &PayPal{keys: with, routes: http.NewServeMux(), base: "https://api.sandbox.paypal.com", tokens: map[string]time.Time{}, replays: map[string]paypalReplay{}}
	const sixHours, days45 = 6 * time.Hour, 45 * 24 * time.Hour
	s.route("POST /v2/checkout/orders", http.StatusCreated, sixHours, s.createOrder)
	s.route("GET /v2/checkout/orders/{id}", http.StatusOK, 0, s.onOrder(func(o *paypalOrder, _ paypalCall) (func() any, error) {
		return func() any { return s.orderJSON(o) }, nil
	}))
	s.route("POST /v2/checkout/orders/{id}/capture", http.StatusCreated, sixHours, s.onOrder(s.captureOrder))
	s.route("GET /v2/payments/captures/{id}", http.StatusOK, 0, s.onCapture(func(c *paypalCapture, _ paypalCall) (func() any, error) {
		return func() any { return s.captureJSON(c, true) }, nil
	}))
	s.route("POST /v2/payments/captures/{id}/refund", http.StatusCreated, days45, s.onCapture(s.createRefund))
	s.route("GET /v2/payments/refunds/{id}", http.StatusOK, 0, s.refundOf)
	s.route("GET /v1/reporting/transactions", http.StatusOK, 0, s.transactions)
	s.route("GET /v1/customer/disputes", http.StatusOK, 0, s.disputesOf)
	s.route("GET /v1/customer/disputes/{id}", http.StatusOK, 0, s.dispute)
	s.route("POST /v1/notifications/verify-webhook-signature", http.StatusOK, 0, s.verifyWebhook)
	return s
}

// ServedAt sets the address of the API, which serves the certificate of its webhooks.
func (s *PayPal) ServedAt(base string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.base = base
}

// paypalRefusal is an error of PayPal.
type paypalRefusal struct {
	status             int
	name, issue, field string
}

func (r paypalRefusal) Error() string { return r.issue }

// paypalMessages are PayPal's messages by error name.
var paypalMessages = map[string]string{
	"INVALID_REQUEST":        "Request is not well-formed, syntactically incorrect, or violates schema.",
	"AUTHENTICATION_FAILURE": "Authentication failed due to missing authorization header, or invalid authentication credentials.",
	"RESOURCE_NOT_FOUND":     "The specified resource does not exist.",
	"UNPROCESSABLE_ENTITY":   "The requested action could not be performed, semantically incorrect, or failed business validation.",
	"UNSUPPORTED_MEDIA_TYPE": "The server does not support the request payload's media type.",
	"INTERNAL_SERVER_ERROR":  "An internal server error occurred.",
	"RATE_LIMIT_REACHED":     "Too many requests. Blocked due to rate limiting.",
}

func (r paypalRefusal) write(w http.ResponseWriter) {
	body := map[string]any{"name": r.name, "message": paypalMessages[r.name], "debug_id": "90957fca61718"}
	if r.issue != "" {
		detail := map[string]any{"issue": r.issue}
		if r.field != "" {
			detail["field"], detail["location"] = r.field, "body"
		}
		body["details"] = []any{detail}
	}
	writePayPal(w, r.status, body)
}

func paypalBad(issue, field string) error {
	return paypalRefusal{http.StatusBadRequest, "INVALID_REQUEST", issue, field}
}

func paypalUnprocessable(issue string) error {
	return paypalRefusal{http.StatusUnprocessableEntity, "UNPROCESSABLE_ENTITY", issue, ""}
}

var errPayPalUnknown = paypalRefusal{http.StatusNotFound, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID", ""}

func writePayPal(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// ServeHTTP serves the API, its certificate and browsers.
func (s *PayPal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.serveBrowser(w, r) {
		return
	}
	s.answer(w, r, http.HandlerFunc(s.serve), refusePayPal)
}

func (s *PayPal) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, paypalCertificatePath):
		s.serveCertificate(w, r)
	case r.URL.Path == "/v1/oauth2/token":
		s.createToken(w, r)
	case !s.isAuthorised(r.Header.Get("Authorization")):
		refusePayPal(w, http.StatusUnauthorized)
	default:
		s.routes.ServeHTTP(w, r)
	}
}

// refusePayPal writes PayPal's response to a call that matches nothing.
func refusePayPal(w http.ResponseWriter, status int) {
	name := "AUTHENTICATION_FAILURE"
	switch status {
	case http.StatusInternalServerError:
		name = "INTERNAL_SERVER_ERROR"
	case http.StatusTooManyRequests:
		name = "RATE_LIMIT_REACHED"
	}
	paypalRefusal{status, name, "", ""}.write(w)
}

const paypalTokenLife = 9 * time.Hour

func (s *PayPal) createToken(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.asked++
	switch {
	case id != s.keys.ClientID || secret != s.keys.Secret:
		writePayPal(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client", "error_description": "Client Authentication failed"})
	case r.Method != http.MethodPost || r.FormValue("grant_type") != "client_credentials":
		writePayPal(w, http.StatusBadRequest, map[string]any{"error": "unsupported_grant_type", "error_description": "Grant Type is NULL"})
	default:
		token := "A21AA" + s.next("")
		s.tokens[token] = s.keys.Clock().Add(paypalTokenLife)
		writePayPal(w, http.StatusOK, map[string]any{"scope": "https://uri.paypal.com/services/payments/payment", "access_token": token, "token_type": "Bearer", "app_id": "APP-80W284485P519543T", "expires_in": int(paypalTokenLife / time.Second)})
	}
}

func (s *PayPal) isAuthorised(authorization string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ends, known := s.tokens[strings.TrimPrefix(authorization, "Bearer ")]
	return known && s.keys.Clock().Before(ends)
}

// paypalCall is the input of a handler.
type paypalCall struct {
	r    *http.Request
	body map[string]any
}

// route registers a handler, which runs under the lock and once per PayPal-Request-Id within keyLife. It returns a function
// that returns the resource's current state.
func (s *PayPal) route(pattern string, success int, keyLife time.Duration, handle func(paypalCall) (func() any, error)) {
	s.routes.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		body, err := paypalBody(r)
		s.mutex.Lock()
		defer s.mutex.Unlock()
		key, status := r.Method+r.URL.Path+" "+r.Header.Get("Paypal-Request-Id"), success
		replay, again := s.replays[key]
		var result func() any
		switch {
		case err != nil:
		case again && s.keys.Clock().Before(replay.until):
			if result, err = replay.result, replay.err; keyLife < 24*time.Hour { // Orders indicate a repetition by their status
				status = http.StatusOK
			}
		default:
			result, err = handle(paypalCall{r, body})
			if keyLife > 0 && r.Header.Get("Paypal-Request-Id") != "" {
				s.replays[key] = paypalReplay{result, err, s.keys.Clock().Add(keyLife)}
			}
		}
		if refused := (paypalRefusal{}); errors.As(err, &refused) {
			refused.write(w)
			return
		}
		answer := result()
		if r.Method == http.MethodPost && r.Header.Get("Prefer") != "return=representation" && keyLife > 0 {
			whole, _ := answer.(map[string]any)
			answer = map[string]any{"id": whole["id"], "status": whole["status"], "links": whole["links"]}
		}
		writePayPal(w, status, answer)
	})
}

func paypalBody(r *http.Request) (body map[string]any, err error) {
	raw, err := io.ReadAll(r.Body)
	switch {
	case r.Method != http.MethodPost:
		return nil, nil
	case len(r.Header.Get("Paypal-Request-Id")) > 108:
		return nil, paypalBad("INVALID_STRING_LENGTH", "PayPal-Request-Id")
	case r.Header.Get("Content-Type") != "application/json":
		return nil, paypalRefusal{http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "", ""}
	case err != nil || json.NewDecoder(bytes.NewReader(raw)).Decode(&body) != nil:
		return nil, paypalBad("MALFORMED_REQUEST_JSON", "")
	}
	return body, nil
}

// next returns a new id of 17 digits and capitals, like PayPal's.
func (s *PayPal) next(prefix string) string {
	s.last++
	return prefix + fmt.Sprintf("%0*d", 17-len(prefix), s.last)
}

// paypalCents parses a sum.
func paypalCents(value any) (currency string, minor int64, err error) {
	sum, _ := value.(map[string]any)
	text, currency := textOf(sum["value"]), textOf(sum["currency_code"])
	whole, part, _ := strings.Cut(text, ".")
	switch {
	case len(currency) != 3 || whole == "" || strings.Trim(whole+part, "0123456789") != "":
		return "", 0, paypalBad("INVALID_PARAMETER_SYNTAX", "amount")
	case !strings.Contains(" AUD BRL CAD CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN RUB SEK SGD CHF THB TWD USD ", " "+currency+" "):
		return "", 0, paypalUnprocessable("CURRENCY_NOT_SUPPORTED")
	case len(part) > 2:
		return "", 0, paypalUnprocessable("DECIMAL_PRECISION")
	}
	if _, err := fmt.Sscanf(whole+(part + "00")[:2], "%d", &minor); err != nil {
		return "", 0, paypalBad("INVALID_PARAMETER_SYNTAX", "amount")
	}
	if minor <= 0 {
		return "", 0, paypalUnprocessable("CANNOT_BE_ZERO_OR_NEGATIVE")
	}
	return currency, minor, nil
}

func paypalSum(currency string, minor int64) map[string]any {
	return map[string]any{"currency_code": currency, "value": fmt.Sprintf("%d.%02d", minor/100, minor%100)}
}

func paypalAt(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }

// checkLength rejects texts longer than PayPal accepts.
func checkLength(of map[string]any, limit int, names ...string) error {
	for _, name := range names {
		if len(textOf(of[name])) > limit {
			return paypalBad("INVALID_STRING_LENGTH", name)
		}
	}
	return nil
}
