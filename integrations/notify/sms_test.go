package notify

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestServerURLsAreParsed(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"smtp://mail.example.in?from=a@example.in", ""},
		{"smtps://u:p@mail.example.in?from=HireSure+<a@example.in>", ""},
		{"smtp://mail.example.in:2525?from=a@example.in&tls=implicit", ""},
		{"http://mail.example.in?from=a@example.in", "SMTP_URL must be smtp://user:pass@host:port?from=…&tls=…"},
		{"smtp://u:p%zz@mail.example.in", "SMTP_URL must be smtp://user:pass@host:port?from=…&tls=…"},
		{"smtp://mail.example.in", "SMTP_URL: from must be an address: mail: no address"},
		{"smtp://mail.example.in?from=a@example.in&tls=maybe", `SMTP_URL: tls must be starttls or implicit or none, not "maybe"`},
	} {
		if _, err := NewSMTP(c.url); fmt.Sprint(err) != c.want && (err != nil || c.want != "") {
			t.Errorf("%s: %v, want %s", c.url, err, c.want)
		}
	}
	for _, c := range []struct{ url, address, key, want string }{
		{"https://k3y@sms.example.in/send?sender=HRSURE", "https://sms.example.in/send?sender=HRSURE", "k3y", ""},
		{"https://user:k3y@sms.example.in/send", "https://sms.example.in/send", "k3y", ""},
		{"https://sms.example.in/send?key=k3y&sender=HRSURE", "https://sms.example.in/send?sender=HRSURE", "k3y", ""},
		{"http://k3y@127.0.0.1:9/send", "http://127.0.0.1:9/send", "k3y", ""},
		{"http://k3y@sms.example.in/send", "", "", "SMS_URL must be https"},
		{"https://sms.example.in/send", "", "", "SMS_URL holds no key"},
		{"sms.example.in", "", "", "SMS_URL must be https://key@host/path"},
	} {
		s, err := NewSMS(c.url)
		if c.want == "" && (err != nil || s.address != c.address || s.key != c.key) || c.want != "" && fmt.Sprint(err) != c.want {
			t.Errorf("%s: %+v, %v", c.url, s, err)
		}
	}
}

func TestSMS(t *testing.T) {
	elsewhere := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	status := http.StatusOK
	var bodies []map[string]string
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		bodies = append(bodies, body)
		if r.Header.Get("Authorization") != "Bearer k3y" || r.Header.Get("Idempotency-Key") != "m2" || r.URL.RawQuery != "sender=HRSURE" {
			t.Errorf("asked with %v, query %q", r.Header, r.URL.RawQuery)
		}
		w.Header().Set("Location", other.URL)
		w.WriteHeader(status)
		fmt.Fprint(w, "+919876543210")
	}))
	defer provider.Close()
	s, err := NewSMS(strings.Replace(provider.URL, "://", "://k3y@", 1) + "?sender=HRSURE")
	if err != nil {
		t.Fatal(err)
	}
	n, log := newNotifier(t, s, s)
	for _, c := range []struct {
		status    int
		want      string
		permanent bool
	}{
		{200, "<nil>", false},
		{202, "<nil>", false},
		{302, "send code by sms: SMS provider: status 302", false},
		{307, "send code by sms: SMS provider: status 307", false},
		{400, "send code by sms: SMS provider: status 400", true},
		{401, "send code by sms: SMS provider: status 401", false},
		{422, "send code by sms: SMS provider: status 422", true},
		{429, "send code by sms: SMS provider: status 429", false},
		{500, "send code by sms: SMS provider: status 500", false},
		{503, "send code by sms: SMS provider: status 503", false},
	} {
		status, bodies = c.status, nil
		err := n.Send(t.Context(), code)
		if fmt.Sprint(err) != c.want || isPermanent(err) != c.permanent {
			t.Errorf("answer %d: %v, permanent %t; want %s", c.status, err, isPermanent(err), c.want)
		}
		want := map[string]string{"to": "+919876543210", "text": "482913 is your code", "template": "code", "id": "m2"}
		if len(bodies) != 1 || fmt.Sprint(bodies[0]) != fmt.Sprint(want) {
			t.Errorf("posted %v, want %v", bodies, want)
		}
	}
	if elsewhere != 0 {
		t.Error("a redirect carried the text to another host")
	}
	provider.Close()
	err = n.Send(t.Context(), code)
	if err == nil || isPermanent(err) {
		t.Errorf("a provider that is away: %v", err)
	}
	for _, personal := range []string{"9876543210", "482913", "k3y"} {
		if strings.Contains(log.String()+fmt.Sprint(err), personal) {
			t.Errorf("%q is told: %s, %v", personal, log, err)
		}
	}
}

func TestAcceptedSMSWithTruncatedResponseIsNotResent(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100") // more than is sent
		fmt.Fprint(w, "{")
	}))
	defer provider.Close()
	s, err := NewSMS(strings.Replace(provider.URL, "://", "://k3y@", 1))
	if err != nil {
		t.Fatal(err)
	}
	n, _ := newNotifier(t, s, s)
	if err := n.Send(t.Context(), code); err != nil {
		t.Error(err)
	}
}
