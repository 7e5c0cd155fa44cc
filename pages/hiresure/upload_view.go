package hiresure

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/prose"
	"hiresure/web"
)

// uploadView is the page of the documents.
type uploadView struct {
	Page         components.Page
	Rail         components.RailProps
	Title, Lede  string
	Registration string
	Errors       []components.FieldError // all faults
	Rows         []documentView
	Ready        bool // all required documents are stored
}

// documentView is one kind of document in its state.
type documentView struct {
	Kind, Label string
	Optional    bool
	PDF         bool
	// Messages for files that are rejected before they are sent.
	WrongType, TooLarge string
	Hint                string // which papers count; "" for none
	Rule                string // allowed files, or the stored one
	Accept, Choose      string
	Sheet               sheet
	State               string // "Uploaded 12:06"; "" without a document
	Waits               bool   // it is being checked
	Open, ID            string // of the stored document
	Thumbnail           string // address of the thumbnail; "" for none
	Wrong, Todo         string
	Missing             bool // Wrong says that it was missing at SUBMIT
}

// sheet is the drawing of a kind of document: its outline and its lines.
type sheet struct{ Outline, Lines string }

var sheets = map[document.Kind]sheet{
	document.Photo:             {"M20 4H68Q71 4 71 7V71Q71 74 68 74H20Q17 74 17 71V7Q17 4 20 4Z", "M44 20a12 12 0 1 0 .1 0M26 72c1-13 8-18 18-18s17 5 18 18"},
	document.IDProof:           {"M8 20H80Q84 20 84 24V62Q84 66 80 66H8Q4 66 4 62V24Q4 20 8 20Z", "M12 31h18v23h-18zM38 35h30M38 43h22M38 51h26"},
	document.Marksheet:         {"M18 4H70V84H18Z", "M26 18h36M26 30h36M26 42h24M26 54h30"},
	document.IncomeCertificate: {"M18 4H70V84H18Z", "M30 18h28M26 30h36M26 42h20M55 53a9 9 0 1 0 .1 0"},
}

// sizeOf returns name and size of a document.
func sizeOf(d document.Document) string {
	return d.Name + ", " + admission.Kilobytes(d.Size)
}

// showUpload shows the page with the faults of the last post.
func (h *home) showUpload(c *echo.Context, status int, v admission.Visitor, standing apply.Standing, faults []forms.Fault) error {
	all, err := h.Document.Overview(c.Request().Context(), v, "")
	if err != nil {
		return err
	}
	if c.Request().URL.Query().Has(openQuery) {
		faults = append(faults, document.Missing(all.Documents)...)
	}
	view := uploadView{Registration: standing.Registration.ID}
	in, n := 0, documentCount{All: len(all.Documents)}
	saved := components.SavedProps{Text: "Nothing sent yet", Sign: components.SignUnsent}
	for _, fault := range faults {
		if fault.Field == "" {
			view.Errors = append(view.Errors, components.FieldError{Message: fault.Message})
		}
	}
	for _, fact := range document.Kinds {
		row := documentViewOf(fact, all)
		for _, fault := range faults {
			if fault.Field == row.Kind && row.Wrong == "" {
				row.Wrong = fault.Message
			}
		}
		if row.Wrong != "" {
			view.Errors = append(view.Errors, components.FieldError{Field: row.Kind, Message: row.Wrong})
			n.Refused++
		}
		if fact.Required != "" {
			n.Needed++
			if row.ID != "" {
				in++
			}
			if row.Wrong != "" {
				n.Wrong++
			}
			if row.Missing = row.Wrong == fact.Required; row.Missing {
				n.Unsent++
			}
			if row.ID == "" || row.Wrong != "" {
				n.Open++
			}
		}
		view.Rows = append(view.Rows, row)
	}
	if len(all.Documents) > 0 {
		latest := slices.MaxFunc(all.Documents, func(a, b document.Document) int { return a.StoredAt.Compare(b.StoredAt) })
		saved = h.Saved(latest.StoredAt)
	}
	view.Ready = in == n.Needed
	view.Title, view.Lede = n.heading()
	view.Page = components.Page{Title: "Step 6 of 6: Upload Documents", Main: "application", NoIndex: true, Styles: []string{"account.css"}, Refused: len(view.Errors) > 0}
	view.Rail = components.RailProps{
		Home: web.HomePath, Phone: h.Content.Current().Site().Support.Phone, Saved: saved,
		Steps: components.StepsOf(components.ApplicationStages, components.UploadStep), Now: components.UploadStep,
	}
	view.Rail.Wrong = n.rail()
	return h.Show(c, status, uploadPage(view))
}

// documentCount counts documents.
type documentCount struct {
	Needed  int
	Open    int // required ones that are missing or refused
	Wrong   int // required ones with an error
	Unsent  int // of those, missing at SUBMIT
	Refused int // refused ones, optional included
	All     int // stored ones
}

// rail returns the words of the header: "1 to fix, 2 missing". islands/upload/words.ts has the same words.
func (n documentCount) rail() string {
	var words []string
	if toFix := n.Refused - n.Unsent; toFix > 0 {
		words = append(words, strconv.Itoa(toFix)+" to fix")
	}
	if n.Unsent > 0 {
		words = append(words, strconv.Itoa(n.Unsent)+" missing")
	}
	return strings.Join(words, ", ")
}

// heading returns the page's heading and lede. islands/upload/words.ts has the same words.
func (n documentCount) heading() (title, lede string) {
	const kept = " what is wrong. Uploaded files are kept."
	documents := prose.Capital(content.InWords(n.Open)) + " documents"
	if n.Open == 1 {
		documents = "One document"
	}
	title = documents
	switch wrong := n.Wrong - n.Unsent; {
	case wrong == n.Open:
		title += " to fix"
	case wrong > 0:
		title = prose.Capital(content.InWords(wrong)) + " to fix, " + content.InWords(n.Open-wrong) + " missing"
	case n.Open == 1:
		title += " is missing"
	default:
		title += " are missing"
	}
	allIn := "All " + content.InWords(n.Needed) + " are in"
	switch {
	case n.Refused > 0 && n.Open == 0:
		return allIn, "We could not take the optional file; it says why. You can SUBMIT without it."
	case n.Unsent > 0 && n.Unsent == n.Refused:
		return title, "Add what is missing, then press SUBMIT."
	case n.Refused > 0 && (n.Wrong < n.Open || n.Wrong < n.Refused):
		return title, "Below each refused file, see" + kept
	case n.Refused == 1:
		return title, "See below" + kept
	case n.Refused > 1:
		return title, "Below each one, see" + kept
	case n.Open == 0:
		return allIn, "Check each one. We start reading after SUBMIT."
	case n.All > 0:
		return documents + " to go", "Your uploads are kept. Continue later on any phone or computer."
	}
	return "Three documents, a\u00a0fourth if you have it", "Hold the phone straight above the document, in daylight. All four corners must be in the picture."
}

func documentViewOf(fact document.KindFact, all document.Overview) documentView {
	row := documentView{
		Kind: string(fact.Kind), Label: fact.Label, Hint: fact.Hint, Optional: fact.Required == "", Sheet: sheets[fact.Kind],
		PDF: fact.PDF, WrongType: fact.Refusal(document.WrongType), TooLarge: fact.TooLarge,
		Rule: "PDF, PNG, JPG or JPEG, up\u00a0to\u00a02\u00a0MB", Accept: "image/jpeg,image/png,application/pdf", Choose: "Photo or PDF",
	}
	if !fact.PDF {
		row.Rule, row.Accept, row.Choose = "(Max. File size: 2 MB, File type: JPG, JPEG, PNG)", "image/jpeg,image/png", "Take or choose photo"
	}
	if d, there := document.OfKind(all.Documents, fact.Kind); there {
		row.Rule, row.ID, row.State, row.Choose = sizeOf(d), d.ID, "Uploaded "+admission.TimeOfDay(d.StoredAt), "Replace"
		if d.Checking {
			row.State, row.Waits = "We are checking it, a few seconds", true
		} else {
			row.Open = web.DocumentPath(d.ID)
			if isPicture(d) {
				row.Thumbnail = web.ThumbnailPath(d.ID)
			}
		}
	}
	if i := slices.IndexFunc(all.Uploads, func(u document.Upload) bool { return u.Kind == fact.Kind }); i >= 0 {
		switch u := all.Uploads[i]; u.State {
		case document.Whole:
			row.State, row.Waits = u.Name+": we are checking it, a few seconds", true
		case document.Refused:
			row.Wrong = u.Refusal
			if row.ID == "" {
				row.Rule = u.Name
			}
			row.Todo = repair(fact, u)
		case document.Receiving:
			row.State, row.Waits = u.Name+": not complete. Send it again", true
		}
	}
	return row
}

// isPicture reports whether pages show a document as a picture.
func isPicture(d document.Document) bool {
	return d.Kind == document.Photo && strings.HasPrefix(d.ContentType, "image/")
}

// repair returns what to do about a refused file.
func repair(fact document.KindFact, u document.Upload) string {
	switch {
	case u.Refusal == fact.Refusal(document.HEIC): // its message has it, for API clients too
		return ""
	case u.Refusal == fact.TooLarge && fact.PDF:
		return "The limit is 2,048 KB. Choose the page with the marks or the seal only, or photograph it."
	case u.Refusal == fact.TooLarge:
		return "The limit is 2,048 KB. Take the photo again with a lower resolution, or crop it."
	case strings.HasPrefix(u.Refusal, "Only ") && fact.PDF:
		return "Save it as PDF, or photograph the document."
	case strings.HasPrefix(u.Refusal, "Only "):
		return "Take a photo with the camera, or save it as JPG."
	}
	return ""
}

// doneView is the page after submission.
type doneView struct {
	Page     components.Page
	AnswerBy string // date
	In       []string
	Next     string
}

func (h *home) showDone(c *echo.Context, v admission.Visitor, standing apply.Standing) error {
	all, err := h.Document.Overview(c.Request().Context(), v, "")
	if err != nil {
		return err
	}
	view := doneView{
		Page:     components.Page{Title: "Documents Uploaded successfully!", Main: "submitted on-field", NoIndex: true, Styles: []string{"paid.css", "account.css"}},
		AnswerBy: admission.LongDate(standing.Event.AnswerOn(standing.Registration.ModifiedAt)), Next: web.HomePath,
	}
	for _, d := range all.Documents {
		fact, _ := d.Kind.Fact()
		view.In = append(view.In, fact.Label)
	}
	return h.Show(c, http.StatusOK, donePage(view))
}
