// Command site serves HireSure's pages and API and runs its jobs.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"hiresure/pages/dev"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends at once
	// The live heap is a few megabytes, so that the default would collect garbage after every few megabytes. Using memory up
	// to the limit instead makes a landing page 8 per cent cheaper.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(44 << 20)
	}
	if err := command(ctx, os.Args[1:], environment(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func environment() map[string]string {
	variables := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		variables[name] = value
	}
	return variables
}

// run serves until ctx ends.
func run(ctx context.Context, config *Config, log *slog.Logger, out io.Writer) error {
	if err := config.takePort(ctx); err != nil {
		return err
	}
	if config.listener != nil {
		defer config.listener.Close() // if build fails
	}
	s, err := build(ctx, config, log, time.Now)
	if err != nil {
		return err
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		s.close(ending)
	}()
	return s.serve(ctx, func(addresses []net.Addr) {
		fmt.Fprintf(out, "\n  HireSure    %s\n", config.BaseURL)
		if !config.Production() {
			fmt.Fprintf(out, "  Outbox      %s/dev/outbox   (codes and mails arrive here)\n", config.BaseURL)
			if s.sandboxProvider() != nil {
				fmt.Fprintf(out, "  Payments    %s%s   (of the sandbox: refunds, second charges and disputes, at the press of a button)\n", config.BaseURL, dev.PaymentsPath)
			}
			fmt.Fprintf(out, "  Components  %s/dev/components\n  Staff area  %s/admin   (not built yet)\n", config.BaseURL, config.BaseURL)
		}
		fmt.Fprintln(out)
		log.Info("serving", "addr", addresses[0].String(), "env", config.AppEnv, "version", version())
	})
}
