package enrol

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/forms"
)

// Coupon is a price reduction for one event.
type Coupon struct {
	ID          string
	Code        string // upper case
	EventCode   string
	Terms       CouponTerms
	StartsAt    time.Time // zero: at once
	EndsAt      time.Time // zero: never
	MaxUses     int       // in all; 0: no limit
	MaxPerPhone int       // 0: no limit
	BudgetMinor int64     // sum of discounts, minor units; 0: no limit
}

// UseState says how far a use of a coupon has come.
type UseState string

const (
	UseHeld     UseState = "held" // a payment is open
	UseTaken    UseState = "used" // paid
	UseReleased UseState = "released"
	// UseOverLimit is a use that a late payment made when the coupon was used up already: it stands, and counts.
	UseOverLimit UseState = "over limit"
)

// CouponUse is one use: held when a payment starts, used when it is paid, released when it expires or fails.
type CouponUse struct {
	ID, CouponID, TxnID, Phone string
	DiscountMinor              int64
	State                      UseState
}

// CouponSpent is what the held and used uses of a coupon add up to.
type CouponSpent struct {
	Uses, ByPhone int
	DiscountMinor int64
}

const (
	CouponField   = "coupon_code"
	referralField = "referral_code"
	badCoupon     = "Invalid coupon code. Please check and try again."
	badReferral   = "Invalid referral code. Please check and try again."
	CouponGone    = "This coupon has just been used up."
)

// CouponAsk is a coupon that somebody tries. Phone is "" where it is not known yet.
type CouponAsk struct{ Code, EventCode, SubeventCode, Phone string }

// ApplyCoupon returns the price with a coupon. It holds nothing: only a payment that starts does.
func (s *Service) ApplyCoupon(ctx context.Context, v admission.Visitor, ask CouponAsk) (Price, error) {
	event, err := admission.OpenEvent(s.Events, s.Clock(), ask.EventCode, ask.SubeventCode)
	if err != nil {
		return Price{}, err
	}
	clean, faults := s.form().CheckOnly(map[string]string{CouponField: ask.Code}, forms.Env{}, CouponField)
	if problem := admission.FormProblem(faults); problem != nil {
		return Price{}, problem
	}
	if clean[CouponField] == "" {
		return Price{}, admission.FieldProblem(CouponField, badCoupon)
	}
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return Price{}, err
	}
	var price Price
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		if ask.Phone == "" {
			if ask.Phone, err = access.LatestVerifiedPhone(tx, v); err != nil {
				return err
			}
		}
		tries := []access.Limit{access.PerAddress("coupon", v, 10, time.Hour)}
		if ask.Phone != "" {
			tries = append(tries, access.Limit{Bucket: "coupon:phone:" + ask.Phone, Most: 10, Per: time.Hour, Lifted: true, Field: CouponField})
		}
		// A right code is asked for again each time that a form shows its price: for one session it counts once.
		shown := access.Limit{Bucket: "coupon:shown:" + v.SessionID + ":" + event.Code + ":" + clean[CouponField], Most: 1, Per: time.Hour, Lifted: true}
		once, err := s.Access.Within(tx, v, shown)
		again := admission.AsProblem(err) != nil
		if err != nil && !again {
			return err
		}
		if !again {
			if err := s.Access.Take(tx, v, tries...); err != nil {
				return err
			}
		}
		price, _, refusal = s.Price(tx, event, clean[CouponField], ask.Phone)
		if admission.AsProblem(refusal) != nil {
			return nil
		}
		if refusal != nil || again || v.SessionID == "" {
			return refusal
		}
		return access.Count(tx, s.Clock(), once...)
	})
	if err == nil {
		err = refusal
	}
	return price, err
}

// Price returns the event's price under a coupon code, "" for none, and the coupon. It locks the coupon.
func (s *Service) Price(tx Tx, event admission.Event, code, phone string) (Price, *Coupon, error) {
	if code == "" {
		return Price{List: event.Fee, Final: event.Fee, Discount: admission.Money{Currency: event.Fee.Currency}}, nil, nil
	}
	coupon, err := tx.CouponForUpdate(event.Code, code)
	if err != nil {
		return Price{}, nil, err
	}
	now := s.Clock()
	if coupon == nil || now.Before(coupon.StartsAt) || !coupon.EndsAt.IsZero() && !now.Before(coupon.EndsAt) {
		return Price{}, nil, admission.FieldProblem(CouponField, badCoupon)
	}
	spent, err := tx.CouponSpent(coupon.ID, phone)
	if err != nil {
		return Price{}, nil, err
	}
	price := Discounted(event.Fee, coupon.Terms)
	if coupon.MaxUses > 0 && spent.Uses >= coupon.MaxUses ||
		coupon.MaxPerPhone > 0 && phone != "" && spent.ByPhone >= coupon.MaxPerPhone ||
		coupon.BudgetMinor > 0 && spent.DiscountMinor+price.Discount.Minor > coupon.BudgetMinor {
		return Price{}, nil, admission.ConflictProblem(CouponField, CouponGone)
	}
	return price, coupon, nil
}

// UseCoupon takes the hold of an attempt, which has just been paid, for a use of its coupon, "" for none. A late success may
// be one over the coupon's limit: the person has paid, so it stands, and is counted as such.
func UseCoupon(tx Tx, r *Registration, code, txnID string, at time.Time) (over bool, err error) {
	if code == "" {
		return false, nil
	}
	if over, err = couponUsedUp(tx, r, code, txnID); err != nil {
		return false, err
	}
	state := UseTaken
	if over {
		state = UseOverLimit
		if err := Note(tx, r, at, EntryCouponOverLimit, txnID); err != nil {
			return false, err
		}
	}
	return over, tx.SetCouponUse(txnID, state)
}

// couponUsedUp reports whether the use of a coupon by an attempt, which has just been paid, is one more than the coupon
// allows. It locks the coupon.
func couponUsedUp(tx Tx, r *Registration, code, txnID string) (bool, error) {
	coupon, err := tx.CouponForUpdate(r.EventCode, code)
	if err != nil || coupon == nil {
		return false, err
	}
	use, err := tx.CouponUse(txnID)
	if err != nil || use == nil || use.State == UseHeld { // a hold has been counted all the time
		return false, err
	}
	spent, err := tx.CouponSpent(coupon.ID, "")
	if err != nil {
		return false, err
	}
	byPhone, err := tx.CouponSpent(coupon.ID, r.Phone)
	return coupon.MaxUses > 0 && spent.Uses >= coupon.MaxUses ||
		coupon.MaxPerPhone > 0 && byPhone.ByPhone >= coupon.MaxPerPhone ||
		coupon.BudgetMinor > 0 && spent.DiscountMinor+use.DiscountMinor > coupon.BudgetMinor, err
}

// Referral is a code that somebody gives to friends.
type Referral struct {
	Code, OwnerName, OwnerPhone string // no owner: deleted
	CreditMinor                 int64  // what the owner is due for one paid registration, paise
}

// ReferralCredit is what the owner of a referral code is due for one registration.
type ReferralCredit struct {
	ID, Code, RegistrationID string
	AmountMinor              int64
	CreatedAt                time.Time
	PaidAt                   time.Time // zero: not yet
	CancelledAt              time.Time // the registration was refunded: nothing is due, and what was paid is to come back; or the owner was deleted unpaid; zero: it stands
}

// CheckReferral reports whether a referral code may be used by somebody with this phone ("" where not known).
func (s *Service) CheckReferral(ctx context.Context, v admission.Visitor, code, phone string) error {
	clean, faults := s.form().CheckOnly(map[string]string{referralField: code}, forms.Env{}, referralField)
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	if clean[referralField] == "" {
		return admission.FieldProblem(referralField, badReferral)
	}
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return err
	}
	var refusal error
	err := s.Store.Update(ctx, func(tx Tx) error {
		if err := s.Access.Take(tx, v, access.PerAddress("referral", v, 10, time.Hour)); err != nil {
			return err
		}
		if refusal = goodReferral(tx, clean[referralField], phone); admission.AsProblem(refusal) != nil {
			return nil // it is counted
		}
		return refusal
	})
	if err == nil {
		err = refusal
	}
	return err
}

// goodReferral refuses a code that is unknown, the visitor's own, or that of an enrolment that has ended.
func goodReferral(tx Tx, code, phone string) error {
	if code == "" {
		return nil
	}
	referral, err := earning(tx, code)
	if err != nil {
		return err
	}
	if referral == nil || phone != "" && referral.OwnerPhone == phone {
		return admission.FieldProblem(referralField, badReferral)
	}
	if !IsOwnReferral(code) {
		return nil
	}
	owner, err := tx.RegistrationByOwnReferral(code)
	if err == nil && owner != nil && owner.Refunded {
		err = admission.FieldProblem(referralField, badReferral)
	}
	return err
}

// earning returns the referral of a code; nil where it is unknown, or its owner was deleted.
func earning(tx Tx, code string) (*Referral, error) {
	referral, err := tx.Referral(code)
	if err != nil || referral == nil || referral.OwnerPhone == "" {
		return nil, err
	}
	return referral, nil
}

// CreditReferral credits the owner of the code that a paid registration came by.
func CreditReferral(tx Tx, r *Registration, at time.Time) error {
	if r.ReferralCode == "" {
		return nil
	}
	referral, err := earning(tx, r.ReferralCode)
	if err != nil || referral == nil {
		return err
	}
	return tx.AddReferralCredit(ReferralCredit{ID: admission.NewID(), Code: referral.Code, RegistrationID: r.ID, AmountMinor: referral.CreditMinor, CreatedAt: at})
}
