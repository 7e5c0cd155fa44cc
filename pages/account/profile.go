package account

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission/account"
	"hiresure/components"
	"hiresure/pages"
	"hiresure/web"
)

// profileView is an account with its sessions.
type profileView struct {
	Me       account.Account
	Rows     []row
	Sessions []deviceRow
}

// elsewhere reports whether the account is signed in on other browsers too.
func (v profileView) elsewhere() bool { return len(v.Sessions) > 1 }

// row is a fact of the account with the link that changes it.
type row struct {
	Label, Value string
	Meta         string
	Act          components.Link
	Of           string // object of Act, for screen readers
	SavedID      string // anchor of the notice after a change
	Saved        string // text of that notice
}

// Anchors of the notices on the profile. sessionEndedID is also one on My data.
const (
	nameSavedID    = "name-saved"
	phoneSavedID   = "phone-saved"
	emailSavedID   = "email-saved"
	sessionEndedID = "session-ended"
)

// sessionEnded is the notice after another device was logged out.
const sessionEnded = "That device is logged out."

// verifiedOn starts a meta line of a verified address.
func verifiedOn(at time.Time) string {
	return "Verified by code on " + onDay(at) + ". "
}

// profile shows the account and its sessions.
func (h handlers) profile(c *echo.Context) error {
	v, me, err := h.Me(c)
	if err != nil {
		return err
	}
	sessions, err := h.Account.Sessions(c.Request().Context(), v)
	if err != nil {
		return err
	}
	return h.Show(c, http.StatusOK, profilePage(h.Frame(), profileView{Me: me, Rows: rows(me), Sessions: deviceRows(sessions, v.SessionID)}))
}

func rows(me account.Account) []row {
	phone := row{
		Label: "Mobile Number", Value: pages.Mobile(me.Phone), Of: "mobile number",
		Meta: verifiedOn(me.PhoneProvenAt) + "A new number needs a new code.",
		Act:  components.Link{Text: "Change", Href: web.PhonePath}, SavedID: phoneSavedID, Saved: "Your mobile number is verified and saved.",
	}
	if !me.PhoneVerified() {
		phone.Meta, phone.Act = "Not verified yet. You cannot sign in with it.", components.Link{Text: "Verify", Href: web.PhonePath}
	}
	email := row{
		Label: "Email Address", Value: me.Email, Of: "e-mail",
		Meta: "For receipts and exam dates. Earlier enrolments keep the e-mail that you gave there.",
		Act:  components.Link{Text: "Change", Href: web.EmailPath}, SavedID: emailSavedID, Saved: "Your e-mail is verified and saved.",
	}
	if me.EmailVerified() {
		email.Meta = verifiedOn(me.EmailProvenAt) + email.Meta
	} else {
		email.Meta += " Not verified yet. You cannot sign in with it."
		email.Act.Text = "Verify or change"
	}
	return []row{
		{
			Label: "Full Name", Value: me.FullName, Of: "name", Meta: "As on your student ID and on the certificate. Tickets already issued keep the old name.",
			Act: components.Link{Text: "Change", Href: web.NamePath}, SavedID: nameSavedID, Saved: "Your name is saved.",
		},
		phone, email,
	}
}

// Names of the fields of a sign-out, and the value for all sessions.
const (
	endField   = "end"
	everywhere = "everywhere"
	fromField  = "from" // page to return to
)

// notSignedOut is the message of a sign-out that failed to send.
const notSignedOut = "Nobody was logged out."

// endSession ends one session of the account, or all of them. Ending the current one logs out.
func (h handlers) endSession(c *echo.Context) error {
	typed, err := pages.PostForm(c)
	if err != nil {
		return err
	}
	v, err := h.Session.Visitor(c)
	if err != nil {
		return err
	}
	end := typed.Get(endField)
	if end == everywhere {
		if err := h.Account.SignOutEverywhere(c.Request().Context(), v); err != nil {
			return err
		}
		return h.leave(c)
	}
	if err := h.Account.SignOut(c.Request().Context(), v, end); err != nil {
		return err
	}
	if end == v.SessionID {
		return h.leave(c)
	}
	if typed.Get(fromField) == web.MyDataPath {
		return redirect(c, dataFoldAt(foldSessions, sessionEndedID))
	}
	return redirect(c, web.AccountPath+"#"+sessionEndedID)
}
