package checkout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hiresure/components"
	"hiresure/pages"
)

// examAhead reports whether somebody with this ticket still takes its exam.
func examAhead(k *pages.Kit, view pages.TicketView) bool {
	return !view.Ticket.Refunded && !view.Exam.IsZero() && !view.Exam.Over(k.Clock())
}

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

// runsIt is who runs the site, with the GSTIN of who invoices now.
func runsIt(k *pages.Kit) components.Party {
	words := k.Content.Current()
	supplier, _ := words.SupplierAt(k.Clock())
	return partyAt(words.Site().LegalName, strings.Join(words.Site().Address, "\n"), supplier.GSTIN)
}
