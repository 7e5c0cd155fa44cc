package simulators

import (
	_ "embed"
	"net/http"
	"strings"
	"time"
)

// paypalScript replaces PayPal's script, as far as a checkout with buttons uses it.
//
//go:embed paypal.js
var paypalScript []byte

func openPayPal(at string, clock func() time.Time) (Account, map[string]string) {
	keys := KeysPayPal{ClientID: "simulated", Secret: "paypal_secret_simulated", WebhookID: "1JE4291016473214C", Clock: clock}
	s := NewPayPal(keys)
	s.ServedAt(at)
	return s, map[string]string{
		"PAYPAL_CLIENT_ID": keys.ClientID, "PAYPAL_SECRET": keys.Secret, "PAYPAL_WEBHOOK_ID": keys.WebhookID, "PAYPAL_BASE_URL": at, "PAYPAL_SCRIPT_URL": at + "/sdk/js",
	}
}

// serveBrowser serves requests of the payer's browser and reports whether this was one: the script, at the same path as
// PayPal's, and the buttons of its window.
func (s *PayPal) serveBrowser(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == "/sdk/js" {
		query := r.URL.Query()
		if query.Get("client-id") != s.keys.ClientID || len(query.Get("currency")) != 3 {
			http.Error(w, "SDK Validation error", http.StatusBadRequest)
			return true
		}
		w.Header().Set("Content-Type", "application/javascript")
		_, _ = w.Write(paypalScript)
		return true
	}
	press, ours := strings.CutPrefix(r.URL.Path, "/checkoutnow/")
	if !ours {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	orderID := r.URL.Query().Get("token")
	s.mutex.Lock()
	o := s.order(orderID)
	s.mutex.Unlock()
	agree := map[string]func(string){"pay": s.Approve, "decline": s.ApproveWithout, "cheque": s.ApproveCheque}[press]
	if r.Method != http.MethodPost || o == nil || agree == nil {
		http.NotFound(w, r)
		return true
	}
	agree(orderID)
	return true
}
