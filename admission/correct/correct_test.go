package correct_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/correct"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/staff"
)

var meera = staff.Actor{Name: "Meera Nambiar", Account: "meera"}

// change returns a change of a person's registration, as a form that was just opened sends it.
func change(p *businesstest.Person, f correct.Field, value string) correct.Change {
	p.T.Helper()
	c := correct.Change{RegistrationID: p.RegistrationID, Field: f, Value: value, How: "called"}
	column := map[correct.Field]string{correct.Email: "email", correct.Phone: "phone", correct.Name: "full_name"}[f]
	c.Was = p.Texts("SELECT "+column+" FROM registrations WHERE id = $1", p.RegistrationID)[0]
	waiting, err := p.Correct.Waiting(p.Ctx, p.RegistrationID)
	p.Must(err)
	for _, w := range waiting {
		if w.Field == f {
			c.Waiting = w.ID
		}
	}
	return c
}

// token returns the token in the latest message of a template, with its code.
func token(p *businesstest.Person, to, template string) (token, code string) {
	p.T.Helper()
	p.RunJobs()
	var last *message.Message
	for _, m := range p.Post.To(to) {
		if m.Template == template {
			last = &m
		}
	}
	if last == nil {
		p.T.Fatalf("no %s went to %s", template, to)
	}
	if template == "correction" {
		return last.Params["ConfirmURL"][strings.LastIndex(last.Params["ConfirmURL"], "/")+1:], ""
	}
	return last.Params["Key"], last.Params["Code"]
}

func emails(p *businesstest.Person) []string {
	return p.Texts("SELECT email FROM registrations ORDER BY email")
}

const (
	over = "This link no longer works."
	done = "This was done already"
)

func TestCorrectedEmailCountsOnceItsOwnerConfirms(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Advance(time.Minute)
		first := p.Mailed("receipt").Params["ReceiptURL"]
		w.Clock.Pass(time.Hour)
		c := change(p, correct.Email, "Asha.New@example.com")
		c.Receipt = true
		w.Must(p.Correct.Ask(w.Ctx, c, meera))
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, c, meera), admission.Conflict, "", done) // pressed twice
		businesstest.Same(t, "e-mail until then", emails(p), []string{p.Email})
		link, _ := token(p, "Asha.New@example.com", "correction")
		businesstest.Equal(t, "mails to the new address", len(p.Post.To("Asha.New@example.com")), 1)
		businesstest.Same(t, "what the new address, which may be a stranger's, learns", slices.Collect(maps.Keys(p.Post.To("Asha.New@example.com")[0].Params)), []string{"ConfirmURL"})
		businesstest.Same(t, "what the old address learns", slices.Collect(maps.Keys(p.Mailed("correction-told").Params)), []string{"At"})
		found, err := p.Correct.Find(w.Ctx, link)
		w.Must(err)
		businesstest.Equal(t, "state", found.State, correct.Waits)

		w.Clock.Pass(time.Hour)
		w.Must(p.Correct.Confirm(w.Ctx, link, ""))
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, link, ""), admission.Conflict, "", over) // a stranger opens it again
		businesstest.Same(t, "e-mail", emails(p), []string{"Asha.New@example.com"})
		businesstest.Same(t, "search terms", w.Texts("SELECT term FROM search_terms WHERE term LIKE '@%'"), []string{"@asha.new@example.com"})
		businesstest.Same(t, "timeline", w.Texts("SELECT what, detail, who FROM entries WHERE what LIKE 'e-mail%' ORDER BY at"), []string{
			"e-mail correction requested |  | Meera Nambiar", "e-mail corrected | " + p.Email + " → Asha.New@example.com | Meera Nambiar",
		})
		businesstest.Same(t, "log", w.Texts("SELECT what, whom, was, becomes, reason FROM staff_log ORDER BY n"), []string{
			"asked to confirm another e-mail | registration " + p.RegistrationID + " |  |  | Called from the verified phone; name and course matched",
			"corrected the e-mail | registration " + p.RegistrationID + " |  | confirmed by its owner | ",
		})
		w.Advance(time.Minute)
		var receipts []string
		for _, m := range p.Post.To("Asha.New@example.com") {
			if m.Template == "receipt" {
				receipts = append(receipts, m.Params["ReceiptURL"])
			}
		}
		businesstest.Equal(t, "receipts to the new address", len(receipts), 1)
		open := func(url string) error {
			_, err := w.Receipts.OpenReceipt(w.Ctx, url[strings.LastIndex(url, "/")+1:])
			return err
		}
		w.Must(open(receipts[0]))
		businesstest.Equal(t, "the old address still opens the receipt", open(first) == nil, false)
		businesstest.Same(t, "books", w.VerifyBooks(), nil)
	})
}

func TestCorrectedEmailIsJudgedAsInTheForm(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		other, p := w.Paid(nil), w.Enrolled(nil)
		for _, row := range []struct{ value, message string }{
			{"", "Email is required."}, {"asha", "Enter a valid email address."},
			{"asha@gmial.com", "Check the spelling after @. Did you mean gmail.com?"}, {"asha@outlok.com", "Check the spelling after @. Did you mean outlook.com?"},
			{strings.ToUpper(p.Email), "This is what we have already"}, {other.Email, "Another registration for the same exam has this e-mail"},
		} {
			businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, change(p, correct.Email, row.value), meera), admission.Invalid, "email", row.message)
		}
		c := change(p, correct.Email, "new@example.com")
		c.How = ""
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, c, meera), admission.Invalid, "how", "Choose how you confirmed it")
		c.How, c.RegistrationID = "called", admission.NewID()
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, c, meera), admission.NotFound, "", "Registration not found.")
		c.RegistrationID = "nobody"
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, c, meera), admission.NotFound, "", "Registration not found.")
		businesstest.Equal(t, "requests", w.Count("corrections"), 0)
		businesstest.Equal(t, "rows of the log", w.Count("staff_log"), 0)
	})
}

func TestARequestEnds(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		const mine, other = "mine@example.com", "other@example.com"
		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Email, mine), meera))
		first, _ := token(p, mine, "correction")
		waiting, err := p.Correct.Waiting(w.Ctx, p.RegistrationID)
		w.Must(err)
		businesstest.ExpectProblem(t, p.Correct.SendAgain(w.Ctx, p.RegistrationID, waiting[0].ID, meera), admission.TooMany, "", "It was sent a moment ago. Please wait 60 seconds and try again.")
		w.Clock.Pass(2 * time.Minute)
		w.Must(p.Correct.SendAgain(w.Ctx, p.RegistrationID, waiting[0].ID, meera))
		businesstest.ExpectProblem(t, p.Correct.SendAgain(w.Ctx, p.RegistrationID, waiting[0].ID, meera), admission.Conflict, "", "This request does not wait any more") // pressed twice
		second, _ := token(p, mine, "correction")
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, first, ""), admission.Conflict, "", over)
		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Email, other), meera)) // replaces it
		third, _ := token(p, other, "correction")
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, second, ""), admission.Conflict, "", over)
		waiting, err = p.Correct.Waiting(w.Ctx, p.RegistrationID)
		w.Must(err)
		businesstest.Equal(t, "requests that wait", len(waiting), 1)
		businesstest.ExpectProblem(t, p.Correct.Withdraw(w.Ctx, w.Enrolled(nil).RegistrationID, waiting[0].ID, meera), admission.NotFound, "", "Request not found.")
		w.Must(p.Correct.Withdraw(w.Ctx, p.RegistrationID, waiting[0].ID, meera))
		businesstest.ExpectProblem(t, p.Correct.Withdraw(w.Ctx, p.RegistrationID, waiting[0].ID, meera), admission.Conflict, "", "This request does not wait any more")
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, third, ""), admission.Conflict, "", over)

		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Email, mine), meera))
		fourth, _ := token(p, mine, "correction")
		w.Clock.Pass(24 * time.Hour)
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, fourth, ""), admission.Conflict, "", over)
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, admission.NewToken(), ""), admission.NotFound, "", "Link not found.")
		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Email, mine), meera)) // the expired one is in nobody's way
		w.Must(w.Database.Purge(w.Ctx, w.Clock.Now().Add(49*time.Hour)))
		businesstest.Equal(t, "requests after three days", w.Count("corrections"), 0)
		businesstest.Equal(t, "e-mail", w.Count("registrations WHERE email = $1", p.Email), 1)
	})
}

func TestTwoColleaguesCorrectAtOnce(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		changes := []correct.Change{change(p, correct.Email, "one@example.com"), change(p, correct.Email, "two@example.com")}
		ravi := staff.Actor{Name: "Ravi Menon"}
		errs := businesstest.Concurrently(2, func(i int) error { return p.Correct.Ask(w.Ctx, changes[i], []staff.Actor{meera, ravi}[i]) })
		stale := errors.Join(errs...)
		var other *correct.Stale
		if !errors.As(stale, &other) || (errs[0] == nil) == (errs[1] == nil) || !other.Waits {
			t.Fatalf("%v", errs)
		}
		if other.Was != p.Email || other.Theirs == other.Mine || other.Who == "" {
			t.Errorf("the later one reads %+v", other)
		}
		businesstest.Equal(t, "requests", w.Count("corrections"), 1)
		businesstest.Equal(t, "mails to the old address", w.Count("messages WHERE template = 'correction-told'"), 1)
		businesstest.Equal(t, "rows of the log", w.Count("staff_log"), 1)
	})
}

func TestAnOldFormShowsBothValues(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		w.Clock.Pass(time.Minute)
		old := change(p, correct.Name, "Asha Roa")
		w.Must(p.Correct.Rename(w.Ctx, change(p, correct.Name, "Asha K. Rao"), meera))
		renamed := w.Clock.Now()
		w.Clock.Pass(time.Minute)
		var stale *correct.Stale
		if err := p.Correct.Rename(w.Ctx, old, staff.Actor{Name: "Ravi Menon"}); !errors.As(err, &stale) {
			t.Fatal(err)
		}
		businesstest.Equal(t, "both values", *stale, correct.Stale{Was: "Asha Rao", Theirs: "Asha K. Rao", Mine: "Asha Roa", Who: "Meera Nambiar", At: renamed})
		old.Value = "Asha K. Rao"
		businesstest.ExpectProblem(t, p.Correct.Rename(w.Ctx, old, meera), admission.Conflict, "", done)
		businesstest.Same(t, "name", w.Texts("SELECT full_name FROM registrations"), []string{"Asha K. Rao"})

		old = change(p, correct.Phone, "9820041567") // changed by the person meanwhile
		p.SignedIn()
		_, err := p.ChangeAddress("phone_number", "9820041500", "+919820041500")
		w.Must(err)
		if err := p.Correct.Ask(w.Ctx, old, meera); !errors.As(err, &stale) || stale.Theirs != "+919820041500" || stale.Who != "" {
			t.Errorf("%v, %+v", err, stale)
		}
	})
}

func TestCorrectedNameIsOnTheTicketButNotOnTheInvoice(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		p := w.Paid(nil)
		issues := func() []string { return w.Texts("SELECT kind, issue FROM papers ORDER BY kind") }
		businesstest.Same(t, "papers", issues(), []string{"invoice | 1", "receipt | 1", "ticket | 1"})
		businesstest.ExpectProblem(t, p.Correct.Rename(w.Ctx, change(p, correct.Name, "A"), meera), admission.Invalid, "name", "Name must be 2-50 characters and contain only letters.")
		c := change(p, correct.Name, "Aasha Rao")
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, c, meera), admission.Invalid, "name", "A name needs no confirmation")
		w.Must(p.Correct.Rename(w.Ctx, c, meera))
		businesstest.ExpectProblem(t, p.Correct.Rename(w.Ctx, c, meera), admission.Conflict, "", done) // pressed twice
		businesstest.Same(t, "papers", issues(), []string{"invoice | 1", "receipt | 1", "ticket | 2"})
		businesstest.Equal(t, "owners of a referral code", w.Count("referrals WHERE owner_name = 'Aasha Rao'"), 1)
		businesstest.Same(t, "buyer", w.Texts("SELECT buyer_name FROM invoices"), []string{"Asha Rao"})
		businesstest.Same(t, "search terms", w.Texts("SELECT term FROM search_terms WHERE term LIKE '%rao%' ORDER BY term"), []string{"aasha rao", "rao aasha"})
		businesstest.Same(t, "timeline", w.Texts("SELECT what, detail FROM entries WHERE what LIKE 'name%'"), []string{"name corrected | Asha Rao → Aasha Rao"})
		businesstest.Same(t, "log", w.Texts("SELECT what, was, becomes, reason FROM staff_log"), []string{"corrected the name |  |  | Called from the verified phone and spelled it"})
		w.Must(p.Correct.Rename(w.Ctx, change(p, correct.Name, "Asha Rao"), meera)) // and back
		businesstest.Same(t, "name", w.Texts("SELECT full_name FROM registrations"), []string{"Asha Rao"})
	})
}

func TestApplicationsTakeTheirNameAndEmailFromTheAccount(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.ApplicantAt(enrol.StepPersonal)
		w.Must(p.Correct.Rename(w.Ctx, change(p, correct.Name, "Aasha Rao"), meera))
		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Email, "new@example.com"), meera))
		link, _ := token(p, "new@example.com", "correction")
		w.Must(p.Correct.Confirm(w.Ctx, link, ""))
		p.NewBrowser() // everybody is signed out
		p.SignedIn()
		_, err := p.SaveStep("academic", nil)
		w.Must(err)
		r := p.Application()
		businesstest.Equal(t, "name and e-mail after the next step", r.FullName+" "+r.Email, "Aasha Rao new@example.com")
		businesstest.Equal(t, "e-mail is verified", p.OwnAccount().EmailVerified(), true)

		other := w.ApplicantAt(enrol.StepPersonal)
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, change(other, correct.Email, "new@example.com"), meera), admission.Invalid, "email", "Another account signs in with this e-mail")
		w.Must(p.Correct.Ask(w.Ctx, change(other, correct.Email, "late@example.com"), meera))
		link, _ = token(p, "late@example.com", "correction")
		_, err = p.ChangeAddress("email", "late@example.com", "late@example.com")
		w.Must(err)
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, link, ""), admission.Conflict, "", "We cannot use it: another registration has it. Please call us.")
		businesstest.Equal(t, "e-mail of the other", w.Count("registrations WHERE email = $1", other.Email), 1)
	})
}

func TestCorrectedPhoneOpensWhatTheOldOneOpened(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		for _, row := range []struct {
			sentence, fresh string
			account         bool
		}{{"without an account", "9820041567", false}, {"with an account", "9820041568", true}} {
			p := w.Paid(nil)
			w.Clock.Pass(time.Minute)
			if row.account {
				p.SignUp(p.Email)
			}
			old, fresh := "+91"+p.Phone, "+91"+row.fresh
			c := change(p, correct.Phone, row.fresh[:5]+" "+row.fresh[5:])
			c.Why = "Lost the SIM"
			w.Must(p.Correct.Ask(w.Ctx, c, meera))
			businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, c, meera), admission.Conflict, "", done)
			key, code := token(p, fresh, "correction-sms")
			businesstest.Equal(t, row.sentence+", mails to the old phone", w.Count("messages WHERE recipient = $1 AND template = 'correction-told-sms'", old), 1)
			businesstest.Same(t, "notes", w.Texts("SELECT words FROM staff_notes WHERE registration_id = $1", p.RegistrationID), []string{"Why the phone changes: Lost the SIM"})
			businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, key, "000000"), admission.Invalid, "code", "This code is wrong. Use the latest one that we sent.")
			businesstest.Equal(t, row.sentence+", phone", w.Count("registrations WHERE id = $1 AND phone = $2", p.RegistrationID, old), 1)
			w.Must(p.Correct.Confirm(w.Ctx, strings.ToLower(key), code))
			businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, key, code), admission.Conflict, "", over)
			businesstest.Equal(t, row.sentence+", phone", w.Count("registrations WHERE id = $1 AND phone = $2", p.RegistrationID, fresh), 1)
			businesstest.Equal(t, row.sentence+", search", w.Count("search_terms WHERE registration_id = $1 AND term = $2", p.RegistrationID, "+"+row.fresh), 1)
			businesstest.Equal(t, row.sentence+", search by the old one", w.Count("search_terms WHERE registration_id = $1 AND term = $2", p.RegistrationID, "+"+p.Phone), 0)
			businesstest.Same(t, "timeline", w.Texts("SELECT what, detail FROM entries WHERE registration_id = $1 AND what = 'phone corrected'", p.RegistrationID), []string{"phone corrected | " + old + " → " + fresh})

			w.Clock.Pass(time.Hour)
			thief, owner := w.Somebody(), w.Somebody()
			_, err := thief.SignIn(p.Phone)
			w.Must(err)
			home, err := w.Registry.HomeWithoutAccount(w.Ctx, thief.Visitor, old)
			w.Must(err)
			businesstest.Equal(t, row.sentence+", the old phone finds it", home.Next != nil || home.Ticket != nil, false)
			in, err := owner.SignIn(row.fresh)
			w.Must(err)
			businesstest.Equal(t, row.sentence+", the new phone opens the account", in.Account != nil, row.account)
			_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, owner.Visitor, p.RegistrationID)
			w.Must(err)
			if !row.account {
				_, err = w.Enrol.RegistrationOfVisitor(w.Ctx, p.Visitor, p.RegistrationID)
				businesstest.ExpectProblem(t, err, admission.NotFound, "", "Registration not found.") // its browser verified the old phone
			}
		}
	})
}

func TestCodeOfAPhone(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		const fresh = "+919820041567"
		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Phone, "9820041567"), meera))
		key, code := token(p, fresh, "correction-sms")
		confirm := func(code string) error { return p.Correct.Confirm(w.Ctx, key, code) }
		businesstest.ExpectProblem(t, confirm(" "), admission.Invalid, "code", "Enter the 6 digits of the SMS.")
		businesstest.ExpectProblem(t, p.Correct.SendCode(w.Ctx, key), admission.TooMany, "code", "A code was sent a moment ago. Please wait 60 seconds and try again.")
		for range 4 {
			businesstest.ExpectProblem(t, confirm("1"), admission.Invalid, "code", "This code is wrong. Use the latest one that we sent.")
		}
		businesstest.ExpectProblem(t, confirm("1"), admission.Invalid, "code", "This code no longer works. Ask for a new one below.")
		businesstest.ExpectProblem(t, confirm(code), admission.Invalid, "code", "This code no longer works. Ask for a new one below.")
		for range 4 {
			w.Clock.Pass(10 * time.Minute)
			businesstest.ExpectProblem(t, confirm(code), admission.Invalid, "code", "This code no longer works. Ask for a new one below.")
			w.Must(p.Correct.SendCode(w.Ctx, strings.ToLower(key)))
			_, code = token(p, fresh, "correction-sms")
		}
		w.Clock.Pass(time.Minute)
		businesstest.ExpectProblem(t, p.Correct.SendCode(w.Ctx, key), admission.Conflict, "code", "We have sent 5 codes. Please call us for more.")
		businesstest.ExpectProblem(t, p.Correct.SendCode(w.Ctx, "ABCDEFGHJK"), admission.NotFound, "", "Link not found.")
		w.Must(confirm(code[:3] + " " + code[3:]))
	})
}

func TestPhonesOfOthers(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p, same, campus := w.Enrolled(nil), w.Enrolled(nil), w.Verified()
		_, err := campus.SubmitEnrolment(businesstest.Fields{"event": "KS_Campus"})
		w.Must(err)
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, change(p, correct.Phone, same.Phone), meera), admission.Invalid, "phone", "This number has a registration for the same exam. Each number can register one person")
		others, err := p.Correct.Check(w.Ctx, change(p, correct.Phone, campus.Phone))
		w.Must(err)
		businesstest.Equal(t, "registrations that have it", len(others), 1)

		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Phone, "9820041567"), meera))
		key, code := token(p, "+919820041567", "correction-sms")
		taken := w.Somebody() // who enrols with it meanwhile
		taken.Phone = "9820041567"
		taken.VerifyPhone()
		_, err = taken.SubmitEnrolment(nil)
		w.Must(err)
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, key, code), admission.Conflict, "", "We cannot use it: another registration has it. Please call us.")
		businesstest.Equal(t, "phone", w.Count("registrations WHERE id = $1 AND phone = $2", p.RegistrationID, "+91"+p.Phone), 1)

		minor := w.Verified()
		minor.Must(minor.VerifyCode("guardian", "9810000001"))
		_, err = minor.SubmitEnrolment(businesstest.Fields{"adult": "false", "guardian_name": "Suresh Verma", "guardian_phone": "9810000001", "guardian_otp": "123456", "guardian_relation": "father", "guardian_birth_year": "1975"})
		w.Must(err)
		businesstest.ExpectProblem(t, p.Correct.Ask(w.Ctx, change(minor, correct.Phone, "9810000001"), meera), admission.Invalid, "phone", "This is the guardian’s number")
	})
}

func TestNothingIsCorrectedForADeletedPerson(t *testing.T) {
	businesstest.Each(t, func(t *testing.T, w *businesstest.World) {
		p := w.Enrolled(nil)
		w.Clock.Pass(time.Minute)
		p.SignUp(p.Email)
		w.Must(p.Correct.Ask(w.Ctx, change(p, correct.Email, "new@example.com"), meera))
		link, _ := token(p, "new@example.com", "correction")
		w.Must(p.MyData.RequestDeletion(w.Ctx, p.Visitor))
		w.Advance(8 * 24 * time.Hour)
		businesstest.ExpectProblem(t, p.Correct.Confirm(w.Ctx, link, ""), admission.NotFound, "", "Link not found.")
		c := correct.Change{RegistrationID: p.RegistrationID, Field: correct.Name, Value: "Asha", How: "called"}
		businesstest.ExpectProblem(t, p.Correct.Rename(w.Ctx, c, meera), admission.NotFound, "", "Registration not found.")
		businesstest.Equal(t, "requests and messages that are left", w.Count("corrections")+w.Count("messages WHERE cause LIKE 'correction%'"), 0)
	})
}
