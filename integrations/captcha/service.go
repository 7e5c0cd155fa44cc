package captcha

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

const (
	recaptchaURL = "https://www.google.com/recaptcha/api/siteverify"
	turnstileURL = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
	action       = "signup"
	usualScore   = 0.5
	serviceWait  = 5 * time.Second
)

// Remote says how another company's check is reached.
type Remote struct {
	Secret   string
	URL      string  // of the verification; "" is the service's own
	Hostname string  // that tokens must be made for; "" is any
	MinScore float64 // reCAPTCHA only; 0 is 0.5
	Work     *PoW    // for browsers without scripts and for who sends junk; nil refuses those
	Clock    func() time.Time
}

// Service is a human check by another company, over HTTP. It sees to it itself that a token is used once.
type Service struct {
	Remote
	notReady string
	client   *http.Client
	junk     *junk
}

var _ access.HumanCheck = (*Service)(nil)

// NewRecaptcha is reCAPTCHA v3: action "signup", and a score of at least MinScore.
func NewRecaptcha(n Remote) (*Service, error) {
	if n.MinScore == 0 {
		n.MinScore = usualScore
	}
	return newService(n, recaptchaURL, "Execute reCAPTCHA is not ready yet.")
}

// NewTurnstile is Turnstile, action "signup".
func NewTurnstile(n Remote) (*Service, error) {
	n.MinScore = 0
	return newService(n, turnstileURL, notReady)
}

func newService(n Remote, usualURL, notReady string) (*Service, error) {
	if n.URL == "" {
		n.URL = usualURL
	}
	if n.Secret == "" {
		return nil, errors.New("CAPTCHA_SECRET is missing")
	}
	if u, err := url.Parse(n.URL); err != nil || u.Host == "" {
		return nil, errors.New("CAPTCHA_URL must be an address")
	}
	if n.Clock == nil {
		return nil, errors.New("a human check service needs a Clock")
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Service{n, notReady, &http.Client{Timeout: serviceWait, CheckRedirect: stay}, newJunk(n.Clock)}, nil
}

// Needed is true.
func (s *Service) Needed() bool { return true }

// NotReady names the check that runs, if its words do.
func (s *Service) NotReady() string { return s.notReady }

// verdict is the answer of either service.
type verdict struct {
	Success  bool     `json:"success"`
	Score    float64  `json:"score"`
	Action   string   `json:"action"`
	Hostname string   `json:"hostname"`
	Errors   []string `json:"error-codes"`
}

// ours are faults that say nothing about the visitor.
var ours = []string{"missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"}

// Check asks the service about a token. Of who has sent too many that were not good it takes work instead, and asks nobody.
func (s *Service) Check(ctx context.Context, token string, from admission.Visitor) (access.Pass, error) {
	if s.Work != nil && IsTicket(token) {
		return s.Work.Tickets.Check(ctx, token, from)
	}
	who := sender(from)
	if !s.junk.mayAsk(who) {
		if s.Work == nil {
			return access.Pass{}, access.ErrNotHuman
		}
		return s.Work.Check(ctx, token, from)
	}
	v, err := s.ask(ctx, token, from.IP)
	for _, code := range v.Errors {
		if err == nil && slices.Contains(ours, code) {
			err = errors.New(code)
		}
	}
	bad := err == nil && (!v.Success || v.Action != action || v.Score < s.MinScore || s.Hostname != "" && v.Hostname != s.Hostname)
	s.junk.answered(who, bad) // a service that does not answer says nothing of the visitor
	switch {
	case err != nil:
		return access.Pass{}, fmt.Errorf("human check service: %w", err)
	case bad:
		return access.Pass{}, access.ErrNotHuman
	}
	return access.Pass{}, nil
}

// Challenge returns the work for a visitor from whom no token of the service is taken; false: the service's own check.
func (s *Service) Challenge(from admission.Visitor) (Challenge, bool) {
	if s.Work == nil || !s.junk.isFull(sender(from)) {
		return Challenge{}, false
	}
	return s.Work.Challenge(), true
}

func (s *Service) ask(ctx context.Context, token, ip string) (v verdict, err error) {
	form := url.Values{"secret": {s.Secret}, "response": {token}}
	if !strings.Contains(ip, "/") { // of IPv6 we know only the network
		form.Set("remoteip", ip)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return v, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.client.Do(request)
	if err != nil {
		return v, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusBadRequest { // Turnstile says 400 with a verdict
		return v, fmt.Errorf("answered %d", response.StatusCode)
	}
	return v, json.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&v)
}
