package pages

import (
	"testing"

	"hiresure/admission/enrol"
)

func TestEveryPlaceOfTheApplicationHasItsPage(t *testing.T) {
	want := map[enrol.Place]string{
		enrol.PlaceVerify: "/hiresure/verify", enrol.PlacePersonal: "/hiresure/form/personal", enrol.PlaceAcademic: "/hiresure/form/academic",
		enrol.PlaceScholarship: "/hiresure/form/scholarship", enrol.PlaceReview: "/hiresure/form/review", enrol.PlacePayment: "/hiresure/payment",
		enrol.PlaceUpload: "/hiresure/upload-doc", enrol.PlaceDetail: "/hiresure/registration/r1",
	}
	for _, place := range enrol.Places {
		if got := PlacePath(place, "r1"); got != want[place] || got == "" {
			t.Errorf("%s is at %q, want %q", place, got, want[place])
		}
	}
}

func TestAnApplicationGoesOnWhereItsStepLands(t *testing.T) {
	for step, want := range map[enrol.Step]string{
		enrol.StepVerified: "/hiresure/form/personal", enrol.StepScholarship: "/hiresure/form/review", enrol.StepAgreed: "/hiresure/payment", enrol.StepPaying: "/hiresure/payment",
		enrol.StepUnpaid: "/hiresure/payment", enrol.StepPaid: "/hiresure/upload-doc", enrol.StepComplete: "/hiresure/registration/r1",
	} {
		if got := ApplicationPath(&enrol.Registration{ID: "r1", Step: step}); got != want {
			t.Errorf("step %d goes on at %q, want %q", step, got, want)
		}
	}
	if got := ApplicationPath(nil); got != "/hiresure/verify" {
		t.Errorf("without one it is %q", got)
	}
	if got := ApplicationPath(&enrol.Registration{ID: "r1", Step: enrol.StepPaid, Refunded: true}); got != "/hiresure/registration/r1" {
		t.Errorf("one that went back is at %q", got)
	}
}
