// Package scan asks clamd whether a file carries what is known to do harm.
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

// wait bounds a question when its context does not: a file of 2 MB takes clamd half a second at most.
const wait = 15 * time.Second

// Clamd is a ClamAV daemon. Safe for concurrent use; each question is a connection of its own.
type Clamd struct{ network, address string }

// New takes unix:///run/clamav/clamd.ctl or tcp://127.0.0.1:3310. It does not connect.
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

// Scan sends a file, and returns the name of the signature that it matches, or "" for none. After an error nothing is
// known of the file: clamd was away, or did not finish.
func (c *Clamd) Scan(ctx context.Context, r io.Reader) (found string, err error) {
	answer, err := c.ask(ctx, "INSTREAM", r)
	if err != nil {
		return "", fmt.Errorf("scan: %w", err)
	}
	switch verdict, ok := strings.CutPrefix(answer, "stream: "); {
	case ok && verdict == "OK":
		return "", nil
	case ok && strings.HasSuffix(verdict, " FOUND"):
		return strings.TrimSuffix(verdict, " FOUND"), nil
	default:
		return "", fmt.Errorf("scan: clamd said %q", answer)
	}
}

// Ready tells whether clamd takes questions.
func (c *Clamd) Ready(ctx context.Context) error {
	answer, err := c.ask(ctx, "PING", nil)
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("clamd said %q", answer)
	}
	return err
}

// ask sends a command (clamd(8): z… ends with a zero byte, as its answer does), and content where the command takes some.
func (c *Clamd) ask(ctx context.Context, command string, content io.Reader) (string, error) {
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
	// Where clamd has seen enough it answers and closes: what could not be sent any more does not matter.
	answer, err := bufio.NewReader(conn).ReadString(0)
	if err != nil {
		return "", errors.Join(sent, err)
	}
	if own, ok := errors.AsType[unreadContent](sent); ok { // half of a file was judged
		return "", own.error
	}
	return strings.TrimSuffix(answer, "\x00"), nil
}

// unreadContent is an error of the file that is read, not of the line to clamd.
type unreadContent struct{ error }

func (u unreadContent) Unwrap() error { return u.error }

// stream writes content in pieces, each after its length in four bytes; a length of zero ends it.
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
			_, ended := w.Write([]byte{0, 0, 0, 0}) // so that clamd answers
			return unreadContent{errors.Join(err, ended)}
		}
	}
}
