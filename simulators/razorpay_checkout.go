package simulators

import (
	_ "embed" // of razorpay.js
	"html/template"
	"net/http"
	"strings"
	"time"
)

//go:embed razorpay.js
var razorpayScript []byte

func openRazorpay(at string, clock func() time.Time) (Account, map[string]string) {
	keys := KeysRazorpay{KeyID: "rzp_test_simulated", KeySecret: "rzp_secret_simulated", WebhookSecret: "rzp_webhook_simulated", Clock: clock}
	return NewRazorpay(keys), map[string]string{
		"RAZORPAY_KEY_ID": keys.KeyID, "RAZORPAY_KEY_SECRET": keys.KeySecret, "RAZORPAY_WEBHOOK_SECRET": keys.WebhookSecret,
		"RAZORPAY_BASE_URL": at, "RAZORPAY_SCRIPT_URL": at + "/v1/checkout.js",
	}
}

// razorpayWindow is the payer's window: a frame over the shop's page, or a page for browsers without scripts.
var razorpayWindow = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Payment</title>
<style>body { margin: 0; min-height: 100vh; display: grid; place-content: center; font: 1rem sans-serif; background: #fff; color: #111 } button { font: inherit; padding: .6rem 1.4rem; margin: .3rem }</style>
<h1>Simulated Razorpay</h1>
{{with .Refusal}}<p role="alert">{{.}}</p>{{else}}
{{with .Said}}<p role="status">{{.}}</p>{{end}}
<form method="post" action="{{.Action}}">
{{range $name, $value := .Fields}}<input type="hidden" name="{{$name}}" value="{{$value}}">{{end}}
<p>{{.Name}}: {{.Amount}} paise</p>
<button name="do" value="pay">Pay</button><button name="do" value="decline">Decline</button><button name="do" value="close">Close</button>
</form>{{end}}
{{with .Message}}<script>parent.postMessage({{.}}, "*")</script>{{end}}
</html>`))

// razorpayBack is the page that posts the browser back to the shop.
var razorpayBack = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Back to the shop</title>
<form method="post" action="{{.Action}}">{{range $name, $value := .Fields}}<input type="hidden" name="{{$name}}" value="{{$value}}">{{end}}<button>Back to the shop</button></form>
<script>document.forms[0].submit()</script>
</html>`))

type razorpayView struct {
	Action, Name, Amount, Said, Refusal string
	Fields                              map[string]string
	Message                             map[string]any // the frame's message to the shop's page
}

// razorpayError is the checkout's error for a failed attempt.
var razorpayError = map[string]string{"code": "BAD_REQUEST_ERROR", "description": "Payment was declined by the bank", "source": "bank", "step": "payment_authorization", "reason": "payment_failed"}

// serveCheckout serves browsers: the script, its window, and the page for browsers without scripts.
func (s *Razorpay) serveCheckout(w http.ResponseWriter, r *http.Request) {
	hosted := r.URL.Path == "/v1/checkout/embedded"
	switch {
	case r.URL.Path == "/v1/checkout.js":
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(razorpayScript)
		return
	case !hosted && r.URL.Path != "/v1/checkout/public", hosted && r.Method != http.MethodPost, r.ParseForm() != nil:
		http.NotFound(w, r)
		return
	}
	view := razorpayView{Action: r.URL.Path, Name: r.Form.Get("name"), Amount: r.Form.Get("amount"), Fields: map[string]string{}}
	for name := range r.Form {
		if name != "do" {
			view.Fields[name] = r.Form.Get(name)
		}
	}
	paid, refusal := s.press(r, hosted)
	view.Refusal = refusal
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	do := r.PostForm.Get("do")
	switch {
	case refusal != "" || do == "":
		_ = razorpayWindow.Execute(w, view)
	case hosted && do == "close":
		http.Redirect(w, r, r.Form.Get("cancel_url"), http.StatusSeeOther)
	case hosted:
		back := razorpayView{Action: r.Form.Get("callback_url"), Fields: paid}
		if paid == nil {
			back.Fields = map[string]string{}
			for name, text := range razorpayError {
				back.Fields["error["+name+"]"] = text
			}
		}
		_ = razorpayBack.Execute(w, back)
	default:
		switch do {
		case "pay":
			view.Message = map[string]any{"event": "success", "response": paid}
		case "decline":
			view.Message, view.Said = map[string]any{"event": "failed", "error": razorpayError}, "The payment failed. Try again."
		default:
			view.Message = map[string]any{"event": "dismiss"}
		}
		_ = razorpayWindow.Execute(w, view)
	}
}

// press handles a button of the window and returns the payment's fields for the browser, or the reason of a refusal.
func (s *Razorpay) press(r *http.Request, hosted bool) (paid map[string]string, refusal string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o := s.order(r.Form.Get("order_id"))
	switch {
	case r.Form.Get("key_id") != s.keys.KeyID:
		return nil, "The api key provided is invalid"
	case o == nil || o.id != r.Form.Get("order_id"):
		return nil, "The id provided does not exist"
	case s.orderJSON(o)["status"] == "paid":
		return nil, "This order has been paid already"
	case hosted && (r.Form.Get("callback_url") == "" || r.Form.Get("cancel_url") == ""):
		return nil, "The callback url is missing"
	}
	notes := map[string]any{}
	for name := range r.Form {
		if note, isNote := strings.CutPrefix(name, "notes["); isNote {
			notes[strings.TrimSuffix(note, "]")] = r.Form.Get(name)
		}
	}
	switch r.PostForm.Get("do") {
	case "pay":
		return s.signedReturn(s.pay(o, o.minor, o.currency, "captured", notes)), ""
	case "decline":
		s.pay(o, o.minor, o.currency, "failed", notes)
	}
	return nil, ""
}
