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

// KeysPayPal are what an app at PayPal is known by.
type KeysPayPal struct {
	ClientID, Secret, WebhookID string
	Clock                       func() time.Time // nil is time.Now
}

// PayPal plays PayPal by https://developer.paypal.com/api/rest: Orders v2, Payments v2, Transaction search, Disputes and
// webhooks. Sums are kept in cents and written as text with two decimals.
type PayPal struct {
	keys   KeysPayPal
	routes *http.ServeMux

	account
	slow     bool // refunds stay pending until FinishRefund
	base     string
	last     int
	tokens   map[string]time.Time // when each ends
	asked    int                  // how many tokens were asked for
	orders   []*paypalOrder
	captures []*paypalCapture
	refunds  []*paypalRefund
	disputes []*paypalDispute
	replays  map[string]paypalReplay
}

type paypalOrder struct {
	id, intent, status string
	unit               map[string]any // as it was asked for
	currency           string
	minor              int64
	instrument         string // what the payer has chosen: good, declined, cheque
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
	reversal                        bool // by PayPal, not by the seller
	made                            time.Time
}

type paypalDispute struct {
	id, status, outcome string
	capture             *paypalCapture
	made, updated       time.Time
}

// paypalReplay is what was answered to a PayPal-Request-Id, a refusal too.
type paypalReplay struct {
	told  func() any // as it stands now
	err   error
	until time.Time
}

// NewPayPal opens an account.
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
	s.route("POST /v1/notifications/verify-webhook-signature", http.StatusOK, 0, s.verifyWebhook)
	return s
}

// ServedAt tells at which address the API is: there lies the certificate of its webhooks.
func (s *PayPal) ServedAt(base string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.base = base
}

// paypalRefusal is an error as PayPal tells it.
type paypalRefusal struct {
	status             int
	name, issue, field string
}

func (r paypalRefusal) Error() string { return r.issue }

// paypalMessages are PayPal's own, by name.
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

// ServeHTTP is the API, its certificate, and what a browser loads of PayPal.
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
		s.giveToken(w, r)
	case !s.knows(r.Header.Get("Authorization")):
		refusePayPal(w, http.StatusUnauthorized)
	default:
		s.routes.ServeHTTP(w, r)
	}
}

// refusePayPal writes what PayPal says of a call that reaches nothing.
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

func (s *PayPal) giveToken(w http.ResponseWriter, r *http.Request) {
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

func (s *PayPal) knows(authorization string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	ends, known := s.tokens[strings.TrimPrefix(authorization, "Bearer ")]
	return known && s.keys.Clock().Before(ends)
}

// paypalCall is a call as a handler sees it.
type paypalCall struct {
	r    *http.Request
	body map[string]any
}

// route mounts a handler, which runs under the lock, and once for a PayPal-Request-Id as long as that is kept. What it returns
// tells the resource as it stands when it is called.
func (s *PayPal) route(pattern string, success int, keyLife time.Duration, handle func(paypalCall) (func() any, error)) {
	s.routes.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		body, err := paypalBody(r)
		s.mutex.Lock()
		defer s.mutex.Unlock()
		key, status := r.Method+r.URL.Path+" "+r.Header.Get("Paypal-Request-Id"), success
		replay, again := s.replays[key]
		var told func() any
		switch {
		case err != nil:
		case again && s.keys.Clock().Before(replay.until):
			if told, err = replay.told, replay.err; keyLife < 24*time.Hour { // Orders tell a repetition by their status
				status = http.StatusOK
			}
		default:
			told, err = handle(paypalCall{r, body})
			if keyLife > 0 && r.Header.Get("Paypal-Request-Id") != "" {
				s.replays[key] = paypalReplay{told, err, s.keys.Clock().Add(keyLife)}
			}
		}
		if refused := (paypalRefusal{}); errors.As(err, &refused) {
			refused.write(w)
			return
		}
		answer := told()
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

// next is a new id: 17 digits and capitals, as PayPal's are.
func (s *PayPal) next(prefix string) string {
	s.last++
	return prefix + fmt.Sprintf("%0*d", 17-len(prefix), s.last)
}

// paypalCents reads a sum.
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

// refused by PayPal: the reason.
func paypalLong(of map[string]any, most int, names ...string) error {
	for _, name := range names {
		if len(textOf(of[name])) > most {
			return paypalBad("INVALID_STRING_LENGTH", name)
		}
	}
	return nil
}
