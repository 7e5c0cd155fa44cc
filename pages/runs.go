package pages

import (
	"strings"

	"github.com/a-h/templ"

	"hiresure/content"
)

// Runs renders text with bold runs and no white space around it; html returns the HTML of one run.
func Runs(all []content.Run, html func(words string) string) templ.Component {
	var b strings.Builder
	for _, run := range all {
		if run.Bold {
			b.WriteString("<b>" + html(run.Text) + "</b>")
		} else {
			b.WriteString(html(run.Text))
		}
	}
	return templ.Raw(b.String())
}
