package admin

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission/staff"
	"hiresure/web"
)

// keysPath lists the keys.
const keysPath = web.StaffPath + "/keys"

// areaKeys are the keys that open an area after G.
var areaKeys = map[string]string{"Today": "t", "Registrations": "r", "Money": "m", "Print": "p"}

// keyGroup is a group of keys on the page that lists them. islands/staff handles them.
type keyGroup struct {
	Name string
	Keys []keyRow
}

type keyRow struct {
	Keys []string
	Does string
}

func (h handlers) keys(c *echo.Context) error {
	f := frameOf(c, "Keyboard shortcuts", "")
	everywhere := keyGroup{Name: "On every page"}
	if f.Person.Can(staff.SeeRegistrations) {
		everywhere.Keys = append(everywhere.Keys, keyRow{[]string{"/"}, "Find a person or a number"})
	}
	for _, area := range f.areas() {
		if areaKeys[area.Name] != "" {
			everywhere.Keys = append(everywhere.Keys, keyRow{[]string{"G", strings.ToUpper(areaKeys[area.Name])}, "Go to " + area.Name})
		}
	}
	everywhere.Keys = append(everywhere.Keys, keyRow{[]string{"Esc"}, "Close an open menu"}, keyRow{[]string{"?"}, "Open this list of keys"})
	groups := []keyGroup{everywhere}
	if f.Person.Can(staff.SeeRegistrations) {
		groups = append(groups, keyGroup{"In Registrations", []keyRow{
			{[]string{"J"}, "Next row"}, {[]string{"K"}, "Row before"}, {[]string{"Enter"}, "Open the row"},
			{[]string{"X"}, "Select the row, also with Space"}, {[]string{"Shift", "click"}, "Select all rows from the last one to this one"},
			{[]string{"F"}, "Show the filters"},
		}})
	}
	return h.Show(c, http.StatusOK, keysPage(f, groups))
}
