//go:build long

package e2e

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// documentedProxy returns the Caddy block of docs/operating.md with its host and copy replaced.
func documentedProxy(t *testing.T, host, copies string) string {
	t.Helper()
	manual, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(manual), "\nWith Caddy:\n```\n")
	block, _, found := strings.Cut(after, "```")
	const site, upstream = "www.example.in {", "reverse_proxy 127.0.0.1:8080 {"
	if !found || strings.Count(block, site) != 1 || strings.Count(block, upstream) != 1 {
		t.Fatalf("operating.md has no Caddy block with %q and %q", site, upstream)
	}
	return strings.NewReplacer(site, host+" {", upstream, "reverse_proxy "+copies+" {").Replace(block)
}

// startCaddy starts Caddy, as docs/operating.md configures it, in front of copies, and returns its origin.
func startCaddy(t *testing.T, sites ...*Site) (origin string) {
	t.Helper()
	program, err := exec.LookPath("caddy")
	if err != nil {
		skip(t, "Caddy is not installed")
	}
	var copies []string
	for _, site := range sites {
		copies = append(copies, site.Addr)
	}
	folder := t.TempDir()
	for range 5 { // another program may take the port meanwhile
		free, err := net.Listen("tcp", AnyPort)
		if err != nil {
			t.Fatal(err)
		}
		origin = "http://" + free.Addr().String()
		configuration := filepath.Join(folder, "Caddyfile")
		if err := os.WriteFile(configuration, []byte("{\n\tadmin off\n}\n"+documentedProxy(t, origin, strings.Join(copies, " "))), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := free.Close(); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		caddy := exec.Command(program, "run", "--adapter", "caddyfile", "--config", configuration)
		caddy.Env = []string{"HOME=" + folder}
		caddy.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		caddy.Stdout, caddy.Stderr = &log, &log
		if err := caddy.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = caddy.Wait(); close(ended) }()
		t.Cleanup(func() { _ = caddy.Process.Kill(); <-ended })
		for {
			if answer, err := http.Get(origin + "/healthz"); err == nil {
				_ = answer.Body.Close()
				return origin
			}
			select {
			case <-ended:
				t.Logf("Caddy ended:\n%s", &log)
			case <-time.After(20 * time.Millisecond):
				continue
			}
			break
		}
	}
	t.Fatal("Caddy does not start")
	return ""
}
