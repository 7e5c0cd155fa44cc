package simulators

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// What payers, banks and the academy's staff do at PayU. Each panics for an id that is unknown there: the test is wrong.

// Pay pays a transaction, and returns the payment's id.
func (s *PayU) Pay(txnid string) string { return s.happen(txnid, "success", "captured", nil) }

// PayWrong pays a transaction with another sum than was asked for.
func (s *PayU) PayWrong(txnid string, minor int64) string {
	return s.happen(txnid, "success", "captured", func(t *payuTry) { t.minor = minor })
}

// PayLess pays it after an offer has lowered the sum.
func (s *PayU) PayLess(txnid string, off int64) string {
	return s.happen(txnid, "success", "captured", func(t *payuTry) { t.off = off })
}

// PayMore pays it with what PayU adds for itself.
func (s *PayU) PayMore(txnid string, plus int64) string {
	return s.happen(txnid, "success", "captured", func(t *payuTry) { t.plus = plus })
}

// Authorise pays it at an account that captures by hand.
func (s *PayU) Authorise(txnid string) string { return s.happen(txnid, "success", "auth", nil) }

// Decline is a payment that the bank refuses.
func (s *PayU) Decline(txnid string) string { return s.happen(txnid, "failure", "failed", nil) }

// Leave is a payment that the payer cancels on PayU's page.
func (s *PayU) Leave(txnid string) string { return s.happen(txnid, "failure", "userCancelled", nil) }

// Bounce is one of which the payer has chosen no method, and has gone.
func (s *PayU) Bounce(txnid string) string { return s.happen(txnid, "failure", "bounced", nil) }

// Drop is one of which the bank has said nothing for too long.
func (s *PayU) Drop(txnid string) string { return s.happen(txnid, "failure", "dropped", nil) }

// SendBack is one that PayU had given up, heard of as paid, and has sent back by itself.
func (s *PayU) SendBack(txnid string) string { return s.happen(txnid, "failure", "autoRefund", nil) }

// Wait is a payment of which the bank has said nothing yet.
func (s *PayU) Wait(txnid string) string { return s.happen(txnid, "pending", "in progress", nil) }

func (s *PayU) happen(txnid, status, unmapped string, first func(*payuTry)) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t := s.find(txnid)
	if first != nil {
		first(t)
	}
	s.become(t, status, unmapped)
	return strconv.FormatInt(t.id, 10)
}

func (s *PayU) become(t *payuTry, status, unmapped string) {
	t.status, t.unmapped = status, unmapped
	if status != "pending" && unmapped != "auth" {
		body := s.signed(t)
		for _, unsent := range []string{"surl", "furl"} {
			body.Del(unsent)
		}
		s.events = append(s.events, Event{http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, []byte(body.Encode())})
	}
}

// Return is the form that PayU has the payer's browser post, as the payment stands now.
func (s *PayU) Return(txnid string) url.Values {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(s.find(txnid))
}

func (s *PayU) signed(t *payuTry) url.Values {
	f := url.Values{}
	for _, name := range []string{"key", "txnid", "amount", "productinfo", "firstname", "email", "phone", "udf1", "udf2", "udf3", "udf4", "udf5", "surl", "furl"} {
		f.Set(name, t.posted.Get(name))
	}
	f.Set("mihpayid", strconv.FormatInt(t.id, 10))
	f.Set("status", t.status)
	f.Set("unmappedstatus", t.unmapped)
	f.Set("mode", "UPI")
	f.Set("addedon", payuAt(t.at))
	f.Set("net_amount_debit", payuRupees(t.minor-t.off+t.plus))
	f.Set("discount", payuRupees(t.off))
	if t.plus > 0 {
		f.Set("additionalCharges", payuRupees(t.plus))
	}
	return s.sign(f)
}

// Sign is any form as PayU would send it: with the hash of what its documents say, in their order.
func (s *PayU) Sign(f url.Values) url.Values {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.sign(f)
}

func (s *PayU) sign(f url.Values) url.Values {
	text := fmt.Sprintf("%s|%s||||||%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", s.keys.Salt, f.Get("status"), f.Get("udf5"), f.Get("udf4"), f.Get("udf3"), f.Get("udf2"), f.Get("udf1"),
		f.Get("email"), f.Get("firstname"), f.Get("productinfo"), f.Get("amount"), f.Get("txnid"), f.Get("key"))
	if plus := f.Get("additionalCharges") + f.Get("additional_charges"); plus != "" { // it posts one of them
		text = plus + "|" + text
	}
	f.Set("hash", payuHash(text))
	return f
}

// SlowRefunds leaves refunds queued until FinishRefund.
func (s *PayU) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// FinishRefund moves a refund on: success, failure, requested, in progress, pending.
func (s *PayU) FinishRefund(token, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	a := s.actions[slices.IndexFunc(s.actions, func(a *payuAction) bool { return a.token == token && a.kind == "refund" })]
	a.status = status
	s.tellRefund(a)
}

// RefundThere is a refund that staff make on PayU's dashboard.
func (s *PayU) RefundThere(paymentID string, minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.tellRefund(s.act("refund", "dashboard"+strconv.FormatInt(s.next(), 36), "success", s.payment(paymentID), minor))
}

// TellRefunds is a subscription, on PayU's dashboard, to what becomes of refunds.
func (s *PayU) TellRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.tells = true
}

// tellRefund posts what became of a refund, where the academy has subscribed to that. PayU signs it by nothing.
func (s *PayU) tellRefund(a *payuAction) {
	if !s.tells || a.status != "success" && a.status != "failure" {
		return
	}
	s.post(http.Header{}, map[string]any{
		"action": "refund", "status": a.status, "token": a.token, "request_id": strconv.FormatInt(a.id, 10), "mihpayid": strconv.FormatInt(a.of.id, 10),
		"merchantTxnId": a.of.txnid(), "amt": payuRupees(a.minor), "key": s.keys.Key, "bank_arn": nil, "bank_ref_num": nil, "refund_mode": "Back to source", "remark": nil,
	})
}

// Dispute has the payer's bank open a chargeback, or move one on: New, Pending Response, Closed Customer Favour, ….
func (s *PayU) Dispute(paymentID, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t := s.payment(paymentID)
	t.lost = t.lost || status == "Closed Customer Favour"
	amount, number := payuRupees(t.minor), 1761758+slices.Index(s.tries, t)
	header := http.Header{}
	header.Set("X-PayU-Dispute-Webhook-Signature-Algorithm", "SHA512")
	header.Set("X-PayU-Dispute-Webhook-Signature-V2", payuHash(strings.Join([]string{s.keys.Key, paymentID, amount, strconv.Itoa(number), "RBI/BO", strings.ReplaceAll(status, " ", ""), s.keys.Salt}, "|")))
	s.post(header, map[string]any{
		"type": "payments", "event": "dispute", "reason_code": "Fraud - Card Present Environment", "mid": "2", "cb_id": number, "txn_id": paymentID, "cb_type": "RBI/BO",
		"due_date": "2026-03-31", "cb_amount": amount, "cb_status": status, "created_at": s.keys.Clock(), "updated_at": s.keys.Clock(),
	})
}

func (s *PayU) post(header http.Header, told map[string]any) {
	header.Set("Content-Type", "application/json")
	body, _ := json.Marshal(told) // numbers, text and times always marshal
	s.events = append(s.events, Event{header, body})
}

// Orders is how many payers have come to PayU's page.
func (s *PayU) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.tries)
}

// Captured is what was taken from payers for the academy.
func (s *PayU) Captured(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, t := range s.tries {
		if t.unmapped == "captured" && currency == "INR" {
			minor += t.minor - t.off
		}
	}
	return minor
}

// Refunded is what has gone back to them, disputes that were lost among it.
func (s *PayU) Refunded(currency string) (minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, a := range s.actions {
		if a.kind == "refund" && a.status == "success" && currency == "INR" {
			minor += a.minor
		}
	}
	for _, t := range s.tries {
		if t.lost && currency == "INR" {
			minor += t.minor - t.off
		}
	}
	return minor
}
