package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	gormpostgres "gorm.io/driver/postgres"
	"gorm.io/gorm"
)

const (
	// SmallestPool is the least number of connections to PostgreSQL: a site on one would stand still behind one slow question.
	SmallestPool = 2

	defaultPool    = 16
	connectTimeout = 5 * time.Second
)

// These are the settings of every connection, in PostgreSQL's own words; the database's URL may say otherwise
// (postgres://…?lock_timeout=1s). Without them one forgotten lock would take the whole pool, for as long as it is held.
var (
	everyday = map[string]string{
		"lock_timeout":      "5s",
		"statement_timeout": "10s",
		// Of a process that was frozen or cut off: PostgreSQL would wait for it for hours, with its locks held.
		"idle_in_transaction_session_timeout": "60s",
	}
	migrating = map[string]string{"lock_timeout": "0", "statement_timeout": "0"}
)

type postgresDatabase struct {
	pool  *sql.DB
	gorm  *gorm.DB
	pings *sql.DB // one connection, so that a full pool does not make us look dead
}

func openPostgres(ctx context.Context, url string, pool int, create bool) (_ *postgresDatabase, err error) {
	if create {
		if err := migratePostgres(ctx, url); err != nil {
			return nil, err
		}
	}
	d := &postgresDatabase{}
	if d.pool, err = connectPostgres(url, pool, everyday); err != nil {
		return nil, err
	}
	if d.pings, err = connectPostgres(url, 1, everyday); err != nil {
		return nil, err
	}
	// pgx prepares statements itself, for each connection.
	if d.gorm, err = gorm.Open(gormpostgres.New(gormpostgres.Config{Conn: d.pool}), gormConfig()); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// connectPostgres returns a pool of at most so many connections, which are opened when they are needed.
func connectPostgres(url string, most int, settings map[string]string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	for name, value := range settings {
		if _, said := config.RuntimeParams[name]; !said {
			config.RuntimeParams[name] = value
		}
	}
	config.RuntimeParams["synchronous_commit"] = "on" // an answer that says "saved" waits for the disk
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(most)
	pool.SetMaxIdleConns(most)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool, nil
}

// migratePostgres has connections of its own: a migration may take long.
func migratePostgres(ctx context.Context, url string, options ...goose.ProviderOption) error {
	pool, err := connectPostgres(url, 2, migrating)
	if err != nil {
		return err
	}
	locker, err := oneAtATime()
	if err == nil {
		err = migrate(ctx, goose.DialectPostgres, pool, append(options, locker)...)
	}
	return errors.Join(err, pool.Close())
}

func (d *postgresDatabase) view(ctx context.Context, work func(*gorm.DB) error) error {
	return d.gorm.WithContext(ctx).Transaction(work, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

func (d *postgresDatabase) outside(ctx context.Context) *gorm.DB { return d.gorm.WithContext(ctx) }

func (d *postgresDatabase) takeTime(db *gorm.DB) error {
	return db.Exec("SET LOCAL statement_timeout = 0").Error
}

func (d *postgresDatabase) ping(ctx context.Context) error {
	_, err := d.pings.ExecContext(ctx, "SELECT 1")
	return err
}

func (d *postgresDatabase) backup(context.Context, string) error {
	return errors.New("a PostgreSQL database is backed up with pg_dump")
}

func (d *postgresDatabase) close() error { return errors.Join(d.pool.Close(), d.pings.Close()) }
