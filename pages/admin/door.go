package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/staff"
	"hiresure/pages"
	"hiresure/web"
)

type signInView struct {
	Title, Text string
	Email, Next string
	Fault       string
	Passkeys    bool // are offered
}

// newSignIn returns the sign-in page; over says that a session has ended.
func (h handlers) newSignIn(next string, over bool) signInView {
	p := signInView{Title: "Staff sign-in", Text: "For the admissions office. What you view and change here is logged under your name.", Next: next, Passkeys: h.Staff.HasPasskeys()}
	if over {
		p.Title, p.Text = "You were logged out", "A session ends after 30 minutes without use, and always after 12 hours."
	}
	return p
}

// realSignIn is the sign-in with a password, in development.
const realSignIn = web.StaffSignInPath + "?real=yes"

func (h handlers) signIn(c *echo.Context) error {
	next := h.next(c.QueryParam(web.NextQuery))
	over := h.Session.StaffToken(c) != ""
	if over {
		p, err := h.Staff.Find(c.Request().Context(), h.Session.StaffToken(c))
		if err != nil {
			return err
		}
		if p != nil {
			return c.Redirect(http.StatusFound, next)
		}
	}
	if h.development && c.QueryParam("real") == "" && c.QueryParam(web.NextQuery) == "" {
		return h.Show(c, http.StatusOK, becomePage(people))
	}
	return h.Show(c, http.StatusOK, signInPage(h.newSignIn(next, over)))
}

// next returns the page of the staff area to open after the sign-in.
func (h handlers) next(typed string) string {
	path, own := admission.SafeRedirect(typed, h.BaseURL)
	if u, err := url.Parse(path); !own || err != nil || !web.IsStaff(u.Path) || strings.HasPrefix(u.Path, web.StaffSignInPath) {
		return web.StaffPath
	}
	return path
}

func (h handlers) givePassword(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	next := h.next(typed.Get(web.NextQuery))
	in, err := h.Staff.SignIn(c.Request().Context(), h.Session.StaffVisitor(c), typed.Get("email"), typed.Get("password"), h.Session.StaffBrowser(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		p := h.newSignIn(next, false)
		p.Email, p.Fault = typed.Get("email"), problem.Message
		return h.Show(c, pages.StatusOf(c, problem), signInPage(p))
	}
	return h.proceed(c, in, next)
}

// proceed sends the cookies of a step of the sign-in and leads to the next.
func (h handlers) proceed(c *echo.Context, in staff.SignedIn, next string) error {
	h.Session.SetStaff(c, in)
	switch in.Stage {
	case staff.NeedsCode:
		next = web.WithQuery(web.StaffCodePath, url.Values{web.NextQuery: {next}})
	case staff.NeedsSetUp:
		next = web.StaffSetUpPath
	}
	return c.Redirect(http.StatusSeeOther, next)
}

type codeView struct {
	FirstName, Next, Fault string
	Passkeys               bool // the account has some
}

func (h handlers) codeView(p *staff.Person, next, fault string) codeView {
	return codeView{FirstName: firstWord(p.Name), Next: next, Fault: fault, Passkeys: p.Passkeys > 0 && h.Staff.HasPasskeys()}
}

func (h handlers) code(c *echo.Context) error {
	p, err := h.Staff.Pending(c.Request().Context(), h.Session.StaffToken(c))
	if err != nil {
		return err
	}
	if p == nil || p.Session.Stage != staff.NeedsCode {
		return c.Redirect(http.StatusFound, web.StaffSignInPath)
	}
	return h.Show(c, http.StatusOK, codePage(h.codeView(p, h.next(c.QueryParam(web.NextQuery)), "")))
}

func firstWord(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return first
}

func (h handlers) giveCode(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, next, token := c.Request().Context(), h.next(typed.Get(web.NextQuery)), h.Session.StaffToken(c)
	pending, err := h.Staff.Pending(ctx, token)
	if err != nil {
		return err
	}
	in, err := h.Staff.GiveCode(ctx, h.Session.StaffVisitor(c), token, typed.Get("code"), h.Session.StaffBrowser(c), requestID(c))
	switch problem := h.ProblemOf(c, err); {
	case problem == nil:
		return h.proceed(c, in, next)
	case problem.Kind == admission.SignedOut || pending == nil:
		return h.again(c, next, problem)
	default:
		return h.Show(c, pages.StatusOf(c, problem), codePage(h.codeView(pending, next, problem.Message)))
	}
}

// again shows the sign-in page after a sign-in that went wrong.
func (h handlers) again(c *echo.Context, next string, problem *admission.Problem) error {
	h.Session.EndStaff(c)
	p := h.newSignIn(next, false)
	p.Fault = problem.Message
	return h.Show(c, http.StatusUnauthorized, signInPage(p))
}

type setUpView struct {
	Address string // otpauth://…
	Key     string // in groups of four
	Codes   []string
	Saved   bool
	Faults  faults

	Passkeys bool // are offered
}

func (h handlers) setUp(c *echo.Context) error { return h.showSetUp(c, http.StatusOK, false, nil) }

func (h handlers) showSetUp(c *echo.Context, status int, saved bool, f faults) error {
	a, set, err := h.Staff.PrepareSetUp(c.Request().Context(), h.Session.StaffToken(c))
	if problem := admission.AsProblem(err); problem != nil {
		return h.again(c, web.StaffPath, problem)
	}
	if err != nil {
		return err
	}
	const issuer = "HireSure staff"
	address := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + a.Email, RawQuery: url.Values{"secret": {set.Secret}, "issuer": {issuer}}.Encode()}
	return h.Show(c, status, setUpPage(setUpView{Address: strings.ReplaceAll(address.String(), "+", "%20"), Key: groups(set.Secret), Codes: set.Codes, Saved: saved, Faults: f, Passkeys: h.Staff.HasPasskeys()}))
}

// groups returns a key in groups of four.
func groups(key string) string {
	var b strings.Builder
	for i, r := range key {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (h handlers) finishSetUp(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	saved := typed.Get("saved") != ""
	in, err := h.Staff.FinishSetUp(c.Request().Context(), h.Session.StaffVisitor(c), h.Session.StaffToken(c), typed.Get("code"), saved, requestID(c))
	switch problem := h.ProblemOf(c, err); {
	case problem == nil:
		return h.proceed(c, in, web.StaffPath)
	case problem.Kind == admission.SignedOut:
		return h.again(c, web.StaffPath, problem)
	default:
		return h.showSetUp(c, pages.StatusOf(c, problem), saved, faults{problem.Field: problem.Message})
	}
}

type welcomeView struct {
	Action, FirstName, Name, Email, Roles string
	InvitedBy, Until                      string
	Faults                                faults
	Begin                                 string // address of the passkey form; "" without passkeys
}

func (h handlers) welcome(c *echo.Context) error { return h.showWelcome(c, http.StatusOK, nil) }

func (h handlers) showWelcome(c *echo.Context, status int, f faults) error {
	token := c.Param("token")
	a, until, err := h.Staff.Invitation(c.Request().Context(), token)
	if admission.AsProblem(err) != nil {
		return h.Show(c, http.StatusNotFound, linkOverPage())
	}
	if err != nil {
		return err
	}
	begin := ""
	if h.Staff.HasPasskeys() {
		begin = welcomeKeyPath(token)
	}
	return h.Show(c, status, welcomePage(welcomeView{
		Action: web.StaffWelcomePath(token), FirstName: firstWord(a.Name), Name: a.Name, Email: a.Email, Roles: staff.Labels(a.Roles),
		InvitedBy: strings.TrimPrefix(a.InvitedBy, "operator "), Until: admission.Moment(until), Faults: f, Begin: begin,
	}))
}

func (h handlers) acceptInvitation(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, v, token := c.Request().Context(), h.Session.StaffVisitor(c), c.Param("token")
	if typed.Get("do") == "refuse" {
		err := h.Staff.RefuseInvitation(ctx, v, token, requestID(c))
		if err != nil && admission.AsProblem(err) == nil {
			return err
		}
		return h.Show(c, http.StatusOK, linkOverPage())
	}
	in, err := h.Staff.ChoosePassword(ctx, v, token, typed.Get("password"), requestID(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showWelcome(c, pages.StatusOf(c, problem), faults{"password": problem.Message})
	}
	return h.proceed(c, in, web.StaffPath)
}

func (h handlers) signOut(c *echo.Context) error {
	p := web.StaffPerson(c)
	if err := h.Staff.EndSession(c.Request().Context(), p, p.Session.ID, h.Session.StaffActor(c)); err != nil && admission.AsProblem(err) == nil {
		return err
	}
	h.Session.EndStaff(c)
	return c.Redirect(http.StatusSeeOther, web.StaffSignInPath)
}

// becomePath signs in without proof, in development.
const becomePath = web.StaffSignInPath + "/development"

// person is somebody whom a developer may become.
type person struct {
	Name, Email, Does string
	Roles             []string
}

func (p person) roles() string {
	roles, _ := staff.ParseRoles(p.Roles)
	return staff.Labels(roles)
}

var people = []person{
	{"Meera Nambiar", "meera.nambiar@hiresure.example", "registrations", []string{"support"}},
	{"Arvind Kulkarni", "arvind.kulkarni@hiresure.example", "payments, invoices", []string{"finance"}},
	{"Rohit Bhandari", "rohit.bhandari@hiresure.example", "registrations and money", []string{"support", "finance"}},
	{"Farida Merchant", "farida.merchant@hiresure.example", "registrations, without money", []string{"reviewer"}},
	{"Tenzin Dolma", "tenzin.dolma@hiresure.example", "today only, so far", []string{"content"}},
	{"Kavya Hegde", "kavya.hegde@hiresure.example", "everything", []string{"admin"}},
}

func (h handlers) become(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	i, err := strconv.Atoi(cmp.Or(typed.Get("who"), "-1"))
	if err != nil || i < 0 || i >= len(people) {
		return echo.ErrBadRequest
	}
	p := people[i]
	in, err := h.Staff.OpenWithoutProof(c.Request().Context(), h.Session.StaffVisitor(c), staff.NewAccount{Email: p.Email, Name: p.Name, Roles: p.Roles}, requestID(c))
	if err != nil {
		return err
	}
	return h.proceed(c, in, web.StaffPath)
}
