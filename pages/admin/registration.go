package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/forms"
	"hiresure/pages"
	"hiresure/web"
)

func notesPath(id string) string   { return web.StaffRegistrationPath(id) + "/notes" }
func receiptPath(id string) string { return web.StaffRegistrationPath(id) + "/receipt" }
func decidePath(id string) string  { return web.StaffRegistrationPath(id) + "/decide" }

// ofRegistration is the field of a form that names the registration whose page posts it.
const ofRegistration = "registration"

type registrationView struct {
	ID, Name, Number, Line string
	Badge                  components.BadgeProps
	Steps                  components.StepperProps
	Stand                  standView
	Said                   string
	Money                  bool
	Documents              []documentRow // nil before payment
	DocumentsLine          string        // "" for an enrolment
	Paid                   string
	MayPrint               bool
	Attempts               []attemptRow
	Papers                 []paperRow
	Refunds                []refundRow
	Facts                  []fact
	FactsLine              string
	Messages               []messageRow
	MessagesLine           string
	Notes                  []noteRow
	NotesLine              string
	Note                   string // as typed
	MayNote                bool
	Receipt                string // address to mail the receipt to again; "" for none
	Faults                 faults
	Others                 []components.Link
	Actions                [][]actionLink
	Timeline               []momentRow
	Earlier                []momentRow
}

// standView is the status of a registration in words, with the action that the person's roles allow.
type standView struct {
	Look, Title, Text string
	Ask               string // payment to ask the gateway about; "" for none
	Urgent            bool   // it has not answered for long
	Review            *reviewView
	Failed            string // payment whose refund failed; "" for none
	Approve           bool   // leads to the requests for approval
	Keep              bool   // Failed counts: it may also stay with us
}

// reviewView is a payment that waits for a decision.
type reviewView struct{ TxnID, Asked, Arrived string }

type documentRow struct{ Name, File, Uploaded string }

type attemptRow struct {
	When, ID, Method, Reference, State, Look, Amount string
	Stuck                                            bool
	Refund                                           string // address of the form; "" for none
}

type paperRow struct {
	Kind, Number, Date, Amount string
	PDF, Print                 string // address of the PDF, and what the button to print it posts; "" for none
}

type refundRow struct{ When, Cause, Reference, State, Look, Amount, Why string }

type fact struct {
	Name, Value, Mark, Look string
	Correct                 string      // address of the dialog that corrects it; "" for none
	Waits                   *waitingRow // nil for nothing
}

type messageRow struct{ What, To, Sent, State, Look, Answer, Again string }

type noteRow struct{ Who, When, Words string }

type momentRow struct{ Class, Title, Text, Was, Is string }

func (h handlers) registration(c *echo.Context) error {
	return h.showRegistration(c, http.StatusOK, c.Param("id"), "", nil)
}

// showRegistration shows a registration, with a note as typed and messages at its fields after a refusal.
func (h handlers) showRegistration(c *echo.Context, code int, id, note string, f faults) error {
	me, now := web.StaffPerson(c), h.Clock()
	person, err := h.office.Open(c.Request().Context(), id, h.Session.StaffActor(c))
	if err != nil {
		return err
	}
	r := person.Registration
	library := h.Content.Current()
	standing := pages.StandingOf(library, person.Facts, person.Status, person.Documents, now)
	p := registrationView{
		ID: r.ID, Name: cmp.Or(r.FullName, "No name yet"), Number: cmp.Or(r.Ticket, r.ID[:8]), Badge: staffBadge(&r), Steps: standing.Steps(), Money: seesMoney(me), Note: note, Faults: f,
		Line: cmp.Or(person.Event.Title, r.EventCode) + ". " + pages.Mobile(r.Phone), Stand: h.stand(person, me, now), Facts: h.factsOf(r), Said: said[c.QueryParam("said")],
		Actions: actionsOn(person, me),
	}
	if err := h.addCorrections(c, p.Facts, person); err != nil {
		return err
	}
	if about := cmp.Or(r.College, enrol.CourseLabel(r.Course)); about != "" {
		p.Line = cmp.Or(person.Event.Title, r.EventCode) + ", " + about + ". " + pages.Mobile(r.Phone)
	}
	p.FactsLine = "E-mail " + r.Email
	if r.Email == "" {
		p.FactsLine = "No e-mail yet"
	}
	for _, other := range person.Others {
		event, _ := h.Events.EventByCode(other.EventCode)
		p.Others = append(p.Others, components.Link{Text: cmp.Or(event.Title, other.EventCode) + ", " + other.Status(), Href: web.StaffRegistrationPath(other.ID)})
	}
	if person.Product == enrol.ProductApplication {
		p.DocumentsLine = "None yet"
		if len(person.Documents) > 0 || status.FeeOf(person.Product, person.Phase) == status.FeePaid {
			p.Documents, p.DocumentsLine = documentRows(person.Documents)
		}
	}
	p.MayPrint = me.Can(staff.PrintPapers)
	if p.Money {
		h.fillMoney(&p, person, me, now)
	}
	p.Messages, p.MessagesLine = h.messageRows(person.Messages, me, now)
	p.MayNote = me.Can(staff.Correct)
	if p.MayNote && status.FeeOf(person.Product, person.Phase) == status.FeePaid {
		p.Receipt = r.Email
	}
	for _, n := range person.Notes {
		p.Notes = append(p.Notes, noteRow{n.Who, admission.Moment(n.At), n.Words})
	}
	p.NotesLine = counted(len(p.Notes), "note")
	p.Timeline = h.moments(person, standing, p.Money, now)
	if len(p.Timeline) > shownMoments {
		p.Timeline, p.Earlier = p.Timeline[:shownMoments], p.Timeline[shownMoments:]
	}
	return h.Show(c, code, registrationPage(frameOf(c, p.Name, web.StaffRegistrationsPath), p))
}

// shownMoments are shown on a phone; the earlier ones are folded there.
const shownMoments = 6

// stand says what the registration waits for. The first problem with money goes before the phase.
func (h handlers) stand(p office.Person, me *staff.Person, now time.Time) (v standView) {
	if p.Case != nil && p.Case.Payment != nil {
		t := p.Case.Payment
		waits := duration(now.Sub(p.Case.Since))
		switch p.Case.Kind {
		case office.NoAnswer:
			who := h.gatewayLabel(t)
			if t.AtBank {
				who = "the bank"
			}
			v = standView{Look: "gold", Title: "No answer from " + who + " for " + waits, Text: "We ask " + h.gatewayLabel(t) + " automatically. The payer's page says not to pay again."}
			if me.Can(staff.AskGateway) {
				v.Ask, v.Urgent = t.ID, true
			}
		case office.InReview:
			v = standView{Look: "gold", Title: "A payment needs a decision", Text: "We asked for " + t.Charge.String() + " and received " + t.Arrived.String() + ". The payer has waited " + waits + " for an answer."}
			if me.Can(staff.HandleMoney) {
				v.Review = &reviewView{TxnID: t.ID, Asked: t.Charge.String(), Arrived: t.Arrived.String()}
			}
		case office.Disputed:
			v = standView{Look: "gold", Title: "The payer's bank disputes a payment", Text: "Answer at " + h.gatewayLabel(t) + " before its deadline. Open for " + waits + "."}
		case office.RefundFailed:
			v = standView{Look: "gold", Title: "A refund failed", Text: "We still have the money. The table of refunds says why."}
			if me.Can(staff.HandleMoney) {
				v.Failed, v.Keep = t.ID, status.MoneyOf(t, now) == status.MoneyPaid
			}
		}
		return v
	}
	for _, o := range p.Orders {
		if o.WaitsAt(now) {
			return standView{Look: "gold", Title: "A refund of " + o.Amount.String() + " waits for approval", Text: o.Who + " requested it " + recently(o.At, now) + ". " + o.Second, Approve: seesMoney(me)}
		}
	}
	if t := p.Transaction; t != nil && t.RefundOrdered() {
		return standView{Title: "A refund is ordered", Text: "It is sent now. The payer gets a message."}
	}
	words := phaseWords[p.Phase]
	v = standView{Look: words.look, Title: words.title, Text: words.text}
	if t := p.Transaction; t != nil && me.Can(staff.AskGateway) && slices.Contains([]status.Phase{status.PaymentOpen, status.PaymentFailed, status.PaymentExpired}, p.Phase) {
		v.Ask = t.ID // a payer may say that it was debited
	}
	if t := p.Transaction; t != nil && t.Open() && t.AtBank {
		v.Title = "The payment waits for the payer’s bank"
	}
	switch p.Phase {
	case status.Form:
		v.Text = "At step " + strconv.Itoa(int(p.Registration.Step)+1) + " of 6."
	case status.Enrolled:
		if exam := p.Event.Exam; !exam.IsZero() {
			v.Text = "The exam is on " + admission.Date(exam) + "."
		}
	case status.DocumentsDue:
		v.Text = strconv.Itoa(requiredIn(p.Documents)) + " of 3 are in. The person uploads the others."
	case status.DocumentsSubmitted:
		if !p.Deadline.IsZero() {
			v.Text = "We promised an answer by " + admission.Date(p.Deadline) + "."
		}
	}
	return v
}

// phaseWords are the words of each phase for staff.
var phaseWords = map[status.Phase]struct{ look, title, text string }{
	status.Form:               {"", "The form is not finished", ""},
	status.FeeDue:             {"", "The fee is not paid yet", "There is no attempt to pay yet."},
	status.PaymentOpen:        {"", "The payer is at the gateway", "We ask the gateway automatically. After 10 minutes without an answer it appears on Today."},
	status.PaymentFailed:      {"", "The last payment failed", "The payer can try again."},
	status.PaymentExpired:     {"", "The last payment expired unpaid", "The payer can try again."},
	status.PaymentReturned:    {"", "A wrong amount was paid and goes back", "The payer can pay the right amount."},
	status.PaymentReview:      {"gold", "A payment needs a decision", "Finance decides."},
	status.Closed:             {"", "Not paid, and enrolment is closed", ""},
	status.Enrolled:           {"done", "Enrolled and paid", ""},
	status.EventOver:          {"done", "Enrolled and paid. The event is over", ""},
	status.DocumentsDue:       {"", "Documents are missing", ""},
	status.DocumentsSubmitted: {"gold", "The documents wait to be checked", ""},
	status.RefundPending:      {"", "The fee is being refunded", "Nothing to do."},
	status.RefundSent:         {"", "The refund is sent", "It arrives within some business days. Nothing to do."},
	status.Refunded:           {"done", "The fee was refunded", "Nothing to do."},
	status.ChargedBack:        {"", "The payer's bank took the fee back", "Nothing to do."},
}

func requiredIn(documents []document.Document) (n int) {
	for _, fact := range document.Kinds {
		if _, there := document.OfKind(documents, fact.Kind); there && fact.Required != "" {
			n++
		}
	}
	return n
}

func documentRows(documents []document.Document) (rows []documentRow, line string) {
	for _, fact := range document.Kinds {
		row := documentRow{Name: fact.Label, File: "Optional"}
		if fact.Required != "" {
			row.File = ""
		}
		if d, there := document.OfKind(documents, fact.Kind); there {
			row.File, row.Uploaded = d.FileName()+", "+admission.Kilobytes(d.Size), admission.Moment(d.StoredAt)
		}
		rows = append(rows, row)
	}
	return rows, strconv.Itoa(requiredIn(documents)) + " of 3 uploaded"
}

// moneyWords are the states of a payment for staff, with the look of their mark.
var moneyWords = map[status.Money]struct{ text, look string }{
	status.MoneyOpen: {"Not paid yet", "wait"}, status.MoneyFailed: {"Failed", "no"}, status.MoneyExpired: {"Expired unpaid", "no"}, status.MoneyReview: {"In review", "wait"},
	status.MoneyPaid: {"Paid", "ok"}, status.MoneyDueBack: {"To be refunded", "wait"}, status.MoneyHeld: {"Refund failed", "no"}, status.MoneyReturning: {"Refund sent", "wait"}, status.MoneyReturned: {"Refunded", "ok"},
}

var refundWords = map[method.RefundState]struct{ text, look string }{
	method.RefundAsked: {"Being sent", "wait"}, method.RefundAccepted: {"Sent", "wait"}, method.RefundDone: {"Refunded", "ok"}, method.RefundFailed: {"Failed", "no"}, method.RefundBounced: {"Returned by the payer's bank", "no"},
}

func (h handlers) fillMoney(p *registrationView, person office.Person, me *staff.Person, now time.Time) {
	p.Paid = "Nothing paid yet"
	for i := range person.Attempts {
		t := &person.Attempts[i]
		state := moneyWords[status.MoneyOf(t, now)]
		stuck := person.Case != nil && person.Case.Payment != nil && person.Case.Payment.ID == t.ID
		switch {
		case t.Open() && t.AtBank:
			state.text, state.look, p.Paid = "At the bank", "wait", "The bank has not answered"
		case stuck && person.Case.Kind == office.NoAnswer:
			state.text, state.look, p.Paid = "No answer", "wait", "The gateway has not answered"
		}
		row := attemptRow{
			When: admission.Moment(t.CreatedAt), ID: t.ID, Method: h.methodOf(t), Reference: t.Means.Reference, State: state.text, Look: state.look, Amount: t.Charge.String(),
			Stuck: stuck,
		}
		if t.ID == person.Registration.PaidTxnID && me.Can(staff.Refund) && refundable(person) {
			row.Refund = refundPath(person.Registration.ID)
		}
		p.Attempts = append(p.Attempts, row)
		if t.ID == person.Registration.PaidTxnID {
			p.Paid = state.text + " " + t.Charge.String()
		}
	}
	if person.Invoice != nil {
		p.addPaper(person, paper.Invoice, person.Invoice.ID, paperRow{Kind: "Tax invoice", Number: person.Invoice.Number, Date: admission.Date(person.Invoice.IssuedOn), Amount: admission.INR(person.Invoice.TotalMinor).String()})
	}
	for _, note := range person.CreditNotes {
		p.addPaper(person, paper.CreditNote, note.ID, paperRow{Kind: "Credit note", Number: note.Number, Date: admission.Date(note.IssuedOn), Amount: admission.INR(-note.TotalMinor).String()})
	}
	for _, debit := range person.DebitNotes {
		p.addPaper(person, paper.Invoice, debit.ID, paperRow{Kind: "Debit note", Number: debit.Number, Date: admission.Date(debit.IssuedOn), Amount: admission.INR(debit.TotalMinor).String()})
	}
	for _, of := range person.Papers {
		switch row := (paperRow{Date: admission.Date(of.CausedAt)}); of.Kind {
		case paper.Receipt:
			row.Kind = "Receipt"
			p.addPaper(person, of.Kind, of.Ref, row)
		case paper.Ticket:
			row.Kind, row.Number = "Ticket", person.Registration.Ticket
			p.addPaper(person, of.Kind, of.Ref, row)
		}
	}
	for _, refund := range person.Refunds {
		state := refundWords[refund.State]
		row := refundRow{When: admission.Moment(refund.CreatedAt), Cause: refund.Cause.Words(), Reference: refund.ProviderID, State: state.text, Look: state.look, Amount: refund.Amount.String()}
		if refund.Failed() {
			row.Why = refund.FailureWords()
		}
		p.Refunds = append(p.Refunds, row)
	}
}

// addPaper adds a row, with its PDF if there is one.
func (v *registrationView) addPaper(person office.Person, kind paper.Kind, ref string, row paperRow) {
	if slices.ContainsFunc(person.Papers, func(p paper.Paper) bool { return p.Kind == kind && p.Ref == ref }) {
		row.PDF = paperPath(v.ID, string(kind), ref)
		if v.MayPrint {
			row.Print = admission.NewID() + " " + string(kind) + " " + ref
		}
	}
	v.Papers = append(v.Papers, row)
}

// methodOf returns how an attempt was paid: "UPI, Razorpay".
func (h handlers) methodOf(t *payment.Transaction) string {
	if t.Gateway == payment.NoGateway {
		return "Nothing to pay"
	}
	if t.Means.Name == "" {
		return h.gatewayLabel(t)
	}
	return t.Means.Name + ", " + h.gatewayLabel(t)
}

// typedElsewhere are the columns whose fields factsOf shows first, or that concern no staff.
var typedElsewhere = []string{"full_name", "email", "phone", "guardian_phone", "adult", forms.KeepNone, enrol.KeepTerms, enrol.KeepConsents}

// factsOf returns what the person has typed, and which phones are verified.
func (h handlers) factsOf(r enrol.Registration) []fact {
	facts := []fact{
		{Name: "Full Name", Value: r.FullName},
		{Name: "Mobile Number", Value: pages.Mobile(r.Phone), Mark: "Verified by code", Look: "ok"},
		{Name: "Email Address", Value: r.Email},
	}
	if r.GuardianPhone != "" {
		facts = append(facts, fact{Name: "Guardian's phone", Value: pages.Mobile(r.GuardianPhone), Mark: "Verified by code", Look: "ok"})
	}
	form := h.Forms.Get(apply.FormOf(&r))
	typed := r.Typed(form, "")
	for i := range form.Fields {
		if field := &form.Fields[i]; !slices.Contains(typedElsewhere, field.Keep) {
			facts = append(facts, fact{Name: field.Label, Value: enrol.DisplayValue(form, field, typed[field.Name])})
		}
	}
	facts = append(facts, fact{Name: "Source", Value: r.Source}, fact{Name: "Registered", Value: admission.Moment(r.CreatedAt)})
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}

func (h handlers) messageRows(messages []office.Delivery, me *staff.Person, now time.Time) (rows []messageRow, line string) {
	failed := 0
	for _, m := range messages {
		row := messageRow{What: messageName(m.Template), To: m.To, Sent: admission.Moment(m.CreatedAt), State: "Sent", Look: "ok", Answer: admission.Moment(m.SentAt)}
		if m.Channel == "sms" {
			row.To = pages.Mobile(m.To)
		}
		switch {
		case m.Job != nil:
			failed++
			row.State, row.Look, row.Answer = "Not delivered", "no", lastError(m.Job)
			if me.Can(staff.Correct) {
				row.Again = m.Job.Kind + " " + m.Job.Ref
			}
		case m.SentAt.IsZero():
			row.State, row.Look, row.Answer = "Being sent", "wait", ""
		}
		rows = append(rows, row)
	}
	switch {
	case len(rows) == 0:
		return nil, "None yet"
	case failed > 0:
		return rows, strconv.Itoa(failed) + " of " + strconv.Itoa(len(rows)) + " not delivered"
	}
	return rows, counted(len(rows), "message")
}

// counted formats a number of things: "no notes", "1 note", "2 notes".
func counted(n int, thing string) string {
	switch n {
	case 0:
		return "no " + thing + "s"
	case 1:
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// lastError returns why a job failed the last time.
func lastError(job *admission.DeadJob) string {
	if n := len(job.Failures); n > 0 {
		return job.Failures[n-1].Error
	}
	return ""
}

// messageNames are the names of messages whose template says it in another way.
var messageNames = map[string]string{
	"receipt": "Receipt and ticket", "receipt-free": "Ticket", "receipt-late": "Receipt and ticket, after a late answer", "receipt-application": "Receipt of the application fee",
	"payment-pending": "The bank has not answered yet", "payment-missing": "The payment did not go through", "payment-missing-application": "The payment did not go through",
	"payment-checked": "A payment is being checked", "refund-due": "A refund is due", "refund-started": "A refund is sent", "refund-other": "A refund needs another way", "refund-failed": "A refund needs another way",
	"refund-bounced": "A refund came back", "refunded": "Credit note of a refund", "refunded-part": "Credit note of a refund in part", "refunded-review": "A checked payment is refunded",
	"dispute-open": "A dispute is open", "dispute-won": "A dispute was won", "dispute-back": "The bank gave money back", "dispute-lost": "A dispute was lost", "dispute-part": "A dispute was lost in part",
	"correction": "To confirm a corrected address", "correction-told": "A correction was requested", "step-reopened": "A step is open again",
	"otp": "Code to verify", "otp-mail": "Code to verify",
}

// messageName returns the name of a message by its template.
func messageName(template string) string {
	template = strings.TrimSuffix(template, "-sms")
	if name := messageNames[template]; name != "" {
		return name
	}
	return upperFirst(strings.ReplaceAll(template, "-", " "))
}

// moment is an entry of the timeline with its time.
type moment struct {
	at  time.Time
	row momentRow
}

// moments returns the timeline, the latest first, after what comes next.
func (h handlers) moments(p office.Person, standing pages.Standing, money bool, now time.Time) (rows []momentRow) {
	for _, next := range slices.Backward(standing.Next()) {
		rows = append(rows, momentRow{Class: "next", Title: next.Title, Text: cmp.Or(next.When, next.Text)})
	}
	var past []moment
	for _, e := range p.Entries {
		row := momentRow{Title: cmp.Or(entryWords[e.Kind], upperFirst(string(e.Kind))), Text: recently(e.At, now)}
		if e.Who != "" && e.Who != "system" {
			row.Text += ", " + strings.TrimPrefix(e.Who, "operator ")
		}
		if e.Kind == enrol.EntryStepReopened {
			row.Text += ". " + e.Detail
		}
		if t := p.Payments[e.Detail]; t != nil && money {
			row.Text += ". " + t.Charge.String() + ", " + h.methodOf(t)
		}
		if toldEntries[e.Kind] {
			row.Text += ". " + e.Detail
		}
		row.Was, row.Is = oldNewOf(e)
		switch {
		case wrongEntries[e.Kind]:
			row.Class = "wrong"
		case stepEntries[e.Kind]:
			row.Class = "step"
		}
		past = append(past, moment{e.At, row})
	}
	for _, d := range p.Documents {
		kind, _ := d.Kind.Fact()
		past = append(past, moment{d.StoredAt, momentRow{Class: "step", Title: kind.Label + " uploaded", Text: recently(d.StoredAt, now)}})
	}
	if money {
		for _, o := range p.Orders {
			past = append(past, orderMoments(o, now)...)
		}
	}
	for _, n := range p.Notes {
		past = append(past, moment{n.At, momentRow{Title: "Note by " + n.Who, Text: recently(n.At, now)}})
	}
	slices.SortStableFunc(past, func(a, b moment) int { return a.at.Compare(b.at) })
	for i, m := range slices.Backward(past) {
		if i == len(past)-1 && m.row.Class != "wrong" {
			m.row.Class = "now"
		}
		rows = append(rows, m.row)
	}
	return rows
}

// entryWords are the titles of entries whose kind says it in another way.
var entryWords = map[enrol.EntryKind]string{enrol.EntryEnrolled: "Enrolment form sent", enrol.EntryRefunded: "Refund done", enrol.EntryPartlyRefunded: "Refund in part done"}

// toldEntries are the entries of staff whose detail is a sentence.
var toldEntries = map[enrol.EntryKind]bool{enrol.EntryViewed: true, enrol.EntryMoved: true}

// stepEntries are the entries that bring a registration forward; wrongEntries those that went wrong.
var (
	stepEntries = map[enrol.EntryKind]bool{
		enrol.EntryEnrolled: true, enrol.EntryPhoneVerified: true, enrol.EntryGuardianAgreed: true, enrol.EntryPersonalSaved: true, enrol.EntryAcademicSaved: true, enrol.EntryScholarshipSaved: true,
		enrol.EntryTermsAgreed: true, enrol.EntryPaid: true, enrol.EntryDocumentsSubmitted: true, enrol.EntryReviewAccepted: true,
	}
	wrongEntries = map[enrol.EntryKind]bool{
		enrol.EntryAttemptFailed: true, enrol.EntryPaymentFailed: true, enrol.EntryPaymentExpired: true, enrol.EntryPaymentInReview: true, enrol.EntryPaidTwice: true, enrol.EntryChargedTwice: true,
		enrol.EntryRefundFailed: true, enrol.EntryRefundBounced: true, enrol.EntryDisputeOpened: true, enrol.EntryCouponOverLimit: true,
	}
)

func (h handlers) addNote(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	id, words := c.Param("id"), strings.TrimSpace(typed.Get("note"))
	err = h.office.AddNote(c.Request().Context(), id, words, web.StaffPerson(c), h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil && problem.Field != "" {
		return h.showRegistration(c, pages.StatusOf(c, problem), id, words, faultsOf(problem))
	} else if err != nil {
		return err
	}
	return h.tellOn(c, id, "noted")
}

// sendReceipt mails the receipt again.
func (h handlers) sendReceipt(c *echo.Context) error {
	id := c.Param("id")
	err := h.office.SendReceipt(c.Request().Context(), id, h.Session.StaffActor(c))
	switch {
	case admission.AsProblem(err) != nil:
		return h.tellOn(c, id, "changed")
	case err != nil:
		return err
	}
	return h.tellOn(c, id, "receipt")
}

// tellOn redirects to a registration's page with a message about what a button did.
func (h handlers) tellOn(c *echo.Context, id, what string) error {
	return c.Redirect(http.StatusSeeOther, web.WithQuery(web.StaffRegistrationPath(id), url.Values{"said": {what}}))
}

// decisions are what can be done with a payment, and what the person confirms.
var decisions = map[string]string{
	string(office.Accept):   "You are about to accept another amount than we asked for. The person is enrolled, and an invoice over the amount received is issued.",
	string(office.AskAgain): "",
	string(office.SendBack): "You are about to refund the whole payment.",
}

func (h handlers) decide(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, id, txnID := c.Request().Context(), c.Param("id"), typed.Get("payment")
	decision := office.Decision(typed.Get("decision"))
	what, known := decisions[string(decision)]
	if again := typed.Get("again") != ""; !known || again && decision != office.SendBack {
		return echo.ErrBadRequest
	}
	if err := h.office.BelongsTo(ctx, txnID, id); err != nil {
		return err
	}
	if what != "" {
		if done, err := h.confirmed(c, typed, what); !done {
			return err
		}
	}
	by := h.Session.StaffActor(c)
	if typed.Get("again") != "" {
		_, err = h.office.Refund(ctx, txnID, by)
	} else {
		_, err = h.office.Decide(ctx, txnID, decision, by)
	}
	switch {
	case admission.AsProblem(err) != nil:
		return h.tellOn(c, id, "changed")
	case err != nil:
		return err
	}
	return h.tellOn(c, id, "decided-"+string(decision))
}

// stepClass returns the class of a step's name.
func stepClass(state components.StepState) string {
	switch state {
	case components.StepWaiting:
		return "wait"
	case components.StepCurrent, components.StepFailed, components.StepFaulty:
		return "now"
	}
	return ""
}

func earlierText(n int) string {
	if n == 1 {
		return "1 earlier entry"
	}
	return strconv.Itoa(n) + " earlier entries"
}

// describedBy names what describes a field: its hint, if it has one, and its message, if there is one.
func describedBy(f faults, field, hint string) templ.Attributes {
	if f[field] != "" {
		hint = strings.TrimSpace(hint + " " + field + "-fault")
	}
	if hint == "" {
		return nil
	}
	return templ.Attributes{"aria-describedby": hint}
}
