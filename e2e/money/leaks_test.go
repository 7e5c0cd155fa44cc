package money

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"hiresure/simulators"
)

// leaks collects every secret of a storm and searches for them in everything readable: logs, pages, bundles, database, files
// and traces.
type leaks struct {
	traced *httptest.Server // receives the traces

	mutex   sync.Mutex
	secrets map[string]string // descriptions by value
	payers  map[string]string // allowed only in the payer's checkout
	texts   map[string][]string
}

// The kinds of texts. A payer's checkout may contain values of payers.
const (
	logText      = "log"
	pageText     = "page"
	traceText    = "trace"
	checkoutText = "checkout"
)

func newLeaks(t *testing.T) *leaks {
	l := &leaks{secrets: map[string]string{}, payers: map[string]string{}, texts: map[string][]string{}}
	for _, card := range []string{"4242424242424242", "4000002500003155", "4000000000000002", "4242 4242 4242 4242"} {
		l.secrets[card] = "card number"
	}
	l.traced = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			if plain, err := gzip.NewReader(body); err == nil {
				body = plain
			}
		}
		raw, err := io.ReadAll(body)
		if err == nil { // otherwise the process was killed
			l.keep(traceText, string(raw))
		}
	}))
	t.Cleanup(l.traced.Close)
	return l
}

func (l *leaks) keep(kind, text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.texts[kind] = append(l.texts[kind], text)
}

func (l *leaks) logged(text string) { l.keep(logText, text) }

func (l *leaks) secret(what, value string) {
	if len(value) < 8 {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.secrets[value] = what
}

// variable adds a variable of the configuration; one named like a secret is a secret.
func (l *leaks) variable(name, value string) {
	if strings.Contains(name, "SECRET") || strings.Contains(name, "SALT") {
		l.secret(name, value)
	}
}

var signs = regexp.MustCompile(`(?i)sig(nature|$)|hash|token`)

// addReturn adds the secrets of a browser's return from a provider.
func (l *leaks) addReturn(fields url.Values) {
	for name := range fields {
		if signs.MatchString(name) {
			l.secret("what a browser brings back: "+name, fields.Get(name))
		}
	}
}

// event adds the signatures in a webhook's headers or form.
func (l *leaks) event(e simulators.Event) {
	for name := range e.Header {
		if !signs.MatchString(name) {
			continue
		}
		for _, part := range strings.Split(e.Header.Get(name), ",") { // t=…,v1=…
			if scheme, value, is := strings.Cut(part, "="); is && scheme == "v1" {
				part = value
			}
			if len(part) >= 32 {
				l.secret("signature of a webhook: "+name, part)
			}
		}
	}
	if form, err := url.ParseQuery(string(e.Body)); err == nil {
		l.addReturn(form)
	}
}

// payer adds the fields of a checkout that give access to the payer's order at the provider.
func (l *leaks) payer(a Attempt) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var walk func(name string, value any)
	walk = func(name string, value any) {
		switch value := value.(type) {
		case string:
			if regexp.MustCompile(`(?i)secret|hash|session`).MatchString(name) && len(value) >= 16 {
				l.payers[value] = "the payer's own " + name
			}
		case map[string]any:
			for name, inner := range value {
				walk(name, inner)
			}
		}
	}
	walk("", a.Fields)
}

var proofs = regexp.MustCompile(`[0-9a-f]{64}`)

// wrap wraps a provider's server and adds the credentials of the site's calls.
func (l *leaks) wrap(account http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Authorization", "X-Client-Secret"} {
			_, value, found := strings.Cut(r.Header.Get(name), " ")
			if !found {
				value = r.Header.Get(name)
			}
			l.secret("how we prove ourselves: "+name, value)
		}
		for _, hash := range proofs.FindAllString(r.Header.Get("X-Avangate-Authentication"), -1) {
			l.secret("how we prove ourselves: a hash", hash)
		}
		account.ServeHTTP(w, r)
	})
}

// RoundTrip records the site's responses to browsers.
func (l *leaks) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	kind := pageText
	if strings.HasPrefix(r.URL.Path, "/checkout/") || strings.HasSuffix(r.URL.Path, "/initiate-payment") {
		kind = checkoutText
	}
	l.keep(kind, fmt.Sprintf("%s %v %s", r.URL.Path, answer.Header, body))
	return answer, nil
}

// search searches for every secret everywhere.
func (l *leaks) search(s *storm) {
	for _, log := range s.logs {
		l.keep(logText, log.All())
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.texts["database"] = dump(s)
	l.texts["file"] = files(s, s.data)
	if path, is := strings.CutPrefix(s.databaseURL, "sqlite://"); is {
		l.texts["file"] = append(l.texts["file"], files(s, filepath.Dir(path))...)
	}
	l.texts["bundle"] = files(s, "../../static/dist")
	all, strict := newFinder(l.secrets), newFinder(l.payers)
	for _, kind := range slices.Sorted(maps.Keys(l.texts)) {
		size := 0
		found := map[string]int{}
		for _, text := range l.texts[kind] {
			size += len(text)
			all.in(text, found)
			if kind != checkoutText {
				strict.in(text, found)
			}
		}
		for what, times := range found {
			s.Errorf("%s holds %s, %d times", kind, what, times)
		}
		s.Logf("searched: %d texts of %s, %.1f MB", len(l.texts[kind]), kind, float64(size)/1e6)
		if size == 0 {
			s.Errorf("nothing of %s was searched", kind)
		}
	}
	s.Logf("searched for %d secrets, and %d of payers", len(l.secrets), len(l.payers))
}

// dump returns every row of the database as text.
func dump(s *storm) (rows []string) {
	query := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if !strings.HasPrefix(s.databaseURL, "sqlite://") {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
	}
	for _, table := range s.texts(query) {
		found, err := s.db.Query(`SELECT * FROM "` + table + `"`)
		if err != nil {
			s.Fatal(err)
		}
		columns, err := found.Columns()
		if err != nil {
			s.Fatal(err)
		}
		for found.Next() {
			values := make([]sql.NullString, len(columns))
			into := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := found.Scan(into...); err != nil {
				s.Fatal(err)
			}
			rows = append(rows, fmt.Sprint(table, values))
		}
		if err := found.Err(); err != nil {
			s.Fatal(err)
		}
	}
	return rows
}

// files returns the contents of all files below a folder.
func files(s *storm, folder string) (all []string) {
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		all = append(all, string(data))
		return err
	}); err != nil {
		s.Error(err)
	}
	return all
}

// A finder searches for many values at once, plain and URL-encoded.
type finder map[string][]needle // by their first bytes

type needle struct{ value, what string }

const firstBytes = 8

func newFinder(values map[string]string) finder {
	f := finder{}
	for value, what := range values {
		for _, written := range []string{value, url.QueryEscape(value)} {
			f[written[:firstBytes]] = append(f[written[:firstBytes]], needle{written, what})
		}
	}
	return f
}

// in counts the values found in a text.
func (f finder) in(text string, found map[string]int) {
	for i := 0; i+firstBytes <= len(text); i++ {
		for _, n := range f[text[i:i+firstBytes]] {
			if strings.HasPrefix(text[i:], n.value) {
				found[n.what]++
			}
		}
	}
}

// The finder itself must work.
func TestFinder(t *testing.T) {
	l := newLeaks(t)
	l.variable("GOLD_SECRET", "melted+gold")
	l.variable("GOLD_URL", "http://gold.example")
	signature := hex.EncodeToString([]byte("sixteen letters!"))
	l.event(simulators.Event{Header: http.Header{"Gold-Signature": {"t=1,v1=" + signature + ",v0=0"}}, Body: []byte("GOLD=1&HASH=0123456789&NAME=Asha+Verma+Rao")})
	l.addReturn(url.Values{"token": {"190f2d9c-0bbc"}, "status": {"success-success"}})
	l.payer(Attempt{Fields: map[string]any{"details": map[string]any{"clientSecret": "pi_1_secret_2345678", "key": "pk_test_12345678"}}})
	for text, want := range map[string]string{
		"a melted+gold b": "GOLD_SECRET", "?a=melted%2Bgold": "GOLD_SECRET", "melted gold": "", "http://gold.example": "", "melted+gol": "",
		"v1=" + signature: "signature of a webhook: Gold-Signature", "0123456789": "what a browser brings back: HASH", "Asha Verma Rao": "",
		"x190f2d9c-0bbcx": "what a browser brings back: token", "success-success": "", "card 4242424242424242.": "card number", "pk_test_12345678": "",
		"pi_1_secret_2345678": "the payer's own clientSecret",
	} {
		found := map[string]int{}
		newFinder(l.secrets).in(text, found)
		newFinder(l.payers).in(text, found)
		if got := slices.Collect(maps.Keys(found)); strings.Join(got, ", ") != want {
			t.Errorf("in %q: %v, want %q", text, got, want)
		}
	}
}
