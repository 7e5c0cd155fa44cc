package account

import (
	"cmp"
	"strings"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/mydata"
	"hiresure/content"
	"hiresure/web"
)

// documentsView lists the stored documents and who has opened them.
type documentsView struct {
	Opened  string // "Your documents were opened twice"
	Here    bool   // at least one document is stored
	Ended   bool   // at least one belongs to an application that has ended
	Changes string // page that replaces or deletes documents of the current application; "" when it is closed
	Rows    []documentRow
	Views   []viewRow
	Looks   []viewRow // of staff at the person's pages
}

// documentRow is one kind of document.
type documentRow struct {
	Name, Kind    string
	Meta, Arrived string // of a stored one
	Here          bool
	Open          string // its address; "" while it is being checked
	Delete        string // its id, if its application has ended
}

// viewRow is one time that a document was opened.
type viewRow struct {
	Day, Time, What, Who string
}

// documentsOf returns the stored documents of all applications, and who opened them.
func documentsOf(o mydata.Overview, standing apply.Standing, me string) documentsView {
	view := documentsView{Here: len(o.Documents) > 0, Opened: openedSummary(o)}
	var current, ended []document.Document
	for _, d := range o.Documents {
		if d.RegistrationID == standing.RegistrationID() {
			current = append(current, d)
		} else {
			ended = append(ended, d)
		}
	}
	if standing.Registration != nil || !view.Here {
		for _, fact := range document.Kinds {
			if d, there := document.OfKind(current, fact.Kind); there {
				view.Rows = append(view.Rows, documentRowOf(d))
			} else {
				view.Rows = append(view.Rows, documentRow{Name: fact.Label})
			}
		}
	}
	for _, d := range current {
		if d.Kind == document.Unnamed {
			view.Rows = append(view.Rows, documentRowOf(d))
		}
	}
	if len(current) > 0 && standing.Allows(enrol.PlaceUpload) {
		view.Changes = web.UploadPath
	}
	for _, d := range ended {
		row := documentRowOf(d)
		row.Delete, view.Ended = d.ID, true
		view.Rows = append(view.Rows, row)
	}
	names := map[string]string{}
	for _, d := range o.Documents {
		names[d.ID] = d.Kind.Rules().Label
	}
	for _, look := range o.Views {
		date := strings.Fields(admission.Date(look.At))
		row := viewRow{Day: strings.Join(date[:2], "\u00a0"), Time: admission.TimeOfDay(look.At), What: cmp.Or(names[look.DocumentID], "A document that was replaced or deleted"), Who: "Our staff"}
		if look.Viewer == me {
			row.Who = "You"
		}
		view.Views = append(view.Views, row)
	}
	for _, look := range o.Looks {
		date := strings.Fields(admission.Date(look.At))
		view.Looks = append(view.Looks, viewRow{Day: strings.Join(date[:2], "\u00a0"), Time: admission.TimeOfDay(look.At), What: look.Purpose, Who: "Our staff, " + look.Role})
	}
	return view
}

func documentRowOf(d document.Document) documentRow {
	row := documentRow{Name: d.Kind.Rules().Label, Kind: string(d.Kind), Here: true, Meta: d.Name + ", " + nonBreaking(admission.Kilobytes(d.Size)) + ",", Arrived: "uploaded " + admission.Moment(d.StoredAt)}
	if !d.Checking {
		row.Open = web.DocumentPath(d.ID)
	}
	return row
}

// openedSummary counts how often others opened the documents.
func openedSummary(o mydata.Overview) string {
	switch {
	case o.Others == 1:
		return "Your documents were opened once"
	case o.Others > 1:
		return "Your documents were opened " + content.InWords(o.Others) + " times"
	case len(o.Views) > 0:
		return "Nobody but you has opened your documents"
	}
	return "Nobody has opened your documents"
}
