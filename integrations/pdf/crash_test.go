package pdf

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestPapersArriveThoughChromeIsKilled(t *testing.T) {
	const pages, clients, kills = 100, 4, 5
	printing(t, Options{}, func(t *testing.T, p *Printer) {
		var arrived, repeated atomic.Int64
		var next atomic.Int64
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for n := next.Add(1); n <= pages; n = next.Add(1) {
					page := Page{HTML: document(t, upright, fmt.Sprintf("<p>Paper %d of %d</p>", n, pages))}
					file, err := p.Print(t.Context(), page)
					for ; errors.Is(err, ErrNoBrowser); file, err = p.Print(t.Context(), page) {
						repeated.Add(1)
					}
					if err != nil {
						t.Errorf("paper %d: %v", n, err)
						continue
					}
					if text := withoutSpaces(read(t, file)); text != fmt.Sprintf("Paper%dof%d", n, pages) {
						t.Errorf("paper %d reads %q", n, text)
					}
					// Each kill follows a finished paper, while the other clients wait.
					if arrived.Add(1)%(pages/(kills+1)) == 0 && arrived.Load() < pages*kills/(kills+1)+2 {
						kill(t, "browser")
					}
				}
			})
		}
		all.Wait()
		if arrived.Load() != pages || repeated.Load() < kills {
			t.Errorf("%d papers arrived, %d prints were repeated, want %d and at least %d", arrived.Load(), repeated.Load(), pages, kills)
		}
		t.Logf("%d prints were repeated", repeated.Load())
	})
}

// Only the page being printed fails when its browser or tab ends.
func TestPageAfterCrashIsPrinted(t *testing.T) {
	slow := Page{HTML: []byte("<!doctype html><title>slow</title>" + strings.Repeat("<p>a<b>b</b>", 300000))}
	for _, test := range []struct {
		sentence, kill string
		busy           bool
		want           error
	}{
		{"the browser ends while it prints", "browser", true, ErrNoBrowser},
		{"the browser ends while nobody prints", "browser", false, nil},
		{"the tab's process ends while it prints", "renderer", true, ErrPage},
		{"the tab's process ends while nobody prints", "renderer", false, nil},
	} {
		printing(t, Options{Tabs: 1}, func(t *testing.T, p *Printer) {
			page := Page{HTML: document(t, "", invoice)}
			mustPrint(t, p, page)
			if test.busy {
				failed := make(chan error)
				go func() {
					_, err := p.Print(t.Context(), slow)
					failed <- err
				}()
				waitUntilBusy(t, p)
				kill(t, test.kill)
				if err := <-failed; !errors.Is(err, test.want) {
					t.Errorf("%s: %v, want %v", test.sentence, err, test.want)
				}
			} else {
				idle := <-p.tabs
				kill(t, test.kill)
				<-idle.life.Done() // the browser's end was noticed
				p.tabs <- idle
			}
			mustPrint(t, p, page)
		})
	}
}

// waitUntilBusy returns once the only tab's process is larger than a paper makes it.
func waitUntilBusy(t *testing.T, p *Printer) {
	t.Helper()
	late := time.Now().Add(p.options.Time)
	for len(p.tabs) != 0 || !larger(t, 150e6) {
		if time.Now().After(late) {
			t.Fatal("the tab has nothing to do")
		}
	}
}

func larger(t *testing.T, than float64) bool {
	t.Helper()
	for _, pid := range processes(t, "renderer") {
		if resident(pid, "VmRSS:") > than {
			return true
		}
	}
	return false
}

// resident returns a memory figure of a process from the kernel, in bytes; 0 if the process has ended.
func resident(pid int, line string) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), line)
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.Atoi(strings.TrimSpace(kilobytes))
	return float64(n) * 1024
}

// A hanging browser is killed and replaced.
func TestHangingBrowserIsReplaced(t *testing.T) {
	printing(t, Options{Tabs: 1, Time: short}, func(t *testing.T, p *Printer) {
		page := Page{HTML: document(t, "", invoice)}
		mustPrint(t, p, page)
		for _, pid := range processes(t, "browser") { // its children end with it
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Print(t.Context(), page); err == nil {
			t.Error("a browser that hangs has printed")
		}
		mustPrint(t, p, page)
	})
}

func TestHostilePageDoesNotAffectOthers(t *testing.T) {
	const begin = "<!doctype html><title>x</title>"
	uses := ""
	for i := range 9 {
		uses += fmt.Sprintf("<g id=a%d>%s</g>", i+1, strings.Repeat(fmt.Sprintf("<use href='#a%d'/>", i), 10))
	}
	hostile := []struct{ sentence, html string }{
		{"a million elements", begin + strings.Repeat("<p>a<b>b</b>", 500000)},
		{"a hundred thousand within each other", begin + strings.Repeat("<div>", 100000) + "x"},
		{"three thousand tables within each other", begin + strings.Repeat("<table><tr><td>", 3000) + "x"},
		{"a page a thousand kilometres long", begin + "<div style='height:3e9px'>x"},
		{"pictures that are drawn a milliard times", begin + "<svg><defs><g id=a0><circle r=1 /></g>" + uses + "</defs><use href='#a9'/></svg>"},
		{"CSS without end", begin + "<style>" + strings.Repeat("a{b:c;", 3000000) + "</style>x"},
		{"rules that look everywhere", begin + "<style>" + strings.Repeat(":has(:has(b)~i) *:nth-child(2n+1 of b i) *:not(:has(i>b)) i{color:red}", 5000) + "</style>" + strings.Repeat("<b><i>", 20000)},
		{"shadows larger than any page", begin + "<style>b{display:block;width:10000px;height:10000px;filter:blur(500px);box-shadow:0 0 1000px red}</style>" + strings.Repeat("<b>x</b>", 3000)},
	}
	printing(t, Options{Tabs: 2, Time: short}, func(t *testing.T, p *Printer) {
		page := Page{HTML: document(t, "", invoice)}
		mustPrint(t, p, page)
		for _, test := range hostile {
			began := time.Now()
			var both sync.WaitGroup
			var peak atomic.Int64
			done := make(chan struct{})
			both.Go(func() {
				defer close(done)
				if file, err := p.Print(t.Context(), Page{HTML: []byte(test.html)}); err != nil && !errors.Is(err, ErrPage) {
					t.Errorf("%s: %v", test.sentence, err)
				} else if took := time.Since(began); took > 3*short {
					t.Errorf("%s: it ended after %v, with %d bytes", test.sentence, took, len(file))
				} else {
					t.Logf("%s: after %v %d bytes, %v", test.sentence, took, len(file), err)
				}
			})
			both.Go(func() {
				for open := true; open; {
					for _, pid := range processes(t, "") {
						peak.Store(max(peak.Load(), int64(resident(pid, "VmHWM:"))))
					}
					select {
					case <-done:
						open = false
					case <-time.After(50 * time.Millisecond):
					}
				}
			})
			beside := time.Now()
			mustPrint(t, p, page)
			t.Logf("%s: a paper beside it took %v", test.sentence, time.Since(beside))
			both.Wait()
			for range 3 {
				mustPrint(t, p, page)
			}
			t.Logf("%s: its largest process had %d MB", test.sentence, peak.Load()/1e6)
			if most := int64(memory*1024 + 300e6); peak.Load() > most { // plus code and shared memory
				t.Errorf("%s: a process had %d MB", test.sentence, peak.Load()/1e6)
			}
		}
	})
}

func TestPageAboveMemoryLimitFails(t *testing.T) {
	printing(t, Options{memory: 600 << 10, Time: 2 * time.Minute}, func(t *testing.T, p *Printer) {
		page := Page{HTML: document(t, "", invoice)}
		mustPrint(t, p, page)
		_, err := p.Print(t.Context(), Page{HTML: []byte("<!doctype html><title>x</title><style>" + strings.Repeat("a{b:c;", 3000000) + "</style>x")})
		if !errors.Is(err, ErrPage) || !errors.Is(err, errCrashed) {
			t.Errorf("a page of too much memory: %v", err)
		}
		mustPrint(t, p, page)
	})
}
