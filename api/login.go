package api

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/account"
	"hiresure/admission/apply"
	"hiresure/admission/document"
	"hiresure/admission/enrol"
	"hiresure/web"
)

var (
	loginCodeBody  = shape{"mobile_number": text, "email": text, "fullname": text, "captcha_token": text}
	loginTokenBody = shape{"request_id": text, "otp": text}
	phoneCodeBody  = shape{"phone_number": text, "country_code": text, "scholarship_code": text, "captcha_token": text}
	phoneProofBody = shape{"phone_number": text, "country_code": text, "scholarship_code": text, "mobile_otp": text}
)

// requestLoginCode sends the code that signs an API client in.
func (a *api) requestLoginCode(c *echo.Context, in fields) (answer, error) {
	form := a.Forms.Get("sign-up")
	v := a.Sessions.Client(c)
	v.CaptchaToken = in["captcha_token"]
	s, byMail, err := a.Tokens.RequestCode(c.Request().Context(), v, form.FromWire(in))
	if err != nil {
		return nil, renameFields(err, form.OnWire)
	}
	out := sent(s)
	if byMail {
		out.Message = "We sent a code to your e-mail."
	}
	return out, nil
}

type tokens struct {
	done
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	ExpiresIn    int    `json:"expires_in"` // seconds
}

func tokensOf(pair account.Pair, err error) (answer, error) {
	if err != nil {
		return nil, err
	}
	return &tokens{*success("You are signed in."), pair.Access, pair.Refresh, int(pair.ExpiresIn.Seconds())}, nil
}

// giveTokens signs in with the code; its caller holds the session from then on.
func (a *api) giveTokens(c *echo.Context, in fields) (answer, error) {
	out, err := tokensOf(a.Tokens.Exchange(c.Request().Context(), a.Sessions.Client(c), in["request_id"], in["otp"]))
	return out, onWire(err, "phone_otp", "otp")
}

// byToken adds a call whose only argument is the bearer token. It ignores cookies, and its answer is not stored.
func (a *api) byToken(r *web.Routes, path string, h func(c *echo.Context, token string) (answer, error)) {
	r.Changes(path, web.Call, func(c *echo.Context) error {
		token, brings := web.Bearer(c.Request())
		if !brings {
			return admission.LoginProblem()
		}
		if c.Request().ContentLength != 0 && c.Request().Method == http.MethodPost {
			raw, err := readJSON(c)
			if err != nil {
				return err
			}
			if _, err := (shape{}).decode(raw); err != nil {
				return err
			}
		}
		return a.write(c, a.encode(c)(h(c, token)))
	})
}

func (a *api) refreshTokens(c *echo.Context, token string) (answer, error) {
	return tokensOf(a.Tokens.Refresh(c.Request().Context(), token))
}

func (a *api) endLogin(c *echo.Context, token string) (answer, error) {
	if err := a.Tokens.End(c.Request().Context(), token); err != nil {
		return nil, err
	}
	return success("You are logged out."), nil
}

type profileFetched struct {
	done
	ScholarshipRequestedData map[string]any `json:"scholarshipRequestedData"`
}

type profileAssets struct {
	ThumbnailURL string `json:"thumbnail_url"` // "" without a photo: clients show initials
}

// fetchProfile returns the signed-in person and, once the phone is verified, the application's step and answers. Without an
// application there is no profile_step (spec §2).
func (a *api) fetchProfile(c *echo.Context, _ fields) (answer, error) {
	codes := c.QueryParams()["scholarship_code"]
	if len(codes) != 1 {
		return nil, unreadable("Send one scholarship_code.")
	}
	if err := checkProgramme(codes[0]); err != nil {
		return nil, err
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	standing, err := a.Apply.Standing(c.Request().Context(), v)
	if err != nil {
		return nil, err
	}
	profile := map[string]any{}
	r := standing.Registration
	documents, err := a.documentsOf(c, v, r)
	if err != nil {
		return nil, err
	}
	if r != nil {
		profile = a.Forms.Get(apply.FormName).ToWire(a.Apply.Answers(r))
		delete(profile, "consents") // consents are in the ledger
		profile["_id"], profile["profile_step"], profile["profile_status"] = r.ID, standing.Step, standing.Status
		profile["agreed_terms_conditions"] = standing.Step >= enrol.StepAgreed
		if year, answered := profile[examYear]; answered {
			profile[examSemester] = year
		}
	}
	profile["first_name"], profile["last_name"] = admission.SplitName(standing.Account.FullName)
	profile["email"], profile["mobile_number"] = standing.Account.Email, admission.TenDigits(standing.Account.Phone)
	var assets profileAssets
	if photo, there := document.OfKind(documents, document.Photo); there {
		assets.ThumbnailURL = web.ThumbnailPath(photo.ID)
	}
	profile["profile_assets"], profile["scholarship_code"], profile["next"] = assets, enrol.ApplicationCode, nextPath(standing)
	return &profileFetched{*success("Profile found."), profile}, nil
}

// checkProgramme rejects programmes other than the HireSure application.
func checkProgramme(code string) error {
	switch code {
	case enrol.ApplicationCode:
		return nil
	case "":
		return admission.FieldProblem("scholarship_code", "Programme is required.")
	}
	return &admission.Problem{Kind: admission.NotFound, Message: "Programme not found."}
}

func (a *api) requestPhoneCode(c *echo.Context, in fields) (answer, error) {
	if err := cmp.Or(indianOnly(in), checkProgramme(in["scholarship_code"])); err != nil {
		return nil, err
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	v.CaptchaToken = in["captcha_token"]
	s, err := a.Account.RequestPhoneCode(c.Request().Context(), v, in["phone_number"])
	if admission.HasKind(err, admission.AlreadyVerified) {
		if err := a.begin(c); err != nil { // nothing left to verify
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	return sent(s), nil
}

func (a *api) verifyOwnPhone(c *echo.Context, in fields) (answer, error) {
	if err := cmp.Or(indianOnly(in), checkProgramme(in["scholarship_code"])); err != nil {
		return nil, err
	}
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return nil, err
	}
	token, err := a.Account.VerifyPhone(c.Request().Context(), v, in["phone_number"], in["mobile_otp"])
	if err != nil {
		return nil, onWire(err, "phone_otp", "mobile_otp")
	}
	if err := a.Sessions.Renew(c, token); err != nil {
		return nil, err
	}
	return success("Your mobile number is verified."), a.begin(c)
}

// begin starts the application of an account with a verified phone.
func (a *api) begin(c *echo.Context) error {
	v, err := a.Sessions.Visitor(c)
	if err != nil {
		return err
	}
	_, err = a.Apply.Begin(c.Request().Context(), v, "", "")
	return err
}

// policyFor returns the policy of a call's traits.
func policyFor(traits []trait) web.Policy {
	if slices.Contains(traits, signedIn) {
		return web.Call.For(web.SignedInCall)
	}
	return web.Call
}
