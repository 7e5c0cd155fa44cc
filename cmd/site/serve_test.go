package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiresure/admission"
	"hiresure/admission/enrol"
	"hiresure/admission/invoice"
	"hiresure/admission/payment"
	"hiresure/admission/payment/method"
	"hiresure/inspect"
	"hiresure/jobs"
	"hiresure/static"
	"hiresure/store"
	"hiresure/store/storetest"
)

// TestMain runs the test binary as the site's child process for inspections, or as the printing process that a test kills.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "inspect" {
		os.Exit(inspect.Child(os.Stdin, os.Stdout, os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "print" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// development returns a configuration with a new folder and any free port.
func development(t *testing.T, changes ...string) (*Config, map[string]string) {
	t.Helper()
	environ := map[string]string{"DATA_DIR": t.TempDir(), "ADDR": "127.0.0.1:0", "CAPTCHA": "off", "CHROME_URL": "off"}
	for i := 0; i+1 < len(changes); i += 2 {
		environ[changes[i]] = changes[i+1]
	}
	config, err := readConfig(environ)
	if err != nil {
		t.Fatal(err)
	}
	return config, environ
}

func TestRequestsAndJobsEndTogether(t *testing.T) {
	config, _ := development(t)
	books := storetest.Open(t, storetest.SQLite(t))
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		return tx.AddJob(admission.Job{Kind: "slow", Ref: "1", DueAt: time.Now()})
	}); err != nil {
		t.Fatal(err)
	}
	atWork, asked, brokenOff := make(chan bool), make(chan bool), make(chan bool)
	worker, err := jobs.New(jobs.Config{
		Queue: books, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Alert: func(string) {}, Drain: time.Millisecond,
		Handlers: map[string]jobs.Handler{"slow": func(ctx context.Context, _ admission.Job) (time.Duration, error) {
			close(atWork)
			<-ctx.Done()
			close(brokenOff)
			return 0, ctx.Err()
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{config: config, log: slog.New(slog.DiscardHandler), workers: []*jobs.Worker{worker}, budget: defaultBudget}
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // ends after the job
		close(asked)
		<-brokenOff
		_, _ = io.WriteString(w, "finished")
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ready, served, answered := make(chan net.Addr, 1), make(chan error, 1), make(chan string, 1)
	go func() { served <- s.serve(ctx, func(addresses []net.Addr) { ready <- addresses[0] }) }()
	address := "http://" + (<-ready).String()
	go func() {
		response, err := http.Get(address)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answered <- string(body)
	}()
	<-atWork
	<-asked
	stop()
	if err := <-served; err != nil {
		t.Errorf("serving ended with %v", err)
	}
	if got := <-answered; got != "finished" {
		t.Errorf("the request got %q", got)
	}
}

func TestFavicon(t *testing.T) {
	config, _ := development(t)
	s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(t.Context())
	answer := httptest.NewRecorder()
	s.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/favicon.ico", nil))
	icon, kept := answer.Header().Get("Location"), answer.Header().Get("Cache-Control")
	if answer.Code != http.StatusFound || icon != static.Path("images/apple-touch-icon.png") || kept != "no-cache" {
		t.Errorf("%d to %q, kept %q", answer.Code, icon, kept)
	}
	answer = httptest.NewRecorder()
	s.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, icon, nil))
	if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "image/png" {
		t.Errorf("the icon answers %d, %s", answer.Code, answer.Header().Get("Content-Type"))
	}
}

func TestMetricsAreServedBeforeTheLogLine(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	config, _ := development(t, "METRICS_ADDR", address)
	var out bytes.Buffer
	err = run(t.Context(), config, slog.New(slog.DiscardHandler), &out)
	if want := "METRICS_ADDR: listen tcp " + address + ": bind: address already in use"; err == nil || err.Error() != want || out.Len() != 0 {
		t.Errorf("a port that is taken: %v, said %q; want %s", err, out.String(), want)
	}
	config, _ = development(t, "METRICS_ADDR", "127.0.0.1:0")
	s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(t.Context())
	ctx, stop := context.WithCancel(t.Context())
	status := 0
	if err := s.serve(ctx, func(addresses []net.Addr) {
		defer stop()
		response, err := http.Get("http://" + addresses[1].String() + "/metrics")
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		status = response.StatusCode
	}); err != nil || status != http.StatusOK {
		t.Errorf("metrics answer %d, serving ended with %v", status, err)
	}
}

func TestRefundCommand(t *testing.T) {
	config, environ := development(t)
	db, err := store.Open(t.Context(), store.Config{URL: config.DatabaseURL, Secret: (&site{config: config}).key("store"), Migrate: true})
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
		err := command(t.Context(), []string{"refund", id}, environ, &out)
		if out.String() != test.said || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%s: said %q, %v; want %q, %s", id, out.String(), err, test.said, test.err)
		}
		due, err := db.ClaimJobs(t.Context(), []string{payment.JobRefund}, time.Now(), time.Minute, 10)
		if err != nil || (len(due) == 1 && due[0].Ref == id) != (test.err == "") || len(due) > 1 {
			t.Errorf("%s: jobs %+v, %v", id, due, err)
		}
	}
}

func TestOnlySomeCommandsMigrate(t *testing.T) {
	const old = "the database's schema is older than this program: run site migrate"
	_, environ := development(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, command := range []string{"verify", "refund x", "revoke x", "backup " + copied} {
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
	for _, command := range []string{"verify", "refund x", "revoke x", "verify"} {
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
	config, err := readConfig(environ)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{config: config}
	books, err := store.Open(t.Context(), store.Config{URL: config.DatabaseURL, Secret: s.key("store")})
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
	if err := command(t.Context(), []string{"revoke", "R1"}, environ, &out); err != nil || out.String() != "links of registration R1 that no longer open: 1\n" {
		t.Errorf("said %q, %v", out.String(), err)
	}
	if err := perform(t, environ, "revoke R2"); err == nil || err.Error() != "there is no registration R2" {
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
		if err := command(t.Context(), append([]string{"payment"}, args...), environ, &out); err != nil || out.String() != want {
			t.Errorf("%q: said %q, %v", args, out.String(), err)
		}
	}
	if err := books.Update(t.Context(), func(tx store.Tx) error {
		part := payment.Refund{ID: "1", TxnID: number, Amount: admission.INR(14990), State: method.RefundDone, Reason: payment.ReasonAtProvider, CreatedAt: time.Date(2026, 11, 22, 9, 0, 0, 0, admission.IST)}
		second := payment.Refund{ID: "2", TxnID: number, PaymentID: "pay_2", Amount: admission.INR(149900), State: method.RefundBounced, Reason: payment.ReasonSecondCharge, CreatedAt: time.Date(2026, 11, 23, 9, 0, 0, 0, admission.IST)}
		failed := payment.Refund{ID: "3", TxnID: number, PaymentID: "pay_2", Amount: admission.INR(149900), State: method.RefundFailed, Reason: payment.ReasonSecondCharge, FailureReason: "status 422, charge_disputed", CreatedAt: time.Date(2026, 11, 24, 9, 0, 0, 0, admission.IST)}
		return errors.Join(tx.SaveRefund(&part), tx.SaveRefund(&second), tx.SaveRefund(&failed))
	}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := command(t.Context(), []string{"payment", number}, environ, &out); err != nil || out.String() != want+
		"  refund of ₹149.90 is done: at the provider, of 22 Nov 2026, 09:00\n"+
		"  refund of ₹1,499.00 is bounced: second charge of one order, of 23 Nov 2026, 09:00, of the charge pay_2\n"+
		"    why: the provider gave none\n"+
		"  refund of ₹1,499.00 is failed: second charge of one order, of 24 Nov 2026, 09:00, of the charge pay_2\n"+
		"    why: status 422, charge_disputed\n" {
		t.Errorf("with refunds: said %q, %v", out.String(), err)
	}
	if err := perform(t, environ, "payment mavb"); err == nil || !strings.HasPrefix(err.Error(), "give the first 8 characters of the payment ID at least") {
		t.Errorf("one group: %v", err)
	}
}

func perform(t *testing.T, environ map[string]string, line string) error {
	t.Helper()
	return command(t.Context(), strings.Fields(line), environ, io.Discard)
}
