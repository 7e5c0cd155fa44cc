package office

import (
	"context"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/paper"
	"hiresure/admission/payment"
	"hiresure/admission/registry"
	"hiresure/admission/staff"
	"hiresure/admission/status"
)

// Query selects registrations that still have a person. A zero field selects all.
type Query struct {
	Text                string         // words of the name, an e-mail address, digits of the phone, or a number of a ticket, paper or payment
	Event               string         // code
	Status              string         // text of the badge
	Phases              []status.Phase // nil: all
	Coupon, Source      string
	College             string // how it begins
	PaidFrom, PaidUntil time.Time
	Only                []string // ids; nil: all
}

// Found is a page of registrations: the last change first, or, where Query has words, the newest registration first.
type Found struct {
	Registrations []enrol.Registration
	Newer, Older  string // cursors of the pages before and after; "" for none
}

// Listed is a page of registrations with their status.
type Listed struct {
	Items        []registry.Item
	Documents    map[string]int // how many documents of the required kinds are in, by registration
	Newer, Older string
}

// MostCounted is where counts stop: a page then says "1,000+".
const MostCounted = 1001

// Registrations returns a page of registrations. cursor is "" for the first page; newer reads towards the first. Problem: NotFound for a
// cursor of another query.
func (s *Service) Registrations(ctx context.Context, q Query, cursor string, newer bool, limit int) (page Listed, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		found, err := tx.FindRegistrations(q, cursor, newer, limit)
		if err != nil {
			return err
		}
		page = Listed{Newer: found.Newer, Older: found.Older}
		if page.Items, err = s.Registry.Items(tx, found.Registrations); err != nil {
			return err
		}
		page.Documents, err = tx.CountDocuments(idsOf(found.Registrations))
		return err
	})
	return page, err
}

func idsOf(registrations []enrol.Registration) (ids []string) {
	for _, r := range registrations {
		ids = append(ids, r.ID)
	}
	return ids
}

// Counts are how many registrations a query has.
type Counts struct {
	All      int            // at most MostCounted
	ByStatus map[string]int // by the text of the badge; nil if All is at the limit
	Unknown  bool           // counting them would read all registrations
}

// CountRegistrations counts the registrations of queries.
func (s *Service) CountRegistrations(ctx context.Context, queries ...Query) (counts []Counts, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		counts = nil
		for _, q := range queries {
			n, err := tx.CountRegistrations(q, MostCounted)
			if err != nil {
				return err
			}
			counts = append(counts, n)
		}
		return nil
	})
	return counts, err
}

// maxSimilar limits the registrations that a search offers where it finds none.
const maxSimilar = 3

// Similar returns registrations whose name or number differs by one edit from a text that nobody has.
func (s *Service) Similar(ctx context.Context, text string) (items []registry.Item, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		texts, err := tx.SimilarTexts(text, maxSimilar)
		if err != nil {
			return err
		}
		var similar []enrol.Registration
		for _, other := range texts {
			found, err := tx.FindRegistrations(Query{Text: other}, "", false, maxSimilar)
			if err != nil {
				return err
			}
			for _, r := range found.Registrations {
				if known := func(s enrol.Registration) bool { return s.ID == r.ID }; len(similar) < maxSimilar && !slices.ContainsFunc(similar, known) {
					similar = append(similar, r)
				}
			}
		}
		items, err = s.Registry.Items(tx, similar)
		return err
	})
	return items, err
}

// Note is what staff wrote about a registration. It is never changed.
type Note struct {
	ID, RegistrationID, AccountID string
	Who, Words                    string
	At                            time.Time
}

// Delivery is a message with the state of its delivery.
type Delivery struct {
	message.Message
	Job *admission.DeadJob // why it failed for good; nil while it is tried, and once it is sent
}

// Person is everything about a registration that staff see.
type Person struct {
	registry.Detail
	Others   []enrol.Registration  // the same phone's, the last change first
	Attempts []payment.Transaction // latest first
	Refunds  []payment.Refund      // of all attempts, oldest first
	Messages []Delivery            // to the phone and the e-mail address, corrected ones too, latest first
	Notes    []Note                // latest first
	Orders   []payment.RefundOrder // of refunds by staff, oldest first
	Papers   []paper.Paper         // invoices, credit notes, receipts and tickets
	Case     *Case                 // of an attempt; nil for none
}

// maxMessages limits the messages and attempts of a person that a page shows.
const maxMessages = 50

// Open returns what is stored about a registration and logs the actor. Problem: NotFound.
func (s *Service) Open(ctx context.Context, id string, by staff.Actor) (p Person, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		r, err := enrol.FindPerson(tx, id)
		if err != nil {
			return err
		}
		return tx.LogAct(by.Did(s.Clock(), "opened a registration", r.Subject(), "", ""))
	})
	if err != nil {
		return Person{}, err
	}
	err = s.Store.View(ctx, func(tx Tx) error {
		p, err = s.person(tx, id)
		return err
	})
	return p, err
}

func (s *Service) person(tx Tx, id string) (p Person, err error) {
	r, err := tx.Registration(id)
	if err != nil {
		return Person{}, err
	}
	if p.Detail, err = s.Registry.DetailOf(tx, r); err != nil {
		return Person{}, err
	}
	if p.Attempts, err = tx.AttemptsOf(r.ID, maxMessages); err != nil {
		return Person{}, err
	}
	for i := range p.Attempts {
		t := &p.Attempts[i]
		refunds, err := tx.RefundsOf(t.ID)
		if err != nil {
			return Person{}, err
		}
		p.Refunds = append(p.Refunds, refunds...)
		if c, waits := caseOfPayment(t, s.Clock()); waits && p.Case == nil {
			p.Case = &c
		}
	}
	to := []string{r.Phone, r.Email, r.GuardianPhone}
	for _, e := range p.Entries {
		if was, _, _ := e.OldNew(); e.Kind != enrol.EntryNameCorrected { // what went to the address before
			to = append(to, was)
		}
	}
	to = slices.DeleteFunc(to, func(address string) bool { return address == "" })
	if p.Messages, err = tx.MessagesTo(to, r.CreatedAt, maxMessages); err != nil {
		return Person{}, err
	}
	if p.Others, err = tx.RegistrationsOfPhone(r.Phone, maxMessages); err != nil {
		return Person{}, err
	}
	p.Others = slices.DeleteFunc(p.Others, func(other enrol.Registration) bool { return other.ID == r.ID })
	if p.Orders, err = tx.RefundOrdersOf(r.ID); err != nil {
		return Person{}, err
	}
	if p.Papers, err = tx.PapersOfRegistration(r.ID); err != nil {
		return Person{}, err
	}
	p.Notes, err = tx.NotesOn(r.ID)
	return p, err
}

// maxNote limits a note, in characters.
const maxNote = 2000

// AddNote adds a note to a registration. Problems: NotFound, Invalid for field note.
func (s *Service) AddNote(ctx context.Context, id, words string, p *staff.Person, by staff.Actor) error {
	switch n := len([]rune(words)); {
	case n == 0:
		return &admission.Problem{Kind: admission.Invalid, Field: "note", Message: "Write the note first"}
	case n > maxNote:
		return &admission.Problem{Kind: admission.Invalid, Field: "note", Message: "A note has at most 2,000 characters"}
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		r, err := enrol.FindPerson(tx, id)
		if err != nil {
			return err
		}
		now := s.Clock()
		if err := tx.AddNote(Note{ID: admission.NewID(), RegistrationID: r.ID, AccountID: p.ID, Who: p.Name, Words: words, At: now}); err != nil {
			return err
		}
		return tx.LogAct(by.Did(now, "added a note", r.Subject(), "", ""))
	})
}

// BelongsTo returns NotFound unless a payment is a registration's.
func (s *Service) BelongsTo(ctx context.Context, txnID, registrationID string) error {
	return s.Store.View(ctx, func(tx Tx) error {
		t, err := tx.Transaction(txnID)
		if err == nil && (t == nil || t.RegistrationID != registrationID) {
			return notFound("there is no payment " + txnID)
		}
		return err
	})
}

// PaidBy returns the payment that pays for a registration, and the person's name. Problems: NotFound, Conflict where nothing is paid.
func (s *Service) PaidBy(ctx context.Context, id string) (txnID, name string, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		r, err := enrol.FindPerson(tx, id)
		if err != nil {
			return err
		}
		if !r.Paid() {
			return admission.ConflictProblem("", "Nothing is paid yet.")
		}
		txnID, name = r.PaidTxnID, r.FullName
		return nil
	})
	return txnID, name, err
}

// SendReceipt mails the receipt of a paid registration again. Problems: NotFound, Conflict where nothing is paid.
func (s *Service) SendReceipt(ctx context.Context, registrationID string, by staff.Actor) error {
	var txnID string
	err := s.Store.View(ctx, func(tx Tx) error {
		r, err := tx.Registration(registrationID)
		if err == nil && r.HasPerson() {
			txnID = r.PaidTxnID
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.Payment.SendReceiptAgain(ctx, txnID, by)
}
