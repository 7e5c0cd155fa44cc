package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"hiresure/store"
)

var errResendUsage = errors.New("site resend takes nothing, or ID|all [--kind KIND]")

// resend lists what was refused for good where args is empty; else it makes due now the dead jobs of one ref, or all of
// them, of one kind or any. A running site does them within a second.
func resend(ctx context.Context, db *store.Store, args []string, now time.Time, out io.Writer) error {
	ref, kind := "", ""
	switch {
	case len(args) == 0:
		return listDead(ctx, db, out)
	case len(args) == 3 && args[1] == "--kind" && args[2] != "":
		kind = args[2]
	case len(args) != 1:
		return errResendUsage
	}
	if args[0] != "all" {
		if ref = args[0]; ref == "" || ref[0] == '-' {
			return errResendUsage
		}
	}
	n, err := db.ReviveJobs(ctx, kind, ref, now)
	if err != nil {
		return err
	}
	if n == 0 && ref != "" {
		return fmt.Errorf("nothing by the id %s was refused for good: site resend lists what was", ref)
	}
	_, err = fmt.Fprintf(out, "%d to be done again\n", n)
	return err
}

// listDead prints a line for each dead job: kind, ref, since when, after how many tries, and why.
func listDead(ctx context.Context, db *store.Store, out io.Writer) error {
	none := true
	for job, err := range db.DeadJobs(ctx, "") {
		if err != nil {
			return err
		}
		none = false
		why := "unknown"
		if n := len(job.Failures); n > 0 {
			why = job.Failures[n-1].Error
		}
		if _, err := fmt.Fprintf(out, "%s %s since %s, tries: %d, last: %q\n", job.Kind, job.Ref, job.DeadAt.Format(time.RFC3339), job.Attempts, why); err != nil {
			return err
		}
	}
	if none {
		_, err := fmt.Fprintln(out, "nothing was refused for good")
		return err
	}
	return nil
}
