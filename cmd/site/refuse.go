package main

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// faults are what is wrong with an environment, a line each.
type faults []error

func (f *faults) refuse(when bool, format string, args ...any) {
	if when {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

func (f *faults) oneOf(name, value string, allowed ...string) {
	for _, a := range allowed {
		if value == a {
			return
		}
	}
	f.refuse(true, "%s must be %s, not %q", name, strings.Join(allowed, " or "), value)
}

// judgeProduction refuses what real visitors, their data and their money must not meet.
func (c *Config) judgeProduction(f *faults) {
	f.refuse(!c.Secure(), "BASE_URL must be https in production")
	f.refuse(c.SecretKey == "", "SECRET_KEY is required in production")
	f.refuse(c.Captcha == "off", "CAPTCHA=off is refused in production")
	f.refuse(c.StorageKeys == "", "STORAGE_KEYS is required in production")
	f.refuse(c.ClamdURL == "", "CLAMD_URL is required in production: unix:///run/clamav/clamd.ctl, or off if nobody shall look for harm in what is uploaded")
	f.refuse(storageInClear(c.StorageURL), "STORAGE_URL: the endpoint must be https in production: it carries S3_SECRET_KEY's signatures")
	f.refuse(c.RateLimits == "off", "RATE_LIMITS=off is refused in production")
	f.refuse(c.SMTPURL == "", "SMTP_URL is required in production: the outbox delivers to nobody")
	f.refuse(mailInClear(c.SMTPURL), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts")
	f.refuse(c.SMSURL == "", "SMS_URL is required in production: the outbox delivers to nobody")
	f.refuse(inClear(c.LeadWebhookURL), "LEAD_WEBHOOK_URL must be https in production: it carries names and numbers")
	f.refuse(inClear(c.AccountsKeys), "ACCOUNTS_JWKS_URL must be https in production: it decides who is signed in")
	f.refuse(inClear(c.CaptchaURL), "CAPTCHA_URL must be https in production: it carries CAPTCHA_SECRET and decides who is human")
	f.refuse(c.MetricsAddr == "" && c.MetricsToken == "", "METRICS_ADDR or METRICS_TOKEN is required in production")
	if host, _, err := net.SplitHostPort(c.MetricsAddr); err == nil && c.MetricsToken == "" {
		f.refuse(!isLoopback(host), "METRICS_ADDR %s is not loopback: METRICS_TOKEN is required there", c.MetricsAddr)
	}
	c.judgeProxies(f)
	c.judgeSecrets(f)
	c.judgeGateways(f)
}

// judgeGateways refuses what only plays at taking money: whoever pays with it is enrolled, and nobody has the money.
func (c *Config) judgeGateways(f *faults) {
	for _, gateway := range c.gateways {
		for _, s := range gateway.Settings {
			f.refuse(!c.PaymentsTest && s.Plays(gateway.settings[s.Name]), "%s takes no real money and is refused in production: set PAYMENTS_TEST=1 if you mean it", s.Name)
		}
	}
}

// judgeDevelopment refuses to be reached from other machines: whoever reaches a site in development reads everybody's codes.
func (c *Config) judgeDevelopment(f *faults) {
	const why = "is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it"
	if host, _, err := net.SplitHostPort(c.Addr); err == nil {
		f.refuse(!isLoopback(host), "ADDR %s "+why, c.Addr)
	}
	if base, err := url.Parse(c.BaseURL); err == nil && base.Host != "" && c.givenBase {
		f.refuse(!isLoopback(base.Hostname()), "BASE_URL %s "+why, c.BaseURL)
	}
}

// isLoopback reports whether a host surely is this machine alone. An empty one is every address that the machine has.
func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost") // RFC 6761 §6.3
	}
	return addr.IsLoopback() // of IPv4 mapped into IPv6 too
}

// inClear reports whether an address that is set is not https.
func inClear(address string) bool {
	return address != "" && !strings.HasPrefix(strings.ToLower(address), "https://")
}

// mailInClear reports whether mails leave this machine unencrypted.
func mailInClear(smtpURL string) bool {
	server, err := url.Parse(smtpURL)
	return err == nil && server.Query().Get("tls") == "none" && !isLoopback(server.Hostname())
}

// judgeSecrets refuses secrets that can be guessed, and those whose loss in one place opens another.
func (c *Config) judgeSecrets(f *faults) {
	const ours, theirs = "openssl rand -hex 32 makes a good one", "take the one that the vendor made for this site"
	secrets := []struct{ name, value, advice string }{
		{"SECRET_KEY", c.SecretKey, ours},
		{"SERVICE_SECRET", c.ServiceSecret, ours},
		{"METRICS_TOKEN", c.MetricsToken, ours},
		{"LEAD_WEBHOOK_SECRET", c.LeadSecret, ours},
		{"CAPTCHA_SECRET", c.CaptchaSecret, theirs},
		{"S3_SECRET_KEY", c.S3SecretKey, theirs},
	}
	if c.fileKeys.Current() != "" { // else it is refused already
		for one := range strings.SplitSeq(c.StorageKeys, ",") {
			id, digits, _ := strings.Cut(strings.TrimSpace(one), ":")
			secrets = append(secrets, struct{ name, value, advice string }{"STORAGE_KEYS " + id, digits, ours})
		}
	}
	for _, gateway := range c.gateways {
		for _, s := range gateway.Settings {
			if !s.Secret {
				continue
			}
			for i, one := range strings.Split(gateway.settings[s.Name], ",") { // two during a rotation
				name := s.Name
				if i > 0 {
					name += " (older)"
				}
				secrets = append(secrets, struct{ name, value, advice string }{name, strings.TrimSpace(one), theirs})
			}
		}
	}
	for i, s := range secrets {
		if s.value == "" || s.name == "SECRET_KEY" && c.secret == nil { // which is refused already
			continue
		}
		if reason := weakness(s.value); reason != "" {
			f.refuse(true, "%s is weak, %s: %s", s.name, reason, s.advice)
		}
		for _, other := range secrets[:i] {
			f.refuse(strings.EqualFold(s.value, other.value), "%s and %s are the same: each needs a secret of its own", other.name, s.name)
		}
	}
}

// private are the ranges that no visitor comes from through the internet: RFC 1918, 6598, 3927, 4193, 4291.
var private = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10"), netip.MustParsePrefix("::1/128"),
}

// The site speaks plain HTTP, so that in production a proxy with TLS stands in front of it. Who may say where a visitor comes
// from: that proxy alone. Without one every visitor would have the proxy's address, and share its limits; where everybody is
// trusted, every visitor chooses an address and has none. Of public addresses the widest range that a content delivery network
// publishes is a /10, or a /24 of IPv6; ranges that add up to a /8, or a /16, leave it room.
func (c *Config) judgeProxies(f *faults) {
	f.refuse(len(c.TrustedProxies) == 0, "TRUSTED_PROXIES is required in production: without the proxy that adds TLS every visitor has its address")
	shares := map[bool]float64{} // of all addresses, by Is4
	most := map[bool]float64{true: 1.0 / (1 << 8), false: 1.0 / (1 << 16)}
	for i, prefix := range c.proxies {
		if !prefix.IsValid() || isPrivate(prefix) {
			continue
		}
		isIPv4, share := prefix.Addr().Is4(), math.Ldexp(1, -prefix.Bits())
		if share > most[isIPv4] {
			f.refuse(true, "TRUSTED_PROXIES: %s is wider than any proxy's addresses: every visitor there could choose an address", c.TrustedProxies[i])
			continue // told, and not once more as a part of the sum
		}
		shares[isIPv4] += share
	}
	f.refuse(shares[true] > most[true] || shares[false] > most[false], "TRUSTED_PROXIES add up to more than any proxy's addresses: every visitor there could choose an address")
}

func isPrivate(prefix netip.Prefix) bool {
	for _, known := range private {
		if known.Bits() <= prefix.Bits() && known.Contains(prefix.Addr()) {
			return true
		}
	}
	return false
}
