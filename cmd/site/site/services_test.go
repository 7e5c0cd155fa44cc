package site_test

import (
	"bufio"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/cmd/site/sitetest"
)

func TestServiceThatDoesNotAnswerIsReported(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "clamd")
	s := sitetest.New(t, map[string]string{"CLAMD_URL": "unix://" + socket, "CHROME_URL": "off"})
	var log sitetest.Log
	s.Log = slog.New(slog.NewTextHandler(&log, nil))
	now := time.Date(2026, 11, 29, 6, 30, 0, 0, time.UTC)
	s.Clock = func() time.Time { return now }
	look := s.Watch()
	passes := func(d time.Duration) {
		now = now.Add(d)
		s.ForgetAnswers()
		look(t.Context())
	}
	says := func(sentence string, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if strings.Count(log.String(), line) != 1 {
				t.Errorf("%s: the log has not %s once:\n%s", sentence, line, log.String())
			}
		}
	}
	passes(0)
	says("at the start", `msg="a service does not answer" service=clamd`)
	passes(59 * time.Second)
	if strings.Contains(log.String(), "alert") {
		t.Errorf("an alert within a minute:\n%s", log.String())
	}
	passes(time.Second)
	passes(time.Hour)
	says("after a minute", `msg="alert: a service does not answer: clamd"`, `msg="a service does not answer" service=clamd`)
	const open = `alerts_open\{what="a service does not answer: clamd"\} 1`
	mustMatch(t, scrape(s.Metrics), open, `service_up\{service="clamd"\} 0`, `service_up\{service="database"\} 1`, `service_up\{service="storage"\} 1`)

	passes(time.Hour)
	if err := s.Alerts.Renew(t.Context()); err != nil {
		t.Error(err)
	}
	mustMatch(t, scrape(s.Metrics), open)

	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = bufio.NewReader(conn).ReadString(0)
			_, _ = conn.Write([]byte("PONG\x00"))
			conn.Close()
		}
	}()
	passes(time.Minute)
	says("when it is back", `msg="a service answers again" service=clamd away=2h2m0s`)
	if strings.Contains(log.String(), "service=database") || strings.Contains(log.String(), "service=storage") {
		t.Errorf("what answers is named:\n%s", log.String())
	}
	mustMatch(t, scrape(s.Metrics), open, `service_up\{service="clamd"\} 1`)
	now = now.Add(2 * time.Minute)
	if err := s.Alerts.Renew(t.Context()); err != nil || strings.Contains(scrape(s.Metrics), "alerts_open{") {
		t.Errorf("when it has been back for two minutes, the alert is open: %v", err)
	}
}
