package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission"
	"hiresure/admission/access"
	"hiresure/web"
	"hiresure/web/webtest"
)

// noKeys fails a test that stores a key.
type noKeys struct{ t *testing.T }

func (k noKeys) ClaimKey(context.Context, string, string, time.Time, time.Duration) (*KeyedAnswer, string, error) {
	k.t.Error("a key was claimed")
	return nil, KeyNew, nil
}

func (k noKeys) FinishKey(context.Context, string, time.Time, int, string, []byte) error {
	k.t.Error("an answer was kept")
	return nil
}

func (k noKeys) AbandonKey(context.Context, string, time.Time) error { return nil }

func TestAKeyIsOfOneCaller(t *testing.T) {
	c := echo.New().NewContext(httptest.NewRequest(http.MethodPost, "/", nil), httptest.NewRecorder())
	scopes := map[string]admission.Visitor{}
	for _, v := range []admission.Visitor{
		{IP: "203.0.113.1"}, {IP: "203.0.113.2"}, {SessionID: "s1"}, {SessionID: "s2"}, {SessionID: "s1", AccountID: "a1"}, {SessionID: "s1", AccountID: "a2"},
	} {
		scope := scoped(c, v, "k1")
		if other, taken := scopes[scope]; taken {
			t.Errorf("%+v shares its keys with %+v", v, other)
		}
		scopes[scope] = v
	}
}

func TestAnExemptCallIsKeptNowhere(t *testing.T) {
	manager, err := web.New(web.Config{
		Sessions: &access.Service{}, BaseURL: "https://www.example.in", Clock: time.Now, Log: slog.New(slog.DiscardHandler), Watch: webtest.Watch{},
		RefusalPage: func(c *echo.Context, r web.Refusal) error { return c.HTML(r.Status, r.Message) },
	})
	if err != nil {
		t.Fatal(err)
	}
	a, e, calls := &api{Config: Config{Keys: noKeys{t}}}, echo.New(), 0
	a.post(manager.Install(e), "/login/token", shape{}, func(*echo.Context, fields) (answer, error) {
		calls++
		return success("Here is your token."), nil
	}, exempt)
	for range 2 {
		r := httptest.NewRequest(http.MethodPost, "/login/token", strings.NewReader("{}"))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "k1")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	}
	if calls != 2 {
		t.Errorf("the call was made %d times, want 2", calls)
	}
}
