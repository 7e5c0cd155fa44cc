package money

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Gate is a proxy of a provider that can delay its responses.
type Gate struct {
	Bank

	mutex  sync.Mutex
	call   string
	happen func(answer string)
}

// WhileAnswering calls happen after the effect of the next POST whose path or body contains call ("" for any request) and
// before its response, which is lost if happen panics with http.ErrAbortHandler.
func (g *Gate) WhileAnswering(call string, happen func(answer string)) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.call, g.happen = call, happen
}

func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has disconnected
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
	_, _ = w.Write(kept.Body.Bytes()) // the client may have disconnected
}
