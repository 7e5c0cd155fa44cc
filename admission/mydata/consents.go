package mydata

import (
	"context"
	"slices"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/admission/consent"
)

// Choice is a person's consent for one purpose.
type Choice struct {
	Purpose       string
	Given         bool
	At            time.Time // of the last consent or withdrawal; zero if never asked
	NoticeVersion string    // of the notice at that time
}

// choices returns the consents for all purposes, in the ledger's order. With several addresses, a consent of any counts.
func choices(tx consent.Tx, addresses []string) (all []Choice, err error) {
	for _, purpose := range consent.Purposes {
		all = append(all, Choice{Purpose: purpose})
	}
	for _, address := range addresses {
		last, err := tx.LastConsents(address)
		if err != nil {
			return nil, err
		}
		for i, c := range all {
			line, said := last[c.Purpose]
			if said && (line.Given && !c.Given || line.Given == c.Given && line.At.After(c.At)) {
				all[i] = Choice{Purpose: c.Purpose, Given: line.Given, At: line.At, NoticeVersion: line.NoticeVersion}
			}
		}
	}
	return all, nil
}

// Choose records a consent or withdrawal for one purpose. A consent is for the account's own address; a withdrawal is for every address with
// a consent, including those of enquiries and enrolments. A minor's consent is rejected.
func (s *Service) Choose(ctx context.Context, v admission.Visitor, purpose string, yes bool) error {
	if !slices.Contains(consent.Purposes, purpose) {
		return notFound()
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		a, err := visitorAccount(tx, v)
		if err != nil {
			return err
		}
		if yes {
			minor, err := tx.UnderEighteen(a.ID)
			if err != nil {
				return err
			}
			if minor {
				return admission.ConflictProblem("", "Nobody under 18 is asked for this.")
			}
		}
		addresses := verifiedAddresses(a)
		for i, address := range addresses {
			last, err := tx.LastConsents(address)
			if err != nil {
				return err
			}
			if last[purpose].Given == yes && (!yes || last[purpose].NoticeVersion == s.Consents.NoticeVersion()) || yes && i > 0 {
				continue
			}
			if yes { // a withdrawal is always accepted, and only follows a consent
				if err := s.Account.Access.Take(tx, v, access.RecordedActionLimit("consents", a.ID)); err != nil {
					return err
				}
			}
			if err := s.Consents.Set(tx, v, address, a.ID, purpose, yes); err != nil {
				return err
			}
		}
		return nil
	})
}
