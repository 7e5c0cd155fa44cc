package commands

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/store/storetest"
)

// archive is a site with invoices to print.
type archive struct {
	*reader
	environ map[string]string
	folder  string // for the printed files
}

// openArchive creates three invoices on a day, the first of them printed, and one on the next day.
func openArchive(t *testing.T, databaseURL string) *archive {
	t.Helper()
	path := sitetest.NeedsBrowser(t)
	folder := t.TempDir()
	common := []string{"DATABASE_URL", databaseURL, "DATA_DIR", t.TempDir()}
	_, environ := sitetest.Development(t, append(common, "CHROME_URL", "", "CHROME_PATH", path)...)
	a := &archive{openSite(t, common...), environ, folder} // the serving site does not print
	for n := range 4 {
		if n == 3 {
			a.Passes(24 * time.Hour)
		}
		a.Visitor = e2e.NewVisitor(a.Base, n+1)
		a.Pay()
		if n == 0 {
			a.printFirstDay()
		}
	}
	return a
}

// printFirstDay prints the papers of the first day.
func (a *archive) printFirstDay() {
	a.T.Helper()
	if _, refused := a.run(a.day("now.pdf")...); refused != "" {
		a.T.Fatal(refused)
	}
	if err := os.Remove(a.file("now.pdf")); err != nil {
		a.T.Fatal(err)
	}
}

func (a *archive) file(name string) string { return filepath.Join(a.folder, name) }

// run runs site print and returns its output without the folder's path.
func (a *archive) run(args ...string) (said, refused string) {
	a.T.Helper()
	var out bytes.Buffer
	err := Run(a.T.Context(), append([]string{"print"}, args...), a.environ, &out)
	if err != nil {
		refused = strings.ReplaceAll(err.Error(), a.folder+"/", "")
	}
	return strings.ReplaceAll(out.String(), a.folder+"/", ""), refused
}

// day returns the arguments for the invoices of the first day.
func (a *archive) day(name string) []string {
	return []string{"--event", "hiresure-mgrow-2025", "--from", "2026-11-21", "--to", "2026-11-21", a.file(name)}
}

// mustHave expects these file names in the folder.
func (a *archive) mustHave(names ...string) {
	a.T.Helper()
	entries, err := os.ReadDir(a.folder)
	if err != nil {
		a.T.Fatal(err)
	}
	got := []string{}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !reflect.DeepEqual(got, append([]string{}, names...)) {
		a.T.Errorf("the folder has %q, want %q", got, names)
	}
}

var invoiceNumber = regexp.MustCompile(`KS/\d\d-\d\d/\d{6}`)

// numbers returns the numbers of the invoices in a file.
func (a *archive) numbers(name string) string {
	a.T.Helper()
	body, err := os.ReadFile(a.file(name))
	if err != nil {
		a.T.Fatal(err)
	}
	if info, err := os.Stat(a.file(name)); err != nil || info.Mode().Perm() != 0o600 {
		a.T.Errorf("%s has mode %v, %v: it names people", name, info.Mode(), err)
	}
	var numbers []string
	for _, page := range strings.Split(strings.TrimSuffix(sitetest.Poppler(a.T, "pdftotext", string(body), "-layout"), "\f"), "\f") {
		numbers = append(numbers, invoiceNumber.FindString(page))
	}
	return strings.Join(numbers, " ")
}

const three = "KS/26-27/000001 KS/26-27/000002 KS/26-27/000003"

func TestPrint(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, databaseURL string) {
		a := openArchive(t, databaseURL)
		output, refused := a.run(a.day("day.pdf")...)
		if want := "3 of 3 invoices\nday.pdf: 3 invoices, KS/26-27/000001 to KS/26-27/000003\n"; output != want || refused != "" {
			t.Errorf("one day: output %q %q, want %q", output, refused, want)
		}
		a.mustHave("day.pdf")
		if got := a.numbers("day.pdf"); got != three {
			t.Errorf("a day has %s", got)
		}
		both := a.day("both.pdf")
		both[1], both[5] = "KS_Mgrow", "2026-11-22" // an event's code is accepted too
		if output, refused = a.run(both...); refused != "" {
			t.Errorf("two days say %q %q", output, refused)
		}
		if got := a.numbers("both.pdf"); got != three+" KS/26-27/000004" {
			t.Errorf("two days have %s", got)
		}
		a.mustHave("both.pdf", "day.pdf")
	})
}

func TestPrintRejects(t *testing.T) {
	a := openArchive(t, storetest.SQLite(t))
	if err := os.WriteFile(a.file("taken.pdf"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	const usage = "site print takes --event E --from DAY --to DAY FILE.pdf"
	for _, test := range []struct{ args, says string }{
		{"", usage},
		{"FILE.pdf", usage},
		{"--event hiresure-mgrow-2025 --from 2026-11-21 --to 2026-11-21", usage},
		{"--event hiresure-mgrow-2025 --from 2026-11-21 FILE.pdf", usage},
		{"--event hiresure-mgrow-2025 --until 2026-11-21 FILE.pdf", usage},
		{"--event hiresure-mgrow-2025 --from 2026-11-21 --to 2026-11-21 FILE.pdf MORE.pdf", usage},
		{"--event mgrow --from 2026-11-21 --to 2026-11-21 FILE.pdf", "there is no event mgrow"},
		{"--event hiresure-mgrow-2025 --from 21.11.2026 --to 2026-11-21 FILE.pdf", `a day is written as 2026-11-21, not "21.11.2026"`},
		{"--event hiresure-mgrow-2025 --from 2026-11-21 --to 2026-11-31 FILE.pdf", `a day is written as 2026-11-21, not "2026-11-31"`},
		{"--event hiresure-mgrow-2025 --from 2026-11-22 --to 2026-11-21 FILE.pdf", "--from 2026-11-22 is after --to 2026-11-21"},
		{"--event hiresure-mgrow-2025 --from 2026-11-21 --to 2026-11-21 FILE.txt", `FILE must end in .pdf, unlike "FILE.txt"`},
		{"--event hiresure-mgrow-2025 --from 2026-11-21 --to 2026-11-21 taken.pdf", "taken.pdf exists already"},
		{"--event hiresure-mgrow-2025 --from 2026-11-19 --to 2026-11-20 FILE.pdf", "hiresure-mgrow-2025 has no invoices from 2026-11-19 to 2026-11-20"},
		{"--event hiresure --from 2026-11-21 --to 2026-11-21 FILE.pdf", "hiresure has no invoices from 2026-11-21 to 2026-11-21"},
	} {
		args := strings.Fields(test.args)
		for i, arg := range args {
			if name := filepath.Ext(arg); name == ".pdf" || name == ".txt" {
				args[i] = a.file(arg)
			}
		}
		if output, refused := a.run(args...); output != "" || refused != test.says {
			t.Errorf("%s says %q %q, want %q", test.args, output, refused, test.says)
		}
	}
	a.mustHave("taken.pdf")
	if left, err := os.ReadFile(a.file("taken.pdf")); err != nil || string(left) != "mine" {
		t.Errorf("what was there is %q, %v", left, err)
	}
	if got := a.printed(); got != 1 {
		t.Errorf("%d invoices are printed after commands that are refused, want the one from before", got)
	}
}

// printed returns the number of printed invoices.
func (a *archive) printed() (n int) {
	a.T.Helper()
	for i, err := range a.Site.Store.InvoicesIssued(a.T.Context(), "KS_Mgrow", time.Time{}, a.Site.Clock().AddDate(1, 0, 0)) {
		if err != nil {
			a.T.Fatal(err)
		}
		for _, p := range a.Papers(i.TxnID) {
			if p.Ref == i.ID && p.Printed {
				n++
			}
		}
	}
	return n
}

func TestKilledPrintContinues(t *testing.T) {
	a := openArchive(t, storetest.SQLite(t))
	if err := os.Mkdir(a.file("day.pdf.parts"), 0o700); err != nil {
		t.Fatal(err)
	}
	merged := a.file("day.pdf.parts/merged.pdf")
	if err := syscall.Mkfifo(merged, 0o600); err != nil {
		t.Fatal(err)
	}
	killed := exec.Command(os.Args[0], append([]string{"print"}, a.day("day.pdf")...)...)
	killed.Env = os.Environ()
	for name, value := range a.environ {
		killed.Env = append(killed.Env, name+"="+value)
	}
	var output bytes.Buffer
	killed.Stdout, killed.Stderr = &output, &output
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	begins, err := os.Open(merged) // waits until it is written
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := killed.Wait(); err == nil || !strings.Contains(err.Error(), "signal: killed") || !strings.Contains(output.String(), "3 of 3 invoices\n") {
		t.Fatalf("the site was not killed while it merged: %v\n%s", err, &output)
	}
	if err := errors.Join(begins.Close(), os.Remove(merged), os.WriteFile(merged, []byte("%PDF-1.7 half"), 0o600)); err != nil {
		t.Fatal(err)
	}
	a.mustHave("day.pdf.parts")
	parts, err := filepath.Glob(a.file("day.pdf.parts/*"))
	if err != nil || len(parts) != 4 { // three invoices and half of a file
		t.Fatalf("what is left is %q", parts)
	}
	for _, part := range parts { // truncates a copy
		if part != merged {
			if err := os.Truncate(part, 1000); err != nil {
				t.Fatal(err)
			}
			break
		}
	}

	again, refused := a.run(a.day("day.pdf")...)
	if want := "3 of 3 invoices\n2 of them from before\nday.pdf: 3 invoices, KS/26-27/000001 to KS/26-27/000003\n"; again != want || refused != "" {
		t.Errorf("run again: output %q %q, want %q", again, refused, want)
	}
	a.mustHave("day.pdf")
	if got := a.numbers("day.pdf"); got != three {
		t.Errorf("it has %s", got)
	}
}

func TestFailedMergeLeavesNoFile(t *testing.T) {
	a := openArchive(t, storetest.SQLite(t))
	if err := os.MkdirAll(a.file("day.pdf.parts/merged.pdf"), 0o700); err != nil {
		t.Fatal(err)
	}
	if output, refused := a.run(a.day("day.pdf")...); output != "3 of 3 invoices\n" || refused != "open day.pdf.parts/merged.pdf: is a directory" {
		t.Errorf("output %q %q", output, refused)
	}
	a.mustHave("day.pdf.parts")
}

func TestPrintWithoutABrowserKeepsItsParts(t *testing.T) {
	a := openArchive(t, storetest.SQLite(t))
	path := a.environ["CHROME_PATH"]
	a.environ["CHROME_PATH"] = a.file("chrome")
	output, refused := a.run(a.day("day.pdf")...)
	if output != "" || refused != "1 of 3 invoices are ready, and no browser prints the others now: run the same command again when one does" {
		t.Errorf("output %q %q", output, refused)
	}
	a.environ["CHROME_PATH"] = path
	output, refused = a.run(a.day("day.pdf")...)
	if want := "3 of 3 invoices\n1 of them from before\nday.pdf: 3 invoices, KS/26-27/000001 to KS/26-27/000003\n"; output != want || refused != "" {
		t.Errorf("with one it says %q %q, want %q", output, refused, want)
	}
}

// Of two commands at once for one file the second is rejected; another file of the same papers is printed.
func TestConcurrentPrints(t *testing.T) {
	a := openArchive(t, storetest.SQLite(t))
	release, err := lockFolder(a.T.TempDir()) // of another folder
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := os.Mkdir(a.file("day.pdf.parts"), 0o700); err != nil {
		t.Fatal(err)
	}
	ends, err := lockFolder(a.file("day.pdf.parts"))
	if err != nil {
		t.Fatal(err)
	}
	if output, refused := a.run(a.day("day.pdf")...); output != "" || refused != "another process makes day.pdf: resource temporarily unavailable" {
		t.Errorf("second: output %q %q", output, refused)
	}
	a.mustHave("day.pdf.parts")
	ends()
	var both sync.WaitGroup
	for _, name := range []string{"one.pdf", "two.pdf"} {
		both.Go(func() {
			if output, refused := a.run(a.day(name)...); refused != "" || !strings.HasSuffix(output, name+": 3 invoices, KS/26-27/000001 to KS/26-27/000003\n") {
				t.Errorf("%s says %q %q", name, output, refused)
			}
		})
	}
	both.Wait()
	for _, name := range []string{"one.pdf", "two.pdf"} {
		if got := a.numbers(name); got != three {
			t.Errorf("%s has %s", name, got)
		}
	}
	if got := a.printed(); got != 3 {
		t.Errorf("%d invoices are printed", got)
	}
	if output, refused := a.run(a.day("day.pdf")...); refused != "" {
		t.Errorf("after the first has ended: output %q %q", output, refused)
	}
	a.mustHave("day.pdf", "one.pdf", "two.pdf")
}
