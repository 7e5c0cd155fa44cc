package pages

import (
	"context"
	"errors"
	"io"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/mydata"
	"hiresure/components"
	"hiresure/web"
)

// Me returns the signed-in account. Its routes have the guard web.SignedIn; a deleted account is NotFound.
func (k *Kit) Me(c *echo.Context) (admission.Visitor, account.Account, error) {
	v, err := k.Session.Visitor(c)
	if err != nil {
		return v, account.Account{}, err
	}
	me, err := k.Account.Profile(c.Request().Context(), v)
	return v, me, err
}

// deletionNotice returns when the signed-in account will be deleted; empty without a request. It reads the database only with a
// session, and returns empty while the database is unavailable.
func (k *Kit) deletionNotice(c *echo.Context) (p components.DeletionProps, err error) {
	if !k.Session.HasSessionCookie(c) {
		return p, nil
	}
	v, err := k.Session.Visitor(c)
	if err != nil || v.AccountID == "" {
		return p, IgnoreUnavailable(err)
	}
	d, money, err := k.MyData.Deletion(c.Request().Context(), v)
	if err != nil || d == nil {
		return p, IgnoreUnavailable(err)
	}
	return components.DeletionProps{Text: "Your account will be deleted " + DeletedWhen(*d, money) + ".", Keep: web.LeavingPath}, nil
}

// Settles completes “once …” with what a deletion waits for.
var Settles = map[mydata.UnsettledKind]string{
	mydata.PaymentReview: "we have checked your payment",
	mydata.RefundOpen:    "your refund is complete",
	mydata.DisputeOpen:   "your dispute has ended",
}

// DeletedWhen completes “deleted …” with the day, or with what delays it.
func DeletedWhen(d mydata.Deletion, money mydata.Unsettled) string {
	settles := Settles[money.Kind]
	switch postponed := !d.PostponedAt.IsZero(); {
	case money.Delays(d):
		return "after " + admission.Date(money.Until())
	case postponed && settles == "":
		return "within a day"
	case postponed:
		return "once " + settles
	case settles != "":
		return "on " + admission.Date(d.DueAt) + ", or later, once " + settles
	}
	return "on " + admission.Date(d.DueAt)
}

// IgnoreUnavailable returns nil for an unavailable database, otherwise err.
func IgnoreUnavailable(err error) error {
	if errors.Is(err, admission.ErrUnavailable) {
		return nil
	}
	return err
}

// ContactAddress returns the address that messages about the account go to, formatted: the verified e-mail, otherwise the phone.
func ContactAddress(me account.Account) string {
	if me.EmailVerified() {
		return me.Email
	}
	return Mobile(me.Phone)
}

// VerifiedAddress returns the verified address that codes go to, formatted: the phone, otherwise the e-mail.
func VerifiedAddress(me account.Account) string {
	if me.PhoneVerified() {
		return Mobile(me.Phone)
	}
	return me.Email
}

// LogOut returns the confirmation of a log-out; without scripts Cancel goes to back.
func LogOut(me account.Account, back string) components.LogOutProps {
	return components.LogOutProps{Action: web.LogOutPath, Address: VerifiedAddress(me), Back: back}
}

// WithPerson returns a page that is drawn for the signed-in visitor, if there is one; Bar and Foot show it. While the database is
// unavailable it is drawn as for others.
func (k *Kit) WithPerson(c *echo.Context, page templ.Component) (templ.Component, error) {
	v, err := k.Session.Visitor(c)
	if err != nil || v.AccountID == "" {
		return page, IgnoreUnavailable(err)
	}
	me, err := k.Account.Profile(c.Request().Context(), v)
	if err != nil {
		if admission.HasKind(err, admission.NotFound) { // deleted
			err = nil
		}
		return page, IgnoreUnavailable(err)
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return page.Render(context.WithValue(ctx, personKey{}, me), w)
	}), nil
}

type personKey struct{}

// personOf returns the person of WithPerson; nil for others.
func personOf(ctx context.Context) *account.Account {
	if me, is := ctx.Value(personKey{}).(account.Account); is {
		return &me
	}
	return nil
}

// person returns the header of a signed-in page; here is the current entry of its menu.
func person(me account.Account, here string) components.PersonProps {
	props := components.PersonProps{
		Home: web.HomePath, Name: me.FullName, Address: VerifiedAddress(me), LogOut: LogOut(me, web.AccountPath),
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
