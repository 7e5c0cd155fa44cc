package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"

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
	local   string // the browser's path, or "" to search for it; unused if remote
	remote  bool
	size    pdf.Paper
	kit     func() *pages.Kit
	log     *slog.Logger
	missing atomic.Bool // the last print found no browser
}

var _ paper.Printer = (*papers)(nil)

// openPapers configures the browser, which starts with the first print; nil if nothing is printed. kit is called by then.
func openPapers(c *config.Config, kit func() *pages.Kit, log *slog.Logger) (*papers, error) {
	if c.ChromeURL == "off" {
		return nil, nil
	}
	printer, err := pdf.New(pdf.Options{URL: c.ChromeURL, Path: c.ChromePath, Folder: filepath.Join(c.DataDir, "browser"), Style: checkout.PrintStyle(), Tabs: printers, Log: log})
	if err != nil {
		return nil, fmt.Errorf("CHROME_URL: %w", err)
	}
	p := &papers{printer: printer, local: c.ChromePath, remote: c.ChromeURL != "", size: pdf.Letter, kit: kit, log: log}
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
	file, err := p.printer.Print(ctx, pdf.Page{HTML: html, Paper: p.size, Made: of.CausedAt})
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

// Draw renders a page as a share picture of 1200 × 630 px.
func (p *papers) Draw(ctx context.Context, html []byte) ([]byte, error) {
	return p.printer.Picture(ctx, html, 1200, 630)
}

// Unavailable reports whether there is no browser: a local one is searched for, a remote one was missing at the last print.
func (p *papers) Unavailable() bool {
	if p.remote {
		return p.missing.Load()
	}
	_, err := pdf.Find(p.local)
	return err != nil || p.missing.Load()
}
