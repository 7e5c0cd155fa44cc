package landing

import (
	"slices"

	"hiresure/content"
	"hiresure/prose"
)

// papers are who wrote about the programme, row by row.
func (v view) papers() (all []content.Link) {
	for _, row := range v.Press.Rows {
		all = append(all, row.Outlets...)
	}
	return all
}

// sampleVoices reports whether some of those who are quoted are made up.
func (v view) sampleVoices() bool {
	return slices.ContainsFunc(v.Testimonials, func(t content.Testimonial) bool { return t.Sample })
}

// paperCount is how many they are: "Eight papers".
func (v view) paperCount() string {
	return prose.Capital(content.InWords(len(v.papers()))) + " papers"
}
