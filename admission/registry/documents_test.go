package registry_test

import (
	"strings"
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/document"
)

func TestStatusNamesMissingDocuments(t *testing.T) {
	for _, row := range []struct {
		sentence string
		sent     []document.Kind
		title    string
		done     string // "" for none
		now      string
	}{
		{"none is in", nil, "Upload your documents", "", "Upload your documents (Photo, student ID, last academic marksheet)"},
		{"the optional one is", []document.Kind{document.IncomeCertificate}, "Upload three more documents", "Income certificate in (12:10)", "Upload your documents (Photo, student ID, last academic marksheet)"},
		{"one is", []document.Kind{document.IDProof}, "Upload two more documents", "Student ID in (12:10)", "Passport photo and Last Academic Marksheet"},
		{"two are", []document.Kind{document.IDProof, document.Photo}, "Upload one more document", "Photo and student ID in (12:20)", "Last Academic Marksheet"},
		{
			"all are, and are not submitted", []document.Kind{document.Photo, document.IDProof, document.Marksheet}, "Submit your documents",
			"Photo, student ID and last academic marksheet in (12:30)", "Submit your documents",
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.PaidApplication()
				for _, kind := range row.sent {
					w.Clock.Pass(10 * time.Minute)
					p.Upload(kind, "a document", 100)
				}
				detail := ownRegistration(p)
				businesstest.Equal(t, "title", statusTexts(w, detail.Item).Title(), row.title)
				done, now, _ := strings.Cut(timelineText(timelineOf(w, detail)), "now: ")
				now, _, _ = strings.Cut(now, ", you\n")
				arrived := strings.TrimSuffix(done[strings.LastIndex(strings.TrimSuffix(done, "\n"), "\n")+1:], "\n")
				businesstest.Equal(t, "what has arrived", arrived == "done: "+row.done || row.done == "" && !strings.Contains(done, " in (1"), true)
				businesstest.Equal(t, "what is next", now, row.now)
				home, err := w.Registry.Home(w.Ctx, p.Visitor)
				w.Must(err)
				businesstest.Equal(t, "the home says what the detail says", statusTexts(w, *home.Next).Title(), statusTexts(w, detail.Item).Title())
			})
		})
	}
}
