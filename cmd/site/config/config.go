// Package config reads the environment into a Config and rejects what is malformed, missing or unsafe.
package config

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"hiresure/cmd/site/gateways"
	"hiresure/integrations/objects"
)

// Config is parsed from the environment. All of it is optional in development.
type Config struct {
	Addr           string   `env:"ADDR" envDefault:"127.0.0.1:8080"`
	BaseURL        string   `env:"BASE_URL"`
	AppEnv         string   `env:"APP_ENV" envDefault:"development"`
	DataDir        string   `env:"DATA_DIR" envDefault:"./data"`
	DatabaseURL    string   `env:"DATABASE_URL"`
	DatabasePool   int      `env:"DATABASE_POOL" envDefault:"16"` // connections to PostgreSQL
	SecretKey      string   `env:"SECRET_KEY"`
	StorageURL     string   `env:"STORAGE_URL"`
	StorageKeys    string   `env:"STORAGE_KEYS"`
	S3AccessKey    string   `env:"S3_ACCESS_KEY"`
	S3SecretKey    string   `env:"S3_SECRET_KEY"`
	ClamdURL       string   `env:"CLAMD_URL"`  // "off": uploads are not scanned
	ChromeURL      string   `env:"CHROME_URL"` // a remote browser; "off": invoices are not printed
	ChromePath     string   `env:"CHROME_PATH"`
	PaperSize      string   `env:"PAPER_SIZE" envDefault:"letter"`
	SMTPURL        string   `env:"SMTP_URL"`
	SMSURL         string   `env:"SMS_URL"`
	Captcha        string   `env:"CAPTCHA" envDefault:"pow"`
	CaptchaSite    string   `env:"CAPTCHA_SITE_KEY"`
	CaptchaSecret  string   `env:"CAPTCHA_SECRET"`
	CaptchaURL     string   `env:"CAPTCHA_URL"`
	Gateways       []string `env:"GATEWAYS"`       // offered, in this order; the sandbox by default in development
	GatewaysKnown  []string `env:"GATEWAYS_KNOWN"` // no longer offered: only polled, refunded and notified
	DefaultEvent   string   `env:"DEFAULT_EVENT" envDefault:"hiresure-mgrow-2025"`
	RateLimits     string   `env:"RATE_LIMITS" envDefault:"on"`
	SMSPerHour     int      `env:"SMS_PER_HOUR" envDefault:"2000"`
	RefundLimit    int64    `env:"REFUND_LIMIT" envDefault:"2000"` // in rupees
	ServiceSecret  string   `env:"SERVICE_SECRET"`
	LeadWebhookURL string   `env:"LEAD_WEBHOOK_URL"`
	LeadSecret     string   `env:"LEAD_WEBHOOK_SECRET"`
	AccountsIssuer string   `env:"ACCOUNTS_ISSUER"`
	AccountsKeys   string   `env:"ACCOUNTS_JWKS_URL"`
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	MetricsAddr    string   `env:"METRICS_ADDR"`
	MetricsToken   string   `env:"METRICS_TOKEN"`
	SentryDSN      string   `env:"SENTRY_DSN"`
	OTLPEndpoint   string   `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	DevPublic      bool     `env:"DEV_PUBLIC"`
	PaymentsTest   bool     `env:"PAYMENTS_TEST"`
	DrainNotice    bool     `env:"DRAIN_NOTICE"` // wait a second after /readyz fails before connections are refused, as in production

	FileKeys objects.MasterKeys `env:"-"` // StorageKeys
	Proxies  []netip.Prefix     `env:"-"` // TrustedProxies
	Chosen   []gateways.Gateway `env:"-"` // those of Gateways, then those of GatewaysKnown

	secret     []byte // SecretKey as 32 bytes
	baseURLSet bool   // BaseURL was set, not derived from Addr
}

// Production reports whether the site serves real visitors.
func (c *Config) Production() bool { return c.AppEnv == "production" }

// Secure reports whether visitors use https.
func (c *Config) Secure() bool { return strings.HasPrefix(c.BaseURL, "https://") }

// CaptchaVendor returns the external captcha provider, recaptcha or turnstile, or "".
func (c *Config) CaptchaVendor() string {
	if c.Captcha == "recaptcha" || c.Captcha == "turnstile" {
		return c.Captcha
	}
	return ""
}

// Key derives a key for one use from SecretKey.
func (c *Config) Key(use string) []byte {
	key, err := hkdf.Key(sha256.New, c.secret, nil, "hiresure "+use, 32)
	if err != nil {
		panic(err) // only for lengths beyond SHA-256's
	}
	return key
}

// TakePort listens on Addr if its port is 0, which means any free one, and sets Addr and BaseURL to that port. It returns nil for
// other ports.
func (c *Config) TakePort(ctx context.Context) (net.Listener, error) {
	if _, port, _ := net.SplitHostPort(c.Addr); port != "0" {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("ADDR: %w", err)
	}
	c.Addr = listener.Addr().String()
	if !c.baseURLSet {
		c.BaseURL = "http://" + c.Addr
	}
	return listener, nil
}
