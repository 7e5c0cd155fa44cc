package site_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
)

func installFont(t *testing.T, folder, name string) {
	t.Helper()
	font, err := os.ReadFile("../../../integrations/pdf/testdata/" + name)
	if err := errors.Join(err, os.WriteFile(filepath.Join(folder, name), font, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestPapersWaitForAFont(t *testing.T) {
	folder := withoutFonts(t)
	r := openSite(t, "CHROME_URL", "", "CHROME_PATH", sitetest.NeedsBrowser(t))
	r.Name = "Արամ Verma"
	txn := r.Pay()
	const (
		none  = "invoice 1 false, receipt 1 false, ticket 1 false"
		alert = `alerts_open\{what="a paper waits: no font has a character of it"\} `
		slow  = "This takes longer than usual."
	)
	page := func() string {
		answer, page := r.Fetch("/checkout/" + txn + "/papers/invoice.pdf?wait")
		if answer.StatusCode != http.StatusAccepted || !strings.Contains(page, "Your tax invoice is being prepared") {
			t.Errorf("who waits reads %d %.2000s", answer.StatusCode, page)
		}
		return page
	}
	if strings.Contains(page(), slow) {
		t.Error("at once it takes longer than usual")
	}
	for range 2 {
		r.Work()
		if got := r.Kinds(txn); got != none {
			t.Errorf("without a font there are %s", got)
		}
		r.Passes(printWait)
	}
	if !strings.Contains(page(), slow) {
		t.Error("minutes later it takes no longer than usual")
	}
	mustMatch(t, scrape(r.Site.Metrics), alert+"3") // one for each paper, in however many attempts
	log := r.Log.String()
	if want := `msg="a paper waits for a font" kind=ticket ref=` + txn + " payment=" + txn + ` characters="[U+0531 U+0561 U+0574 U+0580]"`; !strings.Contains(log, want) {
		t.Errorf("the log lacks %s:\n%s", want, log)
	}
	if strings.Contains(log, "Արամ") || strings.Contains(log, "no browser prints PDFs") || strings.Contains(log, "job keeps failing") {
		t.Errorf("the log names the person, or another cause:\n%s", log)
	}
	installFont(t, folder, "armenian.ttf")
	r.Work()
	if got := r.Kinds(txn); got != "invoice 1 true, receipt 1 true, ticket 1 true" {
		t.Errorf("with the font there are %s", got)
	}
	_, body := r.Fetch("/checkout/" + txn + "/papers/invoice.pdf")
	mustContain(t, "the invoice", body, r.Name)
	mustMatch(t, scrape(r.Site.Metrics), alert+"3")
}

func TestScriptsAreCheckedAtTheStart(t *testing.T) {
	fonts := withoutFonts(t)
	path := sitetest.NeedsBrowser(t)
	const missing = "papers with names in these scripts cannot be printed: Arabic, Bengali, Devanagari, Gujarati, Gurmukhi, Kannada, Latin, Malayalam, Meetei Mayek, Odia, Ol Chiki, Tamil, Telugu"
	for _, test := range []struct{ is, script, font, says string }{
		{"with the fonts of papers", `exec ` + path + ` "$@"`, "", `msg="papers are printed in all scripts" scripts=13`},
		{"without fonts", `exec ` + path + ` "$@" --disable-remote-fonts`, "", `msg="alert: ` + missing + `"`},
		{"without a browser", `exit 1`, "", `msg="the scripts of papers were not checked" error="no browser prints PDF`},
		{"with a font for a character that no font has", `exec ` + path + ` "$@"`, "unassigned.ttf", `msg="alert: the scripts of papers could not be checked"`},
	} {
		browser := filepath.Join(t.TempDir(), "chrome")
		if err := os.WriteFile(browser, []byte("#!/bin/sh\n"+test.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if test.font != "" {
			installFont(t, fonts, test.font)
		}
		cfg, _ := sitetest.Development(t, "CHROME_URL", "", "CHROME_PATH", browser)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		log := &stoppingLog{at: test.says, stop: stop}
		err := site.Run(ctx, cfg, slog.New(slog.NewTextHandler(log, nil)), io.Discard)
		stop()
		if said := log.String(); err != nil || !strings.Contains(said, test.says) || strings.Contains(said, "alert: ") != strings.Contains(test.says, "alert: ") {
			t.Errorf("%s: %v, it says\n%s\nwant %s", test.is, err, said, test.says)
		}
	}
}

// stoppingLog stops a site when it says something.
type stoppingLog struct {
	sitetest.Log
	at   string
	stop func()
}

func (l *stoppingLog) Write(line []byte) (int, error) {
	defer func() {
		if strings.Contains(string(line), l.at) {
			l.stop()
		}
	}()
	return l.Log.Write(line)
}
