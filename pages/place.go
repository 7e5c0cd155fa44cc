package pages

import (
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// ContinuePath returns the page on which an application continues.
func ContinuePath(s apply.Standing) string {
	return web.PlacePath(string(s.Lands), s.RegistrationID())
}

// Applicant returns the visitor with the state of its application.
func (k *Kit) Applicant(c *echo.Context) (v admission.Visitor, standing apply.Standing, err error) {
	if v, err = k.Session.Visitor(c); err != nil {
		return v, standing, err
	}
	standing, err = k.Apply.Standing(c.Request().Context(), v)
	return v, standing, err
}

// Enter is Applicant for a page of the application, with the error of CheckPlace.
func (k *Kit) Enter(c *echo.Context, place enrol.Place) (v admission.Visitor, standing apply.Standing, err error) {
	if v, standing, err = k.Applicant(c); err == nil {
		err = CheckPlace(standing, place)
	}
	return v, standing, err
}

// CheckPlace returns nil for a page that the application's step allows, otherwise a redirect to the page where it continues.
func CheckPlace(s apply.Standing, place enrol.Place) error {
	if s.Allows(place) {
		return nil
	}
	return web.Redirect{Path: ContinuePath(s)}
}
