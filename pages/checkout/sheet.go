package checkout

import (
	"strings"

	"hiresure/components"
	"hiresure/pages"
	"hiresure/prose"
)

// bringList returns what to bring as a checklist, with the ticket.
func bringList(view pages.TicketView) (things []string) {
	for thing := range strings.SplitSeq(view.Ticket.Bring, ", ") {
		things = append(things, prose.Capital(thing))
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

// operator returns the company that runs the site.
func operator(f pages.Frame) components.Party {
	name, address, gstin := f.Operator()
	return partyAt(name, strings.Join(address, "\n"), gstin)
}
