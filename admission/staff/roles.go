package staff

import (
	"slices"
	"strings"
)

// Role is a set of permissions. An account may have several.
type Role string

// The roles, in the order in which pages list them.
const (
	Support  Role = "support"
	Finance  Role = "finance"
	Reviewer Role = "reviewer"
	Content  Role = "content"
	Admin    Role = "admin"
)

// Roles returns all roles.
func Roles() []Role { return []Role{Support, Finance, Reviewer, Content, Admin} }

// Label returns the role's name on pages.
func (r Role) Label() string {
	switch r {
	case Support:
		return "Support"
	case Finance:
		return "Finance"
	case Reviewer:
		return "Documents"
	case Content:
		return "Content"
	case Admin:
		return "Admin"
	}
	return string(r)
}

// ParseRoles parses names of roles. It returns them in the order of Roles, each once, and the first unknown name.
func ParseRoles(names []string) (roles []Role, unknown string) {
	for _, name := range names {
		if !slices.Contains(Roles(), Role(name)) {
			return nil, name
		}
	}
	for _, role := range Roles() {
		if slices.Contains(names, string(role)) {
			roles = append(roles, role)
		}
	}
	return roles, ""
}

// Labels returns the labels of roles: "Support, Finance".
func Labels(roles []Role) string {
	labels := make([]string, len(roles))
	for i, role := range roles {
		labels[i] = role.Label()
	}
	return strings.Join(labels, ", ")
}

// Permission is what a route of the staff area requires.
type Permission string

// The permissions.
const (
	Desk             Permission = "desk" // today, own sessions, menu
	SeeRegistrations Permission = "see registrations"
	Correct          Permission = "correct"
	AskGateway       Permission = "ask gateway"
	ViewAs           Permission = "view as"
	OpenDocuments    Permission = "open documents"
	ReviewDocuments  Permission = "review documents"
	Refund           Permission = "refund"
	RefundAboveLimit Permission = "refund above limit"
	HandleMoney      Permission = "handle money"
	PrintPapers      Permission = "print papers"
	ExportPeople     Permission = "export registrations"
	AnswerInbox      Permission = "answer inbox"
	EditContent      Permission = "edit content"
	SeeNumbers       Permission = "see numbers"
	ManageStaff      Permission = "manage staff"
)

// Grant is a row of the table of permissions.
type Grant struct {
	Permission Permission
	Label      string // on the page of roles; "" for what every role may do
	Roles      []Role
	Approval   bool // needs a second person
}

// Grants is the table of roles and permissions. A permission without a row is refused to everybody.
var Grants = []Grant{
	{Permission: Desk, Roles: []Role{Support, Finance, Reviewer, Content, Admin}},
	{Permission: SeeRegistrations, Label: "See registrations, without documents", Roles: []Role{Support, Finance, Reviewer, Admin}},
	{Permission: Correct, Label: "Correct phone, e-mail; resend; notes", Roles: []Role{Support, Admin}},
	{Permission: AskGateway, Label: "Ask the gateway", Roles: []Role{Support, Finance, Admin}},
	{Permission: ViewAs, Label: "View as applicant", Roles: []Role{Support, Admin}},
	{Permission: OpenDocuments, Label: "Open documents", Roles: []Role{Reviewer, Admin}},
	{Permission: ReviewDocuments, Label: "Accept or ask again", Roles: []Role{Reviewer, Admin}},
	{Permission: Refund, Label: "Refund up to ₹2,000.00", Roles: []Role{Finance, Admin}},
	{Permission: RefundAboveLimit, Label: "Refund above ₹2,000.00", Roles: []Role{Finance, Admin}, Approval: true},
	{Permission: HandleMoney, Label: "Reviews, disputes, settlements", Roles: []Role{Finance, Admin}},
	{Permission: PrintPapers, Label: "Print, register, export of money", Roles: []Role{Finance, Admin}},
	{Permission: ExportPeople, Label: "Export of registrations", Roles: []Role{Support, Finance, Admin}},
	{Permission: AnswerInbox, Label: "Complaints and enquiries", Roles: []Role{Support, Admin}},
	{Permission: EditContent, Label: "Coupons, content, publishing", Roles: []Role{Content, Admin}},
	{Permission: SeeNumbers, Label: "Numbers", Roles: []Role{Support, Finance, Reviewer, Content, Admin}},
	{Permission: ManageStaff, Label: "Staff, sessions, whole log", Roles: []Role{Admin}},
}

// grants maps permissions to their rows.
var grants = func() map[Permission]Grant {
	rows := map[Permission]Grant{}
	for _, grant := range Grants {
		rows[grant.Permission] = grant
	}
	return rows
}()

// Allows reports whether one of the roles has a permission.
func Allows(roles []Role, p Permission) bool {
	return slices.ContainsFunc(grants[p].Roles, func(role Role) bool { return slices.Contains(roles, role) })
}
