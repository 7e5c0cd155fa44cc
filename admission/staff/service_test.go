package staff_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/staff"
)

const password = "tiger lamp monsoon"

// colleague is somebody who works here, with the things in their hands.
type colleague struct {
	*businesstest.World
	visitor admission.Visitor
	id      string
	email   string
	token   string // of the session
	browser string
	secret  string
	codes   []string
}

var shell = staff.Operator("Ravi Menon")

// invite adds an account and returns the token of its link.
func invite(w *businesstest.World, email, name string, roles ...string) (c *colleague, link string) {
	w.T.Helper()
	link, err := w.Staff.Add(w.Ctx, staff.NewAccount{Email: email, Name: name, Roles: roles}, shell)
	w.Must(err)
	a, err := w.Staff.ByEmail(w.Ctx, email)
	w.Must(err)
	return &colleague{World: w, visitor: admission.Visitor{IP: "203.0.113.24", UserAgent: "Firefox"}, id: a.ID, email: email}, link
}

// setUp takes a colleague from the link to an open session.
func (c *colleague) setUp(link string) *colleague {
	c.T.Helper()
	in, err := c.Staff.ChoosePassword(c.Ctx, c.visitor, link, password, "req")
	c.Must(err)
	businesstest.Equal(c.T, "stage after the password", in.Stage, staff.NeedsSetUp)
	_, set, err := c.Staff.PrepareSetUp(c.Ctx, in.Token)
	c.Must(err)
	c.secret, c.codes = set.Secret, set.Codes
	done, err := c.Staff.FinishSetUp(c.Ctx, c.visitor, in.Token, c.code(), true, "req")
	c.Must(err)
	businesstest.Equal(c.T, "stage after the set-up", done.Stage, staff.Open)
	c.expectDead("the token before the set-up", in.Token)
	c.token, c.browser = done.Token, done.Browser
	return c
}

func working(w *businesstest.World, email, name string, roles ...string) *colleague {
	w.T.Helper()
	c, link := invite(w, email, name, roles...)
	return c.setUp(link)
}

// code returns what the app shows now.
func (c *colleague) code() string {
	c.T.Helper()
	code, err := totp.GenerateCode(c.secret, c.Clock.Now())
	c.Must(err)
	return code
}

// signIn signs in by password and a code.
func (c *colleague) signIn(code string) (staff.SignedIn, error) {
	in, err := c.Staff.SignIn(c.Ctx, c.visitor, c.email, password, c.browser)
	if err != nil {
		return in, err
	}
	return c.Staff.GiveCode(c.Ctx, c.visitor, in.Token, code, c.browser, "req")
}

func (c *colleague) person() *staff.Person {
	c.T.Helper()
	p, err := c.Staff.Find(c.Ctx, c.token)
	c.Must(err)
	if p == nil {
		c.T.Fatal("the session is not open")
	}
	return p
}

func (c *colleague) actor() staff.Actor { return c.Staff.Actor(c.visitor, c.person(), "req") }

func (c *colleague) expectDead(what, token string) {
	c.T.Helper()
	if p, err := c.Staff.Find(c.Ctx, token); err != nil || p != nil {
		c.T.Errorf("%s opens a session: %v %v", what, p, err)
	}
}

// log returns the log, oldest first: "who: what (whom) was → is", without ids.
func log(w *businesstest.World) (lines []string) {
	w.T.Helper()
	acts, _, err := w.Staff.Acts(w.Ctx, staff.ActFilter{}, 0, 1000)
	w.Must(err)
	slices.Reverse(acts)
	for _, act := range acts {
		whom := strings.Fields(act.Whom)
		line := act.Who + ": " + act.What + " (" + whom[0] + " " + strings.Join(whom[min(2, len(whom)):], " ") + ")"
		if act.Denied {
			line = "DENIED " + line
		}
		was, _, _ := strings.Cut(act.Was, " ")
		if strings.HasPrefix(act.Was, "session ") {
			act.Was = was
		}
		if act.Was+act.Is != "" {
			line += " " + act.Was + " → " + act.Is
		}
		lines = append(lines, line)
	}
	return lines
}

func TestALinkSetsAnAccountUpOnce(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c, link := invite(w, "Kavya@Academy.example", "  Kavya   Hegde ", "admin", "support", "admin")
		c.email = "kavya@academy.example"
		a, expires, err := w.Staff.Invitation(w.Ctx, link)
		w.Must(err)
		businesstest.Equal(t, "name", a.Name, "Kavya Hegde")
		businesstest.Equal(t, "roles", staff.Labels(a.Roles), "Support, Admin")
		businesstest.Equal(t, "expires", expires.Equal(w.Clock.Now().Add(time.Hour)), true)

		_, err = w.Staff.ChoosePassword(w.Ctx, c.visitor, link, "kavya hegde 1", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "password", "This password is easy to guess. Three unrelated words are good")
		_, err = w.Staff.SignIn(w.Ctx, c.visitor, c.email, password, "")
		businesstest.ExpectProblem(t, err, admission.Invalid, "password", "The e-mail or the password is wrong") // there is none yet

		in, err := w.Staff.ChoosePassword(w.Ctx, c.visitor, link, password, "req")
		w.Must(err)
		for what, token := range map[string]string{"used": link, "unknown": admission.NewToken(), "": ""} {
			_, _, err = w.Staff.Invitation(w.Ctx, token)
			businesstest.ExpectProblem(t, err, admission.NotFound, "", "This link has been used or has expired. Ask an admin for a new one")
			_, err = w.Staff.ChoosePassword(w.Ctx, c.visitor, token, password, "req")
			if businesstest.ExpectProblem(t, err, admission.NotFound, "", "This link has been used or has expired. Ask an admin for a new one"); t.Failed() {
				t.Fatal(what)
			}
		}
		c.expectDead("a session without a second step", in.Token)
		_, set, err := w.Staff.PrepareSetUp(w.Ctx, in.Token)
		w.Must(err)
		_, again, err := w.Staff.PrepareSetUp(w.Ctx, in.Token)
		w.Must(err)
		businesstest.Equal(t, "the page shows the same secret again", again.Secret, set.Secret)
		businesstest.Same(t, "and the same codes", again.Codes, set.Codes)
		businesstest.Equal(t, "codes", len(set.Codes), 10)
		c.secret = set.Secret
		_, err = w.Staff.FinishSetUp(w.Ctx, c.visitor, in.Token, "000000", true, "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "code", "This is not the code that the app shows now. Check the time of your phone")
		_, err = w.Staff.FinishSetUp(w.Ctx, c.visitor, in.Token, c.code(), false, "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "saved", "Save the backup codes first")
		done, err := w.Staff.FinishSetUp(w.Ctx, c.visitor, in.Token, c.code(), true, "req")
		w.Must(err)
		_, err = w.Staff.FinishSetUp(w.Ctx, c.visitor, done.Token, c.code(), true, "req")
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "This took more than 10 minutes. Enter your password again")
		c.token = done.Token
		businesstest.Equal(t, "name of the person", c.person().Name, "Kavya Hegde")
		businesstest.Same(t, "log", log(w), []string{
			"operator Ravi Menon: invited a colleague (staff Kavya Hegde)  → Support, Admin",
			"Kavya Hegde: chose a password (staff Kavya Hegde)",
			"Kavya Hegde: signed in (staff Kavya Hegde)  → Password, app",
		})
		for _, table := range []string{"staff_accounts", "staff_sessions", "staff_links", "staff_log"} {
			for _, secret := range append(set.Codes, set.Secret, password, done.Token, in.Token, link) {
				for _, column := range w.Texts("SELECT * FROM " + table) {
					if strings.Contains(column, secret) {
						t.Errorf("%s contains %q", table, secret)
					}
				}
			}
		}
	})
}

func TestALinkExpires(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		c, link := invite(w, "a@b.example", "Asha Rao", "support")
		w.Clock.Pass(time.Hour)
		_, err := w.Staff.ChoosePassword(w.Ctx, c.visitor, link, password, "req")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "This link has been used or has expired. Ask an admin for a new one")
		again, err := w.Staff.Reset(w.Ctx, c.id, shell)
		w.Must(err)
		w.Must(w.Staff.RefuseInvitation(w.Ctx, c.visitor, again, "req"))
		_, _, err = w.Staff.Invitation(w.Ctx, again)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "This link has been used or has expired. Ask an admin for a new one")
		third, err := w.Staff.Reset(w.Ctx, c.id, shell)
		w.Must(err)
		c.setUp(third)
	})
}

func TestAccountsAreNamedWell(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		invite(w, "meera@academy.example", "Meera Nambiar", "support")
		const (
			email = "Enter an e-mail address, like kavya@academy.in"
			name  = "Enter a name of 2 to 60 letters"
		)
		for _, row := range []struct{ email, name, roles, field, message string }{
			{"meera@academy.example", "Other", "support", "email", "Meera Nambiar has an account with this address"},
			{" MEERA@academy.example ", "Other", "support", "email", "Meera Nambiar has an account with this address"},
			{"", "Asha", "support", "email", email},
			{"asha", "Asha", "support", "email", email},
			{"asha@localhost", "Asha", "support", "email", email},
			{"a b@c.example", "Asha", "support", "email", email},
			{strings.Repeat("a", 60) + "@" + strings.Repeat("b", 60) + ".example", "Asha", "support", "email", email},
			{"asha@c.example", "A", "support", "name", name},
			{"asha@c.example", "=1+1", "support", "name", name},
			{"asha@c.example", "<b>Asha</b>", "support", "name", name},
			{"asha@c.example", strings.Repeat("a", 61), "support", "name", name},
			{"asha@c.example", "Asha", "", "roles", "Choose at least one role"},
			{"asha@c.example", "Asha", "support,root", "roles", "There is no role root: use support, finance, reviewer, content or admin"},
		} {
			_, err := w.Staff.Add(w.Ctx, staff.NewAccount{Email: row.email, Name: row.name, Roles: strings.Split(row.roles, ",")}, shell)
			businesstest.ExpectProblem(t, err, admission.Invalid, row.field, row.message)
		}
		_, err := w.Staff.Add(w.Ctx, staff.NewAccount{Email: "asha@c.example", Name: "Asha"}, shell)
		businesstest.ExpectProblem(t, err, admission.Invalid, "roles", "Choose at least one role")
		invite(w, "tamil@c.example", "அருண் குமார்", "content")
		businesstest.Equal(t, "accounts", w.Count("staff_accounts"), 2)
		businesstest.Equal(t, "rows of the log", w.Count("staff_log"), 2)
	})
}

func TestASecondStepIsNeededAndWorksOnce(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		used := c.code()
		_, err := c.signIn(used)
		businesstest.ExpectProblem(t, err, admission.Invalid, "code", "This code is wrong or was used before. Wait for the next one") // replayed
		w.Clock.Pass(30 * time.Second)
		code := c.code()
		in, err := c.signIn(" " + code[:3] + " " + code[3:])
		w.Must(err)
		c.token = in.Token
		businesstest.Equal(t, "how", c.person().Session.How, "Password, app")
		_, err = c.signIn(code)
		businesstest.ExpectProblem(t, err, admission.Invalid, "code", "This code is wrong or was used before. Wait for the next one")

		for i, typed := range []string{c.codes[0], strings.ToLower(strings.ReplaceAll(c.codes[1], "-", " "))} { // a lost phone
			in, err := c.signIn(typed)
			w.Must(err)
			c.token = in.Token
			businesstest.Equal(t, "how", c.person().Session.How, "Password, backup code")
			businesstest.Equal(t, "codes left", len(c.person().Codes), 9-i)
			_, err = c.signIn(typed)
			businesstest.ExpectProblem(t, err, admission.Invalid, "code", "This code is wrong or was used before. Wait for the next one")
		}

		pending, err := c.Staff.SignIn(w.Ctx, c.visitor, c.email, password, c.browser)
		w.Must(err)
		c.expectDead("a password without a code", pending.Token)
		p, err := w.Staff.Pending(w.Ctx, pending.Token)
		w.Must(err)
		businesstest.Equal(t, "stage", p.Session.Stage, staff.NeedsCode)
		_, _, err = w.Staff.PrepareSetUp(w.Ctx, pending.Token)
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "This took more than 10 minutes. Enter your password again") // no second app without the first
		w.Clock.Pass(10 * time.Minute)
		_, err = w.Staff.GiveCode(w.Ctx, c.visitor, pending.Token, c.code(), c.browser, "req")
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "This took more than 10 minutes. Enter your password again")
	})
}

func TestFiveWrongCodesNeedThePasswordAgain(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		w.Clock.Pass(time.Minute)
		in, err := w.Staff.SignIn(w.Ctx, c.visitor, c.email, password, c.browser)
		w.Must(err)
		for range 4 {
			_, err = w.Staff.GiveCode(w.Ctx, c.visitor, in.Token, "000000", c.browser, "req")
			businesstest.ExpectProblem(t, err, admission.Invalid, "code", "This code is wrong or was used before. Wait for the next one")
		}
		_, err = w.Staff.GiveCode(w.Ctx, c.visitor, in.Token, "0", c.browser, "req")
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "Too many wrong codes. Enter your password again")
		_, err = w.Staff.GiveCode(w.Ctx, c.visitor, in.Token, c.code(), c.browser, "req")
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "This took more than 10 minutes. Enter your password again")
	})
}

func TestGuessesSlowTheGuesserOnly(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		stranger := admission.Visitor{IP: "198.51.100.9", UserAgent: "curl"}
		office := stranger // the guesser sits in the office: the address is the same
		wrong, refused := 0, 0
		for _, email := range []string{c.email, "nobody@academy.example"} {
			for range 20 {
				_, err := w.Staff.SignIn(w.Ctx, stranger, email, "wrong password", "forged.browser")
				switch problem := admission.AsProblem(err); {
				case problem == nil:
					t.Fatal(err)
				case problem.Kind == admission.TooMany:
					refused++
				default:
					businesstest.ExpectProblem(t, err, admission.Invalid, "password", "The e-mail or the password is wrong")
					wrong++
				}
			}
		}
		businesstest.Equal(t, "wrong", wrong, 30)
		businesstest.Equal(t, "refused", refused, 10)
		_, err := w.Staff.SignIn(w.Ctx, office, c.email, password, "")
		businesstest.Equal(t, "a new browser at that address waits", admission.AsProblem(err) != nil && admission.AsProblem(err).Kind == admission.TooMany, true)
		c.visitor = office
		w.Clock.Pass(30 * time.Second)
		_, err = c.signIn(c.code())
		w.Must(err) // the browser is known
		other := working(w, "arvind@academy.example", "Arvind Kulkarni", "finance")
		_, err = w.Staff.SignIn(w.Ctx, office, c.email, password, other.browser)
		businesstest.Equal(t, "a colleague's browser is not Kavya's", admission.AsProblem(err) != nil && admission.AsProblem(err).Kind == admission.TooMany, true)
		w.Clock.Pass(15 * time.Minute)
		_, err = w.Staff.SignIn(w.Ctx, office, c.email, password, "")
		w.Must(err)
	})
}

func TestSessionsEnd(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		for range 24 { // in use all day
			w.Clock.Pass(29 * time.Minute)
			c.person()
		}
		w.Clock.Pass(24 * time.Minute)
		c.expectDead("a session of 12 hours", c.token)
		in, err := c.signIn(c.code())
		w.Must(err)
		c.token = in.Token
		w.Clock.Pass(30 * time.Minute)
		c.expectDead("a session that was not used for 30 minutes", c.token)

		in, err = c.signIn(c.code())
		w.Must(err)
		c.token = in.Token
		w.Clock.Pass(time.Minute)
		second, err := c.signIn(c.code())
		w.Must(err)
		open, err := w.Staff.Sessions(w.Ctx, c.id)
		w.Must(err)
		businesstest.Equal(t, "open sessions", len(open), 2)
		w.Must(w.Staff.EndOtherSessions(w.Ctx, c.person(), c.actor()))
		c.expectDead("the other session", second.Token)

		other := working(w, "meera@academy.example", "Meera Nambiar", "support")
		err = w.Staff.EndSession(w.Ctx, other.person(), c.person().Session.ID, other.actor())
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "This session has ended") // support ends no one else's
		w.Must(w.Staff.EndSession(w.Ctx, c.person(), other.person().Session.ID, c.actor()))
		other.expectDead("a session that an admin ended", other.token)
		w.Must(w.Staff.EndSession(w.Ctx, c.person(), c.person().Session.ID, c.actor()))
		c.expectDead("a session after the sign-out", c.token)
		tail := log(w)
		businesstest.Same(t, "log", tail[len(tail)-2:], []string{
			"Kavya Hegde: ended a session (staff Meera Nambiar) session → ", "Kavya Hegde: logged out (staff Kavya Hegde) session → ",
		})
	})
}

func TestResetAndEndOfAnAccount(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		admin := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		c := working(w, "meera@academy.example", "Meera Nambiar", "support")
		token, err := w.Staff.Reset(w.Ctx, c.id, admin.actor())
		w.Must(err)
		c.expectDead("a session from before the reset", c.token)
		w.Clock.Pass(time.Minute)
		_, err = c.signIn(c.code())
		businesstest.ExpectProblem(t, err, admission.Invalid, "password", "The e-mail or the password is wrong")
		c.setUp(token)

		w.Must(w.Staff.End(w.Ctx, c.id, admin.actor()))
		c.expectDead("a session of an ended account", c.token)
		_, err = c.signIn(c.code())
		businesstest.ExpectProblem(t, err, admission.Invalid, "password", "The e-mail or the password is wrong")
		err = w.Staff.End(w.Ctx, c.id, admin.actor())
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "Meera Nambiar cannot sign in since "+admission.Date(w.Clock.Now()))
		_, err = w.Staff.Add(w.Ctx, staff.NewAccount{Email: c.email, Name: "Meera", Roles: []string{"support"}}, shell)
		businesstest.ExpectProblem(t, err, admission.Invalid, "email", "Meera Nambiar had this address until "+admission.Date(w.Clock.Now())+". Reset that account to let them in again")

		const last = "Kavya Hegde is the only admin who can sign in. Make somebody else an admin first"
		businesstest.ExpectProblem(t, w.Staff.End(w.Ctx, admin.id, shell), admission.Conflict, "roles", last)
		version := admin.person().Version
		businesstest.ExpectProblem(t, w.Staff.SetRoles(w.Ctx, admin.id, version, []string{"support"}, admin.actor()), admission.Conflict, "roles", last)
		invited, _ := invite(w, "other@academy.example", "Arvind Kulkarni", "admin")
		businesstest.ExpectProblem(t, w.Staff.End(w.Ctx, admin.id, shell), admission.Conflict, "roles", last) // an invitation is no admin who can sign in
		w.Must(w.Staff.End(w.Ctx, invited.id, shell))
		w.Must(w.Staff.SetRoles(w.Ctx, admin.id, version, []string{"support", "admin"}, admin.actor()))
		businesstest.ExpectProblem(t, w.Staff.SetRoles(w.Ctx, admin.id, version, []string{"admin"}, admin.actor()), admission.Conflict, "roles",
			"Somebody changed this account after you opened it. It has these roles now: Support, Admin")
		businesstest.ExpectProblem(t, w.Staff.SetRoles(w.Ctx, admin.id, version+1, nil, admin.actor()), admission.Invalid, "roles", "Choose at least one role")
		businesstest.ExpectProblem(t, w.Staff.End(w.Ctx, "nobody", shell), admission.NotFound, "", "There is no such account")
		tail := log(w)
		businesstest.Equal(t, "last row", tail[len(tail)-1], "Kavya Hegde: changed roles (staff Kavya Hegde) Admin → Support, Admin")
		differences, err := w.Database.Verify(w.Ctx, func(time.Time) bool { return false })
		w.Must(err)
		businesstest.Equal(t, "differences", len(differences), 0)
	})
}

func TestTwoAdminsDoNotEndEachOther(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		a, b := working(w, "a@academy.example", "Asha Rao", "admin"), working(w, "b@academy.example", "Bela Rao", "admin")
		var wait sync.WaitGroup
		ended := make([]error, 2)
		for i, ends := range []struct{ by, whom *colleague }{{a, b}, {b, a}} {
			by := ends.by.actor()
			wait.Go(func() { ended[i] = w.Staff.End(w.Ctx, ends.whom.id, by) })
		}
		wait.Wait()
		if refused := errors.Join(ended...); refused == nil || ended[0] != nil && ended[1] != nil {
			t.Errorf("ended: %v", ended)
		}
	})
}

func TestAConfirmationTakesACodeAndExpires(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "finance")
		businesstest.Equal(t, "the sign-in confirms", c.person().Session.Confirmed(w.Clock.Now()), true)
		w.Clock.Pass(10 * time.Minute)
		businesstest.Equal(t, "for 10 minutes", c.person().Session.Confirmed(w.Clock.Now()), false)
		businesstest.ExpectProblem(t, w.Staff.Confirm(w.Ctx, c.visitor, c.person(), c.token, "123456", "req"), admission.Invalid, "code", "This code is wrong or was used before. Wait for the next one")
		w.Must(w.Staff.Confirm(w.Ctx, c.visitor, c.person(), c.token, c.code(), "req"))
		businesstest.Equal(t, "confirmed", c.person().Session.Confirmed(w.Clock.Now()), true)
		for range 4 {
			_ = w.Staff.Confirm(w.Ctx, c.visitor, c.person(), c.token, "123456", "req")
		}
		err := w.Staff.Confirm(w.Ctx, c.visitor, c.person(), c.token, "123456", "req")
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "Too many wrong codes. Enter your password again")
		c.expectDead("a stolen session that guesses codes", c.token)
	})
}

func TestTheLogIsReadInPages(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "meera@academy.example", "Meera Nambiar", "support")
		w.Clock.Pass(time.Minute)
		for range 7 {
			w.Must(w.Staff.Deny(w.Ctx, c.actor(), staff.ManageStaff, "/admin/staff 100%_\\ sure"))
		}
		pages, before := []int{}, int64(0)
		for {
			acts, next, err := w.Staff.Acts(w.Ctx, staff.ActFilter{Account: c.id}, before, 3)
			w.Must(err)
			pages = append(pages, len(acts))
			if before = next; next == 0 {
				break
			}
		}
		businesstest.Same(t, "sizes of pages", pages, []int{3, 3, 3})
		for _, row := range []struct {
			filter staff.ActFilter
			found  int
		}{
			{staff.ActFilter{}, 10}, {staff.ActFilter{Denied: true}, 7}, {staff.ActFilter{Text: "100%_\\ SURE"}, 7}, {staff.ActFilter{Text: "100%_ "}, 0}, {staff.ActFilter{Text: "nambiar"}, 10},
			{staff.ActFilter{Text: "ravi"}, 1}, {staff.ActFilter{Account: "x"}, 0}, {staff.ActFilter{Since: w.Clock.Now()}, 7}, {staff.ActFilter{Since: w.Clock.Now().Add(time.Second)}, 0},
		} {
			acts, _, err := w.Staff.Acts(w.Ctx, row.filter, 0, 100)
			w.Must(err)
			if len(acts) != row.found {
				t.Errorf("%+v finds %d rows, want %d", row.filter, len(acts), row.found)
			}
		}
		acts, _, err := w.Staff.Acts(w.Ctx, staff.ActFilter{}, 0, 1)
		w.Must(err)
		p := c.person()
		businesstest.Equal(t, "whole row", acts[0].Act, staff.Act{
			At: w.Clock.Now().UTC().Truncate(time.Microsecond), Who: "Meera Nambiar", From: "203.0.113.24", What: "manage staff", Whom: "/admin/staff 100%_\\ sure",
			Account: c.id, Session: p.Session.ID, Request: "req", Denied: true,
		})
	})
}

func TestATablePermitsAndRefuses(t *testing.T) {
	for _, row := range []struct {
		roles   []staff.Role
		p       staff.Permission
		allowed bool
	}{
		{[]staff.Role{staff.Support}, staff.Refund, false}, {[]staff.Role{staff.Finance}, staff.Refund, true}, {[]staff.Role{staff.Support, staff.Finance}, staff.Refund, true},
		{[]staff.Role{staff.Finance}, staff.OpenDocuments, false}, {[]staff.Role{staff.Support}, staff.OpenDocuments, false}, {[]staff.Role{staff.Reviewer}, staff.OpenDocuments, true},
		{[]staff.Role{staff.Content}, staff.SeeRegistrations, false}, {[]staff.Role{staff.Reviewer}, staff.ExportPeople, false}, {nil, staff.Desk, false},
		{[]staff.Role{staff.Admin}, "unheard of", false}, {[]staff.Role{"root"}, staff.Desk, false}, {[]staff.Role{staff.Content}, staff.Desk, true},
	} {
		if staff.Allows(row.roles, row.p) != row.allowed {
			t.Errorf("%v %s: want %v", row.roles, row.p, row.allowed)
		}
	}
	for _, grant := range staff.Grants {
		if !slices.Contains(grant.Roles, staff.Admin) {
			t.Errorf("Admin has no %q", grant.Permission)
		}
	}
}
