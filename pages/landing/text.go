package landing

import (
	"strings"

	"github.com/a-h/templ"

	"hiresure/admission"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

// prices marks the amounts of a page that a coupon reduces, for islands/enrolment/usePrice.ts. Its zero value marks none.
type prices struct {
	marks  *strings.Replacer
	struck *strings.Replacer // shows the fee struck, before the price
}

// pricesOf marks the amounts of a page, less off in minor units.
func pricesOf(page *content.Landing, off int64) prices {
	sum := func(minor int64) string { return components.Kerned(shortSum(page.Event, minor)) }
	fee := feeOf(page.Event)
	price, hidden := "<span data-price>"+sum(fee.Minor-off)+"</span>", ""
	if off == 0 {
		hidden = " hidden"
	}
	marks := []string{sum(fee.Minor), price}
	for _, band := range page.Ranks {
		if band.TuitionMinor > 0 {
			tuition := admission.Money{Minor: band.TuitionMinor}.Rupees()
			marks = append(marks, sum(band.InAllMinor), `<span data-price data-tuition="`+tuition.String()+`">`+sum(band.InAllMinor-off)+"</span>")
		}
	}
	was := `<s class="was" data-price-before` + hidden + `><span class="visually-hidden">Before: </span>` + fee.Short() + "</s> "
	return prices{strings.NewReplacer(marks...), strings.NewReplacer(sum(fee.Minor), was+price)}
}

// html returns a text with kerned and marked amounts.
func (p prices) html(words string) string {
	html := components.WholeKerned(words)
	if p.marks == nil {
		return html
	}
	return p.marks.Replace(html)
}

// struckHTML is html with the fee struck before a reduced price.
func (p prices) struckHTML(words string) string {
	return p.struck.Replace(components.WholeKerned(words))
}

func (p prices) struckSums(words string) templ.Component { return templ.Raw(p.struckHTML(words)) }

func (p prices) sums(words string) templ.Component { return templ.Raw(p.html(words)) }

// boldStruck renders text with bold spans, with the fee struck before a reduced price.
func (p prices) boldStruck(all []content.Span) templ.Component {
	return pages.BoldText(all, p.struckHTML)
}

// boldText renders text with bold spans.
func (p prices) boldText(all []content.Span) templ.Component { return pages.BoldText(all, p.html) }

// boldText renders text with bold spans and fixed prices.
func boldText(all []content.Span) templ.Component { return prices{}.boldText(all) }
