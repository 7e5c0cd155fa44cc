package account

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/mydata"
	"hiresure/pages"
	"hiresure/web"
)

// Values of the buttons of My data in doField, and names of the fields with their subject.
const (
	doAllow    = "allow"
	doTakeBack = "take back"
	doCollect  = "collect"
	doStop     = "stop"
	doKeep     = "keep"
	doDelete   = "delete"

	purposeField  = "purpose"
	fileField     = "file"
	documentField = "document"
	kindField     = "kind"

	deletedQuery = "deleted" // kind of the document just deleted
)

// data shows My data.
func (h handlers) data(c *echo.Context) error { return h.showData(c, c.QueryParam(atQuery), nil) }

// showData shows My data with a fold open, and what was refused there.
func (h handlers) showData(c *echo.Context, at string, refused *admission.Problem) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	o, err := h.MyData.Overview(c.Request().Context(), v)
	if err != nil {
		return err
	}
	standing, err := h.Apply.Standing(c.Request().Context(), v)
	if err != nil {
		return err
	}
	view := h.viewOf(o, standing, v, at)
	query := c.QueryParams()
	view.Kept = o.Deletion == nil && query.Has(keptQuery)
	if query.Has(deletedQuery) {
		view.Deleted = document.Kind(query.Get(deletedQuery)).Rules().Label + " was deleted."
	}
	status := http.StatusOK
	if refused != nil {
		status, view.Refused = pages.StatusOf(c, refused), refused.Message
	}
	return h.Show(c, status, dataPage(h.Frame(), view))
}

// viewOf returns My data with a fold open: at, otherwise what is in progress, otherwise the first.
func (h handlers) viewOf(o mydata.Overview, standing apply.Standing, v admission.Visitor, at string) dataView {
	view := dataView{
		Me: o.Account, At: at, Documents: documentsOf(o, standing, v.AccountID), Choices: choiceRows(h.Forms, o.Choices), File: h.fileOf(o.Export, nonBreaking(pages.ContactAddress(o.Account))), Devices: deviceRows(o.Sessions, v.SessionID), Leaving: leaving(o),
	}
	view.Minor, view.Summary = o.Minor, choiceSummary(view.Choices)
	view.SignedIn = "Signed in on " + counted(len(view.Devices), "device", "devices")
	if !slices.Contains([]string{foldDocuments, foldChoices, foldFile, foldSessions, foldDelete}, view.At) {
		view.At = foldDocuments
		if o.Export.UnderWay() || o.Export.Ready(h.Clock()) {
			view.At = foldFile
		}
		if o.Deletion != nil {
			view.At = foldDelete
		}
	}
	return view
}

// changeData runs the action of a pressed button.
func (h handlers) changeData(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), p.visitor
	var fold string
	switch do := p.Get(doField); do {
	case doAllow, doTakeBack:
		fold, err = foldChoices, h.MyData.Choose(ctx, v, p.Get(purposeField), do == doAllow)
	case doCollect:
		fold, err = foldFile, h.MyData.RequestExport(ctx, v)
	case doStop:
		fold, err = foldFile, h.MyData.CancelExport(ctx, v, p.Get(fileField))
	case doKeep:
		if err := h.MyData.CancelDeletion(ctx, v); err != nil {
			return err
		}
		return redirect(c, web.WithQuery(dataFold(foldDelete), url.Values{keptQuery: {"1"}}))
	case doDelete:
		if err := h.Document.Delete(ctx, v, p.Get(documentField)); err != nil {
			return err
		}
		return redirect(c, web.WithQuery(dataFold(foldDocuments), url.Values{deletedQuery: {p.Get(kindField)}}))
	default:
		err = admission.NotFoundProblem("Button")
	}
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.TooMany {
		return h.showData(c, fold, problem)
	}
	if err != nil {
		return err
	}
	return redirect(c, dataFold(fold))
}

// file sends the export to a fresh session.
func (h handlers) file(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	e, err := h.MyData.OpenExport(ctx, v, c.Param("id"))
	if admission.HasKind(err, admission.Conflict) {
		return h.askSignIn(c, dataFold(foldFile), downloadReason, nil)
	}
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Disposition", `attachment; filename="hiresure-my-data-`+admission.ISODate(e.ReadyAt)+`.zip"`)
	header.Set("Content-Length", strconv.FormatInt(e.Size, 10))
	return web.Stream(c, "application/zip", func(to *web.Pieces) error { return h.MyData.WriteExport(ctx, e, to) })
}

// askSignIn asks the account to sign in again, then continues at next.
func (h handlers) askSignIn(c *echo.Context, next, promise string, refused *admission.Problem) error {
	_, me, err := h.Me(c)
	if err != nil {
		return err
	}
	d := h.signInAgainView(addressPage{path: next, title: "Is it still you?"}, me)
	d.Promise = "You signed in a while ago. " + promise
	return h.show(c, d, refused)
}

// Reasons for a new sign-in.
const (
	downloadReason = "Before you download your data, we send you a code."
	deletionReason = "Before you delete everything, we send you a code."
)

// askToDelete shows the page that confirms the deletion.
func (h handlers) askToDelete(c *echo.Context) error { return h.showDelete(c, nil) }

func (h handlers) showDelete(c *echo.Context, refused *admission.Problem) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	o, err := h.MyData.Overview(ctx, v)
	if err != nil {
		return err
	}
	if o.Deletion != nil {
		return redirect(c, dataFold(foldDelete))
	}
	fresh, err := h.Account.SignedInRecently(ctx, v)
	if err != nil {
		return err
	}
	if !fresh {
		return h.askSignIn(c, web.DeletePath, deletionReason, nil)
	}
	status, message := http.StatusOK, ""
	if refused != nil {
		status, message = pages.StatusOf(c, refused), refused.Message
	}
	return h.Show(c, status, deletePage(h.Frame(), o.Account, leaving(o), message))
}

// deleteAccount requests the deletion of the account.
func (h handlers) deleteAccount(c *echo.Context) error {
	p, err := h.read(c)
	if err != nil {
		return err
	}
	err = h.MyData.RequestDeletion(c.Request().Context(), p.visitor)
	if admission.HasKind(err, admission.Conflict) {
		return h.askSignIn(c, web.DeletePath, deletionReason, admission.AsProblem(err))
	}
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.TooMany {
		return h.showDelete(c, problem)
	}
	if err != nil {
		return err
	}
	return redirect(c, dataFold(foldDelete))
}
