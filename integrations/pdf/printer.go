// Package pdf prints pages of HTML as PDF, or draws them as PNG, through a headless Chrome that is kept warm.
//
// Pages contain text of visitors, so they are isolated: no script runs, and no request leaves, whatever its scheme. Fonts and
// pictures are data: URLs in the page or in the style of all pages. Fonts must have a single weight: of a variable font Chrome
// embeds each letter as a drawing (Type 3).
package pdf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os/exec"
	"slices"
	"sync"
	"time"
)

var (
	// ErrNoBrowser means that there is no browser, or that it crashed: the page may be printed later.
	ErrNoBrowser = errors.New("no browser prints PDF")
	// ErrPage means that the page took too long or too much memory: a retry will most likely fail too.
	ErrPage = errors.New("the page cannot be printed")
	// ErrClosed means that the printer was closed.
	ErrClosed = errors.New("the printer is closed")
)

// Paper is the paper of a page, upright with margins of an inch, unless the page's CSS has @page.
type Paper struct{ Width, Height float64 } // inches

var (
	Letter = Paper{8.5, 11}
	A4     = Paper{210 / 25.4, 297 / 25.4}
)

// A Page is a page to print. Equal pages give equal bytes in all processes with the same version of Chrome.
type Page struct {
	HTML  []byte    // a complete document with title and lang
	Paper Paper     // zero means Letter
	Made  time.Time // creation time in the PDF; zero means 1970
}

// Options configure a Printer. All have defaults.
type Options struct {
	Path string // of the browser; "" means the first of names in PATH
	URL  string // of a remote browser's debugging port (ws:// or http://); overrides Path
	// Folder is where the browser keeps its profile; several processes may share it. "" means the system's temporary folder.
	Folder string
	Style  string        // CSS added to every page; each tab parses it and its fonts once, which takes as long as printing
	Tabs   int           // concurrent pages, each in a tab; default 2
	Time   time.Duration // limit for one page, without waiting for a tab; default 20 s
	Log    *slog.Logger

	// For tests: browser flags, KB of memory, time to start on an idle machine, the clock, and /proc/loadavg. Zero means the usual.
	flags     map[string]string
	memory    int
	startTime time.Duration
	clock     func() time.Time
	load      string
}

const (
	defaultTabs = 2
	defaultTime = 20 * time.Second
	// Chrome's caches make a tab grow with each page.
	pagesOfTab   = 50
	longestPause = time.Minute
)

// A Printer prints with one browser, which it starts for the first page, and again after a crash. It is safe for concurrent use.
type Printer struct {
	options Options
	tabs    chan *tab // has Tabs values; nil for a tab that is not open
	open    sync.WaitGroup

	starting chan struct{} // a lock with one value, for the fields below
	browser  *browser      // nil before the first page
	failure  error         // of the last start or of the browser that printed nothing
	failures int           // consecutive
	next     time.Time     // no start before
	closed   bool

	draining context.Context
	drain    context.CancelFunc
}

// New returns a Printer, or an error for invalid options. It does not look for the browser yet.
func New(o Options) (*Printer, error) {
	if o.URL != "" {
		u, err := url.Parse(o.URL)
		if err != nil || u.Host == "" || u.Scheme != "ws" && u.Scheme != "wss" && u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("the URL of a browser must be ws://host:port or http://host:port")
		}
	}
	if o.Tabs < 0 || o.Time < 0 {
		return nil, errors.New("a printer has at least one tab, and some time for each page")
	}
	if o.Tabs == 0 {
		o.Tabs = defaultTabs
	}
	if o.Time == 0 {
		o.Time = defaultTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.startTime == 0 {
		o.startTime = startTime
	}
	if o.clock == nil {
		o.clock = time.Now
	}
	if o.load == "" {
		o.load = "/proc/loadavg"
	}
	p := &Printer{options: o, tabs: make(chan *tab, o.Tabs), starting: make(chan struct{}, 1)}
	p.draining, p.drain = context.WithCancel(context.Background())
	for range o.Tabs {
		p.tabs <- nil
	}
	p.starting <- struct{}{}
	return p, nil
}

// Print returns a page as PDF, tagged, with outline, title, language and embedded fonts. It waits for a free tab until ctx ends.
// A page with a character that no font draws is a *GlyphError.
func (p *Printer) Print(ctx context.Context, page Page) ([]byte, error) {
	file, err := p.use(ctx, page.HTML, page.print)
	if err != nil {
		return nil, err
	}
	switch missing := missingGlyphs(file); {
	case len(missing) == 0:
		return nil, fmt.Errorf("%w: this browser's PDF has no pages", ErrPage)
	case slices.Contains(missing, true):
		return nil, p.undrawnOf(ctx, page.HTML)
	}
	return sameBytes(file, page.Made), nil
}

// Picture returns the first width × height CSS pixels of a page, as a screen shows it, as PNG. It waits like Print.
func (p *Printer) Picture(ctx context.Context, html []byte, width, height int) ([]byte, error) {
	return p.use(ctx, html, func(ctx context.Context, t *tab) ([]byte, error) { return t.picture(ctx, width, height) })
}

// use waits for a free tab, loads a page in it, and returns what take makes of it.
func (p *Printer) use(ctx context.Context, html []byte, take func(context.Context, *tab) ([]byte, error)) ([]byte, error) {
	var t *tab
	select {
	case t = <-p.tabs:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !t.alive() {
		if t != nil {
			t.close()
		}
		var err error
		if t, err = p.openTab(ctx); err != nil {
			p.tabs <- nil
			return nil, err
		}
	}
	file, err := t.use(ctx, html, p.options.Time, take)
	if err == nil {
		t.browser.printed.Store(true)
	}
	p.giveBack(t, err)
	return file, err
}

// giveBack frees the tab's place for the next page. A worn-out tab is replaced in the background; a failed one is closed first, so that
// at most Tabs are at work.
func (p *Printer) giveBack(t *tab, err error) {
	if err == nil && t.printed < pagesOfTab {
		p.tabs <- t
		return
	}
	p.open.Go(func() {
		if err != nil {
			p.options.Log.Warn("printing a page failed", "error", err)
			if t.browser.ping(context.Background(), p.options) != nil {
				t.browser.kill()
			}
		}
		t.close()
		var fresh *tab
		if err == nil {
			fresh, _ = p.openTab(context.Background()) // on an error, the next page tries again and reports it
		}
		p.tabs <- fresh
	})
}

func (p *Printer) openTab(ctx context.Context) (*tab, error) {
	b, err := p.running(ctx)
	if err != nil {
		return nil, err
	}
	t, err := b.openTab(p.options)
	if err != nil {
		b.kill()
		return nil, fmt.Errorf("%w: open a tab: %w", ErrNoBrowser, err)
	}
	return t, nil
}

// running returns the browser, starting it if needed. It waits until ctx ends; a start continues.
func (p *Printer) running(ctx context.Context) (*browser, error) {
	select {
	case <-p.starting:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type result struct {
		browser *browser
		err     error
	}
	started := make(chan result, 1)
	go func() {
		b, err := p.begin()
		p.starting <- struct{}{}
		started <- result{b, err}
	}()
	select {
	case r := <-started:
		return r.browser, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin returns the running browser, or starts one. The caller holds starting.
func (p *Printer) begin() (*browser, error) {
	if p.closed {
		return nil, ErrClosed
	}
	if p.browser != nil && p.browser.alive() {
		return p.browser, nil
	}
	if p.browser != nil {
		p.options.Log.Warn("the PDF browser crashed and is restarted")
		p.browser.close()
		if p.browser.printed.Load() {
			p.failures = 0
		} else {
			p.fail(errors.New("the browser ended before it had printed a page"))
		}
		p.browser = nil
	}
	if p.draining.Err() != nil {
		return nil, fmt.Errorf("%w: the site stops, and starts none", ErrNoBrowser)
	}
	if wait := p.next.Sub(p.options.clock()); wait > 0 && wait <= longestPause {
		return nil, p.failure
	}
	b, err := start(p.draining, p.options)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist): // costs nothing, and it may be installed any time
		return nil, fmt.Errorf("%w: %w", ErrNoBrowser, err)
	case err != nil:
		p.fail(err)
		return nil, p.failure
	}
	p.browser = b
	return b, nil
}

// fail postpones the next start by 0, 1, 2, 4 … seconds: on a busy machine starts fail, and each makes it busier.
func (p *Printer) fail(err error) {
	p.failure = fmt.Errorf("%w: %w", ErrNoBrowser, err)
	var pause time.Duration
	if p.failures++; p.failures > 1 {
		pause = min(time.Second<<min(p.failures-2, 6), longestPause)
		p.options.Log.Warn("the PDF browser does not start", "failures", p.failures, "pause", pause, "error", err)
	}
	p.next = p.options.clock().Add(pause)
}

// Drain ends a start of a browser and prevents further ones. A running browser continues to print.
func (p *Printer) Drain() { p.drain() }

// Close waits for pages being printed, ends the browser and removes its files. It only disconnects from a remote browser.
func (p *Printer) Close() error {
	p.drain()
	<-p.starting
	already := p.closed
	p.closed = true
	p.starting <- struct{}{}
	if already {
		return nil
	}
	for range p.options.Tabs {
		if t := <-p.tabs; t != nil {
			t.close()
		}
	}
	p.open.Wait()
	for range p.options.Tabs {
		p.tabs <- nil // later calls see that it is closed
	}
	if p.browser == nil {
		return nil
	}
	return p.browser.close()
}
