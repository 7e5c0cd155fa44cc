package web_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/web"
)

// hardly is longer than any test takes.
const hardly = time.Minute

// sender is a client on a real connection that sends its body as slowly as a test needs.
type sender struct {
	net.Conn
	t *testing.T
}

// sends starts a PATCH request with a body of length bytes.
func sends(t *testing.T, server *httptest.Server, path string, length int) sender {
	t.Helper()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	s := sender{connection, t}
	s.write(fmt.Sprintf("PATCH %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", path, length))
	return s
}

func (s sender) write(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.Conn, text); err != nil {
		s.t.Fatal(err)
	}
}

// arrivals adds a route and returns a channel of its pieces; the last item is how the body ended.
func arrivals(t *testing.T, s *site, path string, cuts web.PieceLimits, p web.Policy) <-chan string {
	t.Helper()
	pieces := make(chan string, 100)
	s.routes.Each(path, p, map[string]echo.HandlerFunc{http.MethodPatch: func(c *echo.Context) error {
		for piece, err := range web.BodyPieces(c, cuts) {
			if err != nil {
				pieces <- "broken: " + http.StatusText(s.manager.RefusalOf(c, err).Status)
				return err
			}
			whole, err := io.ReadAll(piece)
			if err != nil {
				t.Error(err)
			}
			pieces <- string(whole)
		}
		pieces <- "end"
		return c.NoContent(http.StatusNoContent)
	}})
	return pieces
}

func (s sender) expects(pieces <-chan string, want ...string) {
	s.t.Helper()
	for _, piece := range want {
		if got := <-pieces; got != piece {
			s.t.Errorf("a piece is %.40q (%d), want %.40q (%d)", got, len(got), piece, len(piece))
		}
	}
}

func TestArrivingSplitsBodyAsItArrives(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	quiet := arrivals(t, s, "/quiet", web.PieceLimits{Quiet: time.Millisecond, Whole: hardly}, web.Private)
	whole := arrivals(t, s, "/whole", web.PieceLimits{Quiet: hardly, Whole: time.Millisecond}, web.Private)
	patient := arrivals(t, s, "/patient", web.PieceLimits{Quiet: hardly, Whole: hardly}, web.Private)
	hasty := arrivals(t, s, "/hasty", web.PieceLimits{Quiet: hardly, Whole: hardly}, web.Private.Within(20*time.Millisecond, hardly))
	server := s.serves(t, 0, 0)

	slow := sends(t, server, "/quiet", 4) // each write waits until it has become a piece
	slow.write("ab")
	slow.expects(quiet, "ab")
	slow.write("cd")
	slow.expects(quiet, "cd", "end")

	steady := sends(t, server, "/whole", 2)
	steady.write("a")
	steady.expects(whole, "a")
	steady.write("b")
	steady.expects(whole, "b", "end")

	fast := sends(t, server, "/patient", 60_000)
	fast.write(strings.Repeat("a", 60_000))
	fast.expects(patient, strings.Repeat("a", 60_000), "end")

	cut := sends(t, server, "/patient", 4)
	cut.write("ab")
	_ = cut.Close()
	cut.expects(patient, "ab", "broken: Bad Request")
	sends(t, server, "/patient", 0).expects(patient, "end")

	late := sends(t, server, "/hasty", 4)
	late.write("ab")
	late.expects(hasty, "ab", "broken: Request Timeout")
}

func TestArrivingStopsEarlyWithoutWaiting(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	s.routes.Each("/enough", web.Private, map[string]echo.HandlerFunc{http.MethodPatch: func(c *echo.Context) error {
		for range web.BodyPieces(c, web.PieceLimits{Quiet: hardly, Whole: hardly}) {
			break
		}
		return c.NoContent(http.StatusNoContent)
	}})
	slow := sends(t, s.serves(t, 0, 0), "/enough", 100)
	slow.write("a") // the rest never arrives
	answer := make([]byte, len("HTTP/1.1 204"))
	if _, err := io.ReadFull(slow, answer); err != nil || string(answer) != "HTTP/1.1 204" {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestEachRefusesOtherMethods(t *testing.T) {
	s := newSite(t, "http://127.0.0.1:8080")
	respond := func(text string) echo.HandlerFunc {
		return func(c *echo.Context) error { return c.String(http.StatusOK, text) }
	}
	s.routes.Each("/each", web.Call, map[string]echo.HandlerFunc{http.MethodPatch: respond("patched"), http.MethodGet: respond("got")})
	for method, want := range map[string]string{
		http.MethodPatch: "200 patched", http.MethodGet: "200 got", http.MethodHead: "200 got",
		http.MethodDelete: `405 {"success":false,"isOk":false,"code":405,"message":"This address does not take that method."}` + "\n",
	} {
		w := httptest.NewRecorder()
		s.echo.ServeHTTP(w, httptest.NewRequest(method, "/each", nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); got != want {
			t.Errorf("%s: %s", method, got)
		}
		if allow := w.Header().Get("Allow"); (w.Code == http.StatusMethodNotAllowed) != (allow == "GET, HEAD, PATCH") {
			t.Errorf("%s: %d, allowed %q", method, w.Code, allow)
		}
	}
}
