// Package commands contains the commands of the program site.
package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/demo"
	"hiresure/cmd/site/site"
	"hiresure/cmd/site/telemetry"
	"hiresure/content"
	"hiresure/inspect"
	"hiresure/store"
)

// shellCommand is a subcommand of site and a line of its help.
type shellCommand struct {
	name      string
	also      []string // other names
	arguments string   // as the help shows them; run parses those with "[", "--" or "..."
	help      string   // what it does, in one line
	run       func(ctx context.Context, c call) error
}

// commands returns every command, in the order of the help.
func commands() []shellCommand {
	return []shellCommand{
		{name: "serve", arguments: "[" + demoFlag + "]", run: configured(serveCommand), help: "serve pages and API and run jobs until SIGTERM; the default. --demo fills an empty development database with invented people first"},
		{name: "migrate", run: onDatabase(migrateSchema, migrateCommand), help: "migrate the database to this program's schema"},
		{name: "seed", run: onDatabase(migrateSchema, seedCommand), help: "add the content's coupons and referral codes that are missing; migrates the database first"},
		{name: "backup", arguments: "FILE", run: onDatabase(anySchema, backupCommand), help: "copy a SQLite database into a new file, while a site uses it (PostgreSQL: pg_dump)"},
		{name: "restore", arguments: "FILE", run: configured(restoreCommand),
			help: "replace the SQLite database by a backup, while no site runs; keeps the old one as *.before-restore-… (PostgreSQL: pg_restore)"},
		{name: "verify", run: onOffice(verifyCommand), help: "compare payments, invoices and coupons with each other, and files with the storage; prints each difference"},
		{name: "keys", arguments: "rotate", run: onDatabase(currentSchema, keysCommand), help: "wrap the keys of all files with the first of STORAGE_KEYS, while a site runs"},
		{name: "payment", arguments: "TXN...", run: onOffice(paymentCommand), help: "show a payment and its refunds; the first 8 characters of TXN are enough, as the payer reads them out"},
		{name: "refund", arguments: "TXN --as NAME", run: onOffice(refundCommand),
			help: "refund a payment in refund_due or review, or a second charge whose refund failed; a running site sends it within seconds"},
		{name: "review", arguments: "TXN accept|ask|refund --as NAME", run: onOffice(reviewCommand), help: "end a payment's review: accept it as paid, ask its provider again, or refund it"},
		{name: "reconcile", arguments: "DAY", run: onOffice(reconcileCommand), help: "compare what the gateways charged and refunded on a day, 2026-11-21, with our books; prints each difference"},
		{name: "print", arguments: "--event E --from DAY --to DAY FILE.pdf", run: onOffice(printCommand),
			help: "merge an event's invoices of a period into one file, in the order of their numbers; run it again if it was interrupted"},
		{name: "revoke", arguments: "ID --as NAME", run: onOffice(revokeCommand), help: "revoke the mailed links of a registration to its receipt and invoice"},
		{name: "resend", arguments: "[ID|all [--kind KIND] --as NAME]", run: onOffice(resendCommand),
			help: "list the jobs that failed for good, such as a mail to an unknown address; with ID or all, retry them"},
		{name: "staff", arguments: "list|add|reset|end [EMAIL] [--name NAME --role ROLE,...] [--as NAME]", run: onSite(staffCommand),
			help: "invite a colleague or reset a lost sign-in, which print a link for one hour; end an account; list them all"},
		{name: "log", run: onOffice(logCommand), help: "print what staff did, oldest first: when, who, from where, what, to whom, the value before and after"},
		{name: "inspect", arguments: "[...]", run: inspectCommand, help: "inspect one uploaded file; only a running site calls it, in a process of its own"},
		{name: "--help", also: []string{"-h", "help"}, run: helpCommand, help: "show this help"},
	}
}

// Run runs the command that args name, serve by default.
func Run(ctx context.Context, args []string, environ map[string]string, out io.Writer) error {
	if len(args) == 0 || args[0] == demoFlag {
		args = append([]string{"serve"}, args...)
	}
	all := commands()
	i := slices.IndexFunc(all, func(c shellCommand) bool { return c.name == args[0] || slices.Contains(c.also, args[0]) })
	if i < 0 {
		return fmt.Errorf("there is no command %q\n\n%s", args[0], usage())
	}
	return all[i].call(ctx, call{args: args[1:], environ: environ, out: out})
}

// variableArguments matches argument lists of variable length, which the command parses itself.
var variableArguments = regexp.MustCompile(`\[|--|\.\.\.`)

// signature ends the arguments of a command whose actor is stored with what it changes; see call.sign.
const signature = " --as NAME"

func (s shellCommand) call(ctx context.Context, c call) error {
	arguments, signed := strings.CutSuffix(s.arguments, signature)
	if signed && !c.sign() {
		return s.wrongArguments()
	}
	if !variableArguments.MatchString(arguments) && len(c.args) != len(strings.Fields(arguments)) {
		return s.wrongArguments()
	}
	err := s.run(ctx, c)
	if errors.Is(err, errArguments) {
		return s.wrongArguments()
	}
	return err
}

func (s shellCommand) wrongArguments() error {
	if s.arguments == "" {
		return fmt.Errorf("site %s takes no arguments", s.name)
	}
	return fmt.Errorf("site %s takes %s", s.name, s.arguments)
}

// usage returns the text of site --help.
func usage() string {
	const column = 24 // where the help begins
	var b strings.Builder
	b.WriteString("site serves HireSure.\n\n")
	for _, c := range commands() {
		line := "  " + strings.TrimSpace("site "+c.name+" "+c.arguments)
		if len(line) >= column {
			line += "\n" + strings.Repeat(" ", column)
		}
		fmt.Fprintf(&b, "%-*s%s\n", column, line, c.help)
	}
	b.WriteString("\nThe environment configures everything else: see docs/configuration.md.\n")
	return b.String()
}

func helpCommand(_ context.Context, c call) error {
	_, err := io.WriteString(c.out, usage())
	return err
}

// inspectCommand ends the process: the parent site reads its exit code.
func inspectCommand(_ context.Context, c call) error {
	os.Exit(inspect.Child(os.Stdin, os.Stdout, c.args))
	return nil
}

// configured wraps a command that needs the configuration and the log.
func configured(run func(ctx context.Context, cfg *config.Config, log *slog.Logger, c call) error) func(context.Context, call) error {
	return func(ctx context.Context, c call) error {
		cfg, err := config.Read(c.environ)
		if err != nil {
			return err
		}
		log, flush := telemetry.NewLog(telemetry.IsTerminal(os.Stderr), os.Stderr)
		defer flush()
		slog.SetDefault(log)
		return run(ctx, cfg, log, c)
	}
}

// schema is how a command treats the schema of the database.
type schema int

const (
	anySchema     schema = iota // accepts any
	currentSchema               // rejects all but the program's
	migrateSchema               // migrates
)

// onDatabase wraps a command that needs only the database.
func onDatabase(want schema, run func(ctx context.Context, db *store.Store, cfg *config.Config, c call) error) func(context.Context, call) error {
	return configured(func(ctx context.Context, cfg *config.Config, log *slog.Logger, c call) (err error) {
		db, err := openStore(ctx, cfg, log, want)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		return run(ctx, db, cfg, c)
	})
}

func openStore(ctx context.Context, cfg *config.Config, log *slog.Logger, want schema) (*store.Store, error) {
	db, err := store.Open(ctx, store.Config{URL: cfg.DatabaseURL, Secret: cfg.Key("store"), Pool: cfg.DatabasePool, Log: log, Migrate: want == migrateSchema})
	if err != nil || want != currentSchema {
		return db, err
	}
	if err := db.Migrated(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// onSite wraps a command that needs the whole site, without serving. It rejects a database of another schema, and returns a Problem as
// its message.
func onSite(run func(ctx context.Context, s *site.Site, c call) error) func(context.Context, call) error {
	return configured(func(ctx context.Context, cfg *config.Config, log *slog.Logger, c call) error {
		db, err := openStore(ctx, cfg, log, currentSchema)
		if err != nil {
			return err
		}
		if err := db.Close(); err != nil {
			return err
		}
		s, err := site.Build(ctx, site.Options{Config: cfg, Log: log})
		if err != nil {
			return err
		}
		defer s.Close(context.WithoutCancel(ctx))
		err = run(ctx, s, c)
		if problem := admission.AsProblem(err); problem != nil {
			return errors.New(problem.Message)
		}
		return err
	})
}

// onOffice wraps a command of the office.
func onOffice(run func(ctx context.Context, o *office.Service, c call) error) func(context.Context, call) error {
	return onSite(func(ctx context.Context, s *site.Site, c call) error { return run(ctx, s.Office, c) })
}

// demoFlag is the argument of site serve.
const demoFlag = "--demo"

func serveCommand(ctx context.Context, cfg *config.Config, log *slog.Logger, c call) error {
	switch {
	case len(c.args) == 1 && c.args[0] == demoFlag:
		if err := demo.Fill(ctx, cfg, time.Now(), c.out); err != nil {
			return err
		}
	case len(c.args) > 0:
		return errArguments
	}
	return site.Run(ctx, cfg, log, c.out)
}

// migrateCommand does nothing: opening the database has migrated it.
func migrateCommand(context.Context, *store.Store, *config.Config, call) error { return nil }

func seedCommand(ctx context.Context, db *store.Store, _ *config.Config, _ call) error {
	words, err := content.Load()
	if err != nil {
		return err
	}
	return site.Seed(ctx, db, words)
}

func backupCommand(ctx context.Context, db *store.Store, _ *config.Config, c call) error {
	return db.Backup(ctx, c.args[0])
}

func restoreCommand(ctx context.Context, cfg *config.Config, _ *slog.Logger, c call) error {
	backup := c.args[0]
	kept, err := store.Restore(ctx, cfg.DatabaseURL, backup, time.Now())
	if err != nil {
		return err
	}
	if kept != "" {
		fmt.Fprintf(c.out, "the old database is kept as %s\n", kept)
	}
	_, err = fmt.Fprintf(c.out, "%s is restored: start the site, then run site verify\n", backup)
	return err
}
