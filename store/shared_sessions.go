package store

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/account"
	"hiresure/admission/mydata"
)

// sharedSessions are, among the traces of a person, the sessions that are not the person's account's, in whose browsers the
// person has proven an address, or enrolled. They may be others', who stay signed in.
const sharedSessions = "sessions of others"

// takeOut takes a person's own out of a session: proofs of these addresses, and registrations. It reports whether any was
// there.
func (row *sessionRow) takeOut(addresses, registrations []string) bool {
	proofs, registered := len(row.Proven), len(row.Registered)
	maps.DeleteFunc(row.Proven, func(proven string, _ time.Time) bool {
		return slices.ContainsFunc(addresses, func(address string) bool {
			for _, purpose := range []access.Purpose{access.ForPhone, access.ForGuardian, access.ForSignIn, access.ForAddress} {
				if strings.EqualFold(proven, string(purpose)+address) {
					return true
				}
			}
			return false
		})
	})
	row.Registered = slices.DeleteFunc(row.Registered, func(id string) bool { return slices.Contains(registrations, id) })
	return len(row.Proven) < proofs || len(row.Registered) < registered
}

// addresses are those that a person has proven.
func addresses(a *account.Account) (proven []string) {
	for _, of := range []string{"phone", "email"} {
		if address, _ := person(a)[of].(string); address != "" {
			proven = append(proven, address)
		}
	}
	return proven
}

// sessionsWith finds the sharedSessions of a person: the database those in which the text stands, and takeOut which of them
// mean it.
func (t *tx) sessionsWith(a *account.Account, registrations []string) (ids []string, err error) {
	for _, mark := range append(addresses(a), registrations...) {
		inJSON, err := json.Marshal(strings.ToLower(mark))
		if err != nil {
			return nil, err
		}
		var rows []sessionRow
		text := string(inJSON[1:]) // with the quote at its end; before it stands the purpose
		err = t.db.Select("id", "proven", "registered").Order("id").Find(&rows, `account_id <> ? AND
			(replace(lower(proven), ?, '') <> lower(proven) OR replace(registered, ?, '') <> registered)`, a.ID, text, text).Error
		if err != nil {
			return nil, wrap("look for traces in sessions of others", err)
		}
		for _, row := range rows {
			if row.takeOut(addresses(a), registrations) {
				ids = append(ids, row.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// takeOutOfSessions takes what is a person's out of the sharedSessions, and leaves them to whose they are.
func (t *tx) takeOutOfSessions(a *account.Account, found mydata.Traces) error {
	for _, id := range found[sharedSessions] {
		row, err := find[sessionRow](t.locked(), "id = ?", id)
		if err == nil && row != nil && row.takeOut(addresses(a), found["registrations"]) {
			err = change(t, row)
		}
		if err != nil {
			return wrap("erase in sessions of others", err)
		}
	}
	return nil
}
