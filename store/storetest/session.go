package storetest

import (
	"context"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/store"
)

// AddSession adds a session and returns the token for its cookie.
func AddSession(ctx context.Context, s admission.Store[store.Tx], until time.Time, registered ...string) (token string, session access.Session, err error) {
	token = admission.NewToken()
	session = access.Session{ID: admission.NewID(), TokenHash: admission.HashToken(token), Proven: map[string]time.Time{}, Registered: registered, ExpiresAt: until}
	return token, session, s.Update(ctx, func(tx store.Tx) error { return tx.AddSession(&session) })
}
