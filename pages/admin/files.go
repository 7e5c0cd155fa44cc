package admin

import (
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
