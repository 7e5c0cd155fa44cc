package admission_test

import (
	"testing"

	. "hiresure/admission"
)

func TestDiscounted(t *testing.T) {
	for _, row := range []struct {
		sentence        string
		list            Money
		terms           CouponTerms
		discount, final int64
	}{
		{"no coupon", INR(149900), CouponTerms{}, 0, 149900},
		{"MGROW500 takes 500 off", INR(149900), CouponTerms{Kind: AmountOff, AmountMinor: 50000}, 50000, 99900},
		{"HALFPRICE takes half", INR(149900), CouponTerms{Kind: PercentOff, Percent: 50}, 74950, 74950},
		{"FULLSEAT takes all", INR(149900), CouponTerms{Kind: PercentOff, Percent: 100}, 149900, 0},
		{"10 % leaves 1349.1", INR(149900), CouponTerms{Kind: PercentOff, Percent: 10}, 14990, 134910},
		{"half a paisa is rounded up", INR(149950), CouponTerms{Kind: PercentOff, Percent: 33}, 49484, 100466},
		{"less than half a paisa is dropped", INR(149901), CouponTerms{Kind: PercentOff, Percent: 33}, 49467, 100434},
		{"1 % of one paisa is nothing", INR(1), CouponTerms{Kind: PercentOff, Percent: 1}, 0, 1},
		{"50 % of one paisa is the paisa", INR(1), CouponTerms{Kind: PercentOff, Percent: 50}, 1, 0},
		{"an amount of just the price", INR(149900), CouponTerms{Kind: AmountOff, AmountMinor: 149900}, 149900, 0},
		{"an amount above the price stops at zero", INR(149900), CouponTerms{Kind: AmountOff, AmountMinor: 200000}, 149900, 0},
		{"a free list price", INR(0), CouponTerms{Kind: PercentOff, Percent: 50}, 0, 0},
		{"dollars stay dollars", Money{1900, "USD"}, CouponTerms{Kind: PercentOff, Percent: 50}, 950, 950},
		{"101 %", INR(149900), CouponTerms{Kind: PercentOff, Percent: 101}, 0, 149900},
		{"0 %", INR(149900), CouponTerms{Kind: PercentOff}, 0, 149900},
		{"a negative amount never raises the price", INR(149900), CouponTerms{Kind: AmountOff, AmountMinor: -1}, 0, 149900},
		{"an unknown kind", INR(149900), CouponTerms{Kind: "gift", Percent: 50, AmountMinor: 100}, 0, 149900},
		{"a percentage ignores a stray amount", INR(149900), CouponTerms{Kind: PercentOff, Percent: 50, AmountMinor: 100}, 74950, 74950},
		{"an amount ignores a stray percentage", INR(149900), CouponTerms{Kind: AmountOff, Percent: 50, AmountMinor: 100}, 100, 149800},
	} {
		currency := row.list.Currency
		want := Price{List: row.list, Discount: Money{row.discount, currency}, Final: Money{row.final, currency}}
		if got := Discounted(row.list, row.terms); got != want {
			t.Errorf("%s: got %+v, want %+v", row.sentence, got, want)
		}
	}
}

func TestEveryPercentageOfEveryPriceAddsUp(t *testing.T) {
	for list := range int64(2_000) {
		previous := int64(0)
		for percent := 1; percent <= 100; percent++ {
			price := Discounted(INR(list), CouponTerms{Kind: PercentOff, Percent: percent})
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
		terms CouponTerms
		want  string
	}{
		{CouponTerms{Kind: PercentOff, Percent: 1}, ""},
		{CouponTerms{Kind: PercentOff, Percent: 100}, ""},
		{CouponTerms{Kind: AmountOff, AmountMinor: 1}, ""},
		{CouponTerms{Kind: PercentOff, Percent: 0}, "coupon terms: 0 percent is outside 1 to 100"},
		{CouponTerms{Kind: PercentOff, Percent: 101}, "coupon terms: 101 percent is outside 1 to 100"},
		{CouponTerms{Kind: AmountOff}, "coupon terms: an amount of 0 lowers nothing"},
		{CouponTerms{}, `coupon terms: kind "" is unknown`},
	} {
		if got := refusal(row.terms.Check()); got != row.want {
			t.Errorf("%+v: got %q, want %q", row.terms, got, row.want)
		}
	}
}
