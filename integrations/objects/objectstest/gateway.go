// Package objectstest runs an S3 server with real signatures for tests: Versity's gateway over a folder.
package objectstest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Access and Secret are the credentials of the gateway's buckets.
const (
	Access = "objectstest"
	Secret = "a secret of the tests alone"
)

// A Gateway serves a folder over S3 during a test; each subfolder of Folder is a bucket.
type Gateway struct {
	Address string // http://127.0.0.1:port
	Folder  string
}

// Start starts the gateway for one test. The gateway doesn't log which free port it took, so it listens on a UNIX socket, behind a
// proxy.
func Start(t *testing.T) *Gateway {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	program := filepath.Join(filepath.Dir(here), "../../../bin/versitygw")
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: ./task setup builds it", err)
	}
	folder, err := os.MkdirTemp("", "s3") // a socket's path has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	socket := filepath.Join(folder, "socket")
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", r.In.Host }, // Host is signed
		Transport: &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}},
		ErrorLog: log.New(io.Discard, "", 0), // of requests before the gateway listens
	})
	t.Cleanup(proxy.Close)
	g := &Gateway{Address: proxy.URL, Folder: t.TempDir()}
	server := exec.Command(program, "--port", socket, "--quiet", "posix", g.Folder)
	server.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+Access, "ROOT_SECRET_KEY="+Secret)
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var written bytes.Buffer
	server.Stdout, server.Stderr = &written, &written
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	if err := g.await(20 * time.Second); err != nil {
		t.Fatalf("%v: %s", err, written.String())
	}
	return g
}

// await returns once the gateway accepts connections.
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
			if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusBadGateway {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the gateway at %s did not start", g.Address)
		case <-tick.C:
		}
	}
}

// Bucket creates an empty bucket and returns its STORAGE_URL.
func (g *Gateway) Bucket(t *testing.T, name string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(g.Folder, name), 0o700); err != nil {
		t.Fatal(err)
	}
	return "s3://" + name + "/files?endpoint=" + g.Address + "&region=us-east-1"
}
