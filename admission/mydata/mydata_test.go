package mydata_test

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
	"hiresure/admission/business/businesstest"
	"hiresure/admission/mydata"
	"hiresure/integrations/payment/sandbox"
)

func overview(p *businesstest.Person) mydata.Overview {
	p.T.Helper()
	o, err := p.MyData.Overview(p.Ctx, p.Visitor)
	p.Must(err)
	return o
}

// choices returns the person's consents.
func choices(p *businesstest.Person) string {
	var said []string
	for _, choice := range overview(p).Choices {
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
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"consents": "reminders,partner_college"}) // before anybody has signed in
		p.NewBrowser()
		w.Clock.Pass(time.Minute)
		p.SignUp(p.Email)
		businesstest.Equal(t, "after signing up", choices(p), "marketing never, partner_college yes, hiring_partners never, reminders yes")

		w.Clock.Pass(time.Minute)
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "reminders", false))
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "reminders", false)) // pressed twice
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true))
		businesstest.Equal(t, "after a no and a yes", choices(p), "marketing yes, partner_college yes, hiring_partners never, reminders no")
		w.Clock.Pass(time.Minute)
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "reminders", true))
		businesstest.Equal(t, "after another yes", choices(p), "marketing yes, partner_college yes, hiring_partners never, reminders yes")
		businesstest.Same(t, "lines of the ledger", w.Texts("SELECT CASE WHEN given THEN 'yes' ELSE 'no' END, subject FROM consents WHERE purpose = 'reminders' ORDER BY at"),
			[]string{"yes | +91" + p.Phone, "no | +91" + p.Phone, "yes | +91" + p.Phone})
		businesstest.ExpectProblem(t, p.MyData.Choose(p.Ctx, p.Visitor, "terms:1", false), admission.NotFound, "", "Your data not found.")

		other := w.Somebody()
		businesstest.ExpectProblem(t, other.MyData.Choose(p.Ctx, other.Visitor, "reminders", false), admission.NotFound, "", "Your data not found.") // signed out
		other.SignUp(p.Email)                                                                                                                        // claims the e-mail, which is not proven
		businesstest.Equal(t, "of somebody else", choices(other), "marketing never, partner_college never, hiring_partners never, reminders never")
	})
}

func TestMinorCannotConsent(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		w.Must(p.VerifyCode(access.ForGuardian, "9898989898"))
		under18 := businesstest.Fields{"adult": "false", "guardian_name": "Meera Rao", "guardian_phone": "9898989898"}
		_, err := p.SubmitEnrolment(under18)
		w.Must(err)
		w.Clock.Pass(time.Minute)
		p.SignUp(p.Email)
		businesstest.Equal(t, "minor", overview(p).Minor, true)
		businesstest.ExpectProblem(t, p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true), admission.Conflict, "", "Nobody under 18 is asked for this.")
		businesstest.Equal(t, "after a yes", choices(p), "marketing never, partner_college never, hiring_partners never, reminders never")
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", false)) // a no is always taken

		w.Clock.Pass(time.Minute)
		_, err = p.SubmitEnrolment(businesstest.Fields{"event": "KS_Campus", "selected_course": "Blockchain"}) // 18 since
		w.Must(err)
		businesstest.Equal(t, "minor, once 18", overview(p).Minor, false)
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "marketing", true))
		businesstest.Equal(t, "after a yes of somebody who is 18", choices(p), "marketing yes, partner_college never, hiring_partners never, reminders never")

		other := w.Somebody()
		other.SignUp(other.Email)
		businesstest.Equal(t, "minor, of whom no age is known", overview(other).Minor, false)
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
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"consents": "reminders"}).PayLater(sandbox.Paid)
		stranger := w.Enrolled(nil).SignedIn()

		w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
		w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor)) // again: the first continues
		businesstest.Equal(t, "files", w.Count("exports"), 1)
		asked := overview(p).Export
		businesstest.Equal(t, "it is under way", asked.UnderWay(), true)
		_, err := p.MyData.OpenExport(p.Ctx, p.Visitor, asked.ID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Your data not found.") // not ready
		w.RunJobs()
		ready := overview(p).Export
		businesstest.Equal(t, "kinds", ready.Done, len(mydata.Kinds))
		businesstest.Equal(t, "it is there until", ready.ExpiresAt, w.Clock.Now().AddDate(0, 0, 7))
		businesstest.Equal(t, "messages that say so", w.Count("messages WHERE cause = $1", "export-ready:"+asked.ID), 1)

		e, err := p.MyData.OpenExport(p.Ctx, p.Visitor, asked.ID)
		w.Must(err)
		var file bytes.Buffer
		w.Must(p.MyData.WriteExport(p.Ctx, e, &file))
		businesstest.Equal(t, "size", int64(file.Len()), e.Size)
		held := unpacked(t, file.Bytes())
		businesstest.Equal(t, "files in it", len(held), 6)
		for name, wanted := range map[string][]string{
			"you.json":      {"Asha Rao", "+91" + p.Phone, "user_agent"},
			"answers.json":  {p.RegistrationID, "Blockchain", `"state_code": "29"`, p.Email, "paid"},
			"money.json":    {`"charge_minor": 149900`, p.TxnID, "KS/26-27/000001"},
			"messages.json": {`"template": "otp"`, `"recipient": "+91` + p.Phone},
			"yes-no.json":   {`"purpose": "reminders"`, `"given": true`, `"ip": "198.51.100.7"`},
			"index.html":    {"What we hold on Asha Rao", "21 Nov 2026, 12:03", "1499.00", "Enrolments and application", "Full name"},
		} {
			for _, text := range wanted {
				if !strings.Contains(held[name], text) {
					t.Errorf("%s has no %q:\n%s", name, text, held[name])
				}
			}
			if strings.Contains(held[name], stranger.Phone) || strings.Contains(held[name], "token_hash") {
				t.Errorf("%s tells what is another's, or opens something", name)
			}
		}

		_, err = stranger.MyData.OpenExport(p.Ctx, stranger.Visitor, asked.ID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Your data not found.")
		businesstest.ExpectProblem(t, stranger.MyData.CancelExport(p.Ctx, stranger.Visitor, asked.ID), admission.NotFound, "", "Your data not found.")
		w.Clock.Pass(15 * time.Minute)
		_, err = p.MyData.OpenExport(p.Ctx, p.Visitor, asked.ID)
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "You signed in a while ago. Please sign in again first.")
		w.Clock.Pass(7*24*time.Hour - 15*time.Minute)
		_, err = p.MyData.OpenExport(p.Ctx, p.Visitor, asked.ID)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "Your data not found.") // over
		w.Must(w.Database.Purge(p.Ctx, w.Clock.Now()))
		businesstest.Equal(t, "parts after the purge", w.Count("export_parts"), 0)
	})
}

func TestCancelledExportIsNotBuilt(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		w.Must(p.MyData.RequestExport(p.Ctx, p.Visitor))
		w.Must(p.MyData.CancelExport(p.Ctx, p.Visitor, overview(p).Export.ID))
		w.RunJobs()
		businesstest.Equal(t, "files", w.Count("exports")+w.Count("export_parts"), 0)
		businesstest.Equal(t, "messages", w.Count("messages WHERE template LIKE 'export%'"), 0)
		businesstest.Equal(t, "alerts", len(w.Alerts.All()), 0)
	})
}

func TestDeletionAfterSevenDays(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(businesstest.Fields{"consents": "reminders"}).PayLater(sandbox.Paid)
		w.RunJobs()
		w.Clock.Pass(15 * time.Minute)
		businesstest.ExpectProblem(t, p.MyData.RequestDeletion(p.Ctx, p.Visitor), admission.Conflict, "", "You signed in a while ago. Please sign in again first.")
		_, err := p.SignIn(p.Phone)
		w.Must(err)
		w.Clock.Pass(7 * 24 * time.Hour) // what was paid is settled
		_, err = p.SignIn(p.Phone)
		w.Must(err)
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		businesstest.Equal(t, "requests", w.Count("deletions"), 1)
		due := overview(p).Deletion.DueAt
		businesstest.Equal(t, "it is due", due, w.Clock.Now().AddDate(0, 0, 7))

		w.Advance(24 * time.Hour)
		w.Must(p.MyData.CancelDeletion(p.Ctx, p.Visitor)) // taken back
		w.Advance(6*24*time.Hour + time.Second)
		businesstest.Equal(t, "accounts after it was taken back", w.Count("accounts"), 1)
		businesstest.Equal(t, "a request stands", overview(p).Deletion == nil, true)

		_, err = p.SignIn(p.Phone)
		w.Must(err)
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		w.Advance(7*24*time.Hour - time.Second)
		businesstest.Equal(t, "accounts a second before", w.Count("accounts"), 1)
		w.Advance(time.Second)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 0)
		businesstest.Equal(t, "sessions", w.Count("sessions WHERE account_id <> ''"), 0)
		businesstest.Equal(t, "consents", w.Count("consents"), 0)
		businesstest.Same(t, "registrations", w.Texts("SELECT full_name, email, account_id FROM registrations"), []string{" |  | "})
		businesstest.Same(t, "invoices", w.Texts("SELECT buyer_name FROM invoices"), []string{"Asha Rao"})
		businesstest.Same(t, "messages", w.Texts("SELECT template FROM messages"), []string{"deletion-done-sms"})
		last := w.Post.Delivered[len(w.Post.Delivered)-1]
		businesstest.Equal(t, "the last message goes to", last.To, "+91"+p.Phone)
		w.Advance(time.Minute)
		businesstest.Equal(t, "messages once it has arrived", w.Count("messages"), 0)
		businesstest.Equal(t, "jobs of the deletion", w.Count("jobs WHERE kind = 'delete'"), 0)
		businesstest.Equal(t, "the request names", strings.Join(w.Texts("SELECT account_id FROM deletions"), ""), "")
		w.Must(w.Receipts.IssueTickets(p.Ctx))
		businesstest.Same(t, "tickets of somebody who was deleted", w.Texts("SELECT ticket_key FROM registrations"), []string{""})

		p.NewBrowser()
		p.AccountID = ""
		p.SignUp(p.Email) // anew, with the same phone
		businesstest.Equal(t, "chosen by somebody who is new", choices(p), "marketing never, partner_college never, hiring_partners never, reminders never")
		_, err = p.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "registrations", w.Count("registrations"), 2)
	})
}

func TestDeletionWaitsForUnsettledMoney(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil).SignedIn()
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		w.Clock.Pass(7*24*time.Hour - time.Minute)
		p.MustStart("") // in the last minute
		w.Advance(time.Minute)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 1)
		businesstest.Equal(t, "sessions", w.Count("sessions WHERE account_id <> ''"), 1)
		businesstest.Equal(t, "it was postponed at", overview(p).Deletion.PostponedAt, w.Clock.Now())
		businesstest.Equal(t, "the page says that money moves", overview(p).Money.Kind, mydata.PaymentOpen)
		for range 6 {
			w.Advance(24 * time.Hour)
		}
		businesstest.Equal(t, "accounts while the payment may still succeed", w.Count("accounts"), 1)
		businesstest.Equal(t, "messages that say so", w.Count("messages WHERE template = 'deletion-postponed-sms'"), 1)
		for range 3 {
			w.Advance(24 * time.Hour)
		}
		businesstest.Equal(t, "accounts at last", w.Count("accounts"), 0)
		businesstest.Equal(t, "alerts", slices.Contains(w.Alerts.All(), "job failed permanently: delete"), false)
	})
}

func TestDeletionNamesTheMoneyItWaitsFor(t *testing.T) {
	for sentence, row := range map[string]struct {
		events []sandbox.ChargeEvent
		want   mydata.UnsettledKind
	}{
		"a paid fee":           {nil, mydata.Settled},
		"a dispute":            {[]sandbox.ChargeEvent{sandbox.DisputeOpens}, mydata.DisputeOpen},
		"a dispute that ended": {[]sandbox.ChargeEvent{sandbox.DisputeOpens, sandbox.DisputeLost}, mydata.Settled},
	} {
		t.Run(sentence, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := w.Paid(nil).SignedIn()
				w.AfterPayment(p.TxnID, row.events...)
				w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
				_, money, err := p.MyData.Deletion(p.Ctx, p.Visitor)
				w.Must(err)
				businesstest.Equal(t, "it waits for", money.Kind, row.want)
			})
		})
	}
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil).SignedIn()
		p.MustStart("")
		started := w.Clock.Now()
		w.Advance(time.Hour)
		money := overview(p).Money
		businesstest.Equal(t, "an expired payment", money.Kind, mydata.MayArrive)
		businesstest.Equal(t, "may arrive until", money.Until().Sub(started), 7*24*time.Hour)
	})
}

func TestWithdrawnConsentStopsReminders(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		_, err := p.SignIn(p.Email) // signs up by e-mail: a lead's consent is of its e-mail
		w.Must(err)
		p.SignUp(p.Email)
		lead := map[string]string{"fullname": "Asha Rao", "email": p.Email, "phone_number": p.Phone, "consents": "reminders"}
		w.Must(p.Enrol.SaveLead(p.Ctx, p.Visitor, "KS_Mgrow", lead))
		businesstest.Equal(t, "chosen", choices(p), "marketing never, partner_college never, hiring_partners never, reminders yes")
		id := strings.Join(w.Texts("SELECT id FROM leads"), "")
		kept, err := p.Enrol.LeadByID(p.Ctx, id)
		w.Must(err)
		businesstest.Equal(t, "the lead is forwarded", kept != nil, true)

		w.Clock.Pass(time.Minute)
		w.Must(p.MyData.Choose(p.Ctx, p.Visitor, "reminders", false))
		kept, err = p.Enrol.LeadByID(p.Ctx, id)
		w.Must(err)
		businesstest.Equal(t, "the lead is forwarded after a no", kept != nil, false)
		w.Must(p.Enrol.Remind(p.Ctx, id))
		businesstest.Equal(t, "leads", w.Count("leads"), 0)
		businesstest.Equal(t, "reminders", w.Count("messages WHERE template = 'enrolment-reminder'"), 0)
	})
}

func TestNoMailAfterDeletion(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil).PayLater(sandbox.Paid)
		w.Clock.Pass(8 * 24 * time.Hour)
		_, err := p.SignIn(p.Phone)
		w.Must(err)
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		w.Advance(7 * 24 * time.Hour)
		w.Advance(time.Minute)
		businesstest.Equal(t, "accounts", w.Count("accounts"), 0)
		p.RefundAll()
		businesstest.Equal(t, "messages", w.Count("messages"), 0)
		businesstest.Same(t, "the refund is done, with its paper", w.Texts("SELECT buyer_name FROM credit_notes"), []string{"Asha Rao"})
	})
}

func TestFormerAddressIsKeptUntilDeletion(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		p.SignUp(p.Email)
		w.Clock.Pass(time.Minute)
		_, err := p.ChangeAddress("phone_number", "9812345678", "+919812345678")
		w.Must(err)
		businesstest.Same(t, "addresses of before", w.Texts("SELECT address FROM former_addresses"), []string{"+91" + p.Phone})
		before := w.Count("messages WHERE recipient = $1", "+91"+p.Phone)
		businesstest.Equal(t, "messages to it", before > 0, true)
		w.Must(p.MyData.RequestDeletion(p.Ctx, p.Visitor))
		w.Advance(7 * 24 * time.Hour)
		businesstest.Equal(t, "messages to it after the deletion", w.Count("messages WHERE recipient = $1", "+91"+p.Phone), 0)
		businesstest.Equal(t, "addresses of before, after it", w.Count("former_addresses"), 0)
	})
}
