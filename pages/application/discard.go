package application

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/pages"
)

// discardQuery makes a step ask whether to discard its draft.
const discardQuery = "discard"

// discardView asks whether to discard the draft of a step.
type discardView struct {
	frame
	step
	Here       string // the step's address
	StorageKey string // see step.storageKey
	Hidden     []pages.HiddenField
}

func (h handlers) discardView(of stepView) discardView {
	left := " this page is empty."
	if len(of.typed.Saved) > 0 {
		left = " this page has your saved answers."
	}
	lede := "Without the draft of " + admission.Moment(of.typed.SavedAt) + left
	view := discardView{
		frame: h.frame(of.place, "Discard this draft?", lede, h.saved(of.typed)), step: of.step,
		Here: of.addressFrom(of.from), StorageKey: of.storageKey(of.registration), Hidden: hiddenOf(of.registration, of.version, of.from),
	}
	view.Page.Scripts = []string{"answered.js"}
	return view
}

// discard deletes the draft and shows the step. If the draft has changed meanwhile, it asks again.
func (h handlers) discard(c *echo.Context, p posted) error {
	err := h.Apply.DiscardDraft(c.Request().Context(), p.visitor, p.name(), p.seen())
	if _, differs := errors.AsType[*apply.Stale](err); differs {
		return c.Redirect(http.StatusSeeOther, p.addressFrom(p.in[fromField], discardQuery))
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, p.address())
}
