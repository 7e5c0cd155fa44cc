package registry

import (
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
)

// Turn is who has to do something next.
type Turn string

// Whose turn it may be; of what has ended it is nobody's.
const (
	Yours   Turn = "you"
	Ours    Turn = "us"
	Nobodys Turn = "nobody"
)

// Action is what a person can do about a registration, beside looking at it.
type Action string

// The actions, as their buttons read.
const (
	CompleteForm    Action = enrol.ActionForm
	PayNow          Action = enrol.ActionPay
	UploadDocuments Action = enrol.ActionUpload
	DownloadInvoice Action = enrol.ActionInvoice
)

// Badge is how a status looks.
type Badge struct {
	Text string
	Look Look
}

// Look is the colour of a badge and the sign in it.
type Look string

// The looks of badges.
const (
	LookOpen   Look = "open"   // a dashed ring
	LookWait   Look = "wait"   // half a disc, gold
	LookInfo   Look = "info"   // an arrow up
	LookFailed Look = "failed" // a cross
	LookDone   Look = "done"   // a tick
	LookBack   Look = "back"   // an arrow that returns
)

// looks say of each badge how it looks, and whose turn it is; what can be done says the step's own row (enrol.StepFact).
var looks = map[enrol.Badge]struct {
	look Look
	turn Turn
}{
	enrol.BadgeForm:      {LookOpen, Yours},
	enrol.BadgePayment:   {LookWait, Yours},
	enrol.BadgeFailed:    {LookFailed, Yours},
	enrol.BadgeDocuments: {LookInfo, Yours},
	enrol.BadgeComplete:  {LookDone, Ours},
	enrol.BadgeRefunded:  {LookBack, Nobodys},
}

// Standing is how a registration stands: one answer for every place that shows it.
type Standing struct {
	Badge
	Action Action // "" where there is nothing to do, or nothing that can be done now
	Turn   Turn
	Title  string // "One step is left"
	Line   string // a sentence or two below the programme's name
}

// phase is what a standing depends on beside the status.
type phase string

const (
	phaseDetails  phase = "details"  // enrolled, nothing tried yet
	phaseOpen     phase = "open"     // an attempt to pay is open
	phaseUnpaid   phase = "unpaid"   // the last attempt ended without money
	phaseReturned phase = "returned" // its money came otherwise than asked for, and goes back
	phaseReview   phase = "review"   // somebody looks at the payment
	phaseClosed   phase = "closed"   // it can be paid no more
	phaseToCome   phase = "to come"  // paid, and days of the event are to come
	phaseOver     phase = "over"     // paid, and all days are over
	phaseGoesBack phase = "goes back"
	phaseWentBack phase = "went back"
	phaseTaken    phase = "taken back" // by the payer's bank, in a dispute
	phaseForm     phase = "form"       // an application that is not filled in
	phaseFee      phase = "fee"        // one whose answers stand, and nothing tried yet
	phaseUpload   phase = "documents"  // one whose documents are missing
	phaseIn       phase = "in"         // one that is complete
)

// phases say what a person reads of each phase. A turn that stands here overrules the status's.
var phases = map[phase]struct {
	title string
	line  []string // sentences
	turn  Turn
	idle  bool // the status's action is of no use now
}{
	phaseDetails:  {title: "One step is left", line: []string{"Your details are kept.", "Enrolment closes on {closes}."}},
	phaseOpen:     {title: "Your payment is still open", line: []string{"{amount} is open until {until}.", "If you have paid already, wait a moment: we ask your bank."}},
	phaseReturned: {title: "Your payment was sent back", line: []string{"{amount} came otherwise than asked for, and goes back to where it came from.", "{exam}"}},
	phaseUnpaid:   {title: enrol.NotThrough, line: []string{"{amount} did not go through.", enrol.LookFirst + ".", "{exam}"}},
	phaseReview:   {title: "We check your payment", line: []string{enrol.BeingChecked}, turn: Ours, idle: true},
	phaseClosed:   {title: "{closed what} closed", line: []string{"{closed}"}, turn: Nobodys, idle: true},
	phaseToCome:   {title: "You are enrolled", line: []string{"{exam}", "{ticket}"}},
	phaseOver:     {title: "You are enrolled", line: []string{"{exam}", "{ticket}"}, turn: Nobodys},
	phaseGoesBack: {title: "Your fee is on its way back", line: []string{"{amount} goes back to where it came from.", "It arrives within 7 business days."}, turn: Ours},
	phaseWentBack: {title: "Your fee went back", line: []string{"{amount} went back to where it came from."}},
	phaseTaken:    {title: "Your fee went back to your bank", line: []string{"You had disputed this payment, and your bank has taken it back from us."}},
	phaseForm:     {title: "Your form is waiting", line: []string{"What you typed is kept."}},
	phaseFee:      {title: "The fee, then your documents", line: []string{"Your answers are fixed now.", "The fee is {fee}."}},
	phaseUpload:   {title: "{to go}", line: []string{"{fee is}.", "You hear from us {answer}."}},
	phaseIn:       {title: "Your application is in", line: []string{"We read your documents.", "You hear from us {answer}."}},
}

// arrivesWithin is how long money takes that was sent back: 7 business days, with the weekends and holidays between them.
const arrivesWithin = 14 * 24 * time.Hour

// facts are what a registration's place in the tables is read from.
type facts struct {
	registration enrol.Registration
	event        admission.Event
	known        bool                 // the event still is
	payment      *payment.Transaction // what has paid, or else what was tried last; nil: nothing was
	invoiced     bool
	takenByBank  bool                // it was disputed, and lost
	documents    []document.Document // of one whose documents are missing
	now          time.Time
}

func (f facts) phase() phase {
	r, t := &f.registration, f.payment
	switch {
	case r.Refunded && f.takenByBank:
		return phaseTaken
	case r.Refunded && t != nil && f.now.Before(r.ModifiedAt.Add(arrivesWithin)), r.Paid() && t != nil && t.State == payment.RefundPending:
		return phaseGoesBack
	case r.Refunded:
		return phaseWentBack
	case t != nil && t.State == payment.Review:
		return phaseReview
	}
	switch r.Step {
	case enrol.StepComplete:
		if r.IsApplication() {
			return phaseIn
		}
		if f.nextDay() == nil {
			return phaseOver
		}
		return phaseToCome
	case enrol.StepPaid:
		return phaseUpload
	case enrol.StepPaying:
		if t != nil && t.Open() && f.now.Before(t.ExpiresAt) {
			return phaseOpen
		}
		return f.unpaid()
	}
	switch {
	case f.known && f.event.Closed(f.now) != "":
		return phaseClosed
	case r.Step == enrol.StepUnpaid:
		return f.unpaid()
	case !r.IsApplication():
		return phaseDetails
	case r.Step == enrol.StepAgreed:
		return phaseFee
	}
	return phaseForm
}

// unpaid is the phase of an attempt that did not pay: its money may have come all the same, and was sent back.
func (f facts) unpaid() phase {
	if f.payment != nil {
		switch f.payment.State {
		case payment.RefundDue, payment.RefundPending, payment.Refunded:
			return phaseReturned
		}
	}
	return phaseUnpaid
}

// standing reads the tables.
func (f facts) standing() Standing {
	fact, words, values := f.registration.Fact(), phases[f.phase()], f.values()
	of := looks[fact.Badge]
	s := Standing{Badge: Badge{fact.Status, of.look}, Action: Action(fact.Action), Turn: of.turn, Title: fill([]string{words.title}, values), Line: fill(words.line, values)}
	if words.turn != "" {
		s.Turn = words.turn
	}
	if words.idle || s.Action == DownloadInvoice && !f.invoiced {
		s.Action = ""
	}
	return s
}

// nextDay returns the first day of the event that is not over; nil for none.
func (f facts) nextDay() *admission.Day {
	for i, day := range f.event.Days {
		if f.now.Before(day.On.AddDate(0, 0, 1)) {
			return &f.event.Days[i]
		}
	}
	return nil
}

// values are what sentences ask for, by name; what is not known is not in it.
func (f facts) values() map[string]string {
	r := &f.registration
	values := map[string]string{"phone": admission.Mobile(r.Phone), "closed what": "Enrolment is"}
	if r.IsApplication() {
		values["closed what"], values["documents"] = "Applications are", f.asked()
	}
	values["to go"] = "Your documents are next"
	if len(f.documents) > 0 {
		values["to go"] = f.toGo()
	}
	if f.event.Fee.Minor > 0 {
		values["fee"] = f.event.Fee.String()
	}
	if f.event.AnswerBy != "" {
		values["answer"] = f.event.AnswerBy
	}
	if why := f.event.Closed(f.now); f.known && why != "" {
		values["closed"] = why
	}
	if !f.event.ClosesAt.IsZero() {
		values["closes"] = admission.Date(f.event.ClosesAt.Add(-time.Minute)) // the last day
	}
	if !f.event.Exam.IsZero() {
		values["exam"] = "Exam on " + examDay(f.event) + "."
		if !f.now.Before(f.event.Exam.AddDate(0, 0, 1)) {
			values["exam"] = "The exam was on " + examDay(f.event) + "."
		}
	}
	if r.Ticket != "" {
		values["ticket"] = "Ticket " + r.Ticket
	}
	if t := f.payment; t != nil {
		values["amount"], values["until"] = t.Charge.String(), admission.TimeOfDay(t.ExpiresAt)
		values["fee is"] = t.Charge.String() + " is paid"
		if t.Charge.Minor == 0 {
			values["fee is"] = "There was nothing to pay"
		}
		if t.RefundedMinor > 0 {
			values["amount"] = t.Charge.With(t.RefundedMinor).String()
		}
	}
	return values
}

func examDay(event admission.Event) string {
	return event.Exam.In(admission.IST).Format("Monday, 2 January 2006")
}

// fill writes values into sentences, and leaves out each that asks for what is not known.
func fill(sentences []string, values map[string]string) string {
	var said []string
	for _, sentence := range sentences {
		for name, value := range values {
			sentence = strings.ReplaceAll(sentence, "{"+name+"}", value)
		}
		if !strings.Contains(sentence, "{") {
			said = append(said, sentence)
		}
	}
	return strings.Join(said, " ")
}
