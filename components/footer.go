package components

import "strings"

// FooterProps is the footer of public pages.
type FooterProps struct {
	Year         string
	Academy      string
	LegalName    string
	Address      []string // lines
	GSTIN        string   // "" if unregistered
	CIN          string   // "" if not a company
	Phone, Email string
	Links        []Link
	Semicircle   bool // decoration of the alternate layout
}

// lines returns the address in two lines: the street, and the rest.
func (p FooterProps) lines() []string {
	if len(p.Address) < 2 {
		return p.Address
	}
	return []string{p.Address[0], strings.Join(p.Address[1:], ", ")}
}
