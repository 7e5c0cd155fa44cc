package registry

import (
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
)

// Moment is a point of a registration's way: something that has happened, what is next, or what follows.
type Moment struct {
	State MomentState
	At    time.Time // the zero time: When says it
	When  string    // "Now", "By 10 Mar 2027"; "" where At is known
	Title string
	Text  string
	Turn  Turn // of what is next and follows; "" where nothing is to be done
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

// mostEntries is how much of a timeline is shown: a person with more has tried to pay dozens of times.
const mostEntries = 60

// saying is what a person reads of an entry.
type saying struct{ title, text string }

// told is what a person reads of an entry, by what the business has noted. {amount} is of the payment that it is about.
// What is in neither told nor internal is not shown.
var told = map[enrol.EntryKind]saying{
	enrol.EntryEnrolled:           {"Number Verified", "By code to {phone}"},
	enrol.EntryPhoneVerified:      {"Number Verified", "By code to {phone}"},
	enrol.EntryGuardianAgreed:     {"Your guardian agreed", "By code"},
	enrol.EntryPersonalSaved:      {"Personal Info saved", ""},
	enrol.EntryAcademicSaved:      {"Academic Info saved", ""},
	enrol.EntryScholarshipSaved:   {"Scholarship saved", ""},
	enrol.EntryTermsAgreed:        {"Terms agreed", ""},
	enrol.EntryDocumentsSubmitted: {"Documents sent", ""}, // from its day on we have the days to answer in
	enrol.EntryPaymentStarted:     {"Payment started", ""},
	enrol.EntryPaid:               {"{paid}", "{issued}"},
	enrol.EntryAttemptFailed:      {"A try to pay failed", "{amount} did not go through"},
	enrol.EntryPaymentFailed:      {"Payment failed", "{amount} did not go through. If it was deducted, it comes back in 3-4 business days"},
	enrol.EntryPaymentExpired:     {"Payment not completed", "{amount} was open for 30 minutes"},
	enrol.EntryPaymentInReview:    {"We check your payment", "{amount} came otherwise than asked for"},
	enrol.EntryPaidTwice:          {"Paid twice", "{amount} goes back to where it came from"},
	enrol.EntryChargedTwice:       {"Charged twice", "The second charge goes back to where it came from"},
	enrol.EntrySecondRefunded:     {"The second charge went back", "To where it came from"},
	enrol.EntryPartlyRefunded:     {"A part of your fee was sent back", "To where it came from"},
	enrol.EntryRefunded:           {"{amount} was sent back", "To where it came from"},
	enrol.EntryRefundBounced:      {"The money that was sent back did not arrive", "Your bank returned it to us. We write to you"},
}

// What a person reads of the last refund of several, whose amounts the entries do not hold, and of one that the bank has made.
var (
	restRefunded = saying{"The rest of your fee was sent back", "To where it came from"}
	takenByBank  = saying{"Your bank took your fee back", "You had disputed this payment"}
)

// sayingOf is what a person reads of an entry. before are the entries before it.
func sayingOf(item Item, entry enrol.Entry, before []enrol.Entry) (words saying, shown bool) {
	words, shown = told[entry.Kind]
	if entry.Kind != enrol.EntryRefunded {
		return words, shown
	}
	inPart := func(e enrol.Entry) bool { return e.Kind == enrol.EntryPartlyRefunded && e.Detail == entry.Detail }
	switch {
	case item.TakenByBank && entry.Detail == item.Registration.PaidTxnID:
		return takenByBank, true
	case slices.ContainsFunc(before, inPart):
		return restRefunded, true
	}
	return words, shown
}

// missed are the entries after which there is nothing to show for a payment.
var missed = map[enrol.EntryKind]bool{enrol.EntryAttemptFailed: true, enrol.EntryPaymentFailed: true, enrol.EntryPaymentExpired: true}

// internal are the entries that are of no matter to the person.
var internal = map[enrol.EntryKind]bool{
	enrol.EntryPaidAfterDeletion:  true,
	enrol.EntryCouponOverLimit:    true,
	enrol.EntryPersonalChanged:    true, // before the terms are agreed to, as often as one likes
	enrol.EntryAcademicChanged:    true,
	enrol.EntryScholarshipChanged: true,
	enrol.EntryLinksRevoked:       true,
	enrol.EntryRefundOrdered:      true, // the person hears of it when it is sent
	enrol.EntryReviewAccepted:     true,
	enrol.EntryReviewJudgedAgain:  true,
	enrol.EntryDisputeOpened:      true, // by the person's own bank; nothing changes meanwhile
	enrol.EntryDisputeWon:         true,
}

// following is a row of what is next, or after that. Who has the ball then is the phase's for what is next.
type following struct {
	when, title, text string
	turn              Turn
}

// follows say what is next in each phase, and after that. A row whose words ask for what is not known is left out.
var follows = map[phase][]following{
	phaseDetails:  {{"Now", "Pay the fee", "By {closes}", ""}, ticket},
	phaseOpen:     {{"Now", "Pay {amount}", "Open until {until}", ""}, ticket},
	phaseUnpaid:   {{"Now", "Pay the fee", "By {closes}", ""}, ticket},
	phaseReturned: {{"Now", "Pay the fee", "By {closes}", ""}, ticket},
	phaseReview:   {{"Now", "We check your payment", "Do not pay again", ""}, {"After that", "You hear from us", "By e-mail", Ours}},
	phaseToCome:   {{"Now", "We confirm the start time", "By {hour by}", ""}},
	phaseGoesBack: {{"Within 7 business days", "Your fee arrives", "Where it came from", ""}},
}

// applicationFollows say the same of an application, where it is another than of an enrolment.
var applicationFollows = map[phase][]following{
	phaseForm:     {{"Now", "Fill in the form", "What you typed is kept", ""}, {"After that", "Pay the fee", "{fee}", Yours}, {"Then", "Upload your documents", "{documents}", Yours}},
	phaseFee:      {{"Now", "Pay the fee", "{fee}, all taxes included", ""}, upload, hear},
	phaseOpen:     {{"Now", "Pay {amount}", "Open until {until}", ""}, upload, hear},
	phaseUnpaid:   {{"Now", "Pay the fee", "{fee}, all taxes included", ""}, upload, hear},
	phaseReturned: {{"Now", "Pay the fee", "{fee}, all taxes included", ""}, upload, hear},
	phaseUpload:   {{"Now", "Upload your documents", "{documents}", ""}, {"After that", "We read your documents", "", Ours}, hear},
	phaseIn:       {{"Now", "We read your documents", "", ""}, hear},
}

var (
	ticket = following{"After that", "Your ticket", "It comes by e-mail", Ours}
	upload = following{"After that", "Upload your documents", "{documents}", Yours}
	hear   = following{"Then", "You hear from us", "By e-mail, {answer}", Ours}
)

// follows are the rows of a registration's phase.
func (f facts) follows(phase phase) []following {
	if phase == phaseUpload {
		return f.uploads()
	}
	if rows, own := applicationFollows[phase]; own && f.registration.IsApplication() {
		return rows
	}
	return follows[phase]
}

// timeline is what has happened, then what follows, then the days of the event that are to come.
func (s *Service) timeline(tx Tx, item Item) ([]Moment, error) {
	entries, err := tx.EntriesOf(item.Registration.ID, mostEntries)
	if err != nil {
		return nil, err
	}
	var moments []Moment
	f := s.factsOf(item)
	open := openStart(f.phase(), entries)
	for i, entry := range entries {
		words, shown := sayingOf(item, entry, entries[:i])
		if !shown || entry.Kind == enrol.EntryPaymentStarted && i != open || savedOn(entry, entries[i+1:]) > 0 {
			continue
		}
		values, err := s.valuesOf(tx, item, entry)
		if err != nil {
			return nil, err
		}
		m := Moment{State: Happened, At: entry.At, Title: fill([]string{words.title}, values), Text: fill([]string{words.text}, values)}
		if missed[entry.Kind] {
			m.State = Failed
			if paid := item.Registration.PaidTxnID; paid != "" && entry.Detail == paid {
				m.Text = "Your bank confirmed it later"
			}
		}
		if n := savedOn(entry, entries); n > 1 {
			m.Title, m.Text = []string{2: "Two", 3: "Three"}[n]+" steps filled in", "Saved "+admission.TimeOfDay(entry.At)
		}
		moments = append(moments, m)
	}
	moments = append(moments, f.arrived()...)
	slices.SortStableFunc(moments, func(a, b Moment) int { return a.At.Compare(b.At) })
	return append(moments, f.ahead(item.Turn)...), nil
}

// openStart is the place of the entry with which the attempt that is still open has started; -1 where none is. How any other
// has ended is told itself.
func openStart(phase phase, entries []enrol.Entry) int {
	if phase == phaseOpen {
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

// valuesOf are what an entry's words ask for.
func (s *Service) valuesOf(tx Tx, item Item, entry enrol.Entry) (map[string]string, error) {
	values := map[string]string{"phone": admission.Mobile(item.Registration.Phone), "issued": "Your ticket is issued"}
	t := item.Payment
	switch {
	case !item.Registration.IsApplication():
	case item.Invoice == nil:
		values["issued"] = "Receipt sent by e-mail"
	default:
		values["issued"] = "Receipt and invoice sent by e-mail"
	}
	if entry.Detail != "" && (t == nil || t.ID != entry.Detail) {
		var err error
		if t, err = tx.Transaction(entry.Detail); err != nil {
			return nil, err
		}
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
	return values, nil
}

func (s *Service) factsOf(item Item) facts {
	return facts{registration: item.Registration, event: item.Event, known: item.Event.Code != "", payment: item.Payment, invoiced: item.Invoice != nil, takenByBank: item.TakenByBank, documents: item.documents, now: s.Clock()}
}

// ahead is what follows from where a registration stands. turn is whose it is now.
func (f facts) ahead(turn Turn) (moments []Moment) {
	phase, values := f.phase(), f.values()
	if by := f.event.HourBy; f.event.Hour == "" && !by.IsZero() && f.now.Before(by.AddDate(0, 0, 1)) {
		values["hour by"] = admission.Date(by)
	}
	for i, row := range f.follows(phase) {
		m := Moment{State: Now, When: row.when, Title: fill([]string{row.title}, values), Text: fill([]string{row.text}, values), Turn: turn}
		if i > 0 {
			m.State, m.Turn = Ahead, row.turn
		}
		if m.Title == "" || row.text != "" && m.Text == "" {
			continue
		}
		moments = append(moments, m)
	}
	if phase != phaseToCome {
		return moments
	}
	for _, day := range f.event.Days {
		switch {
		case f.payment != nil && f.event.OpenTo(day, f.payment.SettledAt, f.now):
			moments = append(moments, Moment{State: Ahead, When: "Any day " + day.Late, Title: day.What, Text: day.Brief})
		case f.now.Before(day.On.AddDate(0, 0, 1)):
			moments = append(moments, Moment{State: Ahead, At: day.On, Title: day.What, Text: day.Brief})
		}
	}
	if len(moments) > 0 {
		moments[0].State = Now
	}
	return moments
}
