package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
)

// checkoutLife is how long a checkout's key is good, and how long the browser that brought it may open that checkout.
const checkoutLife = 30 * time.Minute

// CheckoutKey returns a key for the address of a payment's checkout. An API client starts a payment with its token, and the payer's
// browser has no session: the key opens this checkout in the first browser that brings it, and nothing else.
func (s *Service) CheckoutKey(txnID string) string {
	return s.checkoutKey(txnID, s.Clock().Add(checkoutLife).Unix())
}

// RedeemCheckoutKey spends a key and records in the visitor's session, or a new one, that it may open the payment's checkout. A key that
// is wrong, over or spent changes nothing.
func (s *Service) RedeemCheckoutKey(ctx context.Context, v admission.Visitor, txnID, key string) error {
	end, _, _ := strings.Cut(key, "-")
	seconds, err := strconv.ParseInt(end, 36, 64)
	if err != nil || !hmac.Equal([]byte(key), []byte(s.checkoutKey(txnID, seconds))) || !s.Clock().Before(time.Unix(seconds, 0)) {
		return nil
	}
	var opened *Session
	err = s.Store.Update(ctx, func(tx Tx) error {
		opened = nil
		session, isNew, err := s.sessionFor(tx, v)
		if err != nil || session == nil {
			return err
		}
		fresh, err := tx.Spend("checkout:"+admission.HashToken(key), time.Unix(seconds, 0))
		if err != nil || !fresh {
			return err
		}
		session.recordVerification(checkoutGrant+txnID, s.Clock())
		if isNew {
			opened = session
		}
		return saveSession(tx, session, isNew)
	})
	if err == nil && opened != nil {
		reportOpened(v, opened, true)
	}
	return err
}

// MayOpenCheckout reports whether the visitor's session has brought a payment's key within half an hour.
func (s *Service) MayOpenCheckout(ctx context.Context, v admission.Visitor, txnID string) (may bool, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil {
			return err
		}
		at, granted := session.Proven[checkoutGrant+txnID]
		may = granted && s.Clock().Before(at.Add(checkoutLife))
		return nil
	})
	return may, err
}

// checkoutGrant begins the names of such grants among a session's verifications.
const checkoutGrant = "checkout "

func (s *Service) checkoutKey(txnID string, until int64) string {
	end := strconv.FormatInt(until, 36)
	mac := hmac.New(sha256.New, s.Pepper)
	mac.Write([]byte("checkout key\x00" + txnID + "\x00" + end))
	return end + "-" + hex.EncodeToString(mac.Sum(nil))
}
