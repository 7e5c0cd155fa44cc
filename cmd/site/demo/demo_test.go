package demo_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
	"hiresure/admission/office"
	"hiresure/admission/staff"
	"hiresure/admission/status"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/demo"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/sitetest"
	"hiresure/store/storetest"
	"hiresure/web"
)

func TestMain(m *testing.M) { sitetest.Main(m) }

// fill fills a new database at a time and returns its site and what was printed.
func fill(t *testing.T, now time.Time) (*site.Site, *config.Config, string) {
	t.Helper()
	cfg, _ := sitetest.Development(t)
	var out bytes.Buffer
	if err := demo.Fill(t.Context(), cfg, now, &out); err != nil {
		t.Fatal(err)
	}
	s, err := site.Build(t.Context(), site.Options{Config: cfg, Log: slog.New(slog.DiscardHandler), Clock: func() time.Time { return now.Add(time.Second) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.WithoutCancel(t.Context())) })
	return s, cfg, out.String()
}

// counts counts the rows of a query by its first columns.
func counts(t *testing.T, cfg *config.Config, query string) map[string]int {
	t.Helper()
	rows, err := storetest.SQL(t, cfg.DatabaseURL, "query_only(1)").Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]int{}
	for rows.Next() {
		var what string
		var n int
		if err := rows.Scan(&what, &n); err != nil {
			t.Fatal(err)
		}
		found[what] = n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

const byPhase = "SELECT CASE event_code WHEN 'hiresure' THEN 'application ' ELSE 'enrolment ' END || phase AS what, COUNT(*) FROM registrations GROUP BY what"

// expectVerified expects site verify to find nothing.
func expectVerified(t *testing.T, s *site.Site) {
	t.Helper()
	if err := s.Office.Verify(t.Context(), func(difference string) { t.Error(difference) }); err != nil {
		t.Error(err)
	}
}

func TestFillHasEveryState(t *testing.T) {
	now := time.Date(2026, 12, 1, 6, 30, 0, 0, time.UTC)
	s, cfg, said := fill(t, now)
	if !regexp.MustCompile(`^\n  Demo        adds \d+ people, 300 registrations and \d+ documents in \d+ s\n$`).MatchString(said) {
		t.Errorf("printed %q", said)
	}
	expectVerified(t, s)
	found := counts(t, cfg, byPhase)
	for _, product := range []enrol.Product{enrol.ProductEnrolment, enrol.ProductApplication} {
		for _, phase := range status.Phases {
			ofDate := phase == status.Closed || phase == status.EventOver // see below
			if status.Has(product, phase) && !ofDate && found[fmt.Sprintf("%s %s", product, phase)] == 0 {
				t.Errorf("no %s is in %s", product, phase)
			}
		}
	}
	steps := counts(t, cfg, "SELECT CAST(step AS TEXT), COUNT(*) FROM registrations WHERE event_code = 'hiresure' GROUP BY step")
	for _, step := range enrol.Steps[1:] {
		if steps[strconv.Itoa(int(step))] == 0 {
			t.Errorf("no application is at step %d", step)
		}
	}
	all, err := s.Office.CountRegistrations(t.Context(), office.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range enrol.Steps[1:] {
		r := enrol.Registration{Step: step}
		if all[0].ByStatus[r.Status()] == 0 {
			t.Errorf("no registration is %s", r.Status())
		}
	}
	cases, err := s.Office.Cases(t.Context(), staff.Roles())
	if err != nil {
		t.Fatal(err)
	}
	waiting, taken, oldest := map[office.CaseKind]int{}, 0, time.Duration(0)
	for _, c := range cases {
		waiting[c.Kind]++
		if c.OwnerID != "" {
			taken++
		}
		if c.Kind == office.NoAnswer {
			oldest = max(oldest, now.Sub(c.Since))
		}
	}
	for _, kind := range []office.CaseKind{office.NoAnswer, office.InReview, office.Disputed, office.RefundFailed, office.ToApprove, office.Undelivered} {
		if waiting[kind] == 0 {
			t.Errorf("nothing waits as %q: %v", kind, waiting)
		}
	}
	if taken == 0 || taken == len(cases) || oldest < 26*time.Minute {
		t.Errorf("%d of %d cases are taken, a payment waits for %s", taken, len(cases), oldest)
	}
	for _, table := range []string{"enquiries", "grievances", "staff_notes", "documents", "invoices", "credit_notes", "outbox"} {
		if counts(t, cfg, "SELECT 'all', COUNT(*) FROM "+table)["all"] == 0 {
			t.Errorf("%s is empty", table)
		}
	}
	door := sitetest.Get(s, web.StaffSignInPath).Body.String()
	accounts, err := s.Business.Staff.Accounts(t.Context())
	if err != nil || len(accounts) != 3 {
		t.Errorf("%d accounts, %v", len(accounts), err)
	}
	for _, a := range accounts {
		if !strings.Contains(door, a.Name) {
			t.Errorf("nobody becomes %s at a press", a.Name)
		}
	}

	var again bytes.Buffer
	if err := demo.Fill(t.Context(), cfg, now, &again); err != nil || again.String() != "\n  Demo        adds nothing: the database has registrations\n" {
		t.Errorf("filled again: %q, %v", again.String(), err)
	}
	if after := counts(t, cfg, byPhase); !maps.Equal(after, found) {
		t.Errorf("filled again: %v, before %v", after, found)
	}
}

func TestFillIsRefused(t *testing.T) {
	cfg, _ := sitetest.Development(t)
	cfg.AppEnv = "production"
	want := "--demo adds invented people and payments: it is refused with APP_ENV=production"
	if err := demo.Fill(t.Context(), cfg, time.Now(), io.Discard); err == nil || err.Error() != want {
		t.Errorf("in production: %v", err)
	}
	if _, err := os.Stat(filepath.Join(cfg.DataDir, "hiresure.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in production there is a database: %v", err)
	}
}
