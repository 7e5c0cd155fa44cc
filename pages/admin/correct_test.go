package admin_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/web"
)

// mails records messages.
type mails struct{ sent []message.Message }

func (m *mails) Render(one *message.Message) error {
	m.sent = append(m.sent, *one)
	return nil
}

func (*mails) Send(context.Context, message.Message) error { return nil }

// hidden returns the hidden fields of the page's form.
func (b *browser) hidden() (fields []string) {
	for _, field := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(b.page, -1) {
		fields = append(fields, field[1], html.UnescapeString(field[2]))
	}
	return fields
}

func TestCorrectAnEmail(t *testing.T) {
	s := newSite(t)
	s.register()
	box := &mails{}
	s.services.Messages.Notifier = box
	page, dialog := web.StaffRegistrationPath(personID(0)), web.StaffRegistrationPath(personID(0))+"/email"
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(page).is(http.StatusOK, "Correct e-mail", "Correct phone", "Correct name")
	meera.get(dialog).is(http.StatusOK, "Correct the e-mail of Asha <Verma>", "asha@example.com", "Send the receipt and invoice again once verified", "We send a link to the new address and notify the old one.", "Send the link")
	form := meera.hidden()
	post := func(b *browser, fields ...string) *browser { return b.post(dialog, append(fields, form...)...) }
	post(meera, "value", "asha@gmial.com", "how", "called").is(http.StatusUnprocessableEntity, "Check the spelling after @. Did you mean gmail.com?")
	if !strings.Contains(meera.page, `value="asha@gmial.com"`) || !strings.Contains(meera.page, `value="called" selected`) {
		t.Error("what was typed is lost")
	}
	post(meera, "value", "asha.verma@example.com").is(http.StatusUnprocessableEntity, "Choose how you confirmed it")
	meera.clock.Pass(11 * time.Minute)
	post(meera, "value", "asha.verma@example.com", "how", "called", "receipt", "yes").is(http.StatusOK, "Confirm that it is you")
	if len(box.sent) > 0 {
		t.Errorf("%d messages before the confirmation", len(box.sent))
	}
	post(meera, "value", "asha.verma@example.com", "how", "called", "receipt", "yes", "confirm_code", meera.code()).leads(page + "?said=link-sent")
	meera.get(meera.location).is(http.StatusOK, "We are sending the link.", "Waits for asha.verma@example.com since", "Asked by Meera Nambiar. Called from the verified phone", "Withdraw", "E-mail correction requested")
	post(meera, "value", "asha.verma@example.com", "how", "called").leads(page + "?said=done-already") // pressed twice
	meera.get(dialog).is(http.StatusOK, "asha.verma@example.com waits for its owner since", "A new request replaces it.")

	ravi := s.setUp("ravi@academy.example", "Ravi Menon", "support")
	post(ravi, "value", "other@example.com", "how", "called").is(http.StatusConflict, "Two people changed these details", "Meera Nambiar asked for another value at", "You, not saved", "other@example.com", "was asha@example.com", "Discard mine")
	mine := ravi.hidden()
	ravi.post(dialog, append(mine, "keep", "theirs")...).leads(page + "?said=kept")
	ravi.get(ravi.location).is(http.StatusOK, "Your value was not saved.", "Waits for asha.verma@example.com")
	ravi.post(dialog, append(mine, "keep", "mine")...).leads(page + "?said=link-sent")
	ravi.get(page).is(http.StatusOK, "Waits for other@example.com")
	ravi.lacks("Waits for asha.verma@example.com")
	request := ravi.hidden()
	at := page + "/correction"
	ravi.post(at, append(request, "do", "again")...).leads(page + "?said=too-soon")
	ravi.clock.Pass(time.Minute)
	ravi.post(at, append(request, "do", "again")...).leads(page + "?said=sent-again")
	ravi.post(at, append(request, "do", "again")...).leads(page + "?said=done-already")
	ravi.get(page).is(http.StatusOK, "Waits for other@example.com")
	ravi.post(at, append(ravi.hidden(), "do", "withdraw")...).leads(page + "?said=withdrawn")
	ravi.get(page).is(http.StatusOK, "Correction withdrawn")
	ravi.lacks("Waits for")
	ravi.post(at, "do", "burn", "request", personID(1)).is(http.StatusBadRequest)
	ravi.post(at, "do", "again", "request", personID(1)).is(http.StatusNotFound)

	ravi.get(dialog)
	ravi.post(dialog, append(ravi.hidden(), "value", "asha.verma@example.com", "how", "office")...).leads(page + "?said=link-sent")
	link := box.sent[len(box.sent)-2]
	if link.Template != "correction" {
		link = box.sent[len(box.sent)-1]
	}
	token := link.Params["ConfirmURL"][strings.LastIndex(link.Params["ConfirmURL"], "/")+1:]
	check(t, s.services.Correct.Confirm(t.Context(), token, ""))
	ravi.get(page).is(http.StatusOK, "E-mail corrected", "asha@example.com → asha.verma@example.com", "Verified by link", "A correction was requested", "E-mail asha.verma@example.com")
	ravi.get(web.StaffRegistrationsPath + "?q=asha.verma@example.com").leads(page)
	for act, err := range s.store.Acts(t.Context()) {
		check(t, err)
		if said := fmt.Sprint(act); strings.Contains(said, "asha.verma@") || strings.Contains(said, "asha@") || strings.Contains(said, "other@") {
			t.Errorf("the log, which forgets nothing, has personal data: %+v", act)
		}
	}
	meera.get(web.StaffRegistrationPath(personID(9)) + "/email").is(http.StatusNotFound)
}

func TestCorrectAPhoneWarnsOfOthers(t *testing.T) {
	s := newSite(t)
	s.register()
	page, dialog := web.StaffRegistrationPath(personID(0)), web.StaffRegistrationPath(personID(0))+"/phone"
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(dialog).is(http.StatusOK, "Correct the phone of Asha <Verma>", "+91 98200 41567", "Why it changes (for colleagues)", "Both numbers stay in the timeline.")
	post := func(fields ...string) *browser { return meera.post(dialog, append(fields, meera.hidden()...)...) }
	post("value", "12345", "how", "wrote").is(http.StatusUnprocessableEntity, "Indian phone number must start with 6-9 and be exactly 10 digits.")
	post("value", "94449 18306", "how", "wrote").is(http.StatusUnprocessableEntity, "This number has a registration for the same exam.")
	post("value", "87870 31194", "how", "wrote", "why", "Lost the SIM").is(http.StatusOK, "Thangjam Devi.", "Both people must agree.", "Open Thangjam Devi")
	post("value", "87870 31194", "how", "wrote", "why", "Lost the SIM").leads(page + "?said=code-sent")
	meera.get(meera.location).is(http.StatusOK, "We are sending the code.", "Waits for +91 87870 31194", "Why the phone changes: Lost the SIM")
}

func TestCorrectAName(t *testing.T) {
	s := newSite(t)
	s.register()
	page, dialog := web.StaffRegistrationPath(personID(0)), web.StaffRegistrationPath(personID(0))+"/name"
	meera, ravi := s.setUp("meera@academy.example", "Meera Nambiar", "support"), s.setUp("ravi@academy.example", "Ravi Menon", "support")
	meera.get(dialog).is(http.StatusOK, "Invoices and receipts keep the name that they were issued with.", "Now", "Asha <Verma>")
	ravi.get(dialog)
	meera.post(dialog, append(meera.hidden(), "value", "Asha Verma", "how", "id")...).leads(page + "?said=renamed")
	meera.get(meera.location).is(http.StatusOK, "The name is corrected. Invoices and receipts keep the old one.", "Name corrected", "Asha <Verma> → Asha Verma")
	meera.lacks("<Verma>")
	ravi.post(dialog, append(ravi.hidden(), "value", "Asha Varma", "how", "id")...).is(http.StatusConflict, "Meera Nambiar saved this at", "Asha Varma", "was Asha <Verma>")
	ravi.lacks("<Verma>")
	ravi.post(dialog, append(ravi.hidden(), "keep", "mine")...).leads(page + "?said=renamed")
	ravi.get(page).is(http.StatusOK, "Asha Verma → Asha Varma")
	ravi.get(dialog)
	ravi.post(dialog, append(ravi.hidden(), "value", "A", "how", "id")...).is(http.StatusUnprocessableEntity, "Name must be 2-50 characters")
}

func TestWhoMayNotCorrectSeesNoCorrections(t *testing.T) {
	s := newSite(t)
	s.register()
	for _, role := range []string{"finance", "reviewer", "content"} {
		b := s.setUp(role+"@academy.example", "Some One", role)
		for _, what := range []string{"/email", "/phone", "/name"} {
			b.get(web.StaffRegistrationPath(personID(0)) + what).is(http.StatusForbidden)
			b.post(web.StaffRegistrationPath(personID(0))+what, "value", "x", "how", "called").is(http.StatusForbidden)
		}
		b.post(web.StaffRegistrationPath(personID(0))+"/correction", "do", "withdraw").is(http.StatusForbidden)
		if b.get(web.StaffRegistrationPath(personID(0))); strings.Contains(b.page, "/email\"") || strings.Contains(b.page, "Correct phone") {
			t.Errorf("%s is offered a correction", role)
		}
	}
}

func TestReopenAStep(t *testing.T) {
	s := newSite(t)
	s.register()
	page, dialog := web.StaffRegistrationPath(personID(3)), web.StaffRegistrationPath(personID(3))+"/reopen"
	meera := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	meera.get(page).is(http.StatusOK)
	meera.lacks("Reopen a step") // the form is open
	meera.get(dialog).is(http.StatusOK, "Open already.", "Not paid yet.")
	meera.lacks("Reopen the step")
	meera.get(web.StaffRegistrationPath(personID(0)) + "/reopen").is(http.StatusNotFound) // an enrolment
	check(t, s.store.Update(t.Context(), func(tx store.Tx) error {
		r, err := tx.RegistrationForUpdate(personID(3))
		if err != nil {
			return err
		}
		r.Step, r.Email = enrol.StepAgreed, "thangjam@example.com"
		return tx.SaveRegistration(r)
	}))
	meera.get(page).is(http.StatusOK, "Reopen a step")
	meera.get(dialog).is(http.StatusOK, "Reopen a step for Thangjam Devi", "Personal", "Scholarship", "They come after the payment.", "They will receive, by e-mail and SMS")
	form := meera.hidden()
	post := func(fields ...string) *browser { return meera.post(dialog, append(fields, form...)...) }
	post("reason", "asked").is(http.StatusUnprocessableEntity, "Choose a step")
	post("step", "1").is(http.StatusUnprocessableEntity, "Choose a reason")
	post("step", "1", "reason", "other").is(http.StatusUnprocessableEntity, "Write the reason")
	post("step", "6", "reason", "asked").is(http.StatusConflict, "They come after the payment.")
	post("step", "1", "reason", "other", "words", "Your <college> is another.").leads(page + "?said=reopened")
	meera.get(meera.location).is(http.StatusOK, "The step is open again. E-mail and SMS go out now.", "Step reopened", "Academic. Your <college> is another.", "At step 2 of 6.")
	meera.lacks("<college>")
	post("step", "1", "reason", "asked").is(http.StatusConflict, "The application has moved on. Nothing was done.") // pressed twice
	meera.post(dialog, "step", "1", "reason", "asked").is(http.StatusBadRequest)
	arvind := s.setUp("arvind@academy.example", "Arvind Kulkarni", "finance")
	arvind.get(dialog).is(http.StatusForbidden)
}
