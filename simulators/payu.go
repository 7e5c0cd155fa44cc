package simulators

import (
	"crypto/sha512"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// KeysPayU are the credentials of an account at PayU.
type KeysPayU struct {
	Key, Salt string
	Clock     func() time.Time // nil is time.Now
}

// PayU simulates PayU India as documented at https://docs.payu.in: the payment page, the API and the webhooks. Amounts are in paise.
type PayU struct {
	keys   KeysPayU
	routes *http.ServeMux

	account
	slow           bool // refunds stay queued until FinishRefund
	refundWebhooks bool // sends webhooks of refunds
	last           int64
	tries          []*payuPayment
	actions        []*payuAction
}

// payuPayment is a payment: one visit of a payer for a txnid.
type payuPayment struct {
	id               int64
	posted           url.Values
	minor, off, plus int64 // requested, an offer's discount, PayU's charges
	status, unmapped string
	at               time.Time
	lost             bool // a dispute
}

func (t *payuPayment) txnid() string { return t.posted.Get("txnid") }

// payuAction is a capture or refund of a payment.
type payuAction struct {
	id                  int64
	of                  *payuPayment
	kind, token, status string
	minor               int64
	at                  time.Time
}

// NewPayU creates an account.
func NewPayU(with KeysPayU) *PayU {
	if with.Clock == nil {
		with.Clock = time.Now
	}
	s := &PayU{keys: with, routes: http.NewServeMux(), last: 403993715500000000}
	s.routes.HandleFunc("POST /_payment", s.page)
	s.routes.HandleFunc("POST /_payment/outcome", s.outcome)
	s.routes.HandleFunc("GET /payu.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(payuScript)
	})
	s.routes.HandleFunc("POST /merchant/postservice.php", s.service)
	return s
}

func openPayU(at string, clock func() time.Time) (Account, map[string]string) {
	keys := KeysPayU{Key: "simulated", Salt: "payu_test_simulated", Clock: clock}
	return NewPayU(keys), map[string]string{"PAYU_KEY": keys.Key, "PAYU_SALT": keys.Salt, "PAYU_BASE_URL": at, "PAYU_FORM_URL": at + "/_payment"}
}

// ServeHTTP serves the page and the API. Only the API has faults.
func (s *PayU) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/merchant/") {
		s.answer(w, r, s.routes, refusePayU)
		return
	}
	s.routes.ServeHTTP(w, r)
}

// refusePayU writes PayU's response to a call that matches no transaction. Rejections have status 200.
func refusePayU(w http.ResponseWriter, status int) {
	message := map[int]string{http.StatusUnauthorized: "Invalid Hash.", http.StatusTooManyRequests: "Requests limit reached"}[status]
	if message == "" {
		w.WriteHeader(status)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"status": 0, "msg": message})
}

func (s *PayU) next() int64 { s.last++; return s.last }

func payuHash(text string) string {
	sum := sha512.Sum512([]byte(text))
	return hex.EncodeToString(sum[:])
}

// payuPaise parses rupees such as 1499.00 or 1499.
func payuPaise(text string) (int64, bool) {
	whole, part, _ := strings.Cut(text, ".")
	if len(part) > 2 || whole == "" {
		return 0, false
	}
	minor, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	return minor, err == nil && minor >= 0
}

func payuRupees(minor int64) string { return fmt.Sprintf("%d.%02d", minor/100, minor%100) }

// refusal returns why PayU rejects a form, or "".
func (s *PayU) refusal(f url.Values) string {
	minor, ok := payuPaise(f.Get("amount"))
	signed := payuHash(fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s||||||%s", f.Get("key"), f.Get("txnid"), f.Get("amount"), f.Get("productinfo"), f.Get("firstname"),
		f.Get("email"), f.Get("udf1"), f.Get("udf2"), f.Get("udf3"), f.Get("udf4"), f.Get("udf5"), s.keys.Salt))
	for _, name := range []string{"key", "txnid", "amount", "productinfo", "firstname", "email", "phone", "surl", "furl", "hash"} {
		if f.Get(name) == "" {
			return "Mandatory parameter missing: " + name
		}
	}
	for name, most := range map[string]int{"txnid": 25, "productinfo": 100, "firstname": 60, "email": 50, "udf1": 255} {
		if utf8.RuneCountInString(f.Get(name)) > most {
			return "Too long: " + name
		}
	}
	switch {
	case f.Get("key") != s.keys.Key:
		return "Invalid merchant key"
	case f.Get("hash") != signed:
		return "Transaction failed due to incorrectly calculated hash parameter."
	case !ok || minor < 100:
		return "Invalid amount"
	}
	for _, t := range s.tries {
		if t.txnid() == f.Get("txnid") && t.status == "success" {
			return "duplicate Order ID"
		}
	}
	return ""
}

//go:embed payu.js
var payuScript []byte

var payuPage = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><title>PayU, played</title>
{{- with .Refusal}}<h1>Error</h1><p>{{.}}</p>{{end}}
{{- with .Try}}<h1>PayU, played: no money moves</h1><p>{{$.Amount}} for {{.Get "productinfo"}}, {{.Get "firstname"}}</p>
{{range $outcome, $label := $.Outcomes}}<form method="post" action="/_payment/outcome"><input type="hidden" name="txnid" value="{{$.Try.Get "txnid"}}"><button name="outcome" value="{{$outcome}}">{{$label}}</button></form>
{{end}}{{end}}
{{- with .Back}}<form id="back" method="post" action="{{$.Action}}">
{{range $name, $values := .}}{{range $values}}<input type="hidden" name="{{$name}}" value="{{.}}">{{end}}{{end}}<button>Back to the shop</button></form><script src="/payu.js"></script>{{end}}
</html>`))

// page serves the page for the payer.
func (s *PayU) page(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_ = r.ParseForm() // an invalid form has no fields
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if why := s.refusal(r.PostForm); why != "" {
		w.WriteHeader(http.StatusBadRequest)
		_ = payuPage.Execute(w, map[string]any{"Refusal": why})
		return
	}
	minor, _ := payuPaise(r.PostForm.Get("amount"))
	s.tries = append(s.tries, &payuPayment{id: s.next(), posted: r.PostForm, minor: minor, status: "pending", unmapped: "initiated", at: s.keys.Clock()})
	_ = payuPage.Execute(w, map[string]any{"Try": r.PostForm, "Amount": "₹" + r.PostForm.Get("amount"), "Outcomes": map[string]string{"pay": "Pay", "decline": "Decline", "leave": "Cancel", "wait": "Say nothing yet"}})
}

// outcome handles the payer's button and redirects the browser to the site.
func (s *PayU) outcome(w http.ResponseWriter, r *http.Request) {
	txnid := r.PostFormValue("txnid")
	attempt := map[string]func(string) string{"pay": s.Pay, "decline": s.Decline, "leave": s.Leave, "wait": s.LeavePending}[r.PostFormValue("outcome")]
	s.mutex.Lock()
	known := s.find(txnid) != nil && attempt != nil
	s.mutex.Unlock()
	if !known {
		http.NotFound(w, r)
		return
	}
	attempt(txnid)
	back := s.Return(txnid)
	action := back.Get("furl")
	if back.Get("status") == "success" {
		action = back.Get("surl")
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = payuPage.Execute(w, map[string]any{"Back": back, "Action": action})
}
