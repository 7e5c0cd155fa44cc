package sheet

import (
	"encoding/csv"
	"io"
	"strings"
	"time"

	"hiresure/calendar"
)

// CSV is a file of comma-separated values in UTF-8 with a byte order mark, without which Excel reads another encoding.
type CSV struct {
	out     io.Writer
	writer  *csv.Writer
	begun   bool
	strings []string
}

// NewCSV returns a file that is written to out.
func NewCSV(out io.Writer) *CSV {
	writer := csv.NewWriter(out)
	writer.UseCRLF = true // RFC 4180
	return &CSV{out: out, writer: writer}
}

func (c *CSV) begin(_ string, columns []kind) error {
	c.strings = make([]string, len(columns))
	if c.begun {
		return c.writer.Write(nil)
	}
	c.begun = true
	_, err := io.WriteString(c.out, "\ufeff")
	return err
}

func (c *CSV) row(cells []cell) error {
	for i, value := range cells {
		c.strings[i] = value.csv()
	}
	return c.writer.Write(c.strings)
}

// Close writes what is buffered.
func (c *CSV) Close() error {
	c.writer.Flush()
	return c.writer.Error()
}

func (c cell) csv() string {
	switch {
	case c.empty || c.kind == date && c.at.IsZero():
		return ""
	case c.kind == date:
		return c.at.In(calendar.IST).Format(time.DateOnly)
	case c.kind == hundredths:
		return decimal(c.minor)
	}
	return harmless(strings.ToValidUTF8(c.text, "\ufffd"))
}

// formulaSigns begin a formula in a spreadsheet, the last four in its full-width form (OWASP, CSV injection).
const formulaSigns = "=+-@\t\r\n＝＋－＠"

// harmless puts a ' before a text that a spreadsheet would take for a formula.
func harmless(text string) string {
	if text != "" && strings.ContainsRune(formulaSigns, []rune(text)[0]) {
		return "'" + text
	}
	return text
}
