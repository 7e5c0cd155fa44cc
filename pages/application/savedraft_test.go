package application_test

import (
	"net/http"
	"testing"

	"hiresure/admission/enrol"
)

// A script that another tab overtook posts the page: saving a draft stays on the page, or asks which answers to keep.
func TestSaveDraftStaysOnThePage(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 1)
	b.get(academic).is(http.StatusOK)
	half := map[string]string{"course": "B.Com."}
	b.post(academic, "keep", half).leadsTo(academic)
	if kept := b.kept("academic"); !kept.IsDraft || kept.Values["course"] != "B.Com." {
		t.Errorf("kept %+v", kept)
	}
	b.get(academic + "?from=review").is(http.StatusOK)
	b.post(academic, "keep", half).leadsTo(academic + "?from=review")
	b.expectStep(enrol.StepPersonal)
}

// A draft of another device is not called saved.
func TestDraftOfAnotherDeviceIsNotCalledSaved(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 1)
	b.get(academic).is(http.StatusOK)
	_, err := b.services.Apply.SaveDraft(t.Context(), b.visitor, "academic", typed("academic"), 1)
	must(t, err)
	b.post(academic, "next", typed("academic", "course", "B.Com.")).is(http.StatusConflict, "One answer differs. Which one stays?",
		"This page was changed in another tab or on another device while it was open here. Nothing is lost: choose, and we keep that.",
		"B.Sc. Statistics Elsewhere, 12:00. Not sent yet B.Com. Here, 12:00. Not saved yet").without("You saved", "12:00. Saved")
}
