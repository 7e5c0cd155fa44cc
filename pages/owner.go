package pages

import (
	"crypto/sha256"
	"encoding/hex"
)

// A page with a form names its account: it may be posted after another account has signed in in that browser.
const (
	// OwnerField is the field that names the account.
	OwnerField = "owner"
	// RegistrationField names the registration instead, on the pages of the application.
	RegistrationField = "registration"

	// OtherAccount rejects a page that another account opened. The browser keeps what was typed.
	OtherAccount = "This page was opened in another account. Sign in with that account to send it. Nothing was saved."
)

// Owner returns an account as OwnerField names it, which does not reveal its id.
func Owner(accountID string) string {
	sum := sha256.Sum256([]byte("owner of a page: " + accountID))
	return hex.EncodeToString(sum[:12])
}
