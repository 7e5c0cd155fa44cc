package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

// open opens a store until the test ends, without migrating.
func open(t *testing.T, c store.Config) *store.Store {
	t.Helper()
	c.Secret = storetest.Secret
	s, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// number returns the single number of a query.
func number(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// untilSomebodyWaits returns once a statement waits for a lock.
func untilSomebodyWaits(t *testing.T, db *sql.DB) {
	t.Helper()
	waiting := "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
	for number(t, db, waiting) == 0 && t.Context().Err() == nil {
	}
}

func TestLockedReadSeesTheHoldersChanges(t *testing.T) {
	for place, setting := range map[string]string{
		"nowhere":         "SELECT 1",
		"on the database": "ALTER DATABASE %[1]s SET default_transaction_isolation = 'repeatable read'",
		"on the role":     "ALTER ROLE postgres IN DATABASE %[1]s SET default_transaction_isolation = 'repeatable read'",
	} {
		t.Run("another isolation is set "+place, func(t *testing.T) {
			url := storetest.Postgres(t)
			direct := raw(t, url)
			var database string
			if err := direct.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&database); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(setting, "%") {
				setting = fmt.Sprintf(setting, database)
			}
			if _, err := direct.ExecContext(t.Context(), setting); err != nil {
				t.Fatal(err)
			}
			s := storetest.Open(t, url)
			if err := s.SaveCoupon(t.Context(), enrol.Coupon{ID: "c", Code: "LAST", EventCode: "E", MaxUses: 1}); err != nil {
				t.Fatal(err)
			}
			hold := func(phone string, locked func()) error {
				return s.Update(t.Context(), func(tx store.Tx) error {
					coupon, err := tx.CouponForUpdate("E", "LAST")
					if err != nil {
						return err
					}
					locked()
					spent, err := tx.CouponSpent(coupon.ID, phone)
					if err != nil {
						return err
					}
					if spent.Uses >= coupon.MaxUses {
						return errNo
					}
					return tx.SaveCouponUse(enrol.CouponUse{ID: phone, CouponID: coupon.ID, TxnID: phone, Phone: phone, State: enrol.UseHeld})
				})
			}
			second := make(chan error, 1)
			first := hold("first", func() {
				go func() { second <- hold("second", func() {}) }()
				untilSomebodyWaits(t, direct)
			})
			if err := <-second; first != nil || !errors.Is(err, errNo) {
				t.Errorf("the first heard %v, the second %v", first, err)
			}
			if n := number(t, direct, "SELECT COUNT(*) FROM coupon_uses"); n != 1 {
				t.Errorf("%d hold a coupon of one use", n)
			}
		})
	}
}

func TestViewIsASnapshot(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.View(t.Context(), func(tx store.Tx) error {
			for range 2 {
				if n, _, err := tx.Hits("moment", time.Time{}); n != 0 || err != nil {
					return fmt.Errorf("it sees %d hits, %w", n, err)
				}
				update(t, s, func(tx store.Tx) error { return tx.AddHit("moment", noon, noon) })
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if n := hits(t, s, "moment"); n != 2 {
			t.Errorf("%d hits of 2", n)
		}
	})
}

func TestPostgresConnectionsHaveTimeouts(t *testing.T) {
	url := storetest.Postgres(t)
	storetest.Open(t, url)
	for _, row := range []struct{ where, url, setting, want string }{
		{"update", url, "lock_timeout", "4s"},
		{"update", url, "statement_timeout", "5s"},
		{"update", url, "idle_in_transaction_session_timeout", "1min"},
		{"update", url, "transaction_isolation", "read committed"},
		{"view", url, "statement_timeout", "5s"},
		{"view", url, "transaction_isolation", "repeatable read"},
		{"view", url, "transaction_read_only", "on"},
		{"long update", url, "statement_timeout", "0"},
		{"long view", url, "statement_timeout", "0"},
		{"update", url + "&lock_timeout=1s", "lock_timeout", "1s"},
		{"update", url + "&default_transaction_isolation=serializable", "transaction_isolation", "read committed"},
	} {
		if got, err := open(t, store.Config{URL: row.url}).Query(t.Context(), row.where, "SHOW "+row.setting); got != row.want || err != nil {
			t.Errorf("%s: %s is %q, %v; want %q", row.where, row.setting, got, err, row.want)
		}
	}
}

func TestTimeoutIsUnavailable(t *testing.T) {
	url := storetest.Postgres(t)
	s := storetest.Open(t, url)
	update(t, s, func(tx store.Tx) error {
		return tx.AddRegistration(&enrol.Registration{ID: "r", EventCode: "E"})
	})
	hasty := open(t, store.Config{URL: url + "&lock_timeout=50ms"})
	update(t, s, func(tx store.Tx) error {
		if _, err := tx.RegistrationForUpdate("r"); err != nil {
			return err
		}
		err := hasty.Update(t.Context(), func(tx store.Tx) error {
			_, err := tx.RegistrationForUpdate("r")
			return err
		})
		if !errors.Is(err, admission.ErrUnavailable) || !strings.Contains(err.Error(), "lock timeout") {
			t.Errorf("a lock: %v", err)
		}
		return nil
	})
	hasty = open(t, store.Config{URL: url + "&statement_timeout=50ms"})
	for _, where := range []string{"update", "view"} {
		if _, err := hasty.Query(t.Context(), where, "SELECT pg_sleep(30)"); !errors.Is(err, admission.ErrUnavailable) || !strings.Contains(err.Error(), "statement timeout") {
			t.Errorf("a statement of an %s: %v", where, err)
		}
		if _, err := hasty.Query(t.Context(), "long "+where, "SELECT pg_sleep(0.1)"); err != nil {
			t.Errorf("a statement of a long %s: %v", where, err)
		}
	}
}

func TestPingWithAnExhaustedPool(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		storetest.Open(t, url)
		const pool = 3
		s := open(t, store.Config{URL: url, Pool: pool})
		places := pool
		if strings.HasPrefix(url, "sqlite") {
			places = 4
		}
		inside, release := make(chan struct{}), make(chan struct{})
		var holding sync.WaitGroup
		for range places {
			holding.Go(func() {
				if err := s.View(t.Context(), func(tx store.Tx) error {
					_, _, err := tx.Hits("full", noon)
					inside <- struct{}{}
					<-release
					return err
				}); err != nil {
					t.Error(err)
				}
			})
		}
		for range places {
			<-inside
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("ping: %v", err)
		}
		soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if err := s.View(soon, func(store.Tx) error { return nil }); !errors.Is(err, admission.ErrUnavailable) {
			t.Errorf("one more view: %v", err)
		}
		close(release)
		holding.Wait()
		if err := s.View(t.Context(), func(store.Tx) error { return nil }); err != nil {
			t.Errorf("with places again: %v", err)
		}
	})
}

// A proxy is a proxy to PostgreSQL that closes the connection after a number of packets from the client; 0 is never.
type proxy struct {
	sync.Mutex
	sent int
	left int
	cut  bool
}

func (l *proxy) packet(content []byte) (goesOn bool) {
	l.Lock()
	defer l.Unlock()
	if !bytes.Contains(content, []byte("-- ping")) { // sent on a connection that was idle for a second
		l.sent++
	}
	if l.left > 0 {
		l.left--
		l.cut = l.left == 0
	}
	return !l.cut
}

// listen returns the URL of a database through the line.
func (l *proxy) listen(t *testing.T, url string) string {
	t.Helper()
	_, there, _ := strings.Cut(url, "?host=")
	there, options, _ := strings.Cut(there, "&")
	folder := t.TempDir()
	const socket = ".s.PGSQL.5432"
	listener, err := net.Listen("unix", filepath.Join(folder, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", filepath.Join(there, socket))
			if err != nil {
				_ = client.Close()
				continue
			}
			go l.carry(client, server)
		}
	}()
	return strings.Replace(url, there+"&"+options, folder+"&"+options, 1)
}

func (l *proxy) carry(client, server net.Conn) {
	defer client.Close()
	defer server.Close()
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	packet := make([]byte, 64<<10)
	for {
		n, err := client.Read(packet)
		if err != nil || !l.packet(packet[:n]) {
			return
		}
		if _, err := server.Write(packet[:n]); err != nil {
			return
		}
	}
}

// A failed statement is closed before the next one, which is another point where a connection may die.
func TestConnectionLostAtAnyPacket(t *testing.T) {
	url := storetest.Postgres(t)
	storetest.Open(t, url)
	died := 0
	for cut := 1; ; cut++ {
		l := &proxy{}
		s := open(t, store.Config{URL: l.listen(t, url)})
		add := func(registration string) error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				if _, _, err := tx.Hits("line", noon); err != nil {
					return err
				}
				if err := tx.AddHit("line", noon, noon); err != nil || registration == "" {
					return err
				}
				return tx.AddEntry(enrol.Entry{ID: admission.NewID(), RegistrationID: registration})
			})
		}
		if err := add(""); err != nil {
			t.Fatal(err)
		}
		l.Lock()
		l.left = cut
		l.Unlock()
		for what, err := range map[string]error{"refused": add("nobody's"), "kept": add(""), "together": addEnquiry(t.Context(), s), "view": s.View(t.Context(), func(tx store.Tx) error {
			_, _, err := tx.Hits("line", noon)
			return err
		})} {
			if err != nil && !errors.Is(err, admission.ErrUnavailable) && (what != "refused" || !errors.Is(err, gorm.ErrForeignKeyViolated)) {
				t.Errorf("cut after packet %d, %s: %v", cut, what, err)
			}
		}
		if l.packet(nil) {
			break // the work needs fewer packets
		}
		died++
	}
	if died < 10 {
		t.Errorf("cut at %d places only", died)
	}
}
