package status_test

import (
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/admission/status"
)

var (
	now    = time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	closes = now.AddDate(0, 3, 0)
	exam   = now.AddDate(0, 4, 0)
	event  = admission.Event{
		Code: "KS_Mgrow", Published: true, OpensAt: now.AddDate(0, -1, 0), ClosesAt: closes,
		Days: []admission.Day{{What: "Mock test", On: exam.AddDate(0, 0, -7)}, {What: "Exam", On: exam}, {What: "Technical check", On: exam.AddDate(0, 0, -1)}},
	}
	application = admission.Event{Code: enrol.ApplicationCode, Published: true}
)

// facts are those of a registration of an event at a step, with the last payment in a state, "" for none.
func facts(event admission.Event, step enrol.Step, state payment.State, change ...func(*status.Facts)) status.Facts {
	f := status.Facts{Registration: enrol.Registration{ID: "r", EventCode: event.Code, Step: step, ModifiedAt: now}, Event: event}
	f.Event.Days = slices.Clone(event.Days)
	if state != "" {
		f.Transaction = &payment.Transaction{ID: "t", State: state, ExpiresAt: now.Add(time.Minute), SettledAt: now}
	}
	switch state {
	case payment.Paid, payment.Disputed:
		f.Registration.PaidTxnID, f.Invoiced = "t", true
	}
	for _, apply := range change {
		apply(&f)
	}
	return f
}

func ended(f *status.Facts)       { f.Event.ClosesAt = now }
func notYet(f *status.Facts)      { f.Event.OpensAt = now.Add(time.Hour) }
func soldOut(f *status.Facts)     { f.Event.OpensAt, f.Event.SoldOut = now, true }
func forgotten(f *status.Facts)   { f.Event = admission.Event{} }
func unpublished(f *status.Facts) { f.Event.Published = false }
func timedOut(f *status.Facts)    { f.Transaction.ExpiresAt = now }
func declined(f *status.Facts)    { f.Transaction.AttemptFailed = true }
func bounced(f *status.Facts)     { f.Transaction.RefundFailed = true }
func free(f *status.Facts)        { f.Invoiced = false }
func dayOver(f *status.Facts) {
	for i := range f.Event.Days {
		f.Event.Days[i].On = now.AddDate(0, 0, -1-i)
	}
}
func paid(f *status.Facts)           { f.Registration.PaidTxnID, f.Invoiced = "t", true }
func unpaid(f *status.Facts)         { f.Registration.PaidTxnID, f.Invoiced = "", false }
func accepted(f *status.Facts)       { paid(f); f.Refund.SentAt = now }
func wentBack(f *status.Facts)       { accepted(f); f.Registration.Refunded = true }
func cameBack(f *status.Facts)       { wentBack(f); f.Refund.SentAt = time.Time{} }
func longAgo(f *status.Facts)        { f.Refund.SentAt = now.AddDate(0, 0, -14) }
func takenBack(f *status.Facts)      { wentBack(f); f.Refund.ChargedBack = true }
func erased(f *status.Facts)         { f.Registration.ErasedAt = now }
func withoutPayment(f *status.Facts) { f.Transaction = nil }

// fees holds the fee of each phase, of both products.
var fees = map[status.Phase]status.Fee{
	status.Form: status.FeeUnpaid, status.FeeDue: status.FeeUnpaid, status.PaymentOpen: status.FeeWaiting, status.PaymentReview: status.FeeWaiting,
	status.PaymentFailed: status.FeeMissing, status.PaymentExpired: status.FeeMissing, status.PaymentReturned: status.FeeMissing,
	status.Enrolled: status.FeePaid, status.EventOver: status.FeePaid, status.DocumentsDue: status.FeePaid, status.DocumentsSubmitted: status.FeePaid,
	status.RefundPending: status.FeeBack, status.RefundSent: status.FeeBack, status.Refunded: status.FeeBack, status.ChargedBack: status.FeeBack,
}

func TestEachPhaseFollowsFromItsFacts(t *testing.T) {
	for _, row := range []struct {
		sentence string
		facts    status.Facts
		phase    status.Phase
		action   status.Action
		assignee status.Assignee
		until    time.Time
	}{
		{"enrolled for an exam, nothing tried", facts(event, enrol.StepVerified, ""), status.FeeDue, status.CompleteForm, status.Person, closes},
		{"the event takes nobody any more", facts(event, enrol.StepVerified, "", ended), status.Closed, status.NoAction, status.Nobody, time.Time{}},
		{"the event takes nobody yet", facts(event, enrol.StepVerified, "", notYet), status.Closed, status.NoAction, status.Nobody, now.Add(time.Hour)},
		{"all seats are taken", facts(event, enrol.StepVerified, "", soldOut), status.Closed, status.NoAction, status.Nobody, time.Time{}},
		{"the content has no such event", facts(event, enrol.StepVerified, "", forgotten), status.FeeDue, status.CompleteForm, status.Person, time.Time{}},
		{"an attempt is open", facts(event, enrol.StepPaying, payment.Pending), status.PaymentOpen, status.PayNow, status.Staff, now.Add(time.Minute)},
		{"it was created, and the provider has not answered", facts(event, enrol.StepPaying, payment.Created), status.PaymentOpen, status.PayNow, status.Staff, now.Add(time.Minute)},
		{"it can be paid after enrolment has ended", facts(event, enrol.StepPaying, payment.Pending, ended), status.PaymentOpen, status.PayNow, status.Staff, now.Add(time.Minute)},
		{"its time is over, and nobody has asked yet", facts(event, enrol.StepPaying, payment.Pending, timedOut), status.PaymentExpired, status.PayNow, status.Person, time.Time{}},
		{"its last try failed, and another may follow", facts(event, enrol.StepPaying, payment.Pending, declined), status.PaymentFailed, status.PayNow, status.Person, time.Time{}},
		{"its last try failed, and its time is over", facts(event, enrol.StepPaying, payment.Pending, declined, timedOut), status.PaymentFailed, status.PayNow, status.Person, time.Time{}},
		{"it failed", facts(event, enrol.StepUnpaid, payment.Failed), status.PaymentFailed, status.PayNow, status.Person, closes},
		{"it ran out of time", facts(event, enrol.StepUnpaid, payment.Expired), status.PaymentExpired, status.PayNow, status.Person, closes},
		{"it failed, and enrolment has ended", facts(event, enrol.StepUnpaid, payment.Failed, ended), status.Closed, status.NoAction, status.Nobody, time.Time{}},
		{"it failed, and the content no longer has the event", facts(event, enrol.StepUnpaid, payment.Failed, forgotten), status.PaymentFailed, status.PayNow, status.Person, time.Time{}},
		{"it can be paid again, and no attempt is stored", facts(event, enrol.StepUnpaid, ""), status.PaymentFailed, status.PayNow, status.Person, closes},
		{"it is paid, and the registration does not count it", facts(event, enrol.StepUnpaid, payment.Paid, unpaid), status.PaymentFailed, status.PayNow, status.Person, closes},
		{"another sum came, and goes back", facts(event, enrol.StepUnpaid, payment.RefundPending), status.PaymentReturned, status.PayNow, status.Person, closes},
		{"another sum came, and is to go back", facts(event, enrol.StepUnpaid, payment.RefundDue), status.PaymentReturned, status.PayNow, status.Person, closes},
		{"another sum came, and its refund failed", facts(event, enrol.StepUnpaid, payment.RefundDue, bounced), status.PaymentReturned, status.PayNow, status.Person, closes},
		{"another sum came, and has gone back", facts(event, enrol.StepUnpaid, payment.Refunded), status.PaymentReturned, status.PayNow, status.Person, closes},
		{"another sum came, and is checked", facts(event, enrol.StepPaying, payment.Review), status.PaymentReview, status.NoAction, status.Staff, time.Time{}},
		{"it is checked when enrolment has ended", facts(event, enrol.StepUnpaid, payment.Review, ended), status.PaymentReview, status.NoAction, status.Staff, time.Time{}},
		{"paid", facts(event, enrol.StepComplete, payment.Paid), status.Enrolled, status.DownloadInvoice, status.Staff, exam.AddDate(0, 0, 1)},
		{"paid, and disputed", facts(event, enrol.StepComplete, payment.Disputed), status.Enrolled, status.DownloadInvoice, status.Staff, exam.AddDate(0, 0, 1)},
		{"paid with a coupon for all of it", facts(event, enrol.StepComplete, payment.Paid, free), status.Enrolled, status.NoAction, status.Staff, exam.AddDate(0, 0, 1)},
		{"paid, and all days are over", facts(event, enrol.StepComplete, payment.Paid, dayOver), status.EventOver, status.DownloadInvoice, status.Nobody, time.Time{}},
		{"paid for what the content no longer has", facts(event, enrol.StepComplete, payment.Paid, forgotten), status.EventOver, status.DownloadInvoice, status.Nobody, time.Time{}},
		{"we are sending the fee back", facts(event, enrol.StepComplete, payment.RefundPending, paid), status.RefundPending, status.DownloadInvoice, status.Staff, time.Time{}},
		{"the provider has accepted its refund", facts(event, enrol.StepComplete, payment.RefundPending, accepted), status.RefundSent, status.DownloadInvoice, status.Staff, time.Date(2026, 12, 2, 0, 0, 0, 0, admission.IST)},
		{"its refund came back, and the person has enrolled anew", facts(event, enrol.StepComplete, payment.RefundDue, cameBack), status.RefundPending, status.DownloadInvoice, status.Staff, time.Time{}},
		{"the fee was sent back", facts(event, enrol.StepComplete, payment.Refunded, wentBack), status.RefundSent, status.DownloadInvoice, status.Staff, time.Date(2026, 12, 2, 0, 0, 0, 0, admission.IST)},
		{"the fee has arrived", facts(event, enrol.StepComplete, payment.Refunded, wentBack, longAgo), status.Refunded, status.DownloadInvoice, status.Nobody, time.Time{}},
		{"refunded by a version that kept no payment", facts(event, enrol.StepComplete, payment.Refunded, wentBack, withoutPayment), status.Refunded, status.DownloadInvoice, status.Nobody, time.Time{}},
		{"the payer's bank took it back", facts(event, enrol.StepComplete, payment.Refunded, takenBack), status.ChargedBack, status.DownloadInvoice, status.Nobody, time.Time{}},
		{"the payer's bank took a part of it back", facts(event, enrol.StepComplete, payment.Paid, func(f *status.Facts) { f.Refund.ChargedBack = true }), status.Enrolled, status.DownloadInvoice, status.Staff, exam.AddDate(0, 0, 1)},
		{"the person was deleted", facts(event, enrol.StepComplete, payment.Paid, erased), status.Erased, status.NoAction, status.Nobody, time.Time{}},
		{"the person was deleted after the payer's bank took it back", facts(event, enrol.StepComplete, payment.Refunded, takenBack, erased), status.Erased, status.NoAction, status.Nobody, time.Time{}},
		{"the person was deleted while a payment is checked", facts(event, enrol.StepPaying, payment.Review, erased), status.Erased, status.NoAction, status.Nobody, time.Time{}},

		{"an application begins", facts(application, enrol.StepVerified, ""), status.Form, status.CompleteForm, status.Person, time.Time{}},
		{"its answers are saved", facts(application, enrol.StepScholarship, ""), status.Form, status.CompleteForm, status.Person, time.Time{}},
		{"its terms are agreed to", facts(application, enrol.StepAgreed, ""), status.FeeDue, status.PayNow, status.Person, time.Time{}},
		{"nobody may apply any more", facts(application, enrol.StepAgreed, "", unpublished), status.Closed, status.NoAction, status.Nobody, time.Time{}},
		{"its fee failed", facts(application, enrol.StepUnpaid, payment.Failed), status.PaymentFailed, status.PayNow, status.Person, time.Time{}},
		{"its fee is paid", facts(application, enrol.StepPaid, payment.Paid), status.DocumentsDue, status.UploadDocuments, status.Person, time.Time{}},
		{"its fee is paid, and nobody may apply any more", facts(application, enrol.StepPaid, payment.Paid, unpublished), status.DocumentsDue, status.UploadDocuments, status.Person, time.Time{}},
		{"its documents are submitted", facts(application, enrol.StepComplete, payment.Paid), status.DocumentsSubmitted, status.DownloadInvoice, status.Staff, time.Time{}},
		{"its fee was sent back", facts(application, enrol.StepPaid, payment.Refunded, wentBack), status.RefundSent, status.DownloadInvoice, status.Staff, time.Date(2026, 12, 2, 0, 0, 0, 0, admission.IST)},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			got := status.Of(row.facts, now)
			if got.Phase != row.phase || got.Action != row.action || got.Assignee != row.assignee || !got.Until.Equal(row.until) {
				t.Errorf("%s, %q, %s, until %v; want %s, %q, %s, until %v", got.Phase, got.Action, got.Assignee, got.Until, row.phase, row.action, row.assignee, row.until)
			}
			if got.PhaseIfOpen != got.Phase && got.Phase != status.Closed {
				t.Errorf("%s, and %s if the event were open", got.Phase, got.PhaseIfOpen)
			}
			if fee := status.FeeOf(got.Product, got.Phase); fee != fees[got.Phase] {
				t.Errorf("the fee is %q, want %q", fee, fees[got.Phase])
			}
			if status.Has(enrol.ProductApplication, got.Phase) && got.Phase != status.FeeDue {
				same := row.facts
				same.Registration.EventCode = enrol.ApplicationCode
				if other := status.Of(same, now); other.Phase != got.Phase || other.Action != got.Action || other.Assignee != got.Assignee {
					t.Errorf("of an application: %s, %q, %s", other.Phase, other.Action, other.Assignee)
				}
				if fee := status.FeeOf(enrol.ProductApplication, got.Phase); fee != fees[got.Phase] {
					t.Errorf("of an application the fee is %q, want %q", fee, fees[got.Phase])
				}
			}
			if !status.Has(got.Product, got.Phase) || status.AssigneeOf(got.Product, got.Phase) != got.Assignee {
				t.Errorf("%s of %s is in no row of the table, or another assignee acts there", got.Phase, got.Product)
			}
			if !got.Until.IsZero() {
				before, after := status.Of(row.facts, got.Until.Add(-1)), status.Of(row.facts, got.Until)
				if before.Phase != got.Phase || after.Phase == got.Phase {
					t.Errorf("a moment before %v it is %s, then %s", got.Until, before.Phase, after.Phase)
				}
			}
		})
	}
}

// What a closed event hides is kept for the pages that say what was tried.
func TestAClosedRegistrationKeepsWhatWasTried(t *testing.T) {
	for _, row := range []struct {
		facts status.Facts
		want  status.Phase
	}{
		{facts(event, enrol.StepVerified, "", ended), status.FeeDue},
		{facts(event, enrol.StepUnpaid, payment.Failed, ended), status.PaymentFailed},
		{facts(event, enrol.StepUnpaid, payment.Expired, ended), status.PaymentExpired},
	} {
		if got := status.Of(row.facts, now); got.Phase != status.Closed || got.PhaseIfOpen != row.want {
			t.Errorf("%s, %s if open; want closed, %s", got.Phase, got.PhaseIfOpen, row.want)
		}
	}
}

func TestTheDeadlineIsByWhenTheAssigneeActs(t *testing.T) {
	friday := time.Date(2026, 11, 27, 6, 30, 0, 0, time.UTC)
	reviewed := facts(event, enrol.StepPaying, payment.Review)
	reviewed.Transaction.SettledAt = friday
	refunded := facts(event, enrol.StepComplete, payment.Refunded, wentBack)
	refunded.Refund.SentAt = friday
	submitted := facts(application, enrol.StepComplete, payment.Paid)
	submitted.Registration.ModifiedAt = friday
	for _, row := range []struct {
		sentence string
		facts    status.Facts
		want     string // the day in India
	}{
		{"enrolment closes", facts(event, enrol.StepVerified, ""), admission.ISODate(closes)},
		{"enrolment closes after an attempt failed", facts(event, enrol.StepUnpaid, payment.Failed), admission.ISODate(closes)},
		{"enrolment closes after an attempt expired", facts(event, enrol.StepUnpaid, payment.Expired), admission.ISODate(closes)},
		{"enrolment closes after another sum went back", facts(event, enrol.StepUnpaid, payment.Refunded), admission.ISODate(closes)},
		{"an attempt ends", facts(event, enrol.StepPaying, payment.Pending), "2026-11-21"},
		{"a payment of Friday is looked at on Monday", reviewed, "2026-11-30"},
		{"documents of Friday are read in seven business days", submitted, "2026-12-08"},
		{"a refund of Friday arrives in seven business days", refunded, "2026-12-08"},
		{"no day before the provider has accepted a refund", facts(event, enrol.StepComplete, payment.RefundPending, paid), "0001-01-01"},
		{"nobody has to act", facts(event, enrol.StepComplete, payment.Paid, dayOver), "0001-01-01"},
	} {
		if got := admission.ISODate(status.Of(row.facts, now).Deadline); got != row.want {
			t.Errorf("%s: %s, want %s", row.sentence, got, row.want)
		}
	}
}

func TestAPhaseThatAProductLacksHasNoAssigneeAndNoFee(t *testing.T) {
	for product, phase := range map[enrol.Product]status.Phase{enrol.ProductEnrolment: status.DocumentsDue, enrol.ProductApplication: status.Enrolled} {
		assignee, fee := status.AssigneeOf(product, phase), status.FeeOf(product, phase)
		if assignee != status.Nobody || fee != status.NoFee {
			t.Errorf("%s of %s: %q, %q", phase, product, assignee, fee)
		}
	}
}

func TestMoneyIsReadFromEveryState(t *testing.T) {
	for _, row := range []struct {
		state payment.State
		want  status.Money
	}{
		{payment.Created, status.MoneyOpen}, {payment.Pending, status.MoneyOpen}, {payment.Paid, status.MoneyPaid}, {payment.Failed, status.MoneyFailed},
		{payment.Expired, status.MoneyExpired}, {payment.Review, status.MoneyReview}, {payment.RefundDue, status.MoneyDueBack},
		{payment.RefundPending, status.MoneyReturning}, {payment.Refunded, status.MoneyReturned}, {payment.Disputed, status.MoneyPaid},
	} {
		if got := status.MoneyOf(&payment.Transaction{State: row.state, ExpiresAt: now.Add(1)}, now); got != row.want {
			t.Errorf("%s is %s, want %s", row.state, got, row.want)
		}
	}
	if got := status.MoneyOf(&payment.Transaction{State: payment.RefundDue, RefundFailed: true}, now); got != status.MoneyHeld {
		t.Errorf("a payment whose refund failed is %s", got)
	}
	if got := status.MoneyOf(nil, now); got != status.MoneyNone {
		t.Errorf("no payment is %s", got)
	}
}

func TestAPaymentIsKeptUnlessItIsRefundedOrDisputed(t *testing.T) {
	for _, row := range []struct {
		sentence string
		of       payment.Transaction
		want     bool
	}{
		{"paid", payment.Transaction{State: payment.Paid}, true},
		{"part refunded", payment.Transaction{State: payment.Paid, RefundedMinor: 100}, true},
		{"dispute open", payment.Transaction{State: payment.Disputed, DisputedAt: now}, false},
		{"dispute won", payment.Transaction{State: payment.Paid, DisputedAt: now}, true},
		{"dispute lost in part", payment.Transaction{State: payment.Paid, DisputedAt: now, RefundedMinor: 100}, false},
		{"dispute lost", payment.Transaction{State: payment.Refunded, DisputedAt: now, RefundedMinor: 100}, false},
		{"refund under way", payment.Transaction{State: payment.RefundPending}, false},
	} {
		if got := status.Kept(&row.of); got != row.want {
			t.Errorf("%s: %t", row.sentence, got)
		}
	}
}

// A status that needs no payment must not change with one.
func TestAStatusThatNeedsNoPaymentIsTheSameWithOne(t *testing.T) {
	for _, of := range []admission.Event{event, application} {
		for _, step := range enrol.Steps[1:] {
			f := facts(of, step, "")
			if status.NeedsPayment(&f.Registration) {
				continue
			}
			before := status.Of(f, now)
			for _, state := range []payment.State{payment.Failed, payment.Expired, payment.Refunded} {
				f.Transaction = &payment.Transaction{State: state}
				if after := status.Of(f, now); after.Phase != before.Phase {
					t.Errorf("%s at step %d is %s, and %s with a payment that is %s", of.Code, step, before.Phase, after.Phase, state)
				}
			}
		}
	}
}
