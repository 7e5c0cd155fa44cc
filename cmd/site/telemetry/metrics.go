package telemetry

import (
	"crypto/subtle"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics has a registry of its own, so that tests can create several.
type Metrics struct {
	registry       *prometheus.Registry
	requests       *prometheus.CounterVec
	seconds        *prometheus.HistogramVec
	faults         prometheus.Counter
	jobs           *prometheus.CounterVec
	gateways       *prometheus.HistogramVec
	requestMetrics sync.Map // requestKey → requestMetrics
}

// requestKey is the key that a request is counted under. route is the pattern, never the path.
type requestKey struct {
	route, method string
	status        int
}

// requestMetrics caches the metrics of a requestKey: a search by labels costs more than the counting.
type requestMetrics struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

// NewMetrics registers the metrics of a site, and others.
func NewMetrics(others ...prometheus.Collector) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "http_requests_total", Help: "Requests by route, method and status."}, []string{"route", "method", "status"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_seconds", Help: "Time to answer by route.", Buckets: []float64{.0005, .001, .005, .025, .1, .5, 2, 10}}, []string{"route"}),
		faults:   prometheus.NewCounter(prometheus.CounterOpts{Name: "faults_total", Help: "Requests that failed with a server error."}),
		jobs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "jobs_total", Help: "Jobs by kind and result."}, []string{"kind", "result"}),
		gateways: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "gateway_call_seconds", Help: "Time of calls of payment gateways, by result.", Buckets: []float64{.1, .25, .5, 1, 2, 5, 10, 30}}, []string{"gateway", "call", "result"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.faults, m.jobs, m.gateways, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(others...)
	return m
}

func (m *Metrics) observe(route, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	default: // clients could invent any number of methods
		method = "other"
	}
	key := requestKey{route, method, status}
	found, known := m.requestMetrics.Load(key)
	if !known {
		found, _ = m.requestMetrics.LoadOrStore(key, requestMetrics{m.requests.WithLabelValues(route, method, strconv.Itoa(status)), m.seconds.WithLabelValues(route)})
	}
	lines := found.(requestMetrics)
	lines.requests.Inc()
	lines.seconds.Observe(took.Seconds())
	if status >= http.StatusInternalServerError {
		m.faults.Inc()
	}
}

// GatewayCalled measures a call of a payment gateway.
func (m *Metrics) GatewayCalled(gateway, call, result string, took time.Duration) {
	m.gateways.WithLabelValues(gateway, call, result).Observe(took.Seconds())
}

func (m *Metrics) JobDone(kind, result string) { m.jobs.WithLabelValues(kind, result).Inc() }

// Handler serves /metrics, to the bearer of token unless it is "".
func (m *Metrics) Handler(token string) http.Handler {
	plain := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+token)) != 1 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		plain.ServeHTTP(w, r)
	})
}
