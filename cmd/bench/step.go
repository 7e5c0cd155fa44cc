package main

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"hiresure/admission"
)

// Applicants, each with an application, and how many save at the same time.
const (
	applicants = 500
	savingNow  = 8
)

// The statements that add an applicant at step 1: $1 is the ID of account, session and registration, $2 a phone, $3 the
// session token's hash.
const (
	fillApplicant = `INSERT INTO accounts (id, full_name, email, email_proven_at, phone, phone_proven_at, created_at, modified_at)
		VALUES ($1, 'Asha Rao', '', 0, $2, 1, 1, 1)`
	fillApplicantSession = `INSERT INTO sessions (id, token_hash, human_until, proven, requests, registered, expires_at, account_id, signed_in_at)
		VALUES ($1, $2, 0, '{}', '[]', '[]', $3, $1, 1)`
	fillApplication = `INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college,
			referral_code, coupon_code, adult, guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, account_id)
		VALUES ($1, 'hiresure', 'hiresure', '', 'Asha Rao', '', $2, '', '29', '', '', '', TRUE, '', '', 1, '', '', '', 0, FALSE, 1, 1, $1)`
)

// step compares saving a step and a draft of the application with a bare server that reads, locks and writes the same rows, on
// PostgreSQL in two round trips.
func (b *bench) step(s *setup) (err error) {
	if *only != "" && *only != "step" {
		return nil
	}
	both, err := b.startPair(s, "steps", bareSteps)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, both.end()) }()
	var tokens []string
	for range applicants {
		tokens = append(tokens, admission.NewToken())
	}
	for _, database := range []string{both.siteURL, both.bareURL} {
		if err := inDatabase(database, func(db *sql.DB) error { return fillApplicants(db, tokens) }); err != nil {
			return err
		}
	}
	for _, of := range []struct {
		what, path string
		target     target
	}{
		{"a step saved", savedPath, atLeast(s.steps)},
		{"a draft kept", keptPath, unjudged}, // sent every few seconds; nobody waits for it
	} {
		pairing := pairing{
			site: server{both.site, sendsPages(both.site.addr, of.path, tokens)}, bare: server{both.bare, sendsPages(both.bare.addr, of.path, tokens)}, clients: savingNow,
		}
		result, err := pairing.run()
		if err != nil {
			return fmt.Errorf("%s: %w", of.what, err)
		}
		b.table.compare(fmt.Sprintf("%s, %s, %d clients", of.what, s.name, savingNow), "saves/s", result.perSecond, of.target)
	}
	return nil
}

func fillApplicants(db *sql.DB, tokens []string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for n, token := range tokens {
		id, phone := applicantID(n), fmt.Sprintf("+91%d", 6_000_000_000+n)
		for _, fill := range []struct {
			statement string
			args      []any
		}{
			{fillApplicant, []any{id, phone}},
			{fillApplicantSession, []any{id, admission.HashToken(token), time.Now().AddDate(1, 0, 0).UnixMicro()}},
			{fillApplication, []any{id, phone}},
		} {
			if _, err := tx.Exec(fill.statement, fill.args...); err != nil {
				return errors.Join(fmt.Errorf("fill the database: %w", err), tx.Rollback())
			}
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.Exec("ANALYZE") // as databases do by themselves later
	return err
}

func applicantID(n int) string { return fmt.Sprintf("applicant%d", n) }

const (
	savedPath = "/v2scholarship/v1/submit-form-details"
	keptPath  = "/v2scholarship/v1/save-form-draft"
	stepPage  = `{"scholarship_code":"hiresure","profile_step":1,"date_of_birth":"14-08-2005","gender":"F","father_name":"Suresh Rao",` +
		`"permanent_address":"%d Temple Road, Mysuru","state":"Karnataka","zip_code":"570001"}`
)

// sendsPages returns requests of each applicant in turn: a page, then the page with another address, so that every save changes a row.
func sendsPages(addr, path string, tokens []string) *requests {
	pages := &requests{}
	for house := range 2 {
		for _, token := range tokens {
			headers := "Cookie: hiresure=" + token + "\r\n"
			pages.all = append(pages.all, post(addr, path, headers, fmt.Sprintf(stepPage, 12+house)))
		}
	}
	return pages
}
