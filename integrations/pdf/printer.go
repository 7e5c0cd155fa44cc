// Package pdf prints pages of HTML as PDF, or draws them as PNG, through a headless Chrome that is kept warm.
//
// A page is text of ours around text of others, so that nothing inside of it may reach out: no script runs, and no
// request leaves, whatever its scheme. Fonts and pictures stand in the page, or in the style of all pages, as data: URLs, a
// font with one weight (of a variable one Chrome embeds each letter as a drawing, Type 3, instead of the font).
package pdf

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"
)

var (
	// ErrNoBrowser says that there is no browser, or that it went down, perhaps in the middle: the same page may be
	// printed later.
	ErrNoBrowser = errors.New("no browser prints PDF")
	// ErrPage says that this page took too long or too much memory: printed anew it will most likely do so again.
	ErrPage = errors.New("the page cannot be printed")
	// ErrClosed says that the printer has been closed.
	ErrClosed = errors.New("the printer is closed")
)

// Paper is what a page is printed on, upright and with margins of an inch, unless its CSS says otherwise by @page.
type Paper struct{ Width, Height float64 } // inches

var (
	Letter = Paper{8.5, 11}
	A4     = Paper{210 / 25.4, 297 / 25.4}
)

// A Page is what is printed. The same page gives the same bytes, whenever and by whichever process of the same version of
// Chrome.
type Page struct {
	HTML  []byte    // a whole document, with its title and its lang
	Paper Paper     // Letter where it is zero
	Made  time.Time // what the PDF tells as the time of its making; 1970 where it is zero
}

// Options are what a Printer works with. All of them have a default.
type Options struct {
	Path string // of the browser; where it is empty, the first of names that PATH has
	URL  string // of a browser that runs elsewhere (ws:// or http://, its debugging port); Path is unused then
	// Folder is where the browser's profile lies while it runs; several processes may share it. Where it is empty: that of the
	// system for temporary files.
	Folder string
	Style  string        // CSS of every page, after its own: a tab reads it once, with the fonts in it, which takes as long as to print
	Tabs   int           // pages that are printed at the same time, each in a tab of its own: 2
	Time   time.Duration // that a page has, without its waiting for a tab: 20 s
	Log    *slog.Logger

	flags  map[string]string // of the browser, for tests
	memory int               // KB, for tests; memory where it is zero
}

const (
	defaultTabs = 2
	defaultTime = 20 * time.Second
	// A tab grows by what Chrome caches of each page.
	pagesOfTab = 50
	// Ready starts no browser for so long after one did not start.
	pause = 10 * time.Second
)

// A Printer prints through one browser, which it starts at the first page, and again after it went down. It may be used
// by many at once.
type Printer struct {
	options Options
	tabs    chan *tab // as many as Tabs; nil where none is open
	open    sync.WaitGroup

	starting chan struct{} // holds one value, which whoever looks at what follows takes out
	browser  *browser      // nil before the first page
	failure  error         // why the browser did not start, the last time
	failed   time.Time
	closed   bool
}

// New refuses options that are nonsense. It neither looks for a browser nor starts one.
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
	p := &Printer{options: o, tabs: make(chan *tab, o.Tabs), starting: make(chan struct{}, 1)}
	for range o.Tabs {
		p.tabs <- nil
	}
	p.starting <- struct{}{}
	return p, nil
}

// Print returns a page as PDF: tagged, with its outline, its title and its language, and its fonts inside. It waits for a
// free tab as long as ctx lives.
func (p *Printer) Print(ctx context.Context, page Page) ([]byte, error) {
	file, err := p.use(ctx, page.HTML, page.print)
	if err != nil {
		return nil, err
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
	p.giveBack(t, err)
	return file, err
}

// giveBack makes the tab's place free for the next page. A tab that has printed enough is replaced behind the back of who has
// their page; one that failed is closed before its place is free, so that there are never more than Tabs of them at work.
func (p *Printer) giveBack(t *tab, err error) {
	if err == nil && t.printed < pagesOfTab {
		p.tabs <- t
		return
	}
	p.open.Go(func() {
		if err != nil {
			p.options.Log.Warn("a page was not printed", "error", err)
			if t.browser.ping(context.Background()) != nil {
				t.browser.kill()
			}
		}
		t.close()
		var fresh *tab
		if err == nil {
			fresh, _ = p.openTab(context.Background()) // the next page tries again, and tells why
		}
		p.tabs <- fresh
	})
}

func (p *Printer) openTab(ctx context.Context) (*tab, error) {
	b, err := p.running(ctx)
	if err != nil {
		return nil, err
	}
	t, err := b.openTab(p.options.Style)
	if err != nil {
		b.kill()
		return nil, fmt.Errorf("%w: open a tab: %w", ErrNoBrowser, err)
	}
	return t, nil
}

// running returns the browser, and starts it where none runs.
func (p *Printer) running(ctx context.Context) (*browser, error) {
	select {
	case <-p.starting:
		defer func() { p.starting <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p.closed {
		return nil, ErrClosed
	}
	if p.browser != nil && p.browser.alive() {
		return p.browser, nil
	}
	if p.browser != nil {
		p.options.Log.Warn("the browser that prints PDF went down and is started again")
		p.browser.close()
		p.browser = nil
	}
	b, err := start(p.options)
	if err != nil {
		p.failure, p.failed = fmt.Errorf("%w: %w", ErrNoBrowser, err), time.Now()
		return nil, p.failure
	}
	p.browser, p.failure = b, nil
	return b, nil
}

// Ready reports why nothing can be printed now, or nil. It starts the browser where none runs, but not again and again
// where that fails: whoever asks for the state of a site shall not keep it busy.
func (p *Printer) Ready(ctx context.Context) error {
	select {
	case <-p.starting:
	case <-ctx.Done():
		return ctx.Err()
	}
	failure := p.failure
	if time.Since(p.failed) > pause {
		failure = nil
	}
	p.starting <- struct{}{}
	if failure != nil {
		return failure
	}
	b, err := p.running(ctx)
	if err != nil {
		return err
	}
	if err := b.ping(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNoBrowser, err)
	}
	return nil
}

// Close ends the browser when the pages that are being printed are done, and removes what it has kept. One that runs
// elsewhere goes on.
func (p *Printer) Close() error {
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
		p.tabs <- nil // who comes now is told that it is closed
	}
	if p.browser == nil {
		return nil
	}
	return p.browser.close()
}
