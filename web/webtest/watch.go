package webtest

import (
	"context"
	"testing"
	"time"
)

// Watch is a watcher that hears nothing, but fails T, where there is one, when the server breaks.
type Watch struct{ T testing.TB }

func (Watch) Served(string, string, int, time.Duration) {}

func (w Watch) Broke(_ context.Context, err error, _ string) {
	if w.T != nil {
		w.T.Error(err)
	}
}
