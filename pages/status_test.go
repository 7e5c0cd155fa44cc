package pages_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
	"hiresure/components"
	"hiresure/content"
	"hiresure/pages"
)

func library(t *testing.T) *content.Library {
	t.Helper()
	library, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// Another needed kind of document is asked for without a change of any words.
func TestAdditionalRequiredDocumentIsRequested(t *testing.T) {
	kinds := document.Kinds
	t.Cleanup(func() { document.Kinds = kinds })
	document.Kinds = append(slices.Clone(kinds), document.KindFact{Kind: "bank", Label: "Bank Book", Word: "bank book", Required: "Bank book is required"})
	has := func(kinds ...document.Kind) pages.Standing {
		f := status.Facts{Registration: enrol.Registration{EventCode: enrol.ApplicationCode, Step: enrol.StepPaid}}
		var documents []document.Document
		for _, kind := range kinds {
			documents = append(documents, document.Document{Kind: kind})
		}
		return pages.StandingOf(library(t), f, status.Of(f, time.Now()), documents, time.Now())
	}
	for _, c := range []struct {
		pages.Standing
		title, asks string
	}{
		{has(), "Upload your documents", "Upload your documents, Photo, student ID, last academic marksheet, bank book"},
		{has(document.IncomeCertificate), "Upload four more documents", "Upload your documents, Photo, student ID, last academic marksheet, bank book"},
		{has(document.Photo), "Upload three more documents", "Student ID, Last Academic Marksheet and Bank Book, "},
		{has(document.Photo, document.IDProof), "Upload two more documents", "Last Academic Marksheet and Bank Book, "},
		{has(document.Photo, document.IDProof, document.Marksheet), "Upload one more document", "Bank Book, "},
		{has(document.Photo, document.IDProof, document.Marksheet, "bank"), "Submit your documents", "Submit your documents, "},
	} {
		next := c.Next()[0]
		if title, asks := c.Title(), next.Title+", "+next.Text; title != c.title || asks != c.asks {
			t.Errorf("%q asks for %q, want %q and %q", title, asks, c.title, c.asks)
		}
	}
}

// Each phase that a product has has words on every surface that can show it, and on no other. An erased registration is in
// nobody's list. A closed event hides the other words: its pages show those of the phase before.
func TestEveryPhaseHasTexts(t *testing.T) {
	library := library(t)
	for _, product := range enrol.Products {
		for _, phase := range append(slices.Clone(status.Phases), "unknown") {
			words := library.Status(string(product), string(phase))
			fee := status.FeeOf(product, phase)
			shown := status.Has(product, phase) && phase != status.Erased
			due := slices.Contains([]status.Fee{status.FeeUnpaid, status.FeeWaiting, status.FeeMissing}, fee)
			enrolment := product == enrol.ProductEnrolment
			holdsNumber := enrolment && (due || fee == status.FeePaid || phase == status.RefundPending || phase == status.RefundSent)
			for surface, want := range map[string]struct {
				has, config bool
			}{
				"home":     {words.Home.Title != "" && len(words.Home.Lines) > 0, shown},
				"list":     {words.List.Brief != "", shown},
				"next":     {len(words.Next) > 0, status.AssigneeOf(product, phase) != status.Nobody},
				"step":     {words.Step != "", shown && (fee != status.FeePaid || phase == status.DocumentsDue)},
				"pay":      {words.Pay.Title != "" && words.Pay.Text != "", due && phase != status.Form || enrolment && fee != status.NoFee},
				"landing":  {words.Landing.Title != "" && words.Landing.Brief != "", enrolment && due},
				"another":  {words.Another.Title != "" && words.Another.Lead != "" && len(words.Another.Lines) > 0, holdsNumber},
				"sign_up":  {words.SignUp.Title != "", holdsNumber},
				"the knot": {stepStateOf(library, product, phase) != "", shown && phase != status.Closed},
			} {
				if want.has != want.config {
					t.Errorf("%s, %s: %s has words: %v, want %v", product, phase, surface, want.has, want.config)
				}
			}
		}
	}
}

func TestNoPhaseShowsAPlaceholder(t *testing.T) {
	deadline := noon.AddDate(0, 0, 18)
	days := map[time.Time]string{{}: "", deadline: "By 9 December 2026"}
	for _, product := range enrol.Products {
		for _, phase := range status.Phases {
			for by, day := range days {
				s := pages.StandingOf(library(t), status.Facts{}, status.Status{Product: product, Phase: phase, PhaseIfOpen: phase, Deadline: by}, nil, noon)
				shown := []string{s.Title(), s.Line()}
				for _, next := range s.Next() {
					shown = append(shown, next.Title, next.Text, next.When)
					if phase == status.RefundSent && next.When != day {
						t.Errorf("%s, %s: the refund is expected %q, want %q", product, phase, next.When, day)
					}
				}
				if text := strings.Join(shown, "|"); strings.ContainsAny(text, "{}") {
					t.Errorf("%s, %s, until %v: %s", product, phase, by, text)
				}
			}
		}
	}
}

func stepStateOf(library *content.Library, product enrol.Product, phase status.Phase) components.StepState {
	state, _ := pages.StandingOf(library, status.Facts{}, status.Status{Product: product, Phase: phase, PhaseIfOpen: phase}, nil, time.Now()).PaymentStep()
	return state
}

// standing returns the status of a registration of an event at noon.
func standing(t *testing.T, event admission.Event, step enrol.Step, txn *payment.Transaction) pages.Standing {
	f := status.Facts{Registration: enrol.Registration{EventCode: event.Code, Step: step, ModifiedAt: noon}, Event: event, Payment: status.Payment{Transaction: txn}}
	if txn != nil && txn.State == payment.Paid {
		f.Registration.PaidTxnID = txn.ID
	}
	return pages.StandingOf(library(t), f, status.Of(f, noon), nil, noon)
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, admission.IST)

func TestValuesOfAStatus(t *testing.T) {
	txn := func(change func(*payment.Transaction)) *payment.Transaction {
		txn := &payment.Transaction{ID: "t", State: payment.Failed, Charge: admission.INR(1499_00), ExpiresAt: noon}
		change(txn)
		return txn
	}
	for _, row := range []struct {
		sentence, name, want string
		event                admission.Event
		txn                  *payment.Transaction
	}{
		{"the last day is the one before midnight", "closes", "20 Nov 2026", admission.Event{ClosesAt: time.Date(2026, 11, 21, 0, 0, 0, 0, admission.IST)}, nil},
		{"no end", "closes", "", admission.Event{}, nil},
		{"an event that the content does not have is not closed", "closed", "", admission.Event{}, nil},
		{"the exam is on the same day", "exam", "Saturday, 21 November 2026", admission.Event{Exam: noon}, nil},
		{"it was yesterday", "exam", "", admission.Event{Exam: noon.AddDate(0, 0, -1)}, nil},
		{"it was yesterday, in words of the past", "exam_over", "Friday, 20 November 2026", admission.Event{Exam: noon.AddDate(0, 0, -1)}, nil},
		{"it is not over", "exam_over", "", admission.Event{Exam: noon}, nil},
		{"the hour is announced today", "hour_by", "21 Nov 2026", admission.Event{HourBy: noon}, nil},
		{"it was to be announced yesterday", "hour_by", "", admission.Event{HourBy: noon.AddDate(0, 0, -1)}, nil},
		{"it is known", "hour_by", "", admission.Event{HourBy: noon, Hour: "10:00"}, nil},
		{"a fee", "fee", "₹2,500.00", admission.Event{Fee: admission.INR(2500_00)}, nil},
		{"no fee", "fee", "", admission.Event{}, nil},
		{"what was asked for", "amount", "₹1,499.00", admission.Event{}, txn(func(*payment.Transaction) {})},
		{"another amount arrived and was refunded", "amount", "₹1,400.00", admission.Event{}, txn(func(t *payment.Transaction) { t.RefundedMinor = 1400_00 })},
	} {
		if got := standing(t, row.event, enrol.StepUnpaid, row.txn).Values()[row.name]; got != row.want {
			t.Errorf("%s: %s is %q, want %q", row.sentence, row.name, got, row.want)
		}
	}
}

// A closed event hides what comes next, not what has become of the payment.
func TestAClosedEventStillShowsThePayment(t *testing.T) {
	event := admission.Event{Code: "KS", Published: true, ClosesAt: noon}
	for _, row := range []struct {
		step   enrol.Step
		txn    *payment.Transaction
		fee    status.Fee
		state  components.StepState
		text   string
		failed bool
	}{
		{enrol.StepVerified, nil, status.FeeUnpaid, components.StepCurrent, "is next", false},
		{enrol.StepPaying, &payment.Transaction{State: payment.Pending, ExpiresAt: noon.Add(time.Minute)}, status.FeeWaiting, components.StepWaiting, "not finished", false},
		{enrol.StepUnpaid, &payment.Transaction{State: payment.Failed}, status.FeeMissing, components.StepFailed, "is missing", true},
		{enrol.StepUnpaid, &payment.Transaction{State: payment.Expired}, status.FeeMissing, components.StepFailed, "is missing", true},
		{enrol.StepUnpaid, &payment.Transaction{State: payment.Refunded}, status.FeeMissing, components.StepFailed, "is missing", true},
	} {
		s := standing(t, event, row.step, row.txn)
		if state, text := s.PaymentStep(); s.Fee() != row.fee || state != row.state || text != row.text || s.Failed() != row.failed {
			t.Errorf("%s, %s if open: the fee is %q, the step %s, %q, failed: %v; want %q, %s, %q, %v", s.Phase, s.PhaseIfOpen, s.Fee(), state, text, s.Failed(), row.fee, row.state, row.text, row.failed)
		}
	}
	if state, _ := standing(t, event, enrol.StepComplete, &payment.Transaction{ID: "t", State: payment.Paid}).PaymentStep(); state != components.StepDone {
		t.Errorf("a paid fee has the state %s", state)
	}
}

func TestNextStepsNameTheirAssignee(t *testing.T) {
	event := admission.Event{Code: "KS", Published: true, ClosesAt: noon.AddDate(0, 0, 7)}
	for _, row := range []struct {
		event admission.Event
		want  []string
	}{
		{event, []string{"Pay the fee, By 28 Nov 2026, person", "Your ticket, It comes by e-mail, staff"}},
		{admission.Event{}, []string{"Your ticket, It comes by e-mail, staff"}}, // until when is unknown
	} {
		var got []string
		for _, next := range standing(t, row.event, enrol.StepVerified, nil).Next() {
			got = append(got, next.Title+", "+next.Text+", "+next.Assignee)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

func TestTheAmountIsSaidToAnotherPersonOnlyIfItIsKnown(t *testing.T) {
	event := admission.Event{Code: "KS", Published: true, ClosesAt: noon.AddDate(0, 0, 7)}
	values := map[string]string{"name": "Asha", "email": "a…@example.com", "amount": "₹1,499"}
	for priced, want := range map[bool][2]string{
		true:  {"₹1,499, all taxes included. Ticket and receipt go to a…@example.com.", "Pay ₹1,499 for Asha"},
		false: {"Ticket and receipt go to a…@example.com.", "See the payment of Asha"},
	} {
		words := standing(t, event, enrol.StepVerified, nil).Another(values, priced)
		if got := [2]string{words.Text, words.Button}; got != want {
			t.Errorf("priced: %v: %q, want %q", priced, got, want)
		}
	}
	if values["amount"] == "" {
		t.Error("the caller's values have lost their amount")
	}
}

func TestWhatWasNotChargedIsNotSaidToBePaid(t *testing.T) {
	event := admission.Event{Code: enrol.ApplicationCode, Published: true}
	for want, charge := range map[string]admission.Money{"The fee is paid. We start reading when three documents are in.": admission.INR(2500_00), "There was nothing to pay. We start reading when three documents are in.": {}} {
		if got := standing(t, event, enrol.StepPaid, &payment.Transaction{ID: "t", State: payment.Paid, Charge: charge}).Line(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The badge and the API's status follow from the step.
func TestEveryStepHasABadge(t *testing.T) {
	for _, step := range enrol.Steps[1:] { // the first is of nobody
		for _, refunded := range []bool{false, true} {
			r := enrol.Registration{Step: step, Refunded: refunded}
			if r.Status() == "" || pages.BadgeLook(r.Fact().Badge) == "" {
				t.Errorf("step %d, refunded: %v: the badge says %q and looks %q", step, refunded, r.Status(), pages.BadgeLook(r.Fact().Badge))
			}
		}
	}
}

func TestASentenceWithAnUnknownValueIsLeftOut(t *testing.T) {
	values := map[string]string{"amount": admission.INR(1499_00).String()}
	if got, want := pages.FillKnown([]string{"{amount} is paid.", "It closes on {closes}.", ""}, values), "₹1,499.00 is paid."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAPaymentAtTheBankIsNotPaidAgain(t *testing.T) {
	for _, row := range []struct {
		atBank      bool
		title, line string
	}{
		{true, "Waiting for your bank", "You need not do anything now."},
		{false, "Payment not finished", "Not paid? Continue by 12:30."},
	} {
		s := standing(t, admission.Event{}, enrol.StepPaying, &payment.Transaction{ID: "t", State: payment.Pending, ExpiresAt: noon.Add(30 * time.Minute), AtBank: row.atBank})
		if s.Title() != row.title || s.Line() != row.line || s.Beside() != row.title {
			t.Errorf("at the bank: %t: %q, %q, beside the badge %q", row.atBank, s.Title(), s.Line(), s.Beside())
		}
	}
}
