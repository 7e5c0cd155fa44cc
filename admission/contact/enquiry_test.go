package contact_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/contact"
	"hiresure/admission/message"
)

const officer = "grievance@example.in"

func TestComplaintMailsOfficerAndSender(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		for i, c := range []struct {
			sentence                 string
			change                   businesstest.Fields
			phone, category, message string
		}{
			{"what must be there", nil, "", "Payment or refund", "I paid twice for one enrolment."},
			{"a phone number", businesstest.Fields{"phone": "+91 98123-45670", "category": "privacy"}, "+91 98123 45670", "My personal data", "I paid twice for one enrolment."},
			{"lines of a browser", businesstest.Fields{"category": "other", "message": "Nobody answers.\r\nBcc: x@example.com\r\n\r\nPlease\x00 help. "}, "", "Something else",
				"Nobody answers.\nBcc: x@example.com\n\nPlease help."},
		} {
			writer := fmt.Sprintf("writer%d@example.com", i)
			change := businesstest.Fields{"email": writer}
			maps.Copy(change, c.change)
			g, err := w.Complain(w.Somebody().Visitor, change)
			w.Must(err)
			waiting := w.Texts("SELECT cause, channel, recipient, template FROM messages WHERE sent_at = 0 ORDER BY template")
			businesstest.Same(t, c.sentence+": messages", waiting, []string{
				"grievance:" + g.ID + " | email | " + writer + " | grievance",
				"grievance-officer:" + g.ID + " | email | " + officer + " | grievance-officer",
			})
			w.RunJobs()
			told := w.Post.To(officer)
			businesstest.Equal(t, c.sentence+": mails to the officer so far", len(told), i+1)
			businesstest.Equal(t, c.sentence+": what the officer is told", fmt.Sprint(told[i].Params), fmt.Sprint(map[string]string{
				"Ticket": g.Ticket, "Name": "Asha Rao", "Email": writer, "Phone": c.phone, "Category": c.category, "Message": c.message, "RedressBy": "21 Dec 2026",
			}))
			acknowledged := w.Post.To(writer)
			businesstest.Equal(t, c.sentence+": mails to the writer", len(acknowledged), 1)
			businesstest.Equal(t, c.sentence+": what the writer is told", fmt.Sprint(acknowledged[0].Params), fmt.Sprint(map[string]string{
				"Name": "Asha Rao", "Ticket": g.Ticket, "RedressBy": "21 Dec 2026",
			}))
		}
		businesstest.Same(t, "phones, as a person is found by them", w.Texts("SELECT phone FROM grievances WHERE phone <> ''"), []string{"+919812345670"})
		businesstest.Equal(t, "sent messages that remember what they said", w.Count("messages WHERE params <> ''"), 0)
	})
}

func TestRejectedComplaintSendsNoMail(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Somebody()
		for _, c := range []struct {
			change         businesstest.Fields
			field, message string
		}{
			{businesstest.Fields{"name": ""}, "name", "Full name is required."},
			{businesstest.Fields{"email": "asha@example.com\r\nBcc: x@example.com"}, "email", "Enter a valid email address."},
			{businesstest.Fields{"category": "weather"}, "category", "Please choose a category from the list."},
			{businesstest.Fields{"message": "Help!"}, "message", "Message must be between 20 and 4000 characters."},
		} {
			_, err := w.Complain(p.Visitor, c.change)
			businesstest.ExpectProblem(t, err, admission.Invalid, c.field, c.message)
		}
		full := errors.New("disk is full")
		w.Recorder.BeforeCommit(func(*businesstest.RecordedTx) error { return full })
		if _, err := w.Complain(p.Visitor, nil); !errors.Is(err, full) {
			t.Errorf("a change that fails: %v", err)
		}
		w.Recorder.BeforeCommit(nil)
		w.RunJobs()
		businesstest.Equal(t, "complaints", w.Count("grievances"), 0)
		businesstest.Equal(t, "messages", w.Count("messages"), 0)
		businesstest.Equal(t, "mails to the officer", len(w.Post.To(officer)), 0)
	})
}

func TestOfficerMailboxHasNoLimit(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		v := w.Somebody().Visitor
		for range 5 {
			_, err := w.Complain(v, nil)
			w.Must(err)
		}
		// Complaints in another's name cannot block theirs: later ones are stored and mailed to the officer.
		_, err := w.Complain(v, businesstest.Fields{"email": "Asha@example.com"})
		w.Must(err)
		for i := range 5 {
			_, err := w.Complain(v, businesstest.Fields{"email": fmt.Sprintf("writer%d@example.com", i)})
			w.Must(err)
		}
		w.RunJobs()
		businesstest.Equal(t, "complaints", w.Count("grievances"), 11)
		businesstest.Equal(t, "mails to the officer", len(w.Post.To(officer)), 11)
		businesstest.Equal(t, "mails to who wrote too often", len(w.Post.To("asha@example.com")), 5)
		businesstest.Equal(t, "mails to how that was typed", len(w.Post.To("Asha@example.com")), 0)
	})
}

func TestOfficerIsMailedOnce(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		g, err := w.Complain(w.Somebody().Visitor, nil)
		w.Must(err)
		w.Post.SetDown(errors.New("away"))
		w.RunJobs()
		businesstest.Equal(t, "mails while the server is away", len(w.Post.To(officer)), 0)
		w.Post.SetDown(nil)
		w.Advance(time.Hour)
		businesstest.Equal(t, "mails once it is back", len(w.Post.To(officer)), 1)
		w.Must(w.Contact.Store.Update(w.Ctx, func(tx contact.Tx) error {
			return tx.AddMessage(&message.Message{
				ID: admission.NewID(), Cause: "grievance-officer:" + g.ID, Channel: message.Email, To: officer, Template: "grievance-officer",
				Params: map[string]string{"Ticket": g.Ticket}, CreatedAt: w.Clock.Now(),
			})
		}))
		w.Advance(time.Hour)
		businesstest.Equal(t, "mails after the same cause again", len(w.Post.To(officer)), 1)
		businesstest.Equal(t, "messages", w.Count("messages"), 2)
	})
}

func TestAcknowledgementLimitPerMailbox(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		w.Access.RateLimitsOff = false
		enquire := func() {
			_, err := w.Contact.SendEnquiry(w.Ctx, w.Somebody().Visitor, map[string]string{"fullname": "Asha Rao", "email": "asha@example.com", "countryCode": "in", "phone": "9812345670"})
			w.Must(err)
		}
		for range 8 {
			enquire()
		}
		w.RunJobs()
		businesstest.Equal(t, "enquiries", w.Count("enquiries"), 8)
		businesstest.Equal(t, "mails", len(w.Post.To("asha@example.com")), 5)
		w.Clock.Pass(time.Hour)
		enquire()
		w.RunJobs()
		businesstest.Equal(t, "mails an hour later", len(w.Post.To("asha@example.com")), 6)
	})
}

func TestEnquiryIsAcknowledgedToSenderOnly(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		e, err := w.Contact.SendEnquiry(w.Ctx, w.Somebody().Visitor, map[string]string{
			"fullname": "Asha Rao", "email": "asha@example.com", "countryCode": "in", "dialLog": "91", "phone": "9812345670",
		})
		w.Must(err)
		businesstest.Same(t, "messages", w.Texts("SELECT cause, recipient FROM messages"), []string{"enquiry:" + e.ID + " | asha@example.com"})
	})
}

func TestEnquiryAndComplaintAnswersAreStored(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		for range 2 {
			_, err := w.Contact.SendEnquiry(w.Ctx, w.Somebody().Visitor, map[string]string{
				"fullname": "Asha Rao", "email": "asha@example.com", "countryCode": "in", "phone": "9812345670", "hobby_horse": "Kites",
			})
			w.Must(err)
			_, err = w.Complain(w.Somebody().Visitor, businesstest.Fields{"spare_evenings": "early_week"})
			w.Must(err)
			w.AddFields()
		}
		businesstest.Same(t, "enquiries", w.Texts("SELECT COALESCE(answers, 'none'), form_version FROM enquiries ORDER BY form_version"), businesstest.StoredVersions("enquiry", `{"hobby_horse":"Kites"}`))
		businesstest.Same(t, "complaints", w.Texts("SELECT COALESCE(answers, 'none'), form_version FROM grievances ORDER BY form_version"), businesstest.StoredVersions("grievance", `{"spare_evenings":"early_week"}`))
		w.RunJobs()
		var read []string
		for _, mail := range w.Post.To(officer) {
			read = append(read, mail.Params["Message"])
		}
		slices.Sort(read)
		businesstest.Same(t, "what the officer reads", read, []string{"I paid twice for one enrolment.", "I paid twice for one enrolment.\n\nCall me on: Monday or Tuesday"})
	})
}

func TestEnquiryConsentsAreSeparate(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		p := w.Verified()
		enquire := func(consents string) {
			t.Helper()
			w.Clock.Pass(time.Minute)
			_, err := w.Contact.SendEnquiry(w.Ctx, p.Visitor, map[string]string{
				"fullname": "Asha Rao", "email": p.Email, "countryCode": "in", "dialLog": "91", "phone": p.Phone, "consents": consents,
			})
			w.Must(err)
		}
		marketing := func(given string) int {
			return w.Count("consents WHERE subject = $1 AND purpose = 'marketing' AND given = "+given, "+91"+p.Phone)
		}
		enquire("marketing")
		w.Clock.Pass(time.Minute)
		_, err := p.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.Equal(t, "withdrawals by a form that was never ticked", marketing("FALSE"), 0)
		w.Clock.Pass(time.Minute)
		_, err = p.SubmitEnrolment(businesstest.Fields{"consents": "marketing"})
		w.Must(err)
		businesstest.Equal(t, "consents, each in its form", marketing("TRUE"), 2)
		enquire("")
		businesstest.Equal(t, "withdrawals", marketing("FALSE"), 0)
	})
}
