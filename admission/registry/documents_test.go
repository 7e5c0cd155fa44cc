package registry

import (
	"slices"
	"testing"

	"hiresure/admission/document"
	"hiresure/admission/enrol"
)

// What an application is asked for follows the kinds that there are.
func TestAnotherNeededDocumentIsAskedForToo(t *testing.T) {
	kinds := document.Kinds
	t.Cleanup(func() { document.Kinds = kinds })
	document.Kinds = append(slices.Clone(kinds), document.KindFact{Kind: "bank", Label: "Bank Book", Word: "bank book", Required: "Bank book is required"})
	has := func(of ...document.Kind) facts {
		f := facts{registration: enrol.Registration{EventCode: enrol.ApplicationCode, Step: enrol.StepPaid}}
		for _, kind := range of {
			f.documents = append(f.documents, document.Document{Kind: kind})
		}
		return f
	}
	for _, c := range []struct {
		facts
		title, asks string
	}{
		{has(), "Your documents are next", "Upload your documents, Photo, student ID, last academic marksheet, bank book"},
		{has(document.IncomeCertificate), "Four documents to go", "Upload your documents, Photo, student ID, last academic marksheet, bank book"},
		{has(document.Photo), "Three documents to go", "Student ID, Last Academic Marksheet and Bank Book, "},
		{has(document.Photo, document.IDProof, document.Marksheet), "One document to go", "Bank Book, "},
		{has(document.Photo, document.IDProof, document.Marksheet, "bank"), "All four documents are in", "Submit your documents, "},
	} {
		next := c.ahead(Yours)[0]
		if title, asks := c.standing().Title, next.Title+", "+next.Text; title != c.title || asks != c.asks {
			t.Errorf("%q asks for %q, want %q and %q", title, asks, c.title, c.asks)
		}
	}
}
