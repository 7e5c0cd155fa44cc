package hiresure

import (
	"cmp"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/registry"
	"hiresure/admission/status"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/prose"
)

// Moment is a point of a registration's timeline: past, next or later.
type Moment struct {
	State    MomentState
	At       time.Time // zero if When is set
	When     string    // "Now", "By 10 Mar 2027"; "" if At is known
	Title    string
	Text     string
	Assignee status.Assignee // assignee of a coming moment; "" for none, or for that of the moment before
}

// MomentState is the state of a moment on the timeline.
type MomentState string

// States of a moment.
const (
	Happened MomentState = "done"
	Failed   MomentState = "failed" // happened without success
	Now      MomentState = "now"
	Ahead    MomentState = "ahead"
)

// entryWords returns the public words of an entry; empty for an internal one. before are the previous entries.
func entryWords(library *content.Library, item registry.Item, entry enrol.Entry, before []enrol.Entry) content.EntryWords {
	words := library.Entry(string(entry.Kind))
	if entry.Kind != enrol.EntryRefunded {
		return words
	}
	inPart := func(e enrol.Entry) bool { return e.Kind == enrol.EntryPartlyRefunded && e.Detail == entry.Detail }
	switch {
	case item.Refund.ChargedBack && entry.Detail == item.Registration.PaidTxnID:
		return library.Entry(entryChargedBack)
	case slices.ContainsFunc(before, inPart):
		return library.Entry(entryRestRefunded)
	}
	return words
}

// Names in the content of a refund taken by the payer's bank, and of the last of several refunds.
const (
	entryChargedBack  = "refunded, charged back"
	entryRestRefunded = "refunded, the rest"
)

// unsuccessful are the entries of payments without success.
var unsuccessful = map[enrol.EntryKind]bool{enrol.EntryAttemptFailed: true, enrol.EntryPaymentFailed: true, enrol.EntryPaymentExpired: true}

// Timeline returns the past, then the next steps, then the event's coming days.
func Timeline(library *content.Library, detail registry.Detail, now time.Time) []Moment {
	var moments []Moment
	standing := standingOf(library, detail.Item, now)
	open := openStart(standing.Phase, detail.Entries)
	for i, entry := range detail.Entries {
		words := entryWords(library, detail.Item, entry, detail.Entries[:i])
		if words.Title == "" || entry.Kind == enrol.EntryPaymentStarted && i != open || stepsSavedWith(entry, detail.Entries[i+1:]) > 0 {
			continue
		}
		values := entryValues(detail, entry)
		m := Moment{State: Happened, At: entry.At, Title: pages.FillKnown([]string{words.Title}, values), Text: pages.FillKnown([]string{words.Text}, values)}
		if unsuccessful[entry.Kind] {
			m.State = Failed
			if paid := detail.Registration.PaidTxnID; paid != "" && entry.Detail == paid {
				m.Text = "Your bank confirmed it later"
			}
		}
		if n := stepsSavedWith(entry, detail.Entries); n > 1 {
			m.Title, m.Text = []string{2: "Two", 3: "Three"}[n]+" steps filled in", "Saved "+admission.TimeOfDay(entry.At)
		}
		moments = append(moments, m)
	}
	moments = append(moments, documentsMoment(detail.Documents)...)
	slices.SortStableFunc(moments, func(a, b Moment) int { return a.At.Compare(b.At) })
	return append(moments, comingMoments(standing, now)...)
}

// openStart returns the index of the entry that started the open attempt; -1 for none. Closed attempts have entries of their
// own.
func openStart(phase status.Phase, entries []enrol.Entry) int {
	if phase == status.PaymentOpen {
		for i, entry := range slices.Backward(entries) {
			if entry.Kind == enrol.EntryPaymentStarted {
				return i
			}
		}
	}
	return -1
}

// stepsSavedWith counts the form's steps saved on the same day, which the last of them shows together; 0 if saved is no such entry.
func stepsSavedWith(saved enrol.Entry, entries []enrol.Entry) int {
	steps := map[enrol.EntryKind]bool{}
	for _, e := range entries {
		if isSaved[saved.Kind] && isSaved[e.Kind] && admission.Date(e.At) == admission.Date(saved.At) {
			steps[e.Kind] = true
		}
	}
	return len(steps)
}

var isSaved = map[enrol.EntryKind]bool{enrol.EntryPersonalSaved: true, enrol.EntryAcademicSaved: true, enrol.EntryScholarshipSaved: true}

// entryValues returns the values of an entry's placeholders.
func entryValues(detail registry.Detail, entry enrol.Entry) map[string]string {
	values := map[string]string{"issued": "Your ticket is issued", "detail": corrected(entry)}
	if detail.Product == enrol.ProductApplication {
		values["issued"] = "Receipt sent by e-mail"
		if detail.Invoice != nil {
			values["issued"] = "Receipt and invoice sent by e-mail"
		}
	}
	if entry.Kind == enrol.EntryMoved {
		values["moved"] = entry.Detail
	}
	t := detail.Transaction
	if entry.Detail != "" {
		t = detail.Payments[entry.Detail]
	}
	if t != nil {
		values["amount"], values["paid"] = t.Charge.String(), t.Charge.String()+" paid"
		if t.Charge.Minor == 0 {
			values["paid"] = "Nothing to pay"
		}
		if entry.Kind == enrol.EntryRefunded && t.RefundedMinor > 0 { // the received amount may differ from the requested one
			values["amount"] = t.Charge.With(t.RefundedMinor).String()
		}
	}
	return values
}

// corrected returns the old and new value of a corrected field, or the detail of another entry.
func corrected(entry enrol.Entry) string {
	was, is, both := entry.OldNew()
	if !both {
		return entry.Detail
	}
	return cmp.Or(pages.Mobile(was), "None") + " → " + pages.Mobile(is)
}

// documentsMoment returns the stored documents as one moment, at the time of the latest.
func documentsMoment(documents []document.Document) (moments []Moment) {
	var latest time.Time
	var words []string
	for _, d := range documents {
		fact, _ := d.Kind.Fact()
		words = append(words, fact.Word)
		if d.StoredAt.After(latest) {
			latest = d.StoredAt
		}
	}
	if len(words) == 0 {
		return nil
	}
	return []Moment{{State: Happened, At: latest, Title: prose.Capital(prose.List(words)) + " in", Text: admission.TimeOfDay(latest)}}
}

// comingMoments returns the coming moments.
func comingMoments(standing pages.Standing, now time.Time) (moments []Moment) {
	var last status.Assignee
	for i, row := range standing.Next() {
		m := Moment{State: Now, When: row.When, Title: row.Title, Text: row.Text}
		if i > 0 {
			m.State = Ahead
		}
		if assignee := status.Assignee(row.Assignee); assignee != last {
			m.Assignee, last = assignee, assignee
		}
		moments = append(moments, m)
	}
	if standing.Fee() != status.FeePaid {
		return moments
	}
	event, paid := standing.Event, standing.Transaction
	for _, day := range event.Days {
		switch {
		case paid != nil && event.OpenTo(day, paid.SettledAt, now):
			moments = append(moments, Moment{State: Ahead, When: "Any day " + day.Late, Title: day.What, Text: day.Brief})
		case now.Before(day.On.AddDate(0, 0, 1)):
			moments = append(moments, Moment{State: Ahead, At: day.On, Title: day.What, Text: day.Brief})
		}
	}
	if len(moments) > 0 {
		moments[0].State = Now
	}
	return moments
}
