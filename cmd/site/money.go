package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
	"hiresure/store"
)

// operator is who stands in a registration's timeline for what is ordered on the command line.
const operator = "operator"

// moneyCommands are the commands that need the whole site, such as its gateways or its papers, by name: each with its number
// of arguments.
var moneyCommands = map[string]struct {
	args int
	run  func(s *site, ctx context.Context, args []string, out io.Writer) error
}{
	"refund":    {1, (*site).orderRefund},
	"review":    {2, (*site).review},
	"reconcile": {1, (*site).reconcileDay},
	"print":     {anyNumber, (*site).printInvoices},
}

// operate runs a command on the whole site, which is built and does not serve. The schema must be there: a command for
// operators changes none.
func operate(ctx context.Context, name string, args []string, config *Config, log *slog.Logger, out io.Writer) error {
	if err := migrated(ctx, config, log); err != nil {
		return err
	}
	s, err := build(ctx, config, log, time.Now)
	if err != nil {
		return err
	}
	defer s.close(context.WithoutCancel(ctx))
	err = moneyCommands[name].run(s, ctx, args, out)
	if problem := admission.AsProblem(err); problem != nil {
		return errors.New(problem.Message)
	}
	return err
}

func migrated(ctx context.Context, config *Config, log *slog.Logger) error {
	s := &site{config: config}
	db, err := store.Open(ctx, store.Config{URL: config.DatabaseURL, Secret: s.key("store"), Pool: config.DatabasePool, Log: log})
	if err != nil {
		return err
	}
	return errors.Join(db.Migrated(ctx), db.Close())
}

// orderRefund has a running site send a payment back.
func (s *site) orderRefund(ctx context.Context, args []string, out io.Writer) error {
	err := s.business.Payment.OrderRefund(ctx, args[0], operator)
	if problem := admission.AsProblem(err); problem != nil && problem.Kind == admission.NotFound {
		return fmt.Errorf("there is no payment %s", args[0])
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "payment", args[0], "goes back")
	return err
}

// review ends the review of a payment in one of its three ways.
func (s *site) review(ctx context.Context, args []string, out io.Writer) error {
	txnID, exit := args[0], args[1]
	switch exit {
	case "refund":
		return s.orderRefund(ctx, args[:1], out)
	case "accept", "ask":
		judge := s.business.Payment.AcceptReview
		if exit == "ask" {
			judge = s.business.Payment.JudgeAgain
		}
		after, err := judge(ctx, txnID, operator)
		if err == nil {
			_, err = fmt.Fprintln(out, "payment", txnID, "is", after.State)
		}
		return err
	}
	return fmt.Errorf("review ends with accept, ask or refund, not with %q", exit)
}

// reconcileDay compares what moved at the gateways on a day with our books; each difference is a line.
func (s *site) reconcileDay(ctx context.Context, args []string, out io.Writer) error {
	day, err := time.ParseInLocation(time.DateOnly, args[0], admission.IST)
	if err != nil {
		return fmt.Errorf("a day is written as 2026-11-21, not %q", args[0])
	}
	differences, err := s.business.Payment.Reconcile(ctx, day, day.AddDate(0, 0, 1))
	err = errors.Join(err, printDifferences(out, differences))
	if err == nil && len(differences) > 0 {
		err = fmt.Errorf("%d differences", len(differences))
	}
	return err
}

// printDifferences writes a line a difference: gateway, payment and what differs, with tabs between.
func printDifferences(out io.Writer, differences []payment.Difference) error {
	for _, d := range differences {
		if _, err := fmt.Fprintf(out, "%s\t%s\t%s\n", d.Gateway, d.TxnID, d.What); err != nil {
			return err
		}
	}
	return nil
}

// writeDifferences replaces the file at path by what printDifferences prints; only the owner may read it.
func writeDifferences(path string, differences []payment.Difference) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write differences: %w", err)
	}
	var lines bytes.Buffer
	if err := printDifferences(&lines, differences); err != nil {
		return err
	}
	if err := os.WriteFile(path, lines.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write differences: %w", err)
	}
	return nil
}
