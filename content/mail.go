package content

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Block is a part of a mail, as template or filled in. A block without its main field is left out, so optional params
// need no conditions.
type Block struct {
	Kind    string `yaml:"kind" json:"kind"`
	Text    string `yaml:"text" words:"optional" json:"text,omitempty"`
	More    string `yaml:"more" words:"optional" json:"more,omitempty"`       // below Text, or after it
	Strong  string `yaml:"strong" words:"optional" json:"strong,omitempty"`   // bold words of Text
	Contact string `yaml:"contact" words:"optional" json:"contact,omitempty"` // e-mail or phone in Text, or in a fact's More, to be linked
	Amount  string `yaml:"amount" words:"optional" json:"amount,omitempty"`   // of a row, sum or ticket
	Link    string `yaml:"link" words:"optional" json:"link,omitempty"`       // target; of a ticket, the address in its code
	Picture string `yaml:"picture" words:"optional" json:"picture,omitempty"` // next to a title: tied or untied
	Exam    string `yaml:"exam" words:"optional" json:"exam,omitempty"`       // 2027-03-14; this and the following are of a ticket
	Hour    string `yaml:"hour" words:"optional" json:"hour,omitempty"`       // 10:00, or when it is announced
	Course  string `yaml:"course" words:"optional" json:"course,omitempty"`
	Where   string `yaml:"where" words:"optional" json:"where,omitempty"`
	Bring   string `yaml:"bring" words:"optional" json:"bring,omitempty"`
	Number  string `yaml:"number" words:"optional" json:"number,omitempty"`
	Label   string `yaml:"label" words:"optional" json:"label,omitempty"` // of the amount
}

// blockKinds returns the main field of each kind.
var blockKinds = map[string]func(Block) string{
	"preview": func(b Block) string { return b.Text },   // for lists of mails, after the subject; comes first
	"title":   func(b Block) string { return b.Text },   // on indigo, with More below
	"ticket":  func(b Block) string { return b.Text },   // Text is the programme, More the name
	"button":  func(b Block) string { return b.Link },   // at most one
	"heading": func(b Block) string { return b.Text },   // of a section, or of a mail without a title
	"text":    func(b Block) string { return b.Text },   // paragraphs
	"quote":   func(b Block) string { return b.Text },   // a person's input: never linked
	"note":    func(b Block) string { return b.Text },   // smaller
	"code":    func(b Block) string { return b.Text },   // to be typed in, with More below
	"days":    func(b Block) string { return b.Text },   // one line each: date, tab, what, tab, more
	"row":     func(b Block) string { return b.Amount }, // of a column that adds up
	"sum":     func(b Block) string { return b.Amount },
	"fact":    func(b Block) string { return b.More }, // with Text as its label
	"link":    func(b Block) string { return b.Link },
}

// fieldEnd separates fields in a mail's template. Text in the database cannot contain it.
const fieldEnd = "\x00"

// patternOf joins all fields of the blocks into one template, so that a mail is filled in at once.
func patternOf(blocks []Block) string {
	var all strings.Builder
	for _, block := range blocks {
		v := reflect.ValueOf(block)
		for i := 1; i < v.NumField(); i++ {
			all.WriteString(strings.TrimSpace(v.Field(i).String()) + fieldEnd)
		}
	}
	return all.String()
}

// filledBlocks is the reverse of patternOf.
func filledBlocks(blocks []Block, filled string) (words []Block) {
	fields := strings.Split(filled, fieldEnd)
	for _, block := range blocks {
		word := Block{Kind: block.Kind}
		v := reflect.ValueOf(&word).Elem()
		for i := 1; i < v.NumField(); i++ {
			v.Field(i).SetString(strings.TrimSpace(fields[i-1]))
		}
		fields = fields[v.NumField()-1:]
		if about := blockKinds[word.Kind]; about != nil && about(word) != "" {
			words = append(words, word)
		}
	}
	return words
}

// plainMail returns the mail's text part: the blocks' texts with the addresses of their links.
func plainMail(blocks []Block) string {
	var text strings.Builder
	if len(blocks) > 0 && blocks[0].Kind == "preview" { // repeats the mail
		blocks = blocks[1:]
	}
	for i, block := range blocks {
		switch {
		case i == 0:
		case block.Kind == "row" && blocks[i-1].Kind == "row", block.Kind == "sum", block.Kind == "fact" && blocks[i-1].Kind == "fact":
			text.WriteString("\n")
		default:
			text.WriteString("\n\n")
		}
		text.WriteString(block.plain())
	}
	return text.String()
}

func (b Block) plain() string {
	switch b.Kind {
	case "title", "code":
		return joinNonEmpty("\n\n", b.Text, b.More)
	case "ticket":
		return b.plainTicket()
	case "button", "link":
		return b.Text + ":\n" + strings.TrimPrefix(b.Link, mailTo)
	case "days":
		var lines []string
		for _, day := range daysOf(b.Text) {
			lines = append(lines, joinNonEmpty(": ", joinNonEmpty(" ", day.Day, day.Month), joinNonEmpty(". ", day.What, joinNonEmpty(". ", day.Weekday, day.More))))
		}
		return strings.Join(lines, "\n")
	case "row", "sum":
		return joinNonEmpty(", ", b.Text, b.More) + ": " + b.Amount
	case "fact":
		return b.Text + ": " + b.More
	}
	return b.Text
}

func (b Block) plainTicket() string {
	exam, hour := "", b.ExamDay()
	if day, err := time.Parse(time.DateOnly, b.Exam); err == nil {
		exam = joinNonEmpty("\n", "Scholarship exam: "+joinNonEmpty(", ", Date{day}.Long(), hour.What), hour.More)
	}
	number := ""
	if b.Number != "" {
		number = "Ticket number: " + b.Number
	}
	return joinNonEmpty("\n", b.Text, b.More, exam, b.Course, b.Where, b.Bring, number, joinNonEmpty(": ", b.Label, b.Amount))
}

// joinNonEmpty joins the non-empty parts.
func joinNonEmpty(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// mailDay is a line of a block of days.
type mailDay struct{ Day, Month, Weekday, What, More string }

// daysOf parses lines of "2027-03-07", "Mock test" and "One hour online.", separated by tabs. Lines of older versions are
// plain sentences.
func daysOf(text string) (days []mailDay) {
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		on, err := time.Parse(time.DateOnly, parts[0])
		if err != nil {
			days = append(days, mailDay{What: parts[0]})
			continue
		}
		parts = append(parts, "", "")
		days = append(days, mailDay{Day: on.Format("2"), Month: on.Format("Jan"), Weekday: on.Format("Monday"), What: parts[1], More: parts[2]})
	}
	return days
}

// checkMail validates a mail's blocks.
func (m Message) checkMail(refuse func(wrong bool, format string, args ...any)) {
	buttons := 0
	for i, block := range m.Mail {
		_, known := blockKinds[block.Kind]
		refuse(!known, "mail[%d].kind: %q is not a kind of block", i, block.Kind)
		refuse(block.Kind == "preview" && i > 0, "mail[%d].kind: a preview comes first", i)
		refuse(block.Kind == "title" && i > 0 && (i > 1 || m.Mail[0].Kind != "preview"), "mail[%d].kind: a title comes first", i)
		refuse(!slices.Contains([]string{"", "tied", "untied"}, block.Picture), "mail[%d].picture: %q is not tied or untied", i, block.Picture)
		if block.Kind == "button" {
			buttons++
		}
	}
	refuse(buttons > 1, "mail: %d buttons, at most is one", buttons)
}

// encodeBlocks encodes blocks for storage.
func encodeBlocks(blocks []Block) (string, error) {
	encoded, err := json.Marshal(blocks)
	return string(encoded), err
}

// blocksOf decodes a mail's blocks. A message of an older version, without blocks, or of a newer one, with unknown
// kinds, becomes one block of its text.
func blocksOf(parts, text string) []Block {
	var blocks []Block
	err := json.Unmarshal([]byte(cmp.Or(parts, "null")), &blocks)
	unknown := slices.ContainsFunc(blocks, func(b Block) bool { return blockKinds[b.Kind] == nil })
	if err != nil || len(blocks) == 0 || unknown {
		return []Block{{Kind: "text", Text: text}}
	}
	return blocks
}

var errNoSubject = errors.New("a mail has a subject")

// Days returns the lines of a block of days.
func (b Block) Days() []mailDay { return daysOf(b.Text) }

// ExamDay returns a ticket's exam day, with the hour in What or its announcement in More; zero if the day is unknown.
func (b Block) ExamDay() (day mailDay) {
	on, err := time.Parse(time.DateOnly, b.Exam)
	if err != nil {
		return day
	}
	day.Day, day.Month, day.Weekday = Date{on}.Parts()
	if _, err := time.Parse(clockLayout, b.Hour); err == nil {
		day.What = b.Hour
	} else {
		day.More = b.Hour
	}
	return day
}

// Figure returns an amount for the display face, with a space after ₹.
func Figure(amount string) string { return strings.ReplaceAll(amount, "₹", "₹\u200a") }

// longDay formats 2027-03-14 for a sentence.
func longDay(date string) (string, error) {
	day, err := time.Parse(time.DateOnly, date)
	return day.Format("Monday, 2 January 2006"), err
}
