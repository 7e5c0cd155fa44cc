package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/pages"
	"hiresure/web"
)

// confirmField is the name of the field with the code of a confirmation.
const confirmField = "confirm_code"

type confirmView struct {
	What, Action, Fault string
	Fields              []pages.HiddenField
}

// confirmed reports whether the person has confirmed within ten minutes who they are. If not, it shows a page that asks for a code and posts the
// form again.
func (h handlers) confirmed(c *echo.Context, typed url.Values, what string) (bool, error) {
	p := web.StaffPerson(c)
	if p.Session.Confirmed(h.Clock()) {
		return true, nil
	}
	view, status := confirmView{What: what, Action: c.Request().URL.Path}, http.StatusOK
	if code := typed.Get(confirmField); code != "" {
		err := h.Staff.Confirm(c.Request().Context(), h.Session.StaffVisitor(c), p, h.Session.StaffToken(c), code, requestID(c))
		problem := h.ProblemOf(c, err)
		switch {
		case problem == nil:
			return true, nil
		case problem.Kind == admission.SignedOut:
			return false, h.again(c, view.Action, problem)
		}
		view.Fault, status = problem.Message, pages.StatusOf(c, problem)
	}
	for name, values := range typed {
		for _, value := range values {
			if name != confirmField {
				view.Fields = append(view.Fields, pages.HiddenField{Name: name, Value: value})
			}
		}
	}
	slices.SortFunc(view.Fields, func(a, b pages.HiddenField) int { return strings.Compare(a.Name+"\x00"+a.Value, b.Name+"\x00"+b.Value) })
	return false, h.Show(c, status, confirmPage(frameOf(c, "Confirm that it is you", web.StaffLogPath), view))
}
