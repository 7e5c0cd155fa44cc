package payu

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/call"
)

// transaction is a transaction in verify_payment's response. PayU names no currency: it is INR.
type transaction struct {
	PaymentID text   `json:"mihpayid"`
	Ref       text   `json:"txnid"` // our MerchantRef
	TxnID     text   `json:"udf1"`  // ours
	Amount    text   `json:"amt"`   // as requested
	Discount  text   `json:"disc"`  // by an offer of the account
	Status    string `json:"status"`
	Unmapped  string `json:"unmappedstatus"` // captured, auth, userCancelled, bounced, dropped, failed, autoRefund, initiated, in progress, pending
	AddedOn   string `json:"addedon"`
	Mode      text   `json:"mode"`
	Reference text   `json:"bank_ref_num"`
}

var meansByMode = map[text]string{
	"BNPL": method.PayLater, "CASH": method.Wallet, "CC": method.CreditCard, "DC": method.DebitCard, "EMI": method.EMI, "NB": method.NetBanking,
	"NEFTRTGS": method.BankTransfer, "UPI": method.UPI,
}

func (t transaction) is(status string) bool         { return strings.EqualFold(t.Status, status) }
func (t transaction) isUnmapped(status string) bool { return strings.EqualFold(t.Unmapped, status) }
func (t transaction) taken() bool                   { return t.is("success") && t.isUnmapped("captured") }
func (t transaction) added() (time.Time, error) {
	return time.ParseInLocation(time.DateTime, t.AddedOn, admission.IST)
}

// sum returns the amount taken from the payer for us. After a discount it differs from the requested amount, and a person decides.
// Fees that PayU added for itself are not included.
func (t transaction) sum() (admission.Money, error) {
	asked, err := call.Digits(t.Amount).In(currency)
	if err != nil || t.Discount == "" {
		return asked, err
	}
	off, err := call.Digits(t.Discount).In(currency)
	asked.Minor -= off.Minor
	return asked, err
}

// authorised reports whether the bank has reserved this amount and it is not captured yet.
func (t transaction) authorised(sum admission.Money) bool {
	kept, err := t.sum()
	return err == nil && t.is("success") && t.isUnmapped("auth") && kept == sum
}

// find returns a transaction; ErrNoCharge if the payer's browser has not reached PayU.
func (g *Gateway) find(ctx context.Context, ref string) (transaction, error) {
	answer, err := g.command(ctx, "verify_payment", ref)
	if err != nil {
		return transaction{}, err
	}
	var all map[string]transaction
	if err := read(answer.Details, &all); err != nil {
		return transaction{}, err
	}
	switch found, there := all[ref]; {
	case there && strings.EqualFold(found.Status, "Not Found"):
		return transaction{}, method.ErrNoCharge
	case !there || !answer.ok() || string(found.Ref) != ref:
		return transaction{}, fmt.Errorf("%w: response has another transaction", method.ErrUnknown)
	default:
		return found, nil
	}
}

// status returns a transaction's status. A failure is final: another try is another transaction.
func (g *Gateway) status(ctx context.Context, in method.Intent, there transaction) (method.Status, error) {
	s := method.Status{TxnID: cmp.Or(string(there.TxnID), in.TxnID), Ref: string(there.Ref), Raw: there.Status + " " + there.Unmapped, State: method.ChargePending}
	switch {
	case there.is("failure"):
		s.State = method.ChargeFailed
	case there.taken():
		charge, err := there.charge()
		if err != nil {
			return method.Status{}, err
		}
		if _, err := g.addRefunds(ctx, there, &charge); err != nil { // the account may not be allowed to list refunds
			charge.State, charge.Refunded.Minor, charge.RefundsUnknown = method.ChargePaid, 0, true
		}
		s.State, s.Charges = charge.State, []method.Charge{charge}
	default:
		s.AtBank = slices.ContainsFunc([]string{"in progress", "pending"}, there.isUnmapped)
	}
	return s, nil
}

// charge returns the charge of a captured transaction, before refunds. PayU accepts each txnid once, so there is at most one.
func (t transaction) charge() (method.Charge, error) {
	sum, err := t.sum()
	if err != nil {
		return method.Charge{}, err
	}
	at, err := t.added()
	if err != nil {
		return method.Charge{}, fmt.Errorf("%w: no time", method.ErrUnknown)
	}
	return method.Charge{
		PaymentID: string(t.PaymentID), State: method.ChargePaid, Amount: sum, Refunded: admission.INR(0), At: at,
		Means: method.MeansOf(meansByMode[t.Mode], string(t.Reference)),
	}, nil
}

// addRefunds adds to a charge what was refunded and returns the sum of pending refunds, in paise.
func (g *Gateway) addRefunds(ctx context.Context, of transaction, charge *method.Charge) (pending int64, err error) {
	refunds, err := g.refundsOf(ctx, string(of.Ref))
	if err != nil {
		return 0, err
	}
	for _, r := range refunds {
		if r.PaymentID != of.PaymentID { // belongs to an earlier, failed attempt
			continue
		}
		back, err := call.Digits(r.Amount).In(currency)
		if err != nil {
			return 0, err
		}
		switch r.state() {
		case method.RefundDone:
			charge.Refunded.Minor += back.Minor
		case method.RefundAccepted:
			pending += back.Minor
		}
	}
	if charge.Refunded.Minor >= charge.Amount.Minor {
		charge.State = method.ChargeRefunded
	}
	return pending, nil
}

// refundsOf returns all refunds of a transaction.
func (g *Gateway) refundsOf(ctx context.Context, ref string) (refunds []refund, err error) {
	answer, err := g.command(ctx, "getAllRefundsFromTxnIds", ref)
	if err != nil {
		return nil, err
	}
	if !answer.ok() {
		return nil, fmt.Errorf("%w: refunds", method.ErrUnknown)
	}
	if answer.Refunds == nil {
		if !strings.Contains(strings.ToLower(answer.Message), "no refunds found") {
			return nil, fmt.Errorf("%w: refunds", method.ErrUnknown)
		}
		return nil, nil
	}
	var byPayment map[string][]refund
	if err := read(answer.Refunds, &byPayment); err != nil {
		return nil, err
	}
	for paymentID, some := range byPayment {
		for _, r := range some {
			if string(r.PaymentID) != paymentID {
				return nil, fmt.Errorf("%w: response has a refund of another payment", method.ErrUnknown)
			}
			refunds = append(refunds, r)
		}
	}
	return refunds, nil
}
