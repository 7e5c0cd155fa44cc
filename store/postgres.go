package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"
)

const (
	connections    = 16
	connectTimeout = 5 * time.Second
)

type postgresDatabase struct {
	pool *sql.DB
	gorm *gorm.DB
}

func openPostgres(ctx context.Context, url string, create bool) (_ *postgresDatabase, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	config.RuntimeParams["synchronous_commit"] = "on" // an answer that says "saved" waits for the disk
	d := &postgresDatabase{pool: sql.OpenDB(&pipelines{Connector: stdlib.GetConnector(*config)})}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.pool.Close())
		}
	}()
	d.pool.SetMaxOpenConns(connections)
	d.pool.SetMaxIdleConns(connections)
	d.pool.SetConnMaxIdleTime(5 * time.Minute)
	if create {
		locker, err := oneAtATime()
		if err != nil {
			return nil, err
		}
		if err := migrate(ctx, goose.DialectPostgres, d.pool, locker); err != nil {
			return nil, err
		}
	}
	// pgx prepares statements itself, for each connection.
	d.gorm, err = gorm.Open(gormpostgres.New(gormpostgres.Config{Conn: d.pool}), gormConfig())
	return d, err
}

func (d *postgresDatabase) update(ctx context.Context, work func(*gorm.DB) error) error {
	return d.transaction(ctx, work, nil)
}

func (d *postgresDatabase) view(ctx context.Context, work func(*gorm.DB) error) error {
	return d.transaction(ctx, work, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

func (d *postgresDatabase) transaction(ctx context.Context, work func(*gorm.DB) error, options *sql.TxOptions) error {
	return translatedCommit(d.gorm.WithContext(ctx).Transaction(work, options))
}

func (d *postgresDatabase) backup(context.Context, string) error {
	return errors.New("a PostgreSQL database is backed up with pg_dump")
}

func (d *postgresDatabase) close() error { return d.pool.Close() }

// translatedCommit says in GORM's words what a statement that waited was refused for; GORM itself does so only for
// the statements that it waits for.
func translatedCommit(err error) error {
	if failure, ok := err.(*pgconn.PgError); ok {
		return gormpostgres.Dialector{}.Translate(failure)
	}
	return err
}
