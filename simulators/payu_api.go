package simulators

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

var payuTime = time.FixedZone("IST", 19800)

func payuAt(at time.Time) string { return at.In(payuTime).Format(time.DateTime) }

// find returns the try of a txnid that verify_payment reports: the successful one, or the last.
func (s *PayU) find(txnid string) (found *payuPayment) {
	for _, t := range s.tries {
		if t.txnid() == txnid && (found == nil || found.status != "success") {
			found = t
		}
	}
	return found
}

func (s *PayU) payment(id string) *payuPayment {
	i := slices.IndexFunc(s.tries, func(t *payuPayment) bool { return strconv.FormatInt(t.id, 10) == id })
	if i < 0 {
		return nil
	}
	return s.tries[i]
}

func payuNo(message string) map[string]any { return map[string]any{"status": 0, "msg": message} }

func payuFetched(details any) map[string]any {
	return map[string]any{"status": 1, "msg": "1 out of 1 Transactions Fetched Successfully", "transaction_details": details}
}

func payuUnfetched(id string, what any) map[string]any {
	return map[string]any{"status": 0, "msg": "0 out of 1 Transactions Fetched Successfully", "transaction_details": map[string]any{id: what}}
}

// service serves postservice.php.
func (s *PayU) service(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm() // an invalid form has no fields
	s.mutex.Lock()
	defer s.mutex.Unlock()
	f := r.PostForm
	command, found := map[string]func(url.Values) map[string]any{
		"verify_payment": s.verify, "capture_transaction": s.capture, "cancel_refund_transaction": s.refund,
		"getAllRefundsFromTxnIds": s.refundsOf, "check_action_status": s.actionStatus, "get_transaction_info": s.list,
	}[f.Get("command")]
	var told map[string]any
	switch {
	case r.URL.Query().Get("form") != "2":
		w.WriteHeader(http.StatusNotImplemented) // PHP's serialization is not simulated
		return
	case f.Get("key") != s.keys.Key || f.Get("hash") != payuHash(f.Get("key")+"|"+f.Get("command")+"|"+f.Get("var1")+"|"+s.keys.Salt):
		told = payuNo("Invalid Hash.")
	case f.Get("var1") == "":
		told = payuNo("Parameter missing")
	case !found:
		told = payuNo("Invalid command")
	default:
		told = command(f)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(told)
}

func (s *PayU) verify(f url.Values) map[string]any {
	txnid := f.Get("var1")
	t := s.find(txnid)
	if t == nil {
		return payuUnfetched(txnid, map[string]any{"mihpayid": "Not Found", "status": "Not Found"})
	}
	debited := json.Number("0.00")
	if t.status == "success" {
		debited = json.Number(payuRupees(t.minor - t.off + t.plus))
	}
	return payuFetched(map[string]any{txnid: map[string]any{
		"mihpayid": strconv.FormatInt(t.id, 10), "request_id": "", "bank_ref_num": bankReference(t.at), "amt": payuRupees(t.minor), "transaction_amount": payuRupees(t.minor), "txnid": txnid,
		"additional_charges": payuRupees(t.plus), "productinfo": t.posted.Get("productinfo"), "firstname": t.posted.Get("firstname"), "bankcode": "UPI",
		"udf1": t.posted.Get("udf1"), "udf2": "", "udf3": "", "udf4": "", "udf5": "", "error_code": "E000", "addedon": payuAt(t.at), "payment_source": "payu",
		"net_amount_debit": debited, "disc": payuRupees(t.off), "mode": "UPI", "PG_TYPE": "UPI-PG", "status": t.status, "unmappedstatus": t.unmapped, "Merchant_UTR": nil,
	}})
}

// used reports whether any action of the account used a token.
func (s *PayU) used(token string) bool {
	return slices.ContainsFunc(s.actions, func(a *payuAction) bool { return a.token == token })
}

func (s *PayU) addAction(kind, token, status string, of *payuPayment, minor int64) *payuAction {
	a := &payuAction{id: s.next() % 1_000_000_000, of: of, kind: kind, token: token, status: status, minor: minor, at: s.keys.Clock()}
	s.actions = append(s.actions, a)
	return a
}

func (s *PayU) capture(f url.Values) map[string]any {
	t := s.payment(f.Get("var1"))
	minor, ok := payuPaise(f.Get("var3"))
	switch {
	case t == nil:
		return payuNo("Transaction not exists")
	case s.used(f.Get("var2")):
		return payuNo("Token already exists.")
	case t.unmapped == "captured":
		return payuNo("Capture already successful for this transaction")
	case t.unmapped != "auth":
		return payuNo("Invalid transaction status")
	case !ok || minor > t.minor:
		return payuNo("Amount more than allowed")
	}
	t.minor = minor
	a := s.addAction("capture", f.Get("var2"), "SUCCESS", t, minor)
	s.setStatus(t, "success", "captured")
	return map[string]any{"status": 1, "msg": "Capture Request Queued", "request_id": strconv.FormatInt(a.id, 10), "bank_ref_num": nil, "error_code": 102}
}

// remaining returns what is left of a payment after refunds, with pending ones.
func (s *PayU) remaining(t *payuPayment) int64 {
	held := t.minor - t.off
	for _, a := range s.actions {
		if a.of == t && a.kind == "refund" && a.status != "failure" {
			held -= a.minor
		}
	}
	return held
}

// refund refunds a captured payment or cancels an authorised one.
func (s *PayU) refund(f url.Values) map[string]any {
	t := s.payment(f.Get("var1"))
	token := f.Get("var2")
	minor, ok := payuPaise(f.Get("var3"))
	switch {
	case token == "":
		return payuNo("token is empty")
	case f.Get("var3") == "":
		return payuNo("amount is empty")
	case t == nil:
		return payuNo("transaction not exists")
	case s.used(token):
		return map[string]any{"status": 0, "msg": "token already used or request pending", "error_code": 106}
	case t.unmapped == "auth" && minor == t.minor:
		s.setStatus(t, "failure", "cancelled")
		a := s.addAction("cancel", token, "success", t, minor)
		return map[string]any{"status": 1, "msg": "Cancel Request Queued", "txn_update_id": strconv.FormatInt(a.id, 10), "bank_ref_num": nil}
	case len(token) > 23 || !ok || minor == 0 || t.unmapped != "captured" || minor > s.remaining(t):
		return payuNo("Refund request failed")
	}
	status := "success"
	if s.slow {
		status = "queued"
	}
	a := s.addAction("refund", token, status, t, minor)
	s.notifyRefund(a)
	return map[string]any{"status": 1, "msg": "Refund Request Queued", "request_id": strconv.FormatInt(a.id, 10), "bank_ref_num": nil, "mihpayid": t.id, "error_code": 102}
}

func (s *PayU) refundsOf(f url.Values) map[string]any {
	told := map[string]any{}
	for _, t := range s.tries {
		rows := []any{}
		for _, a := range s.actions {
			if a.of == t && a.kind == "refund" {
				rows = append(rows, map[string]any{
					"PayuID": strconv.FormatInt(t.id, 10), "RequestID": strconv.FormatInt(a.id, 10), "RefundToken": a.token, "PaymentGateway": "AXISPG",
					"Amount": payuRupees(a.minor), "Status": a.status, "RefundCreationDate": payuAt(a.at), "bank_ref_no": nil, "bank_arn": nil, "success_at": nil,
				})
			}
		}
		if t.txnid() == f.Get("var1") && len(rows) > 0 {
			told[strconv.FormatInt(t.id, 10)] = rows
		}
	}
	if len(told) == 0 {
		return map[string]any{"status": 1, "msg": "No Refunds Found for the transaction."}
	}
	return map[string]any{"status": 1, "msg": "Refunds fetched successfully.", "Refund Details": told}
}

// actionStatus returns an action by its id, or with var2 "payuid" all of a payment.
func (s *PayU) actionStatus(f url.Values) map[string]any {
	id, rows := f.Get("var1"), map[string]any{}
	for _, a := range s.actions {
		own, of := strconv.FormatInt(a.id, 10), strconv.FormatInt(a.of.id, 10)
		if f.Get("var2") == "payuid" && of == id || f.Get("var2") == "" && own == id {
			rows[own] = map[string]any{
				"mihpayid": of, "bank_ref_num": nil, "request_id": own, "amt": payuRupees(a.minor), "mode": "UPI", "action": a.kind, "token": a.token, "status": a.status,
				"bank_arn": nil, "settlement_id": nil, "amount_settled": nil, "UTR_no": nil, "value_date": nil, "refund_mode": "Back to Source",
			}
		}
	}
	if len(rows) == 0 {
		return payuUnfetched(id, "No action status found")
	}
	return payuFetched(map[string]any{id: rows})
}

// list returns the payments that started in a period.
func (s *PayU) list(f url.Values) map[string]any {
	from, err := time.ParseInLocation(time.DateTime, f.Get("var1"), payuTime)
	until, endErr := time.ParseInLocation(time.DateTime, f.Get("var2"), payuTime)
	if err != nil || endErr != nil {
		return payuNo("Invalid Date Entered. Date format should be yyyy-mm-dd hh:mm:ss")
	}
	rows := []any{}
	for _, t := range s.tries {
		if at := t.at.Truncate(time.Second); at.Before(from) || at.After(until) {
			continue
		}
		row := map[string]any{
			"id": strconv.FormatInt(t.id, 10), "action": "capture", "status": strings.ToUpper(t.status), "key": s.keys.Key, "txnid": t.txnid(), "addedon": payuAt(t.at),
			"amount": payuRupees(t.minor), "discount": payuRupees(t.off), "additional_charges": payuRupees(t.plus), "udf1": t.posted.Get("udf1"), "mode": "UPI",
		}
		if t.unmapped != "captured" {
			row["action"], row["status"] = "", t.unmapped
		}
		rows = append(rows, row)
	}
	return map[string]any{"status": 1, "msg": "Transaction Fetched Successfully", "Transaction_details": rows}
}
