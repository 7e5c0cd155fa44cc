package telemetry

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hiresure/admission/message"
	"hiresure/store"
)

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
	queue *Probe[store.QueueStats]
	money *Probe[[]store.MoneyStats]
	disks *Probe[disks]
	pools func() map[string]sql.DBStats
}

// NewGauges returns gauges of a database and of the disks of DATA_DIR and of SQLite's file.
func NewGauges(db *store.Store, dataDir, databaseURL string, clock func() time.Time) prometheus.Collector {
	return &gauges{
		queue: NewProbe(clock, func(ctx context.Context) (store.QueueStats, error) { return db.QueueStats(ctx, clock()) }),
		money: NewProbe(clock, func(ctx context.Context) ([]store.MoneyStats, error) { return db.MoneyStats(ctx, clock()) }),
		disks: NewProbe(clock, func(context.Context) (disks, error) { return measureDisks(dataDir, databaseURL) }),
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
	unsettled      = describe("payments_unsettled", "Payments that wait for a provider or for staff, by gateway, state and age: hour, day, older.", "gateway", "state", "age")
	unhandled      = describe("webhooks_unhandled", "Stored webhooks that are not handled, by gateway and age: hour, day, older.", "gateway", "age")
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
		databaseUp, jobsWaiting, jobsOldest, jobsDead, messagesUnsent, messagesOldest, unsettled, unhandled, diskFree, sqliteWAL, poolMax, poolOpen, poolInUse, poolWaits, poolWaited,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector with at most two queries. It waits at most probeTimeout for each.
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	queue, err := g.queue.Get()
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
	if money, err := g.money.Get(); err == nil {
		for _, one := range money {
			if one.State == store.WebhookState {
				gauge(unhandled, float64(one.Number), one.Gateway, one.Age)
			} else {
				gauge(unsettled, float64(one.Number), one.Gateway, one.State, one.Age)
			}
		}
	}
	if found, err := g.disks.Get(); err == nil {
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

// serviceGauge asks services at each scrape.
type serviceGauge struct{ up func() map[string]float64 }

var serviceUp = describe("service_up", "1 if a service that the site uses answers, else 0.", "service")

// NewServiceGauge returns a gauge of what up returns, by service.
func NewServiceGauge(up func() map[string]float64) prometheus.Collector { return serviceGauge{up} }

// Describe implements prometheus.Collector.
func (g serviceGauge) Describe(to chan<- *prometheus.Desc) { to <- serviceUp }

// Collect implements prometheus.Collector.
func (g serviceGauge) Collect(to chan<- prometheus.Metric) {
	for name, up := range g.up() {
		to <- prometheus.MustNewConstMetric(serviceUp, prometheus.GaugeValue, up, name)
	}
}
