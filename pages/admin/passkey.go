package admin

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/pages"
	"hiresure/web"
)

// Each form with a passkey is posted twice: by the script without an answer, which gets the challenge as JSON, and then with the answer.
const (
	answerField   = "passkey"
	signInPath    = web.StaffSignInPath + "/passkey"
	setUpKeyPath  = web.StaffSetUpPath + "/passkey"
	passkeysPath  = "/admin/passkeys"
	confirmAnswer = "confirm_passkey"
)

// welcomeKeyPath returns the address at which a link is accepted with a passkey.
func welcomeKeyPath(token string) string { return web.StaffWelcomePath(token) + "/passkey" }

// passkeyForm is a form with a passkey button.
type passkeyForm struct {
	ID, Action, Begin string
	Fields            []pages.HiddenField
	Answer            string // name of the field for the answer
}

func (h handlers) options(c *echo.Context, options any, err error) error {
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, options)
}

func deviceName(c *echo.Context) string { return account.Device(c.Request().UserAgent()) }

func (h handlers) passkeySignIn(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, v, token := c.Request().Context(), h.Session.StaffVisitor(c), h.Session.StaffToken(c)
	if typed.Get(answerField) == "" {
		in, options, err := h.Staff.AskPasskey(ctx, v, token)
		if err == nil {
			h.Session.SetStaff(c, in)
		}
		return h.options(c, options, err)
	}
	next := h.next(typed.Get(web.NextQuery))
	in, err := h.Staff.SignInByPasskey(ctx, v, token, typed.Get(answerField), h.Session.StaffBrowser(c), requestID(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		p := h.newSignIn(next, false)
		p.Fault = problem.Message
		return h.Show(c, pages.StatusOf(c, problem), signInPage(p))
	}
	return h.proceed(c, in, next)
}

func (h handlers) passkeySetUp(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, token := c.Request().Context(), h.Session.StaffToken(c)
	if typed.Get(answerField) == "" {
		options, err := h.Staff.AskNewPasskey(ctx, token)
		return h.options(c, options, err)
	}
	in, err := h.Staff.AddPasskey(ctx, h.Session.StaffVisitor(c), token, typed.Get(answerField), deviceName(c), requestID(c))
	switch problem := h.ProblemOf(c, err); {
	case problem == nil:
		return h.proceed(c, in, web.StaffPath)
	case problem.Kind == admission.SignedOut:
		return h.again(c, web.StaffPath, problem)
	default:
		return h.showSetUp(c, pages.StatusOf(c, problem), false, faults{"": problem.Message})
	}
}

func (h handlers) passkeyWelcome(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, v, link := c.Request().Context(), h.Session.StaffVisitor(c), c.Param("token")
	if typed.Get(answerField) == "" {
		in, options, err := h.Staff.AskPasskeyForLink(ctx, v, link)
		if err == nil {
			h.Session.SetStaff(c, in)
		}
		return h.options(c, options, err)
	}
	in, err := h.Staff.AcceptWithPasskey(ctx, v, h.Session.StaffToken(c), link, typed.Get(answerField), deviceName(c), requestID(c))
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showWelcome(c, pages.StatusOf(c, problem), faults{"": problem.Message})
	}
	return h.proceed(c, in, web.StaffPath)
}

type passkeysView struct {
	Title       string
	Rows        []passkeyRow
	Offered     bool // passkeys work at the site's address
	Confirmed   bool
	Form        passkeyForm
	Done, Fault string
}

type passkeyRow struct{ ID, Name, Added, Used string }

func (h handlers) passkeys(c *echo.Context) error { return h.showPasskeys(c, http.StatusOK, "") }

func (h handlers) showPasskeys(c *echo.Context, status int, fault string) error {
	me := web.StaffPerson(c)
	all, err := h.Staff.Passkeys(c.Request().Context(), me.ID)
	if err != nil {
		return err
	}
	p := passkeysView{
		Title: counted(len(all), "passkey"), Offered: h.Staff.HasPasskeys(), Confirmed: me.Session.Confirmed(h.Clock()), Fault: fault,
		Form: passkeyForm{ID: "add", Action: passkeysPath, Begin: passkeysPath, Answer: answerField},
	}
	if len(all) == 0 {
		p.Title = "No passkey yet"
	}
	for _, key := range all {
		p.Rows = append(p.Rows, passkeyRow{ID: key.ID, Name: key.Name, Added: h.moment(key.CreatedAt), Used: h.lastActive(key.UsedAt)})
	}
	switch {
	case fault != "":
	case c.QueryParam("done") == "added":
		p.Done = "Passkey added. You can sign in with it from now on."
	case c.QueryParam("done") == "removed":
		p.Done = "Passkey removed."
	}
	f := frameOf(c, "Your passkeys", "")
	return h.Show(c, status, passkeysPage(f, p))
}

func (h handlers) changePasskeys(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, me, token := c.Request().Context(), web.StaffPerson(c), h.Session.StaffToken(c)
	done := ""
	switch {
	case typed.Get("remove") != "":
		if done, err := h.confirmed(c, typed, "You are about to remove a passkey."); !done {
			return err
		}
		done, err = "removed", h.Staff.RemovePasskey(ctx, me, typed.Get("remove"), h.Session.StaffActor(c))
	case typed.Get("do") == "confirm":
		if done, err := h.confirmed(c, typed, "You are about to add a passkey."); !done {
			return err
		}
		return c.Redirect(http.StatusSeeOther, passkeysPath)
	case typed.Get(answerField) == "":
		options, err := h.Staff.AskNewPasskey(ctx, token)
		return h.options(c, options, err)
	default:
		done = "added"
		_, err = h.Staff.AddPasskey(ctx, h.Session.StaffVisitor(c), token, typed.Get(answerField), deviceName(c), requestID(c))
	}
	if problem := h.ProblemOf(c, err); problem != nil {
		return h.showPasskeys(c, pages.StatusOf(c, problem), problem.Message)
	}
	return c.Redirect(http.StatusSeeOther, web.WithQuery(passkeysPath, url.Values{"done": {done}}))
}

func (h handlers) askConfirmation(c *echo.Context) error {
	options, err := h.Staff.AskPasskeyToConfirm(c.Request().Context(), h.Session.StaffToken(c))
	return h.options(c, options, err)
}

// signInForm returns the form to sign in by passkey.
func signInForm(next string) passkeyForm {
	return passkeyForm{ID: "with-passkey", Action: signInPath, Begin: signInPath, Fields: []pages.HiddenField{{Name: web.NextQuery, Value: next}}, Answer: answerField}
}
