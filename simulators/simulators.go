// Package simulators plays the payment providers, each by its published documents, for tests and for developers offline. It shares no code with the adapters that it judges.
package simulators

import "net/http"

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
