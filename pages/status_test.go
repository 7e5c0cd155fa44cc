package pages_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/status"
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

// Each phase that a product has is named and described on every surface that can show it, and no other phase is.
func TestEveryPhaseHasTexts(t *testing.T) {
	library := library(t)
	for _, product := range enrol.Products {
		for _, phase := range append(slices.Clone(status.Phases), "unknown") {
			words := library.Status(string(product), string(phase))
			has := status.Has(product, phase) && phase != status.Erased // an erased registration is in nobody's list
			if (words.Home.Title != "") != has {
				t.Errorf("%s, %s: home says %q, want words: %v", product, phase, words.Home.Title, has)
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
