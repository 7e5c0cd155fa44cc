package hiresure

import (
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/components"
	"hiresure/pages"
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
	switch {
	case item.Action == "":
		return link{}
	case item.Action == registry.DownloadInvoice:
		return invoiceOf(item)
	case r.IsApplication():
		return link{Text: string(item.Action), Href: goesOn(r)}
	}
	switch item.Action {
	case registry.CompleteForm:
		return link{Text: string(item.Action), Href: web.ChangePath(r.EventSlug, r.ID)}
	case registry.PayNow:
		return link{Text: string(item.Action), Href: web.PayForPath(r.ID)}
	}
	return link{}
}

// goesOn is the page on which an application goes on.
func goesOn(r enrol.Registration) string {
	return pages.GoesOn(apply.Standing{Registration: &r, Step: r.Step, StepFact: r.Fact()})
}

// invoiceOf leads to the invoice of a registration; without Text it has none.
func invoiceOf(item registry.Item) link {
	if item.Invoice == nil {
		return link{}
	}
	return link{Text: string(registry.DownloadInvoice), Href: web.OwnPaperPath(item.Payment.ID, web.InvoiceFile), Download: true}
}

// titleOf is the programme's name, also where the content has it no more.
func titleOf(item registry.Item) string {
	if item.Event.Title == "" {
		return "Programme " + item.Registration.EventCode
	}
	return item.Event.Title
}

// stepsOf are the five steps of an enrolment, or the six of an application.
func stepsOf(item registry.Item) components.KnotsProps {
	r := item.Registration
	if r.IsApplication() {
		return applicationSteps(item)
	}
	return components.PaidKnots(paymentKnot(item))
}

// paymentKnot is how the payment of a registration stands on the line of its steps.
func paymentKnot(item registry.Item) (state components.KnotState, text string) {
	switch r := item.Registration; {
	case r.Refunded:
		return components.KnotFailed, "went back"
	case item.Turn == registry.Ours && r.Step == enrol.StepPaying:
		return components.KnotWaiting, "is being checked"
	case r.Step == enrol.StepComplete:
		return components.KnotDone, ""
	case r.Step == enrol.StepPaying:
		return components.KnotWaiting, "waiting for the bank"
	case r.Step == enrol.StepUnpaid:
		return components.KnotFailed, "is missing"
	}
	return components.KnotNow, "is next"
}

func applicationSteps(item registry.Item) components.KnotsProps {
	switch r := item.Registration; {
	case r.Refunded, r.Step == enrol.StepPaying, r.Step == enrol.StepUnpaid, r.Step == enrol.StepAgreed:
		state, text := paymentKnot(item)
		return components.ApplicationKnots(components.PaymentStep, state, text)
	case r.Step == enrol.StepComplete:
		return components.ApplicationKnots(components.UploadStep+1, components.KnotDone, "")
	case r.Step == enrol.StepPaid:
		return components.ApplicationKnots(components.UploadStep, components.KnotNow, "is next")
	default: // the steps of the form, and the review behind them
		return components.ApplicationKnots(int(r.Step), components.KnotNow, "is next")
	}
}

func badgeOf(item registry.Item) components.BadgeProps {
	return components.BadgeProps{Text: item.Badge.Text, Look: string(item.Badge.Look)}
}

func turnOf(turn registry.Turn) components.TurnProps {
	return components.TurnProps{Whose: string(turn)}
}
