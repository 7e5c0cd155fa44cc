package site

import (
	"context"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/content"
	"hiresure/store"
)

// Seed stores the coupons and referral codes of content that are missing.
func Seed(ctx context.Context, into *store.Store, words *content.Library) error {
	for _, from := range words.Coupons() {
		event, _ := words.Event(from.Event)
		terms := enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: from.AmountMinor}
		if from.Percent > 0 {
			terms = enrol.CouponTerms{Kind: enrol.PercentOff, Percent: from.Percent}
		}
		if err := into.SaveCoupon(ctx, enrol.Coupon{
			ID: admission.NewID(), Code: from.Code, EventCode: event.ScholarshipCode, Terms: terms, StartsAt: from.ValidFrom, EndsAt: from.ValidUntil,
			MaxUses: from.TotalLimit, MaxPerPhone: from.PerPhoneLimit, BudgetMinor: from.BudgetMinor,
		}); err != nil {
			return err
		}
	}
	for _, from := range words.Referrals() {
		if err := into.SaveReferral(ctx, enrol.Referral{Code: from.Code, OwnerName: from.OwnerName, OwnerPhone: from.OwnerPhone, CreditMinor: from.CreditMinor}); err != nil {
			return err
		}
	}
	return nil
}
