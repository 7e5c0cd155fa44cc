package application_test

import (
	"net/http"
	"testing"

	"hiresure/admission/apply"
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
		"You also changed this page in another tab or on another device. Choose which answers to keep.",
		"B.Sc. Statistics Other tab or device, 12:00. Not sent yet B.Com. This tab, 12:00. Not saved yet").without("You saved", "12:00. Saved")
}

func TestDraftIsDiscarded(t *testing.T) {
	s := newSite(t)
	b := s.applicant(phone, 2)
	const notice, question = "Draft from 21 Nov 2026, 12:00. Finish it, then press NEXT. Discard draft", "Discard this draft?"
	b.get(academic).is(http.StatusOK).has(`value="B.Sc. Statistics"`).without("Draft from")
	b.get(academic+"?discard").is(http.StatusOK, "Academic Info").without(question)
	b.post(academic, "back", typed("academic", "course", "B.Com."))
	b.get(academic).is(http.StatusOK, notice).has(`value="B.Com."`, `href="/hiresure/form/academic?discard"`)
	b.get(academic+"?from=review").is(http.StatusOK, notice).has(`href="/hiresure/form/academic?discard&amp;from=review"`)
	b.get(academic+"?discard&from=review").is(http.StatusOK, question, "Without the draft of 21 Nov 2026, 12:00 this page has your saved answers.", "Keep draft", "Discard draft").
		has(`href="/hiresure/form/academic?from=review"`, `name="from" value="review"`).without("B.Com.")

	// Meanwhile another device went on with it: the question is asked again.
	_, err := b.services.Apply.SaveDraft(t.Context(), b.visitor, "academic", typed("academic", "course", "M.Com."), apply.AnyVersion)
	must(t, err)
	b.post(academic, "discard", nil).leadsTo(academic + "?discard&from=review")
	if kept := b.kept("academic"); kept.Values["course"] != "M.Com." {
		t.Errorf("kept %+v", kept)
	}
	b.get(academic + "?discard&from=review")
	b.post(academic, "discard", nil).leadsTo(academic + "?from=review")
	if kept := b.kept("academic"); kept.IsDraft || kept.Values["course"] != "B.Sc. Statistics" {
		t.Errorf("kept %+v", kept)
	}
	b.get(academic).is(http.StatusOK).has(`value="B.Sc. Statistics"`).without("Draft from")
	b.post(academic, "discard", nil).leadsTo(academic) // there is none any more

	// A page that was never saved is empty again. A draft that equals the saved answers is no draft.
	b.post(scholarship, "back", map[string]string{"reason": "Marks"})
	b.get(scholarship+"?discard").is(http.StatusOK, "Without the draft of 21 Nov 2026, 12:00 this page is empty.")
	b.post(scholarship, "discard", nil).leadsTo(scholarship)
	b.get(scholarship).is(http.StatusOK).without("Marks", "Draft from")
	b.post(academic, "back", typed("academic"))
	b.get(academic).is(http.StatusOK).has(`value="B.Sc. Statistics"`).without("Draft from")
}
