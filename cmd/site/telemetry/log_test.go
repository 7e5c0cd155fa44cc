package telemetry

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestLogLinesAreBuffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out recordedWrites
		log, flush := NewLog(false, &out)
		log.Info("first")
		log.Info("second")
		if got := out.lines(); len(got) != 0 {
			t.Errorf("written at once: %q", got)
		}
		time.Sleep(logDelay)
		synctest.Wait()
		if got := out.lines(); len(got) != 2 || out.count() != 1 {
			t.Errorf("after %v: %d lines in %d writes", logDelay, len(got), out.count())
		}
		log.Info("third")
		log.Error("fourth")
		if got := out.lines(); len(got) != 4 || !strings.Contains(got[2], "third") || !strings.Contains(got[3], "fourth") {
			t.Errorf("an error waits, or overtakes what came before it: %q", got)
		}
		log.Info("last")
		flush()
		if got := out.lines(); len(got) != 5 {
			t.Errorf("lost at the end: %q", got)
		}
		log.Info(strings.Repeat("words ", maxLogBuffer/6+1))
		if got := out.lines(); len(got) != 6 {
			t.Error("more than logMost is held back")
		}
	})
}

func TestLogHasNoPersonalData(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var out recordedWrites
		log, _ := NewLog(terminal, &out)
		log.With("phone", "+919876543210").WithGroup("g").Error("asha.rao@example.com", "otp", "123456")
		got := strings.Join(out.lines(), "\n")
		for _, secret := range []string{"9876543210", "asha.rao", "123456"} {
			if strings.Contains(got, secret) {
				t.Errorf("the log holds %s: %s", secret, got)
			}
		}
	}
}

func TestLogFormat(t *testing.T) {
	for terminal, want := range map[bool]string{
		false: `"level":"WARN","msg":"the disk is full","left":7}`, true: " WRN the disk is full left=7",
	} {
		var out recordedWrites
		log, _ := NewLog(terminal, &out)
		log.Warn("the disk is full", "left", 7)
		if got := strings.Join(out.lines(), "\n"); !strings.HasSuffix(got, want) {
			t.Errorf("terminal %t: %q, want %q at its end", terminal, got, want)
		}
	}
}

func TestDevNullIsNoTerminal(t *testing.T) {
	for _, name := range []string{os.DevNull, t.TempDir()} {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if IsTerminal(file) {
			t.Errorf("%s counts as a terminal", name)
		}
	}
}

// recordedWrites records each write.
type recordedWrites struct {
	mutex sync.Mutex
	parts [][]byte
}

func (w *recordedWrites) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.parts = append(w.parts, bytes.Clone(p))
	return len(p), nil
}

func (w *recordedWrites) count() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return len(w.parts)
}

func (w *recordedWrites) lines() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return strings.FieldsFunc(string(bytes.Join(w.parts, nil)), func(r rune) bool { return r == '\n' })
}
