package site_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"hiresure/admission"
	"hiresure/admission/message"
	"hiresure/cmd/site/commands"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/integrations/notify"
	"hiresure/integrations/notify/notifytest"
	"hiresure/store"
	"hiresure/store/storetest"
	"hiresure/web"
)

// mailSite is a site with a settable clock and the SMTP server of its mails.
type mailSite struct {
	*site.Site
	t       *testing.T
	server  *notifytest.Server
	environ map[string]string
	now     time.Time
	log     *bytes.Buffer
}

// eachMailSite runs a test with a site on each database.
func eachMailSite(t *testing.T, test func(*testing.T, *mailSite)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, url string) {
		server := &notifytest.Server{}
		address, _ := server.Serve(t, "127.0.0.1:0", nil)
		cfg, environ := sitetest.Development(t, "DATABASE_URL", url, "SMTP_URL", "smtp://"+address+"?tls=none&from=HireSure+<hello@example.in>")
		m := &mailSite{t: t, server: server, environ: environ, now: time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC), log: &bytes.Buffer{}}
		var err error
		m.Site, err = site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(web.NewLogHandler(slog.NewTextHandler(m.log, nil), m.log)), Clock: func() time.Time { return m.now }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close(context.WithoutCancel(t.Context())) })
		test(t, m)
	})
}

// enquire sends an enquiry, which causes a mail to email.
func (m *mailSite) enquire(email string) {
	m.t.Helper()
	body := `{"fullname":"Asha Rao","email":"` + email + `","phone":"9876543210","countryCode":"in","description":"How long does it take?","enquiryType":"KS_SCHOLARSHIP"}`
	request := httptest.NewRequest(http.MethodPost, "/ks-website/create-enquiry", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	m.Handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		m.t.Fatalf("enquiry: %d %s", answer.Code, answer.Body)
	}
}

// work runs the due jobs and returns how many mails the server has accepted since it started.
func (m *mailSite) work() int {
	m.t.Helper()
	before := len(m.server.Letters())
	for _, worker := range m.Workers {
		for n, err := 1, error(nil); n > 0; {
			if n, err = worker.RunDue(m.t.Context()); err != nil {
				m.t.Fatal(err)
			}
		}
	}
	return len(m.server.Letters()) - before
}

// workFor advances the clock by d in steps and runs the due jobs at each. It returns how many mails the server has accepted.
func (m *mailSite) workFor(d, step time.Duration) (letters int) {
	m.t.Helper()
	for end := m.now.Add(d); m.now.Before(end); m.now = m.now.Add(step) {
		letters += m.work()
	}
	return letters
}

// expectQueue compares the number of unsent mails, the age of the oldest, and the number of dead jobs.
func (m *mailSite) expectQueue(unsent int64, oldest time.Duration, dead int64) {
	m.t.Helper()
	stats, err := m.Store.QueueStats(m.t.Context(), m.now)
	if err != nil {
		m.t.Fatal(err)
	}
	if stats.Unsent["email"] != unsent || stats.OldestUnsent["email"] != oldest || stats.Dead != dead {
		m.t.Errorf("unsent %d, oldest %s, dead %d; want %d, %s, %d", stats.Unsent["email"], stats.OldestUnsent["email"], stats.Dead, unsent, oldest, dead)
	}
}

// command runs a subcommand on the site's database and returns its output.
func (m *mailSite) command(line string) string {
	m.t.Helper()
	var out bytes.Buffer
	if err := commands.Run(m.t.Context(), strings.Fields(line), m.environ, &out); err != nil {
		return err.Error()
	}
	return out.String()
}

func reply(code int, enhanced smtp.EnhancedCode, words string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: words}
}

func TestAnyVersionDeliversARenderedMessage(t *testing.T) {
	eachMailSite(t, func(t *testing.T, m *mailSite) {
		m.enquire("asha@example.com")
		// A version without this template.
		notifier, err := notify.New(notify.Config{
			Render: func(string, map[string]string) (message.Content, string, error) {
				return message.Content{}, "", errors.New("no such template")
			},
			Layout: m.LayoutMail, ReplyTo: m.ReplyTo, Mail: smtpTo(t, m), SMS: smtpTo(t, m), Clock: m.Clock, Log: m.Site.Log,
		})
		if err != nil {
			t.Fatal(err)
		}
		for template, want := range map[string]string{"grievance": "grievance@hiresure.example", "enquiry": "", "no such": ""} {
			if got := m.ReplyTo(template); got != want {
				t.Errorf("an answer to %s reaches %q, want %q", template, got, want)
			}
		}
		notifierBefore := m.Business.Messages.Notifier
		m.Business.Messages.Notifier = notifier
		if n := m.work(); n != 1 {
			t.Fatalf("%d letters", n)
		}
		if letter := m.server.Letters()[0]; !strings.Contains(letter, "We have your question: ENQ-") || !strings.Contains(letter, "Dear Asha Rao,") || !strings.Contains(letter, "multipart/alternative") {
			t.Errorf("the letter is another: %s", letter)
		}

		// Its own messages are stored without content and wait for a version with the template.
		m.enquire("ravi@example.com")
		if n := m.workFor(2*time.Hour, 10*time.Minute); n != 0 {
			t.Errorf("%d letters without words", n)
		}
		m.expectQueue(1, 2*time.Hour, 0)
		m.Business.Messages.Notifier = notifierBefore
		if n := m.workFor(2*time.Hour, time.Hour); n != 1 {
			t.Errorf("%d letters once the template is there", n)
		}
		m.expectQueue(0, 0, 0)
	})
}

func smtpTo(t *testing.T, m *mailSite) *notify.SMTP {
	t.Helper()
	sender, err := notify.NewSMTP(m.environ["SMTP_URL"])
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

// The previous version claims the kinds text and deliver, and discards messages that it cannot render.
func TestPreviousVersionClaimsOnlyItsOwnMessages(t *testing.T) {
	eachMailSite(t, func(t *testing.T, m *mailSite) {
		m.enquire("asha@example.com")
		older, err := m.Store.ClaimJobs(t.Context(), []string{"text", "deliver"}, m.now, time.Minute, 10)
		if err != nil || len(older) != 0 {
			t.Errorf("it claims %+v, %v", older, err)
		}
		if n := m.work(); n != 1 {
			t.Errorf("%d letters", n)
		}
		if err := m.Store.Update(t.Context(), func(tx store.Tx) error { // as it stores one, except for the job's kind
			return tx.AddMessage(&message.Message{
				ID: "older", Cause: "older", Channel: message.Email, To: "ravi@example.com", Template: "enquiry", CreatedAt: m.now.Add(time.Hour),
				Params: map[string]string{"Name": "Ravi", "Reference": "ENQ-1", "OfNoUse": "x"},
			})
		}); err != nil {
			t.Fatal(err)
		}
		if err := m.Store.Update(t.Context(), func(tx store.Tx) error {
			return tx.AddJob(admission.Job{Kind: "deliver", Ref: "older", DueAt: m.now})
		}); err != nil {
			t.Fatal(err)
		}
		if n := m.work(); n != 1 || !strings.Contains(m.server.Letters()[1], "We have your question: ENQ-1") {
			t.Errorf("%d letters of the version before", n)
		}
	})
}

func TestRejectingRelayLosesNoMail(t *testing.T) {
	eachMailSite(t, func(t *testing.T, m *mailSite) {
		m.server.Break(notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 7, 1}, "relaying denied")})
		m.enquire("asha@example.com")
		m.enquire("ravi@example.com")
		if n := m.workFor(48*time.Hour, time.Hour); n != 0 {
			t.Errorf("%d letters", n)
		}
		m.expectQueue(2, 48*time.Hour, 0)
		m.server.Break(notifytest.Faults{})
		if n := m.workFor(2*time.Hour, time.Hour); n != 2 {
			t.Errorf("%d letters once it is mended", n)
		}
		m.expectQueue(0, 0, 0)
	})
}

func TestRejectedMailIsListedAndResent(t *testing.T) {
	eachMailSite(t, func(t *testing.T, m *mailSite) {
		if got := m.command("resend"); got != "no job has failed\n" {
			t.Errorf("resend says %q", got)
		}
		m.server.Break(notifytest.Faults{AtRcpt: reply(450, smtp.EnhancedCode{4, 2, 0}, "<asha@example.com> is greylisted")})
		m.enquire("asha@example.com")
		m.enquire("ravi@example.com")
		m.work()
		m.server.Break(notifytest.Faults{AtRcpt: reply(550, smtp.EnhancedCode{5, 1, 1}, "<asha@example.com>, <asha@other.example>: unknown")})
		m.now = m.now.Add(time.Second)
		m.work()
		m.expectQueue(0, 0, 2)
		listed := m.command("resend")
		lines := strings.Split(strings.TrimSpace(listed), "\n")
		words := strings.Fields(lines[0])
		if len(lines) != 2 || len(words) < 8 || words[0] != "mail" || strings.Join(words[2:7], " ") != "since 2026-11-21T06:30:01Z, tries: 2, last:" || !strings.Contains(lines[0], `550 \"5.1.1`) {
			t.Errorf("listed: %s", listed)
		}
		if strings.Contains(listed, "asha@") || strings.Contains(m.log.String(), "asha@") {
			t.Errorf("the address is printed: %s", listed)
		}
		m.server.Break(notifytest.Faults{})
		if n := m.workFor(48*time.Hour, time.Hour); n != 0 {
			t.Errorf("%d letters before an operator sends them again", n)
		}
		for line, want := range map[string]string{
			"resend nobody --as Ravi":                      "no job of nobody has failed: site resend lists those that have",
			"resend " + words[1] + " --kind sms --as Ravi": "no job of " + words[1] + " has failed: site resend lists those that have",
			"resend all --kind sms --as Ravi":              "0 to be done again\n",
			"resend all":                                   "site resend takes [ID|all [--kind KIND] --as NAME]",
			"resend all --kind --as Ravi":                  "site resend takes [ID|all [--kind KIND] --as NAME]",
			"resend --kind mail --as Ravi":                 "site resend takes [ID|all [--kind KIND] --as NAME]",
			"resend --all --as Ravi":                       "site resend takes [ID|all [--kind KIND] --as NAME]",
		} {
			if got := m.command(line); got != want {
				t.Errorf("%s says %q, want %q", line, got, want)
			}
		}
		m.now = time.Now().Add(time.Minute) // the command uses the real clock
		if got := m.command("resend " + words[1] + " --as Ravi"); got != "1 to be done again\n" || m.work() != 1 {
			t.Errorf("one of them: %q, %d letters", got, len(m.server.Letters()))
		}
		if got := m.command("resend all --kind mail --as Ravi"); got != "1 to be done again\n" || m.work() != 1 {
			t.Errorf("the other one: %q, %d letters", got, len(m.server.Letters()))
		}
		m.expectQueue(0, 0, 0)
	})
}

func TestPossiblyDeliveredMailIsRetriedLate(t *testing.T) {
	eachMailSite(t, func(t *testing.T, m *mailSite) {
		m.server.Break(notifytest.Faults{DropAt: "data"})
		m.enquire("asha@example.com")
		if n := m.workFor(5*time.Minute, time.Second); n != 1 {
			t.Errorf("%d letters in five minutes", n)
		}
		m.expectQueue(1, 5*time.Minute, 0)
		if n := m.workFor(10*time.Minute, time.Second); n != 1 {
			t.Errorf("%d more letters in the next ten minutes", n)
		}
		m.server.Break(notifytest.Faults{})
		if n := m.workFor(time.Hour, time.Minute); n != 1 {
			t.Errorf("%d more letters once the server says that it took one", n)
		}
		m.expectQueue(0, 0, 0)
		ids := map[string]bool{}
		for _, text := range m.server.Letters() {
			letter, err := netmail.ReadMessage(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			ids[letter.Header.Get("Message-Id")] = true
		}
		if len(ids) != 1 {
			t.Errorf("Message-IDs %v, want one", ids)
		}
	})
}

func TestMailAfterTheClockIsSetBack(t *testing.T) {
	eachMailSite(t, func(t *testing.T, m *mailSite) {
		m.work()
		m.enquire("asha@example.com")
		m.now = m.now.Add(-2 * time.Hour)
		if n := m.workFor(62*time.Second, time.Second); n != 1 {
			t.Errorf("%d letters after a minute", n)
		}
		m.expectQueue(0, 0, 0)
		if !strings.Contains(m.log.String(), "the clock was set back") {
			t.Error("the log does not say so")
		}
	})
}
