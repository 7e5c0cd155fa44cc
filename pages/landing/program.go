package landing

import (
	"strconv"

	"hiresure/components"
	"hiresure/content"
	"hiresure/prose"
)

// programView is the programme by month, and its list.
type programView struct {
	Braid       components.BraidProps
	Months      []month
	First, Rest []content.Inclusion // spec §2: the first three in one column, the others in the second
	More        string              // label that unfolds Rest on a phone
}

type month struct {
	Name string
	Paid bool
}

func newProgram(page *content.Landing) programView {
	event := page.Event
	first := min(3, len(page.Inclusions))
	view := programView{
		Braid: components.BraidProps{
			N: event.Months, Done: 2 * event.TrainingMonths, Numbered: true,
			Label: prose.Capital(content.InWords(event.Months)) + " months: " + content.InWords(event.TrainingMonths) + " of training, then " + content.InWords(event.InternshipMonths) + " paid",
		},
		First: page.Inclusions[:first], Rest: page.Inclusions[first:],
	}
	view.More = "and " + strconv.Itoa(len(view.Rest)) + " more"
	for i := range event.Months {
		// From the first of the month: the 31st of January and a month would be in March.
		begin := event.ClassesBegin.AddDate(0, i, 1-event.ClassesBegin.Day())
		view.Months = append(view.Months, month{begin.Format("January"), i >= event.TrainingMonths})
	}
	return view
}
