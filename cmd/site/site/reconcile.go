package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment"
)

const (
	jobReconcile = "reconcile"
	reconcileAt  = 2*time.Hour + 30*time.Minute // in Asia/Kolkata, when few people pay
)

// reconcileDays is the period that each night compares: a bank may take that long.
const reconcileDays = 35

// reconcile compares the gateways' charges and refunds with ours. It writes differences to a file and raises one alert.
func (p *parts) reconcile(ctx context.Context) error {
	now := p.Clock()
	differences, err := p.Business.Payment.Reconcile(ctx, now.AddDate(0, 0, -reconcileDays), now)
	if len(differences) == 0 {
		return err
	}
	path := filepath.Join(p.Config.DataDir, "reconciliation", now.In(admission.IST).Format(time.DateOnly)+".tsv")
	p.Alerts.Alert("reconciliation: charges differ")
	p.Log.Error("reconciliation: charges differ", "differences", len(differences), "file", path)
	return errors.Join(err, writeDifferences(path, differences))
}

// PrintDifferences prints a tab-separated line for each difference.
func PrintDifferences(out io.Writer, differences []payment.Difference) error {
	for _, d := range differences {
		if _, err := fmt.Fprintf(out, "%s\t%s\t%s\n", d.Gateway, d.TxnID, d.What); err != nil {
			return err
		}
	}
	return nil
}

// writeDifferences replaces the file at path, readable by its owner only.
func writeDifferences(path string, differences []payment.Difference) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write differences: %w", err)
	}
	var lines bytes.Buffer
	if err := PrintDifferences(&lines, differences); err != nil {
		return err
	}
	if err := os.WriteFile(path, lines.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write differences: %w", err)
	}
	return nil
}
