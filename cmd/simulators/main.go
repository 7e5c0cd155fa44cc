// Command simulators simulates the payment providers for developers: it runs a site that uses them, offline, and sends the site
// their webhooks.
//
//	simulators bin/site [ARGUMENT]...
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"hiresure/simulators"
)

// testBank is the gateway of the site itself that needs no provider.
const testBank = "sandbox"

func main() {
	log.SetFlags(0)
	log.SetPrefix("simulators: ")
	environ := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		environ[name] = value
	}
	if len(os.Args) < 2 {
		log.Fatal("name the site's program and its arguments: simulators bin/site")
	}
	s, err := start(context.Background(), environ, simulators.Providers)
	if err == nil {
		err = s.runSite(exec.Command(os.Args[1], os.Args[2:]...), environ, os.Stdout)
		s.close()
	}
	if exit, exited := errors.AsType[*exec.ExitError](err); exited {
		os.Exit(exit.ExitCode()) // the site has said why
	}
	if err != nil {
		log.Fatal(err)
	}
}

// simulation is the providers, each on a free port of the loopback address.
type simulation struct {
	providers []provider
	retries   []time.Duration // waits before a webhook is sent again; after the last it is dropped
	every     time.Duration   // how often new webhooks are looked for
	sending   sync.WaitGroup
	stop      context.CancelFunc // of what is being sent
}

type provider struct {
	name, url string
	account   simulators.Account
	server    *http.Server
}

// start starts the providers that environ doesn't configure, and adds the variables that make a site use them.
func start(ctx context.Context, environ map[string]string, providers []simulators.Provider) (*simulation, error) {
	if environ["APP_ENV"] == "production" {
		return nil, errors.New("simulators are refused in production: whoever pays there is enrolled, and nobody has the money")
	}
	s := &simulation{retries: []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}, every: 200 * time.Millisecond}
	var offered []string
	for _, p := range providers {
		offered = append(offered, p.Name)
		if err := s.add(ctx, p, environ); err != nil {
			s.close()
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if environ["GATEWAYS"] == "" {
		environ["GATEWAYS"] = strings.Join(append(offered, testBank), ",")
	}
	return s, nil
}

// add opens and serves one account, unless environ configures the provider.
func (s *simulation) add(ctx context.Context, from simulators.Provider, environ map[string]string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p := provider{name: from.Name, url: "http://" + listener.Addr().String()}
	var variables map[string]string
	p.account, variables = from.Open(p.url, nil)
	for name := range variables {
		if environ[name] != "" {
			return listener.Close()
		}
	}
	for name, value := range variables {
		environ[name] = value
	}
	p.server = &http.Server{Handler: p.account, ReadHeaderTimeout: 5 * time.Second}
	s.providers = append(s.providers, p)
	go func() { _ = p.server.Serve(listener) }() // until close
	return nil
}

// runSite runs the site until it ends, and copies its output to out. SIGTERM is forwarded; an interrupt from the terminal reaches
// the site by itself.
func (s *simulation) runSite(site *exec.Cmd, environ map[string]string, out io.Writer) error {
	for name, value := range environ {
		site.Env = append(site.Env, name+"="+value)
	}
	site.Stderr = os.Stderr
	output, err := site.StdoutPipe()
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := site.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case received := <-signals:
				if received == syscall.SIGTERM {
					_ = site.Process.Signal(received) // it may have ended
				}
			case <-ended:
				return
			}
		}
	}()
	for lines := bufio.NewScanner(output); lines.Scan(); {
		fmt.Fprintln(out, lines.Text())
		if words := strings.Fields(lines.Text()); len(words) == 2 && words[0] == "HireSure" {
			for _, p := range s.providers {
				fmt.Fprintf(out, "  Simulator   %s   (%s)\n", p.url, p.name)
			}
			s.deliver(words[1])
		}
	}
	return site.Wait()
}

// deliver sends the webhooks of all accounts to a site until close, each until the site has acknowledged it.
func (s *simulation) deliver(siteURL string) {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	for _, p := range s.providers {
		s.sending.Go(func() {
			address := siteURL + "/payments/webhook/" + p.name
			ticks := time.NewTicker(s.every)
			defer ticks.Stop()
			for seen := 0; ; {
				events := p.account.Events()
				for _, e := range events[seen:] {
					s.sending.Go(func() { s.send(ctx, address, e) })
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

// send sends one webhook.
func (s *simulation) send(ctx context.Context, address string, e simulators.Event) {
	for tried := 0; ; tried++ {
		err := post(ctx, address, e)
		if err == nil || ctx.Err() != nil {
			return
		}
		if tried == len(s.retries) {
			log.Printf("the webhook to %s is dropped: %v", address, err)
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

// close ends the providers. What they know is gone.
func (s *simulation) close() {
	if s.stop != nil {
		s.stop()
	}
	s.sending.Wait()
	for _, p := range s.providers {
		_ = p.server.Close() // it serves this machine alone
	}
}
