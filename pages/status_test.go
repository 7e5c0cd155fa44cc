package pages_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

func library(t *testing.T) *content.Library {
	t.Helper()
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// Another needed kind of document is asked for without a change of any words.
func TestAdditionalRequiredDocumentIsRequested(t *testing.T) {
	kinds := document.Kinds
	t.Cleanup(func() { document.Kinds = kinds })
	document.Kinds = append(slices.Clone(kinds), document.KindFact{Kind: "bank", Label: "Bank Book", Word: "bank book", Required: "Bank book is required"})
	has := func(kinds ...document.Kind) pages.Standing {
		f := status.Facts{Registration: enrol.Registration{EventCode: enrol.ApplicationCode, Step: enrol.StepPaid}}
		var documents []document.Document
		for _, kind := range kinds {
			documents = append(documents, document.Document{Kind: kind})
		}
		return pages.StandingOf(library(t), f, status.Of(f, time.Now()), documents, time.Now())
	}
	for _, c := range []struct {
		pages.Standing
		title, asks string
	}{
		{has(), "Your documents are next", "Upload your documents, Photo, student ID, last academic marksheet, bank book"},
		{has(document.IncomeCertificate), "Four documents to go", "Upload your documents, Photo, student ID, last academic marksheet, bank book"},
		{has(document.Photo), "Three documents to go", "Student ID, Last Academic Marksheet and Bank Book, "},
		{has(document.Photo, document.IDProof, document.Marksheet), "One document to go", "Bank Book, "},
		{has(document.Photo, document.IDProof, document.Marksheet, "bank"), "All four documents are in", "Submit your documents, "},
	} {
		next := c.Next()[0]
		if title, asks := c.Title(), next.Title+", "+next.Text; title != c.title || asks != c.asks {
			t.Errorf("%q asks for %q, want %q and %q", title, asks, c.title, c.asks)
		}
	}
}

// Each phase that a product has has words on every surface that can show it, and on no other. An erased registration is in
// nobody's list. A closed event hides the other words: its pages show those of the phase before.
func TestEveryPhaseHasTexts(t *testing.T) {
	library := library(t)
	for _, product := range enrol.Products {
		for _, phase := range append(slices.Clone(status.Phases), "unknown") {
			words := library.Status(string(product), string(phase))
			fee := status.FeeOf(product, phase)
			shown := status.Has(product, phase) && phase != status.Erased
			due := slices.Contains([]status.Fee{status.FeeUnpaid, status.FeeWaiting, status.FeeMissing}, fee)
			enrolment := product == enrol.ProductEnrolment
			holdsNumber := enrolment && (due || fee == status.FeePaid || phase == status.RefundPending)
			for surface, want := range map[string]struct {
				has, needs bool
			}{
				"home":     {words.Home.Title != "" && len(words.Home.Lines) > 0, shown},
				"next":     {len(words.Next) > 0, status.AssigneeOf(product, phase) != status.Nobody},
				"step":     {words.Step != "", shown && (fee != status.FeePaid || phase == status.DocumentsDue)},
				"pay":      {words.Pay.Title != "" && words.Pay.Text != "", due && phase != status.Form || enrolment && fee != status.NoFee},
				"landing":  {words.Landing.Title != "" && words.Landing.Brief != "", enrolment && due},
				"another":  {words.Another.Title != "" && words.Another.Lead != "" && len(words.Another.Lines) > 0, holdsNumber},
				"sign_up":  {words.SignUp.Title != "", holdsNumber},
				"the knot": {stepStateOf(library, product, phase) != "", shown && phase != status.Closed},
			} {
				if want.has != want.needs {
					t.Errorf("%s, %s: %s has words: %v, want %v", product, phase, surface, want.has, want.needs)
				}
			}
		}
	}
}

func stepStateOf(library *content.Library, product enrol.Product, phase status.Phase) components.StepState {
	state, _ := pages.StandingOf(library, status.Facts{}, status.Status{Product: product, Phase: phase, Unclosed: phase}, nil, time.Now()).PaymentStep()
	return state
}

// The badge and the API's status follow from the step.
func TestEveryStepHasABadge(t *testing.T) {
	for _, step := range enrol.Steps[1:] { // the first is of nobody
		for _, refunded := range []bool{false, true} {
			r := enrol.Registration{Step: step, Refunded: refunded}
			if r.Status() == "" || pages.BadgeLook(r.Fact().Badge) == "" {
				t.Errorf("step %d, refunded: %v: the badge says %q and looks %q", step, refunded, r.Status(), pages.BadgeLook(r.Fact().Badge))
			}
		}
	}
}

func TestASentenceWithAnUnknownValueIsLeftOut(t *testing.T) {
	values := map[string]string{"amount": admission.INR(1499_00).String()}
	if got, want := pages.FillKnown([]string{"{amount} is paid.", "It closes on {closes}.", ""}, values), "₹1,499.00 is paid."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
