//go:build long

package e2e

import (
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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

const cannotSave = "We cannot save anything at the moment. Please try again in a few seconds."

// checkHonest checks the response to a request that cannot be saved at the moment: it must contain the message and Retry-After.
func checkHonest(status int, header http.Header, text string) error {
	wait, err := strconv.Atoi(header.Get("Retry-After"))
	switch {
	case status != http.StatusServiceUnavailable:
		return fmt.Errorf("the status is %d, not 503: %.300s", status, text)
	case err != nil || wait < 1 || wait > 60:
		return fmt.Errorf("Retry-After is %q, not a few seconds", header.Get("Retry-After"))
	case !strings.Contains(text, cannotSave):
		return fmt.Errorf("it does not say %q: %.300s", cannotSave, text)
	}
	return nil
}

// postEnquiry sends the form without scripts and reports whether it was accepted. A rejection must be honest and contain the
// typed values.
func postEnquiry(t *testing.T, site *Site, n int) (taken bool) {
	t.Helper()
	typed := url.Values{"fullname": {"Asha Verma"}, "email": {fmt.Sprintf("kept%d@example.com", n)}, "phone": {fmt.Sprintf("97%08d", n*7+1)}, "countryCode": {"in"}}
	answer, err := http.PostForm(site.URL+"/enquiry", typed)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode == http.StatusOK {
		return true
	}
	if err := checkHonest(answer.StatusCode, answer.Header, string(body)); err != nil {
		t.Errorf("the enquiry form: %v", err)
	}
	for name, values := range typed {
		if name != "countryCode" && !strings.Contains(string(body), `value="`+values[0]+`"`) {
			t.Errorf("the enquiry form has lost %s", name)
		}
	}
	return false
}

// callEnquiry is postEnquiry by the API.
func callEnquiry(t *testing.T, v *Visitor, n int) (taken bool) {
	t.Helper()
	a, err := v.Call("/ks-website/create-enquiry", enquiry(n))
	if err != nil {
		t.Fatal(err)
	}
	if a.Status == http.StatusOK {
		return true
	}
	if err := checkHonest(a.Status, a.Header, a.text("message")); err != nil {
		t.Errorf("the API's enquiry: %v", err)
	}
	return false
}

func TestDatabaseOutage(t *testing.T) {
	cluster := storetest.OwnCluster(t)
	databaseURL, err := cluster.NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	site := Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off")
	v := NewVisitor(site.URL, 1)
	acknowledged := 0
	if callEnquiry(t, v, 0) && postEnquiry(t, site, 0) {
		acknowledged = 2
	}
	if err := cluster.Stop(); err != nil {
		t.Fatal(err)
	}
	for start, n := time.Now(), 1; time.Since(start) < 30*time.Second && !t.Failed(); n++ {
		if callEnquiry(t, v, n) {
			t.Error("an enquiry was taken by the API, and there is no database")
		}
		if postEnquiry(t, site, n) {
			t.Error("an enquiry was taken by the form, and there is no database")
		}
		for path, want := range map[string]int{"/scholarship/hiresure-mgrow-2025": http.StatusOK, "/readyz": http.StatusOK, "/healthz": http.StatusOK} {
			if got := statusOf(t, site.URL+path); got != want {
				t.Errorf("%s without a database: %d, want %d", path, got, want)
			}
		}
		<-time.After(time.Second)
	}
	if err := cluster.Start(); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	for n := 1000; !callEnquiry(t, v, n); n++ {
		if time.Since(back) > 5*time.Second {
			t.Fatal("no recovery after 5 s")
		}
		<-time.After(50 * time.Millisecond)
	}
	t.Logf("recovered after %v", time.Since(back))
	acknowledged++
	var kept int
	if err := storetest.SQL(t, databaseURL).QueryRow("SELECT COUNT(*) FROM enquiries").Scan(&kept); err != nil || kept != acknowledged {
		t.Errorf("%d enquiries are kept, %d were acknowledged, %v", kept, acknowledged, err)
	}
	const alert = "database does not answer or cannot write"
	for stored := 0; stored == 0; <-time.After(50 * time.Millisecond) {
		if err := storetest.SQL(t, databaseURL).QueryRow("SELECT COUNT(*) FROM alerts WHERE what = $1", alert).Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if time.Since(back) > 30*time.Second {
			t.Fatal("what was raised without the database is not stored")
		}
	}
	site.Kill()
	site = Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL)
	if metrics := bodyOf(t, site.URL+"/metrics"); !strings.Contains(metrics, `alerts_open{what="`+alert+`"} `) {
		t.Errorf("after a restart the alert is not open:\n%s", metrics)
	}
}

func bodyOf(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// A database that accepts connections and answers nothing, as on a hanging disk or under a forgotten lock, costs a visitor some seconds.
func TestFrozenDatabase(t *testing.T) {
	for name, freeze := range map[string]func(*testing.T) (databaseURL string, freeze, thaw func()){"sqlite": lockedFile, "postgres": stoppedCluster} {
		t.Run(name, func(t *testing.T) {
			databaseURL, freeze, thaw := freeze(t)
			site := Start(t, AnyPort, t.TempDir(), "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off")
			v := NewVisitor(site.URL, 1)
			if !callEnquiry(t, v, 0) || !postEnquiry(t, site, 0) {
				t.Fatal("refused before it froze")
			}
			freeze()
			for range 2 {
				began := time.Now()
				taken := callEnquiry(t, v, 1) || postEnquiry(t, site, 1)
				if took := time.Since(began) / 2; taken || took > 8*time.Second {
					t.Errorf("taken %t, after %s each", taken, took)
				}
			}
			thaw()
			for back := time.Now(); !callEnquiry(t, v, 2); <-time.After(50 * time.Millisecond) {
				if time.Since(back) > 10*time.Second {
					t.Fatal("no recovery after 10 s")
				}
			}
		})
	}
}

// lockedFile is a SQLite database that another program can lock.
func lockedFile(t *testing.T) (databaseURL string, lock, unlock func()) {
	databaseURL = "sqlite://" + filepath.Join(t.TempDir(), "site.db")
	var held *sql.Conn
	run := func(statement string) {
		if _, err := held.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return databaseURL, func() {
		var err error
		if held, err = storetest.SQL(t, databaseURL).Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
		run("BEGIN IMMEDIATE")
	}, func() { run("ROLLBACK") }
}

// stoppedCluster is a PostgreSQL whose processes can be stopped and continued.
func stoppedCluster(t *testing.T) (databaseURL string, stop, resume func()) {
	cluster := storetest.OwnCluster(t)
	databaseURL, err := cluster.NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	signal := func(s syscall.Signal) func() {
		return func() {
			if err := cluster.Signal(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(func() { _ = cluster.Signal(syscall.SIGCONT) })
	return databaseURL, signal(syscall.SIGSTOP), signal(syscall.SIGCONT)
}

func statusOf(t *testing.T, address string) int {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// The disk is a small separate file system.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=8m"); err != nil {
		skip(t, fmt.Sprintf("a small disk cannot be mounted without root: %v", err))
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	site := Start(t, AnyPort, disk, "CAPTCHA=off", "RATE_LIMITS=off")
	v := NewVisitor(site.URL, 1)
	ballast := filepath.Join(disk, "ballast")
	if err := exec.Command("sh", "-c", "dd if=/dev/zero of="+ballast+" bs=64k 2>/dev/null; true").Run(); err != nil {
		t.Fatal(err)
	}
	acknowledged, called, posted := 0, 0, 0 // the last two count rejections
	for n := 0; n < 500 && (called < 50 || posted < 50); n++ {
		if callEnquiry(t, v, n) {
			acknowledged++
		} else {
			called++
		}
		if postEnquiry(t, site, n) {
			acknowledged++
		} else {
			posted++
		}
		if got := statusOf(t, site.URL+"/scholarship/hiresure-mgrow-2025"); got != http.StatusOK {
			t.Fatalf("the landing page with a full disk: %d", got)
		}
	}
	if got := bodyOf(t, site.URL+"/readyz"); !strings.HasPrefix(got, "degraded: database") {
		t.Errorf("/readyz with a full disk: %q", got)
	}
	if lines := strings.Count(site.Logs.All(), "disk is full"); lines != called+posted {
		t.Errorf("%d lines of the log say that the disk is full, for %d refusals", lines, called+posted)
	}
	if called == 0 || posted == 0 {
		t.Fatalf("the disk was never full: %d calls and %d forms were refused", called, posted)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for n := 500; n < 510; n++ {
		if !callEnquiry(t, v, n) || !postEnquiry(t, site, n) {
			t.Fatal("refused after space was made")
		}
		acknowledged += 2
	}
	site.Stop(t)
	var kept int
	if err := storetest.SQL(t, "sqlite://"+filepath.Join(disk, "hiresure.db")).QueryRow("SELECT COUNT(*) FROM enquiries").Scan(&kept); err != nil || kept != acknowledged {
		t.Errorf("%d enquiries are kept, %d were acknowledged, %v", kept, acknowledged, err)
	}
	t.Logf("%d acknowledged, %d calls and %d forms refused", acknowledged, called, posted)
}

func TestSlowAndHugeHeadersAreRejected(t *testing.T) {
	site := Start(t, AnyPort, t.TempDir())
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

func TestLogsHaveNoPersonalData(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.db")
	site := Start(t, AnyPort, t.TempDir(), "CAPTCHA=off", "RATE_LIMITS=off", "DATABASE_URL=sqlite://"+file)
	book := newJournal()
	v := NewVisitor(site.URL, 1)
	if err := enrolAndPay(v, book); err != nil {
		t.Fatal(err)
	}
	code, err := v.ReadCode()
	if err != nil {
		t.Fatal(err)
	}
	waitForMessages(t, storetest.SQL(t, "sqlite://"+file))
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
	if !strings.Contains(logs, `"msg":"request"`) {
		t.Error("the logs hold no request at all")
	}
}
