package site_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/payment/method"
	"hiresure/cmd/site/sitetest"
	"hiresure/integrations/payment/sandbox"
)

func TestReconciliationAlert(t *testing.T) {
	s := sitetest.New(t, nil)
	var log bytes.Buffer
	s.Log = slog.New(slog.NewTextHandler(&log, nil))
	tomorrow := time.Now().AddDate(0, 0, 1)
	s.Clock = func() time.Time { return tomorrow }
	path := filepath.Join(s.Config.DataDir, "reconciliation", tomorrow.In(admission.IST).Format(time.DateOnly)+".tsv")
	if err := s.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil || log.Len() > 0 {
		t.Errorf("books without a difference: a file, or %s", &log)
	}

	entry, _ := s.Business.Payment.Gateways.Find("sandbox")
	bank := entry.Gateway.(*sandbox.Gateway)
	want := map[string]bool{}
	for range 30 {
		id := admission.NewID()
		if _, err := bank.Start(t.Context(), method.Intent{TxnID: id, Amount: admission.INR(1499_00)}); err != nil {
			t.Fatal(err)
		}
		if _, err := bank.Complete(t.Context(), method.Intent{TxnID: id, Wanted: true}, "", method.Return{Form: bank.Press(id, sandbox.Paid)}); err != nil {
			t.Fatal(err)
		}
		want["sandbox\t"+id+"\tcharged, but not in our books"] = true
	}
	if err := s.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 1 || !strings.Contains(lines[0], `msg="reconciliation: charges differ" differences=30 file=`+path) {
		t.Errorf("log %q", lines)
	}
	mustMatch(t, scrape(s.Metrics), `alerts_open\{what="reconciliation: charges differ"\} 1`)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if !want[line] {
			t.Errorf("file line %q", line)
		}
		delete(want, line)
	}
	if len(want) > 0 {
		t.Errorf("the file lacks %v", want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}

	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil { // a file instead of the folder
		t.Fatal(err)
	}
	if err := s.Reconcile(t.Context()); err == nil || !strings.Contains(fmt.Sprint(err), "write differences") {
		t.Errorf("a file that cannot be written: %v", err)
	}
}
