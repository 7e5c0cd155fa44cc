package document

import (
	"errors"
	"slices"

	"hiresure/admission"
	"hiresure/forms"
)

const chosenTwice = "You have chosen this document already. Please send another one here."

// name sets the kinds of an application's documents, chosen by its owner. All required kinds must be named; a replaced document is deleted.
// A document of another person or application is NotFound.
func (s *Service) name(tx Tx, v admission.Visitor, registrationID string, named map[Kind]string) error {
	var faults []forms.Fault
	var changed []Document
	chosen := map[string]Kind{}
	for _, fact := range Kinds {
		id := named[fact.Kind]
		if id == "" {
			if fact.Required != "" {
				faults = append(faults, forms.Fault{Field: string(fact.Kind), Message: fact.Required})
			}
			continue
		}
		d, err := s.ownDocument(tx, v, id)
		if err == nil && d.RegistrationID != registrationID {
			err = notFound()
		}
		if err != nil {
			return err
		}
		_, twice := chosen[id]
		switch {
		case twice:
			faults = append(faults, forms.Fault{Field: string(fact.Kind), Message: chosenTwice})
		case !fact.PDF && d.ContentType == pdf:
			faults = append(faults, forms.Fault{Field: string(fact.Kind), Message: fact.wrongType()})
		}
		chosen[id] = fact.Kind
		if d.Kind != fact.Kind {
			changed = append(changed, *d)
		}
	}
	if problem := admission.FormProblem(faults); problem != nil {
		return problem
	}
	return s.rename(tx, registrationID, changed, chosen)
}

const pdf = "application/pdf"

// rename sets documents' kinds. It clears all changed ones first, because a kind is unique.
func (s *Service) rename(tx Tx, registrationID string, changed []Document, chosen map[string]Kind) error {
	standing, err := tx.Documents(registrationID)
	if err != nil {
		return err
	}
	for _, d := range standing {
		_, stays := chosen[d.ID]
		taken := slices.ContainsFunc(changed, func(c Document) bool { return chosen[c.ID] == d.Kind })
		if taken && !stays {
			err = errors.Join(err, s.drop(tx, d))
		}
	}
	for _, kindOf := range []func(Document) Kind{
		func(Document) Kind { return Unnamed },
		func(d Document) Kind { return chosen[d.ID] },
	} {
		for _, d := range changed {
			d.Kind = kindOf(d)
			err = errors.Join(err, tx.SaveDocument(&d))
		}
	}
	return err
}

// dropUnnamed deletes the unnamed documents.
func (s *Service) dropUnnamed(tx Tx, registrationID string) error {
	unnamed, err := tx.UnnamedDocuments(registrationID)
	for _, d := range unnamed {
		err = errors.Join(err, s.drop(tx, d))
	}
	return err
}
