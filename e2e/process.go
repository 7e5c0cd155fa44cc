// Package e2e tests the real binary as a process, with real databases and browsers.
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

// AnyPort is an address with any free port.
const AnyPort = "127.0.0.1:0"

// Site is one running process of the binary.
type Site struct {
	Addr string // host:port
	URL  string // its origin
	Logs *Tail
	cmd  *exec.Cmd
	done chan struct{}
}

// secretKey is common to copies that share a database.
const secretKey = "SECRET_KEY=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

var binaryFolder string // "" if nothing was built

// Binary builds the site once per test process and returns its path. RemoveBinary deletes it.
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

// RemoveBinary deletes Binary's build.
func RemoveBinary() error { return os.RemoveAll(binaryFolder) }

// Start runs the site on addr, AnyPort or that of an ended site, with further variables ("NAME=value"), and waits until it is
// ready. The site is killed when the test ends.
func Start(t testing.TB, addr, dataDir string, variables ...string) *Site {
	t.Helper()
	binary, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	return StartCommand(t, exec.Command(binary), addr, dataDir, variables...)
}

// StartCommand is Start with a command that wraps the binary, such as a tracer.
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
		_ = cmd.Wait() // the test checks ProcessState
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

// ready reports whether the site responds at its logged address.
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

// Kill kills the process.
func (s *Site) Kill() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // may have ended already
	<-s.done
}

// Stop terminates the process and waits for its end.
func (s *Site) Stop(t testing.TB) {
	t.Helper()
	s.Terminate(t)
	s.Ended(t)
}

// Terminate sends SIGTERM.
func (s *Site) Terminate(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// Ended waits for a clean end of the process, in less time than a supervisor allows.
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

// PID returns the process id.
func (s *Site) PID() int { return s.cmd.Process.Pid }

// Tail records a process's output.
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

// served returns the address that the site has logged, or "".
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

// All returns the whole output.
func (l *Tail) All() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return strings.Join(l.lines, "\n")
}
