package content

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Site is the operator of the site, with contacts.
type Site struct {
	Name         string       `yaml:"name"`
	Academy      string       `yaml:"academy"`
	LegalName    string       `yaml:"legal_name"`
	CIN          string       `yaml:"cin" words:"optional"` // of a company
	Address      []string     `yaml:"address"`
	City         string       `yaml:"city"`
	Support      Contact      `yaml:"support"` // customer care
	Scholarships Scholarships `yaml:"scholarships"`
	Grievance    Grievance    `yaml:"grievance"`
	Privacy      Contact      `yaml:"privacy"` // for questions about personal data
	Footer       Footer       `yaml:"footer"`
	Home         Section      `yaml:"home"` // /hiresure
}

// Scholarships explain the second scholarship beside that of an exam.
type Scholarships struct {
	HireSure string `yaml:"hiresure"` // follows its name
	Both     string `yaml:"both"`
}

var cinShape = regexp.MustCompile(`^[LU][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$`)

func (s Site) check() []error {
	if s.CIN != "" && !cinShape.MatchString(s.CIN) {
		return []error{fmt.Errorf("cin: %q is not a CIN", s.CIN)}
	}
	return nil
}

// Contact is a contact desk.
type Contact struct {
	Name    string     `yaml:"name"`
	Email   string     `yaml:"email"`
	Phone   string     `yaml:"phone"`
	Hours   string     `yaml:"hours"`
	ExamDay SampleText `yaml:"exam_day" words:"optional"` // hours on the exam's day
}

// Grievance is the grievance officer, with the response times (E-Commerce Rules 2020).
type Grievance struct {
	Officer          string `yaml:"officer"`
	Designation      string `yaml:"designation"`
	Email            string `yaml:"email"`
	Phone            string `yaml:"phone"`
	AcknowledgeHours int    `yaml:"acknowledge_hours"`
	RedressDays      int    `yaml:"redress_days"`
}

// Footer holds the footer's texts; the year precedes Copyright.
type Footer struct {
	Copyright string `yaml:"copyright"`
	PoweredBy string `yaml:"powered_by"`
	Legal     []Link `yaml:"legal"`
}

// Page is a legal page.
type Page struct {
	Slug     string        `yaml:"slug"`
	Title    string        `yaml:"title"`
	Version  string        `yaml:"version"`
	Updated  Date          `yaml:"updated"`
	Intro    []string      `yaml:"intro"`
	Sections []PageSection `yaml:"sections"`
}

// PageSection is a heading with optional paragraphs, list and table, in this order.
type PageSection struct {
	ID         string    `yaml:"id"`
	Heading    string    `yaml:"heading"`
	Paragraphs []string  `yaml:"paragraphs" words:"optional"`
	List       []string  `yaml:"list" words:"optional"`
	Table      PageTable `yaml:"table" words:"optional"`
}

// PageTable is a table. Each row has a cell per column.
type PageTable struct {
	Columns []string   `yaml:"columns"`
	Rows    [][]string `yaml:"rows"`
}

// Text returns the page as plain text, to record what a person agreed to.
func (p Page) Text() string {
	var text strings.Builder
	line := func(parts ...string) { text.WriteString(strings.Join(parts, " | ") + "\n") }
	line(p.Title, p.Version)
	for _, paragraph := range p.Intro {
		line(paragraph)
	}
	for _, section := range p.Sections {
		line("", section.Heading)
		for _, paragraph := range section.Paragraphs {
			line(paragraph)
		}
		for _, item := range section.List {
			line("-", item)
		}
		if len(section.Table.Columns) > 0 {
			line(section.Table.Columns...)
		}
		for _, row := range section.Table.Rows {
			line(row...)
		}
	}
	return text.String()
}

// Hash returns the SHA-256 of Text in hex.
func (p Page) Hash() string {
	sum := sha256.Sum256([]byte(p.Text()))
	return hex.EncodeToString(sum[:])
}

// pageFacts are the placeholders of a legal page.
type pageFacts struct {
	Site        Site
	GSTIN       string // of the newest supplier; empty without one
	HumanCheck  string // recaptcha or turnstile; empty for our own
	application Application
}

// ApplicationFee returns the application fee: ₹2,500.
func (f pageFacts) ApplicationFee() string { return rupees(f.application.FeeMinor) }

// Address returns the legal address in one line.
func (f pageFacts) Address() string { return strings.Join(f.Site.Address, ", ") }

// fillPage fills in a legal page and drops empty paragraphs and list items.
func fillPage(page Page, facts pageFacts) (Page, []error) {
	page = clone(page)
	faults := expand(reflect.ValueOf(&page).Elem(), "", "", facts)
	for i := range page.Sections {
		section := &page.Sections[i]
		section.Paragraphs, section.List = slices.DeleteFunc(section.Paragraphs, empty), slices.DeleteFunc(section.List, empty)
		for row, cells := range section.Table.Rows {
			if len(cells) != len(section.Table.Columns) {
				faults = append(faults, fmt.Errorf("sections[%d].table.rows[%d]: %d cells under %d columns", i, row, len(cells), len(section.Table.Columns)))
			}
		}
	}
	return page, faults
}

func empty(text string) bool { return text == "" }

// Supplier is the issuer of invoices from a day on.
type Supplier struct {
	From                Date     `yaml:"from"`
	Name                string   `yaml:"name"`
	Address             []string `yaml:"address"`
	GSTIN               string   `yaml:"gstin"`
	SAC                 string   `yaml:"sac"`                // of an exam's fee
	ApplicationSAC      string   `yaml:"application_sac"`    // of the application's fee
	RateBP              int      `yaml:"rate_bp"`            // basis points: 1800 is 18 %
	PlaceOfSupply       string   `yaml:"place_of_supply"`    // rule: recipient_state
	Series              string   `yaml:"series"`             // prefix of the invoice numbers: KS in KS/26-27/000001
	CreditNoteSeries    string   `yaml:"credit_note_series"` // prefix of the credit notes' numbers: KSC in KSC/26-27/000001
	DebitNoteSeries     string   `yaml:"debit_note_series"`
	FinancialNoteSeries string   `yaml:"financial_note_series"` // prefix of the numbers of credit and debit notes without tax
}

// StateCode returns the GST code of the supplier's State.
func (s Supplier) StateCode() string { return s.GSTIN[:2] }

// SupplierAt returns the supplier of invoices issued at a time; false means receipts without tax.
func (l *Library) SupplierAt(at time.Time) (Supplier, bool) {
	for _, supplier := range slices.Backward(l.suppliers) {
		if !at.Before(supplier.From.Time) {
			return clone(supplier), true
		}
	}
	return Supplier{}, false
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
