package main

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"hiresure/admission"
)

// Registrations in the large and the small database, and those of the account.
const (
	manyRegistrations = 1_000_000
	fewRegistrations  = 1_000
	ownRegistrations  = 20
)

// registrations compares My Registrations of an account with 20 among a million with the same among a thousand.
func (b *bench) registrations(s *setup) (err error) {
	if *only != "" && *only != "registrations" {
		return nil
	}
	full, fullToken, err := b.siteWith(s, manyRegistrations)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, full.end()) }()
	small, smallToken, err := b.siteWith(s, fewRegistrations)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, small.end()) }()
	for _, of := range []struct{ what, path string }{
		{"My Registrations", "/hiresure/registration"},
		{"my-registration", "/v2scholarship/v1/my-registration?limit=10&page=2"},
	} {
		pairing := pairing{
			site: server{full, always(getAs(full.addr, of.path, fullToken))}, bare: server{small, always(getAs(small.addr, of.path, smallToken))}, clients: 4,
		}
		result, err := pairing.run()
		if err != nil {
			return fmt.Errorf("%s: %w", of.what, err)
		}
		b.table.compare(of.what+", "+s.name+", a million beside a thousand", "requests/s", result.perSecond, atLeast(0.5))
	}
	return nil
}

// siteWith starts a site with a number of registrations, and returns it with the token of a signed-in session.
func (b *bench) siteWith(s *setup, registrations int) (site *process, token string, err error) {
	url, err := s.newURL()
	if err != nil {
		return nil, "", err
	}
	if site, err = b.startSite(s, url, fmt.Sprint(registrations)); err != nil {
		return nil, "", err
	}
	token = admission.NewToken()
	if err := inDatabase(url, func(db *sql.DB) error { return fill(db, registrations, admission.HashToken(token)) }); err != nil {
		return nil, "", errors.Join(err, site.end())
	}
	return site, token, nil
}

// The statements that fill a database: $1 is the number of registrations, of which each $2-th is the account's.
const (
	fillRegistrations = `INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college,
			referral_code, coupon_code, adult, guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, account_id)
		WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < CAST($1 AS BIGINT))
		SELECT 'bench' || CAST(i AS TEXT), 'hiresure-mgrow-2025', 'KS_Mgrow', 'KS_Mgrow_2025', 'Asha Rao', 'asha' || CAST(i AS TEXT) || '@example.com',
			'+91' || CAST(6000000000 + i AS TEXT), 'Data_Analytics', '29', '', '', '', TRUE, '', '', 7, '', '2026', '', i, FALSE, i, i,
			CASE WHEN i % CAST($2 AS BIGINT) = 0 THEN 'asker' ELSE 'account' || CAST(i / 3 AS TEXT) END FROM n`
	fillAccount = `INSERT INTO accounts (id, full_name, email, email_proven_at, phone, phone_proven_at, created_at, modified_at)
		VALUES ('asker', 'Asha Rao', 'asha@example.com', 0, '+919876543210', 1, 1, 1)`
	fillSession = `INSERT INTO sessions (id, token_hash, human_until, proven, requests, registered, expires_at, account_id, signed_in_at)
		VALUES ('asker', $1, 0, '{}', '[]', '[]', $2, 'asker', 1)`
)

// inDatabase runs work on a site's database.
func inDatabase(url string, work func(*sql.DB) error) (err error) {
	driver, address := "pgx", url
	if file, is := strings.CutPrefix(url, "sqlite://"); is {
		driver, address = "sqlite", "file:"+file+"?_pragma=busy_timeout(60000)"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return work(db)
}

func fill(db *sql.DB, registrations int, tokenHash string) error {
	for _, fill := range []struct {
		statement string
		args      []any
	}{
		{fillRegistrations, []any{registrations, registrations / ownRegistrations}},
		{fillAccount, nil},
		{fillSession, []any{tokenHash, time.Now().AddDate(1, 0, 0).UnixMicro()}},
		{"ANALYZE", nil}, // as databases do by themselves later
	} {
		if _, err := db.Exec(fill.statement, fill.args...); err != nil {
			return fmt.Errorf("fill the database: %w", err)
		}
	}
	return nil
}

// getAs is get with a session's cookie.
func getAs(addr, path, token string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: " + addr + "\r\nAccept: text/html\r\nAccept-Encoding: br\r\nCookie: hiresure=" + token + "\r\nUser-Agent: bench\r\n\r\n")
}
