package pdf

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// printing runs a test with a printer and requires that the browser and its files are gone at the end. With -short it is skipped:
// quick tests start no browser.
func printing(t *testing.T, o Options, test func(t *testing.T, p *Printer)) {
	t.Helper()
	if testing.Short() {
		return
	}
	o.Path = browserPath(t)
	t.Setenv("TMPDIR", t.TempDir())
	seen.Clear()
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		processes(t, "")
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		nothingLeft(t)
	}()
	test(t, p)
}

func browserPath(t *testing.T) string {
	t.Helper()
	path, err := Find(os.Getenv("CHROME_PATH"))
	if err != nil {
		skip(t, err.Error())
	}
	return path
}

// skip reports the reason in the summary of all tests, and skips.
func skip(t *testing.T, why string) {
	t.Helper()
	fmt.Fprintf(os.Stderr, "SKIPPED: %s: %s\n", t.Name(), why)
	t.Skip(why)
}

// nothingLeft waits for the children of a killed browser, which end once they notice.
func nothingLeft(t *testing.T) {
	t.Helper()
	late := time.Now().Add(5 * time.Second)
	for len(alive()) != 0 && time.Now().Before(late) {
		runtime.Gosched()
	}
	if left := alive(); len(left) != 0 {
		t.Errorf("processes are left: %v", left)
	}
	entries, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(entries) != 0 {
		t.Errorf("files are left: %v %v", entries, err)
	}
}

// seen are the browser processes of this test found so far.
var seen sync.Map

func alive() (left []string) {
	seen.Range(func(pid, line any) bool {
		if now, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && string(now) == line && len(now) > 0 {
			left = append(left, fmt.Sprintf("%d %.60s", pid, line))
		}
		return true
	})
	return left
}

// processes returns the browser processes of the test's folder: of a type such as "renderer", "browser", or all. Children are
// recognized by their parent.
func processes(t *testing.T, kind string) (pids []int) {
	t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	parents, lines := map[int]int{}, map[int]string{}
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		stat, _ := os.ReadFile(filepath.Join(folder, "stat")) // proc(5); empty once it has ended
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		if fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(fields) > 1 {
			parents[pid], _ = strconv.Atoi(fields[1])
			lines[pid] = string(line)
		}
	}
	for pid, line := range lines {
		root := pid
		for root != 0 && !strings.Contains(lines[root], "--user-data-dir="+os.Getenv("TMPDIR")) {
			root = parents[root]
		}
		if root == 0 {
			continue
		}
		seen.Store(pid, line)
		child := strings.Contains(line, "--type=")
		if kind == "" || strings.Contains(line, "--type="+kind) || kind == "browser" && !child {
			pids = append(pids, pid)
		}
	}
	return pids
}

func kill(t *testing.T, kind string) {
	t.Helper()
	pids := processes(t, kind)
	if len(pids) == 0 {
		t.Errorf("no %s runs", kind)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Error(err)
		}
	}
}

func embedded(t *testing.T, path, kind string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(text)
}

// document returns a complete page with body, a font with the rupee sign, and one for Hindi.
func document(t *testing.T, css, body string) []byte {
	t.Helper()
	return fmt.Appendf(nil, `<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><title>Invoice HS/2026-27/00001</title><style>
@font-face { font-family: Figtree; src: url(%s) } @font-face { font-family: Eczar; src: url(%s) }
body { font-family: Figtree, Eczar; margin: 0 } p, h1, table { margin: 0 } %s</style></head><body>%s</body></html>`,
		embedded(t, "../../static/fonts/figtree-400.woff2", "font/woff2"), embedded(t, "testdata/eczar-devanagari.woff2", "font/woff2"), css, body)
}

// upright removes bold from headings: without a bold font Chrome would draw each letter.
const upright = "h1, h2, th { font-weight: normal }"

const invoice = `<h1>Tax invoice</h1><p>Total ₹ 1,180.00</p><p lang="hi">नमस्ते विद्यार्थी</p>
<table><thead><tr><th>What</th><th>Amount</th></tr></thead><tbody><tr><td>Fee</td><td>₹ 1,000.00</td></tr></tbody></table>
<h2>Notes</h2><p>&lt;iframe src=http://169.254.169.254&gt; <a href="https://example.com/terms">Terms</a></p>`

func mustPrint(t *testing.T, p *Printer, page Page) []byte {
	t.Helper()
	file, err := p.Print(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// read returns a file's text by poppler, with -bbox also the position of each word.
func read(t *testing.T, file []byte, options ...string) string {
	t.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		skip(t, err.Error())
	}
	command := exec.Command("pdftotext", append(options, "-", "-")...)
	command.Stdin = bytes.NewReader(file)
	text, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func withoutSpaces(text string) string { return strings.Join(strings.Fields(text), "") }

const short = 3 * time.Second
