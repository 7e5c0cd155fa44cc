package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hiresure/admission/paper"
	"hiresure/cmd/site/config"
	"hiresure/integrations/pdf"
	"hiresure/pages"
	"hiresure/pages/checkout"
)

// printers limits concurrent printing: each takes a tab of the browser and half of a processor.
const printers = 2

// papers prints receipts and invoices through a browser.
type papers struct {
	printer *pdf.Printer
	options pdf.Options
	size    pdf.Paper
	kit     func() *pages.Kit
	log     *slog.Logger
	alert   func(what string)
	clock   func() time.Time
	missing atomic.Bool // the last print found no browser

	draining context.Context // once it ends, no browser is started
	drain    func()

	mutex   sync.Mutex
	alerted map[string]time.Time // papers that wait for a font
}

var _ paper.Printer = (*papers)(nil)

// openPapers configures the browser, which starts with the first print; nil if nothing is printed. kit is called by then.
func openPapers(c *config.Config, kit func() *pages.Kit, log *slog.Logger, alert func(what string), clock func() time.Time) (*papers, error) {
	if c.ChromeURL == "off" {
		return nil, nil
	}
	options := pdf.Options{URL: c.ChromeURL, Path: c.ChromePath, Folder: filepath.Join(c.DataDir, "browser"), Style: checkout.PrintStyle(), Tabs: printers, Log: log}
	printer, err := pdf.New(options)
	if err != nil {
		return nil, fmt.Errorf("CHROME_URL: %w", err)
	}
	p := &papers{printer: printer, options: options, size: pdf.Letter, kit: kit, log: log, alert: alert, clock: clock, alerted: map[string]time.Time{}}
	p.draining, p.drain = context.WithCancel(context.Background())
	context.AfterFunc(p.draining, printer.Drain)
	if c.PaperSize == "a4" {
		p.size = pdf.A4
	}
	return p, nil
}

// close ends the browser.
func (p *papers) close() {
	if err := p.printer.Close(); err != nil {
		p.log.Warn("the PDF browser did not close", "error", err)
	}
}

func (p *papers) Print(ctx context.Context, of paper.Paper) ([]byte, error) {
	html, err := checkout.Printed(ctx, p.kit(), of)
	if err != nil {
		return nil, err
	}
	page := pdf.Page{HTML: html, Paper: p.size, Made: of.CausedAt}
	file, err := p.printer.Print(ctx, page)
	var undrawn *pdf.GlyphError
	if errors.As(err, &undrawn) && p.options.URL == "" {
		file, err = p.printInNewBrowser(ctx, page)
	}
	if errors.As(err, &undrawn) {
		p.reportUndrawn(of, undrawn)
		return nil, fmt.Errorf("%w: %w", paper.ErrNoFont, err)
	}
	if errors.Is(err, pdf.ErrNoBrowser) {
		if !p.missing.Swap(true) {
			p.log.Warn("no browser prints PDFs, so they wait: check CHROME_URL and that Chromium is installed", "error", err)
		}
		return nil, fmt.Errorf("%w: %w", paper.ErrNoPrinter, err)
	}
	if err == nil && p.missing.Swap(false) {
		p.log.Info("PDFs are printed again")
	}
	return file, err
}

// printInNewBrowser prints with the fonts that were installed since the other browser was started.
func (p *papers) printInNewBrowser(ctx context.Context, page pdf.Page) (file []byte, err error) {
	options := p.options
	options.Tabs = 1
	printer, err := pdf.New(options)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(p.draining, printer.Drain)()
	defer func() { err = errors.Join(err, printer.Close()) }()
	return printer.Print(ctx, page)
}

// reportUndrawn raises an alert about a paper that waits for a font, at most once a day for each.
func (p *papers) reportUndrawn(of paper.Paper, undrawn *pdf.GlyphError) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.clock()
	maps.DeleteFunc(p.alerted, func(_ string, at time.Time) bool { return now.Sub(at) >= alertAgain })
	if _, known := p.alerted[of.ID]; known {
		return
	}
	p.alerted[of.ID] = now
	p.log.Error("a paper waits for a font", "kind", of.Kind, "ref", of.Ref, "payment", of.TxnID, "characters", undrawn.Characters)
	p.alert("a paper waits: no font has a character of it")
}

const alertAgain = 24 * time.Hour

// scripts has a name in each script of India's scheduled languages, and a letter with a mark that has no sign of its own.
var scripts = []struct{ name, sample string }{
	{"Arabic", "محمد"}, {"Bengali", "অর্ণব"}, {"Devanagari", "श्रीकृष्ण"}, {"Gujarati", "હેતલ"}, {"Gurmukhi", "ਹਰਪ੍ਰੀਤ"}, {"Kannada", "ಶ್ರೀನಿವಾಸ"},
	{"Latin", "Kr\u0325ṣṇa"}, {"Malayalam", "ശ്രീജിത്ത്"}, {"Meetei Mayek", "ꯇꯣꯝꯕꯤ"}, {"Odia", "ଶ୍ରୀନିବାସ"}, {"Ol Chiki", "ᱥᱚᱱᱟ"}, {"Tamil", "ஸ்ரீதேவி"}, {"Telugu", "శ్రీకాంత్"},
}

// checkScripts raises an alert if the browser does not draw a script. Without a browser it checks nothing: then each paper waits, and each
// is checked when it is printed.
func (p *papers) checkScripts(ctx context.Context) {
	var samples, missing []string
	for _, script := range scripts {
		samples = append(samples, script.sample)
	}
	undrawn, err := p.printer.Undrawn(ctx, samples)
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, pdf.ErrNoBrowser) {
		p.log.Warn("the scripts of papers were not checked", "error", err)
		return
	}
	if err != nil {
		p.log.Error("the scripts of papers were not checked", "error", err)
		p.alert("the scripts of papers could not be checked")
		return
	}
	for _, script := range scripts {
		if slices.Contains(undrawn, script.sample) {
			missing = append(missing, script.name)
		}
	}
	if len(missing) > 0 {
		p.alert("papers with names in these scripts cannot be printed: " + strings.Join(missing, ", "))
		return
	}
	p.log.Info("papers are printed in all scripts", "scripts", len(scripts))
}

// Draw renders a page as a share picture of 1200 × 630 px.
func (p *papers) Draw(ctx context.Context, html []byte) ([]byte, error) {
	return p.printer.Picture(ctx, html, 1200, 630)
}

// Unavailable reports whether there is no browser: a local one is searched for, a remote one was missing at the last print.
func (p *papers) Unavailable() bool {
	if p.options.URL != "" {
		return p.missing.Load()
	}
	_, err := pdf.Find(p.options.Path)
	return err != nil || p.missing.Load()
}
