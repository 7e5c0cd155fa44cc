package landing

import (
	"hiresure/components"
	"hiresure/content"
	"hiresure/prose"
)

// programView is the programme by month, and its list.
type programView struct {
	Braid       components.BraidProps
	First, Rest []content.Inclusion // spec §2: the first three in one column, the others in the second
}

func newProgram(page *content.Landing) programView {
	event := page.Event
	first := min(3, len(page.Inclusions))
	return programView{
		Braid: components.BraidProps{
			N: event.Months, Done: 2 * event.TrainingMonths, Numbered: true,
			Label: prose.Capital(content.InWords(event.Months)) + " months: " + content.InWords(event.TrainingMonths) + " of training, then " + content.InWords(event.InternshipMonths) + " paid",
		},
		First: page.Inclusions[:first], Rest: page.Inclusions[first:],
	}
}
