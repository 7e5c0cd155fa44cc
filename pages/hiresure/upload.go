package hiresure

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/enrol"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

type uploadView struct {
	Me        account.Account
	Documents []components.DocumentNeeded
	Answer    string // when who has sent all of them hears from us; "" where nothing says so
	Details   string // address of the registration
}

// upload says which documents are asked for, as long as they cannot be taken yet.
func (h *home) upload(c *echo.Context) error {
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	standing, err := h.Apply.Standing(c.Request().Context(), v)
	if err != nil {
		return err
	}
	if err := pages.Enters(standing, enrol.PlaceUpload); err != nil {
		return err
	}
	return h.Show(c, http.StatusOK, uploadPage(h, uploadView{
		Me: standing.Account, Documents: components.DocumentsNeeded, Answer: answerOn(standing.Event), Details: web.RegistrationPath(standing.Registration.ID),
	}))
}

func answerOn(event admission.Event) string {
	if event.AnswerBy == "" {
		return ""
	}
	return "You hear from us " + event.AnswerBy + "."
}
