// Package admin serves the staff area: the sign-in of the people who work here, and their pages.
package admin

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// handlers serves the pages.
type handlers struct {
	*pages.Kit
	office      *office.Service
	development bool // offers a sign-in without proof
}

// Routes registers the staff area. development offers a sign-in at one press per role, which production must not.
func Routes(r *web.Routes, kit *pages.Kit, o *office.Service, development bool) {
	h := handlers{kit, o, development}
	r.Get(web.StaffSignInPath, web.StaffDoor, h.signIn)
	r.Post(web.StaffSignInPath, web.StaffDoor, h.givePassword)
	r.Get(web.StaffCodePath, web.StaffDoor, h.code)
	r.Post(web.StaffCodePath, web.StaffDoor, h.giveCode)
	r.Get(web.StaffSetUpPath, web.StaffDoor, h.setUp)
	r.Post(web.StaffSetUpPath, web.StaffDoor, h.finishSetUp)
	r.Post(signInPath, web.StaffDoor, h.passkeySignIn)
	r.Post(setUpKeyPath, web.StaffDoor, h.passkeySetUp)
	r.Post(welcomeKeyPath(":token"), web.StaffDoor, h.passkeyWelcome)
	r.Get(web.StaffWelcomePath(":token"), web.StaffDoor, h.welcome)
	r.Post(web.StaffWelcomePath(":token"), web.StaffDoor, h.acceptInvitation)
	if development {
		r.Post(becomePath, web.StaffDoor, h.become)
	}
	r.Get(web.StaffPath, web.Staff(staff.Desk), h.today)
	r.Post(takePath, web.Staff(staff.Desk), h.take)
	r.Post(askPath, web.Staff(staff.AskGateway), h.ask)
	r.Post(sendAgainPath, web.Staff(staff.Correct), h.sendAgain)
	r.Post(runAgainPath, web.Staff(staff.ManageStaff), h.runAgain)
	r.Get(web.StaffRegistrationsPath, web.Staff(staff.SeeRegistrations), h.registrations)
	r.Post(web.StaffRegistrationsPath, web.Staff(staff.ExportPeople).Within(10*time.Second, exportTimeout), h.exportRegistrations)
	r.Post(pagePath, web.Staff(staff.SeeRegistrations), h.registrationsOnPage)
	r.Get(viewsPath, web.Staff(staff.SeeRegistrations), h.views)
	r.Get(newViewPath, web.Staff(staff.SeeRegistrations), h.newView)
	r.Post(newViewPath, web.Staff(staff.SeeRegistrations), h.saveView)
	r.Post(savedViewPath(":id"), web.Staff(staff.SeeRegistrations), h.changeView)
	r.Get(web.StaffRegistrationPath(":id"), web.Staff(staff.SeeRegistrations), h.registration)
	r.Post(notesPath(":id"), web.Staff(staff.Correct), h.addNote)
	r.Post(receiptPath(":id"), web.Staff(staff.Correct), h.sendReceipt)
	r.Post(correctionPath(":id"), web.Staff(staff.Correct), h.changeCorrection)
	for f, d := range correctDialogs {
		r.Get(d.Path(":id"), web.Staff(staff.Correct), h.correction(f))
		r.Post(d.Path(":id"), web.Staff(staff.Correct), h.correct(f))
	}
	r.Get(reopenPath(":id"), web.Staff(staff.Correct), h.reopen)
	r.Post(reopenPath(":id"), web.Staff(staff.Correct), h.reopenStep)
	r.Post(decidePath(":id"), web.Staff(staff.HandleMoney), h.decide)
	r.Get(refundPath(":id"), web.Staff(staff.Refund), h.refundForm)
	r.Post(refundPath(":id"), web.Staff(staff.Refund), h.refund)
	r.Post(keepPath(":id"), web.Staff(staff.Refund), h.keepFee)
	r.Get(approvalsPath, web.Staff(staff.RefundAboveLimit), h.approvals)
	r.Get(approvalPath(":id"), web.Staff(staff.RefundAboveLimit), func(c *echo.Context) error { return c.Redirect(http.StatusSeeOther, approvalsPath) }) // from a confirmation
	r.Post(approvalPath(":id"), web.Staff(staff.RefundAboveLimit), h.approve)
	r.Post(printPaperPath(":id"), web.Staff(staff.PrintPapers), h.printPaper)
	r.Get(paperPath(":id", ":kind", ":ref"), web.Staff(staff.AskGateway).Within(10*time.Second, exportTimeout), h.paper) // whoever sees money
	r.Get(web.StaffPrintPath, web.Staff(staff.PrintPapers), h.print)
	r.Post(web.StaffPrintPath, web.Staff(staff.PrintPapers), h.orderPrint)
	r.Get(printBatchPath(":id"), web.Staff(staff.PrintPapers), h.printBatch)
	r.Get(printFilePath(":id"), web.Staff(staff.PrintPapers).Within(10*time.Second, exportTimeout), h.printFile)
	r.Post(printStopPath(":id"), web.Staff(staff.PrintPapers), h.stopPrint)
	r.Get(web.StaffRegisterPath, web.Staff(staff.PrintPapers), h.register)
	r.Post(web.StaffRegisterPath, web.Staff(staff.PrintPapers).Within(10*time.Second, exportTimeout), h.exportRegister)
	r.Get(web.StaffMenuPath, web.Staff(staff.Desk), h.menu)
	r.Get(keysPath, web.Staff(staff.Desk), h.keys)
	r.Post(web.StaffSignOutPath, web.Staff(staff.Desk), h.signOut)
	r.Post(web.StaffConfirmPath, web.Staff(staff.Desk), h.askConfirmation)
	r.Get(passkeysPath, web.Staff(staff.Desk), h.passkeys)
	r.Post(passkeysPath, web.Staff(staff.Desk), h.changePasskeys)
	r.Get(web.StaffSessionsPath, web.Staff(staff.Desk), h.sessions)
	r.Post(web.StaffSessionsPath, web.Staff(staff.Desk), h.endSession)
	r.Get(movePath(":id"), web.Staff(staff.Correct), h.askToMove)
	r.Post(movePath(":id"), web.Staff(staff.Correct), h.move)
	r.Get(viewAsPath(":id"), web.Staff(staff.ViewAs), h.askToView)
	r.Post(viewAsPath(":id"), web.Staff(staff.ViewAs), h.startView)
	r.Get(viewPath(":view"), web.Staff(staff.ViewAs), h.view)
	r.Post(viewPath(":view"), web.Staff(staff.ViewAs), h.endView)
	r.Get(viewPath(":view")+"/page/*", web.Staff(staff.ViewAs), h.viewedPage)
	r.Get(web.StaffLogPath, web.Staff(staff.ManageStaff), h.log)
	r.Get(web.StaffAccountsPath, web.Staff(staff.ManageStaff), h.accounts)
	r.Get(invitePath, web.Staff(staff.ManageStaff), h.invitation)
	r.Post(invitePath, web.Staff(staff.ManageStaff), h.invite)
	r.Get(web.StaffAccountPath(":id"), web.Staff(staff.ManageStaff), h.account)
	r.Post(web.StaffAccountPath(":id"), web.Staff(staff.ManageStaff), h.changeAccount)
}

// exportTimeout limits the download of a file.
const exportTimeout = 10 * time.Minute

const invitePath = web.StaffAccountsPath + "/new"

// frame is what the frame of a page shows. Person is nil before the sign-in.
type frame struct {
	Title   string
	Here    string // path of the area in the bar
	Person  *staff.Person
	Refresh int             // seconds until the page loads again without scripts; 0: never
	Strip   templ.Component // instead of the bar, above a page of an applicant; nil on other pages
}

func frameOf(c *echo.Context, title, here string) frame {
	return frame{Title: title, Here: here, Person: web.StaffPerson(c)}
}

// tab is a link in the bar or in a row of tabs.
type tab struct {
	Name, Href string
	Count      string // "" for none
	Here       bool
	Due        bool // what is counted waits for a person
}

// areas returns the areas that the person's roles open.
func (f frame) areas() (open []tab) {
	for _, area := range []struct {
		name, href string
		needs      staff.Permission
	}{
		{"Today", web.StaffPath, staff.Desk},
		{"Registrations", web.StaffRegistrationsPath, staff.SeeRegistrations},
		{"Money", approvalsPath, staff.RefundAboveLimit},
		{"Print", web.StaffPrintPath, staff.PrintPapers},
		{"Log", web.StaffLogPath, staff.ManageStaff},
		{"Sessions", web.StaffSessionsPath, staff.Desk},
	} {
		ofLog := area.href == web.StaffSessionsPath && f.Person.Can(staff.ManageStaff) // a tab there
		if f.Person.Can(area.needs) && !ofLog {
			open = append(open, tab{Name: area.name, Href: area.href, Here: f.Here == area.href})
		}
	}
	return open
}

func (f frame) roles() string { return staff.Labels(f.Person.Roles) }

func current(here bool) templ.Attributes {
	if here {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}

// initials returns the first letters of the first and last word of a name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return ""
	}
	letters := string([]rune(words[0])[:1])
	if len(words) > 1 {
		letters += string([]rune(words[len(words)-1])[:1])
	}
	return strings.ToUpper(letters)
}

// icons are the drawings of icons in a square of 24 units.
var icons = map[string]string{
	"back":   `<path d="M9 5L4.5 9.5 9 14M5 9.5h9a5 5 0 010 10h-4"/>`,
	"bang":   `<circle cx="12" cy="12" r="9"/><path d="M12 7v6M12 16.6v.1" stroke-width="2.4"/>`,
	"chev":   `<path d="M6 9l6 6 6-6"/>`,
	"clock":  `<circle cx="12" cy="12" r="8.500"/><path d="M12 7.500V12l3 2"/>`,
	"cross":  `<path d="M6.5 6.5l11 11M17.5 6.5l-11 11"/>`,
	"doc":    `<path d="M6 3.500h8l4 4v13H6zM14 3.500v4h4"/>`,
	"down":   `<path d="M12 4v11M7.500 11L12 15.500 16.500 11M5 20h14"/>`,
	"eye":    `<path d="M2.500 12C5 7.500 8.500 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-6 6.500-9.500 6.500S5 16.500 2.500 12z"/><circle cx="12" cy="12" r="2.800"/>`,
	"filter": `<path d="M4 7h16M7 12h10M10 17h4"/>`,
	"find":   `<circle cx="10.500" cy="10.500" r="6"/><path d="M15 15l5 5"/>`,
	"half":   `<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 010 16z" fill="currentcolor"/>`,
	"key":    `<circle cx="8" cy="15" r="4"/><path d="M11 12l8.500-8.500M15.500 7.500l3 3"/>`,
	"lock":   `<path d="M6 11h12v8.500H6zM8.500 11V8a3.500 3.500 0 017 0v3"/>`,
	"mail":   `<path d="M3.500 6h17v12h-17zM4 6.500l8 6.500 8-6.500"/>`,
	"menu":   `<path d="M4 7.5h16M4 12h16M4 16.500h16"/>`,
	"out":    `<path d="M14 5H6v14h8M11 12h9M16.500 8.500L20 12l-3.500 3.500"/>`,
	"pencil": `<path d="M4.500 19.500l1-4L16 5l3 3L8.500 18.500z"/>`,
	"person": `<circle cx="12" cy="8" r="3.600"/><path d="M5 20c.7-4 3.400-6 7-6s6.300 2 7 6"/>`,
	"phone":  `<path d="M6 4h4l1.500 4.500L9 10.500c1 2 2.500 3.500 4.500 4.500l2-2.500L20 14v4c0 1-1 2-2 2C10.500 19.500 4.500 13.500 4 6c0-1 1-2 2-2z"/>`,
	"ring":   `<circle cx="12" cy="12" r="7.5" stroke-dasharray="2.6 3.29" stroke-width="2.6" stroke-linecap="butt"/>`,
	"print":  `<path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z"/>`,
	"tick":   `<path d="M5 12.5l4.5 4.5L19 7.5" stroke-width="2.6"/>`,
	"turn":   `<path d="M19.500 5.500v5h-5M19 10.500a7.500 7.500 0 10.200 4.600"/>`,
	"up":     `<path d="M6 4.5h12M12 20V9.5M7.5 13.5L12 9l4.5 4.5"/>`,
}

func noteIcon(look string) string {
	if look == "done" {
		return "tick"
	}
	return "bang"
}

func noteRole(look string) string {
	if look == "red" {
		return "alert"
	}
	return "status"
}

// faults are messages by field; "" is the whole form.
type faults map[string]string

// faultsOf returns the message of a problem by its field.
func faultsOf(problem *admission.Problem) faults { return faults{problem.Field: problem.Message} }

// sayingView is a page with one message.
type sayingView struct {
	Title, Text string
	Link        components.Link
	Small       string
}

// Refuse shows a refusal to somebody who is signed in to the staff area.
func Refuse(kit *pages.Kit, c *echo.Context, r web.Refusal) error {
	p := sayingView{Title: "This did not work", Text: r.Message, Link: components.Link{Text: "Back to the start", Href: web.StaffPath}}
	person := web.StaffPerson(c)
	switch r.Status {
	case http.StatusForbidden:
		p.Title = "Your role does not open this page"
		p.Text = "You are signed in as " + person.Name + ", " + staff.Labels(person.Roles) + ". Nothing was changed. The attempt is in the log."
	case http.StatusNotFound:
		p.Title, p.Text = "Page not found", "The address is incomplete, or what it showed no longer exists."
	}
	p.Small = "Request " + cmp.Or(r.Reference, web.RequestID(c.Request().Context()))
	return kit.Show(c, r.Status, saying(frameOf(c, p.Title, ""), p))
}

func (h handlers) menu(c *echo.Context) error {
	return h.Show(c, http.StatusOK, menuPage(frameOf(c, "Menu", "")))
}

// requestID returns the id of a request, for the log.
func requestID(c *echo.Context) string { return web.RequestID(c.Request().Context()) }
