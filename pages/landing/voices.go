package landing

import "hiresure/content"

// papers are who wrote about the programme, row by row.
func (v view) papers() (all []content.Link) {
	for _, row := range v.Press.Rows {
		all = append(all, row.Outlets...)
	}
	return all
}

// paperCount is how many they are: "Eight papers".
func (v view) paperCount() string {
	return content.Capital(content.InWords(len(v.papers()))) + " papers"
}
