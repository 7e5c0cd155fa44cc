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

// sharedSessions is the key, among the traces of a person, of sessions without the person's account in whose browsers the
// person has verified an address or enrolled. Other people may be signed in there.
const sharedSessions = "sessions of others"

// removeTraces removes a person's verified addresses and registrations from a session and reports whether it had any.
func (row *sessionRow) removeTraces(addresses, registrations []string) bool {
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

// addresses returns the verified addresses of an account.
func addresses(a *account.Account) (proven []string) {
	for _, of := range []string{"phone", "email"} {
		if address, _ := person(a)[of].(string); address != "" {
			proven = append(proven, address)
		}
	}
	return proven
}

// findSharedSessions returns the ids of other sessions that contain an account's addresses or the registrations. With an empty account
// it searches all sessions. The query finds the text anywhere; removeTraces compares whole values.
func (t *tx) findSharedSessions(a *account.Account, registrations []string) (ids []string, err error) {
	type mark struct{ column, text string }
	var marks []mark
	for _, address := range addresses(a) {
		marks = append(marks, mark{"lower(proven)", strings.ToLower(address)})
	}
	for _, id := range registrations {
		marks = append(marks, mark{"registered", id})
	}
	for some := range slices.Chunk(marks, markBatch) {
		var conditions []string
		values := []any{a.ID}
		for _, m := range some {
			inJSON, err := json.Marshal(m.text)
			if err != nil {
				return nil, err
			}
			conditions = append(conditions, "replace("+m.column+", ?, '') <> "+m.column)
			values = append(values, string(inJSON[1:])) // with the closing quote; the purpose precedes it
		}
		var rows []sessionRow
		where := "(account_id = '' OR account_id <> ?) AND (" + strings.Join(conditions, " OR ") + ")"
		if err := t.db.Select("id", "proven", "registered").Where(where, values...).Order("id").Find(&rows).Error; err != nil {
			return nil, wrap("look for traces in sessions of others", err)
		}
		for _, row := range rows {
			if row.removeTraces(addresses(a), registrations) {
				ids = append(ids, row.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// markBatch limits the texts per query.
const markBatch = 100

// eraseFromSessions removes a person's traces from the sharedSessions.
func (t *tx) eraseFromSessions(a *account.Account, found mydata.Traces) error {
	for _, id := range found[sharedSessions] {
		row, err := find[sessionRow](t.locked(), "id = ?", id)
		if err == nil && row != nil && row.removeTraces(addresses(a), found["registrations"]) {
			err = save(t, row)
		}
		if err != nil {
			return wrap("erase in sessions of others", err)
		}
	}
	return nil
}
