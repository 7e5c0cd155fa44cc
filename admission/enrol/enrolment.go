// Package enrol is the journey from a proven phone to a registration: the form, coupons, referrals, and who left midway.
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

// Registration is one person's place in one programme event. There is one for a proven phone and an event.
type Registration struct {
	ID            string // scholarship_requested_id on the wire
	EventSlug     string
	EventCode     string
	SubeventCode  string
	FullName      string
	Email         string
	Phone         string // E.164, proven
	Course        string // code
	StateCode     string // GST code of the State
	College       string
	ReferralCode  string
	CouponCode    string
	Adult         bool
	GuardianName  string
	GuardianPhone string // E.164, proven; "" for adults
	Step          Step
	PaidTxnID     string
	TermsVersion  string
	TermsHash     string
	TermsAt       time.Time
	Refunded      bool
	CreatedAt     time.Time
	ModifiedAt    time.Time
	Answers       map[string]string // what the form asked beside these, by field; nil: nothing was answered
	FormVersion   int               // of the form that was filled in; 0 before forms had versions
	Ticket        string            // number for people, "HS26-4K7M-K"; "" until it is paid
	TicketKey     string            // 22 random characters that open the ticket's page; "" until it is paid
	OwnReferral   string            // code to give to friends; "" until it is paid
	Source        string            // where the visit came from (admission.Source); the first that is told stays
	AccountID     string            // of the person who has signed in with its phone; "" for nobody so far
	Reminded      int               // how many reminders of the application its person got
	ErasedAt      time.Time         // since when it names nobody, kept for its payments alone
}

func (r *Registration) Paid() bool { return r.PaidTxnID != "" }

// IsOf reports whether a name and an e-mail are the registration's, in whatever letters and spaces they are typed.
func (r *Registration) IsOf(fullName, email string) bool {
	tidy := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	return strings.EqualFold(tidy(fullName), tidy(r.FullName)) && strings.EqualFold(email, r.Email)
}

// sourceField is what calls and posts call the source of a visit, beside the form's fields.
const sourceField = "source"

const (
	AlreadyPaid  = "You have already paid for this programme. Your receipt is in your e-mail."
	BeingChecked = "Your payment is being checked. We write to you as soon as we know more."
	NotThrough   = "Your payment did not go through"
	LookFirst    = "Look in your bank or UPI app first: money that was taken comes back by itself" // the sentence goes on
)

// FormEnv is what the enrolment form's rules need to know of an event.
func FormEnv(event admission.Event) forms.Env {
	return forms.Env{Options: map[string][]forms.Option{"courses": CourseOptions(event), "states": StateOptions()}}
}

// Enrol makes, or continues, the one registration of the visitor's proven phone for an event. Before payment the same
// registration takes the new values; an open attempt keeps its amount; after payment it is a conflict.
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
		env := FormEnv(event)
		env.Proven = provenFields(session, in)
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
		if refusal = cmp.Or(emailFree(tx, event.Code, clean["email"], phone), goodReferral(tx, clean[referralField], phone)); admission.AsProblem(refusal) != nil {
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
		r.CouponCode = clean[CouponField] // of the next attempt: one that is open keeps its amount
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
		if err := tx.ForgetLead(event.Code, clean["email"]); err != nil {
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

// openProgramme returns the event of a code that one may enrol for now; the application is none.
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

// provenFields says which of the typed values this session has proven. A coupon counts: its price is judged right after.
func provenFields(s *access.Session, in map[string]string) map[string]string {
	proven := map[string]string{CouponField: strings.ToUpper(strings.TrimSpace(in[CouponField]))}
	if s == nil {
		return proven
	}
	if s.HasVerified(string(access.ForPhone) + admission.IndianPhone(in["phone_number"])) {
		proven["phone_number"] = in["phone_number"]
	}
	if s.HasVerified(string(access.ForGuardian) + admission.IndianPhone(in["guardian_phone"])) {
		proven["guardian_phone"] = in["guardian_phone"]
	}
	return proven
}

// Proven returns the phones that the visitor's session has proven, as the enrolment form's environment wants them.
func (s *Service) Proven(ctx context.Context, v admission.Visitor, in map[string]string) (proven map[string]string, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		session, err := tx.Session(v.SessionID)
		proven = provenFields(session, in)
		delete(proven, CouponField)
		return err
	})
	return proven, err
}

// emailFree refuses an e-mail that another proven phone holds for this event.
func emailFree(tx Tx, eventCode, email, phone string) error {
	holder, err := tx.PhoneOfEmail(eventCode, email)
	if err != nil || holder == "" || holder == phone {
		return err
	}
	return admission.ConflictProblem("email", "This email is already in use. Please try another.")
}

// CheckPhone returns nil for a phone that may go on, and a Conflict where the event knows it. That another phone holds the
// e-mail is told only to who has proven this one.
func (s *Service) CheckPhone(ctx context.Context, v admission.Visitor, eventCode, email, tenDigits string) error {
	clean, faults := s.form().CheckOnly(map[string]string{"fullname": "-", "email": email, "phone_number": tenDigits}, forms.Env{}, "email", "phone_number")
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	event, err := admission.KnownEvent(s.Events, eventCode)
	if err != nil {
		return err
	}
	return s.lookUp(ctx, v, func(tx Tx) error {
		phone := admission.IndianPhone(clean["phone_number"])
		r, err := tx.RegistrationOf(event.Code, phone)
		if err != nil {
			return err
		}
		if r != nil {
			return admission.ConflictProblem("phone_number", admission.PhoneTaken)
		}
		session, err := tx.Session(v.SessionID)
		if err != nil || session == nil || !session.HasVerified(string(access.ForPhone)+phone) {
			return err
		}
		return emailFree(tx, event.Code, clean["email"], phone)
	})
}

// PhoneExists reports whether any registration holds this proven phone. fromService skips the human check and the limit.
func (s *Service) PhoneExists(ctx context.Context, v admission.Visitor, tenDigits string, fromService bool) (exists bool, err error) {
	clean, faults := s.form().CheckOnly(map[string]string{"email": "-", "phone_number": tenDigits}, forms.Env{}, "phone_number")
	if problem := admission.FormProblem(faults); problem != nil {
		return false, problem
	}
	look := func(tx Tx) (err error) {
		exists, err = tx.PhoneKnown(admission.IndianPhone(clean["phone_number"]))
		return err
	}
	if fromService {
		return exists, s.Store.View(ctx, look)
	}
	err = s.lookUp(ctx, v, look)
	return exists, err
}

// lookUp runs a question about who is known, behind the human check and five an hour an address.
func (s *Service) lookUp(ctx context.Context, v admission.Visitor, look func(Tx) error) error {
	if err := s.Access.PassHuman(ctx, v); err != nil {
		return err
	}
	if err := s.Store.Update(ctx, func(tx Tx) error {
		return s.Access.Take(tx, v, access.PerAddress("lookup", v, 5, time.Hour))
	}); err != nil {
		return err
	}
	return s.Store.View(ctx, look) // it locks nothing: a lock would take time, for a known number only
}

// Typed returns what an unpaid registration of the visitor was made of, by field of the enrolment form, so that it can be
// changed. The terms are not in it: what is changed is agreed to anew. A paid registration is a Conflict.
func (s *Service) Typed(ctx context.Context, v admission.Visitor, registrationID string) (r *Registration, typed map[string]string, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if r, err = HeldBy(tx, v, registrationID); err != nil {
			return err
		}
		if r.Paid() {
			return admission.ConflictProblem("", AlreadyPaid)
		}
		held, err := tx.LastConsents(r.Phone)
		if err != nil {
			return err
		}
		var consents []string
		for _, purpose := range consent.Purposes {
			if held[purpose].GivenIn(r.ID) {
				consents = append(consents, purpose)
			}
		}
		typed = r.Typed(s.form(), strings.Join(consents, ","))
		return nil
	})
	return r, typed, err
}

// CourseOptions are the courses of an event as a select shows them: the code with underscores as spaces.
func CourseOptions(event admission.Event) []forms.Option {
	var options []forms.Option
	for _, code := range event.Courses {
		options = append(options, forms.Option{Value: code, Label: CourseLabel(code)})
	}
	return options
}

// CourseLabel is a course as people read it: its code with underscores as spaces.
func CourseLabel(code string) string { return strings.ReplaceAll(code, "_", " ") }

// StateOptions are the 36 States and union territories; a value is the name as listed.
func StateOptions() []forms.Option {
	var options []forms.Option
	for _, state := range india.States() {
		options = append(options, forms.Option{Value: state.Name, Label: state.Name})
	}
	return options
}
