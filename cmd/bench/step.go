package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// step compares saving a step and a draft of the application with a bare server that writes the same rows.
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
		{"a step saved", savedPath, atLeast(0.5)},
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
			if _, err := db.Exec(fill.statement, fill.args...); err != nil {
				return fmt.Errorf("fill the database: %w", err)
			}
		}
	}
	return nil
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
		for n, token := range tokens {
			headers := "Cookie: hiresure=" + token + "\r\nX-Applicant: " + applicantID(n) + "\r\n"
			pages.all = append(pages.all, post(addr, path, headers, fmt.Sprintf(stepPage, 12+house)))
		}
	}
	return pages
}

// newBareStep writes the site's rows for an applicant, without a check of the session.
func newBareStep(url string) (http.Handler, error) {
	keep, err := bareKeeper(url)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent map[string]any
		if err := errors.Join(err, json.Unmarshal(body, &sent)); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		rows := stepRows(r.Header.Get("X-Applicant"), string(body), r.URL.Path == savedPath)
		if err := keep(r.Context(), rows); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "draft": sent}) // fails only if the client has gone
	})
	return mux, nil
}

// stepRows returns the rows of a draft; for a saved step first the timeline entry and the registration.
func stepRows(id, answers string, saved bool) []bareRow {
	now := time.Now().UnixMicro()
	draft := bareRow{
		`INSERT INTO drafts (registration_id, step, typed, field, version, saved_at) VALUES ($1, 'personal', $2, '', 1, $3)
			ON CONFLICT (registration_id, step) DO UPDATE SET typed = excluded.typed, field = excluded.field, version = drafts.version + 1, saved_at = excluded.saved_at`,
		[]any{id, answers, now},
	}
	if !saved {
		return []bareRow{draft}
	}
	draft.values[1] = nil
	return []bareRow{
		{
			`INSERT INTO entries (id, registration_id, what, detail, who, at) VALUES ($1, $2, 'personal details changed', '', 'system', $3)`,
			[]any{admission.NewID(), id, now},
		},
		{`UPDATE registrations SET state_code = '29', adult = TRUE, answers = $2, modified_at = $3 WHERE id = $1`, []any{id, answers, now}},
		draft,
	}
}
