// Package enrol handles registrations: the enrolment form, steps, coupons, referrals, tickets and abandoned enrolments.
package enrol

import (
	"cmp"
	"context"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
	"hiresure/admission/india"
	"hiresure/forms"
)

// Registration is one person's registration for one programme event. There is one per verified phone and event.
type Registration struct {
	ID            string // scholarship_requested_id on the wire
	EventSlug     string
	EventCode     string
	SubeventCode  string
	FullName      string
	Email         string
	Phone         string // E.164, verified
	Course        string // code
	StateCode     string // GST code of the State
	College       string
	ReferralCode  string
	CouponCode    string
	Adult         bool
	GuardianName  string
	GuardianPhone string // E.164, verified; "" for adults
	SharedPhone   bool   // the guardian uses the student's phone; staff may call to confirm
	Step          Step
	PaidTxnID     string
	TermsVersion  string
	TermsHash     string
	TermsAt       time.Time
	Refunded      bool
	CreatedAt     time.Time
	ModifiedAt    time.Time
	Answers       map[string]string // the form's other answers, by field; nil: none
	FormVersion   int               // version of the submitted form; 0 before forms had versions
	Ticket        string            // ticket number, "HS26-4K7M-K"; "" until paid
	TicketKey     string            // 22 random characters in the ticket page's address; "" until paid
	OwnReferral   string            // referral code to give to friends; "" until paid
	Source        string            // where the visit came from (admission.Source); the first one is kept
	AccountID     string            // the account with this verified phone; "" for none yet
	Reminded      int               // number of application reminders sent
	ErasedAt      time.Time         // when its person was deleted; the row is kept for its payments
}

func (r *Registration) Paid() bool { return r.PaidTxnID != "" }

// MatchesPerson reports whether a name and an e-mail are the registration's, ignoring case and extra spaces.
func (r *Registration) MatchesPerson(fullName, email string) bool {
	tidy := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	return strings.EqualFold(tidy(fullName), tidy(r.FullName)) && strings.EqualFold(email, r.Email)
}

// sourceField carries the source of a visit in calls and posts, next to the form's fields.
const sourceField = "source"

const (
	AlreadyPaid   = "You have already paid for this programme. Your receipt is in your e-mail."
	BeingChecked  = "Your payment is being checked. We e-mail you as soon as we know more."
	PaymentFailed = "Your payment did not go through"
)

// FormEnv returns what the enrolment form's rules depend on: the event's options and the day.
func FormEnv(event admission.Event, now time.Time) forms.Env {
	return forms.Env{Options: map[string][]forms.Option{"courses": CourseOptions(event), "states": StateOptions()}, Today: admission.ISODate(now)}
}

// Enrol creates or updates the registration of the visitor's verified phone for an event. Before payment it takes the
// new values, except that an open attempt keeps its amount. After payment it returns a Conflict.
func (s *Service) Enrol(ctx context.Context, v admission.Visitor, eventCode, subeventCode string, in map[string]string) (Registration, error) {
	event, err := s.openProgramme(eventCode, subeventCode)
	if err != nil {
		return Registration{}, err
	}
	var r *Registration
	var refusal error
	err = s.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		session, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		env := FormEnv(event, s.Clock())
		env.Proven = verifiedFields(session, in)
		form := s.form()
		clean, faults := form.Check(in, env)
		if problem := admission.FormProblem(faults); problem != nil {
			return problem
		}
		now, phone := s.Clock(), admission.IndianPhone(clean["phone_number"])
		guesses, err := s.Access.Within(tx, v, access.GuessLimits(v, phone)...)
		if err != nil {
			return err
		}
		if refusal = cmp.Or(checkEmailFree(tx, event.Code, clean["email"], phone), checkReferral(tx, clean[referralField], phone)); admission.AsProblem(refusal) != nil {
			return access.Count(tx, s.Clock(), guesses...)
		} else if refusal != nil {
			return refusal
		}
		if r, err = tx.RegistrationOf(event.Code, phone); err != nil {
			return err
		}
		isNew := r == nil
		if isNew {
			r = &Registration{ID: admission.NewID(), EventSlug: event.Slug, EventCode: event.Code, SubeventCode: event.SubeventCode, Phone: phone, Step: StepVerified, CreatedAt: now}
		}
		if r.Paid() {
			return admission.ConflictProblem("", AlreadyPaid)
		}
		if _, _, refusal = s.Price(tx, event, clean[CouponField], phone); admission.AsProblem(refusal) != nil {
			return access.Count(tx, s.Clock(), guesses...)
		} else if refusal != nil {
			return refusal
		}
		r.CouponCode = clean[CouponField] // for the next attempt: an open one keeps its amount
		r.fill(form, clean)
		r.TermsVersion, r.TermsHash, r.TermsAt = event.Terms.Version, event.Terms.Hash, now
		r.Source = cmp.Or(r.Source, admission.Source(in[sourceField]))
		r.ModifiedAt = now
		if err := save(tx, r, isNew, now); err != nil {
			return err
		}
		if err := s.Consents.Agree(tx, v, phone, r.ID, event.Terms.Version, clean); err != nil {
			return err
		}
		if err := tx.DeleteLead(event.Code, clean["email"]); err != nil {
			return err
		}
		session.Registered = access.Remember(session.Registered, r.ID)
		return tx.SaveSession(session)
	})
	if err == nil {
		err = refusal
	}
	if err != nil {
		return Registration{}, err
	}
	return *r, nil
}

// openProgramme returns an event that is open for enrolment. The application is not one.
func (s *Service) openProgramme(code, subevent string) (admission.Event, error) {
	if code == ApplicationCode {
		return admission.Event{}, admission.NotFoundProblem("Programme")
	}
	return admission.OpenEvent(s.Events, s.Clock(), code, subevent)
}

func save(tx Tx, r *Registration, isNew bool, now time.Time) (err error) {
	if r.AccountID == "" {
		if r.AccountID, err = tx.AccountIDOf(r.Phone); err != nil {
			return err
		}
	}
	if !isNew {
		return tx.SaveRegistration(r)
	}
	if err := tx.AddRegistration(r); err != nil {
		return err
	}
	return Note(tx, r, now, EntryEnrolled, "")
}

// verifiedFields returns the submitted values that this session has verified. It includes the coupon, which Enrol prices
// next.
func verifiedFields(s *access.Session, in map[string]string) map[string]string {
	verified := map[string]string{CouponField: strings.ToUpper(strings.TrimSpace(in[CouponField]))}
	if s == nil {
		return verified
	}
	if s.HasVerified(string(access.ForPhone) + admission.IndianPhone(in["phone_number"])) {
		verified["phone_number"] = in["phone_number"]
	}
	if s.HasVerified(string(access.ForGuardian) + admission.IndianPhone(in["guardian_phone"])) {
		verified["guardian_phone"] = in["guardian_phone"]
	}
	return verified
}

// VerifiedPhones returns the submitted phones that the visitor's session has verified, for forms.Env.
func (s *Service) VerifiedPhones(ctx context.Context, v admission.Visitor, in map[string]string) (verified map[string]string, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		session, err := tx.Session(v.SessionID)
		verified = verifiedFields(session, in)
		delete(verified, CouponField)
		return err
	})
	return verified, err
}

// checkEmailFree rejects an e-mail that another verified phone holds for this event. One that is neither verified nor paid
// blocks nobody: anybody can type it.
func checkEmailFree(tx Tx, eventCode, email, phone string) error {
	holder, err := tx.PhoneOfEmail(eventCode, email)
	if err != nil || holder == "" || holder == phone {
		return err
	}
	return admission.ConflictProblem("email", "This email is already in use. Please try another.")
}

// CheckPhone returns a Conflict if the phone is registered for the event, or if another phone holds the e-mail. Only a session
// that has verified the phone is told, and a service that presents the secret; everybody else gets no error.
func (s *Service) CheckPhone(ctx context.Context, v admission.Visitor, eventCode, email, tenDigits string, fromService bool) error {
	clean, faults := s.form().CheckOnly(map[string]string{"fullname": "-", "email": email, "phone_number": tenDigits}, forms.Env{}, "email", "phone_number")
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	event, err := admission.KnownEvent(s.Events, eventCode)
	if err != nil {
		return err
	}
	phone := admission.IndianPhone(clean["phone_number"])
	return s.lookUp(ctx, v, phone, fromService, func(tx Tx) error {
		r, err := tx.RegistrationOf(event.Code, phone)
		if err != nil {
			return err
		}
		if r != nil {
			return admission.ConflictProblem("phone_number", admission.PhoneTaken)
		}
		return checkEmailFree(tx, event.Code, clean["email"], phone)
	})
}

// PhoneExists reports whether any registration has this verified phone, for CheckPhone's callers; all others get false.
func (s *Service) PhoneExists(ctx context.Context, v admission.Visitor, tenDigits string, fromService bool) (exists bool, err error) {
	clean, faults := s.form().CheckOnly(map[string]string{"email": "-", "phone_number": tenDigits}, forms.Env{}, "phone_number")
	if problem := admission.FormProblem(faults); problem != nil {
		return false, problem
	}
	phone := admission.IndianPhone(clean["phone_number"])
	err = s.lookUp(ctx, v, phone, fromService, func(tx Tx) (err error) {
		exists, err = tx.PhoneKnown(phone)
		return err
	})
	return exists, err
}

// lookUp runs a lookup for another service, or for a session that has verified the phone; for others it does nothing. Without
// the secret it is behind the human check and a limit of five an hour per address.
func (s *Service) lookUp(ctx context.Context, v admission.Visitor, phone string, fromService bool, look func(Tx) error) error {
	if fromService {
		return s.Store.View(ctx, look)
	}
	passed, err := s.Access.CheckHuman(ctx, v)
	if err != nil {
		return err
	}
	if err := s.Store.Update(ctx, func(tx Tx) error {
		if err := passed.Enter(tx, v); err != nil {
			return err
		}
		return s.Access.Take(tx, v, access.PerAddress("lookup", v, 5, time.Hour))
	}); err != nil {
		return err
	}
	passed.Opened(v)
	return s.Store.View(ctx, func(tx Tx) error {
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil || !session.HasVerified(string(access.ForPhone)+phone) {
			return err
		}
		return look(tx)
	})
}

// Typed returns an unpaid registration of the visitor with its values by form field, for editing. Terms are left out, as
// they must be agreed to again. A paid registration is a Conflict.
func (s *Service) Typed(ctx context.Context, v admission.Visitor, registrationID string) (r *Registration, typed map[string]string, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if r, err = RegistrationFor(tx, v, registrationID); err != nil {
			return err
		}
		if r.Paid() {
			return admission.ConflictProblem("", AlreadyPaid)
		}
		consented, err := tx.LastConsents(r.Phone)
		if err != nil {
			return err
		}
		var consents []string
		for _, purpose := range consent.Purposes {
			if consented[purpose].GivenIn(r.ID) {
				consents = append(consents, purpose)
			}
		}
		typed = r.Typed(s.form(), strings.Join(consents, ","))
		return nil
	})
	return r, typed, err
}

// CourseOptions returns the event's courses as select options.
func CourseOptions(event admission.Event) []forms.Option {
	var options []forms.Option
	for _, code := range event.Courses {
		options = append(options, forms.Option{Value: code, Label: CourseLabel(code)})
	}
	return options
}

// CourseLabel returns a course code with spaces instead of underscores.
func CourseLabel(code string) string { return strings.ReplaceAll(code, "_", " ") }

// StateOptions returns the States and union territories as select options. The value is the name.
func StateOptions() []forms.Option {
	var options []forms.Option
	for _, state := range india.States() {
		options = append(options, forms.Option{Value: state.Name, Label: state.Name})
	}
	return options
}
