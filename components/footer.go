package components

import "strings"

// FooterProps describes the foot of every page.
type FooterProps struct {
	Year         string
	Academy      string
	LegalName    string
	Address      []string // in lines
	GSTIN        string   // "": not registered
	CIN          string   // "": not a company
	Phone, Email string
	Links        []Link
	Semicircle   bool // decoration of the alternate layout
}

// lines are the address in two lines: the street, and the rest.
func (p FooterProps) lines() []string {
	if len(p.Address) < 2 {
		return p.Address
	}
	return []string{p.Address[0], strings.Join(p.Address[1:], ", ")}
}
