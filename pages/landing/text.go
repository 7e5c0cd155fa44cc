package landing

import (
	"strings"

	"github.com/a-h/templ"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

// prices marks the sums of a page that a coupon makes less: the fee, and each sum that includes it. A script writes the
// coupon's price there (islands/enrolment/usePrice.ts). Its zero value marks none.
type prices struct{ marks *strings.Replacer }

// pricesOf marks the sums of a page, with what a coupon that counts already takes off in minor units.
func pricesOf(page *content.Landing, off int64) prices {
	sum := func(minor int64) string { return components.Kerned(shortSum(page.Event, minor)) }
	fee := feeOf(page.Event).Minor
	marks := []string{sum(fee), "<span data-price>" + sum(fee-off) + "</span>"}
	for _, band := range page.Ranks {
		if band.TuitionMinor > 0 {
			tuition := admission.Money{Minor: band.TuitionMinor}.Rupees()
			marks = append(marks, sum(band.InAllMinor), `<span data-price data-tuition="`+tuition.String()+`">`+sum(band.InAllMinor-off)+"</span>")
		}
	}
	return prices{strings.NewReplacer(marks...)}
}

// html is a text with its sums kerned, and those marked that a coupon makes less.
func (p prices) html(words string) string {
	html := components.WholeKerned(words)
	if p.marks == nil {
		return html
	}
	return p.marks.Replace(html)
}

func (p prices) sums(words string) templ.Component { return templ.Raw(p.html(words)) }

// runs is text with its bold stretches, without white space around it.
func (p prices) runs(all []content.Run) templ.Component { return pages.Runs(all, p.html) }

// runs is text with its bold stretches and kerned sums, of a page whose prices stay.
func runs(all []content.Run) templ.Component { return prices{}.runs(all) }
