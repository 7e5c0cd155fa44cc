package admin

import (
	"net/url"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/status"
	"hiresure/pages"
	"hiresure/web"
)

func movePath(id string) string { return web.StaffRegistrationPath(id) + "/exam" }

// movable reports whether an exam is paid and ahead.
func movable(p office.Person) bool { return p.Phase == status.Enrolled }

// Fields of the form that moves an exam.
const (
	fromField  = "from"  // the event when the page was shown
	eventField = "event" // the chosen event
	shownField = "shown" // the event whose changes the page shows
)

type moveView struct {
	dialogView
	Now, NowMore string
	From, Shown  string // codes
	Choices      []moveChoice
	Several      bool // exams can be chosen
	Changes      []changeRow
	Button       string // "" while no exam can be chosen
	Reasons      []option
	Faults       faults
}

// moveChoice is another exam. One that cannot be chosen is shown with the reason.
type moveChoice struct {
	Code, Text, More string
	Locked, Chosen   bool
}

// changeRow is a line of what a move changes. Was is "" for what stays.
type changeRow struct{ Name, Was, Is string }

func (h handlers) askToMove(c *echo.Context) error {
	return h.showMove(c, c.QueryParams(), nil)
}

// showMove shows the dialog with what was typed, and the problem of a refusal.
func (h handlers) showMove(c *echo.Context, typed url.Values, problem *admission.Problem) error {
	var codes []string
	for _, event := range h.Content.Current().Events() {
		codes = append(codes, event.ScholarshipCode)
	}
	m, err := h.office.Moves(c.Request().Context(), c.Param("id"), codes)
	if err != nil {
		return err
	}
	r := m.Registration
	p := moveView{
		dialogView: dialogView{ID: r.ID, Name: r.FullName, Title: "Move " + r.FullName + " to another exam"},
		Now:        admission.Date(m.Event.Exam), NowMore: m.Event.Title + ". Ticket " + r.Ticket, From: r.EventCode,
	}
	p.fillChoices(m, typed.Get(eventField), h.invoiceOf(c, m))
	for _, reason := range office.MoveReasons {
		p.Reasons = append(p.Reasons, option{Value: reason, Text: reason, Chosen: reason == typed.Get("reason")})
	}
	if problem != nil {
		p.Faults = faultsOf(problem)
	}
	return h.Show(c, pages.StatusOf(c, problem), movePage(frameOf(c, p.Title, web.StaffRegistrationsPath), p))
}

// invoiceOf returns the number of a registration's invoice, for whoever sees money.
func (h handlers) invoiceOf(c *echo.Context, m office.Moves) string {
	if m.Invoice == nil || !seesMoney(web.StaffPerson(c)) {
		return ""
	}
	return m.Invoice.Number
}

// fillChoices lists the other exams, and what a move to the chosen one, or else the first possible one, changes.
func (p *moveView) fillChoices(m office.Moves, chosen, invoice string) {
	var to *admission.Event
	possible := 0
	for i := range m.Choices {
		if choice := &m.Choices[i]; choice.Why == "" {
			possible++
			if to == nil || choice.Event.Code == chosen {
				to = &choice.Event
			}
		}
	}
	for _, choice := range m.Choices {
		row := moveChoice{Code: choice.Event.Code, Text: admission.Date(choice.Event.Exam) + ", " + choice.Event.Title, Locked: choice.Why != "", Chosen: to != nil && to.Code == choice.Event.Code}
		if row.More = choice.Why; row.More == "" {
			row.More = "Fee " + choice.Event.Fee.String() + ". " + choice.Event.Where
		}
		p.Choices = append(p.Choices, row)
	}
	if to == nil {
		return
	}
	p.Shown, p.Several, p.Button = to.Code, possible > 1, "Move to "+to.Exam.In(admission.IST).Format("2 January")
	p.Changes = []changeRow{
		{"Exam", admission.Date(m.Event.Exam), admission.Date(to.Exam)},
		{"Ticket", "", "keeps its number and gets a new QR code; the old one stops working"},
	}
	if !m.Event.RefundUntil.IsZero() && !to.RefundUntil.IsZero() {
		p.Changes = append(p.Changes, changeRow{"Last day for a full refund", admission.Date(m.Event.RefundUntil), admission.Date(to.RefundUntil)})
	}
	if invoice != "" {
		p.Changes = append(p.Changes, changeRow{"Invoice " + invoice, "", "stays, same fee"})
	}
}

// move moves the exam. Where another one is chosen than the page showed the changes of, it shows those first.
func (h handlers) move(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	id, to := c.Param("id"), typed.Get(eventField)
	if to != "" && to != typed.Get(shownField) {
		return h.showMove(c, typed, nil)
	}
	err = h.office.MoveExam(c.Request().Context(), id, typed.Get(fromField), to, typed.Get("reason"), h.Session.StaffActor(c))
	if problem := h.ProblemOf(c, err); problem != nil && problem.Field != "" {
		return h.showMove(c, typed, problem)
	} else if err != nil {
		return err
	}
	return h.tellOn(c, id, "moved")
}

// moveRemark returns the words next to the button; "" without one.
func moveRemark(p moveView) string {
	if p.Button == "" {
		return ""
	}
	return "E-mail and SMS go out at once."
}
