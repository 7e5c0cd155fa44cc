package checkout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hiresure/components"
	"hiresure/pages"
)

// bringList is what to bring as a list to tick off, with the ticket itself.
func bringList(view pages.TicketView) (things []string) {
	for thing := range strings.SplitSeq(view.Ticket.Bring, ", ") {
		first, size := utf8.DecodeRuneInString(thing)
		things = append(things, string(unicode.ToUpper(first))+thing[size:])
	}
	return append(things, "This ticket, on paper or on the phone")
}

// daysAhead are the dates on the line that are to come.
func daysAhead(view pages.TicketView) (days []components.DateLineItem) {
	for _, item := range view.Dates.Items {
		if !item.Done {
			days = append(days, item)
		}
	}
	return days
}

// nameInSentence begins with a small letter.
func nameInSentence(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// operator returns the company that runs the site.
func operator(f pages.Frame) components.Party {
	name, address, gstin := f.Operator()
	return partyAt(name, strings.Join(address, "\n"), gstin)
}
