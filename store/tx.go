package store

import (
	"strings"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// tx is one transaction, as every area sees it: a file an area.
type tx struct {
	db     *gorm.DB
	sealer sealer
	locks  bool     // this transaction changes things, beside others that do
	again  bool     // not the first try
	jobs   []string // kinds of the jobs that it added

	writes *gorm.DB   // what write runs its statements on: db, which refuses all others in a Write
	batch  *pgx.Batch // of a Write to PostgreSQL; nil: statements run at once
}

// locked returns db with the rows it finds locked until the transaction ends. In a View it only reads.
func (t *tx) locked() *gorm.DB {
	if !t.locks {
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

// unlessThere makes an INSERT that changes nothing where an equal row stands.
func unlessThere(db *gorm.DB) *gorm.DB { return db.Clauses(clause.OnConflict{DoNothing: true}) }

// addOrChange is an INSERT that becomes an UPDATE where the id stands.
func addOrChange(db *gorm.DB) *gorm.DB {
	return db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, UpdateAll: true})
}

// change writes every column of a row that stands.
func change[Row any](db *gorm.DB, row *Row) error {
	return db.Model(row).Select("*").Updates(row).Error
}

// lock keeps other changes that lock the same name waiting until the transaction ends. It is for what has no row yet.
// SQLite has one writer at a time anyhow.
func (t *tx) lock(name string) error {
	if !t.locks {
		return nil
	}
	return t.db.Exec("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name).Error
}

// text makes what a browser sent fit for PostgreSQL, which takes neither invalid UTF-8 nor NUL.
func text(sent string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(sent, "\uFFFD"), "\x00", "\uFFFD")
}
