package account_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/correct"
	"hiresure/admission/enrol"
	"hiresure/admission/staff"
	"hiresure/store"
	"hiresure/web"
)

// ask asks to confirm a correction of an enrolment and returns the address of the link, with the code of a phone.
func (s *site) ask(f correct.Field, was, value string) (path, code string) {
	s.t.Helper()
	const id = "00000000000000000000000001"
	check(s.t, s.store.Update(s.t.Context(), func(tx store.Tx) error {
		if r, err := tx.Registration(id); err != nil || r != nil {
			return err
		}
		return tx.AddRegistration(&enrol.Registration{ID: id, EventCode: "KS_Mgrow", FullName: "Asha Verma", Email: "anaya@example.com", Phone: "+919820041567"})
	}))
	waiting, err := s.services.Correct.Waiting(s.t.Context(), id)
	check(s.t, err)
	c := correct.Change{RegistrationID: id, Field: f, Was: was, Value: value, How: "called"}
	for _, w := range waiting {
		c.Waiting = w.ID
	}
	check(s.t, s.services.Correct.Ask(s.t.Context(), c, staff.Actor{Name: "Meera Nambiar"}))
	for _, m := range s.written[len(s.written)-2:] {
		switch m.Template {
		case "correction":
			path = strings.TrimPrefix(m.Params["ConfirmURL"], s.url)
		case "correction-sms":
			path, code = web.ConfirmPath(m.Params["Key"]), m.Params["Code"]
		}
	}
	return path, code
}

func TestConfirmAnEmail(t *testing.T) {
	s := newSite(t)
	nobody := []string{"Asha", "anaya", "ananya", "98200"}
	path, _ := s.ask(correct.Email, "anaya@example.com", "ananya@example.com")
	b := s.browser()
	b.get(path).is(http.StatusOK, "Is this your e-mail?", "Nothing changes until you confirm.", "Confirm my e-mail").without(nobody...)
	s.browser().get(path).is(http.StatusOK, "Is this your e-mail?") // a mail scanner uses nothing
	b.post(path, "do", "verify").leadsTo(path)
	b.get(path).is(http.StatusOK, "Your e-mail is confirmed").without(nobody...)
	b.without("<button class=\"button\" name=\"do\"")
	stranger := s.browser()
	stranger.get(path).is(http.StatusOK, "Your e-mail is confirmed").without(nobody...)
	stranger.post(path, "do", "verify").is(http.StatusConflict, "This link no longer works.").without(nobody...)

	first, _ := s.ask(correct.Email, "ananya@example.com", "one@example.com")
	second, _ := s.ask(correct.Email, "ananya@example.com", "two@example.com")
	b.get(first).is(http.StatusGone, "We have sent a newer message. Open the latest one.")
	s.clock.Pass(24 * time.Hour)
	b.get(second).is(http.StatusGone, "It worked for 24 hours. Nothing was changed.")
	b.post(second, "do", "verify").is(http.StatusConflict, "It worked for 24 hours.")
	third, _ := s.ask(correct.Email, "ananya@example.com", "three@example.com")
	waiting, err := s.services.Correct.Waiting(t.Context(), "00000000000000000000000001")
	check(t, err)
	check(t, s.services.Correct.Withdraw(t.Context(), waiting[0].RegistrationID, waiting[0].ID, staff.Actor{}))
	b.get(third).is(http.StatusGone, "The request was withdrawn. Nothing was changed.")
	for _, unknown := range []string{admission.NewToken(), "x", "ABCDEFGHJK"} {
		b.get(web.ConfirmPath(unknown)).is(http.StatusNotFound, "The address is incomplete, or the link is over.")
		b.post(web.ConfirmPath(unknown), "do", "verify").is(http.StatusNotFound)
	}
}

func TestConfirmAPhone(t *testing.T) {
	s := newSite(t)
	path, code := s.ask(correct.Phone, "+919820041567", "9820041576")
	b := s.browser()
	b.get(strings.ToLower(path)).is(http.StatusOK, "Is this your number?", "Code from the SMS", "Send a new code").without("Asha", "98200")
	b.post(path, "do", "verify", "code", "12345").is(http.StatusUnprocessableEntity, "This code is wrong.")
	b.post(path, "do", "send").is(http.StatusTooManyRequests, "A code was sent a moment ago.")
	s.clock.Pass(10 * time.Minute)
	b.get(path).is(http.StatusOK, "The code that we sent no longer works.")
	b.post(path, "do", "verify", "code", code).is(http.StatusUnprocessableEntity, "This code no longer works. Ask for a new one below.")
	b.post(path, "do", "send").leadsTo(path)
	b.post(path, "do", "verify", "code", s.code("+919820041576")).leadsTo(path)
	b.get(path).is(http.StatusOK, "Your number is confirmed", "Sign in with it").without("Asha", "98200")
}
