package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a running server.
type process struct {
	addr string
	log  string // path of its log
	*exec.Cmd
}

// start runs a server and waits until it is ready. Its log goes to a file in folder. %ADDR% in args and env becomes the
// address.
func start(folder, binary string, args, env []string) (*process, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp(folder, "*.log")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &process{addr, log.Name(), exec.Command(binary, placed(args, addr)...)}
	p.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder}, placed(env, addr)...)
	p.Dir, p.Stdout, p.Stderr = folder, log, log
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if p.ready() {
			return p, nil
		}
		if time.Now().After(deadline) {
			written, err := os.ReadFile(p.log)
			return nil, errors.Join(fmt.Errorf("%s is not ready after 30 s:\n%s", filepath.Base(binary), written), err, p.end())
		}
	}
}

func placed(texts []string, addr string) []string {
	var done []string
	for _, text := range texts {
		done = append(done, strings.ReplaceAll(text, "%ADDR%", addr))
	}
	return done
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func (p *process) ready() bool {
	answer, err := http.Get("http://" + p.addr + "/readyz")
	if err != nil {
		return false
	}
	_ = answer.Body.Close() // only the status counts
	return answer.StatusCode == http.StatusOK
}

// pause stops a process, so that it takes no time from the measured one; resume continues it.
func (p *process) pause() error  { return p.Process.Signal(syscall.SIGSTOP) }
func (p *process) resume() error { return p.Process.Signal(syscall.SIGCONT) }

// end kills the process; its files are temporary.
func (p *process) end() error {
	if err := p.Process.Kill(); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := p.Wait(); !errors.As(err, &exit) {
		return err
	}
	return nil
}

const tick = 10 * time.Millisecond // USER_HZ is 100 on every Linux that Go supports

// cpu returns the user and system time of the process so far.
func (p *process) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(p.proc("stat"))
	if err != nil {
		return 0, err
	}
	// proc(5): fields 14 and 15; the second is the name in brackets and may hold spaces.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	var ticks int
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// memory returns the resident memory of the process in MB: now (VmRSS:) or at its peak (VmHWM:).
func (p *process) memory(which string) (float64, error) {
	status, err := os.ReadFile(p.proc("status"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), which)
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, err := strconv.Atoi(strings.TrimSpace(kilobytes))
	return float64(n) * 1024 / 1e6, err
}

func (p *process) proc(file string) string {
	return filepath.Join("/proc", strconv.Itoa(p.Process.Pid), file)
}
