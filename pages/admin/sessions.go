package admin

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/staff"
	"hiresure/pages"
	"hiresure/web"
)

type sessionsView struct {
	Title  string
	Tabs   []tab
	Rows   []sessionRow
	Others bool // the person has other sessions
}

type sessionRow struct {
	ID, Name, Browser, From   string
	SignedIn, LastActive, How string
	Own                       bool
}

func (h handlers) sessionRows(c *echo.Context, open []staff.Session, accounts []staff.Account) (rows []sessionRow) {
	for _, s := range open {
		row := sessionRow{
			ID: s.ID, Browser: account.Device(s.UserAgent) + ", " + shortID(s.ID), From: s.IP, SignedIn: h.moment(s.StartedAt), LastActive: h.lastActive(s.SeenAt), How: s.How,
			Own: s.ID == web.StaffPerson(c).Session.ID,
		}
		for i := range accounts {
			if accounts[i].ID == s.AccountID {
				row.Name = accounts[i].Name
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// shortID returns the part of an id that pages show.
func shortID(id string) string { return id[:min(4, len(id))] }

// sessions shows the person's sessions, or everybody's to an admin.
func (h handlers) sessions(c *echo.Context) error {
	ctx, me := c.Request().Context(), web.StaffPerson(c)
	whose, p := me.ID, sessionsView{}
	if me.Can(staff.ManageStaff) {
		whose, p.Tabs = "", logTabs(web.StaffSessionsPath)
	}
	open, err := h.Staff.Sessions(ctx, whose)
	if err != nil {
		return err
	}
	accounts, err := h.Staff.Accounts(ctx)
	if err != nil {
		return err
	}
	p.Rows = h.sessionRows(c, open, accounts)
	for _, s := range open {
		p.Others = p.Others || s.AccountID == me.ID && s.ID != me.Session.ID
	}
	if p.Title = strconv.Itoa(len(open)) + " open sessions"; len(open) == 1 {
		p.Title = "1 open session"
	}
	here := web.StaffSessionsPath
	if p.Tabs != nil {
		here = web.StaffLogPath
	}
	return h.Show(c, http.StatusOK, sessionsPage(frameOf(c, "Sessions", here), p))
}

func (h handlers) endSession(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, me, by := c.Request().Context(), web.StaffPerson(c), h.Session.StaffActor(c)
	if typed.Get("others") != "" {
		err = h.Staff.EndOtherSessions(ctx, me, by)
	} else {
		err = h.Staff.EndSession(ctx, me, typed.Get("end"), by)
	}
	if err != nil && admission.AsProblem(err) == nil { // one that has ended meanwhile is what the person wanted
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.StaffSessionsPath)
}
