package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"hiresure/admission/payment/method"
	"hiresure/simulators"
)

const simulatorsFlag = "--simulators"

// simulated are the payment providers that a developer's site plays, each on a port of its own of this machine. A nil one plays none.
type simulated struct {
	providers []playedAccount
	retries   []time.Duration // waits before an event is sent again; after the last it is given up
	every     time.Duration   // how often new events are looked for
	sending   sync.WaitGroup
	stop      context.CancelFunc // what is being sent
}

type playedAccount struct {
	name, at string
	account  simulators.Account
	server   *http.Server
}

// simulate starts the simulators of the gateways that this program knows and the environment does not configure, and configures them there.
func simulate(ctx context.Context, environ map[string]string, kinds []gatewayKind, providers []simulators.Provider) (*simulated, error) {
	if environ["APP_ENV"] == "production" {
		return nil, errors.New(simulatorsFlag + " is refused in production: whoever pays there is enrolled, and nobody has the money")
	}
	played := &simulated{retries: []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}, every: 200 * time.Millisecond}
	var offered, playMoney []string
	for _, kind := range kinds {
		if kind.PlayMoney {
			playMoney = append(playMoney, kind.Name)
		}
	}
	for _, provider := range providers {
		i := slices.IndexFunc(kinds, func(kind gatewayKind) bool { return kind.Name == provider.Name })
		if i < 0 {
			continue
		}
		offered = append(offered, provider.Name)
		if slices.ContainsFunc(kinds[i].Settings, func(s method.Setting) bool { return environ[s.Name] != "" }) {
			continue
		}
		if err := played.start(ctx, provider, environ); err != nil {
			played.close()
			return nil, fmt.Errorf("simulator of %s: %w", provider.Name, err)
		}
	}
	if environ["GATEWAYS"] == "" {
		environ["GATEWAYS"] = strings.Join(append(offered, playMoney...), ",")
	}
	return played, nil
}

// start opens one account and serves it.
func (s *simulated) start(ctx context.Context, provider simulators.Provider, environ map[string]string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p := playedAccount{name: provider.Name, at: "http://" + listener.Addr().String()}
	var variables map[string]string
	p.account, variables = provider.Open(p.at, nil)
	for name, value := range variables {
		environ[name] = value
	}
	p.server = &http.Server{Handler: p.account, ReadHeaderTimeout: headerWait}
	s.providers = append(s.providers, p)
	go func() { _ = p.server.Serve(listener) }() // until close
	return nil
}

// running lists what is played.
func (s *simulated) running() []playedAccount {
	if s == nil {
		return nil
	}
	return s.providers
}

// deliver sends the events of all accounts to a site until close, as the providers do: each until it is acknowledged.
func (s *simulated) deliver(ctx context.Context, baseURL string, log *slog.Logger) {
	if s == nil {
		return
	}
	ctx, s.stop = context.WithCancel(ctx)
	for _, p := range s.running() {
		s.sending.Go(func() {
			address := baseURL + "/payments/webhook/" + p.name
			ticks := time.NewTicker(s.every)
			defer ticks.Stop()
			for seen := 0; ; {
				events := p.account.Events()
				for _, e := range events[seen:] {
					s.sending.Go(func() { s.send(ctx, address, e, log) })
				}
				seen = len(events)
				select {
				case <-ctx.Done():
					return
				case <-ticks.C:
				}
			}
		})
	}
}

// send delivers one event.
func (s *simulated) send(ctx context.Context, address string, e simulators.Event, log *slog.Logger) {
	for tried := 0; ; tried++ {
		err := post(ctx, address, e)
		if err == nil || ctx.Err() != nil {
			return
		}
		if tried == len(s.retries) {
			log.WarnContext(ctx, "a simulator gives a webhook up", "address", address, "error", err)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.retries[tried]):
		}
	}
}

func post(ctx context.Context, address string, e simulators.Event) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(e.Body))
	if err != nil {
		return err
	}
	request.Header = e.Header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}

// close ends the simulators. What they know is gone.
func (s *simulated) close() {
	if s.stop != nil {
		s.stop()
	}
	s.sending.Wait()
	for _, p := range s.running() {
		_ = p.server.Close() // it serves this machine alone
	}
}
