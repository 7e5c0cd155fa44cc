package config

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	goodKey   = "c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a"
	goodToken = "mZ2cQ0u7Wk1vXp9sLr4tGA=="
	leadToken = "d41d8cd98f00b204e9800998ecf8427e"

	goodFileKey = "2026:7b1e0c64d5a9f38260e74cb1d98f2a530f6be7411c8d9a25e3740fb86dc2915e"
)

func production(changes map[string]string) map[string]string {
	environ := map[string]string{
		"APP_ENV": "production", "BASE_URL": "https://www.example.in", "SECRET_KEY": goodKey, "GATEWAYS": "none", "SMTP_URL": "smtp://a:b@127.0.0.1:25?from=a@example.in",
		"SMS_URL": "https://key@sms.example.in/send", "METRICS_TOKEN": goodToken, "ADDR": "0.0.0.0:8080",
		"TRUSTED_PROXIES": "10.0.0.0/8,fd00::/8", "STORAGE_KEYS": goodFileKey, "CLAMD_URL": "unix:///run/clamav/clamd.ctl", "CHROME_URL": "off",
	}
	for name, value := range changes {
		environ[name] = value
	}
	return environ
}

// Chromium refuses its sandbox to root.
func TestRootPrintsNothingInProduction(t *testing.T) {
	want := ""
	if os.Geteuid() == 0 {
		want = "the site must not run as root in production: the printing browser would run without its sandbox; give it a user, or set CHROME_URL"
	}
	got := ""
	if _, err := Read(production(map[string]string{"CHROME_URL": ""})); err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadConfig(t *testing.T) {
	tests := []struct {
		sentence string
		environ  map[string]string
		want     string // "" for none
	}{
		{"nothing at all is fine in development", map[string]string{}, ""},
		{"production with everything is fine", production(nil), ""},
		{"an unknown APP_ENV", map[string]string{"APP_ENV": "staging"}, `APP_ENV must be development or production, not "staging"`},
		{"an address without a port", map[string]string{"ADDR": "127.0.0.1"}, `ADDR must be host:port, not "127.0.0.1"`},
		{"development on all addresses", map[string]string{"ADDR": "0.0.0.0:8080"}, "ADDR 0.0.0.0:8080 is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it"},
		{"development on all addresses, meant so", map[string]string{"ADDR": "0.0.0.0:8080", "DEV_PUBLIC": "1"}, ""},
		{"a BASE_URL with a path", map[string]string{"BASE_URL": "http://127.0.0.1/x"}, `BASE_URL must be an origin such as https://www.example.in, not "http://127.0.0.1/x"`},
		{"another database", map[string]string{"DATABASE_URL": "mysql://x"}, "DATABASE_URL must begin with sqlite:// or postgres://"},
		{"the other name of PostgreSQL", map[string]string{"DATABASE_URL": "postgresql://127.0.0.1/x"}, ""},
		{"a pool of one", map[string]string{"DATABASE_POOL": "1"}, "DATABASE_POOL must be at least 2, not 1"},
		{"a pool of two", map[string]string{"DATABASE_POOL": "2"}, ""},
		{"an unknown captcha", map[string]string{"CAPTCHA": "riddle"}, `CAPTCHA must be pow or recaptcha or turnstile or off, not "riddle"`},
		{"a captcha without its keys", map[string]string{"CAPTCHA": "turnstile"}, "CAPTCHA=turnstile needs CAPTCHA_SITE_KEY and CAPTCHA_SECRET"},
		{"a proxy that is no address", map[string]string{"TRUSTED_PROXIES": "nginx"}, `TRUSTED_PROXIES: "nginx" is no address or prefix`},
		{"a secret key that is no key", map[string]string{"SECRET_KEY": "hunter2"}, "SECRET_KEY: must be 64 hexadecimal digits (openssl rand -hex 32)"},
		{"a lead webhook without its secret", map[string]string{"LEAD_WEBHOOK_URL": "https://x.example"}, "LEAD_WEBHOOK_URL needs LEAD_WEBHOOK_SECRET"},
		{"an accounts service without its keys", map[string]string{"ACCOUNTS_ISSUER": "https://accounts.example.in"}, "ACCOUNTS_ISSUER and ACCOUNTS_JWKS_URL go together"},
		{"keys of no accounts service", map[string]string{"ACCOUNTS_JWKS_URL": "https://accounts.example.in/keys"}, "ACCOUNTS_ISSUER and ACCOUNTS_JWKS_URL go together"},
		{"production with an accounts service", production(map[string]string{"ACCOUNTS_ISSUER": "https://accounts.example.in", "ACCOUNTS_JWKS_URL": "https://accounts.example.in/keys"}), ""},
		{"production with its keys in clear", production(map[string]string{"ACCOUNTS_ISSUER": "https://accounts.example.in", "ACCOUNTS_JWKS_URL": "http://accounts.example.in/keys"}), "ACCOUNTS_JWKS_URL must be https in production: it decides who is signed in"},
		{"development with its keys in clear", map[string]string{"ACCOUNTS_ISSUER": "http://127.0.0.1:9", "ACCOUNTS_JWKS_URL": "http://127.0.0.1:9/keys"}, ""},
		{"production over http", production(map[string]string{"BASE_URL": "http://www.example.in"}), "BASE_URL must be https in production"},
		{"production without a key", production(map[string]string{"SECRET_KEY": ""}), "SECRET_KEY is required in production"},
		{"production without a captcha", production(map[string]string{"CAPTCHA": "off"}), "CAPTCHA=off is refused in production"},
		{"a negative limit", map[string]string{"REFUND_LIMIT": "-1"}, "REFUND_LIMIT must not be negative"},
		{"no SMS at all", map[string]string{"SMS_PER_HOUR": "0"}, "SMS_PER_HOUR must be at least 1"},
		{"production without limits", production(map[string]string{"RATE_LIMITS": "off"}), "RATE_LIMITS=off is refused in production"},
		{"production where nobody can pay", production(map[string]string{"GATEWAYS": ""}), "GATEWAYS is required in production: nobody could pay; set GATEWAYS=none if you mean it"},
		{"production with play money", production(map[string]string{"GATEWAYS": "sandbox"}), "GATEWAYS: sandbox takes no real money and is refused in production"},
		{"production without mail", production(map[string]string{"SMTP_URL": ""}), "SMTP_URL is required in production: the outbox delivers to nobody"},
		{"production without SMS", production(map[string]string{"SMS_URL": ""}), "SMS_URL is required in production: the outbox delivers to nobody"},
		{"production with leads in clear", production(map[string]string{"LEAD_WEBHOOK_URL": "http://crm.example.in/x", "LEAD_WEBHOOK_SECRET": leadToken}), "LEAD_WEBHOOK_URL must be https in production: it carries names and numbers"},
		{"production with leads over https", production(map[string]string{"LEAD_WEBHOOK_URL": "https://crm.example.in/x", "LEAD_WEBHOOK_SECRET": leadToken}), ""},
		{"development with leads in clear", map[string]string{"LEAD_WEBHOOK_URL": "http://127.0.0.1:9/x", "LEAD_WEBHOOK_SECRET": "s"}, ""},
		{"production with mail in clear", production(map[string]string{"SMTP_URL": "smtp://mail.example.in?from=a@example.in&tls=none"}), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts"},
		{"production with mail in clear by address", production(map[string]string{"SMTP_URL": "smtp://10.0.0.5:25?from=a@example.in&tls=none"}), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts"},
		{"production with a mail server beside it", production(map[string]string{"SMTP_URL": "smtp://localhost:25?from=a@example.in&tls=none"}), ""},
		{"production with a mail server beside it, by IPv6", production(map[string]string{"SMTP_URL": "smtp://[::1]:25?from=a@example.in&tls=none"}), ""},
		{"a metrics address without a port", map[string]string{"METRICS_ADDR": "127.0.0.1"}, `METRICS_ADDR must be host:port, not "127.0.0.1"`},
		{"development under a public name", map[string]string{"BASE_URL": "https://www.example.in"}, "BASE_URL https://www.example.in is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it"},
		{"development under a public name, meant so", map[string]string{"BASE_URL": "https://www.example.in", "DEV_PUBLIC": "1"}, ""},
		{"development under another machine's address", map[string]string{"BASE_URL": "http://192.168.1.5:8080"}, "BASE_URL http://192.168.1.5:8080 is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it"},
		{"development under a name of this machine", map[string]string{"BASE_URL": "http://hiresure.localhost:8080", "ADDR": "[::1]:8080"}, ""},
		{"development on every address by an empty host", map[string]string{"ADDR": ":8080"}, "ADDR :8080 is not loopback: development shows codes to everybody; set DEV_PUBLIC=1 if you mean it"},
		{"development may be careless", map[string]string{"SECRET_KEY": strings.Repeat("0", 64), "SERVICE_SECRET": "x", "METRICS_TOKEN": "x", "METRICS_ADDR": "0.0.0.0:9090", "TRUSTED_PROXIES": "0.0.0.0/0", "CAPTCHA_URL": "http://127.0.0.1:9"}, ""},

		{"a key of zeros", production(map[string]string{"SECRET_KEY": strings.Repeat("0", 64)}), "SECRET_KEY is weak, it repeats itself or follows a pattern: openssl rand -hex 32 makes a good one"},
		{"a key that is no key, in production", production(map[string]string{"SECRET_KEY": "hunter2"}), "SECRET_KEY: must be 64 hexadecimal digits (openssl rand -hex 32)"},
		{"a service secret of one letter", production(map[string]string{"SERVICE_SECRET": "x"}), "SERVICE_SECRET is weak, it is worth 2 bits at most, not 128: openssl rand -hex 32 makes a good one"},
		{"a metrics token of an example", production(map[string]string{"METRICS_TOKEN": "changeme-changeme-changeme"}), "METRICS_TOKEN is weak, it holds what examples put in a secret's place: openssl rand -hex 32 makes a good one"},
		{"a lead webhook's secret that repeats itself", production(map[string]string{"LEAD_WEBHOOK_URL": "https://crm.example.in/x", "LEAD_WEBHOOK_SECRET": strings.Repeat("ab", 32)}), "LEAD_WEBHOOK_SECRET is weak, it repeats itself or follows a pattern: openssl rand -hex 32 makes a good one"},
		{"the captcha's test key", production(map[string]string{"CAPTCHA": "turnstile", "CAPTCHA_SITE_KEY": "0x4", "CAPTCHA_SECRET": "1x0000000000000000000000000000000AA"}), "CAPTCHA_SECRET is weak, it repeats itself or follows a pattern: take the one that the vendor made for this site"},
		{"a user in the origin", production(map[string]string{"BASE_URL": "https://asha@www.example.in"}), "BASE_URL must not name a user: every mail and page shows it"},
		{"an hour of very many codes", production(map[string]string{"SMS_PER_HOUR": "100001"}), "SMS_PER_HOUR must be at most 100000: it is what strangers can make us pay for"},
		{"an hour of as many codes as there may be", production(map[string]string{"SMS_PER_HOUR": "100000"}), ""},
		{"a printing browser in clear", production(map[string]string{"CHROME_URL": "ws://10.0.0.5:9222"}), "CHROME_URL: another machine is reached by wss:// or https:// in production: it gets names and invoices"},
		{"a printing browser beside it", production(map[string]string{"CHROME_URL": "http://localhost:9222"}), ""},
		{"a scanner in clear", production(map[string]string{"CLAMD_URL": "tcp://clamd:3310"}), "CLAMD_URL: another machine is reached by a unix:// socket in production: it gets what people upload"},
		{"a scanner beside it", production(map[string]string{"CLAMD_URL": "tcp://127.0.0.1:3310"}), ""},
		{"errors in clear", production(map[string]string{"SENTRY_DSN": "http://key@sentry.example.in/1"}), "SENTRY_DSN: another machine is reached by https:// in production: errors may name people"},
		{"traces in clear", production(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}), "OTEL_EXPORTER_OTLP_ENDPOINT: another machine is reached by https:// in production: traces may name people"},
		{"a database in clear", production(map[string]string{"DATABASE_URL": "postgres://site:x@db.example.in/site"}), "DATABASE_URL: another machine is reached with sslmode=verify-full, verify-ca or require in production: everything goes there"},
		{"two databases, one in clear", production(map[string]string{"DATABASE_URL": "postgres://site:x@127.0.0.1:5432,db.example.in:5432/site?sslmode=prefer"}), "DATABASE_URL: another machine is reached with sslmode=verify-full, verify-ca or require in production: everything goes there"},
		{"a database with TLS", production(map[string]string{"DATABASE_URL": "postgres://site:x@db.example.in/site?sslmode=verify-full"}), ""},
		{"a database beside it", production(map[string]string{"DATABASE_URL": "postgres://site:x@[::1]:5432/site?sslmode=disable"}), ""},
		{"a database by its socket", production(map[string]string{"DATABASE_URL": "postgres:///site?host=/run/postgresql"}), ""},
		{"one secret for mail and key", production(map[string]string{"SMTP_URL": "smtp://a:" + goodKey + "@127.0.0.1:25?from=a@example.in"}), "SECRET_KEY and the password of SMTP_URL are the same: each needs a secret of its own"},
		{"one secret for SMS and metrics", production(map[string]string{"SMS_URL": "https://" + goodToken + "@sms.example.in/send"}), "METRICS_TOKEN and the password of SMS_URL are the same: each needs a secret of its own"},
		{"one secret for two", production(map[string]string{"SERVICE_SECRET": goodToken}), "SERVICE_SECRET and METRICS_TOKEN are the same: each needs a secret of its own"},
		{"one secret for two, in capitals", production(map[string]string{"SERVICE_SECRET": strings.ToUpper(goodKey)}), "SECRET_KEY and SERVICE_SECRET are the same: each needs a secret of its own"},
		{"good secrets for all", production(map[string]string{"SERVICE_SECRET": "9f86d081884c7d659a2feaa0c55ad015", "LEAD_WEBHOOK_URL": "https://crm.example.in/x", "LEAD_WEBHOOK_SECRET": leadToken, "CAPTCHA": "turnstile", "CAPTCHA_SITE_KEY": "0x4", "CAPTCHA_SECRET": "0x4AAAAAAADnPIDROrmt1Wwj3kV9sQzYbFh8"}), ""},

		{"metrics on all addresses without a token", production(map[string]string{"METRICS_TOKEN": "", "METRICS_ADDR": "0.0.0.0:9090"}), "METRICS_ADDR 0.0.0.0:9090 is not loopback: METRICS_TOKEN is required there"},
		{"metrics on all addresses by an empty host", production(map[string]string{"METRICS_TOKEN": "", "METRICS_ADDR": ":9090"}), "METRICS_ADDR :9090 is not loopback: METRICS_TOKEN is required there"},
		{"metrics on all addresses with a token", production(map[string]string{"METRICS_ADDR": "0.0.0.0:9090"}), ""},
		{"metrics on this machine", production(map[string]string{"METRICS_TOKEN": "", "METRICS_ADDR": "127.0.0.1:9090"}), ""},
		{"a captcha over http", production(map[string]string{"CAPTCHA_URL": "http://captcha.example.in"}), "CAPTCHA_URL must be https in production: it carries CAPTCHA_SECRET and decides who is human"},
		{"a captcha over https", production(map[string]string{"CAPTCHA_URL": "https://captcha.example.in"}), ""},

		{"no proxy in front", production(map[string]string{"TRUSTED_PROXIES": ""}), "TRUSTED_PROXIES is required in production: without the proxy that adds TLS every visitor has its address"},
		{"no proxy in front, on this machine alone", production(map[string]string{"TRUSTED_PROXIES": "", "ADDR": "127.0.0.1:8080"}), "TRUSTED_PROXIES is required in production: without the proxy that adds TLS every visitor has its address"},
		{"a proxy on this machine", production(map[string]string{"TRUSTED_PROXIES": "127.0.0.1,::1"}), ""},
		{"every private address", production(map[string]string{"TRUSTED_PROXIES": "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,169.254.0.0/16,127.0.0.0/8,fc00::/7,fe80::/10,::1"}), ""},
		{"a content delivery network", production(map[string]string{"TRUSTED_PROXIES": "104.64.0.0/10,23.32.0.0/11,2600:1400::/24"}), ""},
		{"a proxy by its mapped address", production(map[string]string{"TRUSTED_PROXIES": "::ffff:203.0.113.7"}), ""},
		{"mapped addresses, which never match", production(map[string]string{"TRUSTED_PROXIES": "::ffff:0:0/96"}), `TRUSTED_PROXIES: "::ffff:0:0/96" is no address or prefix`},
		{"everybody", production(map[string]string{"TRUSTED_PROXIES": "0.0.0.0/0"}), "TRUSTED_PROXIES: 0.0.0.0/0 is wider than any proxy's addresses: every visitor there could choose an address"},
		{"everybody of IPv6", production(map[string]string{"TRUSTED_PROXIES": "10.0.0.1,::/0"}), "TRUSTED_PROXIES: ::/0 is wider than any proxy's addresses: every visitor there could choose an address"},
		{"more than private addresses", production(map[string]string{"TRUSTED_PROXIES": "10.0.0.0/7"}), "TRUSTED_PROXIES: 10.0.0.0/7 is wider than any proxy's addresses: every visitor there could choose an address"},
		{"as much as a proxy may have", production(map[string]string{"TRUSTED_PROXIES": "11.0.0.0/10,11.64.0.0/10,11.128.0.0/10,11.192.0.0/10,2600::/20"}), ""},
		{"a range of IPv4, a bit wider than that", production(map[string]string{"TRUSTED_PROXIES": "11.0.0.0/9"}), "TRUSTED_PROXIES: 11.0.0.0/9 is wider than any proxy's addresses: every visitor there could choose an address"},
		{"a range of IPv6, a bit wider than that", production(map[string]string{"TRUSTED_PROXIES": "2600::/19"}), "TRUSTED_PROXIES: 2600::/19 is wider than any proxy's addresses: every visitor there could choose an address"},
		{"too many, bit by bit", production(map[string]string{"TRUSTED_PROXIES": "11.0.0.0/10,11.64.0.0/10,11.128.0.0/10,11.192.0.0/10,12.0.0.0/24"}), "TRUSTED_PROXIES add up to more than any proxy's addresses: every visitor there could choose an address"},
		{"too many of IPv6, bit by bit", production(map[string]string{"TRUSTED_PROXIES": "2600::/20,2601::/20,2602::/20,2603::/20,2604::/20,2605::/20,2606::/20,2607::/20,2608::/20,2609::/20,260a::/20,260b::/20,260c::/20,260d::/20,260e::/20,260f::/20,2a00::/24"}), "TRUSTED_PROXIES add up to more than any proxy's addresses: every visitor there could choose an address"},
		{"a storage of another kind", map[string]string{"STORAGE_URL": "ftp://files"}, `STORAGE_URL must be file:///folder or s3://bucket?endpoint=https://host, not "ftp://files"`},
		{"a storage in a relative folder", map[string]string{"STORAGE_URL": "file://files"}, `STORAGE_URL must be file:///folder or s3://bucket?endpoint=https://host, not "file://files"`},
		{"a bucket without its keys", map[string]string{"STORAGE_URL": "s3://students?endpoint=https://s3.example.in", "S3_ACCESS_KEY": "a"}, "STORAGE_URL=s3://… needs S3_ACCESS_KEY and S3_SECRET_KEY"},
		{"a bucket in clear", production(map[string]string{"STORAGE_URL": "s3://students?endpoint=http://s3.example.in", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": leadToken}), "STORAGE_URL: the endpoint must be https in production: it carries S3_SECRET_KEY's signatures"},
		{"a bucket beside it", production(map[string]string{"STORAGE_URL": "s3://students?endpoint=http://127.0.0.1:9000", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": leadToken}), ""},
		{"a bucket", production(map[string]string{"STORAGE_URL": "s3://students?endpoint=https://s3.example.in", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": leadToken}), ""},
		{"a bucket's secret of an example", production(map[string]string{"S3_SECRET_KEY": "changeme-changeme-changeme"}), "S3_SECRET_KEY is weak, it holds what examples put in a secret's place: take the one that the vendor made for this site"},
		{"production without keys of files", production(map[string]string{"STORAGE_KEYS": ""}), "STORAGE_KEYS is required in production"},
		{"a key of files that is no key", map[string]string{"STORAGE_KEYS": "2026:abc"}, "STORAGE_KEYS: must be a name, a colon and 64 hexadecimal digits (openssl rand -hex 32), the current key first, separated by commas"},
		{"a key of files that is no key, in production", production(map[string]string{"STORAGE_KEYS": "2026:abc"}), "STORAGE_KEYS: must be a name, a colon and 64 hexadecimal digits (openssl rand -hex 32), the current key first, separated by commas"},
		{"an older key of files of zeros", production(map[string]string{"STORAGE_KEYS": goodFileKey + ",2025:" + strings.Repeat("0", 64)}), "STORAGE_KEYS 2025 is weak, it repeats itself or follows a pattern: openssl rand -hex 32 makes a good one"},
		{"the site's key for files", production(map[string]string{"STORAGE_KEYS": "2026:" + goodKey}), "SECRET_KEY and STORAGE_KEYS 2026 are the same: each needs a secret of its own"},
		{"production in which nobody looks for harm", production(map[string]string{"CLAMD_URL": ""}), "CLAMD_URL is required in production: unix:///run/clamav/clamd.ctl, or off if nobody shall look for harm in what is uploaded"},
		{"production in which nobody shall look for harm", production(map[string]string{"CLAMD_URL": "off"}), ""},
		{"a clamd by http", map[string]string{"CLAMD_URL": "http://127.0.0.1:3310"}, `CLAMD_URL: must be unix:///path/of/clamd.ctl or tcp://host:3310, not "http://127.0.0.1:3310"`},
		{"production with open metrics", production(map[string]string{"METRICS_TOKEN": ""}), "METRICS_ADDR or METRICS_TOKEN is required in production"},
	}
	for _, test := range tests {
		t.Run(test.sentence, func(t *testing.T) {
			test.environ["DATA_DIR"] = t.TempDir()
			_, err := Read(test.environ)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || err.Error() != test.want):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestReadConfigReturnsAllFaults(t *testing.T) {
	_, err := Read(map[string]string{"APP_ENV": "production", "CHROME_URL": "off", "GATEWAYS": "", "DATA_DIR": t.TempDir()})
	if err == nil || strings.Count(err.Error(), "\n") != 8 {
		t.Errorf("got %v, want nine lines", err)
	}
}

func TestSecretIsCreatedOnceAndPrivate(t *testing.T) {
	dir := t.TempDir()
	first, err := Read(map[string]string{"DATA_DIR": dir})
	if err != nil {
		t.Fatal(err)
	}
	second, err := Read(map[string]string{"DATA_DIR": dir})
	if err != nil {
		t.Fatal(err)
	}
	if string(first.secret) != string(second.secret) || len(first.secret) != 32 {
		t.Error("the secret changed between two starts")
	}
	key, err := os.ReadFile(filepath.Join(dir, "storage.key"))
	if err != nil || len(key) != 65 || strings.Contains(string(key), hex.EncodeToString(first.secret)) || second.FileKeys.Current() != "development" {
		t.Errorf("the key of files is %q, %v, as %q", key, err, second.FileKeys.Current())
	}
	for _, name := range []string{"secret.key", "storage.key"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v; want 0600", name, info.Mode(), err)
		}
	}
}
