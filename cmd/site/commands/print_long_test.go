//go:build long

package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/paper"
	"hiresure/admission/staff"
	"hiresure/cmd/site/sitetest"
	"hiresure/store"
	"hiresure/store/storetest"
)

// copies prints the same file for each paper.
type copies []byte

func (copies) Unavailable() bool { return false }

func (c copies) Print(context.Context, paper.Paper) ([]byte, error) { return c, nil }

// peak returns the peak memory in MB of a process, "self" for this one.
func peak(t *testing.T, process string) (own int64) {
	t.Helper()
	status, err := os.ReadFile("/proc/" + process + "/status")
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
	own := peak(t, "self")
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

// A site that prints 1,000 invoices with its browser is killed three times: its file has each invoice once, in order.
func TestThousandInvoicesOfTheDesk(t *testing.T) {
	const invoices, most = 1000, 512
	databaseURL, data := storetest.SQLite(t), t.TempDir()
	p := sitetest.OpenPrintingSite(t, "letter", "DATABASE_URL", databaseURL, "DATA_DIR", data)
	for range invoices {
		p.Sell("Asha Pillai", "29", 149900)
	}
	of := office.Selection{Kinds: []paper.Kind{paper.Invoice}}
	id, by := admission.NewID(), staff.Actor{Name: "Arvind Kulkarni", Account: "arvind"}
	if err := p.Site.Office.OrderBatch(t.Context(), office.BatchOrdering{ID: id, Selection: of, Form: office.OnePDF, Total: invoices}, by); err != nil {
		t.Fatal(err)
	}
	_, environ := sitetest.Development(t, "DATABASE_URL", databaseURL, "DATA_DIR", data, "CHROME_URL", "", "CHROME_PATH", sitetest.NeedsBrowser(t), "ADDR", "127.0.0.1:0")
	serve := func(enough func(office.Batch) bool) (took time.Duration, memory int64) {
		site := exec.Command(os.Args[0], "serve")
		for name, value := range environ {
			site.Env = append(site.Env, name+"="+value)
		}
		var output bytes.Buffer
		site.Stdout, site.Stderr = &output, &output
		p.Update(func(tx store.Tx) error { // instead of waiting for the end of the lease
			return tx.AddJob(admission.Job{Kind: office.JobBatch, Ref: id, DueAt: time.Unix(1, 0)})
		})
		began := time.Now()
		if err := site.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = site.Process.Kill(), site.Wait() }()
		for time.Since(began) < 5*time.Minute {
			b, err := p.Site.Office.Batch(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if enough(b) {
				return time.Since(began), peak(t, strconv.Itoa(site.Process.Pid))
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("it does not go on:\n%s", &output)
		return 0, 0
	}
	for _, at := range []int{100, 350, 950} {
		took, memory := serve(func(b office.Batch) bool { return b.Done >= at })
		t.Logf("killed at %d or more after %s, with %d MB", at, took, memory)
	}
	took, memory := serve(func(b office.Batch) bool { return b.State != office.BatchOpen })
	b, file, err := p.Site.Office.OpenBatch(t.Context(), id, by)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	t.Logf("ready after %s more, with %d MB: %d bytes", took, memory, len(all))
	if memory > most || b.Done != invoices {
		t.Errorf("%d MB for %+v", memory, b)
	}
	pages := strings.Split(strings.TrimSuffix(sitetest.Poppler(t, "pdftotext", string(all)), "\f"), "\f")
	if len(pages) != invoices {
		t.Fatalf("the file has %d pages", len(pages))
	}
	for i, page := range pages {
		if want := fmt.Sprintf("KS/26-27/%06d", i+1); invoiceNumber.FindString(page) != want {
			t.Errorf("page %d is not %s: %.200s", i+1, want, page)
		}
	}
}
