package dev_test

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"

	"hiresure/admission/access"
	"hiresure/content"
	"hiresure/pages"
	"hiresure/pages/dev"
	"hiresure/web"
	"hiresure/web/webtest"
)

type reader = func(to string) ([]dev.Message, error)

var messages = []dev.Message{
	{
		ID: "2", Channel: "email", To: "ananya.d@example.com", Subject: "Paid: <b>mGrow</b>", CreatedAt: time.Date(2026, 11, 21, 6, 34, 5, 0, time.UTC),
		Body: "Your receipt:\nhttp://127.0.0.1:8080/receipt/t-1?a=b&c=d\n\n<img src=x onerror=alert(1)>\n-- \nStudent support",
	},
	{ID: "1", Channel: "sms", To: "+919820041567", Body: "123456 is your HireSure code\n\n@127.0.0.1 #123456", CreatedAt: time.Date(2026, 11, 21, 6, 33, 0, 0, time.UTC)},
}

func get(t *testing.T, address string, outbox reader) *httptest.ResponseRecorder {
	t.Helper()
	return serve(t, address, outbox, nil)
}

func serve(t *testing.T, address string, outbox reader, provider *dev.Provider) *httptest.ResponseRecorder {
	t.Helper()
	words, err := content.Load()
	if err != nil {
		t.Fatal(err)
	}
	source, err := content.NewSource(words)
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	kit := &pages.Kit{Content: source, DefaultEvent: "hiresure-mgrow-2025", Clock: time.Now, Log: slog.New(slog.DiscardHandler)}
	if kit.Session, err = web.New(web.Config{
		Sessions: &access.Service{}, BaseURL: "http://127.0.0.1:8080", RefusalPage: kit.RefusalPage, Clock: time.Now, Log: kit.Log, Watch: webtest.Watch{},
	}); err != nil {
		t.Fatal(err)
	}
	config := needsOf(kit, outbox)
	config.Provider = provider
	if err := dev.Routes(kit.Session.Install(e), config); err != nil {
		t.Fatal(err)
	}
	recorder := httptest.NewRecorder()
	e.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, address, nil))
	return recorder
}

// needsOf serves an outbox of pages of one message; a cursor is the id of the message before.
func needsOf(kit *pages.Kit, outbox reader) dev.Config {
	return dev.Config{
		Kit: kit,
		Outbox: func(_ context.Context, to string) iter.Seq2[dev.Message, error] {
			return func(yield func(dev.Message, error) bool) {
				found, err := outbox(to)
				for _, m := range found {
					if !yield(m, nil) {
						return
					}
				}
				if err != nil {
					yield(dev.Message{}, err)
				}
			}
		},
		OutboxPage: func(_ context.Context, to, cursor string, most int) ([]dev.Message, string, error) {
			found, err := outbox(to)
			if cursor != "" {
				found = found[slices.IndexFunc(found, func(m dev.Message) bool { return m.ID == cursor })+1:]
			}
			if len(found) <= most {
				return found, "", err
			}
			return found[:most], found[most-1].ID, err
		},
	}
}

func full(to string) (found []dev.Message, err error) {
	for _, m := range messages {
		if to == "" || to == m.To {
			found = append(found, m)
		}
	}
	return found, nil
}

func empty(string) ([]dev.Message, error) { return nil, nil }

// many is an outbox of two pages and two messages more, 402 the newest.
func many(to string) (found []dev.Message, err error) {
	for i := range 402 {
		found = append(found, dev.Message{ID: strconv.Itoa(402 - i), Channel: "sms", To: to, Body: "text " + strconv.Itoa(402-i) + "."})
	}
	return found, nil
}

func TestOutboxHasPages(t *testing.T) {
	links := regexp.MustCompile(`rel="next" href="([^"]*)"`)
	address, shown := "/dev/outbox?to=%2B919820041567", []int(nil)
	for address != "" {
		page := get(t, address, many).Body.String()
		shown = append(shown, strings.Count(page, `<p class="letter">text `))
		next := links.FindStringSubmatch(page)
		address = ""
		if next != nil {
			if address = html.UnescapeString(next[1]); !strings.Contains(address, "to=%2B919820041567") {
				t.Fatalf("the next page is of another receiver: %s", address)
			}
		}
	}
	if want := []int{200, 200, 2}; !slices.Equal(shown, want) {
		t.Errorf("pages show %v messages, want %v", shown, want)
	}
	var read []dev.Message
	if err := json.Unmarshal(get(t, "/dev/outbox.json", many).Body.Bytes(), &read); err != nil || len(read) != 200 || read[0].ID != "402" || read[199].ID != "203" {
		t.Errorf("scripts read %d messages, %v", len(read), err)
	}
}

func TestOutboxIsReadByScripts(t *testing.T) {
	for sentence, row := range map[string]struct {
		outbox reader
		want   string
	}{
		"newest first, times in UTC": {full, `[{"id":"2","channel":"email","to":"ananya.d@example.com","subject":"Paid: \u003cb\u003emGrow\u003c/b\u003e","body":"Your receipt:\nhttp://127.0.0.1:8080/receipt/t-1?a=b\u0026c=d\n\n\u003cimg src=x onerror=alert(1)\u003e\n-- \nStudent support","created_at":"2026-11-21T06:34:05Z"},` +
			`{"id":"1","channel":"sms","to":"+919820041567","subject":"","body":"123456 is your HireSure code\n\n@127.0.0.1 #123456","created_at":"2026-11-21T06:33:00Z"}]`},
		"empty is a list": {empty, `[]`},
	} {
		t.Run(sentence, func(t *testing.T) {
			answer := get(t, "/dev/outbox.json", row.outbox)
			if got := strings.TrimSpace(answer.Body.String()); answer.Code != http.StatusOK || got != row.want {
				t.Errorf("%d %s\nwant %s", answer.Code, got, row.want)
			}
		})
	}
}

func TestOutboxIsReadByPeople(t *testing.T) {
	page := get(t, "/dev/outbox", full).Body.String()
	for _, text := range []string{
		"ananya.d@example.com", "Paid: &lt;b&gt;mGrow&lt;/b&gt;", "21 Nov 2026, 12:04:05", "123456 is your HireSure code",
		`<span class="fee one-time-code">123456</span>`, `<a href="/dev/outbox?to=%2B919820041567">`, "<summary>Footer</summary>", "Student support",
		`<a href="http://127.0.0.1:8080/receipt/t-1?a=b&amp;c=d">`, "&lt;img src=x onerror=alert(1)&gt;",
	} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing in %s", text, page)
		}
	}
	if codes := strings.Count(page, "one-time-code"); codes != 1 {
		t.Errorf("%d codes stand out, want that of the SMS alone", codes)
	}
	if page := get(t, "/dev/outbox", empty).Body.String(); !strings.Contains(page, "Nothing has been sent yet.") {
		t.Errorf("an empty outbox shows %s", page)
	}
	if page := get(t, "/dev/outbox?to=%2B919820041567", full).Body.String(); strings.Contains(page, "Paid:") || !strings.Contains(page, "123456") {
		t.Errorf("the outbox of one receiver shows %s", page)
	}
	if code := get(t, "/dev/components", full).Code; code != http.StatusOK {
		t.Errorf("the component gallery answers %d", code)
	}
}

func TestOutboxFaults(t *testing.T) {
	broken := func(string) ([]dev.Message, error) {
		return nil, errors.New("sealed with another key")
	}
	for _, address := range []string{"/dev/outbox", "/dev/outbox.json"} {
		if code := get(t, address, broken).Code; code != http.StatusInternalServerError {
			t.Errorf("%s answers %d", address, code)
		}
	}
	if err := dev.Routes(nil, dev.Config{}); err == nil || err.Error() != "dev pages need a Kit and an Outbox" {
		t.Errorf("missing needs: %v", err)
	}
}
