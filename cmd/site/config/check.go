package config

import (
	"cmp"
	"math"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// checkProduction rejects settings that are unsafe for real visitors, data and money.
func (c *Config) checkProduction(f *faults) {
	f.refuse(!c.Secure(), "BASE_URL must be https in production")
	f.refuse(c.SecretKey == "", "SECRET_KEY is required in production")
	f.refuse(c.Captcha == "off", "CAPTCHA=off is refused in production")
	f.refuse(c.StorageKeys == "", "STORAGE_KEYS is required in production")
	f.refuse(c.ClamdURL == "", "CLAMD_URL is required in production: unix:///run/clamav/clamd.ctl, or off if nobody shall look for harm in what is uploaded")
	f.refuse(isStoragePlaintext(c.StorageURL), "STORAGE_URL: the endpoint must be https in production: it carries S3_SECRET_KEY's signatures")
	f.refuse(c.RateLimits == "off", "RATE_LIMITS=off is refused in production")
	f.refuse(c.SMTPURL == "", "SMTP_URL is required in production: the outbox delivers to nobody")
	f.refuse(isMailPlaintext(c.SMTPURL), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts")
	f.refuse(c.SMSURL == "", "SMS_URL is required in production: the outbox delivers to nobody")
	f.refuse(isPlaintext(c.LeadWebhookURL), "LEAD_WEBHOOK_URL must be https in production: it carries names and numbers")
	f.refuse(isPlaintext(c.AccountsKeys), "ACCOUNTS_JWKS_URL must be https in production: it decides who is signed in")
	f.refuse(isPlaintext(c.CaptchaURL), "CAPTCHA_URL must be https in production: it carries CAPTCHA_SECRET and decides who is human")
	f.refuse(c.MetricsAddr == "" && c.MetricsToken == "", "METRICS_ADDR or METRICS_TOKEN is required in production")
	if host, _, err := net.SplitHostPort(c.MetricsAddr); err == nil && c.MetricsToken == "" {
		f.refuse(!isLoopback(host), "METRICS_ADDR %s is not loopback: METRICS_TOKEN is required there", c.MetricsAddr)
	}
	base, err := url.Parse(c.BaseURL)
	f.refuse(err == nil && base.User != nil, "BASE_URL must not name a user: every mail and page shows it")
	f.refuse(c.SMSPerHour > maxSMSPerHour, "SMS_PER_HOUR must be at most %d: it is what strangers can make us pay for", maxSMSPerHour)
	f.refuse(c.ChromeURL == "" && os.Geteuid() == 0, "the site must not run as root in production: the printing browser would run without its sandbox; give it a user, or set CHROME_URL")
	c.checkPlainNetworks(f)
	c.checkProxies(f)
	c.checkSecrets(f)
	c.checkGateways(f)
}

// maxSMSPerHour is about seventy times what a million applicants a month need on average.
const maxSMSPerHour = 100_000

// checkPlainNetworks rejects addresses of other machines to which personal data would go unencrypted.
func (c *Config) checkPlainNetworks(f *faults) {
	for _, one := range []struct{ name, address, encrypted, why string }{
		{"CHROME_URL", c.ChromeURL, "wss:// or https://", "it gets names and invoices"},
		{"CLAMD_URL", c.ClamdURL, "a unix:// socket", "it gets what people upload"},
		{"SENTRY_DSN", c.SentryDSN, "https://", "errors may name people"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", c.OTLPEndpoint, "https://", "traces may name people"},
	} {
		u, err := url.Parse(one.address)
		plain := err == nil && slices.Contains([]string{"http", "ws", "tcp"}, strings.ToLower(u.Scheme)) && !isLoopback(u.Hostname())
		f.refuse(plain, "%s: another machine is reached by %s in production: %s", one.name, one.encrypted, one.why)
	}
	f.refuse(isDatabasePlaintext(c.DatabaseURL), "DATABASE_URL: another machine is reached with sslmode=verify-full, verify-ca or require in production: everything goes there")
}

// isDatabasePlaintext reports whether the site may connect to PostgreSQL on another machine without TLS. A host that is a path is a socket.
func isDatabasePlaintext(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return false
	}
	query := u.Query()
	if slices.Contains([]string{"require", "verify-ca", "verify-full"}, query.Get("sslmode")) {
		return false
	}
	for host := range strings.SplitSeq(cmp.Or(u.Host, query.Get("host")), ",") {
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		if name != "" && !strings.HasPrefix(name, "/") && !isLoopback(strings.Trim(name, "[]")) {
			return true
		}
	}
	return false
}

// checkGateways rejects test modes of gateways, which would enrol payers without real money.
func (c *Config) checkGateways(f *faults) {
	for _, gateway := range c.Chosen {
		for _, s := range gateway.Descriptor.Settings {
			f.refuse(!c.PaymentsTest && s.Script && !sameHost(gateway.Values[s.Name], s.Default), "%s must be a script of the provider in production: it runs in our pages", s.Name)
			f.refuse(!c.PaymentsTest && s.Plays(gateway.Values[s.Name]), "%s takes no real money and is refused in production: set PAYMENTS_TEST=1 if you mean it", s.Name)
		}
	}
}

func sameHost(one, other string) bool {
	a, errA := url.Parse(one)
	b, errB := url.Parse(other)
	return errA == nil && errB == nil && a.Scheme == b.Scheme && a.Host == b.Host
}

// checkDevelopment rejects public addresses: a development site shows all verification codes.
func (c *Config) checkDevelopment(f *faults) {
	const why = "is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it"
	if host, _, err := net.SplitHostPort(c.Addr); err == nil {
		f.refuse(!isLoopback(host), "ADDR %s "+why, c.Addr)
	}
	if base, err := url.Parse(c.BaseURL); err == nil && base.Host != "" && c.baseURLSet {
		f.refuse(!isLoopback(base.Hostname()), "BASE_URL %s "+why, c.BaseURL)
	}
}

// isLoopback reports whether a host is certainly loopback. An empty one means all addresses.
func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost") // RFC 6761 §6.3
	}
	return addr.IsLoopback()
}

// isPlaintext reports whether an address is set and not https.
func isPlaintext(address string) bool {
	return address != "" && !strings.HasPrefix(strings.ToLower(address), "https://")
}

// isStoragePlaintext reports whether the site connects to a remote bucket without TLS.
func isStoragePlaintext(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" {
		return false
	}
	endpoint, err := url.Parse(u.Query().Get("endpoint"))
	return err == nil && endpoint.Scheme == "http" && !isLoopback(endpoint.Hostname())
}

// isMailPlaintext reports whether mails are sent unencrypted to another machine.
func isMailPlaintext(smtpURL string) bool {
	server, err := url.Parse(smtpURL)
	return err == nil && server.Query().Get("tls") == "none" && !isLoopback(server.Hostname())
}

// checkSecrets rejects weak secrets and secrets used twice.
func (c *Config) checkSecrets(f *faults) {
	const ours, theirs = "openssl rand -hex 32 makes a good one", "take the one that the vendor made for this site"
	secrets := []struct{ name, value, advice string }{
		{"SECRET_KEY", c.SecretKey, ours},
		{"SERVICE_SECRET", c.ServiceSecret, ours},
		{"METRICS_TOKEN", c.MetricsToken, ours},
		{"LEAD_WEBHOOK_SECRET", c.LeadSecret, ours},
		{"CAPTCHA_SECRET", c.CaptchaSecret, theirs},
		{"S3_SECRET_KEY", c.S3SecretKey, theirs},
	}
	if c.FileKeys.Current() != "" { // otherwise rejected already
		for one := range strings.SplitSeq(c.StorageKeys, ",") {
			id, digits, _ := strings.Cut(strings.TrimSpace(one), ":")
			secrets = append(secrets, struct{ name, value, advice string }{"STORAGE_KEYS " + id, digits, ours})
		}
	}
	for _, gateway := range c.Chosen {
		for _, s := range gateway.Descriptor.Settings {
			if !s.Secret {
				continue
			}
			for i, one := range strings.Split(gateway.Values[s.Name], ",") { // two during a rotation
				name := s.Name
				if i > 0 {
					name += " (older)"
				}
				secrets = append(secrets, struct{ name, value, advice string }{name, strings.TrimSpace(one), theirs})
			}
		}
	}
	for _, one := range []struct{ name, address string }{{"SMTP_URL", c.SMTPURL}, {"SMS_URL", c.SMSURL}, {"DATABASE_URL", c.DatabaseURL}} {
		if u, err := url.Parse(one.address); err == nil && u.User != nil {
			password, has := u.User.Password()
			if !has {
				password = u.User.Username() // SMS_URL has only a key
			}
			for _, s := range secrets {
				f.refuse(password != "" && strings.EqualFold(password, s.value), "%s and the password of %s are the same: each needs a secret of its own", s.name, one.name)
			}
		}
	}
	for i, s := range secrets {
		if s.value == "" || s.name == "SECRET_KEY" && c.secret == nil { // rejected already
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

// privateRanges lists the ranges that are not routed on the internet: RFC 1918, 6598, 3927, 4193, 4291.
var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10"), netip.MustParsePrefix("::1/128"),
}

// checkProxies requires trusted proxies and rejects too wide ranges. The site serves plain HTTP behind a proxy with TLS.
// Untrusted, its address would be every visitor's and share one limit; if everybody is trusted, visitors choose their
// addresses. The widest public range of a content delivery network is a /10, or a /24 of IPv6; together they are below a /8 and a /16.
func (c *Config) checkProxies(f *faults) {
	f.refuse(len(c.TrustedProxies) == 0, "TRUSTED_PROXIES is required in production: without the proxy that adds TLS every visitor has its address")
	shares := map[bool]float64{} // of all addresses, by Is4
	maxShares := map[bool]float64{true: 1.0 / (1 << 8), false: 1.0 / (1 << 16)}
	fewestBits := map[bool]int{true: 10, false: 20}
	for i, prefix := range c.Proxies {
		if !prefix.IsValid() || isPrivate(prefix) {
			continue
		}
		isIPv4, share := prefix.Addr().Is4(), math.Ldexp(1, -prefix.Bits())
		if prefix.Bits() < fewestBits[isIPv4] {
			f.refuse(true, "TRUSTED_PROXIES: %s is wider than any proxy's addresses: every visitor there could choose an address", c.TrustedProxies[i])
			continue // not counted in the sum: one fault is enough
		}
		shares[isIPv4] += share
	}
	f.refuse(shares[true] > maxShares[true] || shares[false] > maxShares[false], "TRUSTED_PROXIES add up to more than any proxy's addresses: every visitor there could choose an address")
}

func isPrivate(prefix netip.Prefix) bool {
	for _, known := range privateRanges {
		if known.Bits() <= prefix.Bits() && known.Contains(prefix.Addr()) {
			return true
		}
	}
	return false
}
