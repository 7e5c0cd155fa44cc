// Command site serves HireSure's pages and API and runs its jobs.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"hiresure/cmd/site/commands"
	"hiresure/cmd/site/config"
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
	if err := commands.Run(ctx, os.Args[1:], config.Environ(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
