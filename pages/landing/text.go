package landing

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"hiresure/components"
	"hiresure/content"
)

// runs is text with its bold stretches and kerned sums, without white space around it.
func runs(all []content.Run) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var parts []templ.Component
		for _, run := range all {
			if run.Bold {
				parts = append(parts, templ.Raw("<b>"), components.Sums(run.Text), templ.Raw("</b>"))
			} else {
				parts = append(parts, components.Sums(run.Text))
			}
		}
		return templ.Join(parts...).Render(ctx, w)
	})
}
