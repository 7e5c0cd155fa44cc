// Package telemetry reports to operators what the site does: log, metrics, traces and errors.
package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/getsentry/sentry-go"

	"hiresure/admission"
	"hiresure/web"
)

// Watcher reports requests to the metrics and errors to the error tracker. It implements web.Watcher.
type Watcher struct {
	Metrics *Metrics
	Alerts  *Alerts
	Report  func(error, string)
}

func (w Watcher) Served(method, route string, status int, took time.Duration) {
	w.Metrics.observe(route, method, status, took)
}

func (w Watcher) Broke(_ context.Context, err error, requestID string) {
	if errors.Is(err, admission.ErrUnavailable) {
		w.Alerts.Alert("database does not answer or cannot write")
	}
	w.Report(err, requestID)
}

// StartSentry reports errors to Sentry, if a DSN is configured, with personal data masked as in the log and without bodies,
// cookies and addresses of requests.
func StartSentry(dsn, environment string) (report func(error, string), flush func(time.Duration), err error) {
	if dsn == "" {
		return func(error, string) {}, func(time.Duration) {}, nil
	}
	err = sentry.Init(sentry.ClientOptions{Dsn: dsn, Environment: environment, Release: Version(), BeforeSend: maskEvent})
	report = func(fault error, requestID string) {
		sentry.WithScope(func(scope *sentry.Scope) {
			scope.SetTag("request_id", requestID)
			sentry.CaptureException(fault)
		})
	}
	return report, func(within time.Duration) { sentry.Flush(within) }, err
}

func maskEvent(event *sentry.Event, _ *sentry.EventHint) *sentry.Event {
	event.Message = web.Mask(event.Message)
	for i := range event.Exception {
		event.Exception[i].Value = web.Mask(event.Exception[i].Value)
	}
	return event
}
