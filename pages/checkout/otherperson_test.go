package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
	"hiresure/web"
)

// Visitors who typed another name or e-mail with an enrolled number, and verified it.
func TestEnrolmentOfAnotherPersonIsShown(t *testing.T) {
	const (
		says   = "Ananya has started to enrol with this number "
		single = "Each number can enrol one person. HireSure mGrow Scholarship Ananya Data Analytics"
		choose = "To enrol somebody else Use a mobile number that is not enrolled yet. Everything else that you typed is kept. Use another number Only one number at home? Call us: +91 80 0000 0101 , Monday to Saturday, 10:00 to 18:00. "
		goes   = "To continue for Ananya "
		sent   = "Ticket and receipt go to a***@example.com. "
		change = " Is Ananya’s name or e-mail wrong? Correct it"
		leave  = `<form method="post" action="/leave"><input type="hidden" name="enrol" value="hiresure-mgrow-2025"><button class="button button-wide" type="submit">Use another number`
		button = `<a class="button button-outline button-wide" href="/pay?scholarship_requested_id=`
	)
	for _, row := range []struct {
		sentence string
		outcome  sandbox.Outcome // "" if nothing was started
		change   func(*enrol.Registration)
		shows    []string
		without  []string
	}{
		{
			"unpaid: it can be paid, or corrected", "", nil,
			[]string{says + "Ananya’s fee is not paid yet. " + single, choose + goes + "₹1,499, all taxes included. " + sent + "Pay ₹1,499 for Ananya" + change},
			[]string{"See the payment"},
		},
		{
			"with a coupon it costs less", "", coupon("MGROW500"),
			[]string{"₹999, all taxes included.", "Pay ₹999 for Ananya"}, []string{"₹1,499"},
		},
		{
			"failed: its page says what came of the money", sandbox.Failed, nil,
			[]string{says + "Ananya’s payment did not go through. " + single, choose + goes + "Check your bank or UPI app first. Any amount deducted will be refunded. " + sent + "See the payment of Ananya" + change},
			[]string{"Pay ₹", "not paid yet"},
		},
		{
			"open: it may have been paid", sandbox.Pending, nil,
			[]string{says + "Ananya’s payment is still open. " + single, choose + goes + "If Ananya has paid already, do not pay again: we ask the bank. " + sent + "See the payment of Ananya" + change},
			[]string{"Pay ₹", "not paid yet"},
		},
		{
			"being checked: nothing is paid or changed now", sandbox.WrongAmount, nil,
			[]string{says + "Ananya’s payment is being checked. " + single, "Payment is being checked", choose + "Ananya’s payment Do not pay again. There is nothing for you to do. See the payment of Ananya"},
			[]string{"Pay ₹", change, "not paid yet", "Payment is open", goes},
		},
		{
			"paid", sandbox.Paid, nil,
			[]string{"Ananya is enrolled with this number Ananya’s fee is paid. " + single, choose + "Ananya’s ticket There is nothing more to pay. See ticket and receipt"},
			[]string{"Pay ₹", change, "not paid yet"},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			var b *browser
			if row.outcome == "" {
				b = s.enrolled(row.change)
			} else {
				b, _ = s.at(row.outcome, row.change)
			}
			id := b.registration.ID
			page := b.get(web.PayOfAnotherPath(id)).is(http.StatusOK, append(row.shows, "with this number", "+91 98200 41567, verified")...)
			page.without(append(row.without, b.registration.Email, b.registration.FullName, "You have paid", "One step is left")...).holds(leave, button+id+`">`)
			for _, address := range []string{"/pay", web.PayForPath(id), web.PayForPath(id) + "&typed="} {
				b.get(address).is(http.StatusOK).without("with this number", "Use another number")
			}
			s.stranger().get(web.PayOfAnotherPath(id)).leadsTo(web.SignInTo(web.PayOfAnotherPath(id))) // an unverified visitor learns nothing
		})
	}
}

func TestAnotherNumberReturnsToTheForm(t *testing.T) {
	s := newSite(t)
	b := s.enrolled(nil)
	left := b.post("/leave", url.Values{"enrol": {"hiresure-mgrow-2025"}})
	left.leadsTo("/scholarship/hiresure-mgrow-2025#enrol")
	if got := left.header.Get("Clear-Site-Data"); got != `"cookies"` {
		t.Errorf("Clear-Site-Data is %s: the draft of the form is to stay", got)
	}
	b.get("/pay").leadsTo("/account/sign-in?next=%2Fpay")

	of := s.enrolled(second).post("/leave", url.Values{"enrol": {"//evil.example"}})
	of.leadsTo("/scholarship/hiresure-mgrow-2025")
	if got := of.header.Get("Clear-Site-Data"); !strings.Contains(got, "storage") {
		t.Errorf("Clear-Site-Data is %s", got)
	}
}
