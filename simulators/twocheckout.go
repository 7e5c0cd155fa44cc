package simulators

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// KeysTwocheckout are the credentials of an account at 2Checkout.
type KeysTwocheckout struct {
	MerchantCode, SecretKey string
	Clock                   func() time.Time // nil is time.Now
	At                      string           // its address, for 3-D Secure, such as http://127.0.0.1:8091
}

// Twocheckout simulates 2Checkout as documented at https://docs.2checkout.com, API 6.0. Sums are kept in hundredths.
type Twocheckout struct {
	keys    KeysTwocheckout
	routes  *http.ServeMux
	browser *http.ServeMux

	account
	slow   bool                               // refunds stay pending until FinishRefund
	tax    int64                              // added to each new order
	wrong  map[string]func(*twocheckoutOrder) // changes new orders, by external reference
	last   int64
	orders []*twocheckoutOrder
	tokens map[string]*twocheckoutToken
}

type twocheckoutToken struct {
	card string
	at   time.Time
	used bool
}

type twocheckoutOrder struct {
	refNo, external, status, currency string
	minor                             int64
	placed, finished                  time.Time // finished is zero until it is COMPLETE
	errors                            map[string]string
	secure                            string // the token of 3-D Secure, or ""
	back                              string // where the payer's bank redirects
	test, returning                   bool   // returning: a refund is pending
	captured                          bool
	lost                              bool // a dispute
	product                           string
	ip                                string
}

const twocheckoutTime = "2006-01-02 15:04:05"

// NewTwocheckout creates an account.
func NewTwocheckout(with KeysTwocheckout) *Twocheckout {
	if with.Clock == nil {
		with.Clock = time.Now
	}
	s := &Twocheckout{keys: with, routes: http.NewServeMux(), last: 211153000, tokens: map[string]*twocheckoutToken{}, wrong: map[string]func(*twocheckoutOrder){}}
	for route, answer := range map[string]func(*http.Request, map[string]any) (any, error){
		"POST /rest/6.0/orders/{$}":              s.placeOrder,
		"GET /rest/6.0/orders/{$}":               s.findOrders,
		"GET /rest/6.0/orders/{ref}/{$}":         s.getOrder,
		"POST /rest/6.0/orders/{ref}/refund/{$}": s.refundOrder,
	} {
		s.routes.HandleFunc(route, s.handler(answer))
	}
	s.browser = s.browserRoutes()
	return s
}

// twocheckoutRefusal is an error of 2Checkout.
type twocheckoutRefusal struct {
	status     int
	code, text string
}

func (r twocheckoutRefusal) Error() string { return r.text }

func (r twocheckoutRefusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error_code": r.code, "message": r.text})
}

func refuseTwocheckout(w http.ResponseWriter, status int) {
	refusal := twocheckoutRefusal{status, "INTERNAL_ERROR", "Internal error"}
	switch status {
	case http.StatusUnauthorized:
		refusal.code, refusal.text = "AUTHENTICATION_ERROR", "Authentication needed for this resource"
	case http.StatusTooManyRequests:
		refusal.code, refusal.text = "TOO_MANY_REQUESTS", "Too many requests"
	}
	refusal.write(w)
}

// ServeHTTP serves the API and the payer's browser.
func (s *Twocheckout) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, route := s.browser.Handler(r); route != "" {
		s.browser.ServeHTTP(w, r)
		return
	}
	s.answer(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.isSigned(r.Header.Get("X-Avangate-Authentication")) {
			refuseTwocheckout(w, http.StatusUnauthorized)
			return
		}
		s.routes.ServeHTTP(w, r)
	}), refuseTwocheckout)
}

var twocheckoutHeader = regexp.MustCompile(`^code="([^"]*)" date="(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)" hash="([0-9a-f]+)" algo="(sha256|sha3-256)"$`)

// isSigned reports whether a header is signed by the account, recently.
func (s *Twocheckout) isSigned(header string) bool {
	parts := twocheckoutHeader.FindStringSubmatch(header)
	if parts == nil || parts[1] != s.keys.MerchantCode {
		return false
	}
	at, err := time.Parse(twocheckoutTime, parts[2])
	age := s.keys.Clock().Sub(at)
	return err == nil && age < 10*time.Minute && age > -10*time.Minute && parts[3] == s.hmac(parts[4], lengthsAnd(parts[1], parts[2]))
}

// lengthsAnd writes each value after its length in bytes.
func lengthsAnd(values ...string) string {
	var text strings.Builder
	for _, value := range values {
		fmt.Fprintf(&text, "%d%s", len(value), value)
	}
	return text.String()
}

func (s *Twocheckout) hmac(algo, text string) string {
	made := sha256.New
	if algo == "sha3-256" {
		made = func() hash.Hash { return sha3.New256() }
	}
	mac := hmac.New(made, []byte(s.keys.SecretKey))
	_, _ = mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// handler runs a handler under the lock.
func (s *Twocheckout) handler(answer func(*http.Request, map[string]any) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		reader := json.NewDecoder(r.Body)
		reader.UseNumber()
		if err := reader.Decode(&body); r.Method == http.MethodPost && err != nil {
			twocheckoutRefusal{http.StatusBadRequest, "BAD_REQUEST", "The body is no JSON"}.write(w)
			return
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		told, err := answer(r, body)
		if refused := (twocheckoutRefusal{}); errors.As(err, &refused) {
			refused.write(w)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/orders/") {
			w.WriteHeader(http.StatusCreated)
		}
		_ = json.NewEncoder(w).Encode(told)
	}
}

func (s *Twocheckout) order(refNo string) *twocheckoutOrder {
	for _, o := range s.orders {
		if o.refNo == refNo {
			return o
		}
	}
	return nil
}
