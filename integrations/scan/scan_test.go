package scan_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"

	"hiresure/integrations/scan"
	"hiresure/integrations/scan/scantest"
)

func connect(t *testing.T, address string) *scan.Clamd {
	t.Helper()
	c, err := scan.New(address)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestScanFindsSignature(t *testing.T) {
	c := connect(t, scantest.Start(t).Address)
	filler := strings.Repeat("a page of a marksheet. ", 90_000) // 2 MB
	for sentence, want := range map[string]string{
		filler: "", "": "", "a marksheet": "",
		scantest.Harm:                   scantest.Signature,
		filler + scantest.Harm:          scantest.Signature,
		scantest.Harm + filler + filler: scantest.Signature,
	} {
		if found, err := c.Scan(t.Context(), strings.NewReader(sentence)); found != want || err != nil {
			t.Errorf("%d bytes that begin with %.20q: %q, %v", len(sentence), sentence, found, err)
		}
	}
}

func TestUnfinishedScanIsAnError(t *testing.T) {
	server := scantest.Start(t)
	c := connect(t, server.Address)
	broken := errors.New("the storage is away")
	if found, err := c.Scan(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))); found != "" || !errors.Is(err, broken) {
		t.Errorf("a file that ends early: %q, %v", found, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Scan(gone, strings.NewReader("whole")); err == nil {
		t.Error("a question that nobody waits for is answered")
	}
	server.Stop()
	if _, err := c.Scan(t.Context(), strings.NewReader("whole")); err == nil {
		t.Error("a clamd that is away answers")
	}
	if err := c.Ready(t.Context()); err == nil {
		t.Error("a clamd that is away is ready")
	}
	server.Run(t)
	if _, err := c.Scan(t.Context(), strings.NewReader("whole")); err != nil {
		t.Errorf("a clamd that is back: %v", err)
	}
}

// A fake clamd replies with errors.
func TestUnexpectedReplyIsAnError(t *testing.T) {
	for answer, want := range map[string]string{
		"INSTREAM size limit exceeded. ERROR\x00": `scan: unexpected reply "INSTREAM size limit exceeded. ERROR"`,
		"stream: Can't allocate memory ERROR\x00": `scan: unexpected reply "stream: Can't allocate memory ERROR"`,
		"stream: OK": "scan: EOF", // truncated
		"\x00":       `scan: unexpected reply ""`,
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 100)) // the rest meets a closed connection
			_, _ = io.WriteString(conn, answer)
			_ = conn.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, conn)
		}()
		if found, err := connect(t, "tcp://"+listener.Addr().String()).Scan(t.Context(), strings.NewReader("whole")); found != "" || err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v", answer, found, err)
		}
		_ = listener.Close()
	}
}

func TestNewRejectsInvalidAddress(t *testing.T) {
	for _, address := range []string{"", "clamd", "tcp://host", "unix://", "http://host:3310"} {
		want := `must be unix:///path/of/clamd.ctl or tcp://host:3310, not "` + address + `"`
		if _, err := scan.New(address); err == nil || err.Error() != want {
			t.Errorf("%q: %v", address, err)
		}
	}
}
