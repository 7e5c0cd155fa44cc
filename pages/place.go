package pages

import (
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// GoesOn is the address of the page on which an application goes on.
func GoesOn(s apply.Standing) string {
	return web.PlacePath(string(s.Lands), s.RegistrationID())
}

// Enters is nil for a page of the application that its step allows; from any other it leads to where the application goes on.
func Enters(s apply.Standing, place enrol.Place) error {
	if s.Allows(place) {
		return nil
	}
	return web.Redirect{Path: GoesOn(s)}
}
