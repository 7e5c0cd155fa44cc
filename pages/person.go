package pages

import (
	"errors"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/components"
	"hiresure/web"
)

// Me returns who is signed in. The routes that call it have the guard web.SignedIn; an account that is gone meanwhile is NotFound.
func (k *Kit) Me(c *echo.Context) (admission.Visitor, account.Account, error) {
	v, err := k.Session.Visitor(c)
	if err != nil {
		return v, account.Account{}, err
	}
	me, err := k.Account.Profile(c.Request().Context(), v)
	return v, me, err
}

// leaving says when the account of who is signed in will be deleted; nothing where nobody asked for it. Only who brings a
// session is looked up, and a database that does not answer says nothing.
func (k *Kit) leaving(c *echo.Context) (p components.LeavingProps, err error) {
	if !k.Session.BringsSession(c) {
		return p, nil
	}
	v, err := k.Session.Visitor(c)
	if err != nil || v.AccountID == "" {
		return p, Available(err)
	}
	d, err := k.MyData.Deletion(c.Request().Context(), v)
	if err != nil || d == nil {
		return p, Available(err)
	}
	p = components.LeavingProps{Text: "Your account will be deleted on " + admission.Date(d.DueAt) + ".", Keep: web.LeavingPath}
	if !d.PostponedAt.IsZero() {
		p.Text = "Your account will be deleted as soon as your money has settled."
	}
	return p, nil
}

// Available leaves out that the database does not answer.
func Available(err error) error {
	if errors.Is(err, admission.ErrUnavailable) {
		return nil
	}
	return err
}

// SignsInWith is the proven address of an account that a code goes to, as people read it: the phone before the e-mail.
func SignsInWith(me account.Account) string {
	if me.PhoneVerified() {
		return Mobile(me.Phone)
	}
	return me.Email
}

// LogOut is the question before somebody logs out; back is where Cancel leads without scripts.
func LogOut(me account.Account, back string) components.LogOutProps {
	return components.LogOutProps{Action: web.LogOutPath, Address: SignsInWith(me), Back: back}
}

// person is the header of a signed-in page: its menu marks the entry that leads here.
func person(me account.Account, here string) components.PersonProps {
	props := components.PersonProps{
		Home: web.HomePath, Name: me.FullName, Address: SignsInWith(me), LogOut: LogOut(me, web.AccountPath),
		Links: []components.PersonLink{
			{Text: "My profile", Href: web.AccountPath, Sign: components.SignPerson},
			{Text: "My Registrations", Href: web.RegistrationsPath, Sign: components.SignList},
			{Text: "My data", Href: web.MyDataPath, Sign: components.SignLock},
			{Text: "Logout", Href: web.LogOutPath, Sign: components.SignLeave}, // spec §2
		},
	}
	for i := range props.Links {
		props.Links[i].Current = props.Links[i].Href == here
	}
	return props
}
