package admin

import (
	"hiresure/admission/office"
	"hiresure/admission/staff"
)

// dialogView is the head of an action on a registration.
type dialogView struct {
	ID, Name    string // of the registration
	Title, Line string
	Size        string // class: "", "mid" or "wide"
}

// action is something that staff do to a registration, on a page of its own.
type action struct {
	Text, Icon string
	Path       func(id string) string
	Needs      staff.Permission
	Offered    func(office.Person) bool // whether it makes sense now
}

type actionLink struct{ Text, Icon, Href string }

// personActions are all actions, in the groups of the menu.
var personActions = [][]action{
	append(correctActions, action{"Move to another exam", "clock", movePath, staff.Correct, movable}),
	{
		{"Refund", "back", refundPath, staff.Refund, refundable},
	},
	{
		{"View as applicant", "eye", viewAsPath, staff.ViewAs, always},
	},
}

func always(office.Person) bool { return true }

// actionsOn returns the actions on a registration that somebody's roles allow.
func actionsOn(person office.Person, me *staff.Person) (groups [][]actionLink) {
	for _, group := range personActions {
		var links []actionLink
		for _, a := range group {
			if me.Can(a.Needs) && a.Offered(person) {
				links = append(links, actionLink{a.Text, a.Icon, a.Path(person.Registration.ID)})
			}
		}
		if links != nil {
			groups = append(groups, links)
		}
	}
	return groups
}
