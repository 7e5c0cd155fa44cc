package checkout_test

import (
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/payment"
	"hiresure/content"
	"hiresure/integrations/payment/sandbox"
)

var calendarLink = regexp.MustCompile(`href="(/ticket/[A-Za-z0-9_-]{22})/exam\.ics"`)

// ticket returns the address of the ticket on a success page.
func (b *browser) ticket(txn string) string {
	b.site.t.Helper()
	found := calendarLink.FindStringSubmatch(b.get("/success?kspay_id=" + txn).body)
	if found == nil {
		b.site.t.Fatal("the success shows no ticket with an address")
	}
	return found[1]
}

func TestTicketKeyOpensTheTicket(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	stranger := s.stranger()
	page := stranger.get(ticket).is(http.StatusOK, "Exam ticket | HireSure", "Ticket of Ananya Deshmukh Valid The fee is paid for the exam on 14 Mar 2027. If it is yours, receipt and PDF are in your mail.", "HireSure mGrow Scholarship", "Ananya Deshmukh",
		"14 Scholarship exam March 2027 Sunday Planned for 10:00, confirmed by 28 Feb 2027", "Data Analytics", "113 days to the exam", "Mock test Sunday, 28 February. One hour online.", "Back to the programme").
		without("ananya.d@example.com", "98200", txn, "Your ticket |", "Amount paid", "1,499", ">Receipt<", "/receipt", "invoice", "ticket.pdf", "Ticket as PDF", "safe to share", "is returned", "to cancel by", "referral code", "a friend enrols", "Not you? Log out", "data-leave")
	if found := regexp.MustCompile(`<meta property="og:[^>]*>`).FindAllString(page.body, -1); strings.Contains(strings.Join(found, ""), "Ananya") || strings.Contains(strings.Join(found, ""), "og:image") {
		t.Errorf("a preview of the link shows %q", found)
	}
	page.holds(`<p class="ticket-page-exam-link no-print"><a href="/scholarship/hiresure-mgrow-2025/exam">Syllabus, sample questions, all rules</a></p>`)
	const safe = "The QR code opens this ticket without the amount, your e-mail or phone number: safe to share."
	for _, own := range []string{"/success?kspay_id=" + txn, ticket} {
		b.get(own).is(http.StatusOK, "Amount paid ₹1,499.00", safe, "Write to support@hiresure.example to cancel by 7 Mar 2027, or to move. Refund Policy").holds(`href="/checkout/`+txn+`/papers/ticket.pdf"`, "Ticket as PDF")
	}
	b.get(ticket).is(http.StatusOK, "Your ticket | HireSure", "Your ticket We e-mail your exam link to ananya.d@example.com by 12 Mar 2027. Not there? Check the spam folder, then call us. On the phone, give us the ticket number.").without("Is it yours?")
	if got := page.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q", got)
	}
	for _, address := range []string{"/ticket/" + strings.Repeat("A", 22), "/ticket/short", ticket + "A", "/ticket/" + txn} {
		stranger.get(address).is(http.StatusNotFound, "This code does not open a ticket").without("Ananya")
		stranger.get(address+"/exam.ics").is(http.StatusNotFound, "This code does not open a ticket").without("Ananya")
	}
}

func TestTicketShowsWhenTheExamLinkArrives(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	for _, row := range []struct {
		at             time.Time
		says, onItsDay string
	}{
		{time.Date(2027, 3, 12, 23, 59, 59, 0, admission.IST), "We e-mail your exam link to ananya.d@example.com by 12 Mar 2027. Not there? Check the spam folder, then call us. On the phone, give us the ticket number.", "Online, with a proctor. Link by e-mail, by 12 March. Results"},
		{time.Date(2027, 3, 13, 0, 0, 0, 0, admission.IST), "Your exam link is in your mail or spam folder. In neither? Call us. On the phone, give us the ticket number.", "Online, with a proctor. Results"},
	} {
		s.clock.Set(row.at)
		b.get(ticket).is(http.StatusOK, row.says, "Ask us, Monday to Saturday, 10:00 to 18:00. On exam day: 08:00 to 14:00.")
		success := b.get("/success?kspay_id="+txn).is(http.StatusOK, row.onItsDay)
		if n, want := strings.Count(success.text(), "Link by e-mail"), strings.Count(row.onItsDay, "Link by e-mail"); n != want {
			t.Errorf("the link is said of %d days, want %d", n, want)
		}
	}
}

func TestTicketExplainsCancellationUntilTheLastRefundDay(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	const how = "Write to support@hiresure.example to cancel by 7 Mar 2027, or to move. Refund Policy"
	for _, page := range []string{ticket, "/success?kspay_id=" + txn} {
		s.clock.Set(time.Date(2027, 3, 7, 23, 59, 59, 0, admission.IST))
		b.get(page).is(http.StatusOK, how).holds(`href="mailto:support@hiresure.example"`)
		s.clock.Set(time.Date(2027, 3, 8, 0, 0, 0, 0, admission.IST))
		b.get(page).is(http.StatusOK, "You owe nothing unless you join. Write to support@hiresure.example to move. Refund Policy").without("to cancel")
	}
}

func TestTicketLinksOnlyItsPayerToTheReceipt(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	opens := func(title, toOthers string) {
		t.Helper()
		own := b.get(ticket).is(http.StatusOK, title, "Receipt", "We never ask for a code or for money by phone.", "Not you? Log out").without("No mail yet", "on their way to", "We have written to")
		if link := `href="/checkout/` + txn + `/receipt"`; strings.Count(own.body, link) != 1 {
			t.Errorf("%d times %s", strings.Count(own.body, link), link)
		}
		s.stranger().get(ticket).is(http.StatusOK, toOthers, "Back to the programme").without(">Receipt<", txn, "1,499", "was refunded", "We refunded", "Not you? Log out")
	}
	opens("Your ticket We e-mail your exam link", "Ticket of Ananya Deshmukh Valid The fee is paid for the exam on")
	s.refund(txn)
	const over = "This ticket is no longer valid"
	opens(over, over+" The enrolment has ended.")
	b.get(ticket).is(http.StatusOK, "Receipt and credit note", "Enrol again").without("Ticket as PDF", "ticket.pdf")
	b.get("/checkout/"+txn+"/receipt").is(http.StatusOK, "Net paid ₹0.00")
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

func TestExamCalendarFile(t *testing.T) {
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
	number := regexp.MustCompile(`HS26-[0-9A-Z-]+`).FindString(s.stranger().get(ticket).text())
	if number == "" || !strings.Contains(unfolded, "\r\nUID:"+number+"@hiresure\r\n") {
		t.Errorf("the entry is not called by the ticket's number %q:\n%s", number, unfolded)
	}
	if strings.Contains(unfolded, b.registration.ID) {
		t.Errorf("the registration's id stands in\n%s", unfolded)
	}
	if again := s.stranger().get(ticket + "/exam.ics"); again.body != file.body {
		t.Error("the same exam is another file the second time: a calendar would hold it twice")
	}
	s.clock.Pass(time.Hour)
	s.publish("events/hiresure-mgrow-2025.yaml", map[string]string{"where: Online, with a proctor": "where: Online, at home"})
	moved := s.stranger().get(ticket + "/exam.ics")
	uid, stamp := regexp.MustCompile(`UID:\S+`), regexp.MustCompile(`DTSTAMP:\S+`)
	if uid.FindString(moved.body) != uid.FindString(file.body) || stamp.FindString(moved.body) <= stamp.FindString(file.body) {
		t.Errorf("what has changed does not take the place of what a calendar holds: %s %s, before %s %s",
			uid.FindString(moved.body), stamp.FindString(moved.body), uid.FindString(file.body), stamp.FindString(file.body))
	}
}

func TestAPayerSharesTheExamAndTheCodeAndNothingElse(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	page := b.get("/success?kspay_id="+txn).is(http.StatusOK, "₹200 for you when a friend enrols", "Your friend types your code. Once the fee is paid, you get the bonus as cashback.")
	code := regexp.MustCompile(`data-copy="([0-9A-Z]{10})"`).FindStringSubmatch(page.body)
	if code == nil {
		t.Fatal("no code to copy")
	}
	page.is(http.StatusOK, "Your referral code "+code[1])
	shared := regexp.MustCompile(`data-share="([^"]*)" data-title="([^"]*)" data-text="([^"]*)"`).FindAllStringSubmatch(page.body, -1)
	link := s.url + "/scholarship/hiresure-mgrow-2025?referralCode=" + code[1]
	want := [][]string{
		{link, "HireSure mGrow Scholarship", "My scholarship exam is on 14 Mar 2027."},
		{link, "HireSure mGrow Scholarship", "Enrol with my referral code " + code[1] + "."},
	}
	if len(shared) != 2 || !slices.Equal(shared[0][1:], want[0]) || !slices.Equal(shared[1][1:], want[1]) {
		t.Errorf("shared: %q", shared)
	}
}

func TestConfirmedExamTimeIsOnTicketAndCalendar(t *testing.T) {
	const unconfirmed = `DESCRIPTION:Ticket %s\nBring: Computer or phone with camera\, reliable internet\, an ID\nPlanned for 10:00\, confirmed by 28 Feb 2027`
	for _, row := range []struct {
		sentence, samples, starts, weekday string
		lines                              []string
	}{
		{"nobody has confirmed the time", "[time]", "10:00", "Sunday Planned for 10:00, confirmed by 28 Feb 2027", []string{"DTSTART;VALUE=DATE:20270314", "DTEND;VALUE=DATE:20270315", "TRIGGER:-PT15H", unconfirmed}},
		{"nobody has confirmed the length", "[length]", "10:00", "Sunday Planned for 10:00, confirmed by 28 Feb 2027", []string{"DTSTART;VALUE=DATE:20270314", "TRIGGER:-PT15H", unconfirmed}},
		{"both are confirmed", "[bring]", "10:00", "Sunday, 10:00", []string{"DTSTART:20270314T043000Z", "DTEND:20270314T053000Z", "TRIGGER:-PT25H"}},
		{"half past nine", "[]", "09:30", "Sunday, 09:30", []string{"DTSTART:20270314T040000Z", "DTEND:20270314T050000Z", "TRIGGER:-PT24H30M"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			s := newSite(t)
			b, txn := s.at(sandbox.Paid, nil)
			ticket := b.ticket(txn)
			s.publish("events/hiresure-mgrow-2025.yaml", map[string]string{
				"samples: [time, length, languages, negative_marks, pattern, bring]": "samples: " + row.samples, `starts: "10:00"`: `starts: "` + row.starts + `"`,
			})
			page := s.stranger().get(ticket).is(http.StatusOK, "14 Scholarship exam March 2027 "+row.weekday)
			if strings.Contains(row.weekday, ":") {
				page.without("start time")
			} else {
				page.without("Sunday, 10:00", "Sunday, 09:30")
			}
			number := regexp.MustCompile(`HS26-[0-9A-Z]{4}-[0-9A-Z]`).FindString(page.body)
			unfolded := strings.ReplaceAll(s.stranger().get(ticket+"/exam.ics").body, "\r\n ", "")
			for _, line := range row.lines {
				line = strings.Replace(line, "%s", number, 1)
				if !strings.Contains(unfolded, "\r\n"+line+"\r\n") {
					t.Errorf("no line %q in\n%s", line, unfolded)
				}
			}
		})
	}
}

// publish changes texts in a file of the content.
func (s *site) publish(file string, texts map[string]string) {
	s.t.Helper()
	changed := fstest.MapFS{}
	check(s.t, fs.WalkDir(content.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(content.Files(), name)
		changed[name] = &fstest.MapFile{Data: data}
		return err
	}))
	for from, to := range texts {
		before := string(changed[file].Data)
		if !strings.Contains(before, from) {
			s.t.Fatalf("%s does not hold %q", file, from)
		}
		changed[file].Data = []byte(strings.Replace(before, from, to, 1))
	}
	words, err := content.LoadFrom(changed, "")
	check(s.t, err)
	check(s.t, s.words.Publish(words))
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
		{"the day after", "2027-03-15T00:00:00+05:30", "The exam was on 14 Mar 2027", false},
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
				page.without("exam.ics", "data-share", "referral code", "Pattern, syllabus")
				s.stranger().get(ticket + "/exam.ics").leadsTo(ticket)
			}
		})
	}
}

func TestARefundedTicketIsNoLongerValid(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	s.change(txn, func(r *enrol.Registration) { r.Refunded = true })
	s.stranger().get(ticket).is(http.StatusOK, "No longer valid", "14 Scholarship exam March 2027 Sunday", "This ticket is no longer valid The enrolment has ended.", "Back to the programme").
		without("1,499", "Is it yours?", ">Your ticket<", "start time", "Full refund until", "data-share", "referral code", "Computer or phone with camera", "QR code", "exam.ics", "to the exam", "Mock test", "Pattern, syllabus", `class="line"`)
	b.get(ticket).is(http.StatusOK, "Refunded ₹1,499.00", "This ticket is no longer valid The fee for it was refunded.", "Monday to Saturday, 10:00 to 18:00.").without("On the day of the exam")
	s.stranger().get(ticket + "/exam.ics").leadsTo(ticket)
}

func TestTicketOutlivesItsEventsContent(t *testing.T) {
	s := newSite(t)
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	const tick, ahead, dates = `class="sheet-boxes"`, "nothing more to pay or fill in before the exam", "Your dates"
	s.stranger().get(ticket).is(http.StatusOK, ahead, dates+" 28 February, mock test.").holds(tick)
	s.clock.Set(time.Date(2027, 3, 15, 0, 0, 0, 0, admission.IST))
	s.stranger().get(ticket).is(http.StatusOK, "Ananya Deshmukh", "The exam was on 14 Mar 2027").without(tick, ahead, dates)
	s.change(txn, func(r *enrol.Registration) { r.EventSlug = "hiresure-of-another-year" })
	s.stranger().get(ticket).is(http.StatusOK, "Ticket of Ananya Deshmukh Valid The fee is paid. If it is yours,", "HireSure mGrow Scholarship").
		without("1,499", "\uFFFD", tick, ahead, dates, "exam.ics", "data-share")
	s.stranger().get(ticket + "/exam.ics").leadsTo(ticket)
}

func TestLateEnrolmentCanTakeTheMockTestAnyDay(t *testing.T) {
	s := newSite(t)
	s.clock.Set(time.Date(2027, 3, 6, 12, 0, 0, 0, admission.IST))
	b, txn := s.at(sandbox.Paid, nil)
	ticket := b.ticket(txn)
	b.get("/success?kspay_id="+txn).is(http.StatusOK, "Next: mock test on any day before the exam.", "Mock test On any day before the exam. One hour online.").without("28 February")
	s.stranger().get(ticket).is(http.StatusOK, "Mock test On any day before the exam. One hour online.", "Any day, mock test. Before the exam. One hour online.").without("28 February")
	s.clock.Set(time.Date(2027, 3, 14, 0, 0, 0, 0, admission.IST))
	s.stranger().get(ticket).is(http.StatusOK, "Mock test Sunday, 28 February. One hour online.").without("On any day")
}

// change changes a payment's registration as people, time or another program would.
func (s *site) change(txn string, change func(*enrol.Registration)) {
	s.t.Helper()
	check(s.t, s.store.Areas().Payment.Update(s.t.Context(), func(tx payment.Tx) error {
		transaction, err := tx.Transaction(txn)
		if err != nil {
			return err
		}
		r, err := tx.RegistrationForUpdate(transaction.RegistrationID)
		if err != nil {
			return err
		}
		change(r)
		return tx.SaveRegistration(r)
	}))
}
