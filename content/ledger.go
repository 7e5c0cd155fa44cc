package content

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// LedgerRow proves a claim on the event's page: its condition, date and source.
type LedgerRow struct {
	Claim     string `yaml:"claim"`                   // id
	Figure    string `yaml:"figure" words:"optional"` // with Text, replaces the claim's
	Text      string `yaml:"text" words:"optional"`
	Condition string `yaml:"condition"`
	Date      string `yaml:"date"`
	Link      Link   `yaml:"link" words:"optional"` // to the legal page section that is the primary source
	Source    string `yaml:"source"`
}

// Proof is a ledger row as shown on a day.
type Proof struct {
	Figure    string // "" if the claim has none on this day
	Text      string
	Condition string
	Date      string
	Link      Link // without a label if no page is a source
	Source    string
}

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

// checkLedgerLinks rejects ledger links to missing sections.
func (l *Library) checkLedgerLinks(file eventFile) (faults []error) {
	for i, row := range file.Ledger {
		if row.Link == (Link{}) {
			continue
		}
		faults = append(faults, l.checkSection(row.Link.Href, fmt.Sprintf("events/%s.yaml: ledger[%d].link.href", file.Event.Slug, i)))
	}
	return faults
}

// checkSection rejects a link, found at place, to a missing section of a legal page.
func (l *Library) checkSection(href, place string) error {
	address, id, _ := strings.Cut(href, "#")
	slug, below := strings.CutPrefix(address, "/legal/")
	if below && slices.ContainsFunc(l.pages[slug].Sections, func(s PageSection) bool { return s.ID == id }) {
		return nil
	}
	return fmt.Errorf("content/%s: no legal page section at %s", place, href)
}

// proofs returns the rows of a day. A claim in its qualified wording is shown once, without the row's figure.
func proofs(rows []LedgerRow, claims []Claim, at time.Time) (all []Proof) {
	byID, shown := map[string]Claim{}, map[string]bool{}
	for _, claim := range claims {
		byID[claim.ID] = claim
	}
	for _, row := range rows {
		claim := byID[row.Claim]
		statement, shownToday := claim.at(at)
		switch {
		case !shownToday:
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
		all = append(all, Proof{row.Figure, row.Text, row.Condition, row.Date, row.Link, row.Source})
	}
	return all
}
