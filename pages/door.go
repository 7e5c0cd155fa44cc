package pages

import (
	"strconv"

	"hiresure/admission"
	"hiresure/content"
)

// Door has the texts of the application's door, with the numbers of its record.
type Door struct {
	content.Door
	Price string // "₹2,500.00"
}

// DoorOf returns the texts of the application's door.
func DoorOf(words *content.Library) Door {
	application := words.Application()
	door := Door{Door: application.Door, Price: admission.Money{Minor: application.FeeMinor, Currency: application.Currency}.String()}
	values := map[string]string{"seats": strconv.Itoa(application.Seats), "days": strconv.Itoa(application.AnswerDays), "fee": door.Price}
	for _, text := range []*string{&door.Text, &door.Who, &door.Second, &door.Answer} {
		*text = Fill(*text, values)
	}
	return door
}
