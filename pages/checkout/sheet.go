package checkout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hiresure/components"
	"hiresure/pages"
)

// bringList returns what to bring as a checklist, with the ticket.
func bringList(view pages.TicketView) (things []string) {
	for thing := range strings.SplitSeq(view.Ticket.Bring, ", ") {
		first, size := utf8.DecodeRuneInString(thing)
		things = append(things, string(unicode.ToUpper(first))+thing[size:])
	}
	return append(things, "This ticket, on paper or on the phone")
}

// daysAhead returns the coming dates of the line.
func daysAhead(view pages.TicketView) (days []components.DateLineItem) {
	for _, item := range view.Dates.Items {
		if !item.Done {
			days = append(days, item)
		}
	}
	return days
}

// nameInSentence returns a name with a small first letter.
func nameInSentence(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// operator returns the company that runs the site.
func operator(f pages.Frame) components.Party {
	name, address, gstin := f.Operator()
	return partyAt(name, strings.Join(address, "\n"), gstin)
}
