package hiresure

import (
	"strconv"

	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/components"
	"hiresure/web"
)

// link is where an action leads, and how its button reads.
type link struct {
	Text, Href string
	Download   bool
}

// actionOf is what a person can do about a registration; without Text nothing but looking at it.
func actionOf(item registry.Item) link {
	r := item.Registration
	switch item.Action {
	case registry.CompleteForm:
		return link{Text: string(item.Action), Href: web.ChangePath(r.EventSlug, r.ID)}
	case registry.PayNow:
		return link{Text: string(item.Action), Href: web.PayForPath(r.ID)}
	case registry.DownloadInvoice:
		return invoiceOf(item)
	}
	return link{}
}

// invoiceOf leads to the invoice of a registration; without Text it has none.
func invoiceOf(item registry.Item) link {
	if item.Invoice == nil {
		return link{}
	}
	return link{Text: string(registry.DownloadInvoice), Href: web.OwnInvoicePath(item.Payment.ID), Download: true}
}

// titleOf is the programme's name, also where the content has it no more.
func titleOf(item registry.Item) string {
	if item.Event.Title == "" {
		return "Programme " + item.Registration.EventCode
	}
	return item.Event.Title
}

// stepsOf are the five steps of an enrolment.
func stepsOf(item registry.Item) components.KnotsProps {
	switch {
	case item.Registration.Refunded:
		return components.PaidKnots(components.KnotFailed, "went back")
	case item.Turn == registry.Ours && item.Registration.Step == enrol.StepPaying:
		return components.PaidKnots(components.KnotWaiting, "is being checked")
	}
	switch item.Registration.Step {
	case enrol.StepComplete:
		return components.PaidKnots(components.KnotDone, "")
	case enrol.StepPaying:
		return components.PaidKnots(components.KnotWaiting, "waiting for the bank")
	case enrol.StepUnpaid:
		return components.PaidKnots(components.KnotFailed, "is missing")
	}
	return components.PaidKnots(components.KnotNow, "is next")
}

func badgeOf(item registry.Item) components.BadgeProps {
	return components.BadgeProps{Text: item.Badge.Text, Look: string(item.Badge.Look)}
}

func turnOf(turn registry.Turn) components.TurnProps {
	return components.TurnProps{Whose: string(turn)}
}

// numbers are written out up to ten.
var numbers = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func number(n int) string {
	if n < len(numbers) {
		return numbers[n]
	}
	return strconv.Itoa(n)
}
