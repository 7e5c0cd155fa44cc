package static

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Headers and body are one segment, whatever the length; without Whole, what is longer than the buffer is two.
func TestAnAnswerLeavesInOneSystemCall(t *testing.T) {
	for _, test := range []struct {
		length int
		whole  bool
		want   uint32
	}{{100, true, 1}, {3900, true, 1}, {4096, true, 1}, {6000, true, 1}, {12_000, true, 1}, {12_000, false, 2}} {
		c := dial(t, test.whole, func(w http.ResponseWriter, r *http.Request) { Serve(w, r, ofLength(test.length)) })
		c.get(t)
		if got := c.segments(t); got != test.want {
			t.Errorf("%d bytes, whole %v: got %d segments, want %d", test.length, test.whole, got, test.want)
		}
	}
}

// What a buffer of 4 KB does depends on the length, so each answer around it, and after each other answer, must come at once.
func TestAnswersOfEveryLengthArrive(t *testing.T) {
	var next atomic.Int64
	c := dial(t, true, func(w http.ResponseWriter, r *http.Request) {
		Serve(w, r, ofLength(int(next.Load())))
	})
	lengths := []int{0, 1, 100, 12_000, 0, 100_000, 1}
	for near := range 600 { // headers are part of what the buffer holds
		lengths = append(lengths, 4096-300+near, 8192-300+near)
	}
	for _, length := range lengths {
		next.Store(int64(length))
		if got := len(c.get(t)); got != length {
			t.Fatalf("a body of %d bytes: got %d", length, got)
		}
	}
}

func ofLength(length int) *Bodies {
	return &Bodies{identity: &encoded{body: bytes.Repeat([]byte("x"), length), size: []string{strconv.Itoa(length)}, etag: []string{`"x"`}}}
}

type testConnection struct {
	*net.TCPConn
	reader *bufio.Reader
}

// dial starts a server and answers a connection to it.
func dial(t *testing.T, whole bool, handler http.HandlerFunc) *testConnection {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	served := listener
	if whole {
		served = Whole(server, listener)
	}
	go func() { _ = server.Serve(served) }() // ErrServerClosed
	t.Cleanup(func() { _ = server.Close() })
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &testConnection{c.(*net.TCPConn), bufio.NewReader(c)}
}

func (c *testConnection) get(t *testing.T) (body []byte) {
	t.Helper()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// segments tells how many pieces with data have come.
func (c *testConnection) segments(t *testing.T) (in uint32) {
	t.Helper()
	raw, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Control(func(fd uintptr) {
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			t.Error(err)
			return
		}
		in = info.Data_segs_in
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}
