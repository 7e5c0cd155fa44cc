//go:build long

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A tracer is an strace that records each sync: the file and the period.
type tracer struct {
	folder string
	traces int
}

// newTracer returns a tracer. It skips the test if strace is not installed.
func newTracer(t *testing.T) *tracer {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		skip(t, "strace is not installed")
	}
	folder, err := os.MkdirTemp("", "hiresure-trace-") // not t.TempDir: PostgreSQL's user writes here
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	return &tracer{folder: folder}
}

// skip prints SKIPPED for the summary of all tests, and skips.
func skip(t *testing.T, why string) {
	t.Helper()
	fmt.Fprintf(os.Stderr, "SKIPPED: %s: %s\n", t.Name(), why)
	t.Skip(why)
}

// command returns the command prefix that traces a program, which stays the command's own process, with the tracer as its
// grandchild.
func (tr *tracer) command() []string {
	tr.traces++
	return []string{"strace", "-D", "-f", "--seccomp-bpf", "-ttt", "-T", "-y", "-e", "trace=fsync,fdatasync", "-e", "signal=none", "-o", filepath.Join(tr.folder, fmt.Sprint(tr.traces))}
}

var (
	syncWhole   = regexp.MustCompile(`^(\d+) +(\d+\.\d+) f(?:data)?sync\(\d+<([^>]*)>\) += 0 <(\d+\.\d+)>$`)
	syncBegun   = regexp.MustCompile(`^(\d+) +(\d+\.\d+) f(?:data)?sync\(\d+<([^>]*)> <unfinished \.\.\.>$`)
	syncResumed = regexp.MustCompile(`^(\d+) +\d+\.\d+ <\.\.\. f(?:data)?sync resumed>\) += 0 <(\d+\.\d+)>$`)
)

// syncs returns the successful syncs of files whose path contains part.
func (tr *tracer) syncs(t *testing.T, part string) (spans []span) {
	t.Helper()
	for n := range tr.traces {
		f, err := os.Open(filepath.Join(tr.folder, fmt.Sprint(n+1)))
		if err != nil {
			t.Fatal(err)
		}
		begun := map[string]time.Time{} // by thread
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if m := syncWhole.FindStringSubmatch(lines.Text()); m != nil && strings.Contains(m[3], part) {
				spans = append(spans, spanOf(t, moment(t, m[2]), m[4]))
			} else if m := syncBegun.FindStringSubmatch(lines.Text()); m != nil && strings.Contains(m[3], part) {
				begun[m[1]] = moment(t, m[2])
			} else if m := syncResumed.FindStringSubmatch(lines.Text()); m != nil && !begun[m[1]].IsZero() {
				spans = append(spans, spanOf(t, begun[m[1]], m[2]))
				delete(begun, m[1])
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return spans
}

func moment(t *testing.T, seconds string) time.Time {
	t.Helper()
	whole, micros, _ := strings.Cut(seconds, ".")
	s, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	us, err := strconv.ParseInt(micros, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(s, us*1000)
}

func spanOf(t *testing.T, from time.Time, took string) span {
	t.Helper()
	seconds, err := time.ParseDuration(took + "s")
	if err != nil {
		t.Fatal(err)
	}
	return span{from, from.Add(seconds)}
}

// judge checks that each request has a sync between the request and its response.
func (tr *tracer) judge(t *testing.T, part string, answered []span) {
	t.Helper()
	syncs := tr.syncs(t, part)
	early := 0
	for _, a := range answered {
		held := false
		for _, s := range syncs {
			held = held || s.from.After(a.from) && s.to.Before(a.to)
		}
		if !held {
			early++
		}
	}
	if early > 0 {
		t.Errorf("%d of %d answers left before what they promise was on the disk", early, len(answered))
	}
	t.Logf("%d answers, %d waits for the disk", len(answered), len(syncs))
}
