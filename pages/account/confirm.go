package account

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/correct"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// confirmView is the page of a link to a corrected e-mail or phone. It names nobody: the address may be a stranger's.
type confirmView struct {
	Action, Title, Text string
	Button              string // "" where there is nothing to confirm
	Code                bool   // asks for the code of an SMS
	Ended               bool   // no code that was sent works any more
	Typed, Fault        string
	Failed              string // what went wrong; "" for nothing
	Link                components.Link
}

// Words of a link that waits or was used, by its field.
var (
	waitingWords = map[correct.Field]confirmView{
		correct.Email: {Title: "Is this your e-mail?", Text: "We were asked to send the mails about a HireSure registration to the address at which you got this link. Nothing changes until you confirm.", Button: "Confirm my e-mail"},
		correct.Phone: {Title: "Is this your number?", Text: "We were asked to use the number at which you got our SMS for a HireSure registration. Nothing changes until you enter the code.", Button: "Confirm my number", Code: true},
	}
	confirmedWords = map[correct.Field]confirmView{
		correct.Email: {Title: "Your e-mail is confirmed", Text: "Mails about the registration now go to this address. You can close this page."},
		correct.Phone: {Title: "Your number is confirmed", Text: "It now opens the registration and gets our messages. The old number opens nothing any more.", Link: components.Link{Text: "Sign in with it", Href: web.SignInPath}},
	}
)

// confirm shows a link. Only a press uses it, since mail programs open links too.
func (h handlers) confirm(c *echo.Context) error { return h.showConfirm(c, "", nil) }

// showConfirm shows a link with what was typed and why it was refused.
func (h handlers) showConfirm(c *echo.Context, typed string, refused *admission.Problem) error {
	token := c.Param("token")
	found, err := h.Correct.Find(c.Request().Context(), token)
	status, view := http.StatusGone, confirmView{Title: "This link no longer works"}
	support := h.Content.Current().Site().Support.Phone
	switch {
	case admission.HasKind(err, admission.NotFound):
		status, view.Text = http.StatusNotFound, "The address is incomplete, or the link is over. Open the latest message that we sent, or call us: "+support+"."
	case err != nil:
		return err
	case found.State == correct.Confirmed:
		status, view = http.StatusOK, confirmedWords[found.Field]
	case found.State == correct.Withdrawn:
		view.Text = "The request was withdrawn. Nothing was changed. Questions? Call us: " + support + "."
	case found.State == correct.Replaced:
		view.Text = "We have sent a newer message. Open the latest one."
	case found.Expired(h.Clock()):
		view.Text = "It worked for 24 hours. Nothing was changed. Call us for a new one: " + support + "."
	default:
		status, view = http.StatusOK, waitingWords[found.Field]
		view.Action, view.Typed, view.Ended = web.ConfirmPath(token), typed, found.Field == correct.Phone && !found.CodeLives(h.Clock())
	}
	if refused != nil {
		status = pages.StatusOf(c, refused)
		if view.Fault = refused.Message; !view.Code || refused.Field == "" {
			view.Fault, view.Failed = "", refused.Message
		}
	}
	return h.Show(c, status, confirmPage(h.Frame(), view))
}

// doSend asks for a new code.
const doSend = "send"

func (h handlers) useConfirm(c *echo.Context) error {
	form, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	ctx, token, code := c.Request().Context(), c.Param("token"), form.Get("code")
	if form.Get(doField) == doSend {
		code, err = "", h.Correct.SendCode(ctx, token)
	} else {
		err = h.Correct.Confirm(ctx, token, code)
	}
	switch problem := h.ProblemOf(c, err); {
	case problem == nil:
		return redirect(c, web.ConfirmPath(token))
	case problem.Kind == admission.NotFound:
		return h.showConfirm(c, "", nil)
	default:
		return h.showConfirm(c, code, problem)
	}
}

// field is the field of the code.
func (view confirmView) field() components.FieldProps {
	p := components.FieldProps{Name: "code", Kind: "otp", Label: "Code from the SMS", Value: view.Typed, Error: view.Fault, InputMode: "numeric", Autocomplete: "one-time-code", MaxLength: 6, Digits: min(len(view.Typed), 6)}
	if view.Ended {
		p.Hint = "The code that we sent no longer works."
	}
	return p
}
