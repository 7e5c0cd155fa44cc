package content

import (
	"fmt"
	"slices"
)

// Application is the record of the application: its title, its fee, and what the fee pays for.
type Application struct {
	Title        string   `yaml:"title"`
	State        string   `yaml:"state"` // open or closed
	Currency     string   `yaml:"currency"`
	FeeMinor     int64    `yaml:"fee_minor"`   // paise, all taxes included
	FeeFor       string   `yaml:"fee_for"`     // what the fee pays for, within a sentence
	FeeNote      string   `yaml:"fee_note"`    // next to the fee on the review page
	FeeWhy       string   `yaml:"fee_why"`     // what the fee pays for, on its own page
	FeeKept      string   `yaml:"fee_kept"`    // when it is not refunded, on its own page
	AnswerDays   int      `yaml:"answer_days"` // from the last document to the answer
	Seats        int      `yaml:"seats"`       // a year
	Door         Door     `yaml:"door"`
	Samples      []string `yaml:"samples" words:"optional"`
	TermsVersion string   `yaml:"terms_version"`
}

// Door has the texts of the page that starts an application, and of its places on the home page. {seats}, {days} and {fee}
// stand for numbers of the record.
type Door struct {
	Title  string `yaml:"title"`
	Text   string `yaml:"text"`
	Who    string `yaml:"who"`    // home of a new account
	Second string `yaml:"second"` // home of a payer
	Apart  string `yaml:"apart"`  // for somebody with an exam
	Fee    string `yaml:"fee"`
	Back   string `yaml:"back"` // when the fee is refunded
	Ready  string `yaml:"ready"`
	Time   string `yaml:"time"`
	Answer string `yaml:"answer"`
}

// AnswerBy returns when an applicant gets an answer, within a sentence.
func (a Application) AnswerBy() string {
	return fmt.Sprintf("within %d days of your last document", a.AnswerDays)
}

// Open reports whether applications are open.
func (a Application) Open() bool { return a.State == "open" }

// Application returns the record of the application.
func (l *Library) Application() Application { return clone(l.application) }

func (a Application) check(terms Page) (faults []error) {
	refuse := refuser(&faults, "")
	refuse(a.State != "open" && a.State != "closed", "state: %q is not open or closed", a.State)
	refuse(a.FeeMinor < 0, "fee_minor: %d is negative", a.FeeMinor)
	refuse(a.FeeMinor >= addressFrom, "fee_minor: %d: from ₹50,000 on an invoice names the buyer's address in full", a.FeeMinor)
	refuse(a.AnswerDays <= 0, "answer_days: %d is not above 0", a.AnswerDays)
	refuse(a.Seats <= 0, "seats: %d is not above 0", a.Seats)
	refuse(!twoDecimals[a.Currency], "currency: %q is not a currency that is known to have two decimals", a.Currency)
	refuse(a.TermsVersion != terms.Version, "terms_version: %s, but legal/terms.yaml is %s", a.TermsVersion, terms.Version)
	for _, name := range a.Samples {
		refuse(!slices.Contains([]string{"fee_minor", "fee_for", "fee_note", "fee_why", "fee_kept", "answer_days", "seats", "door"}, name), "samples: %q cannot be a sample", name)
	}
	return faults
}
