package apply_test

import (
	"strings"
	"testing"
	"time"

	"hiresure/admission/business/businesstest"
	"hiresure/admission/enrol"
	"hiresure/integrations/payment/sandbox"
	"hiresure/store"
)

// withReminderConsent returns an applicant at a step who consents to reminders.
func withReminderConsent(w *businesstest.World, step enrol.Step) *businesstest.Person {
	w.T.Helper()
	p := w.Somebody()
	p.SignUp(p.Email)
	standing, err := w.Apply.Begin(w.Ctx, p.Visitor, "", "reminders")
	w.Must(err)
	p.RegistrationID = standing.Registration.ID
	if step >= enrol.StepPersonal {
		_, err = p.SaveStep("personal", nil)
		w.Must(err)
	}
	return p
}

// reminders returns the next steps named in the person's reminders, latest last.
func reminders(p *businesstest.Person) string {
	p.T.Helper()
	p.RunJobs()
	var all []string
	for _, m := range p.Post.To(p.Email) {
		if m.Template == "application-reminder" {
			all = append(all, m.Params["Next"]+m.Params["Last"])
		}
	}
	return strings.Join(all, ", ")
}

func TestApplicationIsRemindedThreeTimes(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, silent := withReminderConsent(w, enrol.StepPersonal), w.ApplicantAt(enrol.StepPersonal)
		for _, row := range []struct {
			pass time.Duration
			want string
		}{
			{23 * time.Hour, ""}, {time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info"}, {24 * time.Hour, "Academic Info, Academic Info"},
			{4*24*time.Hour - time.Second, "Academic Info, Academic Info"}, {time.Second, "Academic Info, Academic Info, Academic Infoyes"},
			{60 * 24 * time.Hour, "Academic Info, Academic Info, Academic Infoyes"},
		} {
			w.Advance(row.pass)
			businesstest.Equal(t, "reminders after "+row.pass.String(), reminders(p), row.want)
		}
		businesstest.Equal(t, "the link", w.Post.To(p.Email)[0].Params["ContinueURL"], "https://www.example.in/hiresure/form")
		businesstest.Equal(t, "without the consent", silent.Mails(), "")
		businesstest.Equal(t, "jobs that wait", w.Count("jobs WHERE kind = 'application-remind'"), 0)
		_, err := p.SaveStep("academic", nil)
		w.Must(err)
		w.Advance(30 * 24 * time.Hour)
		businesstest.Equal(t, "there is no fourth", reminders(p), "Academic Info, Academic Info, Academic Infoyes")
	})
}

func TestRemindersStop(t *testing.T) {
	for name, row := range map[string]struct {
		do   func(*businesstest.Person)
		want string // a day and a half later
	}{
		"a saved step begins the day anew":  {func(p *businesstest.Person) { p.Must(second(p.SaveStep("academic", nil))) }, ""},
		"so does what is typed":             {func(p *businesstest.Person) { p.Must(saveDraft(p, "academic")) }, ""},
		"a consent that is taken back ends": {func(p *businesstest.Person) { withdrawReminders(p) }, ""},
		"nothing happens":                   {func(*businesstest.Person) {}, "Academic Info"},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
				p := withReminderConsent(w, enrol.StepPersonal)
				w.Advance(23 * time.Hour)
				row.do(p)
				w.Advance(13 * time.Hour)
				businesstest.Equal(t, "reminders", reminders(p), row.want)
			})
		})
	}
	t.Run("who has paid is not reminded", func(t *testing.T) {
		businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
			p := withReminderConsent(w, enrol.StepPersonal)
			for _, step := range []string{"academic", "scholarship"} {
				w.Must(second(p.SaveStep(step, nil)))
			}
			w.Must(second(p.AgreeTerms("reminders")))
			p.MustStart("")
			p.ReturnWith(sandbox.Paid)
			w.Advance(30 * 24 * time.Hour)
			businesstest.Equal(t, "reminders", reminders(p), "")
			businesstest.Equal(t, "jobs that wait", w.Count("jobs WHERE kind = 'application-remind'"), 0)
		})
	})
}

func second[T any](_ T, err error) error { return err }

// withdrawReminders withdraws the consent to reminders.
func withdrawReminders(p *businesstest.Person) {
	p.T.Helper()
	p.Must(p.Database.Update(p.Ctx, func(tx store.Tx) error {
		return p.Apply.Consents.Revise(tx, p.Visitor, "+91"+p.Phone, p.RegistrationID, "")
	}))
}
