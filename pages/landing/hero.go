package landing

import "hiresure/content"

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

// answerHref leads to an answer on the landing page.
func answerHref(id string) string { return "#" + id }
