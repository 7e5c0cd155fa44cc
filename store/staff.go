package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"strconv"
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
	Seal    string
}

func (actRow) TableName() string { return "staff_log" }

func (r *actRow) act() staff.Act {
	return staff.Act{At: r.At, Who: r.Who, From: r.Origin, What: r.What, Whom: r.Whom, Was: r.Was, Is: r.Becomes}
}

// sealOf returns the seal of a row after one with the seal before; "" for the first row.
func (s sealer) sealOf(before string, r *actRow) string {
	mac := hmac.New(sha256.New, s.logKey)
	for _, field := range []string{before, strconv.FormatInt(r.N, 10), strconv.FormatInt(toMicros(r.At), 10), r.Who, r.Origin, r.What, r.Whom, r.Was, r.Becomes} {
		fmt.Fprintf(mac, "%d:%s", len(field), field) // with its length, since fields may hold any character
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// LogAct appends a row. Two that append at once have the same number, and one is tried again.
func (t *tx) LogAct(a staff.Act) error {
	last, err := ask[actRow](t.locked().Order("n DESC").Limit(1)).found()
	if err != nil {
		return wrap("find the end of the staff log", err)
	}
	row := actRow{N: 1, At: a.At.Truncate(time.Microsecond), Who: a.Who, Origin: a.From, What: a.What, Whom: a.Whom, Was: a.Was, Becomes: a.Is}
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
