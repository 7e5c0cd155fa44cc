package landing

import (
	"strconv"
	"strings"

	"hiresure/content"
)

// badgeIcons are the signs of the three badges, by claim.
var badgeIcons = map[string]string{"certification-badge": "certificate", "job-badge": "briefcase", "mentors-badge": "people"}

// proofs are the badges; those with conditions, which take a line of their own, stand last.
func (v view) proofs() (all []content.Statement) {
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

// told is a badge with its condition, as a sentence where a link to the answer follows.
func told(badge content.Statement) string {
	switch {
	case badge.Condition == "":
		return badge.Text
	case badge.Answer == "":
		return badge.Text + ", " + badge.Condition
	}
	return badge.Text + ", " + badge.Condition + "."
}

// inAll is what each rank pays with the fee: ₹1,499 up to rank 250, ₹4,51,499 from rank 251. It is "" where the event's
// promise of it may not be shown.
func (v view) inAll() string {
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

// applyLook is quiet where the form beside it is what one came for: its own button counts.
func (v view) applyLook() string {
	if v.Layout == Apply {
		return "outline"
	}
	return "gold"
}

// answerHref leads to an answer on the landing page.
func answerHref(id string) string { return "#" + id }
