package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/admission/access"
	"hiresure/admission/enrol"
	"hiresure/admission/message"
	"hiresure/admission/payment"
	"hiresure/store"
	"hiresure/store/storetest"
)

// allBytes returns all bytes of a database: the files of SQLite, the rows of PostgreSQL.
func allBytes(t *testing.T, url string) []byte {
	t.Helper()
	var all []byte
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		files, err := filepath.Glob(path + "*")
		if err != nil || len(files) < 2 {
			t.Fatalf("files %v, %v", files, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, content...)
		}
		return all
	}
	db := raw(t, url)
	names, err := db.QueryContext(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		t.Fatal(err)
	}
	for names.Next() {
		var name, content string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if err := db.QueryRowContext(t.Context(), "SELECT COALESCE(string_agg(r::text, ' '), '') FROM "+name+" r").Scan(&content); err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	if err := names.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCodesAreSealed(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		var codes []string
		for i := range 20 {
			code := fmt.Sprintf("code-%06d", 100_000+i*7919) // six digits alone might occur by chance
			codes = append(codes, code)
			update(t, s, func(tx store.Tx) error {
				if err := tx.SaveCodeRequest(&access.CodeRequest{ID: fmt.Sprint("request ", i), Code: code}); err != nil {
					return err
				}
				return tx.AddMessage(&message.Message{ID: fmt.Sprint("message ", i), Cause: fmt.Sprint(i), Params: map[string]string{"Code": code}, Content: message.Content{Subject: code, Text: code, HTML: code}})
			})
			update(t, s, func(tx store.Tx) error {
				r := enrol.Registration{ID: fmt.Sprint("registration ", i), Phone: fmt.Sprint(i)}
				if err := tx.AddRegistration(&r); err != nil {
					return err
				}
				return tx.AddTransaction(&payment.Transaction{ID: fmt.Sprint("transaction ", i), RegistrationID: r.ID, State: payment.Created, Checkout: map[string]any{"clientSecret": code}})
			})
			id := fmt.Sprint("key ", i)
			if _, _, err := s.ClaimKey(t.Context(), id, "hash", noon, time.Minute); err != nil {
				t.Fatal(err)
			}
			if err := s.FinishKey(t.Context(), id, noon, 200, "text/plain", []byte(code)); err != nil {
				t.Fatal(err)
			}
			if err := s.AddOutbox(t.Context(), store.OutboxMessage{ID: id, Subject: code, Body: "Your code is " + code}); err != nil {
				t.Fatal(err)
			}
		}
		all := allBytes(t, url)
		if !bytes.Contains(all, []byte("message 19")) {
			t.Fatal("the search does not see the rows")
		}
		for _, code := range codes {
			if bytes.Contains(all, []byte(code)) {
				t.Errorf("%s stands there in clear", code)
			}
		}
		attempt := func(s *store.Store) any {
			return view(t, s, func(tx store.Tx) (*payment.Transaction, error) { return tx.Transaction("transaction 7") }).Checkout["clientSecret"]
		}
		other, err := store.Open(t.Context(), store.Config{URL: url, Secret: bytes.Repeat([]byte("o"), 32)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = other.Close() })
		if attempt(s) != codes[7] || attempt(other) != nil {
			t.Errorf("the checkout of an attempt: %v, and by another secret %v", attempt(s), attempt(other))
		}
		sent := view(t, s, func(tx store.Tx) (*message.Message, error) { return tx.Message("message 7") })
		if sent.Params["Code"] != codes[7] {
			t.Errorf("got %q, want %q", sent.Params["Code"], codes[7])
		}
	})
}

func TestSealedColumnIsBoundToItsPlaceAndSecret(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, db := storetest.Open(t, url), raw(t, url)
		update(t, s, func(tx store.Tx) error {
			if err := tx.AddMessage(&message.Message{ID: "a", Cause: "a"}); err != nil {
				return err
			}
			return tx.AddMessage(&message.Message{ID: "b", Cause: "b"})
		})
		read := func(s *store.Store) error {
			return s.View(t.Context(), func(tx store.Tx) error {
				_, err := tx.Message("a")
				return err
			})
		}
		other, err := store.Open(t.Context(), store.Config{URL: url, Secret: bytes.Repeat([]byte("o"), 32)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = other.Close() })
		want := "open a of messages: cipher: message authentication failed"
		if err := read(other); err == nil || err.Error() != want {
			t.Errorf("another secret: %v", err)
		}
		if err := read(s); err != nil {
			t.Error(err)
		}
		if _, err := db.ExecContext(t.Context(), "UPDATE messages SET params = (SELECT params FROM messages WHERE id = 'b') WHERE id = 'a'"); err != nil {
			t.Fatal(err)
		}
		if err := read(s); err == nil || err.Error() != want {
			t.Errorf("another row's column: %v", err)
		}
	})
}
