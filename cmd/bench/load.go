package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// client sends requests in sequence over one kept-alive connection. It computes little, because it shares the machine with
// the server.
type client struct {
	net.Conn
	reader *bufio.Reader
}

func dial(addr string) (*client, error) {
	connection, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &client{connection, bufio.NewReaderSize(connection, 64<<10)}, nil
}

// get and post return requests in wire format.
func get(addr, path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: " + addr + "\r\nAccept: text/html\r\nAccept-Encoding: br\r\nUser-Agent: bench\r\n\r\n")
}

func post(addr, path, headers, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nUser-Agent: bench\r\n%sContent-Length: %d\r\n\r\n%s",
		path, addr, headers, len(body), body)
}

var (
	contentLength = []byte("content-length:")
	emptyLine     = []byte("\r\n")
)

// exchange sends a request and reads its response, which needs a Content-Length unless it has no body.
func (c *client) exchange(request []byte) (status, length int, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, 0, err
	}
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if len(line) < 12 {
		return 0, 0, fmt.Errorf("an answer begins with %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}
	for length = -1; ; {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		if bytes.Equal(line, emptyLine) {
			break
		}
		if len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(contentLength):]))); err != nil {
				return 0, 0, err
			}
		}
	}
	if length < 0 && status != http.StatusNoContent {
		return status, 0, errors.New("an answer has no Content-Length")
	}
	length = max(length, 0)
	_, err = c.reader.Discard(length)
	return status, length, err
}

// requests are sent in turn by all clients, and start again at the end.
type requests struct {
	all  [][]byte
	next atomic.Uint64
}

func always(request []byte) *requests { return &requests{all: [][]byte{request}} }

func (r *requests) take() []byte { return r.all[(r.next.Add(1)-1)%uint64(len(r.all))] }

// load sends requests with a number of clients for a duration, each as soon as the previous is answered. It returns the
// number of responses, and fails on any status but 200.
func load(addr string, what *requests, clients int, lasting time.Duration) (answered int, took time.Duration, err error) {
	var open []*client
	defer func() {
		for _, c := range open {
			_ = c.Close() // nothing is left to read
		}
	}()
	for range clients {
		c, err := dial(addr)
		if err != nil {
			return 0, 0, err
		}
		open = append(open, c)
		if err := c.SetDeadline(time.Now().Add(lasting + time.Minute)); err != nil {
			return 0, 0, err
		}
	}
	counts, faults := make([]int, clients), make([]error, clients)
	started := time.Now()
	var running sync.WaitGroup
	for i, c := range open {
		running.Go(func() { counts[i], faults[i] = c.repeat(what, started.Add(lasting)) })
	}
	running.Wait()
	took = time.Since(started)
	for _, count := range counts {
		answered += count
	}
	return answered, took, errors.Join(faults...)
}

func (c *client) repeat(what *requests, until time.Time) (answered int, err error) {
	for time.Now().Before(until) {
		request := what.take()
		status, _, err := c.exchange(request)
		if err != nil {
			return answered, err
		}
		if status != 200 {
			return answered, fmt.Errorf("%.40q was answered with %d", request, status)
		}
		answered++
	}
	return answered, nil
}
