//go:build long

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A balancer is a load balancer that checks /readyz, keeps connections open and never retries a request, unlike net/http's
// client, which would hide dropped requests.
type balancer struct {
	URL    string
	mutex  sync.Mutex
	copies map[*Site]int // consecutive failed checks
	order  []*Site
	turn   int
	idle   map[string][]*upstream
}

const (
	askReadyEvery = 200 * time.Millisecond
	maxSilences   = 2 // checks without a response until a copy is removed; a negative response removes it at once
)

// balance starts a balancer until the test ends.
func balance(t *testing.T, sites ...*Site) *balancer {
	t.Helper()
	b := &balancer{copies: map[*Site]int{}, idle: map[string][]*upstream{}}
	for _, site := range sites {
		b.add(site)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.URL = "http://" + listener.Addr().String()
	proxy := &http.Server{ReadHeaderTimeout: time.Minute, Handler: &httputil.ReverseProxy{Transport: b, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: "copy.invalid"}) // RoundTrip chooses
	}}}
	go func() { _ = proxy.Serve(listener) }() // until Close
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { b.watch(ctx) })
	t.Cleanup(func() {
		stop()
		watching.Wait()
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// add adds a ready copy.
func (b *balancer) add(site *Site) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.copies[site] = 0
	b.order = append(b.order, site)
}

// watch checks each copy periodically.
func (b *balancer) watch(ctx context.Context) {
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		b.mutex.Lock()
		all := append([]*Site(nil), b.order...)
		b.mutex.Unlock()
		for _, site := range all {
			answer, err := client.Get(site.URL + "/readyz")
			b.mutex.Lock()
			switch {
			case err != nil:
				b.copies[site]++
			case answer.StatusCode != http.StatusOK:
				b.copies[site] = maxSilences
			default:
				b.copies[site] = 0
			}
			b.mutex.Unlock()
			if err == nil {
				_ = answer.Body.Close()
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(askReadyEvery):
		}
	}
}

func (b *balancer) next() *Site {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for range b.order {
		b.turn++
		if site := b.order[b.turn%len(b.order)]; b.copies[site] < maxSilences {
			return site
		}
	}
	return nil
}

// An upstream is a connection to a copy.
type upstream struct {
	net.Conn
	reader *bufio.Reader
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	site := b.next()
	if site == nil {
		return nil, errors.New("no copy is ready")
	}
	addr := site.URL[len("http://"):]
	r.URL.Host = addr
	c, err := b.take(addr)
	if err != nil {
		return nil, err
	}
	answer, err := c.exchange(r)
	if err != nil || answer.Close {
		return answer, errors.Join(err, c.Close())
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.idle[addr] = append(b.idle[addr], c)
	return answer, nil
}

// take returns an idle connection that the copy has not closed, or a new one.
func (b *balancer) take(addr string) (*upstream, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for len(b.idle[addr]) > 0 {
		last := len(b.idle[addr]) - 1
		c := b.idle[addr][last]
		if b.idle[addr] = b.idle[addr][:last]; c.open() {
			return c, nil
		}
		_ = c.Close()
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &upstream{c, bufio.NewReader(c)}, nil
}

// open reports whether an idle connection is open and has received nothing.
func (c *upstream) open() (open bool) {
	raw, err := c.Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		open = err == syscall.EAGAIN
	})
	return open && err == nil
}

func (c *upstream) exchange(r *http.Request) (*http.Response, error) {
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return nil, err
	}
	if err := r.Write(c); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.reader, r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, err
}
