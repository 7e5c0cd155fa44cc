package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Ctrl-C while .ci/needs installs a package leaves apt alone, installs no other one, and an earlier interrupted install is
// repaired before.
func TestInterruptedInstallEndsItsPackage(t *testing.T) {
	bin := t.TempDir()
	for _, tool := range []string{"bash", "env", "sed", "cat", "setsid"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("%v: apt is of Linux", err)
		}
		if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
	started, goesOn, log := filepath.Join(bin, "started"), filepath.Join(bin, "goes-on"), filepath.Join(bin, "log")
	for _, pipe := range []string{started, goesOn} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, script := range map[string]string{
		"id":   "echo 0",
		"git":  "exit 1",
		"dpkg": `echo "dpkg $*" >>"$LOG"`,
		"apt-get": `[ "$1" = install ] || exit 0
			if [ "${*: -1}" = chromium-headless-shell ]; then
				echo >"$STARTED"
				read <"$GOES_ON"
			fi
			echo "installed ${*: -1}" >>"$LOG"`,
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/usr/bin/env bash\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("../.ci/needs", "install")
	install.Env = []string{"PATH=" + bin, "LOG=" + log, "STARTED=" + started, "GOES_ON=" + goesOn}
	install.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := install.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(started); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(-install.Process.Pid, syscall.SIGINT); err != nil { // as a terminal does
		t.Fatal(err)
	}
	resume, err := os.OpenFile(goesOn, os.O_RDWR, 0) // which waits for no reader
	if err != nil {
		t.Fatal(err)
	}
	defer resume.Close()
	if _, err := resume.WriteString("\n"); err != nil {
		t.Fatal(err)
	}
	if err := install.Wait(); install.ProcessState.ExitCode() != 130 {
		t.Errorf("it ended with %v", err)
	}
	const want = "dpkg --configure -a\ninstalled chromium-headless-shell\n"
	if got, _ := os.ReadFile(log); string(got) != want {
		t.Errorf("done:\n%swant:\n%s", got, strings.TrimSpace(want))
	}
}
