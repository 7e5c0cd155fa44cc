package enrol

import (
	"fmt"

	"hiresure/admission"
)

// CouponKind is how a coupon reduces a price.
type CouponKind string

const (
	PercentOff CouponKind = "percent"
	AmountOff  CouponKind = "amount"
)

// CouponTerms is the reduction that a coupon gives. The zero value reduces nothing.
type CouponTerms struct {
	Kind        CouponKind
	Percent     int   // for PercentOff: 1 to 100
	AmountMinor int64 // for AmountOff, in the price's currency
}

// Check validates the terms.
func (t CouponTerms) Check() error {
	switch t.Kind {
	case PercentOff:
		if t.Percent < 1 || t.Percent > 100 {
			return fmt.Errorf("coupon terms: %d percent is outside 1 to 100", t.Percent)
		}
	case AmountOff:
		if t.AmountMinor < 1 {
			return fmt.Errorf("coupon terms: an amount of %d lowers nothing", t.AmountMinor)
		}
	default:
		return fmt.Errorf("coupon terms: kind %q is unknown", t.Kind)
	}
	return nil
}

// Price is a price after discount: List - Discount = Final >= 0.
type Price struct {
	List, Discount, Final admission.Money
}

// Discounted applies terms to a list price. A percentage discount is rounded half up to the minor unit. Invalid terms
// reduce nothing.
func Discounted(list admission.Money, terms CouponTerms) Price {
	var off int64
	if terms.Check() == nil {
		off = terms.AmountMinor
		if terms.Kind == PercentOff {
			off = admission.RoundHalfUp(max(list.Minor, 0)*int64(terms.Percent), 100)
		}
	}
	off = min(off, max(list.Minor, 0))
	return Price{
		List:     list,
		Discount: admission.Money{Minor: off, Currency: list.Currency},
		Final:    admission.Money{Minor: list.Minor - off, Currency: list.Currency},
	}
}
