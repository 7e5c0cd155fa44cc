package site_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"hiresure/cmd/site/config"
	"hiresure/cmd/site/site"
	"hiresure/store/storetest"
)

// messages is a log that passes on its messages.
type messages chan string

func (messages) Enabled(context.Context, slog.Level) bool { return true }
func (m messages) WithAttrs([]slog.Attr) slog.Handler     { return m }
func (m messages) WithGroup(string) slog.Handler          { return m }
func (m messages) Handle(_ context.Context, r slog.Record) error {
	select {
	case m <- r.Message:
	default:
	}
	return nil
}

func TestSiteWaitsForItsDatabase(t *testing.T) {
	cluster := storetest.OwnCluster(t)
	url, err := cluster.NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.Stop(); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Read(map[string]string{"DATA_DIR": t.TempDir(), "DATABASE_URL": url})
	if err != nil {
		t.Fatal(err)
	}
	log, built := make(messages, 1), make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		s, err := site.Build(ctx, site.Options{Config: cfg, Log: slog.New(log), Clock: time.Now})
		if err == nil {
			s.Close(context.WithoutCancel(ctx))
		}
		built <- err
	}()
	for said := ""; said != "waiting for the database"; {
		select {
		case said = <-log:
		case err := <-built:
			t.Fatalf("the site did not wait: %v", err)
		}
	}
	if err := cluster.Start(); err != nil {
		t.Fatal(err)
	}
	if err := <-built; err != nil {
		t.Errorf("with the database: %v", err)
	}
}

// A wrong address is no outage.
func TestSiteDoesNotWaitForAnUnknownDatabase(t *testing.T) {
	url, err := storetest.OwnCluster(t).NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Read(map[string]string{"DATA_DIR": t.TempDir(), "DATABASE_URL": strings.Replace(url, "@/", "@/no_", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Clock: time.Now}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("got %v", err)
	}
}
