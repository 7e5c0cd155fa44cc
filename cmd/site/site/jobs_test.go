package site_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/status"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
)

// A worker ignores kinds without a handler, which a later version may have added. One of our own would wait forever, unnoticed.
func TestEveryJobKindHasAHandler(t *testing.T) {
	cfg, _ := sitetest.Development(t, "DATABASE_URL", storetest.SQLite(t), "LEAD_WEBHOOK_URL", "https://leads.example.in", "LEAD_WEBHOOK_SECRET", "s")
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.WithoutCancel(t.Context()))
	handled := map[string]int{}
	for _, worker := range s.Workers {
		for kind := range worker.Handlers {
			handled[kind]++
		}
	}
	kinds := storetest.JobKinds(t, "../../../admission")
	if len(kinds) < 9 {
		t.Errorf("the business declares %v", kinds)
	}
	for name, kind := range kinds {
		if handled[kind] != 1 {
			t.Errorf("%s, %q, is done by %d workers: it needs a handler in openWorkers", name, kind, handled[kind])
		}
	}
}

func TestAllPhasesAreRenewedEachHour(t *testing.T) {
	s := sitetest.New(t, nil)
	for ref, want := range map[string]time.Duration{site.Everything: time.Hour, "a registration": 0} {
		if again, err := s.RenewEveryPhase(t.Context(), admission.Job{Kind: status.JobRenewAll, Ref: ref}); err != nil || again != want {
			t.Errorf("the job %q runs again after %v, %v; want %v", ref, again, err, want)
		}
	}
}
