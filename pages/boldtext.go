package pages

import (
	"strings"

	"github.com/a-h/templ"

	"hiresure/content"
)

// BoldText renders text with bold spans and no white space around it; html returns the HTML of one span.
func BoldText(all []content.Span, html func(words string) string) templ.Component {
	var b strings.Builder
	for _, span := range all {
		if span.Bold {
			b.WriteString("<b>" + html(span.Text) + "</b>")
		} else {
			b.WriteString(html(span.Text))
		}
	}
	return templ.Raw(b.String())
}
