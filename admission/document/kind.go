// Package document is the papers of an application: their uploads, which go on where they stopped, how they are judged and
// kept, who may open them, and how they are submitted.
package document

import "slices"

// Kind is which of the papers a document is.
type Kind string

// The papers that an application asks for.
const (
	Photo             Kind = "photo"
	IDProof           Kind = "idProof"
	Marksheet         Kind = "marksheet"
	IncomeCertificate Kind = "incomeCert"
)

// Unnamed is the kind of a document of which nobody has said yet which of the papers it is: a client of the API says so when
// it submits.
const Unnamed Kind = ""

// KindFact is what every page, call and rule says of a kind: one table, whoever asks.
type KindFact struct {
	Kind     Kind   // also its field in a posted form (spec §3)
	Label    string // as people read it
	Word     string // within a sentence
	Wire     string // its address in a registration's record
	PDF      bool   // a PDF may be, beside a picture
	Required string // the message where it is missing; "" where it may be
	TooLarge string // the message of spec "Uploads"
}

// Kinds are all of them, in the order in which they are asked for.
var Kinds = []KindFact{
	{Photo, "Passport photo", "photo", "passport_photo_url", false, "Photo is required", "Photo must be less than or equal to 2MB"},
	{IDProof, "Student ID", "student ID", "id_proof_url", true, "ID Proof is required", "ID Proof must be less than or equal to 2MB"},
	{Marksheet, "Last Academic Marksheet", "last academic marksheet", "academic_marksheet_url", true, "Marksheet is required", "Marksheet must be less than or equal to 2MB"},
	{IncomeCertificate, "Family Income Certificate", "income certificate", "income_certificate_url", true, "", "Certification must be less than or equal to 2MB"},
}

// anyPaper is what a file may be that is Unnamed.
var anyPaper = KindFact{Label: "Document", PDF: true, TooLarge: "File size is too big"}

// Rules are what a file of a kind may be, of an unnamed one too.
func (k Kind) Rules() KindFact {
	if fact, known := k.Fact(); known {
		return fact
	}
	return anyPaper
}

// Fact returns the row of a kind; false for what is none.
func (k Kind) Fact() (KindFact, bool) {
	i := slices.IndexFunc(Kinds, func(fact KindFact) bool { return fact.Kind == k })
	if i < 0 {
		return KindFact{}, false
	}
	return Kinds[i], true
}

// MostBytes is how large a file may be (spec "Uploads").
const MostBytes = 2 << 20

// Messages of spec "Uploads" for a file of another type.
const (
	picturesOnly = "Only JPG, JPEG, or PNG files are allowed"
	papersOnly   = "Only JPG, JPEG, PDF, or PNG files are allowed"
)

func (f KindFact) wrongType() string {
	if f.PDF {
		return papersOnly
	}
	return picturesOnly
}
