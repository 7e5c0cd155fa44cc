package landing

import (
	"slices"

	"hiresure/content"
	"hiresure/prose"
)

// papers returns the press, row by row.
func (v view) papers() (all []content.Link) {
	for _, row := range v.Press.Rows {
		all = append(all, row.Outlets...)
	}
	return all
}

// sampleVoices reports whether a testimonial is a sample.
func (v view) sampleVoices() bool {
	return slices.ContainsFunc(v.Testimonials, func(t content.Testimonial) bool { return t.Sample })
}

// paperCount returns the number of papers: "Eight papers".
func (v view) paperCount() string {
	return prose.Capital(content.InWords(len(v.papers()))) + " papers"
}
