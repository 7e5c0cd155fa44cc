//go:build long

package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/store"
	"hiresure/store/storetest"
)

// While 700,000 expired sessions are purged, visitors' writes are not delayed.
func TestWritesDuringALargePurge(t *testing.T) {
	const rows, writers = 700_000, 4
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, direct := storetest.Open(t, url), raw(t, url)
		random := "md5(n::text)"
		if strings.HasPrefix(url, "sqlite") {
			random = "lower(hex(randomblob(16)))"
		}
		if _, err := direct.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO sessions (id, token_hash, human_until, proven, requests, registered, expires_at)
			WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < %d) SELECT %[2]s, %[2]s || 'token', 0, '{}', '[]', '[]', %d FROM counted`,
			rows, random, noon.UnixMicro())); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		took := make([][]time.Duration, writers)
		var purged error
		started := time.Now()
		go func() {
			defer close(ended)
			purged = s.Purge(t.Context(), noon)
		}()
		for i, err := range concurrent(writers, func(i int) error {
			for n := 0; ; n++ {
				select {
				case <-ended:
					return nil
				case <-time.After(5 * time.Millisecond):
				}
				began := time.Now()
				id := fmt.Sprint(i, " ", n)
				if err := s.Update(t.Context(), func(tx store.Tx) error {
					return tx.AddSession(&access.Session{ID: id, TokenHash: id, ExpiresAt: noon.Add(time.Hour)})
				}); err != nil {
					return err
				}
				took[i] = append(took[i], time.Since(began))
			}
		}) {
			if err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		}
		lasted := time.Since(started)
		if purged != nil {
			t.Fatal(purged)
		}
		all := slices.Sorted(slices.Values(slices.Concat(took...)))
		p99 := all[len(all)*99/100]
		t.Logf("%d rows purged in %v; of %d writes meanwhile half took %v, 99 of 100 %v, the longest %v", rows, lasted, len(all), all[len(all)/2], p99, all[len(all)-1])
		if p99 > 100*time.Millisecond {
			t.Errorf("99 of 100 writes took up to %v", p99)
		}
		if n := number(t, direct, "SELECT COUNT(*) FROM sessions"); n != len(all) {
			t.Errorf("%d sessions stand, %d are visitors'", n, len(all))
		}
	})
}
