package admin

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/web"
)

// logTabs are the tabs of the area Log.
func logTabs(here string) []tab {
	links := []tab{{Name: "Audit log", Href: web.StaffLogPath}, {Name: "Staff and roles", Href: web.StaffAccountsPath}, {Name: "Sessions", Href: web.StaffSessionsPath}}
	for i := range links {
		links[i].Here = links[i].Href == here
	}
	return links
}

type logView struct {
	Text            string
	Who, Kind, When []option
	Tabs            []tab
	Acts            []actRow
	Newest, Older   string // addresses; "" for none
}

type option struct {
	Value, Text string
	Chosen      bool
}

type actRow struct {
	When, Who, What, Reason, Subject, Href string
	Was, Is, From, Session, Request        string
	Denied                                 bool
}

func (h handlers) actRows(acts []staff.NumberedAct) (rows []actRow) {
	for _, act := range acts {
		row := actRow{
			When: admission.Moment(act.At) + act.At.In(admission.IST).Format(":05"), Who: act.Who, What: upperFirst(act.What), Reason: act.Reason, Subject: act.Whom,
			Was: act.Was, Is: act.Is, From: act.From, Session: shortID(act.Session), Request: act.Request, Denied: act.Denied,
		}
		if act.Denied {
			row.What = act.What
		}
		if kind := strings.SplitN(act.Whom, " ", 3); len(kind) == 3 && kind[0] == "staff" {
			row.Subject, row.Href = kind[2], web.StaffAccountPath(kind[1])
		}
		rows = append(rows, row)
	}
	return rows
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

const actsPerPage = 50

// periods are the choices of the log's filter by time.
var periods = []struct {
	value, text string
	days        int
}{{"", "Any time", 0}, {"1", "Today", 1}, {"7", "7 days", 7}, {"28", "28 days", 28}}

func (h handlers) log(c *echo.Context) error {
	ctx, query := c.Request().Context(), c.QueryParams()
	accounts, err := h.Staff.Accounts(ctx)
	if err != nil {
		return err
	}
	f := staff.ActFilter{Account: query.Get("who"), Text: strings.TrimSpace(query.Get("q")), Denied: query.Get("kind") == "denied"}
	p := logView{Text: f.Text, Tabs: logTabs(web.StaffLogPath), Who: []option{{"", "Everybody", f.Account == ""}}}
	for _, a := range accounts {
		p.Who = append(p.Who, option{a.ID, a.Name, a.ID == f.Account})
	}
	p.Kind = []option{{"", "Everything", !f.Denied}, {"denied", "Denied", f.Denied}}
	for _, period := range periods {
		chosen := query.Get("when") == period.value
		p.When = append(p.When, option{period.value, period.text, chosen})
		if chosen && period.days > 0 {
			today := h.Clock().In(admission.IST)
			f.Since = time.Date(today.Year(), today.Month(), today.Day()-period.days+1, 0, 0, 0, 0, admission.IST)
		}
	}
	before, _ := strconv.ParseInt(query.Get("before"), 10, 64) // anything else is the first page
	acts, next, err := h.Staff.Acts(ctx, f, max(before, 0), actsPerPage)
	if err != nil {
		return err
	}
	p.Acts = h.actRows(acts)
	link := func(before int64) string {
		kept := url.Values{}
		for _, name := range []string{"q", "who", "kind", "when"} {
			if value := query.Get(name); value != "" {
				kept.Set(name, value)
			}
		}
		if before > 0 {
			kept.Set("before", strconv.FormatInt(before, 10))
		}
		return web.WithQuery(web.StaffLogPath, kept)
	}
	if next > 0 {
		p.Older = link(next)
	}
	if before > 0 {
		p.Newest = link(0)
	}
	return h.Show(c, http.StatusOK, logPage(frameOf(c, "Log", web.StaffLogPath), p))
}
