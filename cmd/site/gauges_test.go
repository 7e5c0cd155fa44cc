package main

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

	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

func scrape(m *metrics) string {
	w := httptest.NewRecorder()
	m.handler("").ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
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

func TestGauges(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := newSite(t, map[string]string{"DATABASE_URL": url})
		for _, worker := range s.workers { // the jobs of the start
			if _, err := worker.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		now := s.clock()
		if err := s.store.Update(t.Context(), func(tx store.Tx) error {
			return tx.AddMessage(&message.Message{ID: "m", Cause: "test", Channel: message.Email, To: "a@example.in", Template: "receipt", CreatedAt: now.Add(-time.Hour)})
		}); err != nil {
			t.Fatal(err)
		}
		scraped := get(s, "/metrics").Body.String()
		mustMatch(t, scraped,
			"database_up 1", "jobs_waiting 1", `jobs_oldest_seconds 360\d(\.\d+)?`, "jobs_dead 0",
			`messages_unsent\{channel="email"\} 1`, `messages_unsent\{channel="sms"\} 0`,
			`messages_oldest_unsent_seconds\{channel="email"\} 360\d(\.\d+)?`, `messages_oldest_unsent_seconds\{channel="sms"\} 0`,
			`disk_free_bytes\{holds="data"\} [1-9]\S*`)
		if strings.HasPrefix(url, "sqlite://") {
			mustMatch(t, scraped, `sqlite_wal_bytes [1-9]\S*`, `disk_free_bytes\{holds="database"\} [1-9]\S*`,
				`database_connections_max\{pool="writer"\} 1`, `database_connections_open\{pool="writer"\} 1`, `database_connections_max\{pool="readers"\} 4`)
		} else {
			mustMatch(t, scraped, `database_connections_max\{pool="connections"\} \d+`, `database_connections_open\{pool="connections"\} [1-9]\d*`,
				`database_connections_in_use\{pool="connections"\} \d+`, `database_connection_waits_total\{pool="connections"\} \d+`, `database_connection_wait_seconds_total\{pool="connections"\} \S+`)
			if strings.Contains(scraped, "sqlite_wal_bytes ") {
				t.Error("PostgreSQL has a log of SQLite's")
			}
		}
	})
}

// newTestMetrics returns gauges of a queue that ask counts, on the synctest clock.
func newTestMetrics(ask func(context.Context) (store.QueueStats, error)) *metrics {
	return newMetrics(&gauges{
		queue: &probe[store.QueueStats]{clock: time.Now, query: ask},
		disks: &probe[disks]{clock: time.Now, query: func(context.Context) (disks, error) { return disks{wal: -1}, nil }},
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
	p := &probe[int]{clock: func() time.Time { return now }, query: func(context.Context) (int, error) { asked++; return asked, nil }}
	for _, step := range []struct {
		later time.Duration
		want  int
	}{{0, 1}, {0, 1}, {-time.Hour, 2}, {probeTTL, 3}} {
		now = now.Add(step.later)
		if got, err := p.get(); got != step.want || err != nil {
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
