package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/integrations/payment/breaker"
)

// provider returns err from Start.
type provider struct {
	method.Gateway
	err error
}

func (p *provider) Start(context.Context, method.Intent) (method.ChargeSession, error) {
	return method.ChargeSession{Ref: "r"}, p.err
}

func TestBreakerPausesUnresponsiveGateway(t *testing.T) {
	outcomes := map[string]error{
		"answer": nil, "unknown": fmt.Errorf("start: %w", method.ErrUnknown), "time-out": context.DeadlineExceeded,
		"declined": method.ErrDeclined, "credentials": method.ErrCredentials, "currency": method.ErrCurrency,
	}
	for _, c := range []struct {
		sentence string
		happens  string // starts ("left": cancelled by the caller) and pauses
		offered  bool
		alerts   int
	}{
		{"no start yet", "", true, 0},
		{"two without a response", "unknown unknown", true, 0},
		{"three without a response", "unknown unknown unknown", false, 1},
		{"time-outs count", "time-out unknown time-out", false, 1},
		{"a response in between resets the count", "unknown unknown answer unknown unknown", true, 0},
		{"a refusal is a response", "unknown unknown declined unknown unknown", true, 0},
		{"rejected credentials are a response", "unknown unknown credentials unknown unknown", true, 0},
		{"an unsupported currency is a response", "unknown unknown currency unknown unknown", true, 0},
		{"cancelled starts don't count", "left left left left", true, 0},
		{"cancelled starts don't reset the count", "unknown unknown left unknown", false, 1},
		{"within five minutes", "unknown 2m unknown 3m unknown", false, 1},
		{"three in more than five minutes", "unknown 2m unknown 3m1s unknown", true, 0},
		{"a new window starts after five minutes", "unknown 6m unknown unknown unknown", false, 1},
		{"the pause lasts a minute", "unknown unknown unknown 59s", false, 1},
		{"offered again after the pause", "unknown unknown unknown 60s", true, 1},
		{"one failure after the pause pauses again", "unknown unknown unknown 60s unknown", false, 1},
		{"one failure long after the pause pauses again", "unknown unknown unknown 1h unknown", false, 1},
		{"a response after the pause resets the count", "unknown unknown unknown 60s answer unknown unknown", true, 1},
		{"the next outage alerts again", "unknown unknown unknown 60s answer unknown unknown unknown", false, 2},
		{"an outage alerts once a day", "unknown unknown unknown 23h59m unknown", false, 1},
		{"an outage of a day alerts again", "unknown unknown unknown 24h unknown unknown", false, 2},
		{"a response during the pause ends it", "unknown unknown unknown answer", true, 1},
		{"a clock set back ends the pause", "unknown unknown unknown -1h", true, 1},
		{"a clock set back restarts the window", "unknown unknown -1h unknown", true, 0},
	} {
		now, alerts, ends := time.Date(2026, 11, 21, 6, 30, 0, 0, time.UTC), 0, 0
		p := &provider{}
		b := breaker.New(p, func() time.Time { return now }, func() { alerts++ }, func() { ends++ })
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
		if want := regexp.MustCompile("answer|declined|credentials|currency").FindAllString(c.happens, -1); ends != len(want) {
			t.Errorf("%s: ended %d times, want %d", c.sentence, ends, len(want))
		}
		if b.Answers() != c.offered || alerts != c.alerts {
			t.Errorf("%s: offered %t with %d alerts, want %t with %d", c.sentence, b.Answers(), alerts, c.offered, c.alerts)
		}
	}
}
