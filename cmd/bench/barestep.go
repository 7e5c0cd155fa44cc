package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"hiresure/admission"
)

// The reads of a step, by the hash of the session's token: what each is found by is found by the one before.
const (
	bareSession = `SELECT id, token_hash, human_until, by_ticket, proven, requests, registered, expires_at, account_id, signed_in_at, user_agent, api
		FROM sessions WHERE token_hash = $1`
	bareAccount = `SELECT id, full_name, email, email_proven_at, phone, phone_proven_at, created_at, modified_at
		FROM accounts WHERE id = (SELECT account_id FROM sessions WHERE token_hash = $1)`
	ofBareAccount   = `account_id = (SELECT account_id FROM sessions WHERE token_hash = $1) AND account_id <> '' AND event_code = 'hiresure' AND refunded = FALSE`
	bareApplication = `SELECT id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college, referral_code, coupon_code, adult,
			guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, answers, form_version, ticket,
			ticket_key, own_referral, source, account_id, reminded, erased_at
		FROM registrations WHERE ` + ofBareAccount
	bareDraft = `SELECT registration_id, step, typed, field, version, saved_at FROM drafts
		WHERE registration_id = (SELECT id FROM registrations WHERE ` + ofBareAccount + `) AND step = 'personal'`
)

// bareStanding is what the reads return: each row's columns.
type bareStanding struct {
	session struct {
		id, tokenHash, accountID, userAgent string
		proven, requests, registered        *string
		humanUntil, expiresAt, signedInAt   int64
		byTicket, api                       bool
	}
	account struct {
		id, fullName, email, phone                          string
		emailProvenAt, phoneProvenAt, createdAt, modifiedAt int64
	}
	application struct {
		id, eventSlug, eventCode, subeventCode, fullName, email, phone, course, stateCode, college, referralCode, couponCode, guardianName, guardianPhone string
		paidTxnID, termsVersion, termsHash, ticket, ticketKey, ownReferral, source, accountID                                                             string
		step, termsAt, createdAt, modifiedAt, formVersion, reminded, erasedAt                                                                             int64
		adult, refunded                                                                                                                                   bool
		answers                                                                                                                                           *string
	}
	draft struct {
		registrationID, step, field string
		typed                       *string
		version, savedAt            int64
	}
}

func (b *bareStanding) reads(tokenHash string) []bareRead {
	s, a, r, d, token := &b.session, &b.account, &b.application, &b.draft, []any{tokenHash}
	return []bareRead{
		{bareSession, true, token, []any{
			&s.id, &s.tokenHash, &s.humanUntil, &s.byTicket, &s.proven, &s.requests, &s.registered, &s.expiresAt, &s.accountID, &s.signedInAt, &s.userAgent, &s.api,
		}},
		{bareAccount, false, token, []any{&a.id, &a.fullName, &a.email, &a.emailProvenAt, &a.phone, &a.phoneProvenAt, &a.createdAt, &a.modifiedAt}},
		{bareApplication, true, token, []any{
			&r.id, &r.eventSlug, &r.eventCode, &r.subeventCode, &r.fullName, &r.email, &r.phone, &r.course, &r.stateCode, &r.college, &r.referralCode, &r.couponCode, &r.adult,
			&r.guardianName, &r.guardianPhone, &r.step, &r.paidTxnID, &r.termsVersion, &r.termsHash, &r.termsAt, &r.refunded, &r.createdAt, &r.modifiedAt, &r.answers,
			&r.formVersion, &r.ticket, &r.ticketKey, &r.ownReferral, &r.source, &r.accountID, &r.reminded, &r.erasedAt,
		}},
		{bareDraft, false, token, []any{&d.registrationID, &d.step, &d.typed, &d.field, &d.version, &d.savedAt}},
	}
}

// newBareStep saves an applicant's step or draft with the site's reads, locks and rows, and without the form's rules. On PostgreSQL
// it takes two round trips.
func newBareStep(url string) (http.Handler, error) {
	database, err := openBare(url)
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
		cookie, err := r.Cookie("hiresure")
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		var b bareStanding
		if err := database.change(r.Context(), b.reads(admission.HashToken(cookie.Value)), func() ([]bareRow, error) {
			return b.rows(string(body), r.URL.Path == savedPath)
		}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "profile_step": b.application.step, "draft": sent}) // fails only if the client has gone
	})
	return mux, nil
}

// rows returns the row of a draft; for a saved step also the timeline entry and the registration.
func (b *bareStanding) rows(answers string, saved bool) ([]bareRow, error) {
	now, id := time.Now().UnixMicro(), b.application.id
	if b.session.expiresAt < now || b.account.id == "" || id == "" {
		return nil, errors.New("nobody is signed in")
	}
	draft := bareRow{
		`INSERT INTO drafts (registration_id, step, typed, field, version, saved_at) VALUES ($1, 'personal', $2, '', $3, $4)
			ON CONFLICT (registration_id, step) DO UPDATE SET typed = excluded.typed, field = excluded.field, version = excluded.version, saved_at = excluded.saved_at`,
		[]any{id, answers, b.draft.version + 1, now},
	}
	if !saved {
		return []bareRow{draft}, nil
	}
	draft.values[1] = nil
	return []bareRow{
		{
			`INSERT INTO entries (id, registration_id, what, detail, who, at) VALUES ($1, $2, 'personal details changed', '', 'system', $3)`,
			[]any{admission.NewID(), id, now},
		},
		{
			`UPDATE registrations SET full_name = $2, state_code = '29', adult = TRUE, answers = $3, modified_at = $4, phase = 'form', phase_until = 0 WHERE id = $1`,
			[]any{id, b.account.fullName, answers, now},
		},
		draft,
	}, nil
}
