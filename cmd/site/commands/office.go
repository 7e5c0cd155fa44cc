package commands

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/office"
	"hiresure/admission/payment"
	"hiresure/cmd/site/site"
)

func verifyCommand(ctx context.Context, o *office.Service, c call) error {
	n := 0
	if err := o.Verify(ctx, func(difference string) {
		n++
		fmt.Fprintln(c.out, difference)
	}); err != nil {
		return err
	}
	return differ(n)
}

// differ returns an error if there are n > 0 differences.
func differ(n int) error {
	switch n {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("1 difference")
	}
	return fmt.Errorf("%d differences", n)
}

// paymentCommand prints a payment, with the payer's name for support to check, and its refunds.
func paymentCommand(ctx context.Context, o *office.Service, c call) error {
	t, refunds, err := o.FindPayment(ctx, strings.Join(c.args, " "))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "payment %s is %s: %s at %s, begun on %s, by %s for registration %s\n",
		t.ID, t.State, t.Charge, t.Gateway, admission.Moment(t.CreatedAt), t.Payer.Name, t.RegistrationID)
	if t.State == payment.Review {
		fmt.Fprintf(&b, "  %s\n", t.IfAccepted())
	}
	for _, refund := range refunds {
		fmt.Fprintf(&b, "  refund of %s is %s: %s, of %s", refund.Amount, refund.State, refund.Reason.Words(), admission.Moment(refund.CreatedAt))
		if refund.PaymentID != t.PaymentID { // a second charge's
			b.WriteString(", of the charge " + refund.PaymentID)
		}
		b.WriteByte('\n')
		if refund.Failed() {
			b.WriteString("    why: " + refund.FailureWords() + "\n")
		}
	}
	_, err = io.WriteString(c.out, b.String())
	return err
}

func refundCommand(ctx context.Context, o *office.Service, c call) error {
	failed, err := o.Refund(ctx, c.args[0], c.actor)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "refund of payment %s is ordered: site payment %[1]s shows whether the provider accepts it\n", c.args[0])
	for _, refund := range failed {
		fmt.Fprintf(&b, "  refund of %s of %s is %s: %s\n", refund.Amount, admission.Moment(refund.CreatedAt), refund.State, refund.FailureWords())
	}
	_, err = io.WriteString(c.out, b.String())
	return err
}

func reviewCommand(ctx context.Context, o *office.Service, c call) error {
	txnID, decision := c.args[0], office.Decision(c.args[1])
	if decision == office.SendBack {
		return refundCommand(ctx, o, c)
	}
	state, err := o.Decide(ctx, txnID, decision, c.actor)
	if err == nil {
		_, err = fmt.Fprintln(c.out, "payment", txnID, "is", state)
	}
	return err
}

func reconcileCommand(ctx context.Context, o *office.Service, c call) error {
	day, err := parseDay(c.args[0])
	if err != nil {
		return err
	}
	differences, err := o.Reconcile(ctx, day)
	if printErr := site.PrintDifferences(c.out, differences); err == nil {
		err = printErr
	}
	if err == nil {
		err = differ(len(differences))
	}
	return err
}

// parseDay returns the midnight of a day in Asia/Kolkata.
func parseDay(text string) (time.Time, error) {
	day, err := time.ParseInLocation(time.DateOnly, text, admission.IST)
	if err != nil {
		return day, fmt.Errorf("a day is written as 2026-11-21, not %q", text)
	}
	return day, nil
}

func revokeCommand(ctx context.Context, o *office.Service, c call) error {
	n, err := o.RevokeLinks(ctx, c.args[0], c.actor)
	if err == nil {
		_, err = fmt.Fprintf(c.out, "links of registration %s that no longer open: %d\n", c.args[0], n)
	}
	return err
}

// resendCommand lists the failed jobs, or retries those of a ref or all, optionally of one kind.
func resendCommand(ctx context.Context, o *office.Service, c call) error {
	if len(c.args) == 0 {
		return listFailedJobs(ctx, o, c.out)
	}
	if !c.sign() {
		return errArguments
	}
	ref, kind := "", ""
	switch args := c.args; {
	case len(args) == 3 && args[1] == "--kind" && args[2] != "":
		kind = args[2]
	case len(args) != 1:
		return errArguments
	}
	if c.args[0] == "" || c.args[0][0] == '-' {
		return errArguments
	}
	if c.args[0] != "all" {
		ref = c.args[0]
	}
	n, err := o.Retry(ctx, kind, ref, c.actor)
	if err == nil {
		_, err = fmt.Fprintf(c.out, "%d to be done again\n", n)
	}
	return err
}

// listFailedJobs prints a line for each failed job.
func listFailedJobs(ctx context.Context, o *office.Service, out io.Writer) error {
	none := true
	for job, err := range o.FailedJobs(ctx) {
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
		_, err := fmt.Fprintln(out, "no job has failed")
		return err
	}
	return nil
}

// logCommand prints a line for each row of the log of staff.
func logCommand(ctx context.Context, o *office.Service, c call) error {
	for act, err := range o.Books.Acts(ctx) {
		if err != nil {
			return err
		}
		change := act.Was
		if act.Is != "" {
			change += " to " + act.Is
		}
		if _, err := fmt.Fprintf(c.out, "%s  %s (%s)  %s  %s  %s\n", act.At.In(admission.IST).Format(time.RFC3339), act.Who, act.From, act.What, act.Whom, change); err != nil {
			return err
		}
	}
	return nil
}
