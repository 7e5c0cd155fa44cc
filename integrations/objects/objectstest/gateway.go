// Package objectstest gives tests a bucket that speaks S3 with real signatures: Versity's gateway over a folder.
package objectstest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Access and Secret open the gateway's buckets.
const (
	Access = "objectstest"
	Secret = "a secret of the tests alone"
)

// A Gateway serves a folder by S3 while a test runs; each folder in Folder is a bucket.
type Gateway struct {
	Address string // http://127.0.0.1:port
	Folder  string
}

// Start builds the gateway, which takes two minutes the first time, and starts it for one test.
func Start(t *testing.T) *Gateway {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	tools := filepath.Join(filepath.Dir(here), "../../../tools.mod")
	find := exec.Command("go", "tool", "-n", "-modfile="+tools, "versitygw")
	find.Dir = filepath.Dir(tools)
	program, err := find.Output()
	if err != nil {
		t.Fatalf("build versitygw: %v: %s", err, program)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	g := &Gateway{Address: "http://" + host, Folder: t.TempDir()}
	server := exec.Command(strings.TrimSpace(string(program)), "--port", host, "--quiet", "posix", g.Folder)
	server.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+Access, "ROOT_SECRET_KEY="+Secret)
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	if err := g.await(20 * time.Second); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	return g
}

// await returns when the gateway takes connections.
func (g *Gateway) await(atMost time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.Address, nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			return answer.Body.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the gateway at %s did not start", g.Address)
		case <-tick.C:
		}
	}
}

// Bucket makes an empty bucket, and returns its STORAGE_URL.
func (g *Gateway) Bucket(t *testing.T, name string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(g.Folder, name), 0o700); err != nil {
		t.Fatal(err)
	}
	return "s3://" + name + "/files?endpoint=" + g.Address + "&region=us-east-1"
}
