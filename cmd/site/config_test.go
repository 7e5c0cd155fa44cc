package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const goodKey = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func production(changes map[string]string) map[string]string {
	environ := map[string]string{
		"APP_ENV": "production", "BASE_URL": "https://www.example.in", "SECRET_KEY": goodKey, "GATEWAYS": "", "SMTP_URL": "smtp://a:b@127.0.0.1:25?from=a@example.in",
		"SMS_URL": "https://key@sms.example.in/send", "METRICS_TOKEN": "secret", "ADDR": "0.0.0.0:8080",
	}
	for name, value := range changes {
		environ[name] = value
	}
	return environ
}

func TestConfigRefusesNonsense(t *testing.T) {
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
		{"an unknown captcha", map[string]string{"CAPTCHA": "riddle"}, `CAPTCHA must be pow or recaptcha or turnstile or off, not "riddle"`},
		{"a captcha without its keys", map[string]string{"CAPTCHA": "turnstile"}, "CAPTCHA=turnstile needs CAPTCHA_SITE_KEY and CAPTCHA_SECRET"},
		{"an unknown gateway", map[string]string{"GATEWAYS": "goldbars"}, `GATEWAYS must be sandbox, not "goldbars"`},
		{"a proxy that is no address", map[string]string{"TRUSTED_PROXIES": "nginx"}, `TRUSTED_PROXIES: "nginx" is no address or prefix`},
		{"a secret key that is no key", map[string]string{"SECRET_KEY": "hunter2"}, "SECRET_KEY: must be 64 hexadecimal digits (openssl rand -hex 32)"},
		{"a lead webhook without its secret", map[string]string{"LEAD_WEBHOOK_URL": "https://x.example"}, "LEAD_WEBHOOK_URL needs LEAD_WEBHOOK_SECRET"},
		{"production over http", production(map[string]string{"BASE_URL": "http://www.example.in"}), "BASE_URL must be https in production"},
		{"production without a key", production(map[string]string{"SECRET_KEY": ""}), "SECRET_KEY is required in production"},
		{"production without a captcha", production(map[string]string{"CAPTCHA": "off"}), "CAPTCHA=off is refused in production"},
		{"production without limits", production(map[string]string{"RATE_LIMITS": "off"}), "RATE_LIMITS=off is refused in production"},
		{"production with play money", production(map[string]string{"GATEWAYS": "sandbox"}), "GATEWAYS: sandbox takes no real money and is refused in production"},
		{"production without mail", production(map[string]string{"SMTP_URL": ""}), "SMTP_URL is required in production: the outbox delivers to nobody"},
		{"production without SMS", production(map[string]string{"SMS_URL": ""}), "SMS_URL is required in production: the outbox delivers to nobody"},
		{"production with leads in clear", production(map[string]string{"LEAD_WEBHOOK_URL": "http://crm.example.in/x", "LEAD_WEBHOOK_SECRET": "s"}), "LEAD_WEBHOOK_URL must be https in production: it carries names and numbers"},
		{"production with leads over https", production(map[string]string{"LEAD_WEBHOOK_URL": "https://crm.example.in/x", "LEAD_WEBHOOK_SECRET": "s"}), ""},
		{"development with leads in clear", map[string]string{"LEAD_WEBHOOK_URL": "http://127.0.0.1:9/x", "LEAD_WEBHOOK_SECRET": "s"}, ""},
		{"production with mail in clear", production(map[string]string{"SMTP_URL": "smtp://mail.example.in?from=a@example.in&tls=none"}), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts"},
		{"production with mail in clear by address", production(map[string]string{"SMTP_URL": "smtp://10.0.0.5:25?from=a@example.in&tls=none"}), "SMTP_URL: tls=none is for this machine only: mails carry links to receipts"},
		{"production with a mail server beside it", production(map[string]string{"SMTP_URL": "smtp://localhost:25?from=a@example.in&tls=none"}), ""},
		{"production with a mail server beside it, by IPv6", production(map[string]string{"SMTP_URL": "smtp://[::1]:25?from=a@example.in&tls=none"}), ""},
		{"production with open metrics", production(map[string]string{"METRICS_TOKEN": ""}), "METRICS_ADDR or METRICS_TOKEN is required in production"},
	}
	for _, test := range tests {
		t.Run(test.sentence, func(t *testing.T) {
			test.environ["DATA_DIR"] = t.TempDir()
			_, err := readConfig(test.environ)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || err.Error() != test.want):
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestEachFaultIsALineOfItsOwn(t *testing.T) {
	_, err := readConfig(map[string]string{"APP_ENV": "production", "GATEWAYS": "", "DATA_DIR": t.TempDir()})
	if err == nil || strings.Count(err.Error(), "\n") != 4 {
		t.Errorf("got %v, want five lines", err)
	}
}

func TestTheSecretIsMadeOnceAndKeptForItsOwnerAlone(t *testing.T) {
	dir := t.TempDir()
	first, err := readConfig(map[string]string{"DATA_DIR": dir})
	if err != nil {
		t.Fatal(err)
	}
	second, err := readConfig(map[string]string{"DATA_DIR": dir})
	if err != nil {
		t.Fatal(err)
	}
	if string(first.secret) != string(second.secret) || len(first.secret) != 32 {
		t.Error("the secret changed between two starts")
	}
	info, err := os.Stat(filepath.Join(dir, "secret.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
}
