package pages_test

import (
	"testing"
	"time"

	"hiresure/admission/mydata"
	"hiresure/pages"
)

func TestDeletionNamesItsDayOrWhatDelaysIt(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC) }
	asked := mydata.Deletion{DueAt: at(28)}
	postponed := mydata.Deletion{DueAt: at(28), PostponedAt: at(28)}
	for _, row := range []struct {
		sentence string
		deletion mydata.Deletion
		money    mydata.Unsettled
		want     string
	}{
		{"nothing is open", asked, mydata.Unsettled{}, "on 28 Nov 2026"},
		{"a payment failed long before", asked, mydata.Unsettled{Kind: mydata.MayArrive, CreatedAt: at(21)}, "on 28 Nov 2026"},
		{"a payment failed after the request", asked, mydata.Unsettled{Kind: mydata.MayArrive, CreatedAt: at(23)}, "after 30 Nov 2026"},
		{"a payment was started before the request, perhaps never made", asked, mydata.Unsettled{Kind: mydata.PaymentOpen, CreatedAt: at(21)}, "on 28 Nov 2026"},
		{"a payment was started after the request", asked, mydata.Unsettled{Kind: mydata.PaymentOpen, CreatedAt: at(23)}, "after 30 Nov 2026"},
		{"a payment has postponed it", postponed, mydata.Unsettled{Kind: mydata.PaymentOpen, CreatedAt: at(28)}, "after 5 Dec 2026"},
		{"a payment is being checked", asked, mydata.Unsettled{Kind: mydata.PaymentReview}, "on 28 Nov 2026, or later, once we have checked your payment"},
		{"a refund is sent", asked, mydata.Unsettled{Kind: mydata.RefundOpen}, "on 28 Nov 2026, or later, once your refund is complete"},
		{"a dispute is open", asked, mydata.Unsettled{Kind: mydata.DisputeOpen}, "on 28 Nov 2026, or later, once your dispute has ended"},
		{"a dispute has postponed it", postponed, mydata.Unsettled{Kind: mydata.DisputeOpen}, "once your dispute has ended"},
		{"what postponed it may still arrive", postponed, mydata.Unsettled{Kind: mydata.MayArrive, CreatedAt: at(22)}, "after 29 Nov 2026"},
		{"what postponed it is settled", postponed, mydata.Unsettled{}, "within a day"},
	} {
		if got := pages.DeletedWhen(row.deletion, row.money); got != row.want {
			t.Errorf("%s: deleted %q, want %q", row.sentence, got, row.want)
		}
	}
}
