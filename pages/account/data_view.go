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
	"hiresure/pages"
	"hiresure/web"
)

// dataView is the view of My data.
type dataView struct {
	Me       account.Account
	At       string // the open fold
	Choices  []choiceRow
	Minor    bool   // a minor cannot consent
	Summary  string // "Yes to two, no to two"
	File     fileView
	Devices  []deviceRow
	SignedIn string // "Signed in on three devices"
	Leaving  leavingView
	Kept     bool // the deletion was withdrawn a moment ago
	Refused  string
	Deleted  string // message about the document just deleted

	Documents documentsView
}

// choiceRow is one purpose and the choice made for it.
type choiceRow struct {
	Purpose, Name string
	Means         []string
	Given         bool
	When          string
}

// fileView is the export in its state.
type fileView struct {
	Title, Text string
	ID          string // "" for none
	UnderWay    bool
	Ready       bool
	Percent     int
	Steps       components.StepperProps
	Poll        string // address that the page polls
	Now         string // the kind being collected
	Count       string // "3 of 5"
	Meta        string
	Href        string
}

// deviceRow is a signed-in browser.
type deviceRow struct {
	ID, Device string
	Day        string // "Now", or the day of the sign-in
	Meta       string
	Own        bool
}

// leavingView is the request for deletion in its state.
type leavingView struct {
	Title, Text string
	Requested   bool // it can be withdrawn
	Waits       string
	Retentions  []retention
}

// retention is a record that the law keeps after deletion. Length is out of 720, which is 72 months.
type retention struct {
	What, Long, Law, Length string
}

var retentions = []retention{
	{"Invoice and payment", "72 months", "GST law (CGST Act 2017, section 36), from the annual return of that year", "720"},
	{"Server records, without names", "1 year", "Data protection law (DPDP Rules 2025, rule 8)", "120"},
}

// purposes lists the purposes in display order.
var purposes = []choiceRow{
	{Purpose: "marketing", Name: "News", Means: []string{"About programmes and scholarships."}},
	{Purpose: "partner_college", Name: "Partner college"},
	{Purpose: "hiring_partners", Name: "Hiring partners"},
	{Purpose: "reminders", Name: "Reminders"},
}

// meansOf returns what consent to a purpose means: the text of its box on each form, once where both are equal.
func meansOf(set *forms.Set, purpose string) []string {
	textIn := func(form string) string {
		for _, box := range set.Get(form).Field("consents").Options {
			if box.Value == purpose {
				return box.Text
			}
		}
		return ""
	}
	enrolment, application := textIn(enrol.FormName), textIn(apply.FormName)
	if enrolment == application {
		return []string{enrolment}
	}
	return []string{"Enrolment: " + enrolment, "Application: " + application}
}

// Folds, and the query parameter that opens one.
const (
	atQuery       = "at"
	keptQuery     = "kept" // the deletion was just withdrawn
	foldDocuments = "documents"
	foldChoices   = "choices"
	foldFile      = "file"
	foldSessions  = "sessions"
	foldDelete    = "delete"
)

// dataFold returns the address of My data with a fold open.
func dataFold(fold string) string { return dataFoldAt(fold, fold) }

// dataFoldAt returns the address of an anchor inside an open fold of My data.
func dataFoldAt(fold, anchor string) string {
	return web.MyDataPath + "?" + atQuery + "=" + fold + "#" + anchor
}

// choiceRows returns the purposes, those with consent first.
func choiceRows(set *forms.Set, choices []mydata.Choice) (rows []choiceRow) {
	var declined []choiceRow
	for _, row := range purposes {
		i := slices.IndexFunc(choices, func(c mydata.Choice) bool { return c.Purpose == row.Purpose })
		choice := choices[i]
		row.Means = slices.Concat(row.Means, meansOf(set, row.Purpose))
		row.Given = choice.Given
		switch at := onDay(choice.At) + ", " + admission.TimeOfDay(choice.At); {
		case choice.At.IsZero():
			row.When = "Not given"
		case choice.Given:
			row.When = at + ", notice of " + noticeOf(choice.NoticeVersion)
		default:
			row.When = "Withdrawn " + at
		}
		if row.Given {
			rows = append(rows, row)
		} else {
			declined = append(declined, row)
		}
	}
	return append(rows, declined...)
}

// noticeOf returns the date in a version of the privacy notice; a version without one is returned unchanged.
func noticeOf(version string) string {
	day, _, _ := strings.Cut(version, " ")
	at, err := time.ParseInLocation(time.DateOnly, day, admission.IST)
	if err != nil {
		return version
	}
	return onDay(at)
}

// nonBreaking returns text with no-break spaces.
func nonBreaking(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// onDay returns a date with no-break spaces.
func onDay(at time.Time) string { return nonBreaking(admission.Date(at)) }

// choiceSummary counts the choices: "Your choices: 2 yes, 2 no".
func choiceSummary(rows []choiceRow) string {
	given := 0
	for _, row := range rows {
		if row.Given {
			given++
		}
	}
	return "Your choices: " + strconv.Itoa(given) + " yes, " + strconv.Itoa(len(rows)-given) + " no"
}

func counted(n int, one, many string) string {
	if n == 1 {
		return content.InWords(n) + " " + one
	}
	return content.InWords(n) + " " + many
}

// fileOf returns the view of an export, nil for none, about which we write to contact.
func (h handlers) fileOf(e *mydata.Export, contact string) fileView {
	v := h.stateOf(e, contact)
	v.Poll = web.MyDataPath
	for i, kind := range mydata.Kinds {
		state := components.StepAhead
		switch {
		case v.UnderWay && i < e.Done:
			state = components.StepDone
		case v.UnderWay && i == e.Done:
			state, v.Now = components.StepCurrent, string(kind)
		}
		v.Steps = append(v.Steps, components.Step{Name: string(kind), State: state})
	}
	v.Now = cmp.Or(v.Now, string(mydata.Kinds[len(mydata.Kinds)-1]))
	return v
}

func (h handlers) stateOf(e *mydata.Export, contact string) fileView {
	text := "A ZIP file with all your data. You can close this page. When the file is ready, we send a message to " + contact + "."
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
			Text: "Download it until " + admission.Moment(e.ExpiresAt) + "; then we delete it. Keep it where nobody else can read it.",
			Meta: admission.Kilobytes(e.Size) + ", collected " + admission.Moment(e.ReadyAt),
		}
	case !e.FailedAt.IsZero():
		return fileView{Title: "Your file could not be made", Text: "We could not make the file. We know about it and are working on it. Try again, or write to " + h.Content.Current().Site().Privacy.Email + " and we send it to you."}
	}
	return fileView{Title: "Everything in one file: expired", Text: "Your file of " + admission.Date(e.ReadyAt) + " was deleted after seven days. You can ask for a new one."}
}

// deviceRows returns the signed-in browsers, the current one first.
func deviceRows(sessions []access.Session, own string) (rows []deviceRow) {
	for _, s := range sessions {
		row := deviceRow{
			ID: s.ID, Device: account.Device(s.UserAgent), Own: s.ID == own, Day: "Now",
			Meta: "Signed in on " + onDay(s.SignedInAt) + " at " + admission.TimeOfDay(s.SignedInAt),
		}
		if row.Own {
			rows = slices.Insert(rows, 0, row)
			continue
		}
		date := strings.Fields(admission.Date(s.SignedInAt))
		row.Day = strings.Join(date[:2], "\u00a0")
		rows = append(rows, row)
	}
	return rows
}

// leaving returns the view of the request for deletion.
func leaving(o mydata.Overview) leavingView {
	v := leavingView{
		Retentions: retentions, Title: "Delete my account and data",
		Text: "We delete all your data after seven days. You can cancel until then. Tax law makes us keep invoices for 72 months.",
	}
	switch d := o.Deletion; {
	case d == nil:
		if settles := pages.Settles[o.Money.Kind]; settles != "" {
			v.Waits = unsettled(o.Money) + " If that takes longer than seven days, we delete your account once " + settles + "."
		}
	case !d.PostponedAt.IsZero():
		v.Requested, v.Title, v.Waits = true, "Will be deleted "+pages.DeletedWhen(*d, o.Money), unsettled(o.Money)
		v.Text = "You asked for it on " + onDay(d.AskedAt) + ". We check every day, and you can still cancel."
	default:
		v.Requested, v.Title = true, "Will be deleted "+pages.DeletedWhen(*d, o.Money)
		until := onDay(d.DueAt) + ", " + admission.TimeOfDay(d.DueAt)
		if o.Money.Delays(*d) {
			until, v.Waits = onDay(o.Money.Until()), unsettled(o.Money)
		} else if pages.Settles[o.Money.Kind] != "" {
			v.Waits = unsettled(o.Money)
		}
		v.Text = "You asked for it on " + onDay(d.AskedAt) + ". Until " + until + " nothing changes, and you can cancel."
	}
	return v
}

// unsettled states why a deletion waits; "" if all money is settled.
func unsettled(money mydata.Unsettled) string {
	switch money.Kind {
	case mydata.MayArrive:
		return "A payment that did not go through may still arrive until " + onDay(money.Until()) + "."
	case mydata.PaymentOpen:
		return "A payment that you started may still arrive until " + onDay(money.Until()) + "."
	case mydata.PaymentReview:
		return "We are still checking your payment."
	case mydata.RefundOpen:
		return "Your refund is not complete yet."
	case mydata.DisputeOpen:
		return "Your bank is looking into a payment that was disputed."
	}
	return ""
}
