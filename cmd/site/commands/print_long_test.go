//go:build long

package commands

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
)

// copies prints the same file for each paper.
type copies []byte

func (copies) Unavailable() bool { return false }

func (c copies) Print(context.Context, paper.Paper) ([]byte, error) { return c, nil }

// peak returns the peak memory in MB of this process.
func peak(t *testing.T) (own int64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, most, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(most, "%d kB", &own); err != nil {
		t.Fatal(err)
	}
	return own >> 10
}

// inSeparateProcess runs the test in a separate process, to measure its memory, and reports whether this is that process.
func inSeparateProcess(t *testing.T) bool {
	t.Helper()
	const own = "TEST_IN_PROCESS_OF_ITS_OWN"
	if os.Getenv(own) != "" {
		return true
	}
	run := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	run.Env = append(os.Environ(), own+"=1")
	output, err := run.CombinedOutput()
	if t.Logf("%s", output); err != nil {
		t.Error(err)
	}
	return false
}

func TestMemoryOfAThousandInvoices(t *testing.T) {
	if !inSeparateProcess(t) {
		return
	}
	const invoices, most = 1000, 512
	databaseURL, data, folder := storetest.SQLite(t), t.TempDir(), t.TempDir()
	p := sitetest.OpenPrintingSite(t, "letter", "DATABASE_URL", databaseURL, "DATA_DIR", data)
	for n := range invoices {
		txn := p.Sell("Asha Pillai", "29", 149900)
		of := p.Papers(txn)[0]
		if n == 0 {
			one, err := p.Site.Papers.Print(t.Context(), of)
			if err != nil {
				t.Fatal(err)
			}
			p.Site.Business.Papers.Printer = copies(one)
		}
		if err := p.Site.Business.Papers.Print(t.Context(), of.ID); err != nil {
			t.Fatal(err)
		}
	}
	_, environ := sitetest.Development(t, "DATABASE_URL", databaseURL, "DATA_DIR", data)
	a := &archive{&reader{p.Reader}, environ, folder}
	output, refused := a.run(a.day("all.pdf")...)
	own := peak(t)
	t.Logf("%d MB", own)
	if refused != "" || !strings.HasSuffix(output, "all.pdf: 1000 invoices, KS/26-27/000001 to KS/26-27/001000\n") || own > most {
		t.Errorf("output %q %q, and takes %d MB", output, refused, own)
	}
	all, err := os.ReadFile(a.file("all.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if about := sitetest.Poppler(t, "pdfinfo", string(all)); !strings.Contains(about, fmt.Sprintf("Pages:           %d", invoices)) {
		t.Errorf("the file is\n%s", about)
	}
	a.mustHave("all.pdf")
}
