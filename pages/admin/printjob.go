package admin

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/pages"
	"hiresure/web"
)

func printBatchPath(id string) string { return web.StaffPrintPath + "/" + id }
func printFilePath(id string) string  { return printBatchPath(id) + "/file" }
func printStopPath(id string) string  { return printBatchPath(id) + "/stop" }

// batchRow is a batch in the list and on its own page.
type batchRow struct {
	ID, When, Who, What, Which      string
	Title                           string
	Sheets, Duplicates              string
	State, Look                     string
	Progress                        string // "412 of 1,000, about 50 s left"
	Share                           string // of the bar: "41.2%"
	Done, Total                     int
	Trouble                         string
	File, Format, Until, Again, Ago string
}

func (h handlers) orderPrint(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	now := h.Clock()
	filter := printFilter(typed, now)
	of, wrong := printSelection(filter, now)
	pressed := strings.Fields(typed.Get(pressField))
	if len(wrong) > 0 || len(pressed) != 4 || pressed[3] != fingerprint(filter) {
		return h.showPrint(c, http.StatusConflict, typed, "You changed the form after it was counted. Check what it prints now and press again. Nothing was ordered.")
	}
	total, _ := strconv.Atoi(pressed[1])
	duplicates, _ := strconv.Atoi(pressed[2]) // anything else differs from what there is
	err = h.order(c, office.BatchOrdering{ID: pressed[0], Selection: of, Total: total, Duplicates: duplicates}, filter)
	if problem := h.ProblemOf(c, err); problem != nil && problem.Kind != admission.NotFound {
		return h.showPrint(c, pages.StatusOf(c, problem), typed, problem.Message+".")
	}
	return err
}

// order orders a print and leads to its page.
func (h handlers) order(c *echo.Context, o office.BatchOrdering, filter url.Values) error {
	words := url.Values{}
	for name, values := range filter {
		words.Set(name, strings.Join(values, "+"))
	}
	o.Filter, o.Words = filter.Encode(), filterWords("print", words)
	o.Form, o.DoubleSided = office.BatchForm(filter.Get(asParam)), filter.Get(doubleParam) != ""
	if err := h.office.OrderBatch(c.Request().Context(), o, h.Session.StaffActor(c)); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, printBatchPath(o.ID))
}

func (h handlers) printBatch(c *echo.Context) error {
	b, err := h.office.Batch(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	row := h.batchRow(b, h.Clock())
	f := frameOf(c, row.Title, web.StaffPrintPath)
	if b.State == office.BatchOpen {
		f.Refresh = batchRefresh
	}
	return h.Show(c, http.StatusOK, printBatchPage(f, row, said[c.QueryParam("said")]))
}

// batchRefresh is after how many seconds the page of an open print loads again without scripts.
const batchRefresh = 5

func (h handlers) stopPrint(c *echo.Context) error {
	id := c.Param("id")
	err := h.office.StopBatch(c.Request().Context(), id, h.Session.StaffActor(c))
	what := "stopped"
	if problem := h.ProblemOf(c, err); problem != nil && problem.Kind == admission.Conflict {
		what = "ended"
	} else if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.WithQuery(printBatchPath(id), url.Values{"said": {what}}))
}

func (h handlers) printFile(c *echo.Context) error {
	b, file, err := h.office.OpenBatch(c.Request().Context(), c.Param("id"), h.Session.StaffActor(c))
	if err != nil {
		return err
	}
	defer file.Close()
	contentType := "application/pdf"
	if b.Form == office.ZIP {
		contentType = "application/zip"
	}
	name := "print-" + strings.ReplaceAll(b.FirstNumber, "/", "-")
	return sendFile(c, contentType, `attachment; filename="`+name+"."+string(b.Form)+`"`, file)
}

// sendFile streams a stored file.
func sendFile(c *echo.Context, contentType, disposition string, file io.Reader) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Content-Disposition", disposition)
	return web.Stream(c, contentType, func(to *web.Pieces) error {
		_, err := io.Copy(to, file)
		return err
	})
}

// batchRow formats a batch.
func (h handlers) batchRow(b office.Batch, now time.Time) batchRow {
	filter, err := url.ParseQuery(b.Filter)
	if err != nil {
		filter = url.Values{}
	}
	row := batchRow{
		ID: b.ID, When: recently(b.OrderedAt, now), Who: b.Who, What: upperFirst(kindsOf(filter)), Title: documents(b.Total), Format: strings.ToUpper(string(b.Form)),
		Sheets: admission.Count(uint(b.Sheets)), Duplicates: admission.Count(uint(b.Duplicates)), Done: b.Done, Total: b.Total, Trouble: b.Trouble,
	}
	if len(filter[kindParam]) == 1 {
		row.Title = admission.Count(uint(b.Total)) + " " + kindName(paper.Kind(filter.Get(kindParam)), b.Total)
	}
	row.Which = upperFirst(h.whichOf(b, filter))
	again := web.WithQuery(web.StaffPrintPath, filter)
	counts := admission.Count(uint(b.Done)) + " of " + admission.Count(uint(b.Total))
	switch {
	case b.State == office.BatchOpen:
		row.State, row.Look, row.Progress = "Under way", "wait", counts+left(b, now)
		row.Share = strconv.FormatFloat(100*float64(b.Done)/float64(max(b.Total, 1)), 'f', 1, 64) + "%"
	case b.Ready(now):
		row.State, row.Look, row.File, row.Until = "Ready", "ok", printFilePath(b.ID), "until "+admission.Date(b.ExpiresAt)
	case b.State == office.BatchReady:
		row.State, row.Look, row.Until, row.Again, row.Ago = "File deleted", "ok", "File deleted", again, "Make again"
	case b.State == office.BatchStopped:
		row.State, row.Look, row.Until, row.Again, row.Ago = "Stopped", "no", "No file", again, "Start again"
		row.Which = b.Trouble + " at " + counts
	default:
		row.State, row.Look, row.Until, row.Again, row.Ago = "Failed", "no", "No file", again, "Start again"
		row.Which = "Failed at " + counts + ". " + b.Trouble
	}
	return row
}

// left estimates what is left of an open batch.
func left(b office.Batch, now time.Time) string {
	if b.Done == 0 || b.Trouble != "" {
		return ""
	}
	if b.Done == b.Total {
		return ", the file is being put together"
	}
	rest := now.Sub(b.StartedAt) / time.Duration(b.Done) * time.Duration(b.Total-b.Done)
	if rest < time.Minute {
		return fmt.Sprintf(", about %d s left", max(int(rest.Seconds()), 1))
	}
	return ", about " + duration(rest.Round(time.Minute)) + " left"
}

func kindsOf(filter url.Values) string {
	var names []string
	for _, kind := range filter[kindParam] {
		names = append(names, kindName(paper.Kind(kind), 2))
	}
	return cmp.Or(strings.Join(names, ", "), "documents")
}

// whichOf describes the selection of a batch: "16 Nov 2026 to 28 Nov 2026, KS/26-27/000643 to KS/26-27/000842".
func (h handlers) whichOf(b office.Batch, filter url.Values) string {
	var words []string
	day := dayReader(filter, faults{})
	from, to := day(fromParam), day(toParam)
	switch {
	case from.IsZero() && to.IsZero():
	case to.IsZero():
		words = append(words, "from "+admission.Date(from))
	case from.IsZero():
		words = append(words, "until "+admission.Date(to))
	case from.Equal(to):
		words = append(words, admission.Date(from))
	default:
		words = append(words, admission.Date(from)+" to "+admission.Date(to))
	}
	if code := filter.Get(eventParam); code != "" {
		event, _ := h.Events.EventByCode(code)
		words = append(words, cmp.Or(event.Title, code))
	}
	if filter.Get(printedParam) == skipPrinted {
		words = append(words, "not printed before")
	}
	switch office.BatchOrder(filter.Get(orderParam)) {
	case office.ByName:
		words = append(words, "by name")
	case office.ByEvent:
		words = append(words, "by event")
	default:
		words = append(words, b.FirstNumber)
		if b.LastNumber != b.FirstNumber {
			words[len(words)-1] += " to " + b.LastNumber
		}
	}
	if b.DoubleSided {
		words = append(words, "double-sided")
	}
	return strings.Join(words, ", ")
}
