// Package notifytest has an SMTP server for tests.
package notifytest

import (
	"crypto/tls"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Password is the password that a Server accepts, for any user.
const Password = "pass word"

// Faults are failures applied to every mail. A reply is best a *smtp.SMTPError.
type Faults struct {
	AtMail error  // reply to MAIL
	AtRcpt error  // reply to RCPT
	AtData error  // reply to the mail, which is rejected
	DropAt string // when the connection breaks: "data" before the reply to an accepted mail, "reset" after it
}

// Server is an SMTP server that stores mails. It is safe for concurrent use.
type Server struct {
	mutex   sync.Mutex
	faults  Faults
	letters []string
	users   []string
}

// Break sets the failures from now on; Faults{} means none.
func (s *Server) Break(f Faults) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.faults = f
}

// Letters returns all accepted mails, headers first.
func (s *Server) Letters() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.letters)
}

// Users returns the authenticated users, one for each connection.
func (s *Server) Users() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.users)
}

// Serve serves on an address ("127.0.0.1:0" for a free port) until stop or the end of the test. It offers STARTTLS if secure is
// not nil.
func (s *Server) Serve(t testing.TB, address string, secure *tls.Config) (at string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(s)
	server.Domain, server.TLSConfig, server.AllowInsecureAuth = "localhost", secure, true
	server.ErrorLog = silent{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // always returns an error once closed
	}()
	stop = sync.OnceFunc(func() {
		_ = server.Close()
		_ = listener.Close() // in case Serve has not started
		<-ended
	})
	t.Cleanup(stop)
	return listener.Addr().String(), stop
}

// NewSession implements smtp.Backend.
func (s *Server) NewSession(conn *smtp.Conn) (smtp.Session, error) { return &session{s, conn}, nil }

type session struct {
	server *Server
	conn   *smtp.Conn
}

func (s *session) faults() Faults {
	s.server.mutex.Lock()
	defer s.server.mutex.Unlock()
	return s.server.faults
}

func (s *session) drop(at string) {
	if s.faults().DropAt == at && len(s.server.Letters()) > 0 {
		_ = s.conn.Conn().Close() // simulates a broken connection
	}
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != Password {
			return smtp.ErrAuthFailed
		}
		s.server.mutex.Lock()
		defer s.server.mutex.Unlock()
		s.server.users = append(s.server.users, user)
		return nil
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error { return s.faults().AtMail }

func (s *session) Rcpt(string, *smtp.RcptOptions) error { return s.faults().AtRcpt }

func (s *session) Data(r io.Reader) error {
	letter, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if refused := s.faults().AtData; refused != nil {
		return refused
	}
	s.server.mutex.Lock()
	s.server.letters = append(s.server.letters, string(letter))
	s.server.mutex.Unlock()
	s.drop("data")
	return nil
}

func (s *session) Reset() { s.drop("reset") }

func (s *session) Logout() error { return nil }

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}
