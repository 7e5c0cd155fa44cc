package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/pages"
	"hiresure/web"
)

// roleTasks says what people with a role do.
var roleTasks = map[staff.Role]string{
	staff.Support: "registrations, corrections, inbox", staff.Finance: "money, refunds, printing, exports", staff.Reviewer: "opens and decides documents",
	staff.Content: "pages, coupons, publishing", staff.Admin: "everything, and staff",
}

func has(roles []staff.Role, role staff.Role) bool { return slices.Contains(roles, role) }

type accountsView struct {
	Summary string
	Tabs    []tab
	Rows    []accountRow
}

type accountRow struct {
	Href, Name, Email, Roles string
	SecondStep               string // "" until it is set up
	LastActive, Mark, State  string
	Waits                    bool
}

func (h handlers) accounts(c *echo.Context) error {
	ctx := c.Request().Context()
	all, err := h.Staff.Accounts(ctx)
	if err != nil {
		return err
	}
	open, err := h.Staff.Sessions(ctx, "")
	if err != nil {
		return err
	}
	p := accountsView{Tabs: logTabs(web.StaffAccountsPath)}
	working := 0
	for i := range all {
		p.Rows = append(p.Rows, h.accountRow(&all[i], open))
		if !all[i].Ended() {
			working++
		}
	}
	p.Summary = strconv.Itoa(working) + " people. Everyone signs in with two steps."
	if working == 1 {
		p.Summary = "1 person. Everyone signs in with two steps."
	}
	return h.Show(c, http.StatusOK, accountsPage(frameOf(c, "Staff and roles", web.StaffLogPath), p))
}

func (h handlers) accountRow(a *staff.Account, open []staff.Session) accountRow {
	row := accountRow{Href: web.StaffAccountPath(a.ID), Name: a.Name, Email: a.Email, Roles: staff.Labels(a.Roles), SecondStep: secondStep(a), LastActive: h.lastActive(a.SeenAt)}
	online := slices.ContainsFunc(open, func(s staff.Session) bool { return s.AccountID == a.ID })
	switch {
	case a.Ended():
		row.Mark, row.State = "no", "Ended "+admission.Date(a.EndedAt)
	case online:
		row.Mark, row.State = "ok", "Signed in"
	case a.IsSetUp():
		row.Mark, row.State = "ok", "Active"
	default:
		row.Mark, row.State, row.Waits = "wait", "Invited "+admission.Date(a.InvitedAt), true
	}
	return row
}

func secondStep(a *staff.Account) string {
	ways := []string{}
	if a.Secret != "" {
		ways = append(ways, "App, "+strconv.Itoa(len(a.Codes))+" backup codes")
	}
	if a.Passkeys > 0 {
		ways = append(ways, counted(a.Passkeys, "passkey"))
	}
	return strings.Join(ways, ", ")
}

// lastActive returns when somebody was last active: "now", or a time.
func (h handlers) lastActive(at time.Time) string {
	switch {
	case at.IsZero():
		return "never"
	case h.Clock().Sub(at) < 2*time.Minute:
		return "now"
	}
	return h.moment(at)
}

// moment returns a time of today without its date.
func (h handlers) moment(at time.Time) string {
	if admission.Date(at) == admission.Date(h.Clock()) {
		return admission.TimeOfDay(at) + " today"
	}
	return admission.Moment(at)
}

type invitationView struct {
	Name, Email string
	Roles       []staff.Role
	Faults      faults
}

func (h handlers) invitation(c *echo.Context) error {
	return h.Show(c, http.StatusOK, invitationPage(frameOf(c, "Invite a colleague", web.StaffLogPath), invitationView{}))
}

type linkView struct{ Name, Link string }

func (h handlers) invite(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	if done, err := h.confirmed(c, typed, "Somebody new will be able to open the staff area."); !done {
		return err
	}
	token, err := h.Staff.Add(c.Request().Context(), staff.NewAccount{Email: typed.Get("email"), Name: typed.Get("name"), Roles: typed["roles"]}, h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		roles, _ := staff.ParseRoles(typed["roles"])
		p := invitationView{Name: typed.Get("name"), Email: typed.Get("email"), Roles: roles, Faults: faultsOf(problem)}
		return h.Show(c, pages.StatusOf(c, problem), invitationPage(frameOf(c, "Invite a colleague", web.StaffLogPath), p))
	}
	return h.showLink(c, typed.Get("name"), token)
}

func (h handlers) showLink(c *echo.Context, name, token string) error {
	return h.Show(c, http.StatusOK, linkPage(frameOf(c, "Link", web.StaffLogPath), linkView{Name: name, Link: h.BaseURL + web.StaffWelcomePath(token)}))
}

type accountView struct {
	accountRow
	FirstName, Summary, Action string
	Roles, Chosen              []staff.Role
	Version                    int
	Invited, LogHref           string
	Sessions                   []sessionRow
	Acts                       []actRow
	Ended                      bool
	Done                       string
	Faults                     faults
}

func (h handlers) account(c *echo.Context) error { return h.showAccount(c, http.StatusOK, nil, nil) }

// showAccount shows a colleague. chosen are the roles of a refused form; nil for those of the account.
func (h handlers) showAccount(c *echo.Context, status int, chosen []staff.Role, f faults) error {
	ctx := c.Request().Context()
	a, open, err := h.Staff.Account(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	acts, _, err := h.Staff.Acts(ctx, staff.ActFilter{Account: a.ID}, 0, 5)
	if err != nil {
		return err
	}
	p := accountView{
		accountRow: h.accountRow(a, open), FirstName: firstWord(a.Name), Action: web.StaffAccountPath(a.ID), Roles: a.Roles, Chosen: a.Roles, Version: a.Version,
		Invited: admission.Date(a.InvitedAt) + " by " + strings.TrimPrefix(a.InvitedBy, "operator "), LogHref: web.StaffLogPath + "?who=" + a.ID,
		Sessions: h.sessionRows(c, open, []staff.Account{*a}), Acts: h.actRows(acts), Ended: a.Ended(), Faults: f,
	}
	if chosen != nil {
		p.Chosen = chosen
	}
	p.Summary = "Last active: " + p.LastActive + "."
	if p.SecondStep == "" {
		p.SecondStep = "not set up"
	}
	if c.QueryParam("saved") != "" && f == nil {
		p.Done = "Saved."
	}
	return h.Show(c, status, accountPage(frameOf(c, a.Name, web.StaffLogPath), p))
}

func (h handlers) changeAccount(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	a, _, err := h.Staff.Account(ctx, id)
	if err != nil {
		return err
	}
	var chosen []staff.Role
	what := map[string]string{
		"roles": "You are about to change the roles of " + a.Name + ".", "reset": "You are about to reset the sign-in of " + a.Name + ". All their sessions end.",
		"end": "You are about to end the access of " + a.Name + ". All their sessions end.",
	}[typed.Get("do")]
	if what == "" {
		return echo.ErrBadRequest
	}
	if done, err := h.confirmed(c, typed, what); !done {
		return err
	}
	by := h.Session.StaffActor(c)
	switch typed.Get("do") {
	case "roles":
		version, wrong := strconv.Atoi(typed.Get("version"))
		if wrong != nil {
			return echo.ErrBadRequest
		}
		if chosen, _ = staff.ParseRoles(typed["roles"]); chosen == nil {
			chosen = []staff.Role{}
		}
		err = h.Staff.SetRoles(ctx, id, version, typed["roles"], by)
	case "end":
		err = h.Staff.End(ctx, id, by)
	case "reset":
		token := ""
		if token, err = h.Staff.Reset(ctx, id, by); err == nil {
			return h.showLink(c, a.Name, token)
		}
	}
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showAccount(c, pages.StatusOf(c, problem), chosen, faultsOf(problem))
	}
	return c.Redirect(http.StatusSeeOther, web.StaffAccountPath(id)+"?saved=yes")
}
