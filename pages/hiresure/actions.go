package hiresure

import (
	"time"

	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/web"
)

// link is a button.
type link struct {
	Text, Href string
	Download   bool
}

// actionOf returns the action of a registration; without Text there is none.
func actionOf(item registry.Item) link {
	r := item.Registration
	switch {
	case item.Action == status.NoAction:
		return link{}
	case item.Action == status.DownloadInvoice:
		return invoiceOf(item)
	case item.Phase == status.PaymentOpen:
		return seePayment(item)
	case item.Product == enrol.ProductApplication:
		return link{Text: string(item.Action), Href: continuePath(r)}
	}
	switch item.Action {
	case status.CompleteForm:
		return link{Text: string(item.Action), Href: web.ChangePath(r.EventSlug, r.ID)}
	case status.PayNow:
		return link{Text: string(item.Action), Href: web.PayForPath(r.ID)}
	}
	return link{}
}

// seePayment leads to an open payment: pressed "Pay Now" again, it might be paid twice.
func seePayment(item registry.Item) link {
	return link{Text: "See the payment", Href: attemptPath(item)}
}

// continuePath returns the page on which an application continues.
func continuePath(r enrol.Registration) string {
	return pages.ContinuePath(apply.Standing{Registration: &r, Step: r.Step, StepFact: r.Fact()})
}

// invoiceOf returns the link to a registration's invoice; without Text it has none.
func invoiceOf(item registry.Item) link {
	if item.Invoice == nil {
		return link{}
	}
	return link{Text: string(status.DownloadInvoice), Href: web.OwnPaperPath(item.Transaction.ID, web.InvoiceFile), Download: true}
}

// titleOf returns the programme's name, or its code if the content no longer has it.
func titleOf(item registry.Item) string {
	if item.Event.Title == "" {
		return "Programme " + item.Registration.EventCode
	}
	return item.Event.Title
}

// standingOf returns the status of a registration with its words.
func standingOf(library *content.Library, item registry.Item, now time.Time) pages.Standing {
	return pages.StandingOf(library, item.Facts, item.Status, item.Documents, now)
}

func badgeOf(item registry.Item) components.BadgeProps {
	fact := item.Registration.Fact()
	return components.BadgeProps{Text: fact.Status, Look: pages.BadgeLook(fact.Badge)}
}

// shownAssignee returns who acts next; nobody for an enrolled person, who only waits for the exam.
func shownAssignee(item registry.Item) components.AssigneeProps {
	if item.Product == enrol.ProductEnrolment && status.FeeOf(item.Product, item.Phase) == status.FeePaid {
		return components.AssigneeProps{}
	}
	return assigneeOf(item.Assignee)
}

func assigneeOf(assignee status.Assignee) components.AssigneeProps {
	return components.AssigneeProps{Who: pages.AssigneeClass(assignee)}
}
