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

// sessionsWith finds the sharedSessions of a person, and of nobody's account all that hold these registrations: the database
// those in which the text stands, and takeOut which of them mean it.
func (t *tx) sessionsWith(a *account.Account, registrations []string) (ids []string, err error) {
	type mark struct{ column, text string }
	var marks []mark
	for _, address := range addresses(a) {
		marks = append(marks, mark{"lower(proven)", strings.ToLower(address)})
	}
	for _, id := range registrations {
		marks = append(marks, mark{"registered", id})
	}
	for some := range slices.Chunk(marks, marksAtATime) {
		var conditions []string
		values := []any{a.ID}
		for _, m := range some {
			inJSON, err := json.Marshal(m.text)
			if err != nil {
				return nil, err
			}
			conditions = append(conditions, "replace("+m.column+", ?, '') <> "+m.column)
			values = append(values, string(inJSON[1:])) // with the quote at its end; before it stands the purpose
		}
		var rows []sessionRow
		where := "(account_id = '' OR account_id <> ?) AND (" + strings.Join(conditions, " OR ") + ")"
		if err := t.db.Select("id", "proven", "registered").Where(where, values...).Order("id").Find(&rows).Error; err != nil {
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

// marksAtATime is how many texts one look through the sessions looks for.
const marksAtATime = 100

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
