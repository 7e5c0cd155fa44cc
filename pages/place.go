package pages

import (
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// ContinuePath returns the page on which an application continues.
func ContinuePath(s apply.Standing) string {
	return web.PlacePath(string(s.Lands), s.RegistrationID())
}

// CheckPlace returns nil for a page that the application's step allows, otherwise a redirect to the page where it continues.
func CheckPlace(s apply.Standing, place enrol.Place) error {
	if s.Allows(place) {
		return nil
	}
	return web.Redirect{Path: ContinuePath(s)}
}
