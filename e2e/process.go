// Package e2e proves the product from outside: the real binary as a process of its own, real databases, real browsers.
package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// AnyPort is an address on which a site takes a free port.
const AnyPort = "127.0.0.1:0"

// Site is one running process of the binary.
type Site struct {
	Addr string // host:port
	URL  string // its origin
	Logs *Tail
	cmd  *exec.Cmd
	done chan struct{}
}

// secretKey is for copies that share a database.
const secretKey = "SECRET_KEY=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

var binaryFolder string // "" where nothing was built

// Binary builds the site once for a test process, which removes it by RemoveBinary, and returns where it stands.
var Binary = sync.OnceValues(func() (_ string, err error) {
	if binaryFolder, err = os.MkdirTemp("", "hiresure-e2e-"); err != nil {
		return "", err
	}
	path := filepath.Join(binaryFolder, "site")
	build := exec.Command("go", "build", "-o", path, "hiresure/cmd/site")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build site: %w\n%s", err, out)
	}
	return path, nil
})

// RemoveBinary removes what Binary built.
func RemoveBinary() error { return os.RemoveAll(binaryFolder) }

// Start runs the site on addr, AnyPort or that of a site which has ended, with further variables ("NAME=value") and waits until it is ready. It is killed when the test ends.
func Start(t testing.TB, addr, dataDir string, variables ...string) *Site {
	t.Helper()
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	return StartCommand(t, exec.Command(binary), addr, dataDir, variables...)
}

// StartCommand is Start for a command that wraps the binary, such as a tracer.
func StartCommand(t testing.TB, cmd *exec.Cmd, addr, dataDir string, variables ...string) *Site {
	t.Helper()
	s := &Site{Logs: &Tail{}, cmd: cmd, done: make(chan struct{})}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "ADDR=" + addr, "DATA_DIR=" + dataDir, "CHROME_URL=off"}, variables...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		s.Logs.read(out)
		_ = cmd.Wait() // how it ended is the test's business, by ProcessState
		close(s.done)
	}()
	t.Cleanup(s.Kill)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
		if s.ready() {
			tick.Stop()
			return s
		}
		select {
		case <-s.done:
			t.Fatalf("site ended before it was ready:\n%s", s.Logs)
		case <-ctx.Done():
			t.Fatalf("site is not ready after 30 s:\n%s", s.Logs)
		default:
		}
	}
}

// ready reports whether the site answers at the address that it has logged.
func (s *Site) ready() bool {
	if s.Addr = s.Logs.served(); s.Addr == "" {
		return false
	}
	s.URL = "http://" + s.Addr
	answer, err := http.Get(s.URL + "/readyz")
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// Kill ends the process as a power cut would.
func (s *Site) Kill() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // it may have ended already
	<-s.done
}

// Stop asks the process to end and waits until it has.
func (s *Site) Stop(t testing.TB) {
	t.Helper()
	s.Terminate(t)
	s.Ended(t)
}

// Terminate asks the process to end, as a supervisor does.
func (s *Site) Terminate(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// Ended waits until the process has ended, well and before a supervisor would kill it.
func (s *Site) Ended(t testing.TB) {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(30 * time.Second):
		t.Fatalf("site has not drained after 30 s:\n%s", s.Logs)
	}
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("site ended with %d:\n%s", code, s.Logs)
	}
}

// PID is the process id.
func (s *Site) PID() int { return s.cmd.Process.Pid }

// Tail keeps what a process wrote.
type Tail struct {
	mutex sync.Mutex
	lines []string
}

func (l *Tail) read(from io.Reader) {
	for scanner := bufio.NewScanner(from); scanner.Scan(); {
		l.mutex.Lock()
		l.lines = append(l.lines, scanner.Text())
		l.mutex.Unlock()
	}
}

// served returns the address that a site has logged once it served, "" before.
func (l *Tail) served() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, line := range l.lines {
		var logged struct{ Msg, Addr string }
		if err := json.Unmarshal([]byte(line), &logged); err == nil && logged.Msg == "serving" {
			return logged.Addr
		}
	}
	return ""
}

func (l *Tail) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return strings.Join(l.lines[max(0, len(l.lines)-60):], "\n")
}

// All is everything that the process wrote.
func (l *Tail) All() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return strings.Join(l.lines, "\n")
}
