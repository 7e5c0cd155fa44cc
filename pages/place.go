package pages

import (
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/web"
)

// applicationPages are the addresses of the application's places, but of the page of one registration.
var applicationPages = map[enrol.Place]string{
	enrol.PlaceVerify:      web.VerifyPath,
	enrol.PlacePersonal:    web.StepPath(string(enrol.PlacePersonal)),
	enrol.PlaceAcademic:    web.StepPath(string(enrol.PlaceAcademic)),
	enrol.PlaceScholarship: web.StepPath(string(enrol.PlaceScholarship)),
	enrol.PlaceReview:      web.ReviewPath,
	enrol.PlacePayment:     web.FeePath,
	enrol.PlaceUpload:      web.UploadPath,
}

// GoesOn is the address of the page on which an application goes on.
func GoesOn(s apply.Standing) string {
	if s.Lands == enrol.PlaceDetail && s.Registration != nil {
		return web.RegistrationPath(s.Registration.ID)
	}
	return applicationPages[s.Lands]
}

// Enters is nil for a page of the application that its step allows; from any other it leads to where the application goes on.
func Enters(s apply.Standing, place enrol.Place) error {
	if s.Allows(place) {
		return nil
	}
	return web.Elsewhere{Path: GoesOn(s)}
}
