package store_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/store"
	"hiresure/store/storetest"
)

// collect returns all rows of a list.
func collect[T any](rows iter.Seq2[T, error]) (all []T, err error) {
	for row, err := range rows {
		if err != nil {
			return all, err
		}
		all = append(all, row)
	}
	return all, nil
}

// fillOutbox adds n messages with ids 00000 …, a third at each of three times, so that most times are equal.
func fillOutbox(t *testing.T, s *store.Store, n int) (newestFirst []string) {
	t.Helper()
	var rows []store.OutboxMessage
	for i := range n {
		to := "+919876543210"
		if i%5 == 0 {
			to = "asha@example.com"
		}
		rows = append(rows, store.OutboxMessage{ID: fmt.Sprintf("%05d", i), Channel: "sms", To: to, CreatedAt: noon.Add(time.Duration(i%3) * time.Second)})
	}
	for _, err := range concurrent(8, func(part int) error {
		for i := part; i < n; i += 8 {
			if err := s.AddOutbox(t.Context(), rows[i]); err != nil {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(rows, func(a, b store.OutboxMessage) int {
		return -strings.Compare(fmt.Sprint(a.CreatedAt.UnixMicro(), a.ID), fmt.Sprint(b.CreatedAt.UnixMicro(), b.ID))
	})
	return idsOf(rows)
}

func idsOf(messages []store.OutboxMessage) (ids []string) {
	for _, m := range messages {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestListIsComplete(t *testing.T) {
	for _, n := range []int{0, 1, store.ListBatch - 1, store.ListBatch, store.ListBatch + 1, 2*store.ListBatch + 7} {
		storetest.Each(t, func(t *testing.T, s *store.Store) {
			want := fillOutbox(t, s, n)
			messages, err := collect(s.Outbox(t.Context(), ""))
			if got := idsOf(messages); err != nil || !slices.Equal(got, want) {
				t.Errorf("of %d rows %d were read, in order: %v, %v", n, len(got), slices.Equal(got, want), err)
			}
			inside, err := s.ListWithin(t.Context())
			if !slices.Equal(inside, want) || err != nil {
				t.Errorf("in one transaction %d of %d were read, %v", len(inside), n, err)
			}
		})
	}
}

func TestListStopsEarly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		want := fillOutbox(t, s, store.ListBatch+5)
		for stop := range []int{1, store.ListBatch, store.ListBatch + 1} {
			var got []string
			for m, err := range s.Outbox(t.Context(), "") {
				if err != nil {
					t.Fatal(err)
				}
				if got = append(got, m.ID); len(got) > stop {
					break
				}
			}
			if !slices.Equal(got, want[:stop+1]) {
				t.Errorf("left after %d: %d rows", stop+1, len(got))
			}
		}
	})
}

// With as many slow readers as the pool has connections, a visitor still gets one.
func TestSlowReaderHoldsNoConnection(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, func(c *store.Config) { c.Pool, c.Timeout = store.SmallestPool, 2*time.Second })
		fillOutbox(t, s, store.ListBatch+1)
		for range 8 {
			next, stop := iter.Pull2(s.Outbox(t.Context(), ""))
			defer stop()
			if m, err, _ := next(); err != nil || m.ID == "" {
				t.Fatalf("got %+v, %v", m, err)
			}
		}
		if err := s.AddOutbox(t.Context(), store.OutboxMessage{ID: "new", CreatedAt: noon}); err != nil {
			t.Errorf("while others read: %v", err)
		}
	})
}

func TestRowsAddedDuringAList(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		want := fillOutbox(t, s, store.ListBatch+5)
		var got []string
		for m, err := range s.Outbox(t.Context(), "") {
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 0 {
				for id, at := range map[string]time.Time{"before": noon.Add(time.Hour), "behind": noon.Add(-time.Hour)} {
					if err := s.AddOutbox(t.Context(), store.OutboxMessage{ID: id, CreatedAt: at}); err != nil {
						t.Fatal(err)
					}
				}
			}
			got = append(got, m.ID)
		}
		if !slices.Equal(got, append(want, "behind")) {
			t.Errorf("read %d rows, the last %s", len(got), got[len(got)-1])
		}
	})
}

func TestListEndsWithTheFirstError(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		fillOutbox(t, s, 2*store.ListBatch)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		read, faults := 0, []error(nil)
		for _, err := range s.Outbox(ctx, "") {
			if err != nil {
				faults = append(faults, err)
				continue
			}
			read++
			cancel()
		}
		if read != store.ListBatch || len(faults) != 1 || !strings.HasPrefix(faults[0].Error(), "list outbox: ") {
			t.Errorf("%d rows, then %v", read, faults)
		}
	})
}

func TestListPages(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		all := fillOutbox(t, s, 25)
		var of5 []string
		for _, id := range all {
			if (int(id[3]-'0')*10+int(id[4]-'0'))%5 == 0 {
				of5 = append(of5, id)
			}
		}
		for _, row := range []struct {
			sentence, to string
			most         int
			want         [][]string
		}{
			{"the last page may be shorter", "", 10, [][]string{all[:10], all[10:20], all[20:]}},
			{"no empty page follows a full one", "", 25, [][]string{all}},
			{"a page has one row at least", "asha@example.com", -3, [][]string{of5[:1], of5[1:2], of5[2:3], of5[3:4], of5[4:]}},
			{"a page is of its scope alone", "asha@example.com", 3, [][]string{of5[:3], of5[3:]}},
			{"nothing is one page", "nobody@example.com", 3, [][]string{nil}},
		} {
			var got [][]string
			for cursor := ""; ; {
				page, next, err := s.OutboxPage(t.Context(), row.to, cursor, row.most)
				if err != nil {
					t.Fatalf("%s: %v", row.sentence, err)
				}
				got = append(got, idsOf(page))
				if cursor = next; next == "" {
					break
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(row.want) {
				t.Errorf("%s: %v, want %v", row.sentence, got, row.want)
			}
		}
	})
}

func TestPageSizeIsLimited(t *testing.T) {
	s := storetest.Open(t, storetest.SQLite(t))
	fillOutbox(t, s, 201)
	page, next, err := s.OutboxPage(t.Context(), "", "", 100_000)
	if len(page) != 200 || next == "" || err != nil {
		t.Errorf("%d rows, next %q, %v", len(page), next, err)
	}
}

func TestCursorIsOpaqueAndBoundToItsList(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		fillOutbox(t, s, 25)
		_, cursor, err := s.OutboxPage(t.Context(), "", "", 3)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := base64.RawStdEncoding.DecodeString(cursor)
		if err != nil || strings.Contains(string(raw), "000") {
			t.Errorf("the cursor tells of the row: %q, %v", raw, err)
		}
		changed := slices.Clone(raw)
		changed[len(changed)/2] ^= 1
		another, err := store.Open(t.Context(), store.Config{URL: url, Secret: []byte(strings.Repeat("x", 32))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = another.Close() })
		for _, row := range []struct {
			sentence, to, cursor string
			of                   *store.Store
		}{
			{"of another receiver's list", "asha@example.com", cursor, s},
			{"of another list", "", store.Cursor(s, "messages", "", `[1,"00001"]`), s},
			{"of a version with another order", "", store.Cursor(s, "outbox", "", `["00001"]`), s},
			{"with a number that is none", "", store.Cursor(s, "outbox", "", `[1.5,"00001"]`), s},
			{"with something else", "", store.Cursor(s, "outbox", "", `{}`), s},
			{"of another secret", "", cursor, another},
			{"changed by a bit", "", base64.RawStdEncoding.EncodeToString(changed), s},
			{"made up", "", "10", s},
			{"no text of ours", "", "'; DROP TABLE outbox; --", s},
		} {
			page, next, err := row.of.OutboxPage(t.Context(), row.to, row.cursor, 3)
			problem := admission.AsProblem(err)
			if problem == nil || problem.Kind != admission.NotFound || problem.Message != "This page of the list does not exist." || page != nil || next != "" {
				t.Errorf("a cursor %s: %v, %q, %v", row.sentence, page, next, err)
			}
		}
	})
}
