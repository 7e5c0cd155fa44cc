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
	"runtime"
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
	if err := p.Close(); err != nil {
		t.Error(err)
	}

	t.Setenv("PATH", t.TempDir())
	if p, err = New(Options{}); err != nil {
		t.Fatal(err)
	}
	const none = `no browser prints PDF: none of ["chromium-headless-shell" "chromium" "chromium-browser" "google-chrome"] is in PATH`
	if _, err := p.Print(t.Context(), page); !errors.Is(err, ErrNoBrowser) || message(err) != none {
		t.Errorf("printed: %v", err)
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
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// script writes a browser that counts its starts.
func script(t *testing.T, ends string) (path string, starts func() int) {
	t.Helper()
	folder := t.TempDir()
	path = filepath.Join(folder, "chrome")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho started >>"+folder+"/starts\n"+ends+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, func() int {
		lines, err := os.ReadFile(filepath.Join(folder, "starts"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		return strings.Count(string(lines), "\n")
	}
}

func TestFailedStartsArePostponed(t *testing.T) {
	path, starts := script(t, "echo 'no usable sandbox'; exit 1")
	now := time.Date(2026, 11, 29, 6, 30, 0, 0, time.UTC)
	p, err := New(Options{Path: path, clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for i, pause := range []time.Duration{0, 1, 2, 4, 8, 16, 32, 60, 60} {
		if pause > 0 {
			now = now.Add(pause*time.Second - 1)
			if _, err := p.Print(t.Context(), Page{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(message(err), "no usable sandbox") {
				t.Errorf("during a pause: %v", err)
			}
			now = now.Add(1)
		}
		if total++; i == 0 {
			total++ // one failure costs no pause
		}
		for range 5 {
			if _, err := p.Print(t.Context(), Page{}); !errors.Is(err, ErrNoBrowser) || !strings.Contains(message(err), "no usable sandbox") {
				t.Errorf("printed: %v", err)
			}
		}
		if got := starts(); got != total {
			t.Fatalf("after a pause of %d s it was started %d times, want %d", pause, got, total)
		}
	}
	now = now.Add(-time.Hour)
	_, _ = p.Print(t.Context(), Page{})
	if got := starts(); got != total+1 {
		t.Errorf("with a clock that was set back it was started %d times, want %d", got, total+1)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// A browser that crashes before it has printed anything is no better than one that does not start; one that has printed is restarted at once.
func TestCrashesAreFailuresUntilAPageIsPrinted(t *testing.T) {
	now := time.Date(2026, 11, 29, 6, 30, 0, 0, time.UTC)
	printing(t, Options{Tabs: 1, clock: func() time.Time { return now }}, func(t *testing.T, p *Printer) {
		crash := func(first bool) {
			b, err := p.running(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !first {
				mustPrint(t, p, Page{HTML: document(t, "", invoice)})
			}
			b.kill()
			<-b.ctx.Done()
		}
		for range 3 {
			crash(false)
		}
		crash(true)
		crash(true)
		if _, err := p.running(t.Context()); !errors.Is(err, ErrNoBrowser) || message(err) != "no browser prints PDF: the browser ended before it had printed a page" {
			t.Errorf("after two crashes: %v", err)
		}
		now = now.Add(time.Second)
		mustPrint(t, p, Page{HTML: document(t, "", invoice)})
	})
}

func TestStartTimeKnowsTheLoad(t *testing.T) {
	path, _ := script(t, "exec sleep 60")
	load := filepath.Join(t.TempDir(), "loadavg")
	for _, c := range []struct {
		each float64 // processes for each processor
		want string
	}{{0.2, "50ms"}, {1.5, "75ms"}, {9, "200ms"}} {
		if err := os.WriteFile(load, fmt.Appendf(nil, "%.2f 0.10 0.05 1/200 4000\n", c.each*float64(runtime.NumCPU())), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := New(Options{Path: path, startTime: 50 * time.Millisecond, load: load})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Print(t.Context(), Page{}); message(err) != "no browser prints PDF: start the browser: no response within "+c.want {
			t.Errorf("with %.1f: %v, want %s", c.each, err, c.want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDrainEndsAStart(t *testing.T) {
	path, starts := script(t, "exec sleep 60")
	p, err := New(Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := p.Print(left, Page{})
		first <- err
	}()
	for starts() == 0 {
		runtime.Gosched()
	}
	second := make(chan error)
	go func() {
		_, err := p.Print(t.Context(), Page{})
		second <- err
	}()
	leave()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("who left waits for the start: %v", err)
	}
	p.Drain()
	if err := <-second; !errors.Is(err, ErrNoBrowser) {
		t.Errorf("the start goes on: %v", err)
	}
	if _, err := p.Print(t.Context(), Page{}); message(err) != "no browser prints PDF: the site stops, and starts none" || starts() != 1 {
		t.Errorf("it is started again: %v", err)
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
