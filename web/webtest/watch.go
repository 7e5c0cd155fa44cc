package webtest

import (
	"context"
	"testing"
	"time"
)

// Watch is a Watcher that ignores requests and, if T is set, fails it on an internal error.
type Watch struct{ T testing.TB }

func (Watch) Served(string, string, int, time.Duration) {}

func (w Watch) Broke(_ context.Context, err error, _ string) {
	if w.T != nil {
		w.T.Error(err)
	}
}
