package store

import (
	"context"
	"database/sql"
	"time"
)

// QueueStats is the state of the job queue. A job is live until it is done or dead: a dead job has failed for good and waits
// for an operator.
type QueueStats struct {
	Waiting   int64         // live jobs that are due and not claimed
	Dead      int64         // dead jobs of every kind
	OldestDue time.Duration // how long the oldest of Waiting has been due; 0 without any

	// By channel, "sms" or "email": the number of unsent messages with a live job, and the age of the oldest. A channel without
	// such messages is absent.
	Unsent       map[string]int64
	OldestUnsent map[string]time.Duration
}

// QueueStats counts all jobs in one query.
func (s *Store) QueueStats(ctx context.Context, now time.Time) (QueueStats, error) {
	var rows []struct {
		Channel                                           string
		Waiting, Dead, OldestDue, Unsent, OldestCreatedAt int64
	}
	at := toMicros(now)
	err := s.view(ctx, func(t *tx) error {
		rows = nil
		return t.db.Raw(`SELECT COALESCE(m.channel, '') AS channel,
				SUM(CASE WHEN j.dead_at = 0 AND j.due_at <= ? THEN 1 ELSE 0 END) AS waiting,
				SUM(CASE WHEN j.dead_at = 0 THEN 0 ELSE 1 END) AS dead,
				MIN(CASE WHEN j.dead_at = 0 THEN j.due_at ELSE ? END) AS oldest_due,
				COUNT(m.id) AS unsent, COALESCE(MIN(m.created_at), 0) AS oldest_created_at
			FROM jobs j LEFT JOIN messages m ON m.id = j.ref AND m.sent_at = 0 AND j.dead_at = 0
			GROUP BY COALESCE(m.channel, '')`, at, at).Scan(&rows).Error
	})
	stats := QueueStats{Unsent: map[string]int64{}, OldestUnsent: map[string]time.Duration{}}
	for _, row := range rows {
		stats.Waiting += row.Waiting
		stats.Dead += row.Dead
		stats.OldestDue = max(stats.OldestDue, now.Sub(fromMicros(row.OldestDue)))
		if row.Channel != "" {
			stats.Unsent[row.Channel] = row.Unsent
			stats.OldestUnsent[row.Channel] = max(0, now.Sub(fromMicros(row.OldestCreatedAt)))
		}
	}
	return stats, wrap("count jobs", err)
}

// PoolStats returns the statistics of the connection pools by name: writer and readers on SQLite, connections on PostgreSQL.
func (s *Store) PoolStats() map[string]sql.DBStats {
	switch d := s.database.(type) {
	case *sqliteDatabase:
		return map[string]sql.DBStats{"writer": d.writing.Stats(), "readers": d.reading.Stats()}
	case *postgresDatabase:
		return map[string]sql.DBStats{"connections": d.pool.Stats()}
	}
	return nil
}

// MoneyStats counts what waits at a gateway, by its state, or WebhookState, and by age: hour (up to one), day or older.
type MoneyStats struct {
	Gateway, State, Age string
	Number              int64
}

// WebhookState is the state in MoneyStats of webhooks that were stored and not handled.
const WebhookState = "webhook"

// MoneyStats counts unsettled payments by the time since they were disputed, charged or created, and unhandled webhooks, in one query over two indexes.
func (s *Store) MoneyStats(ctx context.Context, now time.Time) (stats []MoneyStats, err error) {
	ages := map[string]any{"hour": toMicros(now.Add(-time.Hour)), "day": toMicros(now.Add(-day))}
	err = s.view(ctx, func(t *tx) error {
		return t.db.Raw(`SELECT gateway, state, CASE WHEN since >= @hour THEN 'hour' WHEN since >= @day THEN 'day' ELSE 'older' END AS age, COUNT(*) AS number
			FROM (
				SELECT gateway, state, CASE WHEN state = 'disputed' THEN disputed_at WHEN settled_at > 0 THEN settled_at ELSE created_at END AS since FROM transactions
					WHERE state IN ('created', 'pending', 'review', 'refund_due', 'refund_pending', 'disputed')
				UNION ALL SELECT gateway, '`+WebhookState+`', received_at FROM inbox WHERE handled_at = 0
			) AS waiting GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`, ages).Scan(&stats).Error
	})
	return stats, wrap("count money", err)
}
