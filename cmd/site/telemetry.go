package main

import (
	"context"
	"crypto/subtle"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/getsentry/sentry-go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"

	"hiresure/web"
)

// metrics has a registry of its own, so that tests can create several.
type metrics struct {
	registry       *prometheus.Registry
	requests       *prometheus.CounterVec
	seconds        *prometheus.HistogramVec
	faults         prometheus.Counter
	alerts         *prometheus.CounterVec
	jobs           *prometheus.CounterVec
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

// newMetrics registers the metrics of a site, and others.
func newMetrics(others ...prometheus.Collector) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "http_requests_total", Help: "Requests by route, method and status."}, []string{"route", "method", "status"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_seconds", Help: "Time to answer by route.", Buckets: []float64{.0005, .001, .005, .025, .1, .5, 2, 10}}, []string{"route"}),
		faults:   prometheus.NewCounter(prometheus.CounterOpts{Name: "faults_total", Help: "Requests that failed with a server error."}),
		alerts:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "alerts_total", Help: "Faults that an operator must handle."}, []string{"what"}),
		jobs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "jobs_total", Help: "Jobs by kind and result."}, []string{"kind", "result"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.faults, m.alerts, m.jobs, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(others...)
	return m
}

func (m *metrics) observe(route, method string, status int, took time.Duration) {
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

func (m *metrics) alert(what string) { m.alerts.WithLabelValues(what).Inc() }

func (m *metrics) jobDone(kind, result string) { m.jobs.WithLabelValues(kind, result).Inc() }

// handler serves /metrics, to the bearer of token unless it is "".
func (m *metrics) handler(token string) http.Handler {
	plain := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+token)) != 1 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		plain.ServeHTTP(w, r)
	})
}

// startTracing sends spans to an OpenTelemetry collector, if one is configured. stop flushes them.
func startTracing(ctx context.Context, endpoint string) (stop func(context.Context) error, err error) {
	if endpoint == "" {
		return func(context.Context) error { return nil }, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, err
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "hiresure-site"), attribute.String("service.version", version()))))
	otel.SetTracerProvider(provider)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return provider.Shutdown, nil
}

// startSentry reports errors to Sentry, if a DSN is configured, with personal data masked as in the log and without bodies,
// cookies and addresses of requests.
func startSentry(dsn, environment string) (report func(error, string), stop func(), err error) {
	if dsn == "" {
		return func(error, string) {}, func() {}, nil
	}
	err = sentry.Init(sentry.ClientOptions{Dsn: dsn, Environment: environment, Release: version(), BeforeSend: maskEvent})
	report = func(fault error, requestID string) {
		sentry.WithScope(func(scope *sentry.Scope) {
			scope.SetTag("request_id", requestID)
			sentry.CaptureException(fault)
		})
	}
	return report, func() { sentry.Flush(closeTimeout) }, err
}

func maskEvent(event *sentry.Event, _ *sentry.EventHint) *sentry.Event {
	event.Message = web.Mask(event.Message)
	for i := range event.Exception {
		event.Exception[i].Value = web.Mask(event.Exception[i].Value)
	}
	return event
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
