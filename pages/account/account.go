// Package account serves the pages of an account: sign-up, sign-in, profile, my data, log-out.
package account

import (
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/pages"
	"hiresure/web"
)

type handlers struct{ *pages.Kit }

// Routes mounts the pages of an account.
func Routes(r *web.Routes, kit *pages.Kit) {
	h := handlers{kit}
	mine := web.Private.For(web.SignedIn)
	r.Get(web.SignInPath, web.Private, h.signIn)
	r.Post(web.SignInPath, web.Private, h.requestCode)
	r.Get(web.SignInCodePath, web.Private, h.signInCode)
	r.Post(web.SignInCodePath, web.Private, h.giveCode)
	r.Get(web.SignUpPath, web.Private, h.signUp)
	r.Post(web.SignUpPath, web.Private, h.sendSignUp)

	r.Get(web.AccountPath, mine.ForViews(), h.profile)
	r.Get(web.NamePath, mine, h.name)
	r.Post(web.NamePath, mine, h.rename)
	r.Get(web.PhonePath, mine, h.change)
	r.Post(web.PhonePath, mine, h.sendChange)
	r.Get(web.PhoneCodePath, mine, h.changeCode)
	r.Get(web.EmailPath, mine, h.change)
	r.Post(web.EmailPath, mine, h.sendChange)
	r.Get(web.EmailCodePath, mine, h.changeCode)
	r.Get(web.VerifyPath, web.Private, h.verify)
	r.Post(web.VerifyPath, mine, h.sendChange)
	r.Get(web.VerifyCodePath, mine, h.changeCode)
	r.Post(web.SessionsPath, mine, h.endSession)

	r.Get(web.MyDataPath, mine.ForViews(), h.data)
	r.Post(web.MyDataPath, mine, h.changeData)
	r.Get(web.DataFilePath(":id"), mine.Within(30*time.Second, 10*time.Minute), h.file)
	r.Get(web.DeletePath, mine, h.askToDelete)
	r.Post(web.DeletePath, mine, h.deleteAccount)

	r.Get(web.ConfirmPath(":token"), web.Private, h.confirm)
	r.Post(web.ConfirmPath(":token"), web.Private, h.useConfirm)

	r.Get(web.LogOutPath, web.Private, h.askToLogOut)
	r.Post(web.LogOutPath, web.Private, h.logOut)
}

// next returns named where it is a page of this site, otherwise the home page.
func (h handlers) next(named string) string {
	if next, ours := admission.SafeRedirect(named, h.BaseURL); ours {
		return next
	}
	return web.HomePath
}

// isSignedIn reports whether the browser is signed in.
func (h handlers) isSignedIn(c *echo.Context) (bool, error) {
	v, err := h.Session.Visitor(c)
	return v.AccountID != "", err
}
