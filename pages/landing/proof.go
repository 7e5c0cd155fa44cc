package landing

import "hiresure/content"

// proofHead returns the record of the last batch while it may be shown.
func (v view) proofHead() content.Section {
	if batch, shown := v.Claim("last-batch"); shown {
		return content.Section{Title: batch.Figure, Text: batch.Text}
	}
	return v.Words.Sections.Proof
}
