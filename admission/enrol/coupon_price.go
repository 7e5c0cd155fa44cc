package enrol

import (
	"fmt"

	"hiresure/admission"
)

// CouponKind says how a coupon lowers a price.
type CouponKind string

// Kinds of coupon.
const (
	PercentOff CouponKind = "percent"
	AmountOff  CouponKind = "amount"
)

// CouponTerms is by how much a coupon lowers a price. The zero value lowers nothing.
type CouponTerms struct {
	Kind        CouponKind
	Percent     int   // of PercentOff: 1 to 100
	AmountMinor int64 // of AmountOff: in the currency of the price it is applied to
}

// Check says what is wrong with the terms, if anything.
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

// Price is what a visitor sees and owes: List less Discount is Final, which is never below zero.
type Price struct {
	List, Discount, Final admission.Money
}

// Discounted applies terms to a list price. A percentage is rounded to the minor unit, halves up, on the discount.
// Terms that Check refuses lower nothing.
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
