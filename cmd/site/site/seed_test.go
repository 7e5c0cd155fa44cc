package site_test

import (
	"testing"

	"hiresure/cmd/site/sitetest"
	"hiresure/static"
	"hiresure/store/storetest"
)

// production returns an environment of a production site.
func production() map[string]string {
	return map[string]string{
		"APP_ENV": "production", "BASE_URL": "https://www.example.in", "SECRET_KEY": sitetest.Key, "STORAGE_KEYS": sitetest.FileKey, "CLAMD_URL": "off", "CHROME_URL": "off", "CAPTCHA": "pow", "CAPTCHA_SECRET": "", "CAPTCHA_SITE_KEY": "", "GATEWAYS": "none",
		"METRICS_TOKEN": "d41d8cd98f00b204e9800998ecf8427e", "TRUSTED_PROXIES": "127.0.0.1", "SMTP_URL": "smtp://127.0.0.1:9?from=a@example.in&tls=none", "SMS_URL": "http://key@127.0.0.1:9/send",
	}
}

// Pages and messages advertise them.
func TestFirstProductionStartHasCoupons(t *testing.T) {
	if !static.Built() {
		t.Skip("production needs the built front end")
	}
	live := production()
	database := storetest.SQLite(t)
	live["DATABASE_URL"] = database
	for range 2 { // a second start adds none
		sitetest.New(t, live)
	}
	var got string
	err := storetest.SQL(t, database).QueryRow("SELECT GROUP_CONCAT(code, ' ') FROM (SELECT code FROM coupons ORDER BY code)").Scan(&got)
	if want := "FULLSEAT HALFPRICE LASTSEAT MGROW500"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
