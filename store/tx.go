package store

import (
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hiresure/admission/enrol"
)

// tx is one transaction, as every area sees it: a file an area.
type tx struct {
	db     *gorm.DB
	sealer sealer
	again  bool                           // not the first try
	jobs   []string                       // kinds of the jobs that it added
	phases map[string]*enrol.Registration // by id, the registrations whose phase it may change; see changed

	batch *pgx.Batch // of a change on PostgreSQL, beside which others run: what is queued; nil: statements run at once, and lock nothing
}

// write runs a statement whose outcome is not looked at. For PostgreSQL it is queued, and its error is that of the next
// statement which is not, or of the commit.
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

// add is write for a new row.
func add[Row any](t *tx, row *Row) error {
	return t.writeUse(row, func(db *gorm.DB) *gorm.DB { return db.Create(row) })
}

// addUnlessThere is write for a new row, which changes nothing where an equal one stands.
func addUnlessThere[Row any](t *tx, row *Row) error {
	return t.write(func(db *gorm.DB) *gorm.DB { return db.Clauses(clause.OnConflict{DoNothing: true}).Create(row) })
}

// addOrChange is write for a row that may stand, by the columns of its key.
func addOrChange[Row any](t *tx, row *Row, key ...string) error {
	var columns []clause.Column
	for _, name := range key {
		columns = append(columns, clause.Column{Name: name})
	}
	return t.writeUse(row, func(db *gorm.DB) *gorm.DB {
		return db.Clauses(clause.OnConflict{Columns: columns, UpdateAll: true}).Create(row)
	})
}

// change is write for every column of a row that stands.
func change[Row any](t *tx, row *Row) error {
	return t.writeUse(row, func(db *gorm.DB) *gorm.DB { return db.Model(row).Select("*").Updates(row) })
}

// locked returns db with the rows it finds locked until the transaction ends. In a View it only reads.
func (t *tx) locked() *gorm.DB {
	if t.batch == nil {
		return t.db
	}
	return t.db.Clauses(clause.Locking{Strength: "UPDATE"})
}

// find returns the first row, or nil.
func find[Row any](db *gorm.DB, where string, args ...any) (*Row, error) {
	var row Row
	found := db.Where(where, args...).Limit(1).Find(&row)
	if found.Error != nil || found.RowsAffected == 0 {
		return nil, found.Error
	}
	return &row, nil
}

// lock keeps other changes that lock the same name waiting until the transaction ends. It is for what has no row yet.
// SQLite has one writer at a time anyhow.
func (t *tx) lock(name string) error {
	if t.batch == nil {
		return nil
	}
	return t.exec("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name)
}

// text makes what a browser sent fit for PostgreSQL, which takes neither invalid UTF-8 nor NUL.
func text(sent string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(sent, "\uFFFD"), "\x00", "\uFFFD")
}
