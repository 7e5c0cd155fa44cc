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
	probeFresh = 5 * time.Second // for which an answer serves every scrape
	probeWait  = 2 * time.Second // for an answer, in a scrape
)

// A probe asks something that may be slow: at most once at a time, and at most once in probeFresh.
type probe[T any] struct {
	ask   func(context.Context) (T, error)
	clock func() time.Time

	mutex  sync.Mutex
	answer T
	err    error
	at     time.Time     // of the answer; zero: there is none yet
	asking chan struct{} // closed with the answer; nil while nobody asks
}

var errNoAnswer = errors.New("no answer in time")

// get returns a fresh answer, or the error of asking for one. It waits at most probeWait, even where ask does not heed its
// context; the next one then waits for the same answer.
func (p *probe[T]) get() (T, error) {
	p.mutex.Lock()
	if age := p.clock().Sub(p.at); !p.at.IsZero() && age >= 0 && age < probeFresh {
		defer p.mutex.Unlock()
		return p.answer, p.err
	}
	if p.asking == nil {
		p.asking = make(chan struct{})
		go p.run(p.asking)
	}
	asking := p.asking
	p.mutex.Unlock()

	timer := time.NewTimer(probeWait)
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
	ctx, cancel := context.WithTimeout(context.Background(), probeWait)
	defer cancel()
	answer, err := p.ask(ctx)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.answer, p.err, p.at, p.asking = answer, err, p.clock(), nil
	close(asking)
}

// disks are bytes: what is free for whom, and what SQLite has not written back from its log yet.
type disks struct {
	free map[string]uint64 // by what is kept there: data, database
	wal  int64             // -1 where there is no SQLite
}

// lookAtDisks looks at DATA_DIR and at the folder of SQLite's file. What is not there is left out.
func lookAtDisks(dataDir, databaseURL string) (disks, error) {
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
		found.free[name] = fs.Bavail * uint64(fs.Bsize) // for who is not root
	}
	return found, nil
}

// gauges are what is measured when somebody asks: the queue, the pools of connections, the disks.
type gauges struct {
	queue *probe[store.QueueStats]
	disks *probe[disks]
	pools func() map[string]sql.DBStats
}

func newGauges(db *store.Store, c *Config, clock func() time.Time) *gauges {
	return &gauges{
		queue: &probe[store.QueueStats]{clock: clock, ask: func(ctx context.Context) (store.QueueStats, error) { return db.QueueStats(ctx, clock()) }},
		disks: &probe[disks]{clock: clock, ask: func(context.Context) (disks, error) { return lookAtDisks(c.DataDir, c.DatabaseURL) }},
		pools: db.PoolStats,
	}
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	databaseUp     = describe("database_up", "1 where the queue could be counted within 2 s, else 0; then what is counted there is absent.")
	jobsWaiting    = describe("jobs_waiting", "Jobs that are due and not done.")
	jobsOldest     = describe("jobs_oldest_seconds", "How long the oldest due job has waited.")
	jobsDead       = describe("jobs_dead", "Jobs that were refused for good, and that a person must look at.")
	messagesUnsent = describe("messages_unsent", "Messages not sent yet that are still being tried, by channel.", "channel")
	messagesOldest = describe("messages_oldest_unsent_seconds", "Age of the oldest of them.", "channel")
	diskFree       = describe("disk_free_bytes", "Free for the site where its data (DATA_DIR) or its SQLite database lies.", "holds")
	sqliteWAL      = describe("sqlite_wal_bytes", "Size of SQLite's write-ahead log.")
	poolMost       = describe("database_connections_max", "Connections that a pool may open.", "pool")
	poolOpen       = describe("database_connections_open", "Connections that a pool has open.", "pool")
	poolInUse      = describe("database_connections_in_use", "Open connections that somebody works with.", "pool")
	poolWaits      = describe("database_connection_waits_total", "How often somebody had to wait for a connection.", "pool")
	poolWaited     = describe("database_connection_wait_seconds_total", "Time spent waiting for connections.", "pool")
)

// Describe implements prometheus.Collector.
func (g *gauges) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		databaseUp, jobsWaiting, jobsOldest, jobsDead, messagesUnsent, messagesOldest, diskFree, sqliteWAL, poolMost, poolOpen, poolInUse, poolWaits, poolWaited,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector: with one query at most, and without waiting for a database longer than probeWait.
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
		for _, channel := range []string{string(message.SMS), string(message.Email)} { // with 0 where there is none: what is absent alerts nobody
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
		gauge(poolMost, float64(pool.MaxOpenConnections), name)
		gauge(poolOpen, float64(pool.OpenConnections), name)
		gauge(poolInUse, float64(pool.InUse), name)
		to <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(pool.WaitCount), name)
		to <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, pool.WaitDuration.Seconds(), name)
	}
}
