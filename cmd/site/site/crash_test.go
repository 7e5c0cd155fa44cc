package site_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
	"hiresure/e2e"
	"hiresure/store/storetest"
)

// killing prints papers and kills the browser during every n-th print.
type killing struct {
	paper.Printer
	t           *testing.T
	folder      string // the browser's
	every, most int

	mutex        sync.Mutex
	asked, kills int
}

func (k *killing) Print(ctx context.Context, p paper.Paper) ([]byte, error) {
	k.mutex.Lock()
	k.asked++
	chosen := k.asked%k.every == 0 && k.kills < k.most
	if chosen {
		k.kills++
	}
	k.mutex.Unlock()
	if !chosen {
		return k.Printer.Print(ctx, p)
	}
	send := func(signal syscall.Signal) {
		for _, pid := range browsers(k.t, k.folder) {
			if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
				k.t.Error(err)
			}
		}
	}
	for range 20 { // a browser that died before the print is replaced
		send(syscall.SIGSTOP) // otherwise the print may be complete before the kill
		ended := make(chan error, 1)
		go func() {
			_, err := k.Printer.Print(ctx, p)
			ended <- err
		}()
		send(syscall.SIGKILL)
		if err := <-ended; err != nil {
			return nil, err
		}
	}
	k.t.Error("no print was under way while its browser was killed")
	return k.Printer.Print(ctx, p)
}

// browsers returns the process ids of the browsers with their profile in a folder.
func browsers(t *testing.T, folder string) (pids []int) {
	t.Helper()
	commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range commands {
		line, _ := os.ReadFile(path) // it may have ended
		if !bytes.Contains(line, []byte("--user-data-dir="+folder)) || bytes.Contains(line, []byte("--type=")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// papersArrive makes payers pay, with three papers each, and kills the browser repeatedly during the prints.
func papersArrive(t *testing.T, databaseURL string, payers, kills int) {
	path := sitetest.NeedsBrowser(t)
	r := openSite(t, "DATABASE_URL", databaseURL, "CHROME_URL", "", "CHROME_PATH", path, "RATE_LIMITS", "off")
	killer := &killing{Printer: r.Site.Papers, t: t, folder: filepath.Join(r.Site.Config.DataDir, "browser"), every: 3 * payers / (kills + 1), most: kills}
	r.Site.Business.Papers.Printer = killer
	var paid []string
	for n := range payers {
		r.Visitor = e2e.NewVisitor(r.Base, n+1)
		paid = append(paid, r.Pay())
	}
	printed := func() (n int) {
		for _, txn := range paid {
			n += strings.Count(r.Kinds(txn), "1 true")
		}
		return n
	}
	rounds := 0
	for ; printed() < 3*payers && rounds < 3*kills; rounds++ {
		r.Work()
		r.Passes(printWait)
	}
	if n := printed(); n != 3*payers || killer.kills != kills {
		t.Fatalf("%d of %d papers are printed after %d kills, in %d rounds:\n%s", n, 3*payers, killer.kills, rounds, r.Log.String())
	}
	if killer.asked < 3*payers+1 {
		t.Errorf("%d prints were begun for %d papers: nothing was killed in the middle of one", killer.asked, 3*payers)
	}
	for i, txn := range paid {
		r.Visitor = e2e.NewVisitor(r.Base, i+1)
		issued := r.Receipt(txn)
		for _, p := range r.Papers(txn) {
			file, err := r.Site.Business.Papers.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var body bytes.Buffer
			if _, err := body.ReadFrom(file); err != nil || sitetest.Hash(body.Bytes()) != p.Hash {
				t.Errorf("the %s of payer %d is not what was printed, %v", p.Kind, i+1, err)
			}
			says := map[paper.Kind]string{paper.Invoice: issued.Invoice.Number, paper.Receipt: txn, paper.Ticket: issued.Registration.Ticket}[p.Kind]
			mustContain(t, fmt.Sprintf("the %s of payer %d", p.Kind, i+1), body.String(), says, issued.Registration.FullName)
			file.Close()
		}
	}
	stats, err := r.Site.Store.QueueStats(t.Context(), r.Site.Clock())
	if err != nil || stats.Dead != 0 {
		t.Errorf("%d jobs are dead, %v", stats.Dead, err)
	}
	if jobs, err := r.Site.Store.ClaimJobs(t.Context(), []string{paper.JobPrint}, r.Site.Clock().AddDate(1, 0, 0), printWait, 1); err != nil || len(jobs) != 0 {
		t.Errorf("papers still wait: %v, %v", jobs, err)
	}
	if strings.Contains(r.Log.String(), "alert: ") {
		t.Errorf("it alerts:\n%s", r.Log.String())
	}
}

func TestPapersDespiteBrowserKills(t *testing.T) {
	papersArrive(t, storetest.SQLite(t), 2, 1)
}
