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

// Remote configures a check by another company.
type Remote struct {
	Secret   string
	URL      string  // of the verification; "" for the default
	Hostname string  // required host of tokens; "" means any
	MinScore float64 // reCAPTCHA only; 0 means 0.5
	Own      *PoW    // for browsers without scripts and senders of many invalid tokens; nil refuses those
	Clock    func() time.Time
}

// Service is a check by another company, over HTTP. That company ensures that a token is used once.
type Service struct {
	Remote
	notReady string
	client   *http.Client
	junk     *junk
}

var _ access.HumanCheck = (*Service)(nil)

// NewRecaptcha returns a check by reCAPTCHA v3 with action "signup" and a score of at least MinScore.
func NewRecaptcha(n Remote) (*Service, error) {
	if n.MinScore == 0 {
		n.MinScore = usualScore
	}
	return newService(n, recaptchaURL, "Execute reCAPTCHA is not ready yet.")
}

// NewTurnstile returns a check by Turnstile with action "signup".
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

// Needed returns true.
func (s *Service) Needed() bool { return true }

// NotReady returns a message that names the service, if its terms require it.
func (s *Service) NotReady() string { return s.notReady }

// verdict is the response of either service.
type verdict struct {
	Success  bool     `json:"success"`
	Score    float64  `json:"score"`
	Action   string   `json:"action"`
	Hostname string   `json:"hostname"`
	Errors   []string `json:"error-codes"`
}

// ours are error codes that don't concern the visitor.
var ours = []string{"missing-input-secret", "invalid-input-secret", "bad-request", "internal-error"}

// Check verifies a token at the service. A sender of too many invalid tokens must do proof of work instead.
func (s *Service) Check(ctx context.Context, token string, from admission.Visitor) (access.Pass, error) {
	if s.Own != nil && IsTicket(token) {
		return s.Own.Tickets.Check(ctx, token, from)
	}
	if s.Own != nil {
		if solution, solved := s.Own.solution(token); solved {
			return access.Pass{Once: solution.Salt}, nil
		}
	}
	who := sender(from)
	if !s.junk.mayAsk(who) {
		if s.Own == nil {
			return access.Pass{}, access.ErrNotHuman
		}
		return s.Own.Check(ctx, token, from)
	}
	v, err := s.verify(ctx, token, from.IP)
	for _, code := range v.Errors {
		if err == nil && slices.Contains(ours, code) {
			err = errors.New(code)
		}
	}
	bad := err == nil && (!v.Success || v.Action != action || v.Score < s.MinScore || s.Hostname != "" && v.Hostname != s.Hostname)
	s.junk.answered(who, bad) // an error of the service does not count
	switch {
	case err != nil:
		return access.Pass{}, fmt.Errorf("human check service: %w", err)
	case bad:
		return access.Pass{}, access.ErrNotHuman
	}
	return access.Pass{}, nil
}

// Challenge returns a proof of work for a visitor whose tokens are no longer accepted; false for the service's check.
func (s *Service) Challenge(from admission.Visitor) (Challenge, bool) {
	if s.Own == nil || !s.junk.isFull(sender(from)) {
		return Challenge{}, false
	}
	return s.Own.Challenge(), true
}

// Work returns a proof of work of ours: these companies offer no harder check.
func (s *Service) Work(subject string, steps int) any {
	if s.Own == nil {
		return nil
	}
	return s.Own.Work(subject, steps)
}

// Worked reports whether a token solves Work.
func (s *Service) Worked(token, subject string, steps int) (once string, proven bool) {
	if s.Own == nil {
		return "", false
	}
	return s.Own.Worked(token, subject, steps)
}

func (s *Service) verify(ctx context.Context, token, ip string) (v verdict, err error) {
	form := url.Values{"secret": {s.Secret}, "response": {token}}
	if !strings.Contains(ip, "/") { // an IPv6 visitor is known only by its network
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
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusBadRequest { // Turnstile sends verdicts with 400
		return v, fmt.Errorf("status %d", response.StatusCode)
	}
	return v, json.NewDecoder(io.LimitReader(response.Body, 64<<10)).Decode(&v)
}
