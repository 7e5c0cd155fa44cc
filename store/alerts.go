package store

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// lastingAlerts defines when an alert is over: it was last raised longer ago than within, and its trouble does not exist (while). what is the
// alert's text, or its beginning if it ends in a space. In while, about is the rest of the text, and last the time of the last alert.
var lastingAlerts = []struct {
	what   string
	within time.Duration
	while  string // condition; "" for none
}{
	{"a service does not answer: ", 2 * time.Minute, ""}, // each copy repeats it
	{"database does not answer or cannot write", 10 * time.Minute, ""},
	{"payment in review: amount or currency differ", time.Minute, "EXISTS (SELECT 1 FROM transactions WHERE state = 'review')"},
	{"refund failed", time.Minute, `EXISTS (SELECT 1 FROM transactions WHERE state IN ('refund_due', 'review', 'paid') AND refund_failed)
		OR EXISTS (SELECT 1 FROM refunds f JOIN transactions t ON t.id = f.txn_id WHERE f.payment_id <> t.payment_id AND f.state IN ('failed', 'bounced')
			AND NOT EXISTS (SELECT 1 FROM refunds g WHERE g.txn_id = f.txn_id AND g.payment_id = f.payment_id AND g.state NOT IN ('failed', 'bounced')))`},
	{"refund not completed seven days after it was accepted", time.Minute, "EXISTS (SELECT 1 FROM refunds WHERE state = 'accepted' AND alerted_at > 0)"},
	{"job failed permanently: ", time.Minute, "EXISTS (SELECT 1 FROM jobs WHERE kind = about AND dead_at > 0)"},
	{"job keeps failing: ", time.Minute, "EXISTS (SELECT 1 FROM jobs WHERE kind = about AND dead_at = 0 AND attempts >= 10)"},
	{"a paper waits: no font has a character of it", time.Minute, "EXISTS (SELECT 1 FROM papers WHERE NOT printed AND caused_at <= last)"},
}

// alertLife is how long an alert stays open after the last time if nothing in the database shows its trouble. Some are raised once a day.
const alertLife = 36 * time.Hour

// RenewAlerts stores how often alerts were raised (0: their trouble goes on) and which were ended, closes those whose trouble is over, and returns the open ones
// with how often each was raised.
func (s *Store) RenewAlerts(ctx context.Context, raised map[string]int64, ended []string, now time.Time) (open map[string]int64, err error) {
	var over []alertRow
	read := func(t *tx) (err error) {
		open, over, err = t.alerts(now)
		return err
	}
	if len(raised)+len(ended) == 0 {
		if err := s.view(ctx, read); err != nil || len(over) == 0 {
			return open, wrap("renew alerts", err)
		}
	}
	err = s.update(ctx, func(t *tx) error {
		for _, what := range slices.Sorted(maps.Keys(raised)) { // in one order, as other copies do this too
			times := raised[what]
			if err := t.exec(`INSERT INTO alerts (what, times, raised_at) VALUES (?, ?, ?)
				ON CONFLICT (what) DO UPDATE SET times = alerts.times + ?, raised_at = excluded.raised_at`, what, max(times, 1), toMicros(now), times); err != nil {
				return err
			}
		}
		for _, what := range ended {
			if err := t.exec("DELETE FROM alerts WHERE what = ?", what); err != nil {
				return err
			}
		}
		if err := read(t); err != nil {
			return err
		}
		for _, row := range over {
			if err := t.exec("DELETE FROM alerts WHERE what = ? AND raised_at = ?", row.What, row.RaisedAt); err != nil { // unless it was raised again
				return err
			}
		}
		return nil
	})
	return open, wrap("renew alerts", err)
}

type alertRow struct {
	What            string
	Times, RaisedAt int64
}

// alerts returns the open alerts, and those that are over.
func (t *tx) alerts(now time.Time) (open map[string]int64, over []alertRow, err error) {
	var rows []alertRow
	if err := t.db.Raw("SELECT what, times, raised_at FROM alerts ORDER BY what").Scan(&rows).Error; err != nil {
		return nil, nil, err
	}
	open = map[string]int64{}
	for _, row := range rows {
		within, while, about := alertLife, "", ""
		for _, one := range lastingAlerts {
			if rest, is := strings.CutPrefix(row.What, one.what); is && (rest == "" || strings.HasSuffix(one.what, " ")) {
				within, while, about = one.within, one.while, rest
			}
		}
		lasts := row.RaisedAt > toMicros(now.Add(-within))
		if !lasts && while != "" {
			if err := t.db.Raw("SELECT "+while+" FROM (SELECT CAST(? AS TEXT) AS about, CAST(? AS BIGINT) AS last) AS alert", about, row.RaisedAt).Scan(&lasts).Error; err != nil {
				return nil, nil, err
			}
		}
		if lasts {
			open[row.What] = row.Times
		} else {
			over = append(over, row)
		}
	}
	return open, over, nil
}
