package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/message"
	"hiresure/store"
	"hiresure/store/storetest"
)

// inspect opens a store without migrating, like an operator's command.
func inspect(t *testing.T, url string, secret []byte) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{URL: url, Secret: secret, Clock: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestOpenWithoutMigrateCreatesNothing(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "folder", "site.db")
	if _, err := store.Open(t.Context(), store.Config{URL: "sqlite://" + absent, Secret: storetest.Secret}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := os.Stat(filepath.Dir(absent)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder was made: %v", err)
	}
	const old = "the database's schema is older than this program: run site migrate"
	storetest.EachURL(t, func(t *testing.T, url string) {
		if path, isFile := strings.CutPrefix(url, "sqlite://"); isFile {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			url = storetest.EmptyPostgres(t)
		}
		s := inspect(t, url, storetest.Secret)
		if err := s.Migrated(t.Context()); err == nil || err.Error() != old {
			t.Errorf("empty: %v, want %s", err, old)
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := raw(t, url).ExecContext(t.Context(), "SELECT 1 FROM goose_db_version"); err == nil {
			t.Error("the empty database was migrated")
		}
		_ = storetest.Open(t, url)
		if err := s.Migrated(t.Context()); err != nil {
			t.Errorf("migrated: %v", err)
		}
		if _, err := raw(t, url).ExecContext(t.Context(), "DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version)"); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrated(t.Context()); err == nil || err.Error() != old {
			t.Errorf("one migration behind: %v, want %s", err, old)
		}
		if _, err := raw(t, url).ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, TRUE)"); err != nil {
			t.Fatal(err)
		}
		const newer = "the database's schema is number 1000, newer than this program's "
		if err := s.Migrated(t.Context()); err == nil || !strings.HasPrefix(err.Error(), newer) {
			t.Errorf("a later one: %v, want %s…", err, newer)
		}
		if _, err := store.Open(t.Context(), store.Config{URL: url, Secret: storetest.Secret, Migrate: true}); err == nil || !strings.HasPrefix(err.Error(), "open store: "+newer) {
			t.Errorf("opening a later one: %v", err)
		}
		if _, err := raw(t, url).ExecContext(t.Context(), "DELETE FROM goose_db_version WHERE version_id > 0; INSERT INTO goose_db_version (version_id, is_applied) VALUES (24, TRUE)"); err != nil {
			t.Fatal(err)
		}
		const early = "the database's schema is number 24, from before the first release"
		if err := s.Migrated(t.Context()); err == nil || !strings.HasPrefix(err.Error(), early) {
			t.Errorf("one from before the first release: %v, want %s…", err, early)
		}
		if _, err := store.Open(t.Context(), store.Config{URL: url, Secret: storetest.Secret, Migrate: true}); err == nil || !strings.HasPrefix(err.Error(), "open store: "+early) {
			t.Errorf("opening one from before the first release: %v", err)
		}
		if strings.HasPrefix(url, "sqlite://") {
			if err := s.Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db")); err != nil {
				t.Errorf("another schema is backed up too: %v", err)
			}
		}
	})
}

func TestMarkSentDeletesTheText(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		update(t, s, func(tx store.Tx) error {
			return errors.Join(
				tx.AddMessage(&message.Message{ID: "sent", Cause: "1", To: "+919876543210", Template: "otp", Params: map[string]string{"Code": "123456"}, Content: message.Content{Text: "123456"}, CreatedAt: noon}),
				tx.AddMessage(&message.Message{ID: "waiting", Cause: "2", Params: map[string]string{"Code": "654321"}, Content: message.Content{Text: "654321"}}),
				tx.MarkSent("sent", noon))
		})
		var words string
		if err := raw(t, url).QueryRowContext(t.Context(), "SELECT params || content FROM messages WHERE id = 'sent'").Scan(&words); err != nil || words != "" {
			t.Errorf("params and content %q, %v", words, err)
		}
		for id, want := range map[string]string{"sent": "", "waiting": "654321"} {
			m := view(t, s, func(tx store.Tx) (*message.Message, error) { return tx.Message(id) })
			if m.Params == nil || m.Params["Code"] != want || m.Content.Text != want || m.SentAt.IsZero() != (id == "waiting") {
				t.Errorf("%s: %+v", id, m)
			}
		}
	})
}

func TestVisitorsCanContinueAfterANewSecret(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		before := storetest.Open(t, url)
		update(t, before, func(tx store.Tx) error {
			return errors.Join(
				tx.SaveCodeRequest(&access.CodeRequest{ID: "c", To: "1", Purpose: access.ForPhone, EventCode: "E", Code: "123456"}),
				tx.AddMessage(&message.Message{ID: "m", Cause: "m"}))
		})
		if _, _, err := before.ClaimKey(t.Context(), "k", "h", noon, time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(before.FinishKey(t.Context(), "k", noon, 200, "", []byte("answer")), before.AddOutbox(t.Context(), store.OutboxMessage{ID: "o", Body: "code"})); err != nil {
			t.Fatal(err)
		}
		after := inspect(t, url, bytes.Repeat([]byte("o"), 32))
		update(t, after, func(tx store.Tx) error {
			latest, err1 := tx.LatestCodeRequest("1", access.ForPhone, "E")
			same, err2 := tx.CodeRequestForUpdate("c")
			if err := errors.Join(err1, err2); err != nil {
				return err
			}
			if latest.ID != "c" || latest.Code != "" || same.Code != "" {
				t.Errorf("the code counts as none: got %+v, %+v", latest, same)
			}
			var ended interface{ Permanent() bool }
			if _, err := tx.Message("m"); !errors.As(err, &ended) || !ended.Permanent() {
				t.Errorf("the message ends its job: got %v", err)
			}
			return nil
		})
		if prior, state, err := after.ClaimKey(t.Context(), "k", "h", noon, time.Minute); prior != nil || state != store.KeyNew || err != nil {
			t.Errorf("the kept answer is forgotten: got %+v %s, %v", prior, state, err)
		}
		if shown, err := collect(after.Outbox(t.Context(), "")); len(shown) != 0 || err != nil {
			t.Errorf("the outbox leaves it out: got %+v, %v", shown, err)
		}
	})
}
