// Package pages holds what all HTML pages share: rendering, the cache of public pages, the human check without scripts, and
// error pages. The pages themselves are in the folders below, one trio each.
package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/business"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/static"
	"hiresure/web"
)

// Kit holds what the handlers of pages share. All fields but Forms, Issuer, Ticket and Draw are required.
type Kit struct {
	*business.Services
	Events       admission.Catalogue
	Forms        *forms.Set // nil for the embedded forms
	Content      *content.Source
	Session      *web.Manager
	Issuer       account.Issuer // accounts service that hands visitors over; nil for none
	BaseURL      string         // origin of this site, without a trailing slash
	DefaultEvent string         // slug
	Clock        func() time.Time
	Log          *slog.Logger
	Ticket       func(now time.Time, from admission.Visitor) string // signed ticket of the check page; nil when CAPTCHA=off
	// Draw renders a page of 1200 × 630 px as PNG; nil without a browser.
	Draw func(ctx context.Context, html []byte) ([]byte, error)

	kept content.Memo[*pageCache]
}

// At returns the kit at another moment, without its page cache.
func (k *Kit) At(moment time.Time) *Kit {
	return &Kit{
		Services: k.Services, Events: k.Events, Forms: k.Forms, Content: k.Content, Session: k.Session, Issuer: k.Issuer, BaseURL: k.BaseURL,
		DefaultEvent: k.DefaultEvent, Clock: func() time.Time { return moment }, Log: k.Log, Ticket: k.Ticket, Draw: k.Draw,
	}
}

// Show renders a page for one visitor; no cache may store it. It ignores cancellation, because net/http also cancels the
// context of a request whose body broke off or timed out while the client still waits for the answer.
func (k *Kit) Show(c *echo.Context, status int, page templ.Component) error {
	var body bytes.Buffer
	ctx := context.WithoutCancel(c.Request().Context())
	if status < http.StatusInternalServerError {
		leaving, err := k.deletionNotice(c)
		if err != nil {
			return err
		}
		ctx = components.WithDeletion(ctx, leaving)
	}
	if err := page.Render(ctx, &body); err != nil {
		return err
	}
	header := c.Response().Header()
	header["Content-Type"] = htmlType
	header.Set("Cache-Control", "no-store")
	static.ServeOnce(c.Response(), c.Request(), status, body.Bytes())
	return nil
}

// ShowCached serves a page that is equal for all visitors. It renders once per library, path, day in India and state; state
// must name everything else that the page depends on. words is the library that render reads. Publishing another library
// drops the page.
func (k *Kit) ShowCached(c *echo.Context, words *content.Library, path, state string, render func() templ.Component) error {
	today := k.Clock().In(admission.IST)
	page, err := k.kept.Of(k.Content, words, newPageCache).page(path, version{today.Year(), today.YearDay(), state}, render)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header["Content-Type"] = htmlType
	header["Cache-Control"] = revalidate
	static.Serve(c.Response(), c.Request(), page)
	return nil
}

var (
	htmlType   = []string{"text/html; charset=utf-8"}
	revalidate = []string{"public, max-age=0, must-revalidate"}
)

// PostForm returns the body's fields of a posted form. It rejects all but urlencoded forms: multipart bodies would be stored
// in files.
func PostForm(c *echo.Context) (url.Values, error) {
	r := c.Request()
	if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "application/x-www-form-urlencoded" {
		return nil, echo.ErrUnsupportedMediaType
	}
	if err := r.ParseForm(); err != nil {
		return nil, web.BodyFault(err)
	}
	return r.PostForm, web.CheckText(r.PostForm)
}

// Honeypot is the name of a field that people do not see. Only scripts fill it.
const Honeypot = "website"

// CaptchaName is the name of the field with the human check's token or ticket.
const CaptchaName = "captcha_token"

// NeedsHuman reports whether err requires the human check. The handler then returns CheckPage.
func NeedsHuman(err error) bool {
	problem := admission.AsProblem(err)
	return problem != nil && problem.Field == CaptchaName
}

// PressedTooFast reports whether the check page's button was pressed too early.
func PressedTooFast(err error) bool {
	return NeedsHuman(err) && admission.AsProblem(err).Kind == admission.TooMany
}

// AsksForCheck reports whether a posted form gets CheckPage: it must pass the human check first, or do work for its call.
func AsksForCheck(err error, typed url.Values) bool {
	problem := admission.AsProblem(err)
	return problem != nil && problem.Challenge != nil || NeedsHuman(err) && typed.Get(CaptchaName) == "" || PressedTooFast(err)
}

// CheckPage answers a post without scripts that has not passed the human check: one button, a signed ticket, and all typed
// fields, which it posts to action. It shows refused when the button was pressed too early. For a call that needs work the page
// does it, or asks the visitor to wait.
func (k *Kit) CheckPage(c *echo.Context, action string, typed url.Values, refused error) error {
	var fields []HiddenField
	for name, values := range typed {
		if name == CaptchaName || name == Honeypot {
			continue
		}
		for _, value := range values {
			fields = append(fields, HiddenField{name, value})
		}
	}
	ticket := ""
	if k.Ticket != nil {
		v, err := k.Session.Visitor(c)
		if err != nil {
			return err
		}
		v.Form, _, _ = strings.Cut(action, "#")
		ticket = k.Ticket(k.Clock(), v)
	}
	if problem := admission.AsProblem(refused); problem != nil && problem.Challenge != nil {
		challenge, err := json.Marshal(problem.Challenge)
		if err != nil {
			return err
		}
		return k.Show(c, StatusOf(c, problem), workPage(k.Frame(), action, ticket, problem.Message, string(challenge), sortFields(fields)))
	}
	status, tooFast := http.StatusOK, ""
	if PressedTooFast(refused) {
		problem := admission.AsProblem(refused)
		status, tooFast = StatusOf(c, problem), problem.Message
	}
	return k.Show(c, status, humanPage(k.Frame(), action, ticket, tooFast, sortFields(fields)))
}

// HiddenField is a typed value that the check page passes on.
type HiddenField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Visitor returns the visitor, with a session if the post may open one, and the human check's token. A filled honeypot
// counts as a bad token.
func (k *Kit) Visitor(c *echo.Context, typed url.Values) (admission.Visitor, error) {
	v, err := k.Session.VisitorOrNew(c)
	if err != nil {
		return v, err
	}
	v.CaptchaToken, v.Form = typed.Get(CaptchaName), c.Request().URL.Path
	if typed.Get(Honeypot) != "" {
		v.CaptchaToken = "honeypot"
	}
	return v, nil
}

// ProblemOf returns err as a problem that a form can show; nil for none. Other errors are logged and counted here and become
// Unavailable, so that the form keeps what was typed.
func (k *Kit) ProblemOf(c *echo.Context, err error) *admission.Problem {
	if err == nil {
		return nil
	}
	if problem := admission.AsProblem(err); problem != nil {
		return problem
	}
	refusal := k.Session.RefusalOf(c, err)
	return &admission.Problem{Kind: admission.Unavailable, Message: refusal.Message, RetryAfter: refusal.RetryAfter}
}

// StatusOf returns the HTTP status of a page with an optional refusal, and sets Retry-After.
func StatusOf(c *echo.Context, refused *admission.Problem) int {
	if refused == nil {
		return http.StatusOK
	}
	web.Refusal{RetryAfter: refused.RetryAfter}.SetHeaders(c.Response().Header())
	return web.StatusOf(refused)
}

// FaultsOf returns the faults of a problem by the form's fields; one of an unknown field concerns the whole form.
func FaultsOf(form *forms.Form, refused *admission.Problem) []forms.Fault {
	if refused == nil {
		return nil
	}
	faults := slices.Clone(refused.Faults)
	if len(faults) == 0 {
		faults = []forms.Fault{{Field: refused.Field, Message: refused.Message}}
	}
	for i := range faults {
		if form.Field(faults[i].Field) == nil {
			faults[i].Field = ""
		}
	}
	return faults
}

// Saved returns when something was saved: the time of today, otherwise the date.
func (k *Kit) Saved(at time.Time) components.SavedProps {
	text := admission.Date(at)
	if text == admission.Date(k.Clock()) {
		text = admission.TimeOfDay(at)
	}
	return components.SavedProps{Text: "Saved " + text, Sign: components.SignSaved}
}

// SummaryOf lists the messages of a form's faults. If all belong to fields, its title counts them.
func SummaryOf(form components.FormProps) components.ErrorSummaryProps {
	summary := form.Summary()
	summary.Lead = "" // the title counts them
	for _, fault := range form.Faults {
		if fault.Field == "" {
			return summary
		}
	}
	summary.Title = CountFaults(form.Faults, form.Values)
	return summary
}

// CountFaults counts answers by what is to do: "6 answers missing" if all are empty, else "2 answers to correct"; "" for none. Faults without
// a field do not count.
func CountFaults(faults []forms.Fault, values map[string]string) string {
	number, what := 0, " missing"
	for _, fault := range faults {
		if fault.Field != "" {
			number++
		}
		if strings.TrimSpace(values[fault.Field]) != "" {
			what = " to correct"
		}
	}
	switch number {
	case 0:
		return ""
	case 1:
		return "1 answer" + what
	}
	return strconv.Itoa(number) + " answers" + what
}
