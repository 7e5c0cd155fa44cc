package admin

import (
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/sheet"
	"hiresure/web"
)

// formatParam is the name of the button that downloads a file; its value is the file's format.
const formatParam = "format"

// format is a format of a file.
type format struct {
	name, ending, contentType string
}

var formats = map[string]format{
	"csv":  {"CSV", "csv", "text/csv; charset=utf-8"},
	"xlsx": {"XLSX", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
}

// send streams a file of tables. Its name has no characters that a header does not allow.
func (f format) send(c *echo.Context, name string, write func(sheet.File) error) error {
	c.Response().Header().Set("Content-Disposition", `attachment; filename="`+name+"."+f.ending+`"`)
	return web.Stream(c, f.contentType, func(to *web.Pieces) error {
		file := sheet.File(sheet.NewXLSX(to))
		if f.ending == "csv" {
			file = sheet.NewCSV(to)
		}
		if err := write(file); err != nil {
			return err
		}
		return file.Close()
	})
}

// maxLogged limits a value of a filter in the log, in characters.
const maxLogged = 100

// filterWords describes a filter for the log: "registrations: event=KS_Mgrow, search". What is searched may name a person and is left out.
func filterWords(of string, filter url.Values) string {
	var words []string
	for name := range filter {
		switch value := []rune(filter.Get(name)); {
		case len(value) == 0:
		case name == textParam:
			words = append(words, "search")
		default:
			words = append(words, name+"="+string(value[:min(len(value), maxLogged)]))
		}
	}
	if len(words) == 0 {
		return of + ": all"
	}
	slices.Sort(words)
	return of + ": " + strings.Join(words, ", ")
}
