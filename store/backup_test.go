package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hiresure/store"
	"hiresure/store/storetest"
)

func pathOf(url string) string { return strings.TrimPrefix(url, "sqlite://") }

// filesIn returns the modes of the files in a folder by name.
func filesIn(t *testing.T, folder string) map[string]fs.FileMode {
	t.Helper()
	found, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]fs.FileMode{}
	for _, entry := range found {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = info.Mode()
	}
	return files
}

// fill adds n hits of one bucket, a kilobyte each.
func fill(t *testing.T, s *store.Store, bucket string, n int) {
	t.Helper()
	long := bucket + strings.Repeat(".", 1000)
	update(t, s, func(tx store.Tx) error {
		for range n {
			if err := tx.AddHit(long, noon, noon); err != nil {
				return err
			}
		}
		return nil
	})
}

// insertHits adds n hits by SQL.
func insertHits(t *testing.T, url string, n int) {
	t.Helper()
	if _, err := raw(t, url).ExecContext(t.Context(), `INSERT INTO hits (bucket, at, until)
		WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?) SELECT hex(randomblob(500)), n, n FROM counted`, n); err != nil {
		t.Fatal(err)
	}
}

func filled1000(t *testing.T, s *store.Store, bucket string) int {
	t.Helper()
	return hits(t, s, bucket+strings.Repeat(".", 1000))
}

func TestBackupIsComplete(t *testing.T) {
	url := storetest.SQLite(t)
	s := storetest.Open(t, url)
	fill(t, s, "kept", 1)
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if err, want := s.Backup(t.Context(), copied), "back up: "+copied+" is there already"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if n := filled1000(t, storetest.Open(t, "sqlite://"+copied), "kept"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

func TestBackupIsPrivateAndAtomic(t *testing.T) {
	before := syscall.Umask(0) // would let everybody read and write
	t.Cleanup(func() { syscall.Umask(before) })
	url := storetest.SQLite(t)
	s := storetest.Open(t, url)
	insertHits(t, url, 5000)
	folder := t.TempDir()
	for seen, try := 0, 0; seen == 0; try++ {
		if try == 100 {
			t.Fatal("no backup was ever seen while it was written")
		}
		path := filepath.Join(folder, fmt.Sprint(try))
		ended := make(chan error, 1)
		go func() { ended <- s.Backup(t.Context(), path) }()
		for running := true; running; {
			select {
			case err := <-ended:
				if err != nil {
					t.Fatal(err)
				}
				running = false
			default:
			}
			for name, mode := range filesIn(t, folder) {
				if mode != 0o600 {
					t.Fatalf("%s has mode %o", name, mode)
				}
				if strings.Contains(name, ".partial-") {
					seen++
				}
			}
			if _, err := os.Stat(path); err == nil && running {
				if n := number(t, raw(t, "sqlite://"+path), "SELECT COUNT(*) FROM hits"); n != 5000 {
					t.Fatalf("it stands there with %d rows", n)
				}
			}
		}
	}
	for name := range filesIn(t, folder) {
		if strings.Contains(name, ".partial-") {
			t.Errorf("%s is left", name)
		}
	}
}

func TestFailedBackupLeavesNoFile(t *testing.T) {
	s := storetest.Open(t, storetest.SQLite(t))
	fill(t, s, "kept", 1000)
	folder := t.TempDir()
	path := filepath.Join(folder, "backup.db")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Backup(cancelled, path); err == nil {
		t.Error("a cancelled one succeeded")
	}
	if err := s.Backup(t.Context(), filepath.Join(folder, "nowhere", "backup.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}
	if files := filesIn(t, folder); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
	if err := s.Backup(t.Context(), path); err != nil {
		t.Errorf("the next one: %v", err)
	}

	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=256k"); err != nil {
		fmt.Fprintf(os.Stderr, "SKIPPED: %s: no small file system can be mounted: %v\n", t.Name(), err)
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(small, 0) })
	if err := s.Backup(t.Context(), filepath.Join(small, "backup.db")); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("onto a full disk: %v", err)
	}
	if files := filesIn(t, small); len(files) != 0 {
		t.Errorf("left on the full disk: %v", files)
	}
}
