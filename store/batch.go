package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

var errAsks = errors.New("a Write asks the database something")

// refusing returns a db whose statements all fail.
func refusing(db *gorm.DB) *gorm.DB {
	db = db.Session(&gorm.Session{})
	db.Error = errAsks
	return db
}

// write runs a statement whose outcome is not looked at. In a Write to PostgreSQL it is added to the batch, and its error is
// the batch's.
func (t *tx) write(statement func(*gorm.DB) *gorm.DB) error {
	ran := statement(t.writes)
	if t.batch != nil && ran.Error == nil {
		t.batch.Queue(ran.Statement.SQL.String(), ran.Statement.Vars...)
	}
	return ran.Error
}

// exec is write for a statement in SQL.
func (t *tx) exec(sql string, values ...any) error {
	return t.write(func(db *gorm.DB) *gorm.DB { return db.Exec(sql, values...) })
}

// write sends what work puts into the batch in one round trip, which PostgreSQL runs as one transaction.
func (d *postgresDatabase) write(ctx context.Context, work func(*gorm.DB, *pgx.Batch) error) error {
	var batch pgx.Batch
	if err := work(d.gorm.Session(&gorm.Session{Context: ctx, DryRun: true}), &batch); err != nil || batch.Len() == 0 {
		return err
	}
	connection, err := d.pool.Conn(ctx)
	if err != nil {
		return err
	}
	err = connection.Raw(func(driver any) error {
		return driver.(*stdlib.Conn).Conn().SendBatch(ctx, &batch).Close()
	})
	if translator, ok := d.gorm.Dialector.(gorm.ErrorTranslator); ok {
		err = translator.Translate(err)
	}
	return errors.Join(err, connection.Close())
}
