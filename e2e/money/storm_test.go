package money

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiresure/e2e"
	"hiresure/simulators"
	"hiresure/store/storetest"
)

// TestStorm is a short storm; the long one takes five minutes on each database.
func TestStorm(t *testing.T) {
	runStorms(t, "sqlite://"+filepath.Join(t.TempDir(), "site.db"), scale{callers: 8, lasts: 8 * time.Second, kills: 4 * time.Second, most: 1})
}

// scale is the size of a storm.
type scale struct {
	callers      int
	lasts, kills time.Duration // kills is the time between kills
	most         int           // maximum kills; 0 means no limit
}

// A storm is a site with concurrent payments at all providers, whose process is killed repeatedly.
type storm struct {
	*testing.T
	addr, databaseURL, data string
	db                      *sql.DB
	variables               []string
	desks                   []*desk
	leaks                   *leaks
	site                    atomic.Pointer[e2e.Site]
	logs                    []*e2e.Tail // of all processes, in turn
	posts                   sync.WaitGroup
	unheard                 atomic.Int64 // undelivered webhooks

	mutex    sync.Mutex
	attempts []*attempt
	known    map[string]*attempt
	done     map[string]int
	byHand   map[string]bool // payments refunded on a dashboard
}

// An attempt is a payment with its history.
type attempt struct {
	Attempt
	*desk
	visitor e2e.Visitor

	mutex    sync.Mutex
	order    string // "" until a browser has opened the provider
	over     bool   // paid, approved, or no further attempt is possible
	waits    bool   // undecided at the bank
	promised bool   // the site has confirmed the payment to the payer
	fate     string // what happens after the payment, at most once
	left     int64  // what staff may still refund at the provider
}

func runStorms(t *testing.T, databaseURL string, of scale) {
	s := newStorm(t, databaseURL)
	delivering, stopDelivering := context.WithCancel(context.Background())
	for i, d := range s.desks {
		s.posts.Go(func() { s.deliverEvents(delivering, d, rand.New(rand.NewPCG(uint64(i), 16))) })
	}
	ends := time.Now().Add(of.lasts)
	over := make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() { s.killUntil(of, over) })
	var callers sync.WaitGroup
	for i := range of.callers {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 35))
			for n := 0; time.Now().Before(ends); n++ {
				s.actRandomly(random, i*5000+n)
			}
		})
	}
	callers.Wait()
	close(over)
	killing.Wait()
	if s.done["the server is killed"] == 0 {
		t.Error("the server was never killed")
	}
	s.finish(4*time.Minute + of.lasts)
	stopDelivering()
	s.posts.Wait()
	s.pages()
	s.site.Load().Stop(t)
	s.mustAgree()
	s.leaks.search(s)
	t.Logf("what happened: %v", s.done)
	if t.Failed() {
		for _, log := range s.logs {
			for line := range strings.Lines(log.All()) {
				if strings.Contains(line, `"level":"ERROR"`) {
					t.Log(line)
				}
			}
		}
	}
}

func newStorm(t *testing.T, databaseURL string) *storm {
	s := &storm{T: t, addr: e2e.AnyPort, databaseURL: databaseURL, data: t.TempDir(), leaks: newLeaks(t), known: map[string]*attempt{}, done: map[string]int{}, byHand: map[string]bool{}}
	var names []string
	for _, p := range Providers {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		bank, variables := p.Open("http://"+listener.Addr().String(), nil)
		d := &desk{Provider: p, Bank: bank}
		server := &http.Server{Handler: s.leaks.wrap(d)}
		go func() { _ = server.Serve(listener) }() // until it is closed
		t.Cleanup(func() { _ = server.Close() })
		s.desks = append(s.desks, d)
		names = append(names, p.Name)
		for name, value := range variables {
			s.variables = append(s.variables, name+"="+value)
			s.leaks.variable(name, value)
		}
	}
	const key = "5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7"
	s.leaks.variable("SECRET_KEY", key)
	s.variables = append(s.variables, "SECRET_KEY="+key, "DATABASE_URL="+databaseURL, "CAPTCHA=off", "RATE_LIMITS=off", "GATEWAYS="+strings.Join(names, ","),
		"OTEL_EXPORTER_OTLP_ENDPOINT="+s.leaks.traced.URL)
	s.start()
	s.addr = s.site.Load().Addr
	s.db = storetest.SQL(t, databaseURL)
	return s
}

// start starts a process of the site.
func (s *storm) start() {
	site := e2e.Start(s, s.addr, s.data, s.variables...)
	s.site.Store(site)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.logs = append(s.logs, site.Logs)
}

// killUntil kills and restarts the process until the storm is over.
func (s *storm) killUntil(of scale, over <-chan struct{}) {
	for n := 0; of.most == 0 || n < of.most; n++ {
		select {
		case <-over:
			return
		case <-time.After(of.kills*3/4 + rand.N(of.kills/2)):
		}
		s.site.Load().Kill()
		s.count("the server is killed")
		s.start()
	}
}

func (s *storm) count(what string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.done[what]++
}

// actRandomly does one random action of a payer, bank or operator.
func (s *storm) actRandomly(random *rand.Rand, n int) {
	switch choice := random.IntN(20); {
	case choice < 9:
		s.count("somebody enrols")
		s.check("enrol", s.journey(random, n))
	case choice < 10:
		s.addFault(s.desks[random.IntN(len(s.desks))], faults[random.IntN(len(faults))])
	default:
		if a := s.randomAttempt(random); a != nil {
			s.act(random, a)
		}
	}
}

var faults = []simulators.Fault{simulators.HangAfter, simulators.ErrorAfter, simulators.ErrorBefore, simulators.Truncated, simulators.TooMany, simulators.Unauthorized}

// addFault adds a fault at a provider, unless it has not recovered from the last.
func (s *storm) addFault(d *desk, fault simulators.Fault) {
	if d.calm.Load() > 0 {
		return
	}
	d.calm.Store(4)
	d.AddFaults(fault)
	s.count("a provider suffers: " + string(fault))
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.calm.Add(-1)
	d.Bank.ServeHTTP(w, r)
}

// randomAttempt returns one of the latest attempts.
func (s *storm) randomAttempt(random *rand.Rand) *attempt {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.attempts) == 0 {
		return nil
	}
	return s.attempts[len(s.attempts)-1-random.IntN(min(len(s.attempts), 60))]
}

// check counts expected errors of a step and fails for others. A killed process breaks connections.
func (s *storm) check(step string, err error) {
	var broken *url.Error
	refused, isRefused := errors.AsType[*e2e.Refused](err)
	switch {
	case err == nil:
	case errors.As(err, &broken), errors.Is(err, errNoCode):
		s.count(step + " broken off")
		<-time.After(100 * time.Millisecond)
	case isRefused && strings.Contains(fmt.Sprint(refused.Answer.Fields["message"]), "verify the OTP"): // a kill lost the response with the new cookie
		s.count(step + " in a browser that has lost its session")
	case isRefused && (refused.Answer.Status == http.StatusConflict || refused.Answer.Status == http.StatusServiceUnavailable):
		s.count(fmt.Sprintf("%s: %d %v", step, refused.Answer.Status, refused.Answer.Fields["message"]))
	default:
		s.Errorf("%s: %v", step, err)
	}
}

var errNoCode = errors.New("the code has not come")

// journey enrols a visitor who pays in one tab or two.
func (s *storm) journey(random *rand.Rand, n int) error {
	v := e2e.NewVisitor("http://"+s.addr, n)
	v.Client.Transport = s.leaks
	request, err := v.AskCode()
	if err != nil {
		return err
	}
	code := ""
	for deadline := time.Now().Add(10 * time.Second); code == "" && time.Now().Before(deadline); <-time.After(50 * time.Millisecond) {
		if code, err = v.ReadCode(); err != nil {
			return err
		}
	}
	if code == "" { // its sender was killed
		return errNoCode
	}
	if err := v.GiveCode(request, code); err != nil {
		return err
	}
	registration, err := v.Enrol([]string{"", "", "", "MGROW500"}[random.IntN(4)])
	if err != nil {
		return err
	}
	var tabs sync.WaitGroup
	for range 1 + random.IntN(4)/3 {
		own := rand.New(rand.NewPCG(random.Uint64(), 16))
		tabs.Go(func() { s.tab(own, *v, registration) })
	}
	tabs.Wait()
	return nil
}

// tab is one tab of a payer, with one attempt or more.
func (s *storm) tab(random *rand.Rand, v e2e.Visitor, registration string) {
	for range 1 + random.IntN(3) {
		gateway := s.desks[random.IntN(len(s.desks))].Name
		a, err := s.choose(random, v, registration, gateway)
		if s.check("start at "+gateway, err); a == nil || s.pay(random, a) {
			return
		}
	}
}

// choose presses the button of a gateway once or twice. It returns nil if no payment was started.
func (s *storm) choose(random *rand.Rand, v e2e.Visitor, registration, gateway string) (*attempt, error) {
	presses := 1 + random.IntN(5)/4
	started, errs := make([]Attempt, presses), make([]error, presses)
	var pressing sync.WaitGroup
	for i := range presses {
		tab := v
		pressing.Go(func() { started[i], errs[i] = Start(&tab, registration, gateway) })
	}
	pressing.Wait()
	if presses == 2 && errs[0] == nil && errs[1] == nil {
		s.count("double click")
	}
	chosen := started[0]
	if len(chosen.Fields) == 0 && presses == 2 {
		chosen = started[1]
	}
	if len(chosen.Fields) == 0 { // the provider's response was lost, or the site rejected it
		return nil, errors.Join(errs...)
	}
	s.leaks.payer(chosen)
	return s.keep(chosen, v)
}

// keep records a started attempt, which another tab may already have recorded.
func (s *storm) keep(started Attempt, v e2e.Visitor) (*attempt, error) {
	gateway := ""
	if err := s.db.QueryRow("SELECT gateway FROM transactions WHERE id = $1", started.Txn).Scan(&gateway); err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if there := s.known[started.Txn]; there != nil {
		return there, nil
	}
	a := &attempt{Attempt: started, visitor: v}
	for _, d := range s.desks {
		if d.Name == gateway {
			a.desk = d
		}
	}
	s.known[started.Txn] = a
	s.attempts = append(s.attempts, a)
	return a, nil
}

// pay is a payer at the provider and on the return. It reports whether the payer believes to have paid.
func (s *storm) pay(random *rand.Rand, a *attempt) (paid bool) {
	if fails := random.IntN(4) == 0; fails {
		s.try(random, a, "is declined", Bank.Decline, a.OneTry)
	}
	switch random.IntN(20) {
	case 0, 1:
		s.try(random, a, "leaves", Bank.Leave, a.OneTry)
		return false
	case 2, 3:
		s.try(random, a, "waits for the bank", Bank.LeavePending, true)
	case 4:
		s.try(random, a, "pays another sum", func(b Bank, order string) url.Values { return b.PayWrong(order, a.Minor-100, a.Currency) }, true)
	default:
		s.try(random, a, "pays", Bank.Pay, true)
	}
	return true
}

// try makes an attempt at the provider and returns the browser, unless that is lost. last marks the final attempt.
func (s *storm) try(random *rand.Rand, a *attempt, what string, try func(Bank, string) url.Values, last bool) {
	a.mutex.Lock()
	if a.order == "" {
		order, err := a.Enter(a.Txn, a.Fields)
		if err != nil {
			a.mutex.Unlock()
			s.Errorf("at %s: %v", a.Name, err)
			return
		}
		a.order = order
	}
	if a.over {
		a.mutex.Unlock()
		return
	}
	back := try(a.Bank, a.order)
	a.over, a.waits = last, what == "waits for the bank"
	a.mutex.Unlock()
	s.count(what)
	s.leaks.addReturn(back)
	if lost := random.IntN(4) == 0; lost {
		s.count("the way back is lost")
		return
	}
	var coming sync.WaitGroup
	for range 1 + random.IntN(6)/5 {
		tab := a.visitor
		coming.Go(func() { s.comeBack(&tab, a.Txn, back) })
	}
	coming.Wait()
	if random.IntN(2) == 0 {
		s.poll(a)
	}
}

// comeBack returns the payer's browser to the site, with retries while the site is down or too busy to save.
func (s *storm) comeBack(v *e2e.Visitor, txn string, back url.Values) {
	var err error
	for range 3 {
		var broken *url.Error
		_, err = ComeBack(v, txn, back)
		refused, isRefused := errors.AsType[*e2e.Refused](err)
		if busy := isRefused && refused.Answer.Status == http.StatusServiceUnavailable; !busy && !errors.As(err, &broken) {
			break
		}
		<-time.After(500 * time.Millisecond)
	}
	s.check("come back", err)
}

// poll polls the result like the waiting page. A confirmed payment is a promise.
func (s *storm) poll(a *attempt) {
	tab := a.visitor
	outcome, err := tab.Verify(a.Txn)
	s.check("verify", err)
	if outcome == "PAYMENT_PAID" {
		a.mutex.Lock()
		a.promised = true
		a.mutex.Unlock()
	}
}
