// Package scan scans files for malware with clamd.
package scan

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

// wait limits a scan whose context has no deadline: clamd takes at most half a second for 2 MB.
const wait = 15 * time.Second

// Clamd is a client of a ClamAV daemon, with one connection for each call. It is safe for concurrent use.
type Clamd struct{ network, address string }

// New parses unix:///run/clamav/clamd.ctl or tcp://127.0.0.1:3310. It does not connect.
func New(address string) (*Clamd, error) {
	u, err := url.Parse(address)
	switch {
	case err == nil && u.Scheme == "unix" && u.Host == "" && u.Path != "":
		return &Clamd{"unix", u.Path}, nil
	case err == nil && u.Scheme == "tcp" && u.Port() != "":
		return &Clamd{"tcp", u.Host}, nil
	default:
		return nil, fmt.Errorf("must be unix:///path/of/clamd.ctl or tcp://host:3310, not %q", address)
	}
}

// Scan returns the name of the signature that a file matches; "" for none. An error means that clamd was away or did not finish, so the
// file may be harmful.
func (c *Clamd) Scan(ctx context.Context, r io.Reader) (found string, err error) {
	answer, err := c.command(ctx, "INSTREAM", r)
	if err != nil {
		return "", fmt.Errorf("scan: %w", err)
	}
	switch verdict, ok := strings.CutPrefix(answer, "stream: "); {
	case ok && verdict == "OK":
		return "", nil
	case ok && strings.HasSuffix(verdict, " FOUND"):
		return strings.TrimSuffix(verdict, " FOUND"), nil
	default:
		return "", fmt.Errorf("scan: unexpected reply %q", answer)
	}
}

// Ready returns an error if clamd does not respond.
func (c *Clamd) Ready(ctx context.Context) error {
	answer, err := c.command(ctx, "PING", nil)
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("unexpected reply %q", answer)
	}
	return err
}

// command sends a command (clamd(8): z… ends with a zero byte, like the reply) with optional content.
func (c *Clamd) command(ctx context.Context, command string, content io.Reader) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, c.network, c.address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	_, sent := io.WriteString(conn, "z"+command+"\x00")
	if sent == nil && content != nil {
		sent = stream(conn, content)
	}
	// clamd may reply and close before it has read everything, so a send error does not matter.
	answer, err := bufio.NewReader(conn).ReadString(0)
	if err != nil {
		return "", errors.Join(sent, err)
	}
	if own, ok := errors.AsType[unreadContent](sent); ok { // clamd judged a part only
		return "", own.error
	}
	return strings.TrimSuffix(answer, "\x00"), nil
}

// unreadContent is an error of reading the file, not of the connection.
type unreadContent struct{ error }

func (u unreadContent) Unwrap() error { return u.error }

// stream writes content in chunks, each after its length in four bytes; a zero length ends it.
func stream(w io.Writer, content io.Reader) error {
	piece := make([]byte, 4+64<<10)
	for {
		n, err := io.ReadFull(content, piece[4:])
		binary.BigEndian.PutUint32(piece, uint32(n)) //nolint:gosec // 64 KB at most
		if n > 0 {
			if _, err := w.Write(piece[:4+n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			_, err := w.Write([]byte{0, 0, 0, 0})
			return err
		case err != nil:
			_, ended := w.Write([]byte{0, 0, 0, 0}) // so that clamd replies
			return unreadContent{errors.Join(err, ended)}
		}
	}
}
