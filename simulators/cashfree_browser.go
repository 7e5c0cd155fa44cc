package simulators

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"time"
)

// The payer's side of Cashfree: the merchant's checkout script opens Cashfree's page, which redirects to the order's
// return_url.

//go:embed cashfree.js
var cashfreeScript []byte

func openCashfree(at string, clock func() time.Time) (Account, map[string]string) {
	keys := KeysCashfree{AppID: "TEST_simulated", SecretKey: "cf_test_simulated", Clock: clock}
	return NewCashfree(keys), map[string]string{
		"CASHFREE_APP_ID": keys.AppID, "CASHFREE_SECRET_KEY": keys.SecretKey, "CASHFREE_BASE_URL": at + "/pg", "CASHFREE_SCRIPT_URL": at + "/checkout.js",
	}
}

const cashfreeCheckout = "/pg/view/sessions/checkout"

var cashfreePage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Simulated Cashfree</title>
<h1>Simulated Cashfree</h1>
<p>Order {{.ID}}: ₹{{.Rupees}}</p>
<form method="post" action="/pg/view/sessions/pay">
<input type="hidden" name="payment_session_id" value="{{.Session}}">
<button name="do" value="pay">Pay</button>
<button name="do" value="decline">Decline</button>
<button name="do" value="wait">Wait for the bank</button>
<button name="do" value="close">Close</button>
</form>
</html>
`))

// browserRoutes serves browsers with an order's session.
func (s *Cashfree) browserRoutes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /checkout.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(cashfreeScript)
	})
	mux.HandleFunc("POST "+cashfreeCheckout, s.showPage)
	mux.HandleFunc("POST /pg/view/sessions/pay", s.press)
	return mux
}

// orderOfSession returns the order that a session may pay.
func (s *Cashfree) orderOfSession(session string) (id, rupees string, back *url.URL) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, o := range s.orders {
		if o.session == session && o.status == "ACTIVE" {
			address, err := url.Parse(textOf(o.meta["return_url"]))
			if err == nil {
				return o.id, inRupees(o.minor).String(), address
			}
		}
	}
	return "", "", nil
}

func (s *Cashfree) showPage(w http.ResponseWriter, r *http.Request) {
	id, rupees, back := s.orderOfSession(r.FormValue("payment_session_id"))
	if back == nil {
		http.Error(w, "this session can not be paid", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = cashfreePage.Execute(w, struct{ ID, Rupees, Session string }{id, rupees, r.FormValue("payment_session_id")}) // fails if the browser has left
}

// press handles a button of the page.
func (s *Cashfree) press(w http.ResponseWriter, r *http.Request) {
	id, _, back := s.orderOfSession(r.FormValue("payment_session_id"))
	do := map[string]func(string) string{"pay": s.Pay, "decline": s.Decline, "wait": s.LeavePending, "close": s.Drop}[r.FormValue("do")]
	if back == nil || do == nil {
		http.Error(w, "this session can not be paid", http.StatusBadRequest)
		return
	}
	do(id)
	http.Redirect(w, r, back.String(), http.StatusSeeOther)
}
