// Command site is HireSure: it serves the pages and the API, and does the jobs.
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

	"hiresure/content"
	"hiresure/inspect"
	"hiresure/pages/dev"
	"hiresure/store"
)

const usage = `site serves HireSure.

  site [serve]          pages, API and jobs, until SIGTERM; what has begun is finished
  site migrate          bring the database's schema up to date
  site seed             write the coupons and referral codes of the content that are not there yet; an absent or older
                        database is migrated first
  site backup FILE      copy a SQLite database into a new file, while it is in use (PostgreSQL: pg_dump)
  site restore FILE     put a backup in the place of the SQLite database, while no site runs; it is checked first, and
                        what stood there is kept beside as *.before-restore-… (PostgreSQL: pg_restore)
  site verify           compare payments, invoices and coupons with each other, and documents with the storage; each difference is a line
  site keys rotate      wrap the keys of all documents under the first of STORAGE_KEYS, while a site runs
  site payment NUMBER   tell how a payment stands, whose number begins so: what its payer reads out on the phone, two groups at least
  site refund TXN       send back a payment in refund_due or review, or a second charge whose refund failed; a running site does it within seconds
  site review TXN EXIT  end a payment's review: accept (it is paid), ask (its provider, once more) or refund
  site reconcile DAY    compare what moved at the gateways on a day, 2026-11-21, with our books; each difference is a line
  site print --event E --from DAY --to DAY FILE.pdf
                        merge an event's invoices of a period into one file, in the order of their serials; broken off, run it again
  site revoke ID        end the mailed links of a registration to its receipt and invoice
  site resend           list what was refused for good, a mail to an unknown address for example: kind, id, since when, why
  site resend ID|all [--kind KIND]
                        have it done again; a running site does it within seconds
  site inspect          looks at one uploaded file in a process of its own; a running site starts it, nobody else needs to
  site --help           this

Everything else is decided by the environment: see README.md.
`

func main() {
	if len(os.Args) > 1 && os.Args[1] == "inspect" { // before anything of the site: it is started for each file, and is given nothing
		os.Exit(inspect.Child(os.Stdin, os.Stdout, os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends at once
	// What lives is a few megabytes, which by default would be gone through for every few megabytes that are used. Up to the
	// limit memory is used instead of time: a landing page costs 8 per cent less.
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

const anyNumber = -1 // of arguments: the command itself says what it takes

// commands are those that need no whole site, by name: each with its number of arguments. The others are moneyCommands, and
// inspect, of which main takes care.
var commands = map[string]int{"serve": 0, "migrate": 0, "seed": 0, "backup": 1, "restore": 1, "verify": 0, "keys": 1, "payment": anyNumber, "revoke": 1, "resend": anyNumber, "--help": 0, "-h": 0, "help": 0}

func command(ctx context.Context, args []string, environ map[string]string, out io.Writer) error {
	name := "serve"
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	n, known := commands[name]
	if money, isMoney := moneyCommands[name]; isMoney {
		n, known = money.args, true
	}
	if !known || len(args) != n && n != anyNumber {
		return fmt.Errorf("that is no command\n\n%s", usage)
	}
	switch name {
	case "--help", "-h", "help":
		_, err := io.WriteString(out, usage)
		return err
	}
	config, err := readConfig(environ)
	if err != nil {
		return err
	}
	log, flush := newLog(isTerminal(os.Stderr), os.Stderr)
	defer flush()
	slog.SetDefault(log)
	switch name {
	case "serve":
		return run(ctx, config, log, out)
	case "restore":
		return restore(ctx, config.DatabaseURL, args[0], time.Now(), out)
	}
	if _, isMoney := moneyCommands[name]; isMoney {
		return operate(ctx, name, args, config, log, out)
	}
	return maintain(ctx, name, args, config, log, out)
}

// run serves until ctx ends. It is what tests start.
func run(ctx context.Context, config *Config, log *slog.Logger, out io.Writer) error {
	if err := config.takePort(ctx); err != nil {
		return err
	}
	if config.listener != nil {
		defer config.listener.Close() // where the site is not built
	}
	s, err := build(ctx, config, log, time.Now)
	if err != nil {
		return err
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
		defer cancel()
		s.close(ending)
	}()
	return s.serve(ctx, func(addresses []net.Addr) {
		fmt.Fprintf(out, "\n  HireSure    %s\n", config.BaseURL)
		if !config.Production() {
			fmt.Fprintf(out, "  Outbox      %s/dev/outbox   (codes and mails arrive here)\n", config.BaseURL)
			if s.playedProvider() != nil {
				fmt.Fprintf(out, "  Payments    %s%s   (of the sandbox: refunds, second charges and disputes, at the press of a button)\n", config.BaseURL, dev.PaymentsPath)
			}
			fmt.Fprintf(out, "  Components  %s/dev/components\n  Staff area  %s/admin   (not built yet)\n", config.BaseURL, config.BaseURL)
		}
		fmt.Fprintln(out)
		log.Info("serving", "addr", addresses[0].String(), "env", config.AppEnv, "version", version())
	})
}

// maintain runs the commands that work on the database alone.
func maintain(ctx context.Context, name string, args []string, config *Config, log *slog.Logger, out io.Writer) error {
	s := &site{config: config}
	db, err := store.Open(ctx, store.Config{URL: config.DatabaseURL, Secret: s.key("store"), Pool: config.DatabasePool, Log: log, Migrate: name == "migrate" || name == "seed"})
	if err != nil {
		return err
	}
	defer db.Close()
	if name == "verify" || name == "keys" || name == "payment" || name == "revoke" || name == "resend" { // a backup is of what is there
		if err := db.Migrated(ctx); err != nil {
			return err
		}
	}
	switch name {
	case "seed":
		words, err := content.Load()
		if err != nil {
			return err
		}
		return seed(ctx, db, words, time.Now())
	case "backup":
		return db.Backup(ctx, args[0])
	case "payment":
		return tellPayment(ctx, db, strings.Join(args, " "), out)
	case "revoke":
		n, err := db.RevokeLinks(ctx, args[0], time.Now())
		if err == nil {
			_, err = fmt.Fprintf(out, "links of registration %s that no longer open: %d\n", args[0], n)
		}
		return err
	case "resend":
		return resend(ctx, db, args, time.Now(), out)
	case "keys":
		return keys(ctx, config, db, args[0], out)
	case "verify":
		return verify(ctx, config, db, out)
	}
	return nil // migrate: Open has done it
}

func restore(ctx context.Context, database, backup string, now time.Time, out io.Writer) error {
	kept, err := store.Restore(ctx, database, backup, now)
	if err != nil {
		return err
	}
	if kept != "" {
		fmt.Fprintf(out, "what stood there is kept as %s\n", kept)
	}
	_, err = fmt.Fprintf(out, "%s is restored: start the site, then compare with site verify\n", backup)
	return err
}
