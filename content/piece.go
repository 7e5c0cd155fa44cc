package content

import (
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// piece is a run of letters of a mail that look alike.
type piece struct {
	Text          string
	Link          template.URL // of http, https, mailto or tel
	Strong, Whole bool         // Whole: it stands in one line
}

const mailTo = "mailto:"

var (
	// contact finds what of a footer people tap: mail addresses, and telephone numbers as they are written here.
	contact = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.-]*\w|\+\d[\d ]{8,}\d`)

	mailbox = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
	phone   = regexp.MustCompile(`^\+?\d[\d ]{2,}\d$`)

	// address finds a line that is an address of the web.
	address = regexp.MustCompile(`^https?://([^/\s]+)\S*$`)

	// whole finds what is not broken: numbers of tickets, of complaints and of enquiries, dates and hours.
	whole = regexp.MustCompile(`\b(?:HS\d\d|GRV|ENQ)(?:-[0-9A-Z]+)+\b|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: \d{4}\b)?|\b\d\d:\d\d (?:IST|to \d\d:\d\d)\b`)
)

// tapped is a mail address or a telephone number as a link; what is neither is none.
func tapped(text string) piece {
	switch {
	case mailbox.MatchString(text):
		return piece{Text: text, Link: template.URL(mailTo + url.PathEscape(text))} //nolint:gosec // what is typed adds no fields
	case phone.MatchString(text):
		return piece{Text: text, Link: template.URL("tel:" + strings.ReplaceAll(text, " ", "")), Whole: true} //nolint:gosec // tel
	}
	return piece{Text: text}
}

// cut makes pieces of a line: what of it is found, and what stands between.
func cut(line string, found *regexp.Regexp, made func(string) piece) (pieces []piece) {
	at := 0
	for _, place := range found.FindAllStringIndex(line, -1) {
		pieces = append(pieces, piece{Text: line[at:place[0]]}, made(line[place[0]:place[1]]))
		at = place[1]
	}
	return append(pieces, piece{Text: line[at:]})
}

// contactsOf cuts a line of a footer at its mail addresses and telephone numbers, and at what is not broken.
func contactsOf(line string) (pieces []piece) {
	for _, found := range cut(line, contact, tapped) {
		if found.Link == "" {
			pieces = append(pieces, wholesOf(found.Text)...)
		} else {
			pieces = append(pieces, found)
		}
	}
	return pieces
}

// wholesOf cuts a line at what is not broken.
func wholesOf(line string) []piece {
	return cut(line, whole, func(text string) piece { return piece{Text: text, Whole: true} })
}

// piecesOf are the pieces of a line of a text: one that is an address is a link that names its host alone, for the rest is
// often a secret that opens something. What is quoted is one piece.
func (b Block) piecesOf(line string) []piece {
	if b.Kind == "quote" {
		return []piece{{Text: line}}
	}
	if found := address.FindStringSubmatch(line); found != nil {
		return []piece{{Text: found[1], Link: template.URL(line)}} //nolint:gosec // http or https
	}
	return b.marked(line)
}

// marked are the pieces of a line in which something is bold, is tapped or is not broken.
func (b Block) marked(line string) []piece {
	for _, mark := range []piece{{Text: b.Strong, Strong: true, Whole: whole.MatchString(b.Strong)}, tapped(b.Contact)} {
		if before, after, found := strings.Cut(line, mark.Text); found && mark.Text != "" {
			return slices.Concat(b.marked(before), []piece{mark}, b.marked(after))
		}
	}
	return wholesOf(line)
}

// Paragraphs of a block, each with its lines.
func (b Block) Paragraphs() (all [][][]piece) {
	for paragraph := range strings.SplitSeq(b.Text, "\n\n") {
		var lines [][]piece
		for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
			lines = append(lines, b.piecesOf(line))
		}
		all = append(all, lines)
	}
	return all
}

// Fact is what a fact says.
func (b Block) Fact() []piece { return b.marked(b.More) }
