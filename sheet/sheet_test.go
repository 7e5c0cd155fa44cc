package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"hiresure/calendar"
)

type line struct {
	words string
	day   time.Time
	paise int64
}

var columns = []Column[line]{
	Text("Words", func(l line) string { return l.words }),
	Date("Day", func(l line) time.Time { return l.day }),
	Sum("Amount", func(l line) int64 { return l.paise }),
	Number("Rate", func(l line) (int64, bool) { return 18_00, l.words != "no rate" }),
}

func write(t *testing.T, f File, name string, lines ...line) {
	t.Helper()
	table, err := Begin(f, name, columns)
	for _, l := range lines {
		err = errors.Join(err, table.Add(l))
	}
	check(t, errors.Join(err, table.Total()))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func workbook(t *testing.T, work func(*XLSX)) *excelize.File {
	t.Helper()
	var out bytes.Buffer
	x := NewXLSX(&out)
	work(x)
	check(t, x.Close())
	f, err := excelize.OpenReader(&out)
	check(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func csvRows(t *testing.T, lines ...line) [][]string {
	t.Helper()
	var out bytes.Buffer
	c := NewCSV(&out)
	write(t, c, "", lines...)
	check(t, c.Close())
	content, marked := strings.CutPrefix(out.String(), "\ufeff")
	if !marked {
		t.Error("the file has no byte order mark")
	}
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	check(t, err)
	return rows
}

var day = time.Date(2026, 11, 21, 23, 59, 0, 0, calendar.IST)

func TestHostileTextStaysText(t *testing.T) {
	long := strings.Repeat("क", maxCell)
	for _, row := range []struct{ typed, inCSV, inXLSX string }{
		{`=cmd|' /C calc'!A0`, `'=cmd|' /C calc'!A0`, `=cmd|' /C calc'!A0`},
		{"=1+1", "'=1+1", "=1+1"}, {"+919820041567", "'+919820041567", "+919820041567"}, {"-1", "'-1", "-1"}, {"@SUM(A1)", "'@SUM(A1)", "@SUM(A1)"},
		{"\t=1", "'\t=1", "\t=1"}, {"\r=1", "'=1", "\r=1"}, {"＝1+1", "'＝1+1", "＝1+1"}, {"a=1", "a=1", "a=1"}, {"'=1", "'=1", "'=1"},
		{"<b>&amp;</b>]]>", "<b>&amp;</b>]]>", "<b>&amp;</b>]]>"}, {`"a", 'b'`, `"a", 'b'`, `"a", 'b'`}, {"two\nlines", "two\nlines", "two\nlines"}, {"  spaces  ", "  spaces  ", "  spaces  "},
		{"0098200", "0098200", "0098200"}, {"999999999999999999", "999999999999999999", "999999999999999999"}, {"TRUE", "TRUE", "TRUE"}, {"1E5", "1E5", "1E5"},
		{"a\x00\x01\x1b\ufffe\xffb", "a\x00\x01\x1b\ufffe\ufffdb", "a\ufffd\ufffd\ufffd\ufffd\ufffdb"}, {"_x0041_", "_x0041_", "_x0041_"}, {"👩🏽‍🎓 कविता", "👩🏽‍🎓 कविता", "👩🏽‍🎓 कविता"}, {"", "", ""},
		{long, long, long}, {long + "क", long + "क", long[:(maxCell-1)*3] + "…"},
		{strings.Repeat("😀", maxCell), strings.Repeat("😀", maxCell), strings.Repeat("😀", maxCell/2) + "…"},
	} {
		name := fmt.Sprintf("%.40q", row.typed)
		if is := csvRows(t, line{words: row.typed})[1][0]; is != row.inCSV {
			t.Errorf("%s is %.40q in the CSV", name, is)
		}
		f := workbook(t, func(x *XLSX) { write(t, x, "List", line{words: row.typed}) })
		is, err := f.GetCellValue("List", "A2")
		check(t, err)
		if is != row.inXLSX {
			t.Errorf("%s is %.40q in the XLSX, %d letters", name, is, len([]rune(is)))
		}
		if formula, err := f.GetCellFormula("List", "A2"); formula != "" || err != nil {
			t.Errorf("%s is the formula %q, %v", name, formula, err)
		}
		if kind, err := f.GetCellType("List", "A2"); row.typed != "" && kind != excelize.CellTypeInlineString || err != nil {
			t.Errorf("%s has the type %v, %v", name, kind, err)
		}
	}
}

func TestDatesAndAmountsAreTyped(t *testing.T) {
	lines := []line{{"a", day, 12_34_56_78_90_123}, {"b", time.Date(1969, 12, 31, 12, 0, 0, 0, calendar.IST), -1270_34}, {"c", time.Time{}, 5}, {"no rate", day.Add(time.Minute), -7}}
	want := [][]string{
		{"Words", "Day", "Amount", "Rate"}, {"a", "2026-11-21", "12345678901.23", "18.00"}, {"b", "1969-12-31", "-1270.34", "18.00"}, {"c", "", "0.05", "18.00"},
		{"no rate", "2026-11-22", "-0.07", ""}, {"Total of 4", "", "12345677630.87", ""},
	}
	if is := csvRows(t, lines...); fmt.Sprint(is) != fmt.Sprint(want) {
		t.Errorf("the CSV has %v", is)
	}
	f := workbook(t, func(x *XLSX) { write(t, x, "List", lines...) })
	for i, row := range want {
		for j, value := range row {
			name, err := excelize.CoordinatesToCellName(j+1, i+1)
			check(t, err)
			raw, err := f.GetCellValue("List", name, excelize.Options{RawCellValue: true})
			check(t, err)
			shown, err := f.GetCellValue("List", name)
			check(t, err)
			kind, err := f.GetCellType("List", name)
			check(t, err)
			switch {
			case i == 0 || j == 0 || value == "":
				if shown != value {
					t.Errorf("%s shows %q, want %q", name, shown, value)
				}
			case j == 1:
				if shown != value || strings.Contains(raw, "-") || kind == excelize.CellTypeInlineString {
					t.Errorf("%s shows %q, is %q of type %v, want the date %q", name, shown, raw, kind, value)
				}
			case strings.TrimSuffix(raw, "0") != strings.TrimSuffix(value, "0") || kind == excelize.CellTypeInlineString || strings.ReplaceAll(shown, ",", "") != value:
				t.Errorf("%s shows %q, is %q of type %v, want %q", name, shown, raw, kind, value)
			}
		}
	}
}

func TestWorkbookHasItsSheets(t *testing.T) {
	f := workbook(t, func(x *XLSX) {
		write(t, x, "18% Dadra and Nagar Haveli and Daman and Diu", line{words: "1"})
		write(t, x, "18% Dadra and Nagar Haveli and Daman (26)", line{words: "2"})
		write(t, x, "a/b:c*[d]?\\'", line{words: "3"})
		write(t, x, "", line{words: "4"})
		write(t, x, "<&\">", line{words: "5"})
		x.ShowFirst()
	})
	names := f.GetSheetList()
	if is := strings.Join(names, "|"); is != "<&\">|18% Dadra and Nagar Haveli and|18% Dadra and Nagar Haveli an 2|a b c  d|Sheet" {
		t.Fatalf("sheets %q", is)
	}
	for i, want := range []string{"5", "1", "2", "3", "4"} {
		if is, err := f.GetCellValue(names[i], "A2"); is != want || err != nil || len(names[i]) > maxNameSize {
			t.Errorf("sheet %q has %q, %v", names[i], is, err)
		}
	}
}

func TestFullSheetGoesOnInAnother(t *testing.T) {
	f := workbook(t, func(x *XLSX) {
		x.limit = 3
		write(t, x, "List", line{words: "1"}, line{words: "2"}, line{words: "3"})
	})
	for name, want := range map[string]string{"List": "[[Words Day Amount Rate] [1  0.00 18.00] [2  0.00 18.00]]", "List 2": "[[Words Day Amount Rate] [3  0.00 18.00] [Total of 3  0.00]]"} {
		if rows, err := f.GetRows(name); fmt.Sprint(rows) != want || err != nil {
			t.Errorf("%s has %v, %v", name, rows, err)
		}
	}
}

// counter fails after some bytes, and counts them.
type counter struct{ n, most int }

func (c *counter) Write(p []byte) (int, error) {
	if c.n += len(p); c.most > 0 && c.n > c.most {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestRowsAreWrittenAtOnceAndErrorsEndThem(t *testing.T) {
	for name, open := range map[string]func(io.Writer) File{"CSV": func(w io.Writer) File { return NewCSV(w) }, "XLSX": func(w io.Writer) File { return NewXLSX(w) }} {
		var out counter
		table, err := Begin(open(&out), "List", columns)
		check(t, err)
		for i := range 20_000 {
			check(t, table.Add(line{words: fmt.Sprint("row ", i*7919), day: day, paise: int64(i)}))
		}
		if out.n < 50_000 {
			t.Errorf("%s: %d bytes are written before the end", name, out.n)
		}
		file := open(&counter{most: 10_000})
		table, err = Begin(file, "List", columns)
		for i := 0; i < 100_000 && err == nil; i++ {
			err = table.Add(line{words: fmt.Sprint("row ", i*7919)})
		}
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: a broken writer gives %v", name, err)
		}
	}
	if err := NewXLSX(io.Discard).Close(); err == nil {
		t.Error("a workbook without a sheet is complete")
	}
}
