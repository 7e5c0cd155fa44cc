//go:build long

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/store/storetest"
)

// Caddy, as documented, passes 50 reads and writes a second while both copies are restarted one after the other. A stopping copy must
// fail /readyz early enough and finish its requests.
func TestRollingRestart(t *testing.T) {
	databaseURL := storetest.EmptyPostgres(t)
	variables := []string{"DATABASE_URL=" + databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", "DRAIN_NOTICE=1", secretKey}
	sites := [2]*Site{}
	for i := range sites {
		sites[i] = Start(t, AnyPort, t.TempDir(), variables...)
	}
	front := startCaddy(t, sites[:]...)
	if got := statusOf(t, front+"/metrics"); got != http.StatusNotFound {
		t.Errorf("everybody gets the metrics: %d", got)
	}
	ctx, stop := context.WithCancel(t.Context())
	var sent, failed, acknowledged atomic.Int64 // acknowledged: enquiries
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ctx.Err() == nil; n++ {
			<-tick.C
			running.Go(func() {
				sent.Add(1)
				if err := readOrWrite(front, n); err != nil {
					failed.Add(1)
					t.Errorf("request %d: %v", n, err)
				} else if n%2 == 0 {
					acknowledged.Add(1)
				}
			})
		}
	})
	for i := range sites {
		<-time.After(2 * time.Second)
		begun := beginEnquiry(t, sites[i], 1_000_000+i)
		sites[i].Terminate(t)
		waitUntilClosed(t, sites[i])
		if err := begun.finish(); err != nil {
			t.Errorf("a request that had begun before the stop: %v", err)
		} else {
			acknowledged.Add(1)
		}
		sites[i].Ended(t)
		sites[i] = Start(t, sites[i].Addr, t.TempDir(), variables...)
	}
	<-time.After(2 * time.Second)
	stop()
	running.Wait()
	var kept int64
	if err := storetest.SQL(t, databaseURL).QueryRow("SELECT COUNT(*) FROM enquiries").Scan(&kept); err != nil || kept < acknowledged.Load() {
		t.Errorf("%d enquiries are kept, %d were acknowledged: %v", kept, acknowledged.Load(), err)
	}
	t.Logf("%d requests, %d failed", sent.Load(), failed.Load())
}

// readOrWrite reads the landing page for odd n and sends an enquiry for even n.
func readOrWrite(front string, n int) error {
	if n%2 == 0 {
		_, err := NewVisitor(front, n).step("/ks-website/create-enquiry", enquiry(n))
		return err
	}
	answer, err := http.Get(front + "/scholarship/hiresure-mgrow-2025")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the landing page: %d", answer.StatusCode)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// A begunEnquiry is an enquiry of which half has been sent.
type begunEnquiry struct {
	net.Conn
	rest []byte
}

func beginEnquiry(t *testing.T, site *Site, n int) *begunEnquiry {
	t.Helper()
	c, err := net.Dial("tcp", site.URL[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	body, err := json.Marshal(enquiry(n))
	if err != nil {
		t.Fatal(err)
	}
	half := len(body) / 2
	if _, err := fmt.Fprintf(c, "POST /ks-website/create-enquiry HTTP/1.1\r\nHost: slow\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:half]); err != nil {
		t.Fatal(err)
	}
	return &begunEnquiry{c, body[half:]}
}

func (e *begunEnquiry) finish() error {
	if _, err := e.Write(e.rest); err != nil {
		return err
	}
	if err := e.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(e), nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !answer.Close {
		return fmt.Errorf("%d, the connection ends with it: %v, %s, %w", answer.StatusCode, answer.Close, body, err)
	}
	return nil
}

// waitUntilClosed returns when a stopping copy accepts no more connections.
func waitUntilClosed(t *testing.T, site *Site) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		c, err := net.Dial("tcp", site.URL[len("http://"):])
		if err != nil {
			return
		}
		_ = c.Close()
	}
	t.Error("a copy that was told to stop listens after 10 s")
}
