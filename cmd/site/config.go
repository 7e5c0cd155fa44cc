package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Config is everything that the environment decides. All of it is optional in development.
type Config struct {
	Addr           string   `env:"ADDR" envDefault:"127.0.0.1:8080"`
	BaseURL        string   `env:"BASE_URL"`
	AppEnv         string   `env:"APP_ENV" envDefault:"development"`
	DataDir        string   `env:"DATA_DIR" envDefault:"./data"`
	DatabaseURL    string   `env:"DATABASE_URL"`
	SecretKey      string   `env:"SECRET_KEY"`
	SMTPURL        string   `env:"SMTP_URL"`
	SMSURL         string   `env:"SMS_URL"`
	Captcha        string   `env:"CAPTCHA" envDefault:"pow"`
	CaptchaSite    string   `env:"CAPTCHA_SITE_KEY"`
	CaptchaSecret  string   `env:"CAPTCHA_SECRET"`
	CaptchaURL     string   `env:"CAPTCHA_URL"`
	Gateways       []string `env:"GATEWAYS"` // sandbox in development
	DefaultEvent   string   `env:"DEFAULT_EVENT" envDefault:"hiresure-mgrow-2025"`
	RateLimits     string   `env:"RATE_LIMITS" envDefault:"on"`
	ServiceSecret  string   `env:"SERVICE_SECRET"`
	LeadWebhookURL string   `env:"LEAD_WEBHOOK_URL"`
	LeadSecret     string   `env:"LEAD_WEBHOOK_SECRET"`
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	MetricsAddr    string   `env:"METRICS_ADDR"`
	MetricsToken   string   `env:"METRICS_TOKEN"`
	SentryDSN      string   `env:"SENTRY_DSN"`
	OTLPEndpoint   string   `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	DevPublic      bool     `env:"DEV_PUBLIC"`
	DrainNotice    bool     `env:"DRAIN_NOTICE"` // wait a second between failing /readyz and closing the door, as in production

	secret  []byte         // SecretKey as 32 bytes
	proxies []netip.Prefix // TrustedProxies
}

// Production is false on a developer's machine only.
func (c *Config) Production() bool { return c.AppEnv == "production" }

// Secure tells whether visitors reach us by https.
func (c *Config) Secure() bool { return strings.HasPrefix(c.BaseURL, "https://") }

// humanCompany is another company that tells people from programs for us: recaptcha, turnstile, or "" for none.
func (c *Config) humanCompany() string {
	if c.Captcha == "recaptcha" || c.Captcha == "turnstile" {
		return c.Captcha
	}
	return ""
}

// readConfig reads the environment and refuses nonsense, with one clear line per fault.
func readConfig(environ map[string]string) (*Config, error) {
	c := &Config{}
	if err := env.ParseWithOptions(c, env.Options{Environment: environ}); err != nil {
		return nil, err
	}
	var faults []error
	refuse := func(when bool, format string, args ...any) {
		if when {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	oneOf := func(name, value string, allowed ...string) {
		for _, a := range allowed {
			if value == a {
				return
			}
		}
		refuse(true, "%s must be %s, not %q", name, strings.Join(allowed, " or "), value)
	}
	oneOf("APP_ENV", c.AppEnv, "development", "production")
	oneOf("CAPTCHA", c.Captcha, "pow", "recaptcha", "turnstile", "off")
	oneOf("RATE_LIMITS", c.RateLimits, "on", "off")

	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		refuse(true, "ADDR must be host:port, not %q", c.Addr)
		host, port = "127.0.0.1", "8080" // so that the other faults are told too
	}
	if c.BaseURL == "" {
		c.BaseURL = "http://" + net.JoinHostPort(host, port)
	}
	c.BaseURL = strings.TrimSuffix(c.BaseURL, "/")
	base, err := url.Parse(c.BaseURL)
	refuse(err != nil || base.Host == "" || base.Path != "" || base.Scheme != "http" && base.Scheme != "https",
		"BASE_URL must be an origin such as https://www.example.in, not %q", c.BaseURL)
	if c.DatabaseURL == "" {
		c.DatabaseURL = "sqlite://" + filepath.Join(c.DataDir, "hiresure.db")
	}
	refuse(!strings.HasPrefix(c.DatabaseURL, "sqlite://") && !strings.HasPrefix(c.DatabaseURL, "postgres://") && !strings.HasPrefix(c.DatabaseURL, "postgresql://"),
		"DATABASE_URL must begin with sqlite:// or postgres://")
	for _, text := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		refuse(err != nil, "TRUSTED_PROXIES: %q is no address or prefix", text)
		c.proxies = append(c.proxies, prefix)
	}
	if len(c.Gateways) == 0 && !c.Production() {
		c.Gateways = []string{"sandbox"}
	}
	for _, gateway := range c.Gateways {
		oneOf("GATEWAYS", gateway, "sandbox")
		refuse(gateway == "sandbox" && c.Production(), "GATEWAYS: sandbox takes no real money and is refused in production")
	}
	if c.humanCompany() != "" {
		refuse(c.CaptchaSite == "" || c.CaptchaSecret == "", "CAPTCHA=%s needs CAPTCHA_SITE_KEY and CAPTCHA_SECRET", c.Captcha)
	}
	refuse(c.LeadWebhookURL != "" && c.LeadSecret == "", "LEAD_WEBHOOK_URL needs LEAD_WEBHOOK_SECRET")
	if c.Production() {
		refuse(!c.Secure(), "BASE_URL must be https in production")
		refuse(c.SecretKey == "", "SECRET_KEY is required in production")
		refuse(c.Captcha == "off", "CAPTCHA=off is refused in production")
		refuse(c.RateLimits == "off", "RATE_LIMITS=off is refused in production")
		refuse(c.SMTPURL == "", "SMTP_URL is required in production: the outbox delivers to nobody")
		refuse(strings.HasPrefix(c.LeadWebhookURL, "http://"), "LEAD_WEBHOOK_URL must be https in production: it carries names and numbers")
		refuse(mailInClear(c.SMTPURL), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts")
		refuse(c.SMSURL == "", "SMS_URL is required in production: the outbox delivers to nobody")
		refuse(c.MetricsAddr == "" && c.MetricsToken == "", "METRICS_ADDR or METRICS_TOKEN is required in production")
	} else if addr, err := netip.ParseAddr(host); !c.DevPublic {
		refuse(host != "localhost" && (err != nil || !addr.IsLoopback()), "ADDR %s is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it", c.Addr)
	}
	if len(faults) == 0 {
		c.secret, err = secretKey(c.SecretKey, c.DataDir)
		refuse(err != nil, "SECRET_KEY: %v", err)
	}
	return c, errors.Join(faults...)
}

// mailInClear tells whether mails leave this machine unencrypted.
func mailInClear(smtpURL string) bool {
	server, err := url.Parse(smtpURL)
	if err != nil || server.Query().Get("tls") != "none" {
		return false
	}
	addr, err := netip.ParseAddr(server.Hostname())
	return server.Hostname() != "localhost" && (err != nil || !addr.IsLoopback())
}

// secretKey reads 64 hex digits, or makes and keeps a key in the data directory.
func secretKey(text, dataDir string) ([]byte, error) {
	file := filepath.Join(dataDir, "secret.key")
	if text == "" {
		kept, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			return makeSecret(dataDir, file)
		}
		if err != nil {
			return nil, err
		}
		text = strings.TrimSpace(string(kept))
	}
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != 32 {
		return nil, errors.New("must be 64 hexadecimal digits (openssl rand -hex 32)")
	}
	return key, nil
}

func makeSecret(dataDir, file string) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) { // another process was faster
		return secretKey("", dataDir)
	}
	if err != nil {
		return nil, err
	}
	_, writeErr := f.WriteString(hex.EncodeToString(key) + "\n")
	return key, errors.Join(writeErr, f.Sync(), f.Close())
}
