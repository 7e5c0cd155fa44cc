package content

import (
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// piece is a part of a mail's line in one style.
type piece struct {
	Text          string
	Link          template.URL // of http, https, mailto or tel
	Strong, Whole bool         // Whole: without line breaks
}

const mailTo = "mailto:"

var (
	// contact matches e-mail addresses and phone numbers in a footer.
	contact = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.-]*\w|\+\d[\d ]{8,}\d`)

	mailbox = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
	phone   = regexp.MustCompile(`^\+?\d[\d ]{2,}\d$`)

	// address matches a line that is a web address.
	address = regexp.MustCompile(`^https?://([^/\s]+)\S*$`)

	// whole matches text without line breaks: ticket, complaint and enquiry numbers, dates and hours.
	whole = regexp.MustCompile(`\b(?:HS\d\d|GRV|ENQ)(?:-[0-9A-Z]+)+\b|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: \d{4}\b)?|\b\d\d:\d\d (?:IST|to \d\d:\d\d)\b`)
)

// linkContact links text if it is an e-mail address or a phone number.
func linkContact(text string) piece {
	switch {
	case mailbox.MatchString(text):
		return piece{Text: text, Link: template.URL(mailTo + url.PathEscape(text))} //nolint:gosec // what is typed adds no fields
	case phone.MatchString(text):
		return piece{Text: text, Link: template.URL("tel:" + strings.ReplaceAll(text, " ", "")), Whole: true} //nolint:gosec // tel
	}
	return piece{Text: text}
}

// splitMatches splits a line into matches of found, converted by made, and the text in between.
func splitMatches(line string, found *regexp.Regexp, made func(string) piece) (pieces []piece) {
	at := 0
	for _, place := range found.FindAllStringIndex(line, -1) {
		pieces = append(pieces, piece{Text: line[at:place[0]]}, made(line[place[0]:place[1]]))
		at = place[1]
	}
	return append(pieces, piece{Text: line[at:]})
}

// splitContacts splits a footer's line into contacts, unbreakable pieces and other text.
func splitContacts(line string) (pieces []piece) {
	for _, found := range splitMatches(line, contact, linkContact) {
		if found.Link == "" {
			pieces = append(pieces, splitUnbreakable(found.Text)...)
		} else {
			pieces = append(pieces, found)
		}
	}
	return pieces
}

// splitUnbreakable splits a line into unbreakable pieces and other text.
func splitUnbreakable(line string) []piece {
	return splitMatches(line, whole, func(text string) piece { return piece{Text: text, Whole: true} })
}

// splitLine splits a line of a text. A web address becomes a link that shows only its host, because the rest is often
// secret. A quote is one piece.
func (b Block) splitLine(line string) []piece {
	if b.Kind == "quote" {
		return []piece{{Text: line}}
	}
	if found := address.FindStringSubmatch(line); found != nil {
		return []piece{{Text: found[1], Link: template.URL(line)}} //nolint:gosec // http or https
	}
	return b.splitMarked(line)
}

// splitMarked splits a line into bold, linked, unbreakable and other pieces.
func (b Block) splitMarked(line string) []piece {
	for _, mark := range []piece{{Text: b.Strong, Strong: true, Whole: whole.MatchString(b.Strong)}, linkContact(b.Contact)} {
		if before, after, found := strings.Cut(line, mark.Text); found && mark.Text != "" {
			return slices.Concat(b.splitMarked(before), []piece{mark}, b.splitMarked(after))
		}
	}
	return splitUnbreakable(line)
}

// Paragraphs returns the paragraphs of a block, each with its lines.
func (b Block) Paragraphs() (all [][][]piece) {
	for paragraph := range strings.SplitSeq(b.Text, "\n\n") {
		var lines [][]piece
		for line := range strings.SplitSeq(strings.TrimSpace(paragraph), "\n") {
			lines = append(lines, b.splitLine(line))
		}
		all = append(all, lines)
	}
	return all
}

// Fact returns a fact's value.
func (b Block) Fact() []piece { return b.splitMarked(b.More) }
