package admin_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"hiresure/admission/business/businesstest"
	"hiresure/web"
)

// asked posts a passkey form without an answer and decodes the request for the browser.
func asked[Options any](b *browser, path string) *Options {
	b.t.Helper()
	b.post(path)
	if b.status != http.StatusOK {
		b.t.Fatalf("status %d: %.400s", b.status, b.page)
	}
	options := new(Options)
	check(b.t, json.Unmarshal([]byte(b.page), options))
	return options
}

// withPasskey takes an invited colleague to an open session without a password.
func (s *site) withPasskey(email, name string, roles ...string) (*browser, *businesstest.Authenticator) {
	s.t.Helper()
	b, d, link := s.browser(), businesstest.NewAuthenticator(s.t, s.url), s.link(email, name, roles...)
	b.get(link).is(http.StatusOK, "Create a passkey", "Choose a password")
	b.post(link+"/passkey", "passkey", d.Create(asked[protocol.CredentialCreation](b, link+"/passkey"))).leads(web.StaffPath)
	return b, d
}

func TestAPasskeyOpensTheStaffArea(t *testing.T) {
	s := newSite(t)
	b, d := s.withPasskey("kavya@academy.example", "Kavya Hegde", "admin")
	b.get("/admin/passkeys").is(http.StatusOK, "1 passkey", "Create a passkey", "never")
	b.get(web.StaffSessionsPath).is(http.StatusOK, "Passkey")
	b.post(web.StaffSignOutPath).leads(web.StaffSignInPath)

	const ask = web.StaffSignInPath + "/passkey"
	b.get(web.StaffSignInPath).is(http.StatusOK, "Use a passkey")
	b.post(ask, "passkey", "{}").is(http.StatusUnauthorized, "Staff sign-in")
	options := asked[protocol.CredentialAssertion](b, ask)
	b.get(web.StaffPath).leads(web.StaffSignInPath + "?next=%2Fadmin") // a challenge is no sign-in
	b.post(ask, "passkey", "{}", "next", "/admin/log").is(http.StatusUnprocessableEntity, "This passkey was not accepted. Try again, or sign in another way")
	b.post(ask, "passkey", d.Sign(options), "next", "/admin/log").is(http.StatusUnprocessableEntity, "The request for your passkey has expired. Try again")
	b.post(ask, "passkey", d.Sign(asked[protocol.CredentialAssertion](b, ask)), "next", "/admin/log").leads(web.StaffLogPath)
	b.get(web.StaffLogPath).is(http.StatusOK, "Signed in", "Added a passkey")
	b.get(web.StaffAccountsPath).is(http.StatusOK, "1 passkey")
}

func TestAPasskeyConfirms(t *testing.T) {
	s := newSite(t)
	b, d := s.withPasskey("kavya@academy.example", "Kavya Hegde", "admin")
	s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.get(web.StaffAccountsPath)
	path := regexp.MustCompile(`href="(/admin/staff/[0-9a-z]{26})">Meera`).FindStringSubmatch(b.page)[1]
	s.clock.Pass(10 * time.Minute)
	b.post(path, "do", "end").is(http.StatusOK, "Confirm that it is you", "Confirm with your passkey")
	b.lacks("Code from your authenticator app") // there is none
	b.post(path, "do", "end", "confirm_passkey", "{}").is(http.StatusUnprocessableEntity, "The request for your passkey has expired. Try again")
	options := asked[protocol.CredentialAssertion](b, web.StaffConfirmPath)
	if len(options.Response.AllowedCredentials) != 1 {
		t.Errorf("the browser offers %v", options.Response.AllowedCredentials)
	}
	answer := d.Sign(options)
	b.post(path, "do", "end", "confirm_passkey", answer).leads(path + "?saved=yes")
	s.clock.Pass(10 * time.Minute)
	b.post(path, "do", "reset", "confirm_passkey", answer).is(http.StatusUnprocessableEntity, "The request for your passkey has expired. Try again") // replayed
	if strings.Contains(b.page, `name="confirm_passkey" value="{`) {
		t.Error("the used answer is posted again")
	}
}

func TestPasskeysAreAddedAndRemovedOnAPage(t *testing.T) {
	s := newSite(t)
	const page = "/admin/passkeys"
	b := s.setUp("meera@academy.example", "Meera Nambiar", "support")
	b.get(page).is(http.StatusOK, "No passkey yet", "Create a passkey")
	s.clock.Pass(10 * time.Minute)
	b.get(page).lacks("Create a passkey")
	b.post(page).is(http.StatusUnprocessableEntity, "Confirm first that it is you")
	b.post(page, "do", "confirm").is(http.StatusOK, "You are about to add a passkey.")
	b.post(page, "do", "confirm", "confirm_code", b.code()).leads(page)
	d := businesstest.NewAuthenticator(t, s.url)
	b.post(page, "passkey", "{}").is(http.StatusUnprocessableEntity, "The request for your passkey has expired. Try again")
	b.post(page, "passkey", d.Create(asked[protocol.CredentialCreation](b, page))).leads(page + "?done=added")
	b.get(b.location).is(http.StatusOK, "1 passkey", "Passkey added. You can sign in with it from now on.")
	id := regexp.MustCompile(`name="remove" value="([^"]+)"`).FindStringSubmatch(b.page)[1]
	colleague, _ := s.withPasskey("asha@academy.example", "Asha Rao", "support")
	colleague.post(page, "remove", id).is(http.StatusNotFound, "This passkey was removed before")
	b.post(page, "remove", id).leads(page + "?done=removed")
	b.get(b.location).is(http.StatusOK, "No passkey yet", "Passkey removed.")
	colleague.get(page)
	own := regexp.MustCompile(`name="remove" value="([^"]+)"`).FindStringSubmatch(colleague.page)[1]
	colleague.post(page, "remove", own).is(http.StatusConflict, "This is your only way to sign in. Add another passkey first")
}

func TestAPasskeyReplacesTheApp(t *testing.T) {
	s := newSite(t)
	b, d := s.browser(), businesstest.NewAuthenticator(t, s.url)
	b.post(s.link("meera@academy.example", "Meera Nambiar", "support"), "do", "choose", "password", password).leads(web.StaffSetUpPath)
	const page = web.StaffSetUpPath + "/passkey"
	b.get(web.StaffSetUpPath).is(http.StatusOK, "Use a passkey instead")
	b.post(page, "passkey", "{}").is(http.StatusUnprocessableEntity, "The request for your passkey has expired. Try again")
	b.post(page, "passkey", d.Create(asked[protocol.CredentialCreation](b, page))).leads(web.StaffPath)
}
