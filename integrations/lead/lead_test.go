package lead

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hiresure/admission/enrol"
)

func TestLeadIsForwardedSigned(t *testing.T) {
	noon := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC)
	asha := enrol.Lead{ID: "l1", EventCode: "KS_Mgrow", FullName: "Asha Rao", Email: "asha@example.com", Phone: "+919876543210", CreatedAt: noon}
	status := http.StatusNoContent
	var got Body
	var taken, elsewhere int
	secret := []byte("s3cret")
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		taken++
		body, err := io.ReadAll(r.Body)
		if err = errors.Join(err, json.Unmarshal(body, &got)); err != nil {
			t.Error(err)
		}
		if want := "t=1795242600,v1=" + Sign(secret, "1795242600", body); r.Header.Get("X-HireSure-Signature") != want {
			t.Errorf("signature %q, want %q", r.Header.Get("X-HireSure-Signature"), want)
		}
		if r.Header.Get("Idempotency-Key") != "l1" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", r.Header)
		}
		w.Header().Set("Location", other.URL)
		w.WriteHeader(status)
	}))
	defer receiver.Close()
	w, err := New(Config{URL: receiver.URL + "/hook?token=t0ken", Secret: secret, Clock: func() time.Time { return noon }, Leads: func(_ context.Context, id string) (*enrol.Lead, error) {
		if id == "l1" {
			return &asha, nil
		}
		return nil, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Forward(t.Context(), "l1"); err != nil || again != 0 {
		t.Fatalf("a lead that is taken: %v, %v", again, err)
	}
	if want := (Body{"l1", "KS_Mgrow", "Asha Rao", "asha@example.com", "+919876543210", noon}); got != want {
		t.Errorf("received %+v, want %+v", got, want)
	}
	taken = 0
	if _, err := w.Forward(t.Context(), "gone"); err != nil || taken != 0 {
		t.Errorf("a lead that is gone: %v, %d calls", err, taken)
	}
	for answer, want := range map[int]string{
		http.StatusServiceUnavailable: "send lead: status 503",
		http.StatusBadRequest:         "send lead: status 400",
		http.StatusFound:              "send lead: status 302",
		http.StatusTemporaryRedirect:  "send lead: status 307",
	} {
		status = answer
		if _, err := w.Forward(t.Context(), "l1"); err == nil || err.Error() != want {
			t.Errorf("answer %d: %v, want %s", answer, err, want)
		}
	}
	if elsewhere != 0 {
		t.Error("a redirect carried the lead to another host")
	}
	receiver.Close()
	if _, err := w.Forward(t.Context(), "l1"); err == nil || strings.Contains(err.Error(), "t0ken") {
		t.Errorf("a receiver that is away: %v", err)
	}
}

func TestNewRejectsMissingFields(t *testing.T) {
	leads := func(context.Context, string) (*enrol.Lead, error) { return nil, nil }
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{URL: "nowhere", Secret: []byte("x"), Clock: time.Now, Leads: leads}, "LEAD_WEBHOOK_URL must be an https address"},
		{Config{URL: "https://a.example", Clock: time.Now, Leads: leads}, "lead webhook needs Secret, Clock and Leads"},
	} {
		if _, err := New(c.config); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
