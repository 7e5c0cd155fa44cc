package account

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/enrol"
	"hiresure/admission/mydata"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/web"
)

// dataView is My data: the headings of its folds are their conclusions.
type dataView struct {
	Me       account.Account
	At       string // the fold that is open where they are folds
	Choices  []choiceRow
	Minor    bool   // under 18: no yes is asked for
	Said     string // "Yes to two, no to two"
	File     fileView
	Devices  []deviceRow
	SignedIn string // "Signed in on three devices"
	Leaving  leavingView
	Kept     bool   // the deletion was taken back a moment ago
	Refused  string // the file that was asked for, and why
	Deleted  string // the document that was deleted a moment before

	Documents documentsView
}

// choiceRow is one purpose, and what was said to it.
type choiceRow struct {
	Purpose, Name string
	Means         []string
	Given         bool
	When          string
}

// fileView is the file with everything, in its state.
type fileView struct {
	Title, Text string
	ID          string // of one that there is; "" for none
	UnderWay    bool
	Ready       bool
	Percent     int
	Steps       components.KnotsProps
	Poll        string // where the page asks how far it is
	Now         string // the kind that is collected
	Count       string // "3 of 5"
	Meta        string
	Href        string
}

// deviceRow is a browser that is signed in.
type deviceRow struct {
	ID, Device string
	Day        string // "Now", or when it was signed in
	Meta       string
	Own        bool
}

// leavingView is the request to be deleted, in its state.
type leavingView struct {
	Title, Text string
	Asked       bool // it can be taken back
	Waits       string
	Stays       []stay
}

// stay is what the law keeps of who is deleted: for how long, by which law. Length is of 720, which is 72 months.
type stay struct {
	What, Long, Law, Length string
}

var stays = []stay{
	{"Invoice and payment", "72 months", "GST law (CGST Act 2017, section 36), from the annual return of that year", "720"},
	{"Server records, without names", "1 year", "Data protection law (DPDP Rules 2025, rule 8)", "120"},
}

// purposes are what people read of each purpose, in the order in which they stand.
var purposes = []choiceRow{
	{Purpose: "marketing", Name: "News", Means: []string{"About programmes and scholarships."}},
	{Purpose: "partner_college", Name: "Partner college"},
	{Purpose: "hiring_partners", Name: "Hiring partners"},
	{Purpose: "reminders", Name: "Reminders"},
}

// meansOf is what a yes to a purpose means: what stood beside the box, of enrolment and application apart where they differ.
func meansOf(set *forms.Set, purpose string) []string {
	said := func(form string) string {
		for _, box := range set.Get(form).Field("consents").Options {
			if box.Value == purpose {
				return box.Text
			}
		}
		return ""
	}
	enrolment, application := said(enrol.FormName), said(apply.FormName)
	if enrolment == application {
		return []string{enrolment}
	}
	return []string{"Enrolment: " + enrolment, "Application: " + application}
}

// The folds, and the query parameter that names the one to open.
const (
	atQuery       = "at"
	keptQuery     = "kept" // the account stays: the page says so
	foldDocuments = "documents"
	foldChoices   = "choices"
	foldFile      = "file"
	foldSessions  = "sessions"
	foldDelete    = "delete"
)

// dataFold is My data with one of its folds open.
func dataFold(fold string) string { return web.MyDataPath + "?" + atQuery + "=" + fold + "#" + fold }

func choiceRows(set *forms.Set, choices []mydata.Choice) (rows []choiceRow) {
	for _, row := range purposes {
		i := slices.IndexFunc(choices, func(c mydata.Choice) bool { return c.Purpose == row.Purpose })
		said := choices[i]
		row.Means = slices.Concat(row.Means, meansOf(set, row.Purpose))
		row.Given = said.Given
		switch at := onDay(said.At) + ", " + admission.TimeOfDay(said.At); {
		case said.At.IsZero():
			row.When = "Never given"
		case said.Given:
			row.When = at + ", notice of " + noticeOf(said.NoticeVersion)
		default:
			row.When = "Taken back " + at
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b choiceRow) int { return cmp.Compare(yes(b), yes(a)) })
	return rows
}

func yes(c choiceRow) int {
	if c.Given {
		return 1
	}
	return 0
}

// noticeOf is the day of a version of the privacy notice, as it is where it names none.
func noticeOf(version string) string {
	day, _, _ := strings.Cut(version, " ")
	at, err := time.ParseInLocation(time.DateOnly, day, admission.IST)
	if err != nil {
		return version
	}
	return onDay(at)
}

// onDay is a date that no line breaks.
func onDay(at time.Time) string { return strings.ReplaceAll(admission.Date(at), " ", "\u00a0") }

// saidOf is how often yes and no was said: "Yes to two, no to two".
func saidOf(rows []choiceRow) string {
	given := 0
	for _, row := range rows {
		given += yes(row)
	}
	switch given {
	case 0:
		return "No to all " + content.InWords(len(rows))
	case len(rows):
		return "Yes to all " + content.InWords(given)
	}
	return "Yes to " + content.InWords(given) + ", no to " + content.InWords(len(rows)-given)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return content.InWords(n) + " " + one
	}
	return content.InWords(n) + " " + many
}

// fileOf is the file in its state: none, under way, ready, over, or not to be made.
func (h handlers) fileOf(e *mydata.Export) fileView {
	v := h.stateOf(e)
	v.Poll = web.MyDataPath
	for i, kind := range mydata.Kinds {
		state := components.KnotAhead
		switch {
		case v.UnderWay && i < e.Done:
			state = components.KnotDone
		case v.UnderWay && i == e.Done:
			state, v.Now = components.KnotNow, string(kind)
		}
		v.Steps = append(v.Steps, components.Knot{Name: string(kind), State: state})
	}
	v.Now = cmp.Or(v.Now, string(mydata.Kinds[len(mydata.Kinds)-1]))
	return v
}

func (h handlers) stateOf(e *mydata.Export) fileView {
	const text = "A ZIP with all that we hold about you, as pages to read and as data. You may leave; we write to you when it is ready."
	switch {
	case e == nil:
		return fileView{Title: "Everything in one file", Text: text}
	case e.UnderWay():
		v := fileView{ID: e.ID, UnderWay: true, Text: text, Percent: 100 * e.Done / len(mydata.Kinds), Count: strconv.Itoa(min(e.Done+1, len(mydata.Kinds))) + " of " + strconv.Itoa(len(mydata.Kinds))}
		v.Title = "Everything in one file: " + strconv.Itoa(v.Percent) + "% collected"
		v.Meta = admission.Kilobytes(e.Size) + " so far, begun " + admission.TimeOfDay(e.AskedAt)
		return v
	case e.Ready(h.Clock()):
		return fileView{
			ID: e.ID, Ready: true, Href: web.DataFilePath(e.ID), Title: "Everything in one file: ready",
			Text: "It waits for you until " + admission.Moment(e.ExpiresAt) + "; then it is deleted. Keep it where nobody else reads it.",
			Meta: admission.Kilobytes(e.Size) + ", collected " + admission.Moment(e.ReadyAt),
		}
	case !e.FailedAt.IsZero():
		return fileView{Title: "Everything in one file: not made", Text: "The file could not be made. We were told and look at it. Try again, or write to " + h.Content.Current().Site().Privacy.Email + ": then we send it to you ourselves."}
	}
	return fileView{Title: "Everything in one file: over", Text: "Your file of " + admission.Date(e.ReadyAt) + " was deleted after seven days. You may have a new one collected."}
}

func deviceRows(sessions []access.Session, own string) (rows []deviceRow) {
	for _, s := range sessions {
		row := deviceRow{
			ID: s.ID, Device: account.Device(s.UserAgent), Own: s.ID == own, Day: "Now",
			Meta: "Signed in on " + onDay(s.SignedInAt) + " at " + admission.TimeOfDay(s.SignedInAt),
		}
		if !row.Own {
			date := strings.Fields(admission.Date(s.SignedInAt))
			row.Day = strings.Join(date[:2], "\u00a0")
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b deviceRow) int {
		if a.Own == b.Own {
			return 0
		}
		if a.Own {
			return -1
		}
		return 1
	})
	return rows
}

// leaving is the request to be deleted in its state: none, standing, or waiting for money that moves.
func leaving(o mydata.Overview) leavingView {
	v := leavingView{
		Stays: stays, Title: "Delete everything but what the law keeps",
		Text: "After seven days, in which you can take it back, everything we hold about you is deleted. Invoices stay for 72 months, because tax law asks for it.",
	}
	switch d := o.Deletion; {
	case d == nil && o.Open:
		v.Waits = "A payment or refund of yours is not settled, or was tried in the last seven days and may still arrive. Deletion waits until that is over."
	case d == nil:
	case !d.PostponedAt.IsZero():
		v.Asked, v.Title = true, "Deleted as soon as your money has settled"
		v.Text = "You asked for it on " + onDay(d.AskedAt) + ". A payment or refund of yours is not settled yet: we look every day, and delete everything once it is. You can still take it back."
	default:
		v.Asked, v.Title = true, "Deleted on "+admission.Date(d.DueAt)
		v.Text = "You asked for it on " + onDay(d.AskedAt) + ". Until " + onDay(d.DueAt) + ", " + admission.TimeOfDay(d.DueAt) + " nothing changes, and you can take it back."
	}
	return v
}
