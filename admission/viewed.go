package admission

import "context"

// Viewed is whose pages staff look at: an account's, and those of one registration.
type Viewed struct{ AccountID, RegistrationID string }

// ViewedSession is the id of the session with which staff look at pages. It is never stored.
const ViewedSession = "viewed by staff"

type viewedKey struct{}

// WithViewed returns a context in which staff look at somebody's pages. A store reads the ViewedSession in it, and changes nothing.
func WithViewed(ctx context.Context, v Viewed) context.Context {
	return context.WithValue(ctx, viewedKey{}, v)
}

// ViewedIn returns whose pages staff look at, if they do.
func ViewedIn(ctx context.Context) (v Viewed, is bool) {
	v, is = ctx.Value(viewedKey{}).(Viewed)
	return v, is
}

// ErrReadOnly refuses every change while staff look at somebody's pages.
var ErrReadOnly = &Problem{Kind: Conflict, Message: "You only look at this page. It cannot be shown without a change."}
