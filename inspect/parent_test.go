package inspect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// A broken child command is an internal error, not a refusal.
func TestInternalErrorsAreNotRefusals(t *testing.T) {
	for _, test := range []struct {
		sentence string
		command  []string
		want     string
	}{
		{"no such program", []string{"/no/such/program"}, "inspect a file: fork/exec /no/such/program: no such file or directory"},
		{"a program that fails", []string{"sh", "-c", "echo no room >&2; exit 1"}, "inspect a file: exit status 1: no room\n"},
		{"a program without output", []string{"true"}, "inspect a file: no verdict"},
		{"a program that is killed", []string{"sh", "-c", "kill -9 $$"}, "inspect a file: signal: killed: "},
		{"a program with too little output", []string{"sh", "-c", `echo '{"file":{"Size":9}}'; printf 123`}, "inspect a file: 3 bytes arrived of 9"},
	} {
		var out bytes.Buffer
		_, err := New(Options{Command: test.command}).Judge(t.Context(), "somebody", Want{}, bytes.NewReader(nil), &out)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.sentence, err, test.want)
		}
	}
}

func TestChildHasLimits(t *testing.T) {
	large := blank(5000, 5000, 16, 6) // 200 MB of pixels, half a second
	for _, test := range []struct {
		sentence string
		options  Options
		want     string
	}{
		{"as much as it needs", Options{Time: 4 * defaultTime}, "<nil>"},
		{"less time", Options{Time: 60 * time.Millisecond}, "file refused: too large, time"},
		{"less memory", Options{Memory: 150 << 20}, "file refused: too large, memory"},
	} {
		err := func() error {
			_, err := New(test.options).Judge(t.Context(), "somebody", Want{}, bytes.NewReader(large), io.Discard)
			return err
		}()
		if got := "<nil>"; err != nil && err.Error() != test.want || err == nil && got != test.want {
			t.Errorf("%s: %v, want %s", test.sentence, err, test.want)
		}
	}
}

func TestLimitExceeded(t *testing.T) {
	for complaint, want := range map[string]string{
		"fatal error: runtime: out of memory":                                   "file refused: too large, memory",
		"fatal error: runtime: cannot allocate memory":                          "file refused: too large, memory",
		"SIGSEGV: segmentation violation\nPC=0x433d5d m=0 sigcode=1 addr=0x0\n": "file refused: too large, memory", // the collector's
		"panic: oh\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0]": "inspect a file: exit status 2: ",
	} {
		_, err := New(Options{Command: []string{"sh", "-c", `printf '%s' "$0" >&2; exit 2`, complaint}}).Judge(t.Context(), "somebody", Want{}, bytes.NewReader(nil), io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", complaint, err, want)
		}
	}
}

// An attacker who takes over a child finds neither secrets nor open files.
func TestChildHasNoSecretsOrFiles(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://secret")
	var out bytes.Buffer
	_, err := New(Options{Command: []string{"sh", "-c", "env >&2; exit 1"}}).Judge(t.Context(), "somebody", Want{}, bytes.NewReader(nil), &out)
	if err == nil || !strings.Contains(err.Error(), "GOMAXPROCS=1") || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "HOME") {
		t.Errorf("%v", err)
	}
}

func TestTransferErrorsAreInternal(t *testing.T) {
	good := asJPEG(quarters(64, 32))
	broken := errors.New("the disk is full")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		sentence string
		ctx      context.Context
		in       io.Reader
		out      io.Writer
		want     error
	}{
		{"a file that cannot be read to its end", t.Context(), io.MultiReader(bytes.NewReader(good), iotest.ErrReader(broken)), io.Discard, broken},
		{"a file that cannot be written", t.Context(), bytes.NewReader(good), full{broken}, broken},
		{"nobody who waits", gone, bytes.NewReader(good), io.Discard, context.Canceled},
	} {
		_, err := New(Options{}).Judge(test.ctx, "somebody", Want{}, test.in, test.out)
		if refusal := (*Refusal)(nil); !errors.Is(err, test.want) || errors.As(err, &refusal) {
			t.Errorf("%s: %v, want %v", test.sentence, err, test.want)
		}
	}
}

// full is a full disk.
type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

func TestRefusedFilesCostMore(t *testing.T) {
	c := newClock() // stopped, so that only the refusal costs
	i := New(Options{Now: c.now})
	for who, file := range map[string][]byte{"who sends a bomb": progressive(64, 64, 33), "who sends a photo": asJPEG(quarters(64, 32))} {
		_, _ = i.Judge(t.Context(), who, Want{}, bytes.NewReader(file), io.Discard)
	}
	if len(i.queue.used) != 1 || i.queue.used["who sends a bomb"].time != refusedCost {
		t.Errorf("%v", i.queue.used)
	}
}
