package correct

import (
	"context"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/forms"
)

// Change is a correction as a colleague's form sends it.
type Change struct {
	RegistrationID string
	Field          Field
	Was            string // value from which the form was made
	Waiting        string // id of the request that waited then; "" for none
	Value          string // as typed
	How            string // key of a Way
	Why            string // for colleagues; "" for none
	Receipt        bool   // send the receipt again once the e-mail is confirmed
}

// Way is how a colleague confirmed who asks for a correction.
type Way struct{ Key, Text string }

// Ways returns the ways to confirm who asks.
func Ways(f Field, r *enrol.Registration) []Way {
	known := "name and course matched"
	if r.IsApplication() {
		known = "name and date of birth matched"
	}
	office := Way{"office", "Came to the office with an ID"}
	switch f {
	case Email:
		return []Way{{"called", "Called from the verified phone; " + known}, {"wrote", "Wrote from the old address"}, office}
	case Phone:
		return []Way{{"wrote", "Wrote from the verified e-mail"}, {"called", "Called from the old phone; " + known}, office}
	}
	return []Way{{"id", "Sent a picture of an ID with this name"}, {"called", "Called from the verified phone and spelled it"}, office}
}

// Stale is returned for a form whose registration has changed since: another colleague, or the person, was faster.
type Stale struct {
	Was, Theirs, Mine string
	Waits             bool   // Theirs waits for its owner
	Who               string // "" for the person
	At                time.Time
}

func (s *Stale) Error() string { return "the registration has changed since" }

// Check returns the other registrations of a new phone, and what Ask or Rename would refuse: a Problem or a *Stale.
func (s *Service) Check(ctx context.Context, c Change) (others []enrol.Registration, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		j, err := s.judge(tx, c)
		if err == nil && c.Field == Phone {
			others, err = tx.RegistrationsOfPhone(j.value, maxOwn)
		}
		return err
	})
	return others, err
}

// maxOwn limits the registrations of a phone that are read.
const maxOwn = 50

// judged is a change that is allowed.
type judged struct {
	r       *enrol.Registration // locked
	value   string
	how     string
	waiting []Request // of the field, locked
}

// judge checks a change and locks its registration.
func (s *Service) judge(tx Tx, c Change) (j judged, err error) {
	r, err := enrol.FindPerson(tx, c.RegistrationID)
	if err != nil {
		return j, err
	}
	if j.value, err = s.clean(c); err != nil {
		return j, err
	}
	taken, err := s.taken(tx, r, c.Field, j.value) // locks what is locked before a registration
	if err != nil {
		return j, err
	}
	if j.r, err = tx.RegistrationForUpdate(r.ID); err != nil {
		return j, err
	}
	if !j.r.HasPerson() {
		return j, admission.NotFoundProblem("Registration")
	}
	if j.waiting, err = tx.WaitingCorrections(r.ID); err != nil {
		return j, err
	}
	j.waiting = slices.DeleteFunc(j.waiting, func(w Request) bool { return w.Field != c.Field })
	if err := s.checkStale(tx, c, j); err != nil {
		return j, err
	}
	if same(c.Field, j.value, Value(j.r, c.Field)) {
		return j, admission.FieldProblem(string(c.Field), "This is what we have already")
	}
	if taken != "" {
		return j, admission.FieldProblem(string(c.Field), taken)
	}
	ways := Ways(c.Field, j.r)
	i := slices.IndexFunc(ways, func(w Way) bool { return w.Key == c.How })
	if i < 0 {
		return j, admission.FieldProblem("how", "Choose how you confirmed it")
	}
	j.how = ways[i].Text
	if len([]rune(c.Why)) > maxWhy {
		return j, admission.FieldProblem("why", "Use at most 200 characters")
	}
	return j, nil
}

// maxWhy limits the words for colleagues, in characters.
const maxWhy = 200

// Value returns what a registration has in a field.
func Value(r *enrol.Registration, f Field) string {
	switch f {
	case Email:
		return r.Email
	case Phone:
		return r.Phone
	}
	return r.FullName
}

// same reports whether two values of a field are equal. Names differ by their capitals.
func same(f Field, a, b string) bool {
	if f == Name {
		return a == b
	}
	return strings.EqualFold(a, b)
}

// clean judges a value by the rules of the enrolment form.
func (s *Service) clean(c Change) (string, error) {
	form := s.Forms.Get(enrol.FormName)
	name := map[Field]string{Email: "email", Phone: "phone_number", Name: "fullname"}[c.Field]
	in := map[string]string{"fullname": "-", "email": "-"} // rules of a field ask for those before
	if in[name] = c.Value; c.Field == Phone {
		in[name] = forms.TenDigits(c.Value)
	}
	clean, faults := form.CheckOnly(in, forms.Env{}, name)
	if len(faults) > 0 {
		message := faults[0].Message
		if meant := meantHost(c.Value); c.Field == Email && meant != "" {
			message += " Did you mean " + meant + "?"
		}
		return "", admission.FieldProblem(string(c.Field), message)
	}
	if c.Field == Phone {
		return admission.IndianPhone(clean[name]), nil
	}
	return clean[name], nil
}

// mailHosts are hosts that people misspell, as the forms' pattern "misspelt mail host" knows them.
var mailHosts = []string{"gmail.com", "yahoo.com", "yahoo.in", "yahoo.co.in", "hotmail.com", "outlook.com", "rediffmail.com"}

// meantHost returns the mail host that a misspelt address means; "" for none that is close.
func meantHost(address string) (meant string) {
	_, host, _ := strings.Cut(strings.ToLower(strings.TrimSpace(address)), "@")
	least := 3
	for _, known := range mailHosts {
		if n := edits(host, known); n < least {
			meant, least = known, n
		}
	}
	return meant
}

// edits returns how many letters must be added, left out, changed, or swapped with their neighbour.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			change := row[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			next[j] = min(change, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// taken returns why a registration cannot have a value, which others may hold; "" if it can. It locks the address.
func (s *Service) taken(tx Tx, r *enrol.Registration, f Field, value string) (string, error) {
	if f == Name {
		return "", nil
	}
	other, err := tx.AccountOf(value)
	if err != nil {
		return "", err
	}
	follows, err := s.accountFollows(tx, r, f)
	if err != nil {
		return "", err
	}
	if other != nil && follows && other.ID != r.AccountID {
		return "Another account signs in with this " + map[Field]string{Email: "e-mail", Phone: "number"}[f], nil
	}
	if f == Email {
		holder, err := tx.PhoneOfEmail(r.EventCode, value)
		if err == nil && holder != "" && holder != r.Phone {
			return "Another registration for the same exam has this e-mail", nil
		}
		return "", err
	}
	if value == r.GuardianPhone && !r.SharedPhone {
		return "This is the guardian’s number", nil
	}
	own, err := ownRegistrations(tx, r)
	if err != nil {
		return "", err
	}
	for _, moves := range own {
		if id, err := tx.RegistrationIDOf(moves.EventCode, value); err != nil || id != "" && !moves.Refunded {
			return "This number has a registration for the same exam. Each number can register one person", err
		}
	}
	return "", nil
}

// accountFollows reports whether the account of a registration has the address that is corrected, and gets the new one too. The e-mail of
// an application is always its account's.
func (s *Service) accountFollows(tx Tx, r *enrol.Registration, f Field) (bool, error) {
	if r.AccountID == "" {
		return false, nil
	}
	a, err := tx.Account(r.AccountID)
	if err != nil || a == nil {
		return false, err
	}
	switch f {
	case Email:
		return r.IsApplication() || strings.EqualFold(a.Email, r.Email), nil
	case Phone:
		return a.PhoneVerified() && a.Phone == r.Phone, nil
	}
	return r.IsApplication() || a.FullName == r.FullName, nil
}

// ownRegistrations returns the registrations of the same phone and account, by id.
func ownRegistrations(tx Tx, r *enrol.Registration) ([]enrol.Registration, error) {
	all, err := tx.RegistrationsOfPhone(r.Phone, maxOwn)
	all = slices.DeleteFunc(all, func(o enrol.Registration) bool { return o.AccountID != r.AccountID || !o.HasPerson() })
	slices.SortFunc(all, func(a, b enrol.Registration) int { return strings.Compare(a.ID, b.ID) })
	return all, err
}

const changedMeanwhile = "This was done already"

// checkStale returns a *Stale if the registration has changed since the form was made, and a Conflict if that was the same change.
func (s *Service) checkStale(tx Tx, c Change, j judged) error {
	current := Value(j.r, c.Field)
	if !same(c.Field, c.Was, current) {
		if same(c.Field, j.value, current) {
			return admission.ConflictProblem("", changedMeanwhile)
		}
		stale := &Stale{Was: c.Was, Theirs: current, Mine: j.value, At: j.r.ModifiedAt}
		entries, err := tx.EntriesOf(j.r.ID, maxOwn)
		for _, e := range entries {
			if _, is, _ := e.OldNew(); e.Kind == correctedEntries[c.Field] && is == current {
				stale.Who, stale.At = e.Who, e.At
			}
		}
		if err != nil {
			return err
		}
		return stale
	}
	for _, w := range j.waiting {
		switch {
		case w.ID == c.Waiting || w.Expired(s.Clock()):
		case same(c.Field, w.Value, j.value):
			return admission.ConflictProblem("", changedMeanwhile)
		default:
			return &Stale{Was: current, Theirs: w.Value, Mine: j.value, Waits: true, Who: w.Who, At: w.CreatedAt}
		}
	}
	return nil
}

var (
	askedEntries     = map[Field]enrol.EntryKind{Email: enrol.EntryEmailAsked, Phone: enrol.EntryPhoneAsked}
	correctedEntries = map[Field]enrol.EntryKind{Email: enrol.EntryEmailCorrected, Phone: enrol.EntryPhoneCorrected, Name: enrol.EntryNameCorrected}
)
