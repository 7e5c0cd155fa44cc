package business_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business"
	"hiresure/admission/contact"
	"hiresure/admission/message"
)

const officer = "grievance@example.in"

// complain submits a complaint with changes.
func (w *world) complain(v admission.Visitor, change fields) (contact.Grievance, error) {
	in := map[string]string{"name": "Asha Rao", "email": "asha@example.com", "category": "payment", "message": "I paid twice for one enrolment."}
	maps.Copy(in, change)
	return w.Contact.SendGrievance(w.ctx, v, in)
}

func TestComplaintMailsOfficerAndSender(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i, c := range []struct {
			sentence                 string
			change                   fields
			phone, category, message string
		}{
			{"what must be there", nil, "", "Payment or refund", "I paid twice for one enrolment."},
			{"a phone number", fields{"phone": "+91 98123-45670", "category": "privacy"}, "+91 98123 45670", "My personal data", "I paid twice for one enrolment."},
			{"lines of a browser", fields{"category": "other", "message": "Nobody answers.\r\nBcc: x@example.com\r\n\r\nPlease\x00 help. "}, "", "Something else",
				"Nobody answers.\nBcc: x@example.com\n\nPlease help."},
		} {
			writer := fmt.Sprintf("writer%d@example.com", i)
			change := fields{"email": writer}
			maps.Copy(change, c.change)
			g, err := w.complain(w.somebody().Visitor, change)
			w.must(err)
			waiting := w.texts("SELECT cause, channel, recipient, template FROM messages WHERE sent_at = 0 ORDER BY template")
			same(t, c.sentence+": messages", waiting, []string{
				"grievance:" + g.ID + " | email | " + writer + " | grievance",
				"grievance-officer:" + g.ID + " | email | " + officer + " | grievance-officer",
			})
			w.runJobs()
			told := w.post.to(officer)
			equal(t, c.sentence+": mails to the officer so far", len(told), i+1)
			equal(t, c.sentence+": what the officer is told", fmt.Sprint(told[i].Params), fmt.Sprint(map[string]string{
				"Ticket": g.Ticket, "Name": "Asha Rao", "Email": writer, "Phone": c.phone, "Category": c.category, "Message": c.message, "RedressBy": "21 Dec 2026",
			}))
			acknowledged := w.post.to(writer)
			equal(t, c.sentence+": mails to the writer", len(acknowledged), 1)
			equal(t, c.sentence+": what the writer is told", fmt.Sprint(acknowledged[0].Params), fmt.Sprint(map[string]string{
				"Name": "Asha Rao", "Ticket": g.Ticket, "RedressBy": "21 Dec 2026",
			}))
		}
		same(t, "phones, as a person is found by them", w.texts("SELECT phone FROM grievances WHERE phone <> ''"), []string{"+919812345670"})
		equal(t, "sent messages that remember what they said", w.count("messages WHERE params <> ''"), 0)
	})
}

func TestRejectedComplaintSendsNoMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.somebody()
		for _, c := range []struct {
			change         fields
			field, message string
		}{
			{fields{"name": ""}, "name", "Full name is required."},
			{fields{"email": "asha@example.com\r\nBcc: x@example.com"}, "email", "Enter a valid email address."},
			{fields{"category": "weather"}, "category", "Please choose a category from the list."},
			{fields{"message": "Help!"}, "message", "Message must be between 20 and 4000 characters."},
		} {
			_, err := w.complain(p.Visitor, c.change)
			expectProblem(t, err, admission.Invalid, c.field, c.message)
		}
		full := errors.New("disk is full")
		w.recorder.beforeCommit(func(*recordedTx) error { return full })
		if _, err := w.complain(p.Visitor, nil); !errors.Is(err, full) {
			t.Errorf("a change that fails: %v", err)
		}
		w.recorder.beforeCommit(nil)
		w.runJobs()
		equal(t, "complaints", w.count("grievances"), 0)
		equal(t, "messages", w.count("messages"), 0)
		equal(t, "mails to the officer", len(w.post.to(officer)), 0)
	})
}

func TestOfficerMailboxHasNoLimit(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		v := w.somebody().Visitor
		for range 5 {
			_, err := w.complain(v, nil)
			w.must(err)
		}
		// Complaints in another's name cannot block theirs: later ones are stored and mailed to the officer.
		_, err := w.complain(v, fields{"email": "Asha@example.com"})
		w.must(err)
		for i := range 5 {
			_, err := w.complain(v, fields{"email": fmt.Sprintf("writer%d@example.com", i)})
			w.must(err)
		}
		w.runJobs()
		equal(t, "complaints", w.count("grievances"), 11)
		equal(t, "mails to the officer", len(w.post.to(officer)), 11)
		equal(t, "mails to who wrote too often", len(w.post.to("asha@example.com")), 5)
		equal(t, "mails to how that was typed", len(w.post.to("Asha@example.com")), 0)
	})
}

func TestOfficerIsMailedOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		g, err := w.complain(w.somebody().Visitor, nil)
		w.must(err)
		w.post.setDown(errors.New("away"))
		w.runJobs()
		equal(t, "mails while the server is away", len(w.post.to(officer)), 0)
		w.post.setDown(nil)
		w.advance(time.Hour)
		equal(t, "mails once it is back", len(w.post.to(officer)), 1)
		w.must(w.Contact.Store.Update(w.ctx, func(tx contact.Tx) error {
			return tx.AddMessage(&message.Message{
				ID: admission.NewID(), Cause: "grievance-officer:" + g.ID, Channel: message.Email, To: officer, Template: "grievance-officer",
				Params: map[string]string{"Ticket": g.Ticket}, CreatedAt: w.clock.Now(),
			})
		}))
		w.advance(time.Hour)
		equal(t, "mails after the same cause again", len(w.post.to(officer)), 1)
		equal(t, "messages", w.count("messages"), 2)
	})
}

func TestAcknowledgementLimitPerMailbox(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Access.RateLimitsOff = false
		enquire := func() {
			_, err := w.Contact.SendEnquiry(w.ctx, w.somebody().Visitor, map[string]string{"fullname": "Asha Rao", "email": "asha@example.com", "countryCode": "in", "phone": "9812345670"})
			w.must(err)
		}
		for range 8 {
			enquire()
		}
		w.runJobs()
		equal(t, "enquiries", w.count("enquiries"), 8)
		equal(t, "mails", len(w.post.to("asha@example.com")), 5)
		w.clock.Pass(time.Hour)
		enquire()
		w.runJobs()
		equal(t, "mails an hour later", len(w.post.to("asha@example.com")), 6)
	})
}

func TestEnquiryIsAcknowledgedToSenderOnly(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		e, err := w.Contact.SendEnquiry(w.ctx, w.somebody().Visitor, map[string]string{
			"fullname": "Asha Rao", "email": "asha@example.com", "countryCode": "in", "dialLog": "91", "phone": "9812345670",
		})
		w.must(err)
		same(t, "messages", w.texts("SELECT cause, recipient FROM messages"), []string{"enquiry:" + e.ID + " | asha@example.com"})
	})
}

func TestNewRequiresOfficer(t *testing.T) {
	onSQLite(t, func(t *testing.T, w *world) {
		needs := w.needs
		needs.GrievanceEmail = nil
		if _, err := business.New(needs); err == nil || err.Error() != "the business needs GrievanceEmail" {
			t.Errorf("%v, want it named", err)
		}
	})
}
