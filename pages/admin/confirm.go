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
	App                 bool        // the person has one
	Passkey             passkeyForm // Begin is "" without passkeys
	PasskeyFault        string
}

// confirmed reports whether the person has confirmed within ten minutes who they are. If not, it shows a page that asks for a code or a
// passkey and posts the form again.
func (h handlers) confirmed(c *echo.Context, typed url.Values, what string) (bool, error) {
	p := web.StaffPerson(c)
	if p.Session.Confirmed(h.Clock()) {
		return true, nil
	}
	view, status := confirmView{What: what, Action: c.Request().URL.Path, App: p.HasApp()}, http.StatusOK
	ctx, v, token := c.Request().Context(), h.Session.StaffVisitor(c), h.Session.StaffToken(c)
	code, answer := typed.Get(confirmField), typed.Get(confirmAnswer)
	if code != "" || answer != "" {
		err, fault := error(nil), &view.Fault
		if answer != "" {
			err, fault = h.Staff.ConfirmByPasskey(ctx, v, p, token, answer, requestID(c)), &view.PasskeyFault
		} else {
			err = h.Staff.Confirm(ctx, v, p, token, code, requestID(c))
		}
		problem := h.ProblemOf(c, err)
		switch {
		case problem == nil:
			return true, nil
		case problem.Kind == admission.SignedOut:
			return false, h.again(c, view.Action, problem)
		}
		*fault, status = problem.Message, pages.StatusOf(c, problem)
	}
	for name, values := range typed {
		for _, value := range values {
			if name != confirmField && name != confirmAnswer {
				view.Fields = append(view.Fields, pages.HiddenField{Name: name, Value: value})
			}
		}
	}
	slices.SortFunc(view.Fields, func(a, b pages.HiddenField) int { return strings.Compare(a.Name+"\x00"+a.Value, b.Name+"\x00"+b.Value) })
	if p.Passkeys > 0 && h.Staff.HasPasskeys() {
		view.Passkey = passkeyForm{ID: "with-passkey", Action: view.Action, Begin: web.StaffConfirmPath, Fields: view.Fields, Answer: confirmAnswer}
	}
	f := frameOf(c, "Confirm that it is you", web.StaffLogPath)
	return false, h.Show(c, status, confirmPage(f, view))
}
