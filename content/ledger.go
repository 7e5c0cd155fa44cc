package content

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// LedgerRow is a claim of the event as its page proves it: what it depends on, when it holds, and where that is written.
type LedgerRow struct {
	Claim     string `yaml:"claim"`                   // id
	Figure    string `yaml:"figure" words:"optional"` // with Text, instead of the claim's own
	Text      string `yaml:"text" words:"optional"`
	Condition string `yaml:"condition"`
	Date      string `yaml:"date"`
	Link      Link   `yaml:"link" words:"optional"` // to the section of a legal page that is the first source
	Source    string `yaml:"source"`
}

// Proof is a row of the ledger as a page shows it on a day.
type Proof struct {
	Figure    string // "" where the claim says none on this day
	Text      string
	Condition string
	Date      string
	Link      Link // without a label where no page is a source
	Source    string
}

// Sample reports whether the claim rests on evidence that was made up.
func (c Claim) Sample() bool { return strings.HasPrefix(c.Evidence, "Sample:") }

func checkLedger(rows []LedgerRow, claims map[string]bool) (faults []error) {
	for i, row := range rows {
		if !claims[row.Claim] {
			faults = append(faults, fmt.Errorf("ledger[%d].claim: no claim %q", i, row.Claim))
		}
		if (row.Figure == "") != (row.Text == "") {
			faults = append(faults, fmt.Errorf("ledger[%d]: figure and text go together", i))
		}
	}
	return faults
}

// checkLedgerLinks finds links of the ledger to what no legal page has.
func (l *Library) checkLedgerLinks(file eventFile) (faults []error) {
	for i, row := range file.Ledger {
		if row.Link == (Link{}) {
			continue
		}
		faults = append(faults, l.checkSection(row.Link.Href, fmt.Sprintf("events/%s.yaml: ledger[%d].link.href", file.Event.Slug, i)))
	}
	return faults
}

// checkSection refuses a link, which stands at a place, that leads to no section of a legal page.
func (l *Library) checkSection(href, place string) error {
	address, id, _ := strings.Cut(href, "#")
	slug, below := strings.CutPrefix(address, "/legal/")
	if below && slices.ContainsFunc(l.pages[slug].Sections, func(s PageSection) bool { return s.ID == id }) {
		return nil
	}
	return fmt.Errorf("content/%s: no section of a legal page behind %s", place, href)
}

// proofs are the rows of a day: a claim in its qualified wording loses the figure that the row gives it, and stands once.
func proofs(rows []LedgerRow, claims []Claim, at time.Time) (all []Proof, sample bool) {
	byID, shown := map[string]Claim{}, map[string]bool{}
	for _, claim := range claims {
		byID[claim.ID] = claim
	}
	for _, row := range rows {
		claim := byID[row.Claim]
		statement, says := claim.at(at)
		switch {
		case !says:
			continue
		case claim.qualifiedAt(at):
			if shown[claim.ID] {
				continue
			}
			row.Figure, row.Text = statement.Figure, statement.Text
		case row.Text == "":
			row.Figure, row.Text = statement.Figure, statement.Text
			if first, rest, _ := strings.Cut(row.Text, " "); row.Figure == "" && strings.ContainsAny(first, "0123456789") {
				row.Figure, row.Text = first, rest
			}
		}
		shown[claim.ID] = true
		sample = sample || claim.Sample()
		all = append(all, Proof{row.Figure, row.Text, row.Condition, row.Date, row.Link, row.Source})
	}
	return all, sample
}
