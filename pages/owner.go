package pages

import (
	"crypto/sha256"
	"encoding/hex"
)

// A page that somebody types into says whose it is: it may be sent when another account is signed in in that browser, and
// would become that one's.
const (
	// OwnerField is the field that says it.
	OwnerField = "owner"
	// RegistrationField says it on the pages of the application, by the registration.
	RegistrationField = "registration"

	// OtherAccount is told to who sends a page that was opened in another account. Its own text stays in the browser.
	OtherAccount = "This page was opened in another account. Sign in with that account to send it. Nothing was saved."
)

// Owner is an account as OwnerField names it: nobody learns the account's id by it.
func Owner(accountID string) string {
	sum := sha256.Sum256([]byte("owner of a page: " + accountID))
	return hex.EncodeToString(sum[:12])
}
