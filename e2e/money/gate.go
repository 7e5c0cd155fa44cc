package money

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Gate stands before a provider, and can hold its answers up.
type Gate struct {
	Bank

	mutex  sync.Mutex
	call   string
	happen func(answer string)
}

// WhileAnswering has the next post of which path or body contain a text, for "" the next call of any kind, take effect, and
// something happen before its answer goes out. The answer is lost where that panics with http.ErrAbortHandler.
func (g *Gate) WhileAnswering(call string, happen func(answer string)) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.call, g.happen = call, happen
}

func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.mutex.Lock()
	happen := g.happen
	if happen == nil || g.call != "" && (r.Method != http.MethodPost || !strings.Contains(r.URL.Path+" "+string(body), g.call)) {
		g.mutex.Unlock()
		g.Bank.ServeHTTP(w, r)
		return
	}
	g.happen = nil
	g.mutex.Unlock()
	kept := httptest.NewRecorder()
	g.Bank.ServeHTTP(kept, r)
	happen(kept.Body.String())
	for name, values := range kept.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes()) // the caller may have gone
}
