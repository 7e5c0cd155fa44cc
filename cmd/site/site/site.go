// Package site builds every part of the site from a Config and serves it.
package site

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"hiresure/cmd/site/config"
	"hiresure/cmd/site/server"
	"hiresure/cmd/site/telemetry"
	"hiresure/forms"
	"hiresure/jobs"
	"hiresure/pages/dev"
	"hiresure/web"
)

// Site is the whole program.
type Site struct {
	parts
	Workers []*jobs.Worker
	Handler http.Handler
	Server  *server.Server
}

// Run serves until ctx ends. It prints the addresses of the site to out.
func Run(ctx context.Context, c *config.Config, log *slog.Logger, out io.Writer) error {
	listener, err := c.TakePort(ctx)
	if err != nil {
		return err
	}
	if listener != nil {
		defer listener.Close() // if Build fails
	}
	s, err := Build(ctx, Options{Config: c, Log: log})
	if err != nil {
		return err
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), server.CloseTimeout)
		defer cancel()
		s.Close(ending)
	}()
	return s.Server.Serve(ctx, listener, func(addresses []net.Addr) {
		fmt.Fprintf(out, "\n  HireSure    %s\n", c.BaseURL)
		if !c.Production() {
			fmt.Fprintf(out, "  Outbox      %s/dev/outbox   (codes and mails arrive here)\n", c.BaseURL)
			if sandboxProvider(s.Business.Payment.Gateways, s.Clock) != nil {
				fmt.Fprintf(out, "  Payments    %s%s   (of the sandbox: refunds, second charges and disputes, at the press of a button)\n", c.BaseURL, dev.PaymentsPath)
			}
			fmt.Fprintf(out, "  Components  %s/dev/components\n  Staff area  %s%s   (one press per role)\n", c.BaseURL, c.BaseURL, web.StaffSignInPath)
		}
		fmt.Fprintln(out)
		go newWatcher(&s.parts).run(ctx)
		if s.Papers != nil {
			context.AfterFunc(ctx, s.Papers.drain)
			go s.Papers.checkScripts(ctx)
		}
		log.Info("serving", "addr", addresses[0].String(), "env", c.AppEnv, "version", telemetry.Version())
	})
}

// Options contains what Build needs.
type Options struct {
	Config *config.Config
	Log    *slog.Logger
	Clock  func() time.Time // nil: time.Now
	Forms  *forms.Set       // nil: the embedded forms
}

// Build opens and connects every part without serving. The caller must close the site.
func Build(ctx context.Context, o Options) (_ *Site, err error) {
	c := o.Config
	s := &Site{parts: parts{Config: c, Forms: o.Forms, Log: o.Log, Clock: o.Clock}}
	if s.Clock == nil {
		s.Clock = time.Now
	}
	defer func() {
		if err != nil {
			s.Close(context.WithoutCancel(ctx))
		}
	}()
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	s.Store.Wake(s.wake)
	if s.Workers, err = s.openWorkers(ctx); err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.onClose(func(context.Context) { stop() })
	if s.Handler, err = s.openRoutes(running, func() bool { return s.Server.Draining() }); err != nil {
		return nil, err
	}
	s.Server = server.New(server.Config{
		Addr: c.Addr, Handler: s.Handler, MetricsAddr: c.MetricsAddr, Metrics: s.Metrics.Handler(c.MetricsToken), Workers: s.Workers,
		Notice: c.Production() || c.DrainNotice, Log: o.Log,
	})
	return s, nil
}

func (s *Site) wake(kind string) {
	for _, worker := range s.Workers {
		worker.Wake(kind)
	}
}

// Close closes what Build has opened, last first.
func (s *Site) Close(ctx context.Context) { s.close(ctx) }
