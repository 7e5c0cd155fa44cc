package staff_test

import (
	"maps"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/business/businesstest"
	"hiresure/admission/staff"
)

const (
	site        = "https://www.example.in"
	notAccepted = "This passkey was not accepted. Try again, or sign in another way"
	expired     = "The request for your passkey has expired. Try again"
)

// addPasskey adds a passkey to an open session.
func (c *colleague) addPasskey() *businesstest.Authenticator {
	c.T.Helper()
	d := businesstest.NewAuthenticator(c.T, site)
	options, err := c.Staff.AskNewPasskey(c.Ctx, c.token)
	c.Must(err)
	_, err = c.Staff.AddPasskey(c.Ctx, c.visitor, c.token, d.Create(options), "Firefox on Linux", "req")
	c.Must(err)
	return d
}

// signInWith signs in by a passkey.
func (c *colleague) signInWith(d *businesstest.Authenticator) (staff.SignedIn, error) {
	c.T.Helper()
	begun, options, err := c.Staff.AskPasskey(c.Ctx, c.visitor, "")
	c.Must(err)
	return c.Staff.SignInByPasskey(c.Ctx, c.visitor, begun.Token, d.Sign(options), c.browser, "req")
}

// confirmWith confirms the open session by a passkey.
func (c *colleague) confirmWith(d *businesstest.Authenticator) error {
	c.T.Helper()
	options, err := c.Staff.AskPasskeyToConfirm(c.Ctx, c.token)
	c.Must(err)
	return c.Staff.ConfirmByPasskey(c.Ctx, c.visitor, c.person(), c.token, d.Sign(options), "req")
}

func TestAPasskeyIsBothSteps(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		d := c.addPasskey()
		begun, options, err := w.Staff.AskPasskey(w.Ctx, c.visitor, "")
		w.Must(err)
		c.expectDead("a session that waits for a passkey", begun.Token)
		in, err := w.Staff.SignInByPasskey(w.Ctx, c.visitor, begun.Token, d.Sign(options), c.browser, "req")
		w.Must(err)
		businesstest.Equal(t, "stage", in.Stage, staff.Open)
		c.token = in.Token
		businesstest.Equal(t, "how", c.person().Session.How, "Passkey")
		businesstest.Equal(t, "the browser is known", in.Browser != "", true)
		w.Clock.Pass(10 * time.Minute)
		_, err = c.Staff.AskNewPasskey(c.Ctx, c.token)
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", "Confirm first that it is you")
		w.Must(c.confirmWith(d))
		businesstest.Equal(t, "confirmed", c.person().Session.Confirmed(w.Clock.Now()), true)
		keys, err := w.Staff.Passkeys(w.Ctx, c.id)
		w.Must(err)
		businesstest.Equal(t, "passkeys", len(keys), 1)
		businesstest.Equal(t, "last use", keys[0].UsedAt.Equal(w.Clock.Now()), true)
		businesstest.Equal(t, "counter", keys[0].Credential.Authenticator.SignCount, 2)
		w.Must(w.Staff.RemovePasskey(w.Ctx, c.person(), keys[0].ID, c.actor()))
		_, err = c.signInWith(d)
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", notAccepted)
		tail := log(w)
		businesstest.Same(t, "log", tail[len(tail)-4:], []string{
			"Kavya Hegde: added a passkey (staff Kavya Hegde)  → Firefox on Linux",
			"Kavya Hegde: signed in (staff Kavya Hegde)  → Passkey",
			"Kavya Hegde: confirmed who they are (staff Kavya Hegde)  → passkey",
			"Kavya Hegde: removed a passkey (staff Kavya Hegde) Firefox on Linux → ",
		})
	})
}

func TestAPasskeyCompletesACodeStep(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		d := c.addPasskey()
		w.Clock.Pass(time.Minute)
		pending, err := w.Staff.SignIn(w.Ctx, c.visitor, c.email, password, c.browser)
		w.Must(err)
		begun, options, err := w.Staff.AskPasskey(w.Ctx, c.visitor, pending.Token)
		w.Must(err)
		businesstest.Equal(t, "the session goes on", begun.Token, pending.Token)
		in, err := w.Staff.SignInByPasskey(w.Ctx, c.visitor, begun.Token, d.Sign(options), c.browser, "req")
		w.Must(err)
		c.expectDead("the token before", pending.Token)
		c.token = in.Token
		c.person()
	})
}

func TestALinkLeadsToAPasskeyWithoutAPassword(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c, link := invite(w, "kavya@academy.example", "Kavya Hegde", "admin")
		d := businesstest.NewAuthenticator(t, site)
		begun, _, err := w.Staff.AskPasskeyForLink(w.Ctx, c.visitor, link)
		w.Must(err)
		_, _, err = w.Staff.PrepareSetUp(w.Ctx, begun.Token)
		businesstest.ExpectProblem(t, err, admission.SignedOut, "", "This took more than 10 minutes. Enter your password again") // no app without a password
		begun, options, err := w.Staff.AskPasskeyForLink(w.Ctx, c.visitor, link)                                                 // after a cancel
		w.Must(err)
		_, foreign := invite(w, "meera@academy.example", "Meera Nambiar", "support")
		_, err = w.Staff.AcceptWithPasskey(w.Ctx, c.visitor, begun.Token, foreign, d.Create(options), "Phone", "req")
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "This link has been used or has expired. Ask an admin for a new one")
		begun, options, err = w.Staff.AskPasskeyForLink(w.Ctx, c.visitor, link)
		w.Must(err)
		in, err := w.Staff.AcceptWithPasskey(w.Ctx, c.visitor, begun.Token, link, d.Create(options), "Phone", "req")
		w.Must(err)
		c.token, c.browser = in.Token, in.Browser
		p := c.person()
		businesstest.Equal(t, "set up", p.IsSetUp() && p.Password == "" && p.Secret == "", true)
		_, _, err = w.Staff.AskPasskeyForLink(w.Ctx, c.visitor, link)
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "This link has been used or has expired. Ask an admin for a new one")
		keys, err := w.Staff.Passkeys(w.Ctx, c.id)
		w.Must(err)
		err = w.Staff.RemovePasskey(w.Ctx, p, keys[0].ID, c.actor())
		businesstest.ExpectProblem(t, err, admission.Conflict, "", "This is your only way to sign in. Add another passkey first")
		businesstest.ExpectProblem(t, w.Staff.End(w.Ctx, c.id, shell), admission.Conflict, "roles", "Kavya Hegde is the only admin who can sign in. Make somebody else an admin first")
		second := c.addPasskey()
		w.Must(w.Staff.RemovePasskey(w.Ctx, p, keys[0].ID, c.actor()))
		_, err = c.signInWith(second)
		w.Must(err)
	})
}

func TestAPasskeyReplacesTheAppInASetUp(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		c, link := invite(w, "kavya@academy.example", "Kavya Hegde", "admin")
		begun, err := w.Staff.ChoosePassword(w.Ctx, c.visitor, link, password, "req")
		w.Must(err)
		other, err := w.Staff.SignIn(w.Ctx, c.visitor, c.email, password, "")
		w.Must(err)
		_, set, err := w.Staff.PrepareSetUp(w.Ctx, other.Token)
		w.Must(err)
		d := businesstest.NewAuthenticator(t, site)
		options, err := w.Staff.AskNewPasskey(w.Ctx, begun.Token)
		w.Must(err)
		_, err = w.Staff.AddPasskey(w.Ctx, c.visitor, begun.Token, d.Create(options), "Phone", "req")
		w.Must(err)
		_, err = w.Staff.SignIn(w.Ctx, c.visitor, c.email, password, "")
		businesstest.ExpectProblem(t, err, admission.Invalid, "password", "The e-mail or the password is wrong") // the password alone must not open it
		c.secret = set.Secret
		for _, err := range []error{
			func() error { _, _, err := w.Staff.PrepareSetUp(w.Ctx, other.Token); return err }(),
			func() error { _, err := w.Staff.AskNewPasskey(w.Ctx, other.Token); return err }(),
			func() error {
				_, err := w.Staff.FinishSetUp(w.Ctx, c.visitor, other.Token, c.code(), true, "req")
				return err
			}(),
		} {
			businesstest.ExpectProblem(t, err, admission.SignedOut, "", "This took more than 10 minutes. Enter your password again")
		}
		_, err = c.signInWith(d)
		w.Must(err)
	})
}

func TestAPasskeyIsRefused(t *testing.T) {
	for name, row := range map[string]struct {
		message string
		change  func(c *colleague, d *businesstest.Authenticator)
	}{
		"wrong origin":              {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Origin = "https://www.example.in.evil.example" }},
		"plain HTTP":                {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Origin = "http://www.example.in" }},
		"another port":              {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Origin = "https://www.example.in:8443" }},
		"another site's passkey":    {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Site = "example.org" }},
		"nobody touched the sensor": {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Verifies = false }},
		"another key": {notAccepted, func(c *colleague, d *businesstest.Authenticator) {
			d.Key = businesstest.NewAuthenticator(c.T, site).Key
		}},
		"another account's handle": {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Handle = []byte("somebody else") }},
		"no handle":                {notAccepted, func(_ *colleague, d *businesstest.Authenticator) { d.Handle = nil }},
		"an unknown passkey":       {notAccepted, func(c *colleague, d *businesstest.Authenticator) { d.ID = businesstest.NewAuthenticator(c.T, site).ID }},
		"a removed passkey": {notAccepted, func(c *colleague, _ *businesstest.Authenticator) {
			keys, err := c.Staff.Passkeys(c.Ctx, c.id)
			c.Must(err)
			c.Must(c.Staff.RemovePasskey(c.Ctx, c.person(), keys[0].ID, c.actor()))
		}},
		"an ended account": {notAccepted, func(c *colleague, _ *businesstest.Authenticator) { c.Must(c.Staff.End(c.Ctx, c.id, shell)) }},
		"a reset account": {notAccepted, func(c *colleague, _ *businesstest.Authenticator) {
			_, err := c.Staff.Reset(c.Ctx, c.id, shell)
			c.Must(err)
		}},
		"a counter that went back": {"This passkey was used on another device. Tell an admin, and sign in another way", func(c *colleague, d *businesstest.Authenticator) {
			d.Counter = 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
				working(w, "arvind@academy.example", "Arvind Kulkarni", "admin")
				c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
				d := c.addPasskey()
				for range 2 {
					_, err := c.signInWith(d)
					w.Must(err)
				}
				row.change(c, d)
				in, err := c.signInWith(d)
				businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", row.message)
				c.expectDead("a refused passkey", in.Token)
			})
		})
	}
}

func TestACopiedPasskeyIsToldAndLogged(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		d := c.addPasskey()
		copied := *d
		for range 3 {
			_, err := c.signInWith(d)
			w.Must(err)
		}
		businesstest.ExpectProblem(t, c.confirmWith(&copied), admission.Invalid, "passkey", "This passkey was used on another device. Tell an admin, and sign in another way")
		tail := log(w)
		businesstest.Equal(t, "log", tail[len(tail)-1], "DENIED Kavya Hegde: use a copied passkey (staff Kavya Hegde)  → Firefox on Linux")
		businesstest.Same(t, "alerts", w.Alerts.All(), []string{"the counter of a passkey of staff went back, so it may have been copied: see the log"})
		_, err := c.signInWith(d) // the counter is kept
		w.Must(err)
	})
}

func TestAChallengeWorksOnceForOnePurpose(t *testing.T) {
	businesstest.OnBoth(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		d := c.addPasskey()
		other := working(w, "meera@academy.example", "Meera Nambiar", "support")
		theirs := other.addPasskey()

		begun, options, err := w.Staff.AskPasskey(w.Ctx, c.visitor, "")
		w.Must(err)
		answer := d.Sign(options)
		opened, err := w.Staff.SignInByPasskey(w.Ctx, c.visitor, begun.Token, answer, "", "req")
		w.Must(err)
		_, err = w.Staff.SignInByPasskey(w.Ctx, c.visitor, opened.Token, answer, "", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", expired) // replayed
		stranger, _, err := w.Staff.AskPasskey(w.Ctx, c.visitor, "")
		w.Must(err)
		_, err = w.Staff.SignInByPasskey(w.Ctx, c.visitor, stranger.Token, answer, "", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", notAccepted) // in another session
		_, err = w.Staff.SignInByPasskey(w.Ctx, c.visitor, stranger.Token, answer, "", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", expired) // a wrong answer uses the challenge up

		begun, options, err = w.Staff.AskPasskey(w.Ctx, c.visitor, "")
		w.Must(err)
		w.Clock.Pass(5 * time.Minute)
		_, err = w.Staff.SignInByPasskey(w.Ctx, c.visitor, begun.Token, d.Sign(options), "", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", expired)

		options, err = w.Staff.AskPasskeyToConfirm(w.Ctx, c.token)
		w.Must(err)
		_, err = w.Staff.SignInByPasskey(w.Ctx, c.visitor, c.token, d.Sign(options), "", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", expired) // meant to confirm
		businesstest.ExpectProblem(t, c.confirmWith(theirs), admission.Invalid, "passkey", notAccepted)

		creation, err := w.Staff.AskNewPasskey(w.Ctx, c.token)
		w.Must(err)
		_, err = w.Staff.AddPasskey(w.Ctx, c.visitor, c.token, theirs.Create(creation), "Phone", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", "This passkey was added before")
		answer = businesstest.NewAuthenticator(t, site).Create(creation)
		_, err = w.Staff.AddPasskey(w.Ctx, c.visitor, c.token, answer, "Phone", "req")
		businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", expired)
		for what, broken := range map[string]func(d *businesstest.Authenticator){
			"wrong origin": func(d *businesstest.Authenticator) { d.Origin = "https://evil.example" }, "no finger": func(d *businesstest.Authenticator) { d.Verifies = false }, "other site": func(d *businesstest.Authenticator) { d.Site = "evil.example" },
		} {
			creation, err := w.Staff.AskNewPasskey(w.Ctx, c.token)
			w.Must(err)
			d := businesstest.NewAuthenticator(t, site)
			broken(d)
			_, err = w.Staff.AddPasskey(w.Ctx, c.visitor, c.token, d.Create(creation), what, "req")
			businesstest.ExpectProblem(t, err, admission.Invalid, "passkey", notAccepted)
		}
		keys, err := w.Staff.Passkeys(w.Ctx, other.id)
		w.Must(err)
		err = w.Staff.RemovePasskey(w.Ctx, c.person(), keys[0].ID, c.actor())
		businesstest.ExpectProblem(t, err, admission.NotFound, "", "This passkey was removed before") // a colleague's
		businesstest.Equal(t, "passkeys", w.Count("staff_passkeys"), 2)
	})
}

func TestWrongPasskeysAreCounted(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		c := working(w, "kavya@academy.example", "Kavya Hegde", "admin")
		d := c.addPasskey()
		stranger := admission.Visitor{IP: "198.51.100.9", UserAgent: "curl"}
		kinds := map[admission.Kind]int{}
		for range 32 {
			_, err := w.Staff.SignInByPasskey(w.Ctx, stranger, "", "{}", "", "req")
			kinds[admission.AsProblem(err).Kind]++
		}
		if want := map[admission.Kind]int{admission.SignedOut: 30, admission.TooMany: 2}; !maps.Equal(kinds, want) {
			t.Errorf("tries: %v", kinds)
		}
		c.visitor = stranger
		_, err := c.signInWith(d) // the browser is known
		w.Must(err)
	})
}

func TestPasskeysNeedANameAsAddress(t *testing.T) {
	businesstest.OnSQLite(t, func(t *testing.T, w *businesstest.World) {
		for base, works := range map[string]bool{"https://www.example.in": true, "http://localhost:8080": true, "http://127.0.0.1:8080": false, "http://[::1]:8080": false} {
			s := *w.Staff
			s.BaseURL = base
			businesstest.Equal(t, base, s.HasPasskeys(), works)
			if _, _, err := s.AskPasskey(w.Ctx, admission.Visitor{IP: "203.0.113.9"}, ""); (err == nil) != works {
				t.Errorf("%s: %v", base, err)
			}
		}
	})
}
