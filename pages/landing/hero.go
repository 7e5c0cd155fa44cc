package landing

import (
	"strconv"
	"strings"

	"hiresure/content"
)

// badgeIcons maps claims to icons.
var badgeIcons = map[string]string{"certification-badge": "certificate", "job-badge": "briefcase", "mentors-badge": "people"}

// sortedBadges returns the badges; those with conditions, which need a line of their own, are last.
func (v view) sortedBadges() (all []content.Statement) {
	var conditional []content.Statement
	for _, badge := range v.Badges {
		if badge.Answer == "" {
			all = append(all, badge)
		} else {
			conditional = append(conditional, badge)
		}
	}
	return append(all, conditional...)
}

// badgeText returns a badge with its condition, as a sentence before a link to the answer.
func badgeText(badge content.Statement) string {
	switch {
	case badge.Condition == "":
		return badge.Text
	case badge.Answer == "":
		return badge.Text + ", " + badge.Condition
	}
	return badge.Text + ", " + badge.Condition + "."
}

// totalByRank returns what each rank pays with the fee: ₹1,499 up to rank 250, ₹4,51,499 from rank 251. It is "" without published
// ranks.
func (v view) totalByRank() string {
	var parts []string
	for _, band := range v.Ranks {
		ranks := "\u00a0up\u00a0to\u00a0rank\u00a0" + strconv.Itoa(band.To)
		if band.To == 0 {
			ranks = "\u00a0from\u00a0rank\u00a0" + strconv.Itoa(band.From)
		}
		parts = append(parts, shortSum(v.Event, band.InAllMinor)+ranks)
	}
	return strings.Join(parts, ", ")
}

// feeLabel returns the label of the fee, which names an applied coupon.
func (v view) feeLabel() string {
	if coupon := v.Enrolment.Price.Coupon; coupon != "" {
		return v.Words.HeroFeeCoupon + " " + coupon
	}
	return v.Words.HeroFee
}

// applyStyle returns the button's style: outlined next to the form.
func (v view) applyStyle() string {
	if v.Layout == Apply {
		return "outline"
	}
	return "gold"
}

// answerHref returns the link to an answer on the same page.
func answerHref(id string) string { return "#" + id }
