// Package scantest runs a real clamd for tests, with one test signature.
package scantest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Harm is content that the test signature matches.
const (
	Harm      = "this sentence does harm in the tests of HireSure"
	Signature = "Tests.Harm.UNOFFICIAL"
)

const configuration = `Foreground yes
LocalSocket %[1]s/clamd.ctl
DatabaseDirectory %[1]s/signatures
TemporaryDirectory %[1]s
ScanImageFuzzyHash no
ConcurrentDatabaseReload no
`

// A Clamd runs until the test ends or Stop.
type Clamd struct {
	Address string // unix:///…/clamd.ctl
	program string
	folder  string
	process *exec.Cmd
	log     bytes.Buffer
}

// Start starts a clamd, as user nobody if the tests run as root.
func Start(t *testing.T) *Clamd {
	t.Helper()
	program, err := exec.LookPath("clamd")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/clamd")
	}
	if err != nil {
		t.Skip("clamd is not installed")
	}
	folder, err := os.MkdirTemp("", "clamd") // short, because a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	signatures := filepath.Join(folder, "signatures")
	err = errors.Join(
		os.Chmod(folder, 0o755), os.Mkdir(signatures, 0o755), //nolint:gosec // nobody reads it
		os.WriteFile(filepath.Join(signatures, "tests.ndb"), []byte("Tests.Harm:0:*:"+hex.EncodeToString([]byte(Harm))+"\n"), 0o644), //nolint:gosec // as above
		os.WriteFile(filepath.Join(folder, "clamd.conf"), fmt.Appendf(nil, configuration, folder), 0o644),                            //nolint:gosec // as above
	)
	if err != nil {
		t.Fatal(err)
	}
	c := &Clamd{Address: "unix://" + filepath.Join(folder, "clamd.ctl"), program: program, folder: folder}
	c.Run(t)
	return c
}

// Run starts clamd again after Stop.
func (c *Clamd) Run(t *testing.T) {
	t.Helper()
	c.process = exec.Command(c.program, "--config-file="+filepath.Join(c.folder, "clamd.conf"))
	c.process.Dir = c.folder
	c.process.Stdout, c.process.Stderr = &c.log, &c.log
	c.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Fatal(err)
		}
		id, err := strconv.ParseUint(nobody.Uid, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(c.folder, int(id), -1); err != nil {
			t.Fatal(err)
		}
		c.process.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(id), Gid: uint32(id)}
	}
	if err := c.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(20 * time.Second); !c.answers(); {
		select {
		case <-late:
			t.Fatalf("clamd did not start: %s", c.log.String())
		case <-tick.C:
		}
	}
}

// answers reports whether clamd responds.
func (c *Clamd) answers() bool {
	conn, err := net.Dial("unix", filepath.Join(c.folder, "clamd.ctl"))
	if err != nil {
		return false
	}
	defer conn.Close()
	_, err = io.WriteString(conn, "zPING\x00")
	answer, readErr := io.ReadAll(conn)
	return err == nil && readErr == nil && string(answer) == "PONG\x00"
}

// Stop ends clamd.
func (c *Clamd) Stop() {
	_ = c.process.Process.Kill()
	_ = c.process.Wait()
}
