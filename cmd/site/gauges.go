package main

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hiresure/admission/message"
	"hiresure/store"
)

const (
	probeTTL     = 5 * time.Second // how long a result is reused
	probeTimeout = 2 * time.Second
)

// A probe caches the result of a slow query: one runs at a time, and at most one per probeTTL.
type probe[T any] struct {
	query func(context.Context) (T, error)
	clock func() time.Time

	mutex   sync.Mutex
	answer  T
	err     error
	at      time.Time     // when the answer arrived; zero: none yet
	running chan struct{} // closed when the running query ends; nil if none runs
}

var errNoAnswer = errors.New("no answer in time")

// get returns the cached result or queries a new one. It waits at most probeTimeout, even if query ignores its context; the next
// call then waits for the same query.
func (p *probe[T]) get() (T, error) {
	p.mutex.Lock()
	if age := p.clock().Sub(p.at); !p.at.IsZero() && age >= 0 && age < probeTTL {
		defer p.mutex.Unlock()
		return p.answer, p.err
	}
	if p.running == nil {
		p.running = make(chan struct{})
		go p.run(p.running)
	}
	asking := p.running
	p.mutex.Unlock()

	timer := time.NewTimer(probeTimeout)
	defer timer.Stop()
	select {
	case <-asking:
		p.mutex.Lock()
		defer p.mutex.Unlock()
		return p.answer, p.err
	case <-timer.C:
		var none T
		return none, errNoAnswer
	}
}

func (p *probe[T]) run(asking chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	answer, err := p.query(ctx)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.answer, p.err, p.at, p.running = answer, err, p.clock(), nil
	close(asking)
}

// disks is disk space in bytes.
type disks struct {
	free map[string]uint64 // by use: data, database
	wal  int64             // size of SQLite's write-ahead log; -1 without SQLite
}

// measureDisks measures DATA_DIR and the folder of SQLite's file. It omits missing folders.
func measureDisks(dataDir, databaseURL string) (disks, error) {
	found := disks{free: map[string]uint64{}, wal: -1}
	folders := map[string]string{"data": dataDir}
	if path, isFile := strings.CutPrefix(databaseURL, "sqlite://"); isFile {
		folders["database"] = filepath.Dir(path)
		info, err := os.Stat(path + "-wal")
		switch {
		case err == nil:
			found.wal = info.Size()
		case errors.Is(err, fs.ErrNotExist):
			found.wal = 0
		default:
			return found, err
		}
	}
	for name, folder := range folders {
		var fs syscall.Statfs_t
		err := syscall.Statfs(folder, &fs)
		if errors.Is(err, syscall.ENOENT) {
			continue
		}
		if err != nil {
			return found, err
		}
		found.free[name] = fs.Bavail * uint64(fs.Bsize) // available without root
	}
	return found, nil
}

// gauges measures the job queue, the connection pools and the disks at each scrape.
type gauges struct {
	queue *probe[store.QueueStats]
	disks *probe[disks]
	pools func() map[string]sql.DBStats
}

func newGauges(db *store.Store, c *Config, clock func() time.Time) *gauges {
	return &gauges{
		queue: &probe[store.QueueStats]{clock: clock, query: func(ctx context.Context) (store.QueueStats, error) { return db.QueueStats(ctx, clock()) }},
		disks: &probe[disks]{clock: clock, query: func(context.Context) (disks, error) { return measureDisks(c.DataDir, c.DatabaseURL) }},
		pools: db.PoolStats,
	}
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	databaseUp     = describe("database_up", "1 if the queue was counted within 2 s, else 0; then the metrics of the queue are absent.")
	jobsWaiting    = describe("jobs_waiting", "Jobs that are due and not done.")
	jobsOldest     = describe("jobs_oldest_seconds", "How long the oldest due job has waited.")
	jobsDead       = describe("jobs_dead", "Jobs that failed for good and need an operator.")
	messagesUnsent = describe("messages_unsent", "Unsent messages that are still retried, by channel.", "channel")
	messagesOldest = describe("messages_oldest_unsent_seconds", "Age of the oldest of them.", "channel")
	diskFree       = describe("disk_free_bytes", "Free bytes on the disk of DATA_DIR or of the SQLite database.", "holds")
	sqliteWAL      = describe("sqlite_wal_bytes", "Size of SQLite's write-ahead log.")
	poolMax        = describe("database_connections_max", "Connections that a pool may open.", "pool")
	poolOpen       = describe("database_connections_open", "Connections that a pool has open.", "pool")
	poolInUse      = describe("database_connections_in_use", "Connections in use.", "pool")
	poolWaits      = describe("database_connection_waits_total", "How often a query waited for a connection.", "pool")
	poolWaited     = describe("database_connection_wait_seconds_total", "Time spent waiting for connections.", "pool")
)

// Describe implements prometheus.Collector.
func (g *gauges) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		databaseUp, jobsWaiting, jobsOldest, jobsDead, messagesUnsent, messagesOldest, diskFree, sqliteWAL, poolMax, poolOpen, poolInUse, poolWaits, poolWaited,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector with at most one query. It waits for the database at most probeTimeout.
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	queue, err := g.queue.get()
	if err != nil {
		gauge(databaseUp, 0)
	} else {
		gauge(databaseUp, 1)
		gauge(jobsWaiting, float64(queue.Waiting))
		gauge(jobsOldest, queue.OldestDue.Seconds())
		gauge(jobsDead, float64(queue.Dead))
		for _, channel := range []string{string(message.SMS), string(message.Email)} { // 0 rather than absent: an absent metric raises no alert
			gauge(messagesUnsent, float64(queue.Unsent[channel]), channel)
			gauge(messagesOldest, queue.OldestUnsent[channel].Seconds(), channel)
		}
	}
	if found, err := g.disks.get(); err == nil {
		for holds, bytes := range found.free {
			gauge(diskFree, float64(bytes), holds)
		}
		if found.wal >= 0 {
			gauge(sqliteWAL, float64(found.wal))
		}
	}
	for name, pool := range g.pools() {
		gauge(poolMax, float64(pool.MaxOpenConnections), name)
		gauge(poolOpen, float64(pool.OpenConnections), name)
		gauge(poolInUse, float64(pool.InUse), name)
		to <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(pool.WaitCount), name)
		to <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, pool.WaitDuration.Seconds(), name)
	}
}
