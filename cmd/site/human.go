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

// captchaScripts are the hosts that the browser's half of a service loads from, as its vendor documents them:
// https://cloud.google.com/recaptcha/docs/faq and https://developers.cloudflare.com/turnstile/reference/content-security-policy
var captchaScripts = map[string][]string{
	"recaptcha": {"https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"},
	"turnstile": {"https://challenges.cloudflare.com"},
}

// work is the proof of work, as GET /human/challenge answers it. islands/runtime/human.ts is the twin of the two.
type work struct {
	Provider string `json:"provider"` // pow
	captcha.Challenge
}

// service is another company's check.
type service struct {
	Provider string `json:"provider"` // recaptcha, turnstile
	SiteKey  string `json:"siteKey"`
}

// challenge says what a browser must do for its human check. From who has sent junk to another company's check, work
// is taken in its place.
func (s *site) challenge(from admission.Visitor) any {
	switch check := s.business.Access.Human.(type) {
	case *captcha.PoW:
		return work{"pow", check.Challenge()}
	case *captcha.Service:
		if challenge, instead := check.Challenge(from); instead {
			return work{"pow", challenge}
		}
	}
	return service{s.config.Captcha, s.config.CaptchaSite}
}
