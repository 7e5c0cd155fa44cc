package business_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/mydata"
	"hiresure/integrations/payment/sandbox"
)

func (p *person) overview() mydata.Overview {
	p.t.Helper()
	o, err := p.MyData.Overview(p.ctx, p.Visitor)
	p.must(err)
	return o
}

// choices returns the person's consents.
func (p *person) choices() string {
	var said []string
	for _, choice := range p.overview().Choices {
		word := "never"
		if choice.Given {
			word = "yes"
		} else if !choice.At.IsZero() {
			word = "no"
		}
		said = append(said, choice.Purpose+" "+word)
	}
	return strings.Join(said, ", ")
}

func TestWithdrawAndGiveConsent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"consents": "reminders,partner_college"}) // before anybody has signed in
		p.newBrowser()
		w.clock.Pass(time.Minute)
		p.signUp(p.email)
		equal(t, "after signing up", p.choices(), "marketing never, partner_college yes, hiring_partners never, reminders yes")

		w.clock.Pass(time.Minute)
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "reminders", false))
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "reminders", false)) // pressed twice
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
		equal(t, "after a no and a yes", p.choices(), "marketing yes, partner_college yes, hiring_partners never, reminders no")
		w.clock.Pass(time.Minute)
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "reminders", true))
		equal(t, "after another yes", p.choices(), "marketing yes, partner_college yes, hiring_partners never, reminders yes")
		same(t, "lines of the ledger", w.texts("SELECT CASE WHEN given THEN 'yes' ELSE 'no' END, subject FROM consents WHERE purpose = 'reminders' ORDER BY at"),
			[]string{"yes | +91" + p.phone, "no | +91" + p.phone, "yes | +91" + p.phone})
		expectProblem(t, p.MyData.Choose(p.ctx, p.Visitor, "terms:1", false), admission.NotFound, "", "Your data not found.")

		other := w.somebody()
		expectProblem(t, other.MyData.Choose(p.ctx, other.Visitor, "reminders", false), admission.NotFound, "", "Your data not found.") // signed out
		other.signUp(p.email)                                                                                                           // claims the e-mail, which is not proven
		equal(t, "of somebody else", other.choices(), "marketing never, partner_college never, hiring_partners never, reminders never")
	})
}

func TestMinorCannotConsent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.verified()
		w.must(p.verifyCode(access.ForGuardian, "9898989898"))
		under18 := fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": "9898989898"}
		_, err := p.enrol(under18)
		w.must(err)
		w.clock.Pass(time.Minute)
		p.signUp(p.email)
		equal(t, "minor", p.overview().Minor, true)
		expectProblem(t, p.MyData.Choose(p.ctx, p.Visitor, "marketing", true), admission.Conflict, "", "Nobody under 18 is asked for this.")
		equal(t, "after a yes", p.choices(), "marketing never, partner_college never, hiring_partners never, reminders never")
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", false)) // a no is always taken

		w.clock.Pass(time.Minute)
		_, err = p.enrol(fields{"event": "KS_Campus", "selected_course": "Blockchain"}) // 18 since
		w.must(err)
		equal(t, "minor, once 18", p.overview().Minor, false)
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "marketing", true))
		equal(t, "after a yes of somebody who is 18", p.choices(), "marketing yes, partner_college never, hiring_partners never, reminders never")

		other := w.somebody()
		other.signUp(other.email)
		equal(t, "minor, of whom no age is known", other.overview().Minor, false)
	})
}

// unpacked returns the files of a ZIP by name.
func unpacked(t *testing.T, file []byte) map[string]string {
	t.Helper()
	read, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range read.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = string(text)
	}
	return found
}

func TestExportContainsEverything(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"consents": "reminders"}).payAfterAWhile(sandbox.Paid)
		stranger := w.enrolled(nil).signedIn()

		w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
		w.must(p.MyData.RequestExport(p.ctx, p.Visitor)) // again: the first continues
		equal(t, "files", w.count("exports"), 1)
		asked := p.overview().Export
		equal(t, "it is under way", asked.UnderWay(), true)
		_, err := p.MyData.OpenExport(p.ctx, p.Visitor, asked.ID)
		expectProblem(t, err, admission.NotFound, "", "Your data not found.") // not ready
		w.runJobs()
		ready := p.overview().Export
		equal(t, "kinds", ready.Done, len(mydata.Kinds))
		equal(t, "it is there until", ready.ExpiresAt, w.clock.Now().AddDate(0, 0, 7))
		equal(t, "messages that say so", w.count("messages WHERE cause = $1", "export-ready:"+asked.ID), 1)

		e, err := p.MyData.OpenExport(p.ctx, p.Visitor, asked.ID)
		w.must(err)
		var file bytes.Buffer
		w.must(p.MyData.WriteExport(p.ctx, e, &file))
		equal(t, "size", int64(file.Len()), e.Size)
		held := unpacked(t, file.Bytes())
		equal(t, "files in it", len(held), 6)
		for name, wanted := range map[string][]string{
			"you.json":      {"Asha Rao", "+91" + p.phone, "user_agent"},
			"answers.json":  {p.registration, "Blockchain", `"state_code": "29"`, p.email, "paid"},
			"money.json":    {`"charge_minor": 149900`, p.txn, "KS/26-27/000001"},
			"messages.json": {`"template": "otp"`, `"recipient": "+91` + p.phone},
			"yes-no.json":   {`"purpose": "reminders"`, `"given": true`, `"ip": "198.51.100.7"`},
			"index.html":    {"What we hold on Asha Rao", "21 Nov 2026, 12:03", "1499.00", "Enrolments and application", "Full name"},
		} {
			for _, text := range wanted {
				if !strings.Contains(held[name], text) {
					t.Errorf("%s has no %q:\n%s", name, text, held[name])
				}
			}
			if strings.Contains(held[name], stranger.phone) || strings.Contains(held[name], "token_hash") {
				t.Errorf("%s tells what is another's, or opens something", name)
			}
		}

		_, err = stranger.MyData.OpenExport(p.ctx, stranger.Visitor, asked.ID)
		expectProblem(t, err, admission.NotFound, "", "Your data not found.")
		expectProblem(t, stranger.MyData.CancelExport(p.ctx, stranger.Visitor, asked.ID), admission.NotFound, "", "Your data not found.")
		w.clock.Pass(15 * time.Minute)
		_, err = p.MyData.OpenExport(p.ctx, p.Visitor, asked.ID)
		expectProblem(t, err, admission.Conflict, "", "You signed in a while ago. Please sign in again first.")
		w.clock.Pass(7*24*time.Hour - 15*time.Minute)
		_, err = p.MyData.OpenExport(p.ctx, p.Visitor, asked.ID)
		expectProblem(t, err, admission.NotFound, "", "Your data not found.") // over
		w.must(w.database.Purge(p.ctx, w.clock.Now()))
		equal(t, "parts after the purge", w.count("export_parts"), 0)
	})
}

func TestCancelledExportIsNotBuilt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		w.must(p.MyData.RequestExport(p.ctx, p.Visitor))
		w.must(p.MyData.CancelExport(p.ctx, p.Visitor, p.overview().Export.ID))
		w.runJobs()
		equal(t, "files", w.count("exports")+w.count("export_parts"), 0)
		equal(t, "messages", w.count("messages WHERE template LIKE 'export%'"), 0)
		equal(t, "alerts", len(w.alerts.all()), 0)
	})
}

func TestDeletionAfterSevenDays(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		p := w.enrolled(fields{"consents": "reminders"}).payAfterAWhile(sandbox.Paid)
		w.runJobs()
		w.clock.Pass(15 * time.Minute)
		expectProblem(t, p.MyData.RequestDeletion(p.ctx, p.Visitor), admission.Conflict, "", "You signed in a while ago. Please sign in again first.")
		_, err := p.signIn(p.phone)
		w.must(err)
		w.clock.Pass(7 * 24 * time.Hour) // what was paid is settled
		_, err = p.signIn(p.phone)
		w.must(err)
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		equal(t, "requests", w.count("deletions"), 1)
		due := p.overview().Deletion.DueAt
		equal(t, "it is due", due, w.clock.Now().AddDate(0, 0, 7))

		w.advance(24 * time.Hour)
		w.must(p.MyData.CancelDeletion(p.ctx, p.Visitor)) // taken back
		w.advance(6*24*time.Hour + time.Second)
		equal(t, "accounts after it was taken back", w.count("accounts"), 1)
		equal(t, "a request stands", p.overview().Deletion == nil, true)

		_, err = p.signIn(p.phone)
		w.must(err)
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		w.advance(7*24*time.Hour - time.Second)
		equal(t, "accounts a second before", w.count("accounts"), 1)
		w.advance(time.Second)
		equal(t, "accounts", w.count("accounts"), 0)
		equal(t, "sessions", w.count("sessions WHERE account_id <> ''"), 0)
		equal(t, "consents", w.count("consents"), 0)
		same(t, "registrations", w.texts("SELECT full_name, email, account_id FROM registrations"), []string{" |  | "})
		same(t, "invoices", w.texts("SELECT buyer_name FROM invoices"), []string{"Asha Rao"})
		same(t, "messages", w.texts("SELECT template FROM messages"), []string{"deletion-done-sms"})
		last := w.post.delivered[len(w.post.delivered)-1]
		equal(t, "the last message goes to", last.To, "+91"+p.phone)
		w.advance(time.Minute)
		equal(t, "messages once it has arrived", w.count("messages"), 0)
		equal(t, "jobs of the deletion", w.count("jobs WHERE kind = 'delete'"), 0)
		equal(t, "the request names", strings.Join(w.texts("SELECT account_id FROM deletions"), ""), "")
		w.must(w.Receipts.IssueTickets(p.ctx))
		same(t, "tickets of who was deleted", w.texts("SELECT ticket_key FROM registrations"), []string{""})

		p.newBrowser()
		p.AccountID = ""
		p.signUp(p.email) // anew, with the same phone
		equal(t, "chosen by who is new", p.choices(), "marketing never, partner_college never, hiring_partners never, reminders never")
		_, err = p.enrol(nil)
		w.must(err)
		equal(t, "registrations", w.count("registrations"), 2)
	})
}

func TestDeletionWaitsForUnsettledMoney(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil).signedIn()
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		w.clock.Pass(7*24*time.Hour - time.Minute)
		p.mustStart("") // in the last minute
		w.advance(time.Minute)
		equal(t, "accounts", w.count("accounts"), 1)
		equal(t, "sessions", w.count("sessions WHERE account_id <> ''"), 1)
		equal(t, "it was postponed at", p.overview().Deletion.PostponedAt, w.clock.Now())
		equal(t, "the page says that money moves", p.overview().Open, true)
		for range 6 {
			w.advance(24 * time.Hour)
		}
		equal(t, "accounts while the payment may still succeed", w.count("accounts"), 1)
		equal(t, "messages that say so", w.count("messages WHERE template = 'deletion-postponed-sms'"), 1)
		for range 3 {
			w.advance(24 * time.Hour)
		}
		equal(t, "accounts at last", w.count("accounts"), 0)
		equal(t, "alerts", slices.Contains(w.alerts.all(), "job refused: delete"), false)
	})
}

func TestWithdrawnConsentStopsReminders(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		_, err := p.signIn(p.email) // signs up by e-mail: a lead's consent is of its e-mail
		w.must(err)
		p.signUp(p.email)
		lead := map[string]string{"fullname": "Asha Rao", "email": p.email, "phone_number": p.phone, "consents": "reminders"}
		w.must(p.Enrol.SaveLead(p.ctx, p.Visitor, "KS_Mgrow", lead))
		equal(t, "chosen", p.choices(), "marketing never, partner_college never, hiring_partners never, reminders yes")
		id := strings.Join(w.texts("SELECT id FROM leads"), "")
		kept, err := p.Enrol.LeadByID(p.ctx, id)
		w.must(err)
		equal(t, "the lead is forwarded", kept != nil, true)

		w.clock.Pass(time.Minute)
		w.must(p.MyData.Choose(p.ctx, p.Visitor, "reminders", false))
		kept, err = p.Enrol.LeadByID(p.ctx, id)
		w.must(err)
		equal(t, "the lead is forwarded after a no", kept != nil, false)
		w.must(p.Enrol.Remind(p.ctx, id))
		equal(t, "leads", w.count("leads"), 0)
		equal(t, "reminders", w.count("messages WHERE template = 'enrolment-reminder'"), 0)
	})
}

func TestNoMailAfterDeletion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.enrolled(nil).payAfterAWhile(sandbox.Paid)
		w.clock.Pass(8 * 24 * time.Hour)
		_, err := p.signIn(p.phone)
		w.must(err)
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		w.advance(7 * 24 * time.Hour)
		w.advance(time.Minute)
		equal(t, "accounts", w.count("accounts"), 0)
		p.refundAll()
		equal(t, "messages", w.count("messages"), 0)
		same(t, "the refund is done, with its paper", w.texts("SELECT buyer_name FROM credit_notes"), []string{"Asha Rao"})
	})
}

func TestFormerAddressIsKeptUntilDeletion(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		p.signUp(p.email)
		w.clock.Pass(time.Minute)
		_, err := p.changeAddress("phone_number", "9812345678", "+919812345678")
		w.must(err)
		same(t, "addresses of before", w.texts("SELECT address FROM former_addresses"), []string{"+91" + p.phone})
		before := w.count("messages WHERE recipient = $1", "+91"+p.phone)
		equal(t, "messages to it", before > 0, true)
		w.must(p.MyData.RequestDeletion(p.ctx, p.Visitor))
		w.advance(7 * 24 * time.Hour)
		equal(t, "messages to it after the deletion", w.count("messages WHERE recipient = $1", "+91"+p.phone), 0)
		equal(t, "addresses of before, after it", w.count("former_addresses"), 0)
	})
}
