package checkout_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/integrations/payment/sandbox"
)

var calendarLink = regexp.MustCompile(`href="(/ticket/[A-Za-z0-9_-]{22})/exam\.ics"`)

// ticket is the address of the ticket that a success shows.
func (b *browser) ticket(txn string) string {
	b.site.t.Helper()
	found := calendarLink.FindStringSubmatch(b.get("/success?kspay_id=" + txn).body)
	if found == nil {
		b.site.t.Fatal("the success shows no ticket with an address")
	}
	return found[1]
}

func TestWhoeverHoldsTheTicketOpensIt(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	stranger := s.stranger()
	page := stranger.get(ticket).is(http.StatusOK, "Your ticket", "Show it, or say its number on the phone.", "HireSure mGrow Scholarship", "Ananya Deshmukh",
		"14 Scholarship exam March 2027 Sunday", "Data Analytics", "Amount paid ₹1,499.00", "113 days to the exam", "Mock test Sunday, 7 March. One hour online.").
		without("ananya.d@example.com", "98200", "Receipt", "invoice", "Leave this browser", "data-leave")
	if got := page.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q", got)
	}
	for _, address := range []string{"/ticket/" + strings.Repeat("A", 22), "/ticket/short", ticket + "A", "/ticket/" + txn} {
		stranger.get(address).is(http.StatusNotFound, "This code does not open a ticket").without("Ananya")
		stranger.get(address+"/exam.ics").is(http.StatusNotFound, "This code does not open a ticket").without("Ananya")
	}
}

func TestTheTicketsNumberIsNoAddress(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	number := regexp.MustCompile(`HS26-[0-9A-Z]{4}-[0-9A-Z]`).FindString(b.get("/success?kspay_id=" + txn).body)
	if number == "" {
		t.Fatal("the ticket has no number")
	}
	s.stranger().get("/ticket/"+number).is(http.StatusNotFound, "This code does not open a ticket")
}

func TestTheExamGoesIntoACalendar(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	file := s.stranger().get(ticket + "/exam.ics")
	if got := file.header.Get("Content-Type"); got != "text/calendar; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	unfolded := strings.ReplaceAll(file.body, "\r\n ", "")
	for _, line := range []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:PUBLISH", "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20270314", "DTEND;VALUE=DATE:20270315",
		"SUMMARY:HireSure mGrow Scholarship: scholarship exam", "URL:" + s.url + ticket, "BEGIN:VALARM", "TRIGGER:-PT15H", "END:VCALENDAR",
	} {
		if !strings.Contains("\r\n"+unfolded, "\r\n"+line+"\r\n") {
			t.Errorf("no line %q in\n%s", line, unfolded)
		}
	}
	if again := s.stranger().get(ticket + "/exam.ics"); again.body != file.body {
		t.Error("the same exam is another file the second time: a calendar would hold it twice")
	}
}

func TestDaysAreCountedFromMidnightInIndia(t *testing.T) {
	for _, row := range []struct {
		sentence, at, says string
		calendar           bool
	}{
		{"two days before, by a minute", "2027-03-12T23:59:00+05:30", "2 days to the exam", true},
		{"the day before begins", "2027-03-13T00:00:00+05:30", "The exam is tomorrow", true},
		{"the day itself", "2027-03-14T00:00:00+05:30", "The exam is today", true},
		{"its last minute", "2027-03-14T23:59:00+05:30", "The exam is today", true},
		{"the day after", "2027-03-15T00:00:00+05:30", "The exam was on 14 March 2027", false},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			b, txn := s.at(sandbox.Paid, nil)
			ticket := b.ticket(txn)
			at, err := time.Parse(time.RFC3339, row.at)
			check(t, err)
			s.clock.Set(at)
			page := s.stranger().get(ticket).is(http.StatusOK, row.says)
			if row.calendar {
				page.holds(ticket + "/exam.ics")
				s.stranger().get(ticket+"/exam.ics").is(http.StatusOK, "BEGIN:VEVENT")
			} else {
				page.without("exam.ics")
				s.stranger().get(ticket+"/exam.ics").is(http.StatusNotFound, "This code does not open a ticket")
			}
		})
	}
}

func TestARefundedTicketIsNoLongerValid(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	check(t, s.store.Areas().Payment.Update(t.Context(), func(tx payment.Tx) error {
		transaction, err := tx.Transaction(txn)
		if err != nil {
			return err
		}
		var r *enrol.Registration
		if r, err = tx.RegistrationForUpdate(transaction.RegistrationID); err != nil {
			return err
		}
		r.Refunded = true
		return tx.SaveRegistration(r)
	}))
	s.stranger().get(ticket).is(http.StatusOK, "No longer valid", "Refunded ₹1,499.00", "14 Scholarship exam March 2027 Sunday", "It is no longer valid: the fee for it went back.").
		without("Computer or phone with camera", "QR code", "exam.ics", "to the exam", "Mock test", `class="line"`)
	s.stranger().get(ticket + "/exam.ics").is(http.StatusNotFound)
}
