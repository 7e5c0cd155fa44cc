package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store"
	"hiresure/store/storetest"
)

// A full disk fails every affected call, and none once there is space again.
func TestFullDiskLosesNoCommit(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=3m"); err != nil {
		fmt.Fprintf(os.Stderr, "SKIPPED: %s: no small file system can be mounted: %v\n", t.Name(), err)
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	t.Run("disk", func(t *testing.T) {
		now := noon
		s := storetest.Open(t, "sqlite://"+filepath.Join(folder, "site.db"), func(c *store.Config) { c.Clock = func() time.Time { return now } })
		ballast := filepath.Join(folder, "ballast")
		if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		write := func(id string) error {
			return s.AddOutbox(t.Context(), store.OutboxMessage{ID: id, Body: strings.Repeat("x", 4000), CreatedAt: noon})
		}
		acknowledged := 0
		var failed sync.Map
		for round := 0; round < 1000; round++ {
			refused := false
			for _, err := range concurrent(8, func(i int) error { return write(fmt.Sprint(round, "/", i)) }) {
				if err == nil {
					acknowledged++
				} else {
					refused = true
					failed.Store(err.Error(), errors.Is(err, admission.ErrUnavailable))
				}
			}
			if refused {
				break
			}
		}
		failed.Range(func(said, unavailable any) bool {
			if text, _ := said.(string); unavailable != true || !strings.Contains(text, "full") && !strings.Contains(text, "disk I/O") {
				t.Errorf("failed otherwise: %s", text)
			}
			return true
		})
		for range 2 {
			if err := s.Ping(t.Context()); !errors.Is(err, admission.ErrUnavailable) {
				t.Errorf("ping on a full disk: %v", err)
			}
			_ = s.TryWrite(t.Context()) // there may be room for so little
		}
		kept, err := collect(s.Outbox(t.Context(), ""))
		if err != nil || len(kept) != acknowledged || acknowledged < 10 {
			t.Errorf("%d of %d acknowledged are there, %v", len(kept), acknowledged, err)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		if err := write("after"); err != nil {
			t.Errorf("there is room again: %v", err)
		}
		now = now.Add(30 * time.Second)
		if err := s.Ping(t.Context()); err == nil {
			t.Error("ping answers before an update has succeeded")
		}
		if err := errors.Join(s.TryWrite(t.Context()), s.Ping(t.Context())); err != nil {
			t.Errorf("30 s later: %v", err)
		}
	})
}

func TestStandbyDoesNotAnswer(t *testing.T) {
	url := storetest.Postgres(t)
	storetest.Open(t, url)
	s := open(t, store.Config{URL: url})
	set := func(mode string) {
		if _, err := raw(t, url).ExecContext(t.Context(), "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = "+mode+"', current_database()); END $$"); err != nil {
			t.Fatal(err)
		}
	}
	set("on") // for new connections
	err := s.Update(t.Context(), func(tx store.Tx) error { return tx.AddHit("standby", noon, noon) })
	if !errors.Is(err, admission.ErrUnavailable) || !strings.Contains(err.Error(), "read-only transaction") {
		t.Errorf("an update: %v", err)
	}
	if err := s.Ping(t.Context()); !errors.Is(err, admission.ErrUnavailable) {
		t.Errorf("ping: %v", err)
	}
}

func TestPostgresRestart(t *testing.T) {
	cluster := storetest.OwnCluster(t)
	url, err := cluster.NewDatabase()
	if err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, url)
	write := func() error {
		return s.Update(t.Context(), func(tx store.Tx) error { return tx.AddHit("down", noon, noon) })
	}
	acknowledged := 0
	for range 5 {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		acknowledged++
	}
	if err := cluster.Stop(); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"write": write(), "ping": s.Ping(t.Context())} {
		if !errors.Is(err, admission.ErrUnavailable) {
			t.Errorf("%s to a stopped database: %v", what, err)
		}
	}
	if err := cluster.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); ; {
		err := write()
		if err == nil {
			acknowledged++
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("ping to a started one: %v", err)
	}
	if n := hits(t, s, "down"); n != acknowledged {
		t.Errorf("%d rows of %d acknowledged", n, acknowledged)
	}
}

func TestFrozenDatabaseIsUnavailableSoon(t *testing.T) {
	url := storetest.Postgres(t)
	s, err := store.Open(t.Context(), store.Config{URL: url, Secret: storetest.Secret, Migrate: true, Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	count := func(tx store.Tx) error {
		_, _, err := tx.Hits("frozen", noon)
		return err
	}
	frozen, err := raw(t, url).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := frozen.ExecContext(t.Context(), "LOCK TABLE hits IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func(context.Context, func(store.Tx) error) error{"update": s.Update, "view": s.View} {
		if err := do(t.Context(), count); !errors.Is(err, admission.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := frozen.Rollback(); err != nil {
		t.Fatal(err)
	}
	for ends := time.Now().Add(30 * time.Second); ; { // within the timeout, unless the machine is busy
		err := errors.Join(s.Update(t.Context(), count), s.View(t.Context(), count))
		if err == nil {
			return
		}
		if time.Now().After(ends) {
			t.Fatalf("thawed: %v", err)
		}
	}
}
