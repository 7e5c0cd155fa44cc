package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/caarlos0/env/v11"

	"hiresure/forms"
	"hiresure/integrations/objects"
	"hiresure/integrations/pdf"
	"hiresure/store"
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

	secret     []byte // SecretKey as 32 bytes
	fileKeys   objects.MasterKeys
	proxies    []netip.Prefix // TrustedProxies
	gateways   []gatewayConfig
	baseURLSet bool         // BaseURL was set, not derived from Addr
	listener   net.Listener // on Addr, opened by takePort
	forms      *forms.Set   // nil: the embedded forms; tests set others
}

// Production reports whether the site serves real visitors.
func (c *Config) Production() bool { return c.AppEnv == "production" }

// Secure reports whether visitors use https.
func (c *Config) Secure() bool { return strings.HasPrefix(c.BaseURL, "https://") }

// captchaVendor returns the external captcha provider, recaptcha or turnstile, or "".
func (c *Config) captchaVendor() string {
	if c.Captcha == "recaptcha" || c.Captcha == "turnstile" {
		return c.Captcha
	}
	return ""
}

// readConfig parses the environment. Its error has one line per fault.
func readConfig(environ map[string]string) (*Config, error) {
	return readConfigWith(environ, gatewayKinds)
}

func readConfigWith(environ map[string]string, kinds []gatewayKind) (*Config, error) {
	c := &Config{}
	if err := env.ParseWithOptions(c, env.Options{Environment: environ}); err != nil {
		return nil, err
	}
	var f faults
	f.oneOf("APP_ENV", c.AppEnv, "development", "production")
	f.oneOf("CAPTCHA", c.Captcha, "pow", "recaptcha", "turnstile", "off")
	f.oneOf("PAPER_SIZE", c.PaperSize, "letter", "a4")
	f.oneOf("RATE_LIMITS", c.RateLimits, "on", "off")
	f.refuse(c.SMSPerHour < 1, "SMS_PER_HOUR must be at least 1")
	c.readAddresses(&f)
	if c.DatabaseURL == "" {
		c.DatabaseURL = "sqlite://" + filepath.Join(c.DataDir, "hiresure.db")
	}
	f.refuse(!strings.HasPrefix(c.DatabaseURL, "sqlite://") && !strings.HasPrefix(c.DatabaseURL, "postgres://") && !strings.HasPrefix(c.DatabaseURL, "postgresql://"),
		"DATABASE_URL must begin with sqlite:// or postgres://")
	f.refuse(c.DatabasePool < store.SmallestPool, "DATABASE_POOL must be at least %d, not %d", store.SmallestPool, c.DatabasePool)
	c.readGateways(environ, kinds, &f)
	c.readStorage(&f)
	if c.ChromeURL != "off" {
		_, err := pdf.New(pdf.Options{URL: c.ChromeURL})
		f.refuse(err != nil, "CHROME_URL: %v", err)
	}
	if c.captchaVendor() != "" {
		f.refuse(c.CaptchaSite == "" || c.CaptchaSecret == "", "CAPTCHA=%s needs CAPTCHA_SITE_KEY and CAPTCHA_SECRET", c.Captcha)
	}
	f.refuse(c.LeadWebhookURL != "" && c.LeadSecret == "", "LEAD_WEBHOOK_URL needs LEAD_WEBHOOK_SECRET")
	f.refuse((c.AccountsIssuer == "") != (c.AccountsKeys == ""), "ACCOUNTS_ISSUER and ACCOUNTS_JWKS_URL go together")
	var err error
	if c.SecretKey != "" {
		c.secret, err = parseSecret(c.SecretKey)
		f.refuse(err != nil, "SECRET_KEY: %v", err)
	}
	if c.Production() {
		c.checkProduction(&f)
	} else if !c.DevPublic {
		c.checkDevelopment(&f)
	}
	if len(f) == 0 && c.SecretKey == "" {
		c.secret, err = loadSecret(c.DataDir, "secret.key")
		f.refuse(err != nil, "SECRET_KEY: %v", err)
	}
	if len(f) == 0 && c.StorageKeys == "" {
		err = c.loadStorageKey()
		f.refuse(err != nil, "STORAGE_KEYS: %v", err)
	}
	return c, errors.Join(f...)
}

// readAddresses parses the addresses to listen on, the public URL and the trusted proxies.
func (c *Config) readAddresses(f *faults) {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		f.refuse(true, "ADDR must be host:port, not %q", c.Addr)
		c.Addr, host, port = "127.0.0.1:8080", "127.0.0.1", "8080" // to report the other faults too
	}
	_, _, err = net.SplitHostPort(c.MetricsAddr)
	f.refuse(c.MetricsAddr != "" && err != nil, "METRICS_ADDR must be host:port, not %q", c.MetricsAddr)
	if c.BaseURL == "" {
		c.BaseURL = "http://" + net.JoinHostPort(host, port)
	} else {
		c.baseURLSet = true
	}
	c.BaseURL = strings.TrimSuffix(c.BaseURL, "/")
	base, err := url.Parse(c.BaseURL)
	f.refuse(err != nil || base.Host == "" || base.Path != "" || base.Scheme != "http" && base.Scheme != "https",
		"BASE_URL must be an origin such as https://www.example.in, not %q", c.BaseURL)
	for _, text := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			addr = addr.Unmap() // as visitors' addresses are before they are compared
			prefix, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		f.refuse(err != nil || prefix.Addr().Is4In6(), "TRUSTED_PROXIES: %q is no address or prefix", text)
		c.proxies = append(c.proxies, prefix)
	}
}

// parseSecret parses 64 hexadecimal digits.
func parseSecret(text string) ([]byte, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != 32 {
		return nil, errors.New("must be 64 hexadecimal digits (openssl rand -hex 32)")
	}
	return key, nil
}

// loadSecret loads a key from the data directory, or creates one there.
func loadSecret(dataDir, name string) ([]byte, error) {
	file := filepath.Join(dataDir, name)
	kept, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return createSecret(dataDir, name)
	}
	if err != nil {
		return nil, err
	}
	return parseSecret(strings.TrimSpace(string(kept)))
}

func createSecret(dataDir, name string) ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dataDir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) { // another process was faster
		return loadSecret(dataDir, name)
	}
	if err != nil {
		return nil, err
	}
	_, writeErr := f.WriteString(hex.EncodeToString(key) + "\n")
	return key, errors.Join(writeErr, f.Sync(), f.Close())
}
