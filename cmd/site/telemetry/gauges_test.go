package telemetry

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiresure/store"
)

func scrape(m *Metrics) string {
	w := httptest.NewRecorder()
	m.Handler("").ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

// mustMatch expects lines of a scrape that match the patterns.
func mustMatch(t *testing.T, scraped string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(scraped) {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

// newTestMetrics returns gauges of a queue that ask counts, on the synctest clock.
func newTestMetrics(ask func(context.Context) (store.QueueStats, error)) *Metrics {
	return NewMetrics(&gauges{
		queue: NewProbe(time.Now, ask),
		money: NewProbe(time.Now, func(context.Context) ([]store.MoneyStats, error) { return nil, nil }),
		disks: NewProbe(time.Now, func(context.Context) (disks, error) { return disks{wal: -1}, nil }),
		pools: func() map[string]sql.DBStats {
			return map[string]sql.DBStats{"connections": {MaxOpenConnections: 16, OpenConnections: 9, InUse: 7, WaitCount: 5, WaitDuration: 1500 * time.Millisecond}}
		},
	})
}

func TestSlowDatabaseDoesNotDelayTheMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, answers := 0, make(chan bool)
		m := newTestMetrics(func(context.Context) (store.QueueStats, error) { // ignores its context
			asked++
			<-answers
			return store.QueueStats{Waiting: 3}, nil
		})
		for range 2 {
			began := time.Now()
			scraped := scrape(m)
			if took := time.Since(began); took != 2*time.Second {
				t.Errorf("the scrape took %s", took)
			}
			mustMatch(t, scraped, "database_up 0", `database_connections_max\{pool="connections"\} 16`, `database_connections_open\{pool="connections"\} 9`,
				`database_connections_in_use\{pool="connections"\} 7`, `database_connection_waits_total\{pool="connections"\} 5`, `database_connection_wait_seconds_total\{pool="connections"\} 1\.5`)
			if strings.Contains(scraped, "jobs_waiting ") || strings.Contains(scraped, "messages_unsent{") || strings.Contains(scraped, "sqlite_wal_bytes ") {
				t.Error("the metrics tell what nobody could count")
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times while it did not answer", asked)
		}
		close(answers)
		synctest.Wait()
		mustMatch(t, scrape(m), "database_up 1", "jobs_waiting 3")
	})
}

func TestScrapesShareOneQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		m := newTestMetrics(func(ctx context.Context) (store.QueueStats, error) {
			asked++
			if asked == 3 {
				<-ctx.Done()
				return store.QueueStats{}, ctx.Err()
			}
			time.Sleep(time.Second)
			return store.QueueStats{Dead: int64(asked)}, nil
		})
		var together sync.WaitGroup
		for range 8 {
			together.Go(func() { mustMatch(t, scrape(m), "jobs_dead 1") })
		}
		together.Wait()
		time.Sleep(probeTTL - time.Nanosecond)
		mustMatch(t, scrape(m), "jobs_dead 1")
		time.Sleep(time.Nanosecond)
		mustMatch(t, scrape(m), "jobs_dead 2")
		time.Sleep(probeTTL)
		mustMatch(t, scrape(m), "database_up 0") // ended by its context
		synctest.Wait()
		mustMatch(t, scrape(m), "database_up 0") // an error is cached too
		if asked != 3 {
			t.Errorf("asked %d times, want 3", asked)
		}
		time.Sleep(probeTTL)
		mustMatch(t, scrape(m), "database_up 1", "jobs_dead 4")
	})
}

func TestProbeAfterTheClockIsSetBack(t *testing.T) {
	asked, now := 0, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := NewProbe(func() time.Time { return now }, func(context.Context) (int, error) { asked++; return asked, nil })
	for _, step := range []struct {
		later time.Duration
		want  int
	}{{0, 1}, {0, 1}, {-time.Hour, 2}, {probeTTL, 3}} {
		now = now.Add(step.later)
		if got, err := p.Get(); got != step.want || err != nil {
			t.Errorf("after %s: %d, %v, want %d", step.later, got, err, step.want)
		}
	}
}

func TestMeasureDisks(t *testing.T) {
	folder := t.TempDir()
	database := filepath.Join(folder, "site.db")
	found, err := measureDisks(filepath.Join(folder, "absent"), "postgres://127.0.0.1/x")
	if err != nil || len(found.free) != 0 || found.wal != -1 {
		t.Errorf("PostgreSQL, no folder: %+v, %v", found, err)
	}
	if found, err = measureDisks(folder, "sqlite://"+database); err != nil || found.free["data"] == 0 || found.free["database"] == 0 || found.wal != 0 {
		t.Errorf("SQLite before its first write: %+v, %v", found, err)
	}
	if err := os.WriteFile(database+"-wal", []byte("log"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err = measureDisks(folder, "sqlite://"+database); err != nil || found.wal != 3 {
		t.Errorf("SQLite with a log of three bytes: %+v, %v", found, err)
	}
	if _, err = measureDisks(folder, "sqlite://"+filepath.Join(database+"-wal", "site.db")); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is a file: %v", err)
	}
}
