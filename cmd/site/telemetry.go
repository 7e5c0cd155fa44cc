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

// metrics is what /metrics shows. It counts for itself alone, so that tests may have several.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	faults   prometheus.Counter
	alerts   *prometheus.CounterVec
	jobs     *prometheus.CounterVec
	answers  sync.Map // answer → counted
}

// answer is what a request is counted under; route is the pattern, never the path.
type answer struct {
	route, method string
	status        int
}

// counted is the lines of an answer, found once: a search by labels costs more than the counting.
type counted struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

// newMetrics makes the counters of a site, beside what others measure.
func newMetrics(others ...prometheus.Collector) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "http_requests_total", Help: "Requests by route, method and status."}, []string{"route", "method", "status"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_seconds", Help: "Time to answer by route.", Buckets: []float64{.0005, .001, .005, .025, .1, .5, 2, 10}}, []string{"route"}),
		faults:   prometheus.NewCounter(prometheus.CounterOpts{Name: "faults_total", Help: "Requests that failed through a fault of ours."}),
		alerts:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "alerts_total", Help: "Things that a person must look at."}, []string{"what"}),
		jobs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "jobs_total", Help: "Jobs by kind and result."}, []string{"kind", "result"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.faults, m.alerts, m.jobs, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(others...)
	return m
}

// answered counts one request.
func (m *metrics) answered(route, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	default: // a stranger can think of any number of methods
		method = "other"
	}
	key := answer{route, method, status}
	found, known := m.answers.Load(key)
	if !known {
		found, _ = m.answers.LoadOrStore(key, counted{m.requests.WithLabelValues(route, method, strconv.Itoa(status)), m.seconds.WithLabelValues(route)})
	}
	lines := found.(counted)
	lines.requests.Inc()
	lines.seconds.Observe(took.Seconds())
	if status >= http.StatusInternalServerError {
		m.faults.Inc()
	}
}

func (m *metrics) alert(what string) { m.alerts.WithLabelValues(what).Inc() }

func (m *metrics) jobDone(kind, result string) { m.jobs.WithLabelValues(kind, result).Inc() }

// handler serves /metrics: to everybody where token is "", else to the bearer of it.
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

// startTracing sends spans to an OpenTelemetry collector, where one is configured. stop flushes what is left.
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

// startSentry reports faults, where a DSN is configured; requests' bodies, cookies and addresses stay here, and what is
// personal in an error is masked as in the log.
func startSentry(dsn, environment string) (report func(error, string), stop func(), err error) {
	if dsn == "" {
		return func(error, string) {}, func() {}, nil
	}
	err = sentry.Init(sentry.ClientOptions{Dsn: dsn, Environment: environment, Release: version(), BeforeSend: masked})
	report = func(fault error, requestID string) {
		sentry.WithScope(func(scope *sentry.Scope) {
			scope.SetTag("request_id", requestID)
			sentry.CaptureException(fault)
		})
	}
	return report, func() { sentry.Flush(closeWait) }, err
}

func masked(event *sentry.Event, _ *sentry.EventHint) *sentry.Event {
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
