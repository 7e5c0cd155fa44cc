//go:build long

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"hiresure/store/storetest"
)

func enquiry(n int) map[string]any {
	return map[string]any{
		"fullname": "Asha Verma", "email": fmt.Sprintf("asha%d@example.com", n), "phone": fmt.Sprintf("98%08d", n*7+1), "countryCode": "in", "dialLog": "91",
		"enquiryType": "KS_SCHOLARSHIP",
	}
}

// TestEachAnswerWaitsForTheDisk is R2: the trace of the system calls shows an fsync of the database between each request
// that was read and its 2xx.
func TestEachAnswerWaitsForTheDisk(t *testing.T) {
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(t.TempDir(), "trace")
	site := StartCommand(t, exec.Command("strace", "-f", "-y", "-s", "40", "-e", "trace=read,write,fsync,fdatasync", "-o", trace, binary), FreePort(t), t.TempDir(), "CAPTCHA=off", "RATE_LIMITS=off")
	v := NewVisitor(site.URL, 1)
	const requests = 30
	for n := range requests {
		if _, err := v.step("/ks-website/create-enquiry", enquiry(n)); err != nil {
			t.Fatal(err)
		}
	}
	site.Kill()
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	asked, synced, answers := false, false, 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.Contains(line, `"POST /ks-website/create-enquiry`):
			asked, synced = true, false
		case (strings.Contains(line, "fsync(") || strings.Contains(line, "fdatasync(")) && strings.Contains(line, "hiresure.db") && strings.HasSuffix(line, "= 0"),
			strings.Contains(line, "resumed>") && (strings.Contains(line, "fsync") || strings.Contains(line, "fdatasync")) && strings.HasSuffix(line, "= 0"):
			synced = true
		case strings.Contains(line, `"HTTP/1.1 200 OK`) && strings.Contains(line, "write("):
			if !asked { // the harness asks /readyz first
				continue
			}
			if answers++; !synced {
				t.Errorf("answer %d left before the database was on the disk", answers)
			}
		}
	}
	if answers < requests {
		t.Fatalf("the trace shows %d answers of %d", answers, requests)
	}
	t.Logf("%d answers, each after an fsync", requests)
}

// TestPostgreSQLIsToldToWaitForTheDisk is R2 on the other database.
func TestPostgreSQLIsToldToWaitForTheDisk(t *testing.T) {
	db := openSQL(t, "pgx", storetest.Postgres(t))
	for setting, want := range map[string]string{"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"} {
		var got string
		if err := db.QueryRow("SHOW " + setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", setting, got, err, want)
		}
	}
}

// TestTheDatabaseIsAwayForAWhile is R11.
func TestTheDatabaseIsAwayForAWhile(t *testing.T) {
	cluster := storetest.OwnCluster(t)
	databaseURL, err := cluster.NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	site := Start(t, FreePort(t), t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off")
	v := NewVisitor(site.URL, 1)
	if _, err := v.step("/ks-website/create-enquiry", enquiry(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := get(site.URL + "/scholarship/hiresure-mgrow-2025"); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Stop(); err != nil {
		t.Fatal(err)
	}
	acknowledged := 1
	for start, n := time.Now(), 1; time.Since(start) < 30*time.Second; n++ {
		a, err := v.Call("/ks-website/create-enquiry", enquiry(n))
		if err != nil || a.Status != http.StatusServiceUnavailable {
			t.Fatalf("an enquiry without a database: %d, %v; want 503", a.Status, err)
		}
		if page, err := http.Get(site.URL + "/scholarship/hiresure-mgrow-2025"); err != nil || page.StatusCode != http.StatusOK {
			t.Fatalf("the landing page without a database: %v", err)
		}
		form, err := http.PostForm(site.URL+"/enquiry", url.Values{"fullname": {"Asha Verma"}, "email": {"kept@example.com"}, "phone": {"9876543210"}, "countryCode": {"in"}})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(form.Body)
		form.Body.Close()
		if err != nil || form.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(body), "kept@example.com") {
			t.Fatalf("the enquiry form without a database: %d, %v, typed values kept: %v", form.StatusCode, err, strings.Contains(string(body), "kept@example.com"))
		}
		if ready, err := http.Get(site.URL + "/readyz"); err != nil || ready.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("readyz without a database: %v", err)
		}
		<-time.After(time.Second)
	}
	if err := cluster.Start(); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	for {
		a, err := v.Call("/ks-website/create-enquiry", enquiry(1000))
		if err == nil && a.Status == http.StatusOK {
			acknowledged++
			break
		}
		if time.Since(back) > 5*time.Second {
			t.Fatalf("no recovery after 5 s: %d %v", a.Status, err)
		}
		<-time.After(50 * time.Millisecond)
	}
	var kept int
	if err := openSQL(t, "pgx", databaseURL).QueryRow("SELECT COUNT(*) FROM enquiries").Scan(&kept); err != nil || kept != acknowledged {
		t.Errorf("%d enquiries are kept, %d were acknowledged, %v", kept, acknowledged, err)
	}
	t.Logf("recovered after %v", time.Since(back))
}

// TestTheDiskIsFull is R12, on a small file system of its own.
func TestTheDiskIsFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		t.Fatalf("mount a small disk (needs root): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	site := Start(t, FreePort(t), disk, "CAPTCHA=off", "RATE_LIMITS=off")
	v := NewVisitor(site.URL, 1)
	ballast := filepath.Join(disk, "ballast")
	if err := exec.Command("sh", "-c", "dd if=/dev/zero of="+ballast+" bs=64k 2>/dev/null; true").Run(); err != nil {
		t.Fatal(err)
	}
	acknowledged, refused := 0, 0
	for n := range 200 {
		a, err := v.Call("/ks-website/create-enquiry", enquiry(n))
		if err != nil {
			t.Fatal(err)
		}
		if a.Status == http.StatusOK {
			acknowledged++
		} else if refused++; a.Status < 500 {
			t.Fatalf("with a full disk: %d %v", a.Status, a.Fields)
		}
	}
	if refused == 0 {
		t.Fatal("the disk was never full")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for n := 200; n < 210; n++ {
		if _, err := v.step("/ks-website/create-enquiry", enquiry(n)); err != nil {
			t.Fatalf("after space was made: %v", err)
		}
		acknowledged++
	}
	site.Stop(t)
	var kept int
	if err := openSQL(t, "sqlite", filepath.Join(disk, "hiresure.db")).QueryRow("SELECT COUNT(*) FROM enquiries").Scan(&kept); err != nil || kept != acknowledged {
		t.Errorf("%d enquiries are kept, %d were acknowledged, %v", kept, acknowledged, err)
	}
	t.Logf("%d acknowledged, %d refused", acknowledged, refused)
}

// balancer is what stands before two copies: it sends requests to those that are ready, and never repeats one that a
// copy may have begun.
type balancer struct {
	mutex sync.Mutex
	ready []*Site
	turn  int
}

func (b *balancer) next() *Site {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.turn++
	return b.ready[b.turn%len(b.ready)]
}

func (b *balancer) set(sites ...*Site) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.ready = sites
}

// TestARollingRestartFailsNobody is R18: 50 requests a second, reads and writes, while both copies are restarted in turn.
func TestARollingRestartFailsNobody(t *testing.T) {
	databaseURL := storetest.Postgres(t)
	variables := []string{"DATABASE_URL=" + databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", "DRAIN_NOTICE=1", "SECRET_KEY=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"}
	sites := [2]*Site{}
	for i := range sites {
		sites[i] = Start(t, FreePort(t), t.TempDir(), variables...)
	}
	b := &balancer{}
	b.set(sites[:]...)
	proxy := &http.Server{Handler: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		target, _ := url.Parse(b.next().URL)
		r.SetURL(target)
	}}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = proxy.Serve(listener) }() // it ends with Close
	defer proxy.Close()
	front := "http://" + listener.Addr().String()

	ctx, stop := context.WithCancel(context.Background())
	var sent, failed atomic.Int64
	var running sync.WaitGroup
	running.Go(func() {
		for tick, n := time.NewTicker(20*time.Millisecond), 0; ctx.Err() == nil; n++ {
			<-tick.C
			running.Go(func() {
				sent.Add(1)
				var status int
				if n%2 == 0 {
					a, err := NewVisitor(front, n).Call("/ks-website/create-enquiry", enquiry(n))
					if status = a.Status; err != nil {
						status = 0
					}
				} else if answer, err := http.Get(front + "/scholarship/hiresure-mgrow-2025"); err == nil {
					status = answer.StatusCode
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				if status != http.StatusOK {
					failed.Add(1)
					t.Errorf("request %d: %d", n, status)
				}
			})
		}
	})
	for i := range sites {
		<-time.After(2 * time.Second)
		b.set(sites[1-i]) // the balancer has seen /readyz fail
		sites[i].Stop(t)
		sites[i] = Start(t, FreePort(t), t.TempDir(), variables...)
		b.set(sites[:]...)
	}
	<-time.After(2 * time.Second)
	stop()
	running.Wait()
	t.Logf("%d requests, %d failed", sent.Load(), failed.Load())
}

// TestSlowAndHugeHeadersAreCutOff is check 52.
func TestSlowAndHugeHeadersAreCutOff(t *testing.T) {
	site := Start(t, FreePort(t), t.TempDir())
	slow, err := net.Dial("tcp", site.URL[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if _, err := slow.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := slow.SetReadDeadline(began.Add(15 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(slow); err != nil || time.Since(began) > 10*time.Second {
		t.Errorf("a header that never ends was let live for %v, %v", time.Since(began), err)
	}
	request, err := http.NewRequest(http.MethodGet, site.URL+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Huge", strings.Repeat("x", 64<<10))
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 64 KiB: %v, %v; want 431", answer, err)
	}
}

var personal = regexp.MustCompile(`visitor\d+@example\.com|\+917\d{9}|\b7\d{9}\b`)

// TestTheLogsHoldNothingPersonal is check 46, after a whole journey.
func TestTheLogsHoldNothingPersonal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.db")
	site := Start(t, FreePort(t), t.TempDir(), "CAPTCHA=off", "RATE_LIMITS=off", "DATABASE_URL=sqlite://"+file)
	book := &journal{registered: map[string]string{}, paid: map[string]string{}}
	v := NewVisitor(site.URL, 1)
	if err := enrolAndPay(v, book); err != nil {
		t.Fatal(err)
	}
	code, err := v.ReadCode()
	if err != nil {
		t.Fatal(err)
	}
	waitForMessages(t, openSQL(t, "sqlite", file))
	outbox, err := get(site.URL + "/dev/outbox.json")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`/receipt/([A-Za-z0-9_-]+)`).FindStringSubmatch(outbox)
	if link == nil {
		t.Fatal("the outbox holds no receipt")
	}
	for _, path := range []string{"/receipt/", "/invoice/"} {
		if page, err := get(site.URL + path + link[1]); err != nil || !strings.Contains(page, "Asha Verma") {
			t.Errorf("%s did not open: %v", path, err)
		}
	}
	site.Stop(t)
	logs := site.Logs.All()
	for _, secret := range []string{code, link[1], "Asha", "Verma"} {
		if strings.Contains(logs, secret) {
			t.Errorf("the logs hold %q", secret)
		}
	}
	if found := personal.FindString(logs); found != "" {
		t.Errorf("the logs hold %q", found)
	}
	if !strings.Contains(logs, "msg=request") {
		t.Error("the logs hold no request at all")
	}
}
