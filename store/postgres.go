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
	// SmallestPool is the minimum number of connections to PostgreSQL: one slow query would block a site with a single one.
	SmallestPool = 2

	defaultPool    = 16
	connectTimeout = 5 * time.Second
)

// The settings of every connection, which parameters of the database's URL override (postgres://…?lock_timeout=1s). Without
// them one forgotten lock would block the whole pool.
var (
	defaultSettings = map[string]string{
		"lock_timeout":      "4s",
		"statement_timeout": "5s",
		// Ends the transactions of a frozen or disconnected process, whose locks PostgreSQL would hold for hours.
		"idle_in_transaction_session_timeout": "60s",
	}
	migrationSettings = map[string]string{"lock_timeout": "0", "statement_timeout": "0"}
)

type postgresDatabase struct {
	pool  *sql.DB
	gorm  *gorm.DB
	pings *sql.DB // one connection, so that Ping works with an exhausted pool
}

func openPostgres(ctx context.Context, url string, pool int, create bool) (_ *postgresDatabase, err error) {
	if create {
		if err := migratePostgres(ctx, url); err != nil {
			return nil, err
		}
	}
	d := &postgresDatabase{}
	if d.pool, err = connectPostgres(url, pool, defaultSettings); err != nil {
		return nil, err
	}
	if d.pings, err = connectPostgres(url, 1, defaultSettings); err != nil {
		return nil, err
	}
	// pgx prepares statements itself, for each connection.
	if d.gorm, err = gorm.Open(gormpostgres.New(gormpostgres.Config{Conn: d.pool}), gormConfig()); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// connectPostgres returns a pool of at most limit connections, opened on demand.
func connectPostgres(url string, limit int, settings map[string]string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	for name, value := range settings {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
	config.RuntimeParams["synchronous_commit"] = "on" // a committed change survives a crash
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(limit)
	pool.SetMaxIdleConns(limit)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool, nil
}

// migratePostgres migrates on its own connections, without timeouts.
func migratePostgres(ctx context.Context, url string, options ...goose.ProviderOption) error {
	pool, err := connectPostgres(url, 2, migrationSettings)
	if err != nil {
		return err
	}
	locker, err := sessionLock()
	if err == nil {
		err = migrate(ctx, goose.DialectPostgres, pool, append(options, locker)...)
	}
	return errors.Join(err, pool.Close())
}

func (d *postgresDatabase) view(ctx context.Context, work func(*gorm.DB) error) error {
	return d.gorm.WithContext(ctx).Transaction(work, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

func (d *postgresDatabase) outside(ctx context.Context) *gorm.DB { return d.gorm.WithContext(ctx) }

func (d *postgresDatabase) removeTimeout(db *gorm.DB) error {
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
