// Package simulators simulates the payment providers as documented, for tests and offline development. It shares no code with the
// adapters.
package simulators

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// Event is a webhook of a provider.
type Event struct {
	Header http.Header
	Body   []byte
}

// Fault is a fault of one response of a simulator.
type Fault string

const (
	HangAfter    Fault = "hang after"   // has its effect, but no response until the caller gives up
	ErrorAfter   Fault = "error after"  // has its effect, but responds with 500
	ErrorBefore  Fault = "error before" // has no effect and responds with 500
	Truncated    Fault = "truncated"    // has its effect, but sends half of the response
	TooMany      Fault = "too many"     // has no effect and responds with 429
	Unauthorized Fault = "unauthorized" // has no effect and responds with 401
)

// bankReference returns the payer's bank's reference of a payment.
func bankReference(at time.Time) string { return fmt.Sprintf("%012d", at.UnixMilli()%1e12) }

// account is the common part of all accounts.
type account struct {
	mutex  sync.Mutex
	faults []Fault // of the next responses
	events []Event
}

// AddFaults adds faults of the next responses.
func (a *account) AddFaults(faults ...Fault) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.faults = append(a.faults, faults...)
}

// Events returns the webhooks so far, oldest first.
func (a *account) Events() []Event {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.events)
}

// answer serves a call by routes, with the next fault; refuse writes the provider's error of a status.
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
	case Unauthorized:
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
	case Truncated:
		body = body[:len(body)/2]
	}
	for name := range kept.Header() {
		w.Header().Set(name, kept.Header().Get(name))
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(body)
}

// perPage returns the rows per page of a list: two, or more for lists of more than 20 pages.
func perPage(rows int) int { return max(2, (rows+19)/20) }
