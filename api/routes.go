// Package api is the JSON API: it decodes calls, calls admission, and encodes answers. openapi.yaml describes it and is
// served at /api/openapi.yaml.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/apply"
	"hiresure/admission/business"
	"hiresure/admission/enrol"
	"hiresure/forms"
	"hiresure/web"
)

// Config configures the API.
type Config struct {
	*business.Services
	Events        admission.Catalogue
	BaseURL       string // own origin, without a trailing slash
	Clock         func() time.Time
	Log           *slog.Logger
	Sessions      *web.Manager
	Keys          Keys
	Forms         *forms.Set // nil for the embedded forms
	ServiceSecret string     // of other services, in the header X-Client-Secret; "" rejects all
	// Challenge returns the human check for a browser, by provider; nil for none.
	Challenge func(admission.Visitor) any
}

type api struct {
	Config
	document []byte
}

// Routes mounts the API, and a JSON 404 for all other addresses under its prefixes.
func Routes(r *web.Routes, n Config) error {
	if n.Services == nil || n.Events == nil || n.BaseURL == "" || n.Clock == nil || n.Log == nil || n.Sessions == nil || n.Keys == nil {
		return errors.New("api needs Services, Events, a BaseURL, a Clock, a Log, Sessions and Keys")
	}
	described, err := describe(n.Forms)
	if err != nil {
		return err
	}
	enquiry, err := formBody(n.Forms.Get("enquiry"), enquiryBody)
	if err != nil {
		return err
	}
	enrolment, err := formBody(n.Forms.Get(enrol.FormName), enrolmentBody)
	if err != nil {
		return err
	}
	details, err := formBody(n.Forms.Get(apply.FormName), detailsBody)
	if err != nil {
		return err
	}
	draft, err := formBody(n.Forms.Get(apply.FormName), draftBody)
	if err != nil {
		return err
	}
	a := &api{n, []byte(described)}

	a.post(r, "/ks-website/create-enquiry", enquiry, a.createEnquiry)
	a.post(r, "/scholarship/v1/user-verification-request", verificationBody, a.requestCode)
	a.post(r, "/scholarship/v1/user-request-verify", verifyBody, a.verifyCode)
	a.post(r, "/ks-website/v1/resend-otp-for-scholarship-request", resendBody, a.resendCode)
	a.post(r, "/scholarship/v1/create-scholarship-request", enrolment, a.enrol)
	a.post(r, "/ks-website/v1/update-scholarship-request", reopenBody, a.reopen)
	a.post(r, "/ks-website/v1/check-scholarship-registered-phone", phoneBody, a.checkPhone, forServices)
	a.post(r, "/user/check-existence", existenceBody, a.checkExistence, forServices)
	a.post(r, "/scholarship/v1/apply-coupon", couponBody, a.applyCoupon)
	a.get(r, "/v1/users/referralCode/:code", a.checkReferral)
	a.get(r, "/scholarship/v1/fetch-scholarship-event-data", a.fetchEvent)
	a.get(r, "/v2scholarship/v1/my-registration", a.myRegistrations, signedIn)
	a.post(r, "/payments/v1/initiate-payment", paymentBody, a.initiatePayment)
	a.post(r, "/payments/v1/verify-payment", outcomeBody, a.verifyPayment, exempt)
	a.post(r, "/v2scholarship/v2/initiate-payment", paymentBody, a.initiateFee, signedIn)
	a.post(r, "/v2scholarship/v2/verify-payment", feeOutcomeBody, a.verifyFee, signedIn, exempt)
	r.Each(web.WebhookPath(":gateway"), web.Call.Takes(maxWebhook).OpenToOthers(), map[string]echo.HandlerFunc{
		http.MethodPost: a.takeWebhook, http.MethodGet: a.confirmWebhooks,
	})
	r.Only(http.MethodPost, "/ks-website/v1/abandoned-enrolment", web.Call, a.saveLead)
	a.post(r, "/login/code", loginCodeBody, a.requestLoginCode, exempt)
	a.post(r, "/login/token", loginTokenBody, a.giveTokens, exempt)
	a.byToken(r, "/login/token/refresh", a.refreshTokens)
	a.byToken(r, "/login/session/destroy", a.endLogin)
	a.get(r, "/v2scholarship/v1/fetch-user-profile", a.fetchProfile, signedIn)
	a.post(r, "/v2scholarship/v1/user-phone-verification-request", phoneCodeBody, a.requestPhoneCode, signedIn)
	a.post(r, "/v2scholarship/v1/user-verify-phone", phoneProofBody, a.verifyOwnPhone, signedIn)
	a.post(r, "/v2scholarship/v1/submit-form-details", details, a.submitDetails, signedIn)
	r.Only(http.MethodPost, "/v2scholarship/v1/upload-document-file", policyFor([]trait{signedIn}).Takes(maxUpload).Within(uploadTimeout, 0), a.uploadDocument)
	a.post(r, "/v2scholarship/v1/delete-uploaded-document-file", deletionBody, a.deleteDocument, signedIn)
	a.post(r, "/v2scholarship/v1/save-form-draft", draft, a.saveDraft, signedIn)
	a.get(r, "/v2scholarship/v1/form-draft", a.readDraft, signedIn)
	a.get(r, "/human/challenge", a.challenge)
	r.Only(http.MethodGet, "/api/openapi.yaml", web.Call, a.serveDocument)

	for _, prefix := range web.APIPrefixes() {
		for _, path := range []string{prefix, prefix + "/", prefix + "/*"} {
			r.Any(path, web.Call, func(*echo.Context) error { return echo.ErrNotFound })
		}
	}
	return nil
}

// handler handles a call with the checked fields of its body.
type handler func(c *echo.Context, in fields) (answer, error)

// answer is a struct that embeds web.Result.
type answer interface{ head() *web.Result }

// done is embedded in all answers.
type done struct{ web.Result }

func (d *done) head() *web.Result { return &d.Result }

// success returns an answer with only a message.
func success(message string) *done {
	return &done{web.Result{Message: message}}
}

func (a *api) get(r *web.Routes, path string, h handler, traits ...trait) {
	r.Only(http.MethodGet, path, policyFor(traits), func(c *echo.Context) error {
		return a.write(c, a.encode(c)(h(c, nil)))
	})
}

// trait is a property of a call.
type trait string

const (
	exempt      trait = "exempt"       // the answer is never stored: it has a token, or reports a present state
	signedIn    trait = "signed in"    // requires a sign-in
	forServices trait = "for services" // accepts a service's secret, which is checked before a stored answer is returned
)

// post adds a call with a JSON body. An Idempotency-Key makes it run once, unless it is exempt.
func (a *api) post(r *web.Routes, path string, takes shape, h handler, traits ...trait) {
	r.Only(http.MethodPost, path, policyFor(traits), func(c *echo.Context) error {
		raw, err := readJSON(c)
		if err != nil {
			return err
		}
		in, err := takes.decode(raw)
		if err != nil {
			return err
		}
		work := func() encoded { return a.encode(c)(h(c, in)) }
		if slices.Contains(traits, forServices) {
			if _, err := a.isService(c); err != nil {
				return err
			}
		}
		if slices.Contains(traits, exempt) {
			return a.write(c, work())
		}
		return a.idempotent(c, raw, work)
	})
}

// visitor returns the caller. A passed human check is kept in a session, so a valid token opens one.
func (a *api) visitor(c *echo.Context, captchaToken string) (v admission.Visitor, err error) {
	if captchaToken != "" && a.Access.Human.Needed() {
		v, err = a.Sessions.VisitorOrNew(c)
	} else {
		v, err = a.Sessions.Visitor(c)
	}
	v.CaptchaToken = captchaToken
	return v, err
}

// resident is visitor for calls that need a session, opened by the token or, without a human check, by the call.
func (a *api) resident(c *echo.Context, captchaToken string) (v admission.Visitor, err error) {
	if a.Access.Human.Needed() {
		return a.visitor(c, captchaToken)
	}
	return a.Sessions.VisitorOrNew(c)
}

const maxWebhook = 256 << 10 // bytes

const captchaHeader = "X-Captcha-Token" // for GET, which has no body

// seconds rounds up, so that a wait does not end early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Keys stores answers to an Idempotency-Key for 24 hours. Keys are scoped to a session (or address) and a call; bodyHash
// identifies the request. A claim expires after its call's deadline: then its owner has died or is too late to finish or
// abandon it, which the time of the claim shows.
type Keys interface {
	ClaimKey(ctx context.Context, key, bodyHash string, now time.Time, lasts time.Duration) (prior *KeyedAnswer, state string, err error)
	FinishKey(ctx context.Context, key string, claimed time.Time, status int, contentType string, body []byte) error
	AbandonKey(ctx context.Context, key string, claimed time.Time) error
}

// KeyedAnswer is a stored answer or, for a running request, the time left of its claim.
type KeyedAnswer struct {
	Status      int
	ContentType string
	Body        []byte
	Held        time.Duration // until the claim expires
}

// States of a claimed key.
const (
	KeyNew      = "new"      // claimed: do the work, then FinishKey or AbandonKey
	KeyRunning  = "running"  // the same request is running, at most for prior.Held
	KeyDone     = "done"     // the same request has the answer prior
	KeyMismatch = "mismatch" // the key belongs to another request
)
