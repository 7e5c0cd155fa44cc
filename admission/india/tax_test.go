package india_test

import (
	"reflect"
	"testing"

	"hiresure/admission/india"
)

const gst18 = 1800

func TestSplitTaxVectors(t *testing.T) {
	for _, row := range []struct {
		total           int64
		supplier, place string
		want            india.TaxSplit
	}{
		{149900, "29", "29", india.TaxSplit{Taxable: 127034, CGST: 11433, SGST: 11433}},
		{149900, "29", "27", india.TaxSplit{Taxable: 127034, IGST: 22866}},
		{149950, "29", "29", india.TaxSplit{Taxable: 127076, CGST: 11437, SGST: 11437}},
		{250000, "07", "07", india.TaxSplit{Taxable: 211864, CGST: 19068, SGST: 19068}},
		{250000, "07", "09", india.TaxSplit{Taxable: 211864, IGST: 38136}},
		{99900, "04", "04", india.TaxSplit{Taxable: 84662, CGST: 7619, UTGST: 7619}},
		{74950, "38", "38", india.TaxSplit{Taxable: 63516, CGST: 5717, UTGST: 5717}},
		{118000, "34", "34", india.TaxSplit{Taxable: 100000, CGST: 9000, SGST: 9000}},
		{45000000, "36", "36", india.TaxSplit{Taxable: 38135594, CGST: 3432203, SGST: 3432203}},
		{45000000, "36", "37", india.TaxSplit{Taxable: 38135593, IGST: 6864407}},
		{149901, "26", "26", india.TaxSplit{Taxable: 127035, CGST: 11433, UTGST: 11433}},
		{100, "27", "27", india.TaxSplit{Taxable: 84, CGST: 8, SGST: 8}},
		{59, "29", "29", india.TaxSplit{Taxable: 49, CGST: 5, SGST: 5}},
		{1, "27", "33", india.TaxSplit{Taxable: 1}},
		{2, "29", "29", india.TaxSplit{Taxable: 2}},
		{0, "29", "29", india.TaxSplit{}},
	} {
		got, err := india.SplitTax(row.total, gst18, row.supplier, row.place)
		if err != nil || got != row.want {
			t.Errorf("%d paise from %s to %s: got %+v, %v, want %+v", row.total, row.supplier, row.place, got, err, row.want)
		}
		if got.Total() != row.total {
			t.Errorf("%d paise from %s to %s: parts add up to %d", row.total, row.supplier, row.place, got.Total())
		}
	}
}

func TestSplitTaxAddsUp(t *testing.T) {
	size := func(n int64) int64 { return max(n, -n) }
	for _, rate := range []int64{gst18, 500} {
		for total := range int64(1_000_001) {
			within, err := india.SplitTax(total, int(rate), "29", "29")
			if err != nil {
				t.Fatal(err)
			}
			between, err := india.SplitTax(total, int(rate), "29", "27")
			if err != nil {
				t.Fatal(err)
			}
			nominal := (within.Taxable*rate/2 + 50_00) / 100_00
			switch {
			case within.Total() != total || between.Total() != total:
				t.Fatalf("%d at %d: parts do not add up: %+v, %+v", total, rate, within, between)
			case within.CGST != within.SGST:
				t.Fatalf("%d at %d: halves differ: %+v", total, rate, within)
			case within.UTGST != 0 || within.IGST != 0 || between.CGST != 0 || between.SGST != 0 || between.UTGST != 0:
				t.Fatalf("%d at %d: a head that does not apply: %+v, %+v", total, rate, within, between)
			case within.CGST < 0 || within.Taxable < 0 || between.IGST < 0 || between.Taxable < 0:
				t.Fatalf("%d at %d: negative: %+v, %+v", total, rate, within, between)
			case size(within.Taxable*(100_00+rate)-total*100_00) > 100_00+rate,
				size(between.Taxable*(100_00+rate)-total*100_00) > 100_00+rate:
				t.Fatalf("%d at %d: taxable value more than a paisa from exact: %+v, %+v", total, rate, within, between)
			case size(within.Tax()-between.Tax()) > 1:
				t.Fatalf("%d at %d: both ways differ by more than a paisa: %+v, %+v", total, rate, within, between)
			case size(within.CGST-nominal) > 1:
				t.Fatalf("%d at %d: CGST %d is more than a paisa from %d", total, rate, within.CGST, nominal)
			}
		}
	}
}

func TestSplitTaxErrors(t *testing.T) {
	for _, row := range []struct {
		total           int64
		rate            int
		supplier, place string
		want            string
	}{
		{-1, gst18, "29", "29", "split tax: -1 paise is outside 0 to 99999999999"},
		{100000000000, gst18, "29", "29", "split tax: 100000000000 paise is outside 0 to 99999999999"},
		{100, -1, "29", "29", "split tax: a rate of -1 basis points is outside 0 to 10000"},
		{100, 10001, "29", "29", "split tax: a rate of 10001 basis points is outside 0 to 10000"},
		{100, gst18, "28", "29", `split tax: supplier's state code "28" is unknown`},
		{100, gst18, "29", "", `split tax: place of supply's state code "" is unknown`},
		{100, gst18, "29", "Karnataka", `split tax: place of supply's state code "Karnataka" is unknown`},
	} {
		got, err := india.SplitTax(row.total, row.rate, row.supplier, row.place)
		if refusal(err) != row.want || got != (india.TaxSplit{}) {
			t.Errorf("%+v: got %+v, %q", row, got, refusal(err))
		}
	}
}

func TestSplitTaxOfLargestAmount(t *testing.T) {
	got, err := india.SplitTax(99999999999, 10000, "29", "27")
	if want := (india.TaxSplit{Taxable: 49999999999, IGST: 50000000000}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestRefundSplitsAddUpToInvoice(t *testing.T) {
	for _, row := range []struct {
		place string
		notes []india.TaxSplit
		sum   india.TaxSplit
	}{
		{
			"29",
			[]india.TaxSplit{
				{Taxable: 42372, CGST: 3814, SGST: 3814},
				{Taxable: 28249, CGST: 2542, SGST: 2542},
				{Taxable: 56413, CGST: 5077, SGST: 5077},
			},
			india.TaxSplit{Taxable: 127034, CGST: 11433, SGST: 11433},
		},
		{
			"27",
			[]india.TaxSplit{{Taxable: 42373, IGST: 7627}, {Taxable: 28248, IGST: 5085}, {Taxable: 56413, IGST: 10154}},
			india.TaxSplit{Taxable: 127034, IGST: 22866},
		},
	} {
		remaining := int64(149900)
		var sum india.TaxSplit
		for i, refund := range []int64{50000, 33333, 66567} {
			note, err := india.RefundSplit(remaining, remaining-refund, gst18, "29", row.place)
			if err != nil || note != row.notes[i] || note.Total() != refund {
				t.Errorf("refund of %d, 29 to %s: got %+v, %v, want %+v", refund, row.place, note, err, row.notes[i])
			}
			remaining -= refund
			sum.Taxable, sum.IGST = sum.Taxable+note.Taxable, sum.IGST+note.IGST
			sum.CGST, sum.SGST = sum.CGST+note.CGST, sum.SGST+note.SGST
		}
		if remaining != 0 || sum != row.sum {
			t.Errorf("29 to %s: notes add up to %+v with %d left, want %+v", row.place, sum, remaining, row.sum)
		}
	}
}

func TestRefundSplitOfOnePaisa(t *testing.T) {
	negativeTaxable := 0
	for before := int64(1); before <= 149900; before++ {
		note, err := india.RefundSplit(before, before-1, gst18, "29", "29")
		if err != nil || note.CGST < 0 || note.SGST < 0 || note.Taxable < -1 || note.Total() != 1 {
			t.Fatalf("from %d: got %+v, %v", before, note, err)
		}
		if note.Taxable < 0 {
			negativeTaxable++
		}
	}
	if negativeTaxable == 0 {
		t.Error("no taxable value of −1 was seen, of which RefundSplit's contract speaks")
	}
}

func TestRefundSplitErrors(t *testing.T) {
	for _, row := range []struct {
		before, after int64
		place, want   string
	}{
		{100, 100, "29", ""}, // nothing goes back
		{100, 101, "29", "split refund: 101 paise remain of 100"},
		{100, -1, "29", "split refund, after: split tax: -1 paise is outside 0 to 99999999999"},
		{100, 0, "28", `split refund, before: split tax: place of supply's state code "28" is unknown`},
	} {
		if _, err := india.RefundSplit(row.before, row.after, gst18, "29", row.place); refusal(err) != row.want {
			t.Errorf("%d to %d: got %q, want %q", row.before, row.after, refusal(err), row.want)
		}
	}
}

func TestTaxLines(t *testing.T) {
	for _, row := range []struct {
		sentence string
		split    india.TaxSplit
		rate     int
		want     []india.TaxLine
	}{
		{"a state", india.TaxSplit{127034, 11433, 11433, 0, 0}, 1800, []india.TaxLine{{"CGST 9%", 11433}, {"SGST 9%", 11433}}},
		{"a union territory", india.TaxSplit{84662, 7619, 0, 7619, 0}, 1800, []india.TaxLine{{"CGST 9%", 7619}, {"UTGST 9%", 7619}}},
		{"between states", india.TaxSplit{127034, 0, 0, 0, 22866}, 1800, []india.TaxLine{{"IGST 18%", 22866}}},
		{"halves of 5 %", india.TaxSplit{10000, 250, 250, 0, 0}, 500, []india.TaxLine{{"CGST 2.5%", 250}, {"SGST 2.5%", 250}}},
		{"5 % between states", india.TaxSplit{10000, 0, 0, 0, 500}, 500, []india.TaxLine{{"IGST 5%", 500}}},
		{"halves of 0.25 %", india.TaxSplit{80000, 100, 100, 0, 0}, 25, []india.TaxLine{{"CGST 0.125%", 100}, {"SGST 0.125%", 100}}},
		{"halves of 40 %", india.TaxSplit{10000, 2000, 2000, 0, 0}, 4000, []india.TaxLine{{"CGST 20%", 2000}, {"SGST 20%", 2000}}},
		{"halves of 0.1 %", india.TaxSplit{200000, 100, 100, 0, 0}, 10, []india.TaxLine{{"CGST 0.05%", 100}, {"SGST 0.05%", 100}}},
		{"no tax", india.TaxSplit{Taxable: 2}, 1800, nil},
	} {
		if got := row.split.Lines(row.rate); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.sentence, got, row.want)
		}
	}
}
