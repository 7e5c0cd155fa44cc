package site

import (
	"net/url"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/cmd/site/config"
	"hiresure/integrations/captcha"
)

// openHumanCheck returns the configured human check.
func openHumanCheck(c *config.Config, clock func() time.Time) (access.HumanCheck, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, err
	}
	bits := 0
	if c.Captcha != "pow" {
		bits = captcha.WaryBits
	}
	work, err := captcha.NewPoW(captcha.Config{Key: c.Key("human check"), Clock: clock, Bits: bits})
	if err != nil {
		return nil, err
	}
	remote := captcha.Remote{URL: c.CaptchaURL, Secret: c.CaptchaSecret, Hostname: base.Hostname(), Own: work, Clock: clock}
	switch c.Captcha {
	case "off":
		return captcha.Off{}, nil
	case "recaptcha":
		return captcha.NewRecaptcha(remote)
	case "turnstile":
		return captcha.NewTurnstile(remote)
	}
	return work, nil
}

// captchaScripts lists the script origins that each vendor documents:
// https://cloud.google.com/recaptcha/docs/faq and https://developers.cloudflare.com/turnstile/reference/content-security-policy
var captchaScripts = map[string][]string{
	"recaptcha": {"https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"},
	"turnstile": {"https://challenges.cloudflare.com"},
}

// vendorResponse is a response of GET /human/challenge for an external check.
type vendorResponse struct {
	Provider string `json:"provider"` // recaptcha, turnstile
	SiteKey  string `json:"siteKey"`
}

// challengeOf returns the challenges of a human check for visitors: proof of work instead of a vendor's check after invalid vendor
// tokens.
func challengeOf(human access.HumanCheck, c *config.Config) func(admission.Visitor) any {
	return func(from admission.Visitor) any {
		switch check := human.(type) {
		case *captcha.PoW:
			return captcha.ForBrowser{Provider: "pow", Challenge: check.Challenge()}
		case *captcha.Service:
			if challenge, instead := check.Challenge(from); instead {
				return captcha.ForBrowser{Provider: "pow", Challenge: challenge}
			}
		}
		return vendorResponse{c.Captcha, c.CaptchaSite}
	}
}
