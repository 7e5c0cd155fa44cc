package store

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// Together sends what work writes in one round trip to PostgreSQL when work ends; the errors of its statements come then.
// Work must read nothing, and write with methods that use tx.write. SQLite is in our process: there work just runs.
func (t *tx) Together(work func() error) error {
	if t.connection == nil {
		return work()
	}
	t.batch = &pgx.Batch{}
	defer func() { t.batch = nil }()
	if err := work(); err != nil {
		return err
	}
	err := t.connection.Raw(func(driver any) error {
		return driver.(*stdlib.Conn).Conn().SendBatch(t.db.Statement.Context, t.batch).Close()
	})
	if translator, ok := t.db.Dialector.(gorm.ErrorTranslator); ok && err != nil {
		return translator.Translate(err)
	}
	return err
}

// write runs a statement, or within Together adds it to the batch.
func (t *tx) write(statement func(*gorm.DB) *gorm.DB) error {
	if t.batch == nil {
		return statement(t.db).Error
	}
	built := statement(t.db.Session(&gorm.Session{DryRun: true}))
	if built.Error == nil {
		t.batch.Queue(built.Statement.SQL.String(), built.Statement.Vars...)
	}
	return built.Error
}
