package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"hiresure/admission/staff"
)

// actRow is a row of the log of staff. Its seal is an HMAC of the row and of the seal before it, so that nobody without the
// key can change, remove or insert a row unnoticed.
type actRow struct {
	N       int64     `gorm:"primaryKey;autoIncrement:false"` // 1, 2, 3, …
	At      time.Time `gorm:"serializer:micros"`
	Who     string
	Origin  string // staff.Act.From
	What    string
	Whom    string
	Was     string
	Becomes string // staff.Act.Is

	AccountID, SessionID, RequestID, Reason string
	Denied                                  bool

	Seal string
}

func (actRow) TableName() string { return "staff_log" }

func (r *actRow) act() staff.Act {
	return staff.Act{
		At: r.At, Who: r.Who, From: r.Origin, What: r.What, Whom: r.Whom, Was: r.Was, Is: r.Becomes,
		Account: r.AccountID, Session: r.SessionID, Request: r.RequestID, Reason: r.Reason, Denied: r.Denied,
	}
}

// sealOf returns the seal of a row after one with the seal before; "" for the first row.
func (s sealer) sealOf(before string, r *actRow) string {
	mac := hmac.New(sha256.New, s.logKey)
	fields := []string{before, strconv.FormatInt(r.N, 10), strconv.FormatInt(toMicros(r.At), 10), r.Who, r.Origin, r.What, r.Whom, r.Was, r.Becomes}
	if r.AccountID+r.SessionID+r.RequestID+r.Reason != "" || r.Denied { // rows from before migration 40 have none of these
		fields = append(fields, r.AccountID, r.SessionID, r.RequestID, r.Reason, strconv.FormatBool(r.Denied))
	}
	for _, field := range fields {
		fmt.Fprintf(mac, "%d:%s", len(field), field) // with its length, since fields may hold any character
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// LogAct appends a row. Whoever appends holds the first row's lock, so that numbers follow each other; two that begin the log at once have
// the same number, and one is tried again.
func (t *tx) LogAct(a staff.Act) error {
	if _, err := ask[actRow](t.locked().Where("n = 1")).found(); err != nil {
		return wrap("lock the staff log", err)
	}
	last, err := ask[actRow](t.db.Order("n DESC").Limit(1)).found()
	if err != nil {
		return wrap("find the end of the staff log", err)
	}
	row := actRow{
		N: 1, At: a.At.Truncate(time.Microsecond), Who: text(a.Who), Origin: text(a.From), What: a.What, Whom: text(a.Whom), Was: text(a.Was), Becomes: text(a.Is),
		AccountID: a.Account, SessionID: a.Session, RequestID: a.Request, Reason: text(a.Reason), Denied: a.Denied,
	}
	before := ""
	if last != nil {
		row.N, before = last.N+1, last.Seal
	}
	row.Seal = t.sealer.sealOf(before, &row)
	return wrap("log what staff did", add(t, &row))
}

var acts = list[actRow]{
	name: "staff log", columns: []string{"n"}, position: func(row *actRow) []any { return []any{row.N} },
}

// Acts returns the log of staff, oldest first. It ends with the first error.
func (s *Store) Acts(ctx context.Context) iter.Seq2[staff.Act, error] {
	all := acts.all(ctx, s, func(db *gorm.DB) *gorm.DB { return db })
	return mapRows(all, func(row actRow) (staff.Act, error) { return row.act(), nil })
}

// StaffActs walks the log downwards by number.
func (t *tx) StaffActs(f staff.ActFilter, before int64, limit int) ([]staff.NumberedAct, error) {
	query := t.db.Order("n DESC").Limit(limit)
	if before > 0 {
		query = query.Where("n < ?", before)
	}
	if f.Account != "" {
		query = query.Where("account_id = ?", f.Account)
	}
	if f.Denied {
		query = query.Where("denied")
	}
	if !f.Since.IsZero() {
		query = query.Where("at >= ?", toMicros(f.Since))
	}
	if f.Text != "" {
		part := "%" + likeLiteral(strings.ToLower(f.Text)) + "%"
		query = query.Where(`LOWER(who || ' ' || what || ' ' || whom || ' ' || was || ' ' || becomes || ' ' || reason || ' ' || request_id || ' ' || origin) LIKE ? ESCAPE '\'`, part)
	}
	return findAll("read the staff log", query, func(row actRow) staff.NumberedAct { return staff.NumberedAct{N: row.N, Act: row.act()} })
}

// checkActs reports changed, inserted and missing rows of the log, and what operators did by the timelines that the log does
// not have, which its end may have lost.
func (t *tx) checkActs(report func(string)) error {
	rows, err := t.db.Model(&actRow{}).Order("n").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	var last actRow
	for rows.Next() {
		var row actRow
		if err := t.db.ScanRows(rows, &row); err != nil {
			return err
		}
		switch missing := row.N - last.N - 1; {
		case missing == 1:
			report(fmt.Sprintf("staff log: row %d is missing", row.N-1))
		case missing > 1:
			report(fmt.Sprintf("staff log: rows %d to %d are missing", last.N+1, row.N-1))
		case row.Seal != t.sealer.sealOf(last.Seal, &row):
			report(fmt.Sprintf("staff log: row %d was changed or inserted", row.N))
		}
		last = row
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return t.check(bookCheck{
		sentence: "staff log: %v did “%v” to registration %v, which the log does not have",
		query: `SELECT e.who, e.what, e.registration_id FROM entries e WHERE e.who LIKE 'operator %' AND e.at > (SELECT MIN(at) FROM staff_log)
			AND NOT EXISTS (SELECT 1 FROM staff_log l WHERE l.who = e.who AND l.at = e.at) ORDER BY e.at, e.id`,
	}, report)
}
