package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hiresure/admission/enrol"
)

// tx is a transaction of all areas. Each area has its own file.
type tx struct {
	db      *gorm.DB
	sealer  sealer
	isRetry bool                           // this is a retry
	jobs    []string                       // kinds of the added jobs
	phases  map[string]*enrol.Registration // by id, the registrations whose phases may change; see markChanged

	batch *pgx.Batch // queued statements of an update on PostgreSQL; nil: statements run at once and lock nothing
}

// write runs a statement whose result is not needed. PostgreSQL queues it, and the next other statement or the commit returns
// its error.
func (t *tx) write(statement func(*gorm.DB) *gorm.DB) error {
	if t.batch == nil {
		return statement(t.db).Error
	}
	written := statement(t.db.Session(&gorm.Session{DryRun: true}))
	if written.Error == nil {
		t.batch.Queue(written.Statement.SQL.String(), written.Statement.Vars...)
	}
	return written.Error
}

// exec is write for a statement in SQL.
func (t *tx) exec(sql string, values ...any) error {
	return t.write(func(db *gorm.DB) *gorm.DB { return db.Exec(sql, values...) })
}

// execCount runs a statement and returns the number of changed rows.
func (t *tx) execCount(sql string, values ...any) (int64, error) {
	done := t.db.Exec(sql, values...)
	return done.RowsAffected, done.Error
}

// add is write for a new row.
func add[Row any](t *tx, row *Row) error {
	return t.writeUse(row, func(db *gorm.DB) *gorm.DB { return db.Create(row) })
}

// addIfAbsent is write for a new row unless its key exists.
func addIfAbsent[Row any](t *tx, row *Row) error {
	return t.write(func(db *gorm.DB) *gorm.DB { return db.Clauses(clause.OnConflict{DoNothing: true}).Create(row) })
}

// upsert is write for a new or existing row, by the columns of its key.
func upsert[Row any](t *tx, row *Row, key ...string) error {
	var columns []clause.Column
	for _, name := range key {
		columns = append(columns, clause.Column{Name: name})
	}
	return t.writeUse(row, func(db *gorm.DB) *gorm.DB {
		return db.Clauses(clause.OnConflict{Columns: columns, UpdateAll: true}).Create(row)
	})
}

// save is write for all columns of an existing row.
func save[Row any](t *tx, row *Row) error {
	return t.writeUse(row, func(db *gorm.DB) *gorm.DB { return db.Model(row).Select("*").Updates(row) })
}

// locked returns a db that locks the rows it finds until the transaction ends. In a View it only reads.
func (t *tx) locked() *gorm.DB {
	if t.batch == nil {
		return t.db
	}
	return t.db.Clauses(clause.Locking{Strength: "UPDATE"})
}

// find returns the first row, or nil.
func find[Row any](db *gorm.DB, where string, args ...any) (*Row, error) {
	return ask[Row](db.Where(where, args...).Limit(1)).found()
}

// An asked query finds a row, or all rows if Result is a slice.
type asked[Result any] struct {
	query  *gorm.DB
	result Result
}

// ask starts a query. An update on PostgreSQL queues it: all queries asked before the first is needed take one round trip.
func ask[Result any](query *gorm.DB) *asked[Result] {
	a := &asked[Result]{}
	t, queues := query.Statement.ConnPool.(*postgresTx)
	if !queues {
		a.query = query.Find(&a.result)
		return a
	}
	a.query = query.Session(&gorm.Session{DryRun: true}).Find(&a.result)
	if a.query.Error == nil {
		t.queued.Queue(a.query.Statement.SQL.String(), a.query.Statement.Vars...).Query(func(rows pgx.Rows) error {
			if rows.Err() == nil { // after an error they have no columns
				gorm.Scan(pgxRows{rows}, a.query, 0)
			}
			return cmp.Or(rows.Err(), a.query.Error)
		})
	}
	return a
}

// found returns what the query found, or nil.
func (a *asked[Result]) found() (*Result, error) {
	if t, queues := a.query.Statement.ConnPool.(*postgresTx); queues && a.query.Error == nil {
		_ = a.query.AddError(t.send(a.query.Statement.Context)) // translates the error
	}
	if a.query.Error != nil || a.query.RowsAffected == 0 {
		return nil, a.query.Error
	}
	return &a.result, nil
}

// findAs returns the first row converted by convert, which must accept nil.
func findAs[Row, T any](action string, db *gorm.DB, convert func(*Row) (*T, error), where string, args ...any) (*T, error) {
	row, err := find[Row](db, where, args...)
	if err != nil {
		return nil, wrap(action, err)
	}
	return convert(row)
}

// findAll returns all rows of a query, converted by convert.
func findAll[Row, T any](action string, query *gorm.DB, convert func(Row) T) (all []T, err error) {
	var rows []Row
	err = query.Find(&rows).Error
	for _, row := range rows {
		all = append(all, convert(row))
	}
	return all, wrap(action, err)
}

// lock locks a name until the transaction ends, for data without a row to lock. SQLite has one writer at a time anyway.
func (t *tx) lock(name string) error {
	if t.batch == nil {
		return nil
	}
	return t.exec("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name)
}

// text replaces invalid UTF-8 and NUL, which PostgreSQL rejects.
func text(sent string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(sent, "\uFFFD"), "\x00", "\uFFFD")
}

// eraseBatch limits the keys per statement of execInBatches.
const eraseBatch = 500

func (t *tx) execInBatches(keys []string, statement string, values map[string]any) error {
	for some := range slices.Chunk(keys, eraseBatch) {
		named := map[string]any{"keys": some}
		maps.Copy(named, values)
		if err := t.exec(statement, named); err != nil {
			return err
		}
	}
	return nil
}
