package enrol_test

import (
	"testing"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

func TestDiscounted(t *testing.T) {
	for _, row := range []struct {
		sentence        string
		list            admission.Money
		terms           enrol.CouponTerms
		discount, final int64
	}{
		{"no coupon", admission.INR(149900), enrol.CouponTerms{}, 0, 149900},
		{"MGROW500 takes 500 off", admission.INR(149900), enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 50000}, 50000, 99900},
		{"HALFPRICE takes half", admission.INR(149900), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 50}, 74950, 74950},
		{"FULLSEAT takes all", admission.INR(149900), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}, 149900, 0},
		{"10 % leaves 1349.1", admission.INR(149900), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 10}, 14990, 134910},
		{"half a paisa is rounded up", admission.INR(149950), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 33}, 49484, 100466},
		{"less than half a paisa is dropped", admission.INR(149901), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 33}, 49467, 100434},
		{"1 % of one paisa is nothing", admission.INR(1), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 1}, 0, 1},
		{"50 % of one paisa is the paisa", admission.INR(1), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 50}, 1, 0},
		{"an amount of just the price", admission.INR(149900), enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 149900}, 149900, 0},
		{"an amount above the price stops at zero", admission.INR(149900), enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 200000}, 149900, 0},
		{"a free list price", admission.INR(0), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 50}, 0, 0},
		{"dollars stay dollars", admission.Money{Minor: 1900, Currency: "USD"}, enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 50}, 950, 950},
		{"101 %", admission.INR(149900), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 101}, 0, 149900},
		{"0 %", admission.INR(149900), enrol.CouponTerms{Kind: enrol.PercentOff}, 0, 149900},
		{"a negative amount never raises the price", admission.INR(149900), enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: -1}, 0, 149900},
		{"an unknown kind", admission.INR(149900), enrol.CouponTerms{Kind: "gift", Percent: 50, AmountMinor: 100}, 0, 149900},
		{"a percentage ignores a stray amount", admission.INR(149900), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 50, AmountMinor: 100}, 74950, 74950},
		{"an amount ignores a stray percentage", admission.INR(149900), enrol.CouponTerms{Kind: enrol.AmountOff, Percent: 50, AmountMinor: 100}, 100, 149800},
	} {
		currency := row.list.Currency
		want := enrol.Price{List: row.list, Discount: admission.Money{Minor: row.discount, Currency: currency}, Final: admission.Money{Minor: row.final, Currency: currency}}
		if got := enrol.Discounted(row.list, row.terms); got != want {
			t.Errorf("%s: got %+v, want %+v", row.sentence, got, want)
		}
	}
}

func TestDiscountedAddsUp(t *testing.T) {
	for list := range int64(2_000) {
		previous := int64(0)
		for percent := 1; percent <= 100; percent++ {
			price := enrol.Discounted(admission.INR(list), enrol.CouponTerms{Kind: enrol.PercentOff, Percent: percent})
			if price.List.Minor != price.Discount.Minor+price.Final.Minor || price.Final.Minor < 0 || price.Discount.Minor < previous {
				t.Fatalf("%d %% of %d: %+v", percent, list, price)
			}
			previous = price.Discount.Minor
		}
		if previous != list {
			t.Fatalf("100 %% of %d takes %d", list, previous)
		}
	}
}

func TestCouponTermsCheck(t *testing.T) {
	for _, row := range []struct {
		terms enrol.CouponTerms
		want  string
	}{
		{enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 1}, ""},
		{enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 100}, ""},
		{enrol.CouponTerms{Kind: enrol.AmountOff, AmountMinor: 1}, ""},
		{enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 0}, "coupon terms: 0 percent is outside 1 to 100"},
		{enrol.CouponTerms{Kind: enrol.PercentOff, Percent: 101}, "coupon terms: 101 percent is outside 1 to 100"},
		{enrol.CouponTerms{Kind: enrol.AmountOff}, "coupon terms: an amount of 0 lowers nothing"},
		{enrol.CouponTerms{}, `coupon terms: kind "" is unknown`},
	} {
		if got := refusal(row.terms.Check()); got != row.want {
			t.Errorf("%+v: got %q, want %q", row.terms, got, row.want)
		}
	}
}

// refusal is the text of an error; "" for none.
func refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
