// Package simulators plays the payment providers, each by its published documents, for tests and for developers offline. It shares no code with the adapters that it judges.
package simulators

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// Event is a webhook as its provider sends it.
type Event struct {
	Header http.Header
	Body   []byte
}

// Fault is what goes wrong with one answer of a simulator.
type Fault string

const (
	HangAfter   Fault = "hang after"   // the effect happens, no answer comes until the caller gives up
	ErrorAfter  Fault = "error after"  // the effect happens, the answer is a 500
	ErrorBefore Fault = "error before" // nothing happens, the answer is a 500
	Torn        Fault = "torn"         // the effect happens, half of the answer comes
	TooMany     Fault = "too many"     // nothing happens, the answer is a 429
	Stranger    Fault = "stranger"     // nothing happens, the answer is a 401
)

// bankReference is what the payer's bank calls a payment of that moment.
func bankReference(at time.Time) string { return fmt.Sprintf("%012d", at.UnixMilli()%1e12) }

// account is what an account at any provider has.
type account struct {
	mutex  sync.Mutex
	faults []Fault // one each for the next answers
	events []Event
}

// Suffer lets the next answers go wrong, one each.
func (a *account) Suffer(faults ...Fault) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.faults = append(a.faults, faults...)
}

// Events are the webhooks so far, in the order in which they happened.
func (a *account) Events() []Event {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.events)
}

// answer lets routes answer a call, or the fault that waits for it; refuse writes the provider's error of a status.
func (a *account) answer(w http.ResponseWriter, r *http.Request, routes http.Handler, refuse func(w http.ResponseWriter, status int)) {
	a.mutex.Lock()
	var fault Fault
	if len(a.faults) > 0 {
		fault, a.faults = a.faults[0], a.faults[1:]
	}
	a.mutex.Unlock()
	switch fault {
	case ErrorBefore:
		refuse(w, http.StatusInternalServerError)
		return
	case TooMany:
		refuse(w, http.StatusTooManyRequests)
		return
	case Stranger:
		refuse(w, http.StatusUnauthorized)
		return
	}
	kept := httptest.NewRecorder()
	routes.ServeHTTP(kept, r)
	body := kept.Body.Bytes()
	switch fault {
	case HangAfter:
		<-r.Context().Done()
		return
	case ErrorAfter:
		refuse(w, http.StatusInternalServerError)
		return
	case Torn:
		body = body[:len(body)/2]
	}
	for name := range kept.Header() {
		w.Header().Set(name, kept.Header().Get(name))
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(body)
}

// perPage is how many rows a page of a list has: two, as long as these are 20 pages at most.
func perPage(rows int) int { return max(2, (rows+19)/20) }
