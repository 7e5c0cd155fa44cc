package pdf

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const (
	// address is the tab's apparent address, answered by us to set the policy.
	address = "https://page.invalid/"
	// policy holds for every page set into the tab later. sandbox disables scripts, forms and <meta> refresh.
	policy = "sandbox; default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'"

	openTime = 10 * time.Second
	margin   = 1.0 // inch
)

var errCrashed = errors.New("its tab has crashed")

// A tab prints one page after another. A separate browser context gives it a separate process.
type tab struct {
	browser *browser
	life    context.Context // ends with the tab or its browser; the cause is errCrashed if the tab's process crashed
	target  *chromedp.Target
	frame   cdp.FrameID
	printed int
	close   func() // waits until the tab is closed
}

func (t *tab) alive() bool { return t != nil && t.life.Err() == nil }

// openTab returns an isolated tab with the style of all pages.
func (b *browser) openTab(o Options) (_ *tab, err error) {
	parent, stop := context.WithCancel(b.ctx)
	ctx, end := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) {
		p.DisposeOnDetach = new(true) // a remote browser outlives us
	}))
	life, lose := context.WithCancelCause(ctx)
	t := &tab{browser: b, life: life, close: func() { lose(nil); stop(); end() }}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	late := time.AfterFunc(o.patience(openTime), stop)
	defer late.Stop()
	if err := chromedp.Do(ctx); err != nil {
		return nil, err
	}
	t.target = chromedp.FromContext(ctx).Target
	chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *inspector.EventTargetCrashed:
			lose(errCrashed)
		case *fetch.EventRequestPaused:
			go t.answer(event)
		}
	})
	if err := t.isolate(); err != nil {
		return nil, err
	}
	return t, t.adoptStyle(o.Style)
}

// isolate disables scripts and network.
func (t *tab) isolate() error {
	steps := []func() error{
		// chromedp subscribes to events that are not needed here.
		step(t, dom.Disable, cdp.Empty{}), step(t, css.Disable, cdp.Empty{}), step(t, log.Disable, cdp.Empty{}), step(t, network.Disable, cdp.Empty{}),
		step(t, runtime.Disable, cdp.Empty{}), step(t, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{}),
		step(t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}),
		// Lay out for print at once, not for a screen first.
		step(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}),
		step(t, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*"}}}),
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	result, err := cdp.Call(t.life, t.target, page.Navigate, page.NavigateParams{URL: address})
	t.frame = result.FrameID
	return err
}

// adoptStyle adds a style to the tab's document that survives setting its content.
func (t *tab) adoptStyle(style string) error {
	css, err := json.Marshal(style)
	if err != nil {
		return err
	}
	_, err = t.evaluate(t.life, "document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync("+string(css)+")")
	return err
}

// evaluate returns the value of an expression of ours, or of its promise, as JSON. Scripts of the page itself don't run.
func (t *tab) evaluate(ctx context.Context, expression string) (string, error) {
	result, err := cdp.Call(ctx, t.target, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, AwaitPromise: new(true), ReturnByValue: new(true)})
	switch {
	case err != nil:
		return "", err
	case result.ExceptionDetails != nil:
		return "", fmt.Errorf("%.40s: %s", expression, result.ExceptionDetails.Text)
	}
	return string(result.Result.Value), nil
}

func step[P, R any](t *tab, command cdp.Command[P, R], params P) func() error {
	return func() error {
		_, err := cdp.Call(t.life, t.target, command, params)
		return err
	}
}

// answer responds to the tab's page request and fails every other.
func (t *tab) answer(request *fetch.EventRequestPaused) {
	if request.Request.URL == address && request.ResourceType == network.ResourceTypeDocument {
		_, _ = cdp.Call(t.life, t.target, fetch.FulfillRequest, fetch.FulfillRequestParams{
			RequestID: request.RequestID, ResponseCode: 200,
			ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}, {Name: "Content-Security-Policy", Value: policy}},
		})
		return
	}
	// ErrorReasonAborted leaves the page unchanged; other reasons show an error page of Chrome's. A request that cannot be failed hangs.
	_, _ = cdp.Call(t.life, t.target, fetch.FailRequest, fetch.FailRequestParams{RequestID: request.RequestID, ErrorReason: network.ErrorReasonAborted})
}

// use loads a page and returns what take makes of it, all within a time.
func (t *tab) use(ctx context.Context, html []byte, within time.Duration, take func(context.Context, *tab) ([]byte, error)) ([]byte, error) {
	bounded, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	defer context.AfterFunc(t.life, cancel)()
	t.printed++
	var file []byte
	err := t.load(bounded, html)
	if err == nil {
		file, err = take(bounded, t)
	}
	switch {
	case err == nil:
		return file, nil
	case !t.browser.alive() || lostConnection(err) && ctx.Err() == nil && t.life.Err() == nil:
		return nil, fmt.Errorf("%w: it went down while it printed: %w", ErrNoBrowser, err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case t.life.Err() != nil:
		return nil, fmt.Errorf("%w: %w", ErrPage, context.Cause(t.life))
	case bounded.Err() != nil:
		return nil, fmt.Errorf("%w: not within %v", ErrPage, within)
	}
	return nil, fmt.Errorf("%w: %w", ErrPage, err)
}

// lostConnection reports whether a call failed because the connection was lost, which is noticed before the browser's end.
func lostConnection(err error) bool { return errors.Is(err, context.Canceled) }

// load shows a page and returns when its fonts are there.
func (t *tab) load(ctx context.Context, html []byte) error {
	if _, err := cdp.Call(ctx, t.target, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: t.frame, HTML: withoutFrames(html)}); err != nil {
		return err
	}
	// Set the page before its fonts load, including fonts within it.
	loaded, err := t.evaluate(ctx, `document.fonts.ready.then(() => document.adoptedStyleSheets.length + " style, fonts " + document.fonts.status)`)
	if err == nil && loaded != `"1 style, fonts loaded"` {
		err = fmt.Errorf("the page has %s", loaded)
	}
	return err
}

func (p Page) print(ctx context.Context, t *tab) ([]byte, error) {
	paper := cmp.Or(p.Paper, Letter)
	return chromedp.PrintToPDF(
		chromedp.PDFOutlineAndTagged(), chromedp.PDFPrintBackground(), chromedp.PDFPreferCSSPageSize(),
		chromedp.PDFPaper(chromedp.PaperSize{Width: paper.Width, Height: paper.Height}), chromedp.PDFMargin(margin),
	)(ctx, t.target)
}

// picture draws the page for a screen, and leaves the tab as Print needs it.
func (t *tab) picture(ctx context.Context, width, height int) ([]byte, error) {
	if err := t.media(ctx, "screen"); err != nil {
		return nil, err
	}
	// load waited for the fonts of print: those of the screen may be others.
	if _, err := t.evaluate(ctx, "document.body.offsetWidth, document.fonts.ready.then(() => 0)"); err != nil {
		return nil, err
	}
	shot, err := cdp.Call(ctx, t.target, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatPng, CaptureBeyondViewport: new(true),
		Clip: &page.Viewport{Width: float64(width), Height: float64(height), Scale: 1},
	})
	if err != nil {
		return nil, err
	}
	return shot.Data, t.media(ctx, "print")
}

func (t *tab) media(ctx context.Context, name string) error {
	_, err := cdp.Call(ctx, t.target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
	return err
}

var frames = regexp.MustCompile(`(?i)<(/?)iframe\b`)

// withoutFrames removes frames: a srcdoc document is subject to the policy, but its text would be printed only if it was drawn in time.
// In text, < is escaped.
func withoutFrames(html []byte) string {
	return string(frames.ReplaceAll(html, []byte("<${1}no-frame")))
}
