package enrol

import (
	"cmp"
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
	StartsAt    time.Time // zero: immediately
	EndsAt      time.Time // zero: never
	MaxUses     int       // in all; 0: no limit
	MaxPerPhone int       // 0: no limit
	BudgetMinor int64     // sum of discounts, minor units; 0: no limit
}

// HoldLimits returns the daily limit of a phone's attempts with a coupon that can be used up. Without it, failing payments could hold the last use for ever.
func (c *Coupon) HoldLimits(phone string) []access.Limit {
	if c == nil || c.MaxUses == 0 && c.BudgetMinor == 0 {
		return nil
	}
	return []access.Limit{{Bucket: "coupon-held:" + c.ID + ":" + phone, Max: 8, Per: 24 * time.Hour, Lifted: true}}
}

// UseState is the state of a coupon use.
type UseState string

const (
	UseHeld     UseState = "held" // a payment is open
	UseTaken    UseState = "used" // paid
	UseReleased UseState = "released"
	// UseOverLimit is a use by a late payment after the coupon was used up. It counts.
	UseOverLimit UseState = "over limit"
)

// CouponUse is one use of a coupon: held when a payment starts, used when it is paid, released when it fails or expires.
type CouponUse struct {
	ID, CouponID, TxnID, Phone string
	DiscountMinor              int64
	State                      UseState
}

// CouponSpent is the total of a coupon's held and used uses.
type CouponSpent struct {
	Uses, ByPhone int
	DiscountMinor int64
}

const (
	CouponField     = "coupon_code"
	referralField   = "referral_code"
	invalidCoupon   = "Invalid coupon code. Please check and try again."
	invalidReferral = "Invalid referral code. Please check and try again."
	CouponGone      = "This coupon has just been used up."
	CouponHeldOften = "You have started 8 payments with this coupon in a day. Pay without it, or use it again tomorrow."
)

// CouponRequest is a request to apply a coupon. Phone is "" if unknown.
type CouponRequest struct{ Code, EventCode, SubeventCode, Phone string }

// ApplyCoupon returns the price with a coupon. It does not hold the coupon: only starting a payment does.
func (s *Service) ApplyCoupon(ctx context.Context, v admission.Visitor, ask CouponRequest) (Price, error) {
	event, err := admission.OpenEvent(s.Events, s.Clock(), ask.EventCode, ask.SubeventCode)
	if err != nil {
		return Price{}, err
	}
	clean, faults := s.form().CheckOnly(map[string]string{CouponField: ask.Code}, forms.Env{}, CouponField)
	if problem := admission.FormProblem(faults); problem != nil {
		return Price{}, problem
	}
	if clean[CouponField] == "" {
		return Price{}, admission.FieldProblem(CouponField, invalidCoupon)
	}
	passed, err := s.Access.CheckHuman(ctx, v)
	if err != nil {
		return Price{}, err
	}
	var price Price
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		if err := passed.Enter(tx, v); err != nil {
			return err
		}
		if ask.Phone == "" {
			if ask.Phone, err = access.LatestVerifiedPhone(tx, v); err != nil {
				return err
			}
		}
		tries := []access.Limit{access.PerAddress("coupon", v, 10, time.Hour)}
		if ask.Phone != "" {
			tries = append(tries, access.Limit{Bucket: "coupon:phone:" + ask.Phone, Max: 10, Per: time.Hour, Lifted: true, Field: CouponField})
		}
		// Forms check a valid code again for each price they show: within a session it counts once.
		shown := access.Limit{Bucket: "coupon:shown:" + v.SessionID + ":" + event.Code + ":" + clean[CouponField], Max: 1, Per: time.Hour, Lifted: true}
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
		passed.Opened(v)
		err = refusal
	}
	return price, err
}

// ShownPrice returns the price with a coupon for a page that shows it, without a human check: of a link, or applied earlier. Only
// refused codes count against the visitor's address. Once those are too many, every code is a Problem of kind TooMany.
func (s *Service) ShownPrice(ctx context.Context, v admission.Visitor, ask CouponRequest) (price Price, err error) {
	event, err := admission.OpenEvent(s.Events, s.Clock(), ask.EventCode, ask.SubeventCode)
	if err != nil {
		return Price{}, err
	}
	refused := access.PerAddress("coupon-shown", v, 20, time.Hour)
	err = s.Store.View(ctx, func(tx Tx) error {
		if _, err := s.Access.Within(tx, v, refused); err != nil {
			return err
		}
		if ask.Phone == "" {
			if ask.Phone, err = access.LatestVerifiedPhone(tx, v); err != nil {
				return err
			}
		}
		price, _, err = s.Price(tx, event, ask.Code, ask.Phone)
		return err
	})
	if problem := admission.AsProblem(err); problem == nil || problem.Field != CouponField {
		return price, err
	}
	full := s.Store.Update(ctx, func(tx Tx) error { return s.Access.Take(tx, v, refused) })
	return Price{}, cmp.Or(full, err)
}

// Price returns the event's price with a coupon code ("" for none) and locks and returns the coupon.
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
		return Price{}, nil, admission.FieldProblem(CouponField, invalidCoupon)
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

// UseCoupon marks the coupon of a paid attempt as used. A late payment may exceed the coupon's limit: it is accepted and
// recorded as such.
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

// couponUsedUp reports whether a paid attempt's use exceeds the coupon's limits. It locks the coupon.
func couponUsedUp(tx Tx, r *Registration, code, txnID string) (bool, error) {
	coupon, err := tx.CouponForUpdate(r.EventCode, code)
	if err != nil || coupon == nil {
		return false, err
	}
	use, err := tx.CouponUse(txnID)
	if err != nil || use == nil || use.State == UseHeld { // counted already
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

// Referral is a referral code that its owner gives to friends.
type Referral struct {
	Code, OwnerName, OwnerPhone string // empty: the owner was deleted
	CreditMinor                 int64  // the owner's credit for each paid registration, in paise
}

// ReferralCredit is what the owner of a referral code earns for one registration.
type ReferralCredit struct {
	ID, Code, RegistrationID string
	AmountMinor              int64
	CreatedAt                time.Time
	PaidAt                   time.Time // zero: not yet
	CancelledAt              time.Time // when the registration was refunded or the unpaid owner deleted; zero: not cancelled
}

// CheckReferral returns nil if somebody with this phone ("" if unknown) may use a referral code.
func (s *Service) CheckReferral(ctx context.Context, v admission.Visitor, code, phone string) error {
	clean, faults := s.form().CheckOnly(map[string]string{referralField: code}, forms.Env{}, referralField)
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	if clean[referralField] == "" {
		return admission.FieldProblem(referralField, invalidReferral)
	}
	passed, err := s.Access.CheckHuman(ctx, v)
	if err != nil {
		return err
	}
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		if err := passed.Enter(tx, v); err != nil {
			return err
		}
		if err := s.Access.Take(tx, v, access.PerAddress("referral", v, 10, time.Hour)); err != nil {
			return err
		}
		if refusal = checkReferral(tx, clean[referralField], phone); admission.AsProblem(refusal) != nil {
			return nil // commit the count
		}
		return refusal
	})
	if err == nil {
		passed.Opened(v)
		err = refusal
	}
	return err
}

// checkReferral rejects a code that is unknown, the visitor's own, or of a refunded registration.
func checkReferral(tx Tx, code, phone string) error {
	if code == "" {
		return nil
	}
	referral, err := activeReferral(tx, code)
	if err != nil {
		return err
	}
	if referral == nil || phone != "" && referral.OwnerPhone == phone {
		return admission.FieldProblem(referralField, invalidReferral)
	}
	if !IsOwnReferral(code) {
		return nil
	}
	owner, err := tx.RegistrationByOwnReferral(code)
	if err == nil && owner != nil && owner.Refunded {
		err = admission.FieldProblem(referralField, invalidReferral)
	}
	return err
}

// activeReferral returns the referral of a code; nil if it is unknown or its owner was deleted.
func activeReferral(tx Tx, code string) (*Referral, error) {
	referral, err := tx.Referral(code)
	if err != nil || referral == nil || referral.OwnerPhone == "" {
		return nil, err
	}
	return referral, nil
}

// CreditReferral credits the owner of the referral code that a paid registration used.
func CreditReferral(tx Tx, r *Registration, at time.Time) error {
	if r.ReferralCode == "" {
		return nil
	}
	referral, err := activeReferral(tx, r.ReferralCode)
	if err != nil || referral == nil {
		return err
	}
	return tx.AddReferralCredit(ReferralCredit{ID: admission.NewID(), Code: referral.Code, RegistrationID: r.ID, AmountMinor: referral.CreditMinor, CreatedAt: at})
}
