package config

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/caarlos0/env/v11"

	"hiresure/cmd/site/gateways"
	"hiresure/integrations/objects"
	"hiresure/integrations/pdf"
	"hiresure/integrations/scan"
	"hiresure/store"
)

// Environ returns the environment of the process.
func Environ() map[string]string {
	variables := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		variables[name] = value
	}
	return variables
}

// Read parses the environment. Its error has one line per fault.
func Read(environ map[string]string) (*Config, error) {
	return ReadWith(environ, gateways.Kinds)
}

// ReadWith parses an environment with these kinds of gateways.
func ReadWith(environ map[string]string, kinds []gateways.Kind) (*Config, error) {
	c := &Config{}
	if err := env.ParseWithOptions(c, env.Options{Environment: environ}); err != nil {
		return nil, err
	}
	var f faults
	f.oneOf("APP_ENV", c.AppEnv, "development", "production")
	f.oneOf("CAPTCHA", c.Captcha, "pow", "recaptcha", "turnstile", "off")
	f.oneOf("PAPER_SIZE", c.PaperSize, "letter", "a4")
	f.oneOf("RATE_LIMITS", c.RateLimits, "on", "off")
	f.refuse(c.RefundLimit < 0, "REFUND_LIMIT must not be negative")
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
	if c.CaptchaVendor() != "" {
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
		c.Proxies = append(c.Proxies, prefix)
	}
}

// readStorage parses the storage of files, its keys and the virus scanner.
func (c *Config) readStorage(f *faults) {
	if c.StorageURL == "" {
		folder, err := filepath.Abs(filepath.Join(c.DataDir, "files"))
		f.refuse(err != nil, "DATA_DIR: %v", err)
		c.StorageURL = (&url.URL{Scheme: "file", Path: folder}).String()
	}
	u, err := objects.ParseAddress(c.StorageURL)
	f.refuse(err != nil, "%v", err)
	f.refuse(err == nil && u.Scheme == "s3" && (c.S3AccessKey == "" || c.S3SecretKey == ""), "STORAGE_URL=s3://… needs S3_ACCESS_KEY and S3_SECRET_KEY")
	if c.StorageKeys != "" {
		c.FileKeys, err = objects.ReadMasterKeys(c.StorageKeys)
		f.refuse(err != nil, "STORAGE_KEYS: %v", err)
	}
	if c.ClamdURL != "" && c.ClamdURL != "off" {
		_, err := scan.New(c.ClamdURL)
		f.refuse(err != nil, "CLAMD_URL: %v", err)
	}
}
