package simulators

import (
	_ "embed" // of twocheckout.js
	"html/template"
	"net/http"
	"time"
)

// The payer's side of 2Checkout: the script of the card fields, the fields in their frame, and the payer's bank.

//go:embed twocheckout.js
var twocheckoutScript []byte

const twocheckoutBank = "/6.0/scripts/credit_card/authorize/"

func openTwocheckout(at string, clock func() time.Time) (Account, map[string]string) {
	keys := KeysTwocheckout{MerchantCode: "250111206876", SecretKey: "twocheckout_simulated", At: at, Clock: clock}
	return NewTwocheckout(keys), map[string]string{
		"TWOCHECKOUT_MERCHANT_CODE": keys.MerchantCode, "TWOCHECKOUT_SECRET_KEY": keys.SecretKey, "TWOCHECKOUT_PUBLISHABLE_KEY": "simulated",
		"TWOCHECKOUT_BASE_URL": at + "/rest/6.0", "TWOCHECKOUT_SCRIPT_URL": at + "/v1/2pay.js", "TWOCHECKOUT_SELLER": "us",
	}
}

// twocheckoutFields are the card fields, where the payer chooses the bank's decision. The shop's page requests the token by a
// message, as it cannot read the frame.
var twocheckoutFields = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card</title>
<label>Simulated card <select><option value="paid">Pays</option><option value="declined">Is declined</option><option value="secured">Asks the bank</option><option value="received">Is authorised only</option><option value="waiting">Waits for the bank</option></select></label>
<script>
addEventListener("message", async (event) => {
  if (event.source !== parent || event.data !== "generate") return;
  const answer = await fetch("/v1/tokens", { method: "POST", body: new URLSearchParams({ card: document.querySelector("select").value }) });
  parent.postMessage(answer.ok ? { token: await answer.text() } : { error: "The card is not valid" }, "*");
});
</script>
</html>`))

// twocheckoutBankPage is the page of the payer's bank.
var twocheckoutBankPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated bank</title>
<h1>Simulated bank</h1>
<form method="post"><input type="hidden" name="avng8apitoken" value="{{.}}">
<button name="do" value="confirm">Confirm</button><button name="do" value="refuse">Refuse</button><button name="do" value="back">Back</button></form>
</html>`))

// browserRoutes serves browsers.
func (s *Twocheckout) browserRoutes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/2pay.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(twocheckoutScript)
	})
	mux.HandleFunc("GET /v1/card", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("merchant") != s.keys.MerchantCode {
			http.Error(w, "this merchant is unknown", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = twocheckoutFields.Execute(w, nil) // fails if the browser has left
	})
	mux.HandleFunc("POST /v1/tokens", func(w http.ResponseWriter, r *http.Request) {
		switch card := r.FormValue("card"); card {
		case CardPaid, CardReceived, CardWaiting, CardDeclined, CardSecured:
			_, _ = w.Write([]byte(s.Token(card)))
		default:
			http.Error(w, "this card is not valid", http.StatusBadRequest)
		}
	})
	mux.HandleFunc("GET "+twocheckoutBank, s.showBank)
	mux.HandleFunc("POST "+twocheckoutBank, s.pressBank)
	return mux
}

// secured returns the order that waits for 3-D Secure.
func (s *Twocheckout) secured(token string) *twocheckoutOrder {
	for _, o := range s.orders {
		if token != "" && o.secure == token && o.status == "PENDING" {
			return o
		}
	}
	return nil
}

func (s *Twocheckout) showBank(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	token := r.FormValue("avng8apitoken")
	if s.secured(token) == nil {
		http.Error(w, "nothing waits here", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = twocheckoutBankPage.Execute(w, token) // fails if the browser has left
}

// pressBank handles a button of the bank's page and redirects to the shop.
func (s *Twocheckout) pressBank(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.secured(r.FormValue("avng8apitoken"))
	if o == nil {
		http.Error(w, "nothing waits here", http.StatusBadRequest)
		return
	}
	switch r.FormValue("do") {
	case "confirm":
		s.setStatus(o, "COMPLETE")
	case "refuse":
		o.errors = map[string]string{"3DS_FAILED": "The bank has refused"}
	}
	http.Redirect(w, r, o.back, http.StatusSeeOther)
}
