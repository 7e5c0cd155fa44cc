package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPrint(t *testing.T) {
	printing(t, Options{}, func(t *testing.T, p *Printer) {
		file := mustPrint(t, p, Page{HTML: document(t, upright, invoice), Made: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)})
		for _, has := range []string{
			"%PDF-1.4", "/Title (Invoice HS/2026-27/00001)", "/DisplayDocTitle true", "/CreationDate (D:20261123000000+00'00')", "/ModDate (D:20261123000000+00'00')",
			"/Lang (en-IN)", "/Lang (hi)", "/MarkInfo", "/Marked true", "/StructTreeRoot", "/S /H1", "/S /TH", "/Headers [(node0000000", "/Outlines", "/Title (Tax invoice)", "/Title (Notes)",
			"/FontFile2", "/ToUnicode", "Figtree", "Eczar", "/URI (https://example.com/terms)",
		} {
			if !bytes.Contains(file, []byte(has)) {
				t.Errorf("%s is missing", has)
			}
		}
		for _, has := range []string{"/Type3", "/JavaScript", "/JS", "/OpenAction", "/Launch", "/EmbeddedFile", "/Encrypt", "/AcroForm", "page.invalid"} {
			if bytes.Contains(file, []byte(has)) {
				t.Errorf("%s is there", has)
			}
		}
		if fonts, maps := bytes.Count(file, []byte("/Type /FontDescriptor")), bytes.Count(file, []byte("/ToUnicode")); fonts != 2 || maps != 2 || bytes.Count(file, []byte("/FontFile2")) != 2 {
			t.Errorf("%d fonts, %d of them to be read, want 2, and both embedded", fonts, maps)
		}
		const want = "Taxinvoice Total₹1,180.00 नमस्तेविद्यार्थी WhatAmount Fee₹1,000.00 Notes <iframesrc=http://169.254.169.254>Terms"
		if got := withoutSpaces(read(t, file)); got != withoutSpaces(want) {
			t.Errorf("it reads\n%s\nwant\n%s", got, withoutSpaces(want))
		}
	})
}

func TestPaperSizeAndMargins(t *testing.T) {
	printing(t, Options{}, func(t *testing.T, p *Printer) {
		for _, test := range []struct {
			sentence, css, body string
			paper               Paper
			box                 string
			x, y                float64 // where the word begins, in points
		}{
			{"letter with an inch around it", "", "<p>First", Paper{}, "[0 0 612 792]", 72, 72},
			{"A4 with an inch around it", "", "<p>First", A4, "[0 0 595.91998 841.91998]", 72, 72},
			{"what the page says by CSS", "@page { size: 5in 4in; margin: 0.5in }", "<p>First", A4, "[0 0 360 288]", 36, 36},
			{"a page as wide as its paper", "@page { size: letter; margin: 0 }", "<p>First", Paper{}, "[0 0 612 792]", 0, 0},
		} {
			file := mustPrint(t, p, Page{HTML: document(t, test.css, test.body), Paper: test.paper})
			if !bytes.Contains(file, []byte("/MediaBox "+test.box)) {
				_, box, _ := bytes.Cut(file, []byte("/MediaBox "))
				t.Errorf("%s: %.40s, want %s", test.sentence, box, test.box)
			}
			words := bboxes.FindAllStringSubmatch(read(t, file, "-bbox"), -1)
			if len(words) != 1 {
				t.Fatalf("%s: words %q, want one: Chrome adds neither header nor footer", test.sentence, words)
			}
			for i, want := range []float64{test.x, test.y} {
				if got, err := strconv.ParseFloat(words[0][i+1], 64); err != nil || math.Abs(got-want) > 0.5 {
					t.Errorf("%s: the word is %v, want at %v, %v", test.sentence, words[0], test.x, test.y)
				}
			}
		}
	})
}

var bboxes = regexp.MustCompile(`<word xMin="([-0-9.]+)" yMin="([-0-9.]+)"`)

func TestStyleAppliesToEveryPage(t *testing.T) {
	style := fmt.Sprintf(`@font-face { font-family: Figtree; src: url(%s) } body { font-family: Figtree } i { display: none }`,
		embedded(t, "../../static/fonts/figtree-400.woff2", "font/woff2"))
	printing(t, Options{Style: style, Tabs: 1}, func(t *testing.T, p *Printer) {
		plain := []byte("<!doctype html><html lang=en><title>Next</title><p>One<i>Two")
		_, everything, _ := everyWayOut("https://away.invalid")
		for range 3 {
			file := mustPrint(t, p, Page{HTML: plain})
			if text := withoutSpaces(read(t, file)); text != "One" || !bytes.Contains(file, []byte("Figtree")) {
				t.Errorf("it reads %q, in %d bytes", text, len(file))
			}
			mustPrint(t, p, Page{HTML: []byte("<!doctype html><script>document.adoptedStyleSheets = []</script>" + everything)})
		}
		tab := <-p.tabs
		_, err := tab.evaluate(t.Context(), "document.adoptedStyleSheets = []")
		p.tabs <- tab
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Print(t.Context(), Page{HTML: plain}); !errors.Is(err, ErrPage) || !strings.Contains(err.Error(), "0 style") {
			t.Errorf("without it a page is printed: %v", err)
		}
		if text := withoutSpaces(read(t, mustPrint(t, p, Page{HTML: plain}))); text != "One" {
			t.Errorf("in the next tab it reads %q", text)
		}
	})
}

// A fresh browser, a used tab, and a new tab give the same bytes.
func TestEqualPagesGiveEqualBytes(t *testing.T) {
	var first []byte
	for range 2 {
		printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
			page := Page{HTML: document(t, "", invoice+`<img alt="node00000012" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`), Made: time.Unix(1795000000, 0)}
			opened := map[*tab]bool{}
			for i := range pagesOfTab + 10 {
				file := mustPrint(t, p, page)
				if first == nil {
					first = file
				}
				if !bytes.Equal(file, first) {
					t.Fatalf("print %d differs: %d and %d bytes", i, len(file), len(first))
				}
				now := <-p.tabs
				opened[now] = true
				p.tabs <- now
				if i%7 == 0 {
					mustPrint(t, p, Page{HTML: document(t, "", strings.Repeat("<table><tr><th>Other<td>page</table>", i))})
				}
			}
			if len(opened) != 2 {
				t.Errorf("%d tabs were opened for %d pages, want 2", len(opened), pagesOfTab+19)
			}
		})
	}
}

func TestClosedPrinter(t *testing.T) {
	printing(t, Options{}, func(t *testing.T, p *Printer) {
		mustPrint(t, p, Page{HTML: document(t, "", invoice)})
		if err := errors.Join(p.Close(), p.Close()); err != nil {
			t.Error(err)
		}
		nothingLeft(t)
		for range 3 {
			if _, err := p.Print(t.Context(), Page{HTML: document(t, "", invoice)}); !errors.Is(err, ErrClosed) {
				t.Errorf("printed: %v", err)
			}
		}
		if err := p.Ready(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("ready: %v", err)
		}
	})
}

func TestPrintersAreIndependent(t *testing.T) {
	printing(t, Options{}, func(t *testing.T, p *Printer) {
		other, err := New(p.options)
		if err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		for _, p := range []*Printer{p, other} {
			for range 4 {
				both.Go(func() {
					if _, err := p.Print(t.Context(), Page{HTML: document(t, "", invoice)}); err != nil {
						t.Error(err)
					}
				})
			}
		}
		both.Wait()
		if err := other.Close(); err != nil {
			t.Error(err)
		}
		mustPrint(t, p, Page{HTML: document(t, "", invoice)})
	})
}

func TestPrintWithoutBrowser(t *testing.T) {
	page := Page{HTML: []byte("<!doctype html><title>x</title>")}
	const missing = `no browser prints PDF: exec: "chromium-of-nobody": executable file not found in $PATH`
	p, err := New(Options{Path: "chromium-of-nobody"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Print(t.Context(), page); !errors.Is(err, ErrNoBrowser) || message(err) != missing {
		t.Errorf("printed: %v", err)
	}
	if err := p.Ready(t.Context()); !errors.Is(err, ErrNoBrowser) || message(err) != missing {
		t.Errorf("ready: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}

	t.Setenv("PATH", t.TempDir())
	if p, err = New(Options{}); err != nil {
		t.Fatal(err)
	}
	const none = `no browser prints PDF: none of ["chromium-headless-shell" "chromium" "chromium-browser" "google-chrome"] is in PATH`
	if err := p.Ready(t.Context()); !errors.Is(err, ErrNoBrowser) || message(err) != none {
		t.Errorf("ready: %v", err)
	}
}

func TestBrowserInstalledLaterIsFound(t *testing.T) {
	printing(t, Options{}, func(t *testing.T, found *Printer) {
		folder := t.TempDir()
		path := os.Getenv("PATH")
		t.Setenv("PATH", folder)
		p, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		page := Page{HTML: document(t, "", invoice)}
		if _, err := p.Print(t.Context(), page); !errors.Is(err, ErrNoBrowser) {
			t.Errorf("printed: %v", err)
		}
		t.Setenv("PATH", folder+":"+path) // the browser's script needs the rest
		if err := os.Symlink(found.options.Path, filepath.Join(folder, names[0])); err != nil {
			t.Fatal(err)
		}
		mustPrint(t, p, page)
		if err := errors.Join(p.Ready(t.Context()), p.Close()); err != nil {
			t.Error(err)
		}
	})
}

// Health checks run every few seconds.
func TestReadyPausesAfterFailedStart(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "chrome")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho started >>"+folder+"/starts\necho 'no usable sandbox'\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := New(Options{Path: script})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := p.Ready(t.Context()); !errors.Is(err, ErrNoBrowser) || !strings.Contains(message(err), "no usable sandbox") {
			t.Errorf("ready: %v", err)
		}
	}
	if _, err := p.Print(t.Context(), Page{}); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("printed: %v", err)
	}
	if starts, err := os.ReadFile(filepath.Join(folder, "starts")); string(starts) != "started\nstarted\n" {
		t.Errorf("it was started %q, want once by Ready and once by Print: %v", starts, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestWaitForTabCanBeCancelled(t *testing.T) {
	printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
		page := Page{HTML: document(t, "", invoice)}
		place := <-p.tabs // a page is being printed
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := p.Print(ctx, page)
			left <- err
		}()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("who left: %v", err)
		}
		p.tabs <- place
		mustPrint(t, p, page)
	})
}

func TestRemoteBrowser(t *testing.T) {
	printing(t, Options{}, func(t *testing.T, local *Printer) {
		want := mustPrint(t, local, Page{HTML: document(t, "", invoice)})
		path := local.options.Path
		elsewhere := startElsewhere(t, path, "0")
		p, err := New(Options{URL: elsewhere.url})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		page := Page{HTML: document(t, "", invoice)}
		if file := mustPrint(t, p, page); !bytes.Equal(file, want) { // both have the same font hinting
			t.Error("it prints something else")
		}
		elsewhere.end()
		if _, err := p.Print(t.Context(), page); !errors.Is(err, ErrNoBrowser) {
			t.Errorf("while it is down: %v", err)
		}
		elsewhere = startElsewhere(t, path, elsewhere.port)
		mustPrint(t, p, page)
		if n := elsewhere.tabs(t); n != 1 {
			t.Errorf("it has %d tabs, want ours", n)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if n := elsewhere.tabs(t); n != 0 {
			t.Errorf("it has %d tabs after Close, want none", n)
		}
		elsewhere.end()
	})
}
