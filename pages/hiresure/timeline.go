package hiresure

import (
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

// Moment is a point of a registration's way: something that has happened, what is next, or what follows.
type Moment struct {
	State MomentState
	At    time.Time // the zero time: When says it
	When  string    // "Now", "By 10 Mar 2027"; "" where At is known
	Title string
	Text  string
	Whose status.Assignee // who acts, of what is next and follows; "" where nothing is to be done
}

// MomentState says where a moment stands on the line.
type MomentState string

// The states of a moment.
const (
	Happened MomentState = "done"
	Failed   MomentState = "failed" // happened too, and led to nothing
	Now      MomentState = "now"
	Ahead    MomentState = "ahead"
)

// entryWords returns what a person reads of an entry; nothing of one that is internal. before are the entries before it.
func entryWords(library *content.Library, item registry.Item, entry enrol.Entry, before []enrol.Entry) content.EntryWords {
	words := library.Entry(string(entry.Kind))
	if entry.Kind != enrol.EntryRefunded {
		return words
	}
	inPart := func(e enrol.Entry) bool { return e.Kind == enrol.EntryPartlyRefunded && e.Detail == entry.Detail }
	switch {
	case item.ChargedBack && entry.Detail == item.Registration.PaidTxnID:
		return library.Entry(entryChargedBack)
	case slices.ContainsFunc(before, inPart):
		return library.Entry(entryRestRefunded)
	}
	return words
}

// The names under which the content has the words of a refund that the payer's bank took, and of the last of several.
const (
	entryChargedBack  = "refunded, charged back"
	entryRestRefunded = "refunded, the rest"
)

// missed are the entries after which there is nothing to show for a payment.
var missed = map[enrol.EntryKind]bool{enrol.EntryAttemptFailed: true, enrol.EntryPaymentFailed: true, enrol.EntryPaymentExpired: true}

// Timeline returns what has happened, then what follows, then the days of the event that are ahead.
func Timeline(library *content.Library, detail registry.Detail, now time.Time) []Moment {
	var moments []Moment
	standing := standingOf(library, detail.Item, now)
	open := openStart(standing.Phase, detail.Entries)
	for i, entry := range detail.Entries {
		words := entryWords(library, detail.Item, entry, detail.Entries[:i])
		if words.Title == "" || entry.Kind == enrol.EntryPaymentStarted && i != open || savedOn(entry, detail.Entries[i+1:]) > 0 {
			continue
		}
		values := entryValues(detail, entry)
		m := Moment{State: Happened, At: entry.At, Title: pages.FillKnown([]string{words.Title}, values), Text: pages.FillKnown([]string{words.Text}, values)}
		if missed[entry.Kind] {
			m.State = Failed
			if paid := detail.Registration.PaidTxnID; paid != "" && entry.Detail == paid {
				m.Text = "Your bank confirmed it later"
			}
		}
		if n := savedOn(entry, detail.Entries); n > 1 {
			m.Title, m.Text = []string{2: "Two", 3: "Three"}[n]+" steps filled in", "Saved "+admission.TimeOfDay(entry.At)
		}
		moments = append(moments, m)
	}
	moments = append(moments, arrived(detail.Documents)...)
	slices.SortStableFunc(moments, func(a, b Moment) int { return a.At.Compare(b.At) })
	return append(moments, ahead(standing, now)...)
}

// openStart is the place of the entry with which the attempt that is still open has started; -1 where none is. How any other
// has ended is told itself.
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

// savedOn is how many steps of the form entries save on the day of one, which are told together at the last of them; 0 where
// that saves none.
func savedOn(saved enrol.Entry, entries []enrol.Entry) int {
	steps := map[enrol.EntryKind]bool{}
	for _, e := range entries {
		if isSaved[saved.Kind] && isSaved[e.Kind] && admission.Date(e.At) == admission.Date(saved.At) {
			steps[e.Kind] = true
		}
	}
	return len(steps)
}

var isSaved = map[enrol.EntryKind]bool{enrol.EntryPersonalSaved: true, enrol.EntryAcademicSaved: true, enrol.EntryScholarshipSaved: true}

// entryValues returns what an entry's words ask for.
func entryValues(detail registry.Detail, entry enrol.Entry) map[string]string {
	values := map[string]string{"phone": admission.FormatMobile(detail.Registration.Phone), "issued": "Your ticket is issued"}
	if detail.Product == enrol.ProductApplication {
		values["issued"] = "Receipt sent by e-mail"
		if detail.Invoice != nil {
			values["issued"] = "Receipt and invoice sent by e-mail"
		}
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
		if entry.Kind == enrol.EntryRefunded && t.RefundedMinor > 0 { // what came may have been another sum than was asked for
			values["amount"] = t.Charge.With(t.RefundedMinor).String()
		}
	}
	return values
}

// arrived tells of the documents that are there, at the time of the latest.
func arrived(documents []document.Document) (moments []Moment) {
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

// ahead returns what follows from where a registration stands.
func ahead(standing pages.Standing, now time.Time) (moments []Moment) {
	for i, row := range standing.Next() {
		m := Moment{State: Now, When: row.When, Title: row.Title, Text: row.Text, Whose: status.Assignee(row.Assignee)}
		if i > 0 {
			m.State = Ahead
		}
		moments = append(moments, m)
	}
	if standing.Phase != status.Enrolled {
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
