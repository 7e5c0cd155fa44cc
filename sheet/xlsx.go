package sheet

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hiresure/calendar"
)

// What Excel allows: rows of a sheet, and UTF-16 units of a cell and of a sheet's name.
const (
	maxRows     = 1_048_576
	maxCell     = 32_767
	maxNameSize = 31
)

// XLSX is a workbook with a sheet for each table (ECMA-376, SpreadsheetML). It is written from the first row on: texts are in the cells, and
// the list of sheets comes last.
type XLSX struct {
	zip     *zip.Writer
	sheet   *bufio.Writer // nil: none is open
	names   []string
	first   int // the sheet that is shown first
	columns []kind
	refs    []string // names of columns: A, B
	header  []cell
	rows    int // of the open sheet
	limit   int // rows of a sheet
}

// NewXLSX returns a workbook that is written to out.
func NewXLSX(out io.Writer) *XLSX { return &XLSX{zip: zip.NewWriter(out), limit: maxRows} }

// ShowFirst shows the latest table before the others.
func (x *XLSX) ShowFirst() { x.first = len(x.names) - 1 }

func (x *XLSX) begin(name string, columns []kind) error {
	x.columns, x.header, x.refs = columns, nil, nil
	for i := range columns {
		x.refs = append(x.refs, columnName(i))
	}
	return x.open(name)
}

// open begins a sheet for rows of the same columns.
func (x *XLSX) open(name string) error {
	if err := x.end(); err != nil {
		return err
	}
	x.names = append(x.names, x.sheetName(name))
	part, err := x.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(x.names)))
	if err != nil {
		return err
	}
	x.sheet, x.rows = bufio.NewWriter(part), 0
	x.write(xml.Header, `<worksheet xmlns="`, mainSpace, `"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, column := range x.columns {
		at := strconv.Itoa(i + 1)
		x.write(`<col min="`, at, `" max="`, at, `" width="`, widths[column], `" customWidth="1"/>`)
	}
	return x.write(`</cols><sheetData>`)
}

// write writes to the open sheet. An error is that of the next write too.
func (x *XLSX) write(parts ...string) (err error) {
	for _, part := range parts {
		_, err = x.sheet.WriteString(part)
	}
	return err
}

func (x *XLSX) end() error {
	if x.sheet == nil {
		return nil
	}
	x.write(`</sheetData></worksheet>`)
	err := x.sheet.Flush()
	x.sheet = nil
	return err
}

// styles of a cell by its kind: their place in cellXfs of xl/styles.xml.
var (
	styles = [...]string{text: "1", date: "2", hundredths: "3"}
	widths = [...]string{text: "24", date: "12", hundredths: "16"}
)

func (x *XLSX) row(cells []cell) error {
	if x.header == nil {
		x.header = slices.Clone(cells)
	} else if x.rows == x.limit {
		if err := x.open(x.names[len(x.names)-1]); err != nil {
			return err
		}
		if err := x.row(x.header); err != nil {
			return err
		}
	}
	x.rows++
	number := strconv.Itoa(x.rows)
	x.write(`<row r="`, number, `">`)
	for i, value := range cells {
		place := x.refs[i] + number
		switch {
		case value.empty || value.kind == text && value.text == "" || value.kind == date && value.at.IsZero():
		case value.kind == text:
			x.write(`<c r="`, place, `" s="`, styles[text], `" t="inlineStr"><is><t xml:space="preserve">`)
			xml.EscapeText(x.sheet, []byte(cellText(value.text))) // its error is that of the next write too
			x.write(`</t></is></c>`)
		case value.kind == date:
			x.write(`<c r="`, place, `" s="`, styles[date], `"><v>`, strconv.Itoa(serialDay(value)), `</v></c>`)
		default:
			x.write(`<c r="`, place, `" s="`, styles[hundredths], `"><v>`, decimal(value.minor), `</v></c>`)
		}
	}
	return x.write(`</row>`)
}

// serialDay returns the days since 30 December 1899.
func serialDay(c cell) int {
	const unixEpoch = 25569
	_, offset := c.at.In(calendar.IST).Zone()
	seconds := c.at.Unix() + int64(offset)
	day := seconds / 86400
	if seconds%86400 < 0 {
		day--
	}
	return int(day) + unixEpoch
}

// escaped is the form in which a workbook writes signs that XML does not allow; as text it must not be taken for one.
var escaped = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

// cellText shortens a text to what a cell may hold. Signs that XML does not allow become U+FFFD in xml.EscapeText.
func cellText(s string) string {
	if len(s) > maxCell {
		units := utf16.Encode([]rune(s))
		if len(units) > maxCell {
			units = units[:maxCell-1]
			if last := rune(units[len(units)-1]); utf16.IsSurrogate(last) && last < 0xdc00 {
				units = units[:len(units)-1]
			}
			s = string(utf16.Decode(units)) + "…"
		}
	}
	return escaped.ReplaceAllString(s, "_x005F_$1")
}

func columnName(i int) string {
	name := string(rune('A' + i%26))
	if i < 26 {
		return name
	}
	return columnName(i/26-1) + name
}

// sheetName returns a name that Excel allows and no other sheet has.
func (x *XLSX) sheetName(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' || r == utf8.RuneError {
			return ' '
		}
		return r
	}, name), "' ")
	if name == "" {
		name = "Sheet"
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(x.names, func(other string) bool { return strings.EqualFold(other, name) })
	}
	unique := cut(name, "")
	for n := 2; taken(unique); n++ {
		unique = cut(name, " "+strconv.Itoa(n))
	}
	return unique
}

// cut shortens a name so that it fits into maxNameSize with an ending.
func cut(name, ending string) string {
	letters := []rune(name)
	for len(utf16.Encode(letters))+len(ending) > maxNameSize {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRight(string(letters), "' ") + ending
}

// Close writes the list of sheets and completes the file. A workbook has at least one sheet.
func (x *XLSX) Close() error {
	if err := x.end(); err != nil {
		return err
	}
	if len(x.names) == 0 {
		return errors.New("a workbook needs a sheet")
	}
	order := []int{x.first}
	for i := range x.names {
		if i != x.first {
			order = append(order, i)
		}
	}
	var sheets, relations, types strings.Builder
	for _, i := range order {
		sheets.WriteString(fmt.Sprintf(`<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, attribute(x.names[i]), i+1, i+1))
		relations.WriteString(fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, officeSpace, i+1))
		types.WriteString(fmt.Sprintf(`<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%s.worksheet+xml"/>`, i+1, mainType))
	}
	styleRelation := fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/>`, len(x.names)+1, officeSpace)
	for _, part := range []struct{ name, content string }{
		{"xl/workbook.xml", `<workbook xmlns="` + mainSpace + `" xmlns:r="` + officeSpace + `"><sheets>` + sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + relationSpace + `">` + relations.String() + styleRelation + `</Relationships>`},
		{"xl/styles.xml", stylesPart},
		{"_rels/.rels", `<Relationships xmlns="` + relationSpace + `"><Relationship Id="rId1" Type="` + officeSpace + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + mainType + `.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="` + mainType + `.styles+xml"/>` + types.String() + `</Types>`},
	} {
		out, err := x.zip.Create(part.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, xml.Header+part.content); err != nil {
			return err
		}
	}
	return x.zip.Close()
}

func attribute(text string) string {
	var out strings.Builder
	xml.EscapeText(&out, []byte(text)) // a Builder has no errors
	return out.String()
}

const (
	mainSpace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	officeSpace   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relationSpace = "http://schemas.openxmlformats.org/package/2006/relationships"
	mainType      = "application/vnd.openxmlformats-officedocument.spreadsheetml"

	// stylesPart has the plain style, which must come first, and those of text, date and amount (formats 49 and 4 are Excel's own).
	stylesPart = `<styleSheet xmlns="` + mainSpace + `"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/></numFmts>` +
		`<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`
)
