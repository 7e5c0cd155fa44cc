package commands

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/cmd/site/config"
	"hiresure/cmd/site/sitetest"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestRefundCommand(t *testing.T) {
	cfg, environ := sitetest.Development(t)
	db, err := store.Open(t.Context(), store.Config{URL: cfg.DatabaseURL, Secret: cfg.Key("store"), Migrate: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, admission.IST)
	for _, test := range []struct {
		state     payment.State
		said, err string
	}{
		{payment.RefundDue, "refund of payment refund_due is ordered: site payment refund_due shows whether the provider accepts it\n", ""},
		{payment.Review, "refund of payment review is ordered: site payment review shows whether the provider accepts it\n" +
			"  refund of ₹1,499.00 of 22 Nov 2026, 09:00 is failed: status 422, charge_disputed\n", ""},
		{payment.Paid, "", "payment paid is paid; only refund_due and review go back from here"},
		{payment.Pending, "", "payment pending is pending; only refund_due and review go back from here"},
		{payment.Refunded, "", "payment refunded is refunded; only refund_due and review go back from here"},
		{"", "", "there is no payment unknown"},
	} {
		id := string(test.state)
		if id == "" {
			id = "unknown"
		} else if err := db.Update(t.Context(), func(tx store.Tx) error {
			return errors.Join(
				tx.AddRegistration(&enrol.Registration{ID: "of " + id, EventCode: "E", Phone: id}),
				tx.AddTransaction(&payment.Transaction{ID: id, RegistrationID: "of " + id, State: test.state}),
				tx.SaveRefund(&payment.Refund{ID: "done " + id, TxnID: id, Amount: admission.INR(149900), State: method.RefundDone, CreatedAt: at}),
			)
		}); err != nil {
			t.Fatal(err)
		}
		if test.state == payment.Review {
			if err := db.Update(t.Context(), func(tx store.Tx) error {
				return tx.SaveRefund(&payment.Refund{ID: "failed", TxnID: id, Amount: admission.INR(149900), State: method.RefundFailed, Reason: payment.ReasonReview, FailureReason: "status 422, charge_disputed", CreatedAt: at})
			}); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		err := Run(t.Context(), []string{"refund", id, "--as", "Ravi Rao"}, environ, &out)
		if out.String() != test.said || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: said %q, %v; want %q, %s", id, out.String(), err, test.said, test.err)
		}
		due, err := db.ClaimJobs(t.Context(), []string{payment.JobRefund}, time.Now(), time.Minute, 10)
		if err != nil || (len(due) == 1 && due[0].Ref == id) != (test.err == "") || len(due) > 1 {
			t.Errorf("%s: jobs %+v, %v", id, due, err)
		}
		if test.err == "" {
			expectActor(t, environ, "operator Ravi Rao")
		}
	}
}

func TestOnlySomeCommandsMigrate(t *testing.T) {
	const old = "the database's schema is older than this program: run site migrate"
	_, environ := sitetest.Development(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, command := range []string{"verify", "refund x --as Ravi", "revoke x --as Ravi", "backup " + copied} {
		if err := perform(t, environ, command); err == nil || !strings.HasPrefix(err.Error(), "open store: open ") {
			t.Errorf("site %s without a database: %v", command, err)
		}
	}
	if err := perform(t, environ, "migrate"); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"verify", "backup " + copied, "seed"} {
		if err := perform(t, environ, command); err != nil {
			t.Errorf("site %s: %v", command, err)
		}
	}
	environ["DATABASE_URL"] = storetest.EmptyPostgres(t)
	for _, command := range []string{"verify", "refund x --as Ravi", "revoke x --as Ravi", "verify"} {
		if err := perform(t, environ, command); err == nil || err.Error() != old {
			t.Errorf("site %s on an empty database: %v, want %s", command, err, old)
		}
	}
}

// openBooks opens the database of a site whose commands run in environ.
func openBooks(t *testing.T, environ map[string]string) *store.Store {
	t.Helper()
	if err := perform(t, environ, "migrate"); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Read(environ)
	if err != nil {
		t.Fatal(err)
	}
	books, err := store.Open(t.Context(), store.Config{URL: cfg.DatabaseURL, Secret: cfg.Key("store")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { books.Close() })
	return books
}

func TestRevokeCommand(t *testing.T) {
	environ := map[string]string{"DATA_DIR": t.TempDir()}
	books := openBooks(t, environ)
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(tx.AddRegistration(&enrol.Registration{ID: "R1", EventCode: "E", Phone: "1"}),
			tx.AddLink(invoice.Link{TokenHash: "t", RegistrationID: "R1", ExpiresAt: time.Now().Add(time.Hour)}))
	}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"revoke", "R1", "--as", "Ravi"}, environ, &out); err != nil || out.String() != "links of registration R1 that no longer open: 1\n" {
		t.Errorf("said %q, %v", out.String(), err)
	}
	expectActor(t, environ, "operator Ravi")
	out.Reset()
	line := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30  operator Ravi \(shell\)  mailed links revoked  registration R1  1 open\n$`)
	if err := Run(t.Context(), []string{"log"}, environ, &out); err != nil || !line.MatchString(out.String()) {
		t.Errorf("the log is %q, %v", out.String(), err)
	}
	if err := perform(t, environ, "revoke R2 --as Ravi"); err == nil || err.Error() != "there is no registration R2" {
		t.Errorf("an unknown registration: %v", err)
	}
}

func TestPaymentCommand(t *testing.T) {
	environ := map[string]string{"DATA_DIR": t.TempDir()}
	books := openBooks(t, environ)
	const number = "mavb1v15nqxjadqg0fwq8fst9m"
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		return errors.Join(tx.AddRegistration(&enrol.Registration{ID: "R1", EventCode: "E", Phone: "1"}), tx.AddTransaction(&payment.Transaction{
			ID: number, RegistrationID: "R1", Gateway: "sandbox", Charge: admission.INR(149900), State: payment.Pending,
			CreatedAt: time.Date(2026, 11, 21, 12, 4, 0, 0, admission.IST), Payer: payment.Payer{Name: "Ananya Deshmukh", Phone: "9820041567"},
		}))
	}); err != nil {
		t.Fatal(err)
	}
	const want = "payment " + number + " is pending: ₹1,499.00 at sandbox, begun on 21 Nov 2026, 12:04, by Ananya Deshmukh for registration R1\n"
	for _, args := range [][]string{{"mavb", "1v15"}, {"MAVB lV15"}, {number}} {
		var out bytes.Buffer
		if err := Run(t.Context(), append([]string{"payment"}, args...), environ, &out); err != nil || out.String() != want {
			t.Errorf("%q: said %q, %v", args, out.String(), err)
		}
	}
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		part := payment.Refund{ID: "1", TxnID: number, Amount: admission.INR(14990), State: method.RefundDone, Reason: payment.ReasonAtProvider, CreatedAt: time.Date(2026, 11, 22, 9, 0, 0, 0, admission.IST)}
		second := payment.Refund{ID: "2", TxnID: number, PaymentID: "pay_2", Amount: admission.INR(149900), State: method.RefundBounced, Reason: payment.ReasonSecondCharge, CreatedAt: time.Date(2026, 11, 23, 9, 0, 0, 0, admission.IST)}
		failed := payment.Refund{ID: "3", TxnID: number, PaymentID: "pay_2", Amount: admission.INR(149900), State: method.RefundFailed, Reason: payment.ReasonSecondCharge, FailureReason: "status 422, charge_disputed", CreatedAt: time.Date(2026, 11, 24, 9, 0, 0, 0, admission.IST)}
		deleted := payment.Refund{ID: "4", TxnID: number, Amount: admission.INR(100), State: method.RefundDone, Reason: payment.ReasonPersonDeleted, CreatedAt: time.Date(2026, 11, 25, 9, 0, 0, 0, admission.IST)}
		before := payment.Refund{ID: "5", TxnID: number, Amount: admission.INR(200), State: method.RefundDone, Reason: "paid for who was deleted", CreatedAt: time.Date(2026, 11, 26, 9, 0, 0, 0, admission.IST)}
		return errors.Join(tx.SaveRefund(&part), tx.SaveRefund(&second), tx.SaveRefund(&failed), tx.SaveRefund(&deleted), tx.SaveRefund(&before))
	}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Run(t.Context(), []string{"payment", number}, environ, &out); err != nil || out.String() != want+
		"  refund of ₹149.90 is done: at the provider, of 22 Nov 2026, 09:00\n"+
		"  refund of ₹1,499.00 is bounced: second charge of one order, of 23 Nov 2026, 09:00, of the charge pay_2\n"+
		"    why: the provider gave none\n"+
		"  refund of ₹1,499.00 is failed: second charge of one order, of 24 Nov 2026, 09:00, of the charge pay_2\n"+
		"    why: status 422, charge_disputed\n"+
		"  refund of ₹1.00 is done: paid for a deleted registration, of 25 Nov 2026, 09:00\n"+
		"  refund of ₹2.00 is done: paid for a deleted registration, of 26 Nov 2026, 09:00\n" {
		t.Errorf("with refunds: said %q, %v", out.String(), err)
	}
	if err := perform(t, environ, "payment mavb"); err == nil || !strings.HasPrefix(err.Error(), "give the first 8 characters of the payment ID at least") {
		t.Errorf("one group: %v", err)
	}
}

// expectActor checks who caused the latest entry of the timelines.
func expectActor(t *testing.T, environ map[string]string, want string) {
	t.Helper()
	cfg, err := config.Read(environ)
	if err != nil {
		t.Fatal(err)
	}
	var who string
	if err := storetest.SQL(t, cfg.DatabaseURL, "query_only(1)").QueryRow("SELECT who FROM entries ORDER BY at DESC LIMIT 1").Scan(&who); err != nil || who != want {
		t.Errorf("by %q, %v; want %q", who, err, want)
	}
}

func perform(t *testing.T, environ map[string]string, line string) error {
	t.Helper()
	return Run(t.Context(), strings.Fields(line), environ, io.Discard)
}
