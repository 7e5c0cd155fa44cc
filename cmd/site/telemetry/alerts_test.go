package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAlertsWaitForTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		stored, away := map[string]int64{"of before": 2}, false
		a := NewAlerts(func(_ context.Context, raised map[string]int64, ended []string) (map[string]int64, error) {
			if away {
				return nil, errors.New("away")
			}
			for what, times := range raised {
				stored[what] += times
			}
			for _, what := range ended {
				delete(stored, what)
			}
			return maps.Clone(stored), nil
		}, time.Now, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo})))
		m := NewMetrics(a)
		open := func(sentence string, want ...string) {
			t.Helper()
			var got []string
			for line := range strings.Lines(scrape(m)) {
				if name, is := strings.CutPrefix(line, `alerts_open{what="`); is {
					got = append(got, strings.TrimSpace(strings.Replace(name, `"}`, "", 1)))
				}
			}
			if strings.Join(got, ", ") != strings.Join(want, ", ") {
				t.Errorf("%s: %q, want %q", sentence, got, want)
			}
		}
		renew := func() {
			if err := a.Renew(t.Context()); (err != nil) != away {
				t.Error(err)
			}
		}
		a.End("of nobody")
		open("after a restart", "of before 2")
		a.Alert("new")
		open("at once", "new 1", "of before 2")
		<-a.Changed()
		renew()
		open("stored", "new 1", "of before 2")
		away = true
		a.Alert("new")
		a.Continue("new")
		a.Alert("short")
		a.End("short")
		a.End("of before")
		a.Alert("both")
		for range 2 {
			renew()
			open("without the database", "both 1", "new 2")
		}
		a.End("both")
		a.Alert("of before")
		renew()
		if len(stored) != 2 {
			t.Errorf("stored %v", stored)
		}
		if err := a.Close(t.Context()); err == nil {
			t.Error("closed, and what was raised is not stored")
		}
		away = false
		if err := a.Close(t.Context()); err != nil {
			t.Error(err)
		}
		away = true // and Close asks nobody
		if err := a.Close(t.Context()); err != nil {
			t.Error(err)
		}
		away = false
		open("with the database", "new 2", "of before 3")
		time.Sleep(probeTTL)
		delete(stored, "new")
		open("over", "of before 3")
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `level=INFO msg="an alert is over" alert=new`) {
			t.Errorf("log %s", got)
		}
	})
}
