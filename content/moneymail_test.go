package content

import (
	"maps"
	"strings"
	"testing"
)

func TestMailsOfUnneededPaymentsAreTrue(t *testing.T) {
	const paid, valid, paidTwice = "application is paid", "is valid", "You paid twice"
	const again, checked, notFee = "Please do not pay again", "Another payment of yours is being checked", "It was not the amount of the fee"
	for _, row := range []struct {
		params  map[string]string
		says    []string
		saysNot []string
	}{
		{map[string]string{"Ticket": "HS26-4K7M-2"}, []string{paidTwice, valid}, []string{paid, checked}},
		{map[string]string{"Application": "yes"}, []string{paidTwice}, []string{valid, checked}},
		{map[string]string{"InReview": "yes"}, []string{checked}, []string{paid, valid, paidTwice, notFee}},
		{map[string]string{"InReview": "yes", "Application": "yes"}, []string{checked}, []string{paid, valid, paidTwice, notFee}},
		{map[string]string{"Review": "yes", "Application": "yes"}, []string{notFee}, []string{paid, valid, paidTwice, checked, again}},
		{map[string]string{"Ended": "yes"}, []string{"It reached us after your enrolment had ended"}, []string{paid, valid, paidTwice, again}},
		{map[string]string{"Ended": "yes", "Application": "yes"}, nil, []string{paid, valid, paidTwice, again}},
	} {
		for _, id := range []string{"refund-due", "refund-started", "refund-failed"} {
			message, _ := library(t).Message(id)
			params := map[string]string{"Name": "Asha Verma", "Amount": "₹1,234.00", "Transaction": "pt0ca8xbbfd8mgn8c4msc6ky74", "SentOn": "28 Nov 2026", "ArrivesBy": "Thursday, 3 December", "NextBy": "Tuesday, 1 December"}
			maps.Copy(params, row.params)
			sent, err := message.Render(sampleHost, params)
			if err != nil {
				t.Fatal(err)
			}
			all := sent.Subject + "\n" + sent.Text
			for _, says := range row.says {
				if ended := strings.TrimPrefix(says, "It reached us"); !strings.Contains(all, says) && !strings.Contains(all, ended) {
					t.Errorf("%s, %v: no %q in %q", id, row.params, says, all)
				}
			}
			for _, says := range row.saysNot {
				if strings.Contains(all, says) {
					t.Errorf("%s, %v: %q in %q", id, row.params, says, all)
				}
			}
			if id != "refund-failed" && row.params["Application"] != "" && (len(row.params) == 1) != strings.Contains(all, paid) {
				t.Errorf("%s, %v: whether the application is paid: %q", id, row.params, all)
			}
		}
	}
}

func TestMailOfWonDispute(t *testing.T) {
	if sent := previewed(t, "dispute-won"); !strings.Contains(sent.Text, "You had disputed the payment of ₹1,234.00. The bank decided that we keep the payment.") {
		t.Errorf("text %q", sent.Text)
	}
}
