package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hiresure/admission"
	"hiresure/simulators"
)

// Webhooks, and how many are sent at the same time. Of four orders three are paid, with three webhooks each, and one is
// declined, with one: that makes 2,500, each sent four times.
const (
	webhooksSent = 10_000
	webhooksNow  = 50
	webhookOf    = 1_000 // orders
	paidOrders   = webhookOf * 3 / 4
	ordersNow    = 8
)

// account is an account at a simulated provider, whose orders can be paid and declined by our IDs.
type account interface {
	simulators.Account
	Pay(txnID string) string
	Decline(txnID string) string
}

// webhooks compares the time until a webhook is acknowledged, while the site settles payments, with a bare server that stores
// one row each. The webhooks are signed, of real orders, repeated and shuffled.
func (b *bench) webhooks(s *setup) (err error) {
	if *only != "" && *only != "webhooks" {
		return nil
	}
	provider := simulators.Providers[0]
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	opened, variables := provider.Open("http://"+listener.Addr().String(), nil)
	there := opened.(account)
	server := &http.Server{Handler: there}
	go func() { _ = server.Serve(listener) }() // until closed
	defer func() { err = errors.Join(err, server.Close()) }()

	environ := []string{"GATEWAYS=" + provider.Name, "CHROME_URL=off"} // printing is not measured
	for name, value := range variables {
		environ = append(environ, name+"="+value)
	}
	both, err := b.startPair(s, "webhooks", bareInbox, environ...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, both.end()) }()

	told, err := ordersTold(both, there)
	if err != nil {
		return fmt.Errorf("orders: %w", err)
	}
	path := "/payments/webhook/" + provider.Name
	t := toldTo{pair: both, siteSends: sends(both.site.addr, path, told), bareSends: sends(both.bare.addr, path, told)}
	if err := t.run(); err != nil {
		return err
	}
	b.table.compare(fmt.Sprintf("webhook acknowledged, %s, %d clients, 99th percentile", s.name, webhooksNow), "ms", t.took, atMost(5))
	b.table.compare("memory of site after 10,000 webhooks beside after 2,000, "+s.name, "MB", t.memory, atMost(1.25))
	wrong, err := effectsAmiss(both.siteURL)
	b.table.add(row{
		what: fmt.Sprintf("payments, receipts, invoices of %d paid orders too many or too few, %s", paidOrders, s.name), unit: "rows",
		site: float64(wrong), target: "0", met: wrong == 0,
	})
	return err
}

// ordersTold starts attempts at the site, and returns the provider's webhooks about them.
func ordersTold(both pair, there account) (told []simulators.Event, err error) {
	var starts [][]byte
	if err := inDatabase(both.siteURL, func(db *sql.DB) error {
		for n := range webhookOf {
			token, id := admission.NewToken(), admission.NewID()
			if err := fillPayer(db, n, id, token); err != nil {
				return err
			}
			body := fmt.Sprintf(`{"scholarship_requested_id":%q,"redirection_url":"/success"}`, id)
			starts = append(starts, post(both.site.addr, "/payments/v1/initiate-payment", "Cookie: hiresure="+token+"\r\n", body))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if _, err := sendEach(both.site.addr, starts, ordersNow); err != nil {
		return nil, err
	}
	var txns []string
	if err := inDatabase(both.siteURL, func(db *sql.DB) error {
		rows, err := db.Query("SELECT id FROM transactions WHERE state = 'pending' ORDER BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			txns = append(txns, id)
		}
		return rows.Err()
	}); err != nil {
		return nil, err
	}
	if len(txns) != webhookOf {
		return nil, fmt.Errorf("%d attempts are pending, not %d", len(txns), webhookOf)
	}
	for n, txn := range txns {
		if n < paidOrders {
			there.Pay(txn)
		} else {
			there.Decline(txn)
		}
	}
	return there.Events(), nil
}

// The statements that add an enrolled person: $1 is the ID of account and session, $2 a phone, $3 the session token's hash,
// $4 the registration's ID.
const fillEnrolled = `INSERT INTO registrations (id, event_slug, event_code, subevent_code, full_name, email, phone, course, state_code, college,
		referral_code, coupon_code, adult, guardian_name, guardian_phone, step, paid_txn_id, terms_version, terms_hash, terms_at, refunded, created_at, modified_at, account_id)
	VALUES ($1, 'hiresure-mgrow-2025', 'KS_Mgrow', 'KS_Mgrow_2025', 'Asha Rao', $3, $2, 'Data_Analytics', '29', '', '', '', TRUE, '', '', 7, '', '2026', '', 1, FALSE, 1, 1, $4)`

func fillPayer(db *sql.DB, n int, registration, token string) error {
	id, phone := fmt.Sprintf("payer%d", n), fmt.Sprintf("+91%d", 6_100_000_000+n)
	for _, fill := range []struct {
		statement string
		args      []any
	}{
		{fillApplicant, []any{id, phone}},
		{fillApplicantSession, []any{id, admission.HashToken(token), time.Now().AddDate(1, 0, 0).UnixMicro()}},
		{fillEnrolled, []any{registration, phone, id + "@example.com", id}},
	} {
		if _, err := db.Exec(fill.statement, fill.args...); err != nil {
			return fmt.Errorf("fill the database: %w", err)
		}
	}
	return nil
}

// sends returns the requests of all webhooks with their repetitions, in the same random order for every address.
func sends(addr, path string, told []simulators.Event) (all [][]byte) {
	for n := range webhooksSent {
		e := told[n%len(told)]
		var headers strings.Builder
		for name := range e.Header {
			if name != "Content-Type" { // post writes it
				fmt.Fprintf(&headers, "%s: %s\r\n", name, e.Header.Get(name))
			}
		}
		all = append(all, post(addr, path, headers.String(), string(e.Body)))
	}
	rand.New(rand.NewPCG(16, 35)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// toldTo measures the site and a bare server in turns.
type toldTo struct {
	pair
	siteSends, bareSends [][]byte
	took                 comparison // milliseconds, 99th percentile
	memory               comparison // MB: at the end, relative to after the first round
}

func (t *toldTo) run() error {
	if err := t.bare.pause(); err != nil {
		return err
	}
	each := webhooksSent / rounds
	var after []float64
	for n := range rounds {
		bare, err := t.turn(t.bare, t.site, t.bareSends[n*each:(n+1)*each])
		if err != nil {
			return err
		}
		site, err := t.turn(t.site, t.bare, t.siteSends[n*each:(n+1)*each])
		if err != nil {
			return err
		}
		t.took.add(site, bare)
		memory, err := t.site.memory("VmRSS:")
		if err != nil {
			return err
		}
		after = append(after, memory)
	}
	t.memory.add(after[len(after)-1], after[0])
	return nil
}

// turn sends webhooks to one server while the other is stopped, and returns the 99th percentile in milliseconds.
func (t *toldTo) turn(to, other *process, webhooks [][]byte) (float64, error) {
	if err := errors.Join(other.pause(), to.resume()); err != nil {
		return 0, err
	}
	took, err := sendEach(to.addr, webhooks, webhooksNow)
	if err := errors.Join(err, other.resume()); err != nil {
		return 0, err
	}
	return percentile(took, 99), nil
}

// sendEach sends each request once with a number of clients, and returns the milliseconds of each. It fails on any status but 200.
func sendEach(addr string, all [][]byte, clients int) (took []float64, err error) {
	took = make([]float64, len(all))
	next := make(chan int)
	faults := make([]error, clients)
	var running sync.WaitGroup
	for i := range clients {
		running.Go(func() { faults[i] = sendThose(addr, all, next, took) })
	}
	for n := range all {
		next <- n
	}
	close(next)
	running.Wait()
	return took, errors.Join(faults...)
}

// sendThose sends the requests whose numbers it receives, over one connection.
func sendThose(addr string, all [][]byte, next <-chan int, took []float64) (fault error) {
	c, fault := dial(addr)
	if fault == nil {
		defer c.Close()
		fault = c.SetDeadline(time.Now().Add(5 * time.Minute))
	}
	for n := range next { // drained after an error too, so that the sender never blocks
		if fault != nil {
			continue
		}
		began := time.Now()
		status, _, err := c.exchange(all[n])
		took[n] = float64(time.Since(began).Microseconds()) / 1000
		if fault = err; err == nil && status != http.StatusOK {
			fault = fmt.Errorf("%.60q was answered with %d", all[n], status)
		}
	}
	return fault
}

// effectsAmiss waits until every webhook is handled, and counts missing and duplicate effects.
func effectsAmiss(url string) (wrong int, err error) {
	err = inDatabase(url, func(db *sql.DB) error {
		count := func(query string) (n int, err error) {
			err = db.QueryRow("SELECT COUNT(*) FROM " + query).Scan(&n)
			return n, err
		}
		if err := soon(func() (bool, error) {
			waiting, err := count("inbox WHERE handled_at = 0")
			return waiting == 0, err
		}); err != nil {
			return fmt.Errorf("webhooks are not handled: %w", err)
		}
		for _, effects := range []string{"transactions WHERE state = 'paid'", "messages WHERE cause LIKE 'receipt:%'", "invoices"} {
			n, err := count(effects)
			if err != nil {
				return err
			}
			wrong += max(n-paidOrders, paidOrders-n)
		}
		return nil
	})
	return wrong, err
}

// newBareInbox stores a row per webhook.
func newBareInbox(url string) (http.Handler, error) {
	database, err := openBare(url)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		id := admission.NewID()
		row := bareRow{
			`INSERT INTO inbox (id, gateway, event_id, type, txn_id, ref, body, received_at, handled_at, problem) VALUES ($1, $2, $1, '', '', '', $3, $4, 0, '')`,
			[]any{id, filepath.Base(r.URL.Path), string(body), time.Now().UnixMicro()},
		}
		if err := database.keep(r.Context(), []bareRow{row}); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "message": "Received."}) // fails only if the client has gone
	})
	return mux, nil
}
