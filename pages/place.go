package pages

import (
	"hiresure/admission/enrol"
	"hiresure/web"
)

// placePaths are the pages of the application, by the place that a step lands on or allows.
var placePaths = map[enrol.Place]string{
	enrol.PlaceVerify:      web.VerifyPath,
	enrol.PlacePersonal:    web.StepPath(string(enrol.PlacePersonal)),
	enrol.PlaceAcademic:    web.StepPath(string(enrol.PlaceAcademic)),
	enrol.PlaceScholarship: web.StepPath(string(enrol.PlaceScholarship)),
	enrol.PlaceReview:      web.ReviewPath,
	enrol.PlacePayment:     web.FeePath,
	enrol.PlaceUpload:      web.UploadPath,
}

// PlacePath is the page of a place of an application, which has an id once its phone is verified.
func PlacePath(place enrol.Place, registrationID string) string {
	if place == enrol.PlaceDetail {
		return web.RegistrationPath(registrationID)
	}
	return placePaths[place]
}

// ApplicationPath is where an application goes on.
func ApplicationPath(r *enrol.Registration) string {
	if r == nil {
		return PlacePath(enrol.StepUnverified.Fact().Lands, "")
	}
	if r.Refunded {
		return web.RegistrationPath(r.ID)
	}
	return PlacePath(r.Fact().Lands, r.ID)
}
