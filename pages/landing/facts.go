package landing

import (
	"strconv"
	"strings"

	"hiresure/admission"
	"hiresure/content"
	"hiresure/prose"
)

// tuitionNote returns the course's price by rank.
func tuitionNote(page *content.Landing) string {
	var costs []string
	for _, band := range page.Ranks {
		if band.Percent == 100 {
			continue
		}
		from := "from rank " + strconv.Itoa(band.From) + " "
		if len(costs) == 0 {
			from += "the tuition is "
		}
		costs = append(costs, from+shortSum(page.Event, band.TuitionMinor))
	}
	if len(costs) == 0 {
		return "Nobody has to start the course or pay tuition."
	}
	return prose.Capital(strings.Join(costs, ", ")) + ". You decide after the result."
}

// freeRanks returns the ranks that pay no tuition, as a sentence with a space; "" where everybody or nobody does.
func freeRanks(page *content.Landing) string {
	for i, band := range page.Ranks {
		if band.Percent == 100 && i+1 < len(page.Ranks) {
			return "Up to rank " + strconv.Itoa(page.Ranks[i+1].From-1) + " tuition is free. "
		}
	}
	return ""
}

// shortSum formats an amount in the event's currency: ₹4,50,000.
func shortSum(event content.Event, minor int64) string {
	return admission.Money{Minor: minor, Currency: event.Currency}.Short()
}
