package admission

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

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
}

// Status is the text of the badge.
func (r *Registration) Status() string {
	if r.Refunded {
		return "Refunded"
	}
	return stepFacts[r.Step].Status
}

func (r *Registration) Paid() bool { return r.PaidTxnID != "" }

// Entry is one line of a registration's timeline.
type Entry struct {
	ID, RegistrationID, What, Detail, Who string
	At                                    time.Time
}

const (
	alreadyPaid  = "You have already paid for this programme. Your receipt is in your e-mail."
	beingChecked = "Your payment is being checked. We write to you as soon as we know more."
	verifyOTP    = "Please verify the OTP."
	phoneKnown   = "This phone number is already registered."
)

func (o *Office) openEvent(code, subevent string) (Event, error) {
	event, known := o.Events.EventByCode(code)
	if !known || subevent != "" && subevent != event.SubeventCode {
		return Event{}, notFound("Programme")
	}
	if why := event.Closed(o.Clock()); why != "" {
		return Event{}, conflict("", why)
	}
	return event, nil
}

// EnrolmentEnv is what the enrolment form's rules need to know of an event.
func EnrolmentEnv(event Event) forms.Env {
	return forms.Env{Options: map[string][]forms.Option{"courses": CourseOptions(event), "states": StateOptions()}}
}

// Enrol makes, or continues, the one registration of the visitor's proven phone for an event. Before payment the same
// registration takes the new values; an open attempt keeps its amount; after payment it is a conflict.
func (o *Office) Enrol(ctx context.Context, v Visitor, eventCode, subeventCode string, in map[string]string) (Registration, error) {
	event, err := o.openEvent(eventCode, subeventCode)
	if err != nil {
		return Registration{}, err
	}
	var r *Registration
	var refusal error
	err = o.Store.Update(ctx, func(tx Tx) error {
		refusal = nil
		s, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		env := EnrolmentEnv(event)
		env.Proven = provenFields(s, in)
		clean, faults := forms.Get("enrolment").Check(in, env)
		if problem := refuse(faults); problem != nil {
			return problem
		}
		now, phone, adult := o.Clock(), indian(clean["phone_number"]), clean["adult"] == "true"
		guardian := ""
		if !adult {
			guardian = indian(clean["guardian_phone"])
		}
		if err := o.within(tx, v, guesses(v)); err != nil {
			return err
		}
		if refusal = cmp.Or(emailFree(tx, event.Code, clean["email"], phone), goodReferral(tx, clean[referralField], phone)); AsProblem(refusal) != nil {
			return o.count(tx, guesses(v))
		} else if refusal != nil {
			return refusal
		}
		if r, err = tx.RegistrationOf(event.Code, phone); err != nil {
			return err
		}
		isNew := r == nil
		if isNew {
			r = &Registration{ID: NewID(), EventSlug: event.Slug, EventCode: event.Code, SubeventCode: event.SubeventCode, Phone: phone, Step: StepVerified, CreatedAt: now}
		}
		if r.Paid() {
			return conflict("", alreadyPaid)
		}
		open, err := tx.OpenTransaction(r.ID)
		if err != nil {
			return err
		}
		// With an open attempt the amount stays. Another coupon counts from the next one.
		if open == nil || !now.Before(open.ExpiresAt) || clean[couponField] != "" {
			if _, _, refusal = o.priceWith(tx, event, clean[couponField], phone); AsProblem(refusal) != nil {
				return o.count(tx, guesses(v))
			} else if refusal != nil {
				return refusal
			}
			r.CouponCode = clean[couponField]
		}
		state, _ := StateByName(clean["state"])
		r.FullName, r.Email, r.Course, r.StateCode = clean["fullname"], clean["email"], clean["selected_course"], state.Code
		r.College, r.ReferralCode = clean["company_name"], clean[referralField]
		r.Adult, r.GuardianName, r.GuardianPhone = adult, clean["guardian_name"], guardian
		r.TermsVersion, r.TermsHash, r.TermsAt = event.Terms.Version, event.Terms.Hash, now
		r.ModifiedAt = now
		if isNew {
			if err := tx.AddRegistration(r); err != nil {
				return err
			}
			if err := o.note(tx, r, "enrolled", ""); err != nil {
				return err
			}
		} else if err := tx.SaveRegistration(r); err != nil {
			return err
		}
		if err := o.reviseConsents(tx, v, phone, r.ID, "terms:"+event.Terms.Version+","+clean["consents"]); err != nil {
			return err
		}
		if err := tx.ForgetLead(event.Code, clean["email"]); err != nil {
			return err
		}
		s.Registered = remember(s.Registered, r.ID)
		return tx.SaveSession(s)
	})
	if err == nil {
		err = refusal
	}
	if err != nil {
		return Registration{}, err
	}
	return *r, nil
}

// provenFields says which of the typed values this session has proven. A coupon counts: its price is judged right after.
func provenFields(s *Session, in map[string]string) map[string]string {
	proven := map[string]string{couponField: strings.ToUpper(strings.TrimSpace(in[couponField]))}
	if s == nil {
		return proven
	}
	if s.hasProven(string(ForPhone) + indian(in["phone_number"])) {
		proven["phone_number"] = in["phone_number"]
	}
	if s.hasProven(string(ForGuardian) + indian(in["guardian_phone"])) {
		proven["guardian_phone"] = in["guardian_phone"]
	}
	return proven
}

// Proven answers the phones that the visitor's session has proven, as the enrolment form's environment wants them.
func (o *Office) Proven(ctx context.Context, v Visitor, in map[string]string) (proven map[string]string, err error) {
	err = o.Store.View(ctx, func(tx Tx) error {
		s, err := tx.Session(v.SessionID)
		proven = provenFields(s, in)
		delete(proven, couponField)
		return err
	})
	return proven, err
}

// note adds a line to a registration's timeline.
func (o *Office) note(tx Tx, r *Registration, what, detail string) error {
	return tx.AddEntry(Entry{ID: NewID(), RegistrationID: r.ID, What: what, Detail: detail, Who: "system", At: o.Clock()})
}

// CheckPhone answers nil for a phone that may go on, and a Conflict where the event knows it.
func (o *Office) CheckPhone(ctx context.Context, v Visitor, eventCode, email, tenDigits string) error {
	clean, faults := forms.Get("enrolment").CheckOnly(map[string]string{"fullname": "-", "email": email, "phone_number": tenDigits}, forms.Env{}, "email", "phone_number")
	if problem := refuse(faults); problem != nil {
		return problem
	}
	event, known := o.Events.EventByCode(eventCode)
	if !known {
		return notFound("Programme")
	}
	return o.lookUp(ctx, v, func(tx Tx) error {
		phone := indian(clean["phone_number"])
		r, err := tx.RegistrationOf(event.Code, phone)
		if err != nil {
			return err
		}
		if r != nil {
			return conflict("phone_number", phoneKnown)
		}
		return emailFree(tx, event.Code, clean["email"], phone)
	})
}

// PhoneExists tells whether any registration holds this proven phone. fromService skips the human check and the limit.
func (o *Office) PhoneExists(ctx context.Context, v Visitor, tenDigits string, fromService bool) (exists bool, err error) {
	clean, faults := forms.Get("enrolment").CheckOnly(map[string]string{"email": "-", "phone_number": tenDigits}, forms.Env{}, "phone_number")
	if problem := refuse(faults); problem != nil {
		return false, problem
	}
	look := func(tx Tx) (err error) {
		exists, err = tx.PhoneKnown(indian(clean["phone_number"]))
		return err
	}
	if fromService {
		return exists, o.Store.View(ctx, look)
	}
	err = o.lookUp(ctx, v, look)
	return exists, err
}

// lookUp runs a question about who is known, behind the human check and five an hour an address.
func (o *Office) lookUp(ctx context.Context, v Visitor, look func(Tx) error) error {
	if err := o.PassHuman(ctx, v); err != nil {
		return err
	}
	if err := o.Store.Update(ctx, func(tx Tx) error {
		hourly := perIP("lookup", v, 5, time.Hour)
		if err := o.within(tx, v, hourly); err != nil {
			return err
		}
		return o.count(tx, hourly)
	}); err != nil {
		return err
	}
	return o.Store.View(ctx, look) // it locks nothing: a lock would take time, for a known number only
}

// RegistrationOfVisitor answers a registration that the visitor's session holds; any other is NotFound.
func (o *Office) RegistrationOfVisitor(ctx context.Context, v Visitor, id string) (Registration, error) {
	var r *Registration
	err := o.Store.View(ctx, func(tx Tx) (err error) {
		r, err = heldBy(tx, v, id)
		return err
	})
	if err != nil {
		return Registration{}, err
	}
	return *r, nil
}

// Typed answers what an unpaid registration of the visitor was made of, by field of the enrolment form, so that it can be
// changed. The terms are not in it: what is changed is agreed to anew. A paid registration is a Conflict.
func (o *Office) Typed(ctx context.Context, v Visitor, registrationID string) (r *Registration, typed map[string]string, err error) {
	err = o.Store.View(ctx, func(tx Tx) error {
		if r, err = heldBy(tx, v, registrationID); err != nil {
			return err
		}
		if r.Paid() {
			return conflict("", alreadyPaid)
		}
		held, err := tx.LastConsents(r.Phone)
		if err != nil {
			return err
		}
		var consents []string
		for _, purpose := range ConsentPurposes {
			if held[purpose].givenIn(r.ID) {
				consents = append(consents, purpose)
			}
		}
		state, _ := StateByCode(r.StateCode)
		typed = map[string]string{
			"fullname": r.FullName, "email": r.Email, "phone_number": tenDigits(r.Phone), "selected_course": r.Course,
			"state": state.Name, "company_name": r.College, referralField: r.ReferralCode, couponField: r.CouponCode,
			"adult": strconv.FormatBool(r.Adult), "guardian_name": r.GuardianName, "guardian_phone": tenDigits(r.GuardianPhone),
			"consents": strings.Join(consents, ","),
		}
		return nil
	})
	return r, typed, err
}

// LatestRegistration answers the registration that the visitor's session touched last, or NotFound.
func (o *Office) LatestRegistration(ctx context.Context, v Visitor) (Registration, error) {
	var latest string
	if err := o.Store.View(ctx, func(tx Tx) error {
		s, err := tx.Session(v.SessionID)
		if err == nil && s != nil && len(s.Registered) > 0 {
			latest = s.Registered[len(s.Registered)-1]
		}
		return err
	}); err != nil {
		return Registration{}, err
	}
	return o.RegistrationOfVisitor(ctx, v, latest)
}

func heldBy(tx Tx, v Visitor, registrationID string) (*Registration, error) {
	s, err := tx.Session(v.SessionID)
	if err != nil {
		return nil, err
	}
	if s == nil || !s.holds(registrationID) {
		return nil, notFound("Registration")
	}
	r, err := tx.Registration(registrationID)
	if err == nil && r == nil {
		err = notFound("Registration")
	}
	return r, err
}

// Reopen lets a session continue a registration whose phone it has proven by VerifyCode.
func (o *Office) Reopen(ctx context.Context, v Visitor, registrationID string) error {
	return o.Store.Update(ctx, func(tx Tx) error {
		r, err := tx.Registration(registrationID)
		if err != nil {
			return err
		}
		s, err := tx.SessionForUpdate(v.SessionID)
		if err != nil {
			return err
		}
		if r == nil || s == nil || !s.hasProven(string(ForPhone)+r.Phone) {
			return notFound("Registration")
		}
		s.Registered = remember(s.Registered, r.ID)
		return tx.SaveSession(s)
	})
}

// RequestCodeFor sends a code to the phone of an existing registration, so that a new session may prove it.
func (o *Office) RequestCodeFor(ctx context.Context, v Visitor, registrationID string) (CodeSent, error) {
	var r *Registration
	if err := o.Store.View(ctx, func(tx Tx) (err error) {
		r, err = tx.Registration(registrationID)
		return err
	}); err != nil {
		return CodeSent{}, err
	}
	if r == nil {
		return CodeSent{}, notFound("Registration")
	}
	return o.RequestCode(ctx, v, CodeAsk{Purpose: ForPhone, Phone: tenDigits(r.Phone), Email: r.Email, EventCode: r.EventCode})
}

// CourseOptions are the courses of an event as a select shows them: the code with underscores as spaces.
func CourseOptions(event Event) []forms.Option {
	var options []forms.Option
	for _, code := range event.Courses {
		options = append(options, forms.Option{Value: code, Label: courseLabel(code)})
	}
	return options
}

func courseLabel(code string) string { return strings.ReplaceAll(code, "_", " ") }

// StateOptions are the 36 States and union territories; a value is the name as listed.
func StateOptions() []forms.Option {
	var options []forms.Option
	for _, state := range States() {
		options = append(options, forms.Option{Value: state.Name, Label: state.Name})
	}
	return options
}
