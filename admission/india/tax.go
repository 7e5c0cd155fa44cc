package india

import (
	"fmt"
	"strconv"
	"strings"

	"hiresure/admission"
)

// TaxSplit is a tax-inclusive amount split into its parts, in paise. The parts add up to the amount. CGST comes with either SGST or
// UTGST; IGST comes alone.
type TaxSplit struct {
	Taxable, CGST, SGST, UTGST, IGST int64
}

// Total returns the tax-inclusive amount, in paise.
func (s TaxSplit) Total() int64 { return s.Taxable + s.Tax() }

// Tax returns the sum of all taxes, in paise.
func (s TaxSplit) Tax() int64 { return s.CGST + s.SGST + s.UTGST + s.IGST }

// SplitTax splits a tax-inclusive amount in paise at a rate in basis points (1800 = 18 %) between two GST state codes ("29"). Within one
// state both halves are computed first and the rest is the taxable value, so that CGST equals SGST or UTGST; between states all tax is
// IGST. The taxable value may differ by a paisa between the two cases. It returns an error for an unknown code, an amount outside 0 to
// ₹99,99,99,999.99, and a rate outside 0–100 %.
// Source: CGST Act 2017, s.2(114), s.9; IGST Act 2017, s.5, s.12.
func SplitTax(totalMinor int64, rateBP int, supplierState, placeOfSupply string) (TaxSplit, error) {
	if totalMinor < 0 || totalMinor > admission.MaxMinor {
		return TaxSplit{}, fmt.Errorf("split tax: %d paise is outside 0 to %d", totalMinor, int64(admission.MaxMinor))
	}
	if rateBP < 0 || rateBP > 100_00 {
		return TaxSplit{}, fmt.Errorf("split tax: a rate of %d basis points is outside 0 to 10000", rateBP)
	}
	if _, known := StateByCode(supplierState); !known {
		return TaxSplit{}, fmt.Errorf("split tax: supplier's state code %q is unknown", supplierState)
	}
	place, known := StateByCode(placeOfSupply)
	if !known {
		return TaxSplit{}, fmt.Errorf("split tax: place of supply's state code %q is unknown", placeOfSupply)
	}

	rate := int64(rateBP)
	if supplierState != placeOfSupply {
		tax := admission.RoundHalfUp(totalMinor*rate, 100_00+rate)
		return TaxSplit{Taxable: totalMinor - tax, IGST: tax}, nil
	}
	half := admission.RoundHalfUp(totalMinor*rate, 2*(100_00+rate))
	split := TaxSplit{Taxable: totalMinor - 2*half, CGST: half}
	if place.SecondTax == UTGST {
		split.UTGST = half
	} else {
		split.SGST = half
	}
	return split, nil
}

// RefundSplit returns the split of a credit note that reduces the kept part of an invoice from before to after, in paise: split(before)
// − split(after), so that the credit notes of a fully refunded invoice add up to it. No tax is negative; the taxable value of a
// one-paisa refund can be −1. It returns the errors of SplitTax, and one for after > before.
func RefundSplit(beforeMinor, afterMinor int64, rateBP int, supplierState, placeOfSupply string) (TaxSplit, error) {
	if afterMinor > beforeMinor {
		return TaxSplit{}, fmt.Errorf("split refund: %d paise remain of %d", afterMinor, beforeMinor)
	}
	before, err := SplitTax(beforeMinor, rateBP, supplierState, placeOfSupply)
	if err != nil {
		return TaxSplit{}, fmt.Errorf("split refund, before: %w", err)
	}
	after, err := SplitTax(afterMinor, rateBP, supplierState, placeOfSupply)
	if err != nil {
		return TaxSplit{}, fmt.Errorf("split refund, after: %w", err)
	}
	return TaxSplit{
		Taxable: before.Taxable - after.Taxable,
		CGST:    before.CGST - after.CGST,
		SGST:    before.SGST - after.SGST,
		UTGST:   before.UTGST - after.UTGST,
		IGST:    before.IGST - after.IGST,
	}, nil
}

// TaxLine is a tax row of an invoice: "CGST 9%" and its paise.
type TaxLine struct {
	Label string
	Minor int64
}

// Lines returns the tax rows of a split made at rateBP. spec §4: a tax row shows only when it is greater than 0.
func (s TaxSplit) Lines(rateBP int) []TaxLine {
	var lines []TaxLine
	for _, head := range []struct {
		name  string
		minor int64
		share int
	}{
		{"CGST", s.CGST, 2}, {string(SGST), s.SGST, 2}, {string(UTGST), s.UTGST, 2}, {"IGST", s.IGST, 1},
	} {
		if head.minor > 0 {
			lines = append(lines, TaxLine{head.name + " " + percentOf(rateBP, head.share), head.minor})
		}
	}
	return lines
}

// Percent formats a rate in basis points: 1800 becomes "18%".
func Percent(rateBP int) string { return percentOf(rateBP, 1) }

// percentOf formats a rate divided by share: half of 1800 is "9%", of 500 "2.5%", of 25 "0.125%".
func percentOf(rateBP, share int) string {
	thousandths := rateBP * 10 / share
	decimals := strings.TrimRight(fmt.Sprintf(".%03d", thousandths%1000), ".0")
	return strconv.Itoa(thousandths/1000) + decimals + "%"
}
