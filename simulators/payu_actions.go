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

// Actions of payers, banks and staff at PayU. They panic for an unknown id.

// Pay pays a transaction and returns the payment's id.
func (s *PayU) Pay(txnid string) string { return s.attempt(txnid, "success", "captured", nil) }

// PayWrong pays a transaction with a wrong sum.
func (s *PayU) PayWrong(txnid string, minor int64) string {
	return s.attempt(txnid, "success", "captured", func(t *payuPayment) { t.minor = minor })
}

// PayLess pays a transaction with an offer's discount.
func (s *PayU) PayLess(txnid string, off int64) string {
	return s.attempt(txnid, "success", "captured", func(t *payuPayment) { t.off = off })
}

// PayMore pays a transaction plus PayU's convenience fee.
func (s *PayU) PayMore(txnid string, plus int64) string {
	return s.attempt(txnid, "success", "captured", func(t *payuPayment) { t.plus = plus })
}

// Authorise pays a transaction at an account that captures by hand.
func (s *PayU) Authorise(txnid string) string { return s.attempt(txnid, "success", "auth", nil) }

// Decline fails a transaction because the bank rejects it.
func (s *PayU) Decline(txnid string) string { return s.attempt(txnid, "failure", "failed", nil) }

// Leave fails a transaction because the payer cancels it on PayU's page.
func (s *PayU) Leave(txnid string) string { return s.attempt(txnid, "failure", "userCancelled", nil) }

// Bounce fails a transaction because the payer leaves without choosing a method.
func (s *PayU) Bounce(txnid string) string { return s.attempt(txnid, "failure", "bounced", nil) }

// Drop fails a transaction because the bank does not decide in time.
func (s *PayU) Drop(txnid string) string { return s.attempt(txnid, "failure", "dropped", nil) }

// SendBack fails a transaction that succeeded after it was dropped and that PayU therefore refunds.
func (s *PayU) SendBack(txnid string) string { return s.attempt(txnid, "failure", "autoRefund", nil) }

// LeavePending starts a transaction that the bank has not decided yet.
func (s *PayU) LeavePending(txnid string) string {
	return s.attempt(txnid, "pending", "in progress", nil)
}

// attempt sets the two statuses of a transaction, after adjust has changed it, and returns its PayU id.
func (s *PayU) attempt(txnid, status, unmapped string, adjust func(*payuPayment)) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t := s.find(txnid)
	if adjust != nil {
		adjust(t)
	}
	s.setStatus(t, status, unmapped)
	return strconv.FormatInt(t.id, 10)
}

func (s *PayU) setStatus(t *payuPayment, status, unmapped string) {
	t.status, t.unmapped = status, unmapped
	if status != "pending" && unmapped != "auth" {
		body := s.signed(t)
		for _, unsent := range []string{"surl", "furl"} {
			body.Del(unsent)
		}
		s.events = append(s.events, Event{http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, []byte(body.Encode())})
	}
}

// Return returns the form that the payer's browser posts, with the payment's current status.
func (s *PayU) Return(txnid string) url.Values {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.signed(s.find(txnid))
}

func (s *PayU) signed(t *payuPayment) url.Values {
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

// Sign returns a form with PayU's hash.
func (s *PayU) Sign(f url.Values) url.Values {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.sign(f)
}

func (s *PayU) sign(f url.Values) url.Values {
	text := fmt.Sprintf("%s|%s||||||%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", s.keys.Salt, f.Get("status"), f.Get("udf5"), f.Get("udf4"), f.Get("udf3"), f.Get("udf2"), f.Get("udf1"),
		f.Get("email"), f.Get("firstname"), f.Get("productinfo"), f.Get("amount"), f.Get("txnid"), f.Get("key"))
	if plus := f.Get("additionalCharges") + f.Get("additional_charges"); plus != "" { // at most one is set
		text = plus + "|" + text
	}
	f.Set("hash", payuHash(text))
	return f
}

// SlowRefunds keeps refunds queued until FinishRefund.
func (s *PayU) SlowRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slow = true
}

// FinishRefund changes a refund's status: success, failure, requested, in progress, pending.
func (s *PayU) FinishRefund(token, status string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	a := s.actions[slices.IndexFunc(s.actions, func(a *payuAction) bool { return a.token == token && a.kind == "refund" })]
	a.status = status
	s.notifyRefund(a)
}

// RefundThere refunds a payment on the dashboard.
func (s *PayU) RefundThere(paymentID string, minor int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.notifyRefund(s.addAction("refund", "dashboard"+strconv.FormatInt(s.next(), 36), "success", s.payment(paymentID), minor))
}

// NotifyRefunds subscribes to webhooks of refunds.
func (s *PayU) NotifyRefunds() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.refundWebhooks = true
}

// notifyRefund adds the unsigned webhook of a refund, if subscribed.
func (s *PayU) notifyRefund(a *payuAction) {
	if !s.refundWebhooks || a.status != "success" && a.status != "failure" {
		return
	}
	s.post(http.Header{}, map[string]any{
		"action": "refund", "status": a.status, "token": a.token, "request_id": strconv.FormatInt(a.id, 10), "mihpayid": strconv.FormatInt(a.of.id, 10),
		"merchantTxnId": a.of.txnid(), "amt": payuRupees(a.minor), "key": s.keys.Key, "bank_arn": nil, "bank_ref_num": nil, "refund_mode": "Back to source", "remark": nil,
	})
}

// Dispute opens a chargeback, or changes its status: New, Pending Response, Closed Customer Favour, ….
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

func (s *PayU) post(header http.Header, values map[string]any) {
	header.Set("Content-Type", "application/json")
	body, _ := json.Marshal(values) // numbers, text and times always marshal
	s.events = append(s.events, Event{header, body})
}

// Orders returns how many payers have opened PayU's page.
func (s *PayU) Orders() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.tries)
}

// Captured returns the sum captured in a currency.
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

// Refunded returns the sum refunded in a currency, with lost disputes.
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
