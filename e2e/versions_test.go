//go:build long

package e2e

import (
	"archive/tar"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/store/storetest"
)

// versionBefore is the commit of the version that runs while this one is deployed.
//
//go:embed testdata/version-before
var versionBefore string

// BinaryBefore builds the previous version from the history, once per test process. It returns an error if the repository lacks
// the commit.
var BinaryBefore = sync.OnceValues(func() (string, error) {
	commit := strings.TrimSpace(versionBefore)
	var tree, said bytes.Buffer
	archive := exec.Command("git", "archive", "--format=tar", commit+":")
	archive.Dir = ".." // git archive starts at the current folder
	archive.Stdout, archive.Stderr = &tree, &said
	if err := archive.Run(); err != nil {
		return "", fmt.Errorf("%w: version %s is not in the history of this copy (%s): git fetch --unshallow", errNoHistory, commit[:7], strings.TrimSpace(said.String()))
	}
	folder, err := os.MkdirTemp("", "hiresure-before-")
	if err != nil {
		return "", err
	}
	if err := unpack(&tree, folder); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "site")
	build := exec.Command("go", "build", "-o", path, "./cmd/site")
	build.Dir, build.Env = folder, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build version %s: %w\n%s", commit[:7], err, out)
	}
	return path, nil
})

var errNoHistory = errors.New("no history")

func unpack(from io.Reader, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for archive := tar.NewReader(from); ; {
		entry, err := archive.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case entry.Typeflag == tar.TypeDir:
			if err := root.MkdirAll(entry.Name, 0o755); err != nil {
				return err
			}
		case entry.Typeflag == tar.TypeReg:
			if err := write(root, entry.Name, archive); err != nil {
				return err
			}
		}
	}
}

func write(root *os.Root, name string, from io.Reader) error {
	f, err := root.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, from); err != nil {
		_ = f.Close() // the first error is returned
		return err
	}
	return f.Close()
}

// A deployment is a database, a mail relay and a balancer with copies of both versions.
type deployment struct {
	t           *testing.T
	databaseURL string
	box         *mailbox
	*balancer
	book *journal
	done atomic.Int64
}

func deploy(t *testing.T) *deployment {
	t.Helper()
	return &deployment{t: t, databaseURL: storetest.EmptyPostgres(t), box: openMailbox(t), balancer: balance(t), book: newJournal()}
}

func (d *deployment) start(binary func() (string, error)) *Site {
	d.t.Helper()
	path, err := binary()
	if err != nil {
		d.t.Fatal(err)
	}
	site := StartCommand(d.t, exec.Command(path), AnyPort, d.t.TempDir(),
		"DATABASE_URL="+d.databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", "DRAIN_NOTICE=1", secretKey, d.box.variable())
	d.add(site)
	return site
}

// enrol starts people who enrol and pay; wait waits for all of them.
func (d *deployment) enrol(people int) (wait func()) {
	var running sync.WaitGroup
	running.Go(func() { enrolAll(d.t, d.URL, d.book, 0, people, &d.done) })
	return running.Wait
}

// after returns when a number of people have paid.
func (d *deployment) after(people int64) {
	for d.done.Load() < people && !d.t.Failed() {
		<-time.After(20 * time.Millisecond)
	}
}

// enrolledLine matches the access log's line of an enrolment in both versions.
var enrolledLine = regexp.MustCompile(`path=/scholarship/v1/create-scholarship-request status=200|"path":"/scholarship/v1/create-scholarship-request","status":200`)

// judge waits for the receipts and compares everything. Each copy must have served some of the requests.
func (d *deployment) judge(copies ...*Site) {
	d.t.Helper()
	for i, site := range copies {
		enrolled := len(enrolledLine.FindAllString(site.Logs.All(), -1))
		if enrolled < enrolments/10 {
			d.t.Errorf("copy %d has enrolled %d of %d", i+1, enrolled, enrolments)
		}
	}
	d.box.wait(d.t, enrolments, time.Minute)
	db := storetest.SQL(d.t, d.databaseURL)
	waitForMessages(d.t, db)
	waitForNone(d.t, db, "registrations WHERE paid_txn_id <> '' AND phase <> 'enrolled'", time.Minute)
	compare(d.t, db, d.databaseURL, d.book)
	d.box.judge(d.t, d.book.receipts, 0)
}

// Every request of a visitor may reach another version. Each payer receives exactly one receipt, whichever version stored it.
func TestTwoVersions(t *testing.T) {
	if _, err := BinaryBefore(); err != nil {
		if errors.Is(err, errNoHistory) {
			skip(t, err.Error())
		}
		t.Fatal(err)
	}
	if _, err := Binary(); err != nil { // before timing starts
		t.Fatal(err)
	}
	t.Run("the new one is deployed beside the old one, which then goes", func(t *testing.T) {
		d := deploy(t)
		before := d.start(BinaryBefore)
		wait := d.enrol(enrolments)
		d.after(enrolments / 4)
		after := d.start(Binary)
		d.after(enrolments * 3 / 4)
		before.Stop(t)
		wait()
		d.start(Binary) // renews at once the phases that the old version left, else that takes up to an hour
		d.judge(before, after)
	})
	t.Run("the new one goes again, and comes back", func(t *testing.T) {
		d := deploy(t)
		before := d.start(BinaryBefore)
		rolledBack := d.start(Binary)
		wait := d.enrol(enrolments)
		d.after(enrolments / 2)
		rolledBack.Stop(t)
		wait()
		d.judgeRolledBack()
		d.start(Binary)
		d.judge(before, rolledBack)
	})
}

// judgeRolledBack checks, when only the old version runs, that undelivered receipts are still queued.
func (d *deployment) judgeRolledBack() {
	d.t.Helper()
	db := storetest.SQL(d.t, d.databaseURL)
	count := func(query string) (n int) {
		if err := db.QueryRow(query).Scan(&n); err != nil {
			d.t.Fatal(err)
		}
		return n
	}
	const without = "FROM messages WHERE sent_at = 0 AND NOT EXISTS (SELECT 1 FROM jobs WHERE ref = messages.id)"
	if lost := count("SELECT COUNT(*) " + without); lost > 0 {
		d.t.Errorf("after the rollback %d messages are unsent, and nobody will send them", lost)
	}
	d.t.Logf("after the rollback %d messages wait for the new version", count("SELECT COUNT(*) FROM messages WHERE sent_at = 0"))
}
