package content

import (
	"fmt"
	"regexp"
	"time"
)

// Coupon is a coupon to seed. Exactly one of Percent and AmountMinor is set.
type Coupon struct {
	Code          string    `yaml:"code"`
	Event         string    `yaml:"event"` // slug
	Percent       int       `yaml:"percent" words:"optional"`
	AmountMinor   int64     `yaml:"amount_minor" words:"optional"`
	ValidFrom     time.Time `yaml:"valid_from"`
	ValidUntil    time.Time `yaml:"valid_until"`
	TotalLimit    int       `yaml:"total_limit" words:"optional"`     // 0: no limit
	PerPhoneLimit int       `yaml:"per_phone_limit" words:"optional"` // 0: no limit
	BudgetMinor   int64     `yaml:"budget_minor" words:"optional"`    // limit on the total discount in paise; 0: no limit
}

// Referral is a referral code to seed, valid for every event. Its credit is paid to the owner as cashback.
type Referral struct {
	Code        string `yaml:"code"`
	OwnerName   string `yaml:"owner_name"`
	OwnerPhone  string `yaml:"owner_phone"` // E.164
	CreditMinor int64  `yaml:"credit_minor"`
}

var (
	couponShape   = regexp.MustCompile(`^[A-Z0-9]{5,20}$`)
	referralShape = regexp.MustCompile(`^[A-Za-z0-9]{1,10}$`)
	phoneShape    = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
	gstinShape    = regexp.MustCompile(`^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$`)
	sacShape      = regexp.MustCompile(`^[0-9]{6}$`)
	seriesShape   = regexp.MustCompile(`^[A-Z]{1,3}$`) // with /26-27/000001 at most 16 characters
)

func checkCoupons(coupons []Coupon, events map[string]eventFile) (faults []error) {
	known := map[string]bool{}
	for i, coupon := range coupons {
		refuse := refuser(&faults, fmt.Sprintf("coupons[%d].", i))
		refuse(!couponShape.MatchString(coupon.Code), "code: %q is not 5 to 20 capital letters and digits", coupon.Code)
		refuse(known[coupon.Code], "code: %q appears twice", coupon.Code)
		refuse(events[coupon.Event].Event.Slug == "", "event: %q is unknown", coupon.Event)
		refuse((coupon.Percent == 0) == (coupon.AmountMinor == 0), "percent: give either percent or amount_minor")
		refuse(coupon.Percent < 0 || coupon.Percent > 100, "percent: %d is not 1 to 100", coupon.Percent)
		refuse(coupon.AmountMinor < 0, "amount_minor: %d is negative", coupon.AmountMinor)
		refuse(!coupon.ValidFrom.Before(coupon.ValidUntil), "valid_until: not after valid_from")
		refuse(coupon.TotalLimit < 0 || coupon.PerPhoneLimit < 0 || coupon.BudgetMinor < 0, "total_limit: a limit is negative")
		known[coupon.Code] = true
	}
	return faults
}

func checkReferrals(referrals []Referral) (faults []error) {
	known := map[string]bool{}
	for i, referral := range referrals {
		refuse := refuser(&faults, fmt.Sprintf("referrals[%d].", i))
		refuse(!referralShape.MatchString(referral.Code), "code: %q is not 1 to 10 letters and digits", referral.Code)
		refuse(known[referral.Code], "code: %q appears twice", referral.Code)
		refuse(!phoneShape.MatchString(referral.OwnerPhone), "owner_phone: %q is not +, country code and number", referral.OwnerPhone)
		refuse(referral.CreditMinor < 0, "credit_minor: %d is negative", referral.CreditMinor)
		known[referral.Code] = true
	}
	return faults
}

// checkSuppliers validates the suppliers. It rejects a series that counts two kinds of documents or documents of two
// GSTINs, so that numbers stay unique (rule 46 of the CGST Rules).
func checkSuppliers(suppliers []Supplier, site Site) (faults []error) {
	owners := map[string]string{} // "invoices of 29…" by series
	for i, supplier := range suppliers {
		refuse := refuser(&faults, fmt.Sprintf("suppliers[%d].", i))
		refuse(!gstinShape.MatchString(supplier.GSTIN), "gstin: %q is not a GSTIN", supplier.GSTIN)
		refuse(!sacShape.MatchString(supplier.SAC), "sac: %q is not six digits", supplier.SAC)
		refuse(!sacShape.MatchString(supplier.ApplicationSAC), "application_sac: %q is not six digits", supplier.ApplicationSAC)
		refuse(supplier.RateBP < 0 || supplier.RateBP > 10_000, "rate_bp: %d is not 0 to 10000 basis points", supplier.RateBP)
		refuse(supplier.PlaceOfSupply != "recipient_state", "place_of_supply: %q is not recipient_state", supplier.PlaceOfSupply)
		for _, kind := range []struct{ field, series, documents string }{
			{"series", supplier.Series, "invoices"}, {"credit_note_series", supplier.CreditNoteSeries, "credit notes"},
			{"debit_note_series", supplier.DebitNoteSeries, "debit notes"}, {"financial_note_series", supplier.FinancialNoteSeries, "notes without tax"},
		} {
			refuse(!seriesShape.MatchString(kind.series), "%s: %q is not one to three capital letters", kind.field, kind.series)
			owner := kind.documents + " of " + supplier.GSTIN
			other := owners[kind.series]
			refuse(other != "" && other != owner, "%s: %q counts the %s already", kind.field, kind.series, other)
			owners[kind.series] = owner
		}
		refuse(i > 0 && !suppliers[i-1].From.Before(supplier.From.Time), "from: not after the record before it")
		refuse(i == len(suppliers)-1 && supplier.Name != site.LegalName, "name: %q is not legal_name of site.yaml", supplier.Name)
	}
	return faults
}
