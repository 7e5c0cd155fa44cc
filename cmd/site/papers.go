package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"

	"hiresure/admission/paper"
	"hiresure/integrations/pdf"
	"hiresure/pages"
	"hiresure/pages/checkout"
)

// printers is how many papers are printed at the same time: each takes a tab of the browser, and half of a processor.
const printers = 2

// papers prints papers through a browser.
type papers struct {
	printer *pdf.Printer
	local   string // the browser's path, or "" to look for it; of no use where elsewhere
	remote  bool
	size    pdf.Paper
	kit     func() *pages.Kit
	log     *slog.Logger
	away    atomic.Bool // the last paper found no browser
}

var _ paper.Printer = (*papers)(nil)

// openPrinter starts nothing: the browser starts with the first paper.
func (s *site) openPrinter() error {
	c := s.config
	if c.ChromeURL == "off" {
		return nil
	}
	printer, err := pdf.New(pdf.Options{URL: c.ChromeURL, Path: c.ChromePath, Folder: filepath.Join(c.DataDir, "browser"), Style: checkout.PrintStyle(), Tabs: printers, Log: s.log})
	if err != nil {
		return fmt.Errorf("CHROME_URL: %w", err)
	}
	s.papers = &papers{printer: printer, local: c.ChromePath, remote: c.ChromeURL != "", size: pdf.Letter, kit: func() *pages.Kit { return s.kit }, log: s.log}
	if c.PaperSize == "a4" {
		s.papers.size = pdf.A4
	}
	s.onClose(func(context.Context) {
		if err := printer.Close(); err != nil {
			s.log.Warn("the browser that prints papers did not close", "error", err)
		}
	})
	return nil
}

func (p *papers) Print(ctx context.Context, of paper.Paper) ([]byte, error) {
	html, err := checkout.Printed(ctx, p.kit(), of)
	if err != nil {
		return nil, err
	}
	file, err := p.printer.Print(ctx, pdf.Page{HTML: html, Paper: p.size, Made: of.CausedAt})
	if errors.Is(err, pdf.ErrNoBrowser) {
		if !p.away.Swap(true) { // once, however many wait
			p.log.Warn("papers wait: no browser prints them", "error", err)
		}
		return nil, fmt.Errorf("%w: %w", paper.ErrNoPrinter, err)
	}
	if err == nil && p.away.Swap(false) {
		p.log.Info("papers are printed again")
	}
	return file, err
}

// Draw draws a page of 1200 × 630 px, as messengers show one.
func (p *papers) Draw(ctx context.Context, html []byte) ([]byte, error) {
	return p.printer.Picture(ctx, html, 1200, 630)
}

// Away tells of a browser that is not installed before the first paper needs it; of one elsewhere, what the last paper met.
func (p *papers) Away() bool {
	if p.remote {
		return p.away.Load()
	}
	_, err := pdf.Find(p.local)
	return err != nil || p.away.Load()
}
