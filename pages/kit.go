// Package pages holds what every HTML page works with: rendering, the cache of public pages, the human check without
// scripts, and the pages for errors. The pages themselves live in the folders below, one trio a page.
package pages

import (
	"bytes"
	"context"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/business"
	"hiresure/components"
	"hiresure/content"
	"hiresure/forms"
	"hiresure/prose"
	"hiresure/static"
	"hiresure/web"
)

// Kit is what the pages' handlers share. All fields are required but Forms, Issuer, Ticket and Draw.
type Kit struct {
	*business.Services
	Events       admission.Catalogue
	Forms        *forms.Set // nil: those that ship
	Content      *content.Source
	Session      *web.Manager
	Issuer       account.Issuer // an accounts service that hands visitors over; nil: none
	BaseURL      string         // own origin, without a trailing slash
	DefaultEvent string         // slug
	Clock        func() time.Time
	Log          *slog.Logger
	Ticket       func(now time.Time) string // signed ticket of the check page; nil where CAPTCHA=off
	// Draw draws a page of 1200 × 630 px as PNG; nil: no browser draws.
	Draw func(ctx context.Context, html []byte) ([]byte, error)

	kept content.Memo[*pageCache]
}

// At returns the kit as it is at a moment, for what is shown as things stood then. It keeps no pages.
func (k *Kit) At(moment time.Time) *Kit {
	return &Kit{
		Services: k.Services, Events: k.Events, Forms: k.Forms, Content: k.Content, Session: k.Session, Issuer: k.Issuer, BaseURL: k.BaseURL,
		DefaultEvent: k.DefaultEvent, Clock: func() time.Time { return moment }, Log: k.Log, Ticket: k.Ticket, Draw: k.Draw,
	}
}

// Show renders a page for one visitor; nobody may keep it. It is rendered whoever has gone: net/http also ends the context
// of a request whose body has broken off or takes too long, and its sender waits for an answer.
func (k *Kit) Show(c *echo.Context, status int, page templ.Component) error {
	var body bytes.Buffer
	ctx := context.WithoutCancel(c.Request().Context())
	if status < http.StatusInternalServerError {
		leaving, err := k.leaving(c)
		if err != nil {
			return err
		}
		ctx = components.WithLeaving(ctx, leaving)
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

// ShowCached serves a page that is the same for everybody. It is rendered once for a library, a path, a day in India and a
// state, which must name whatever else the page depends on. words is the library that render reads: the page goes with it,
// and nobody sees it again once another one is published.
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

// PostForm returns the fields of a posted form, those of its body alone. Every form of ours is urlencoded, and nothing
// else is taken: a multipart body would be kept in files.
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

// Honeypot is the name of a field that no person sees; a post that fills it is a script's.
const Honeypot = "website"

// CaptchaName is the name of the field that carries the human check's token or ticket.
const CaptchaName = "captcha_token"

// NeedsHuman reports whether err asks for the human check, so that the handler returns CheckPage.
func NeedsHuman(err error) bool {
	problem := admission.AsProblem(err)
	return problem != nil && problem.Field == CaptchaName
}

// PressedTooFast reports whether err asks a person to press the check page's button once more, in a moment.
func PressedTooFast(err error) bool {
	return NeedsHuman(err) && admission.AsProblem(err).Kind == admission.TooMany
}

// CheckPage answers a post without scripts that has not passed the human check yet: one button, a signed ticket, and
// everything that was typed, which comes back with it to action, the form's own. Who pressed that button too fast is told so.
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
		ticket = k.Ticket(k.Clock())
	}
	status, tooFast := http.StatusOK, ""
	if PressedTooFast(refused) {
		problem := admission.AsProblem(refused)
		status, tooFast = web.StatusOf(problem), problem.Message
		web.Refusal{RetryAfter: problem.RetryAfter}.SetHeaders(c.Response().Header())
	}
	return k.Show(c, status, humanPage(k.Frame(), action, ticket, tooFast, sortFields(fields)))
}

// HiddenField is one typed value on its way through the check page.
type HiddenField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Visitor is who asks, with the session that the post may open, and the human check's token of a posted form. A filled
// honeypot counts as a bad token.
func (k *Kit) Visitor(c *echo.Context, typed url.Values) (admission.Visitor, error) {
	v, err := k.Session.VisitorOrNew(c)
	if err != nil {
		return v, err
	}
	v.CaptchaToken = typed.Get(CaptchaName)
	if typed.Get(Honeypot) != "" {
		v.CaptchaToken = "honeypot"
	}
	return v, nil
}

// ProblemOf returns what a form says of an error: nil for none, the Problem that it is, or, for a fault of ours, which is
// logged and counted here, a Problem that lets the form come back with everything that was typed.
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

// FaultsOf are the faults of a refusal by the form's fields; one of no field of the form speaks of the whole. nil: none.
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

// Saved says when something was kept: at what time today, or on which day.
func (k *Kit) Saved(at time.Time) components.SavedProps {
	text := admission.Date(at)
	if text == admission.Date(k.Clock()) {
		text = admission.TimeOfDay(at)
	}
	return components.SavedProps{Text: "Saved " + text, Sign: components.SignSaved}
}

// SummaryOf lists what is wrong by its messages; faults of fields are answers that are still open.
func SummaryOf(form components.FormProps) components.ErrorSummaryProps {
	summary := form.Summary()
	summary.Lead = "" // the title counts them
	for i := range summary.Errors {
		summary.Errors[i].Label = "" // as drawn: the messages
	}
	for _, fault := range form.Faults {
		if fault.Field == "" {
			return summary
		}
	}
	if n := len(form.Faults); n > 1 {
		summary.Title = prose.Capital(content.InWords(n)) + " answers are still open"
	} else {
		summary.Title = "One answer is still open"
	}
	return summary
}
