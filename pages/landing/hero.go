package landing

// badgeIcons maps claims to icons.
var badgeIcons = map[string]string{"certification-badge": "certificate", "job-badge": "briefcase", "mentors-badge": "people"}

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
