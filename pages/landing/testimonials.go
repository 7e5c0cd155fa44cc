package landing

import (
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

// paperCount returns the number of papers: "Eight papers".
func (v view) paperCount() string {
	return prose.Capital(content.InWords(len(v.papers()))) + " papers"
}
