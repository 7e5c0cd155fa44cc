package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/breaker"
)

// provider answers a start with an error.
type provider struct {
	method.Gateway
	err error
}

func (p *provider) Start(context.Context, method.Intent) (method.ChargeSession, error) {
	return method.ChargeSession{Ref: "r"}, p.err
}

func TestAProviderThatDoesNotAnswerIsTakenOffTheOffer(t *testing.T) {
	outcomes := map[string]error{
		"answer": nil, "unknown": fmt.Errorf("start: %w", method.ErrUnknown), "time-out": context.DeadlineExceeded,
		"declined": method.ErrDeclined, "credentials": method.ErrCredentials, "currency": method.ErrCurrency,
	}
	for _, c := range []struct {
		sentence string
		happens  string // starts, "left" for one whose caller leaves, and durations that pass
		offered  bool
		alerts   int
	}{
		{"at first", "", true, 0},
		{"twice without an answer", "unknown unknown", true, 0},
		{"three times", "unknown unknown unknown", false, 1},
		{"time-outs count too", "time-out unknown time-out", false, 1},
		{"an answer between them", "unknown unknown answer unknown unknown", true, 0},
		{"a refusal is an answer", "unknown unknown declined unknown unknown", true, 0},
		{"so is one of our credentials", "unknown unknown credentials unknown unknown", true, 0},
		{"and of a currency", "unknown unknown currency unknown unknown", true, 0},
		{"who has left proves nothing", "left left left left", true, 0},
		{"and ends nothing", "unknown unknown left unknown", false, 1},
		{"within five minutes", "unknown 2m unknown 3m unknown", false, 1},
		{"not over a longer time", "unknown 2m unknown 3m1s unknown", true, 0},
		{"then from there", "unknown 6m unknown unknown unknown", false, 1},
		{"for a minute", "unknown unknown unknown 59s", false, 1},
		{"and no longer", "unknown unknown unknown 60s", true, 1},
		{"after it once more is enough", "unknown unknown unknown 60s unknown", false, 1},
		{"also much later", "unknown unknown unknown 1h unknown", false, 1},
		{"an answer after it is a new beginning", "unknown unknown unknown 60s answer unknown unknown", true, 1},
		{"whose end is told again", "unknown unknown unknown 60s answer unknown unknown unknown", false, 2},
		{"one that was under way brings it back", "unknown unknown unknown answer", true, 1},
		{"a clock that is set back keeps nobody out", "unknown unknown unknown -1h", true, 1},
		{"nor does it count for ever", "unknown unknown -1h unknown", true, 0},
	} {
		now, alerts := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC), 0
		p := &provider{}
		b := breaker.New(p, func() time.Time { return now }, func() { alerts++ })
		for _, what := range strings.Fields(c.happens) {
			ctx, cancel := context.WithCancel(t.Context())
			outcome, known := outcomes[what]
			switch {
			case known:
				p.err = outcome
			case what == "left":
				p.err = method.ErrUnknown
				cancel()
			default:
				passes, err := time.ParseDuration(what)
				if err != nil {
					t.Fatal(err)
				}
				now = now.Add(passes)
				cancel()
				continue
			}
			session, err := b.Start(ctx, method.Intent{})
			if session.Ref != "r" || !errors.Is(err, p.err) || (err == nil) != (p.err == nil) {
				t.Errorf("%s: %s gives %+v, %v", c.sentence, what, session, err)
			}
			cancel()
		}
		if b.Answers() != c.offered || alerts != c.alerts {
			t.Errorf("%s: offered %t with %d alerts, want %t with %d", c.sentence, b.Answers(), alerts, c.offered, c.alerts)
		}
	}
}
