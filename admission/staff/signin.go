package staff

import (
	"context"
	"crypto/subtle"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"

	"hiresure/admission"
	"hiresure/admission/access"
)

// SignedIn is what a step of the sign-in gives the browser.
type SignedIn struct {
	Token   string // of the session's cookie
	Browser string // of the cookie by which the account's own browser is known later; "" before the session is open
	Stage   Stage
}

const (
	wrongPassword = "The e-mail or the password is wrong"
	wrongCode     = "This code is wrong or was used before. Wait for the next one"
	tooManyCodes  = "Too many wrong codes. Enter your password again"
	signInExpired = "This took more than 10 minutes. Enter your password again"
)

// tries returns the limits of a step. A browser that has signed in to the account before has its own, so that strangers cannot lock a
// colleague out.
func (s *Service) tries(v admission.Visitor, what, known string) []access.Limit {
	if known != "" {
		return []access.Limit{{Bucket: "staff " + what + " browser:" + known, Max: 10, Per: 15 * time.Minute}}
	}
	limit := access.PerAddress("staff "+what, v, 30, 15*time.Minute)
	limit.Lifted = false
	return []access.Limit{limit}
}

// knownBrowser returns the id of a browser that has signed in to an account, from its cookie; "" if it has not.
func (s *Service) knownBrowser(a *Account, browser string) string {
	id, mac, _ := strings.Cut(browser, ".")
	if a == nil || id == "" || subtle.ConstantTimeCompare([]byte(mac), []byte(s.mac("browser", a.ID, id))) != 1 {
		return ""
	}
	return id
}

// limited runs work unless the tries are used up, and counts it as a try, good or bad.
func (s *Service) limited(ctx context.Context, v admission.Visitor, limits []access.Limit, work func() error) error {
	var bound []access.Limit
	err := s.Store.Update(ctx, func(tx Tx) (err error) {
		if bound, err = s.Access.Within(tx, v, limits...); err != nil {
			return err
		}
		return access.Count(tx, s.Clock(), bound...) // before the work, so that tries at the same time count too
	})
	if err != nil {
		return err
	}
	return work()
}

// SignIn checks e-mail and password and starts a session, which then needs a code, or the second step to be set up. browser is
// the cookie of an earlier sign-in, or "".
func (s *Service) SignIn(ctx context.Context, v admission.Visitor, email, password, browser string) (in SignedIn, err error) {
	var a *Account
	if err := s.Store.View(ctx, func(tx Tx) (err error) {
		a, err = tx.StaffAccountByEmail(strings.ToLower(strings.TrimSpace(email)))
		return err
	}); err != nil {
		return in, err
	}
	err = s.limited(ctx, v, s.tries(v, "password", s.knownBrowser(a, browser)), func() error {
		phc := ""
		if a != nil && !a.Ended() {
			phc = a.Password
		}
		switch fits, err := passwordFits(ctx, password, phc); {
		case err != nil:
			return err
		case !fits:
			return invalid("password", wrongPassword)
		}
		stage := NeedsCode
		if !a.IsSetUp() {
			stage = NeedsSetUp
		}
		return s.Store.Update(ctx, func(tx Tx) error {
			in, _, err = s.start(tx, v, a.ID, stage)
			return err
		})
	})
	return in, err
}

// start adds a session. accountID is "" while nobody knows who it is.
func (s *Service) start(tx Tx, v admission.Visitor, accountID string, stage Stage) (SignedIn, *Session, error) {
	now, token := s.Clock(), admission.NewToken()
	session := Session{
		ID: admission.NewID(), TokenHash: admission.HashToken(token), AccountID: accountID, Stage: stage, IP: v.IP, UserAgent: v.UserAgent, StartedAt: now, SeenAt: now,
	}
	return SignedIn{Token: token, Stage: stage}, &session, tx.AddStaffSession(&session)
}

// GiveCode checks the second step of a sign-in: a code of the app, or a backup code. It opens the session under a new token.
func (s *Service) GiveCode(ctx context.Context, v admission.Visitor, token, code, browser string, request string) (in SignedIn, err error) {
	known := ""
	if p, err := s.find(ctx, token); err != nil {
		return in, err
	} else if p != nil {
		known = s.knownBrowser(&p.Account, browser)
	}
	err = s.limited(ctx, v, s.tries(v, "code", known), func() error {
		return s.withCode(ctx, token, code, func(tx Tx, session *Session, a *Account, how string) error {
			if session.Stage != NeedsCode {
				return signInOver()
			}
			in = SignedIn{Token: admission.NewToken(), Browser: s.newBrowser(a), Stage: Open}
			return s.openSession(tx, session, a, in.Token, "Password, "+how, s.actor(v, a, session, request))
		})
	})
	return in, err
}

// openSession opens a session under a new token and logs the sign-in.
func (s *Service) openSession(tx Tx, session *Session, a *Account, token, how string, by Actor) error {
	now := s.Clock()
	session.TokenHash, session.Stage, session.How = admission.HashToken(token), Open, how
	session.StartedAt, session.SeenAt, session.ConfirmedAt, session.WrongCodes, session.Challenge = now, now, now, 0, nil
	if err := tx.SaveStaffSession(session); err != nil {
		return err
	}
	a.SeenAt = now
	if err := tx.SaveStaffAccount(a); err != nil {
		return err
	}
	return tx.LogAct(by.Did(now, "signed in", whom(a), "", how))
}

func (s *Service) newBrowser(a *Account) string {
	id := admission.NewKey()
	return id + "." + s.mac("browser", a.ID, id)
}

// withCode runs work if a code belongs to the account of a session, and uses the code up; how is "app" or "backup code". A wrong code is counted;
// after five the session ends.
func (s *Service) withCode(ctx context.Context, token, code string, work func(tx Tx, session *Session, a *Account, how string) error) error {
	var refused error // a wrong code commits its count
	err := s.Store.Update(ctx, func(tx Tx) error {
		refused = nil
		session, a, err := s.lock(tx, token)
		if err != nil {
			return err
		}
		how := ""
		if how, err = s.use(a, code); err != nil {
			return err
		}
		if how != "" {
			if err := work(tx, session, a, how); err != nil {
				return err
			}
			return tx.SaveStaffAccount(a)
		}
		refused = invalid("code", wrongCode)
		if session.WrongCodes++; session.WrongCodes >= maxWrongCodes {
			refused = &admission.Problem{Kind: admission.SignedOut, Message: tooManyCodes}
			return tx.DeleteStaffSession(session.ID)
		}
		return tx.SaveStaffSession(session)
	})
	if err != nil {
		return err
	}
	return refused
}

// lock returns a live session with its account, both locked, or a Problem.
func (s *Service) lock(tx Tx, token string) (*Session, *Account, error) {
	found, err := tx.StaffSessionByToken(admission.HashToken(token))
	if err != nil {
		return nil, nil, err
	}
	if found == nil {
		return nil, nil, signInOver()
	}
	a, err := tx.StaffAccountForUpdate(found.AccountID)
	if err != nil {
		return nil, nil, err
	}
	session, err := tx.StaffSessionForUpdate(found.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case a == nil || a.Ended() || session == nil || session.TokenHash != found.TokenHash || !session.IsLive(s.Clock()):
		return nil, nil, signInOver()
	}
	return session, a, nil
}

func signInOver() error { return &admission.Problem{Kind: admission.SignedOut, Message: signInExpired} }

// use uses up a code of the account's app or a backup code. It returns "app", "backup code", or "" for a wrong code.
func (s *Service) use(a *Account, typed string) (how string, err error) {
	step, err := stepOf(a.Secret, typed, s.Clock())
	switch {
	case err != nil:
		return "", err
	case step > a.LastStep:
		a.LastStep = step
		return "app", nil
	}
	i := slices.Index(a.Codes, s.backupMAC(a.ID, typed))
	if i < 0 {
		return "", nil
	}
	a.Codes = slices.Delete(slices.Clone(a.Codes), i, i+1)
	return "backup code", nil
}

// period is how long a code of the app is valid (RFC 6238). Codes of the period before and after are accepted too.
const period = 30 // seconds

// stepOf returns the time step of a code of the app; 0 for a wrong code or an empty secret.
func stepOf(secret, typed string, now time.Time) (step int64, err error) {
	code := strings.NewReplacer(" ", "", "-", "").Replace(typed)
	if secret == "" || len(code) != 6 {
		return 0, nil
	}
	for _, at := range []time.Time{now, now.Add(-period * time.Second), now.Add(period * time.Second)} {
		want, err := totp.GenerateCode(secret, at)
		if err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step = at.Unix() / period
		}
	}
	return step, nil
}

// backupMAC returns what is stored of a backup code, as typed in any case, with or without spaces and the dash.
func (s *Service) backupMAC(accountID, typed string) string {
	code := strings.NewReplacer(" ", "", "-", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(typed))
	return s.mac("backup code", accountID, code)
}

func (s *Service) Confirm(ctx context.Context, v admission.Visitor, p *Person, token, code, request string) error {
	return s.limited(ctx, v, s.tries(v, "code", p.Session.ID), func() error {
		return s.withCode(ctx, token, code, func(tx Tx, session *Session, a *Account, how string) error {
			session.ConfirmedAt, session.WrongCodes = s.Clock(), 0
			if err := tx.SaveStaffSession(session); err != nil {
				return err
			}
			return tx.LogAct(s.actor(v, a, session, request).Did(s.Clock(), "confirmed who they are", whom(a), "", how))
		})
	})
}
