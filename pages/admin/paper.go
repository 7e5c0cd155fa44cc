package admin

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/pages"
	"hiresure/web"
)

func paperPath(registration, kind, ref string) string {
	return web.StaffRegistrationPath(registration) + "/papers/" + kind + "/" + ref
}
func printPaperPath(id string) string { return web.StaffRegistrationPath(id) + "/print" }

// paper opens a PDF of a registration in the browser.
func (h handlers) paper(c *echo.Context) error {
	id, kind := c.Param("id"), paper.Kind(c.Param("kind"))
	p, file, err := h.office.OpenPaper(c.Request().Context(), id, kind, c.Param("ref"), h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil && problem.Kind == admission.Conflict {
		return h.tellOn(c, id, "printing")
	} else if err != nil {
		return err
	}
	defer file.Close()
	return sendFile(c, "application/pdf", `inline; filename="`+string(p.Kind)+`.pdf"`, file)
}

// printPaper orders a print of one paper.
func (h handlers) printPaper(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	id := c.Param("id")
	batch, kind, ref := "", "", ""
	if fields := strings.Fields(typed.Get(pressField)); len(fields) == 3 {
		batch, kind, ref = fields[0], fields[1], fields[2]
	}
	filter := printFilter(url.Values{kindParam: {kind}, refParam: {ref}}, h.Clock())
	of, wrong := printSelection(filter, h.Clock())
	if len(wrong) > 0 || ref == "" {
		return echo.ErrBadRequest
	}
	shown, err := h.office.Preview(c.Request().Context(), of)
	if err != nil {
		return err
	}
	if shown.Total != 1 || shown.Papers[0].RegistrationID != id {
		return echo.NewHTTPError(http.StatusNotFound, "no such paper")
	}
	return h.order(c, office.BatchOrdering{ID: batch, Selection: of, Total: 1, Duplicates: shown.Duplicates}, filter)
}
