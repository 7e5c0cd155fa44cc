package main

import (
	"net/url"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/integrations/captcha"
)

func (s *site) humanCheck() (access.HumanCheck, error) {
	c := s.config
	var err error
	if s.tickets, err = captcha.NewTickets(s.key("human check"), s.clock); err != nil {
		return nil, err
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, err
	}
	bits := 0
	if c.Captcha != "pow" {
		bits = captcha.WaryBits
	}
	work, err := captcha.NewPoW(captcha.Config{Key: s.key("human check"), Clock: s.clock, Bits: bits})
	if err != nil {
		return nil, err
	}
	remote := captcha.Remote{URL: c.CaptchaURL, Secret: c.CaptchaSecret, Hostname: base.Hostname(), Work: work, Clock: s.clock}
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

// powResponse is a response of GET /human/challenge, which islands/runtime/human.ts parses.
type powResponse struct {
	Provider string `json:"provider"` // pow
	captcha.Challenge
}

// vendorResponse is a response of GET /human/challenge for an external check.
type vendorResponse struct {
	Provider string `json:"provider"` // recaptcha, turnstile
	SiteKey  string `json:"siteKey"`
}

// challenge returns the human check for a visitor: proof of work instead of a vendor's check after invalid vendor tokens.
func (s *site) challenge(from admission.Visitor) any {
	switch check := s.business.Access.Human.(type) {
	case *captcha.PoW:
		return powResponse{"pow", check.Challenge()}
	case *captcha.Service:
		if challenge, instead := check.Challenge(from); instead {
			return powResponse{"pow", challenge}
		}
	}
	return vendorResponse{s.config.Captcha, s.config.CaptchaSite}
}
