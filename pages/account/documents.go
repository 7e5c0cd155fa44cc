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

// documentsView is what My data says of documents.
type documentsView struct {
	Opened  string // "Your documents were opened twice"
	Here    bool   // a document is with us
	Ended   bool   // one of an application that has ended is
	Changes string // where one of the application that goes on is replaced or deleted; "" where that cannot be
	Papers  []paperRow
	Looks   []lookRow
}

// paperRow is a document, and whether it is with us.
type paperRow struct {
	Name, Kind    string
	Meta, Arrived string // of one that is here
	Here          bool
	Open          string // its address; "" where it is not to be opened
	Delete        string // its id, where its application has ended
}

// lookRow is one time that somebody opened a document.
type lookRow struct {
	Day, Time, What, Who string
}

// documentsOf are what is kept of documents, of whichever application, and who has opened them when.
func documentsOf(o mydata.Overview, standing apply.Standing, me string) documentsView {
	view := documentsView{Here: len(o.Documents) > 0, Opened: opened(o)}
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
				view.Papers = append(view.Papers, paperOf(d))
			} else {
				view.Papers = append(view.Papers, paperRow{Name: fact.Label})
			}
		}
	}
	for _, d := range current {
		if d.Kind == document.Unnamed {
			view.Papers = append(view.Papers, paperOf(d))
		}
	}
	if len(current) > 0 && standing.Allows(enrol.PlaceUpload) {
		view.Changes = web.UploadPath
	}
	for _, d := range ended {
		row := paperOf(d)
		row.Delete, view.Ended = d.ID, true
		view.Papers = append(view.Papers, row)
	}
	names := map[string]string{}
	for _, d := range o.Documents {
		names[d.ID] = d.Kind.Rules().Label
	}
	for _, look := range o.Views {
		date := strings.Fields(admission.Date(look.At))
		row := lookRow{Day: strings.Join(date[:2], "\u00a0"), Time: admission.TimeOfDay(look.At), What: cmp.Or(names[look.DocumentID], "A document that was replaced or deleted"), Who: "Our staff"}
		if look.Viewer == me {
			row.Who = "You"
		}
		view.Looks = append(view.Looks, row)
	}
	return view
}

func paperOf(d document.Document) paperRow {
	row := paperRow{Name: d.Kind.Rules().Label, Kind: string(d.Kind), Here: true, Meta: d.Name + ", " + strings.ReplaceAll(admission.Kilobytes(d.Size), " ", "\u00a0") + ",", Arrived: "arrived " + admission.Moment(d.StoredAt)}
	if !d.Checking {
		row.Open = web.DocumentPath(d.ID)
	}
	return row
}

// opened is how often others have opened the documents.
func opened(o mydata.Overview) string {
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
