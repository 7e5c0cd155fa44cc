// Package document handles the documents of an application: resumable uploads, their checks and storage, access to them, and submission.
package document

import "slices"

// Kind is the kind of a document.
type Kind string

// The kinds of documents of an application.
const (
	Photo             Kind = "photo"
	IDProof           Kind = "idProof"
	Marksheet         Kind = "marksheet"
	IncomeCertificate Kind = "incomeCert"
)

// Unnamed is the kind of a document sent by an API client before it says which it is, on submission.
const Unnamed Kind = ""

// KindFact is all data of a kind, the single source for pages, API and rules.
type KindFact struct {
	Kind     Kind   // also the field name in a posted form (spec §3)
	Label    string // for display
	Word     string // for use within a sentence
	Wire     string // field of the address in a registration's record
	PDF      bool   // accepts PDF besides pictures
	Hint     string // which papers count as this document; "" if the label says it
	Required string // message if it is missing; "" for an optional kind
	TooLarge string // the message of spec "Uploads"
}

// Kinds lists all kinds in display order.
var Kinds = []KindFact{
	{Photo, "Passport photo", "photo", "passport_photo_url", false, "", "Photo is required", "Photo must be less than or equal to 2MB"},
	{IDProof, "Student ID", "student ID", "id_proof_url", true, "School, college or employee ID. None? A letter from your last school or your employer.", "ID Proof is required", "ID Proof must be less than or equal to 2MB"},
	{Marksheet, "Last Academic Marksheet", "last academic marksheet", "academic_marksheet_url", true, "", "Marksheet is required", "Marksheet must be less than or equal to 2MB"},
	{IncomeCertificate, "Family Income Certificate", "income certificate", "income_certificate_url", true, "", "", "Certification must be less than or equal to 2MB"},
}

// unnamedRules has the rules of an Unnamed file.
var unnamedRules = KindFact{Label: "Document", PDF: true, TooLarge: "File size is too big"}

// Rules returns the rules for files of a kind, including Unnamed.
func (k Kind) Rules() KindFact {
	if fact, known := k.Fact(); known {
		return fact
	}
	return unnamedRules
}

// Fact returns a kind's data; false for an unknown kind.
func (k Kind) Fact() (KindFact, bool) {
	i := slices.IndexFunc(Kinds, func(fact KindFact) bool { return fact.Kind == k })
	if i < 0 {
		return KindFact{}, false
	}
	return Kinds[i], true
}

// MaxBytes is the maximum size of a file (spec "Uploads").
const MaxBytes = 2 << 20

// Messages of spec "Uploads" for an unsupported type.
const (
	picturesOnly  = "Only JPG, JPEG, or PNG files are allowed"
	picturesOrPDF = "Only JPG, JPEG, PDF, or PNG files are allowed"
)

func (f KindFact) wrongType() string {
	if f.PDF {
		return picturesOrPDF
	}
	return picturesOnly
}
