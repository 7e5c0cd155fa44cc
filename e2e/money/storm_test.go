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

// TestAStormOfSixProviders is the small storm; the long one has the same, for five minutes, on both databases.
func TestAStormOfSixProviders(t *testing.T) {
	storms(t, "sqlite://"+filepath.Join(t.TempDir(), "site.db"), scale{callers: 8, lasts: 8 * time.Second, kills: 4 * time.Second, most: 1})
}

// scale is how much of a storm there is.
type scale struct {
	callers      int
	lasts, kills time.Duration // kills is from one to the next
	most         int           // kills; 0 is as many as there is time for
}

// A storm is a site at which everything happens at once, at all providers, while its process is killed again and again.
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
	unheard                 atomic.Int64 // webhooks that are on their way

	mutex    sync.Mutex
	attempts []*attempt
	known    map[string]*attempt
	done     map[string]int
	byHand   map[string]bool // payments that staff have sent back in a dashboard
}

// An attempt is what its payers, and the staff at its provider, have done so far.
type attempt struct {
	Attempt
	*desk
	visitor e2e.Visitor

	mutex    sync.Mutex
	order    string // "" until a browser has come to the provider
	over     bool   // somebody has paid, or agreed to, or may not try again
	waits    bool   // the bank has said nothing yet
	promised bool   // the payer was told that it is paid
	fate     string // what happens to it after it is paid: one thing at most
	left     int64  // that staff at the provider may still send back
}

func storms(t *testing.T, databaseURL string, of scale) {
	s := newStorm(t, databaseURL)
	told, tellNoMore := context.WithCancel(context.Background())
	for i, d := range s.desks {
		s.posts.Go(func() { s.tells(told, d, rand.New(rand.NewPCG(uint64(i), 16))) })
	}
	ends := time.Now().Add(of.lasts)
	over := make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() { s.kills(of, over) })
	var callers sync.WaitGroup
	for i := range of.callers {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 35))
			for n := 0; time.Now().Before(ends); n++ {
				s.acts(random, i*5000+n)
			}
		})
	}
	callers.Wait()
	close(over)
	killing.Wait()
	if s.done["the server is killed"] == 0 {
		t.Error("the server was never killed")
	}
	s.calmsDown(4*time.Minute + of.lasts)
	tellNoMore()
	s.posts.Wait()
	s.pages()
	s.site.Load().Stop(t)
	s.agrees()
	s.leaks.judge(s)
	t.Logf("what happened: %v", s.done)
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
		server := &http.Server{Handler: s.leaks.asked(d)}
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
	s.starts()
	s.addr = s.site.Load().Addr
	s.db = storetest.SQL(t, databaseURL)
	return s
}

// starts starts a process of the site.
func (s *storm) starts() {
	site := e2e.Start(s, s.addr, s.data, s.variables...)
	s.site.Store(site)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.logs = append(s.logs, site.Logs)
}

// kills kills the process until the storm is over, and starts it anew on the same data.
func (s *storm) kills(of scale, over <-chan struct{}) {
	for n := 0; of.most == 0 || n < of.most; n++ {
		select {
		case <-over:
			return
		case <-time.After(of.kills*3/4 + rand.N(of.kills/2)):
		}
		s.site.Load().Kill()
		s.counts("the server is killed")
		s.starts()
	}
}

func (s *storm) counts(what string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.done[what]++
}

// acts does one thing that somebody may do at any time.
func (s *storm) acts(random *rand.Rand, n int) {
	switch choice := random.IntN(20); {
	case choice < 9:
		s.counts("somebody enrols")
		s.allows("enrol", s.journey(random, n))
	case choice < 10:
		s.suffers(s.desks[random.IntN(len(s.desks))], faults[random.IntN(len(faults))])
	default:
		if a := s.some(random); a != nil {
			s.happensTo(random, a)
		}
	}
}

var faults = []simulators.Fault{simulators.HangAfter, simulators.ErrorAfter, simulators.ErrorBefore, simulators.Torn, simulators.TooMany, simulators.Stranger}

// suffers lets a provider's next answer go wrong, but for one that has not recovered from the last.
func (s *storm) suffers(d *desk, fault simulators.Fault) {
	if d.calm.Load() > 0 {
		return
	}
	d.calm.Store(4)
	d.Suffer(fault)
	s.counts("a provider suffers: " + string(fault))
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.calm.Add(-1)
	d.Bank.ServeHTTP(w, r)
}

// some is one of the latest attempts.
func (s *storm) some(random *rand.Rand) *attempt {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.attempts) == 0 {
		return nil
	}
	return s.attempts[len(s.attempts)-1-random.IntN(min(len(s.attempts), 60))]
}

// allows counts what the site refused, and fails for what it must refuse nobody: a process that dies breaks connections off.
func (s *storm) allows(step string, err error) {
	var broken *url.Error
	refused, isRefused := errors.AsType[*e2e.Refused](err)
	switch {
	case err == nil:
	case errors.As(err, &broken), errors.Is(err, errNoCode):
		s.counts(step + " broken off")
		<-time.After(100 * time.Millisecond)
	case isRefused && strings.Contains(fmt.Sprint(refused.Answer.Fields["message"]), "verify the OTP"): // the kill took the answer that renewed the cookie
		s.counts(step + " in a browser that has lost its session")
	case isRefused && (refused.Answer.Status == http.StatusConflict || refused.Answer.Status == http.StatusServiceUnavailable):
		s.counts(fmt.Sprintf("%s: %d %v", step, refused.Answer.Status, refused.Answer.Fields["message"]))
	default:
		s.Errorf("%s: %v", step, err)
	}
}

var errNoCode = errors.New("the code has not come")

// journey is somebody who enrols, and pays in one tab or two.
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
	if code == "" { // whoever was to send it was killed
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

// tab is a payer in one tab, who tries once or again.
func (s *storm) tab(random *rand.Rand, v e2e.Visitor, registration string) {
	for range 1 + random.IntN(3) {
		gateway := s.desks[random.IntN(len(s.desks))].Name
		a, err := s.chooses(random, v, registration, gateway)
		if s.allows("start at "+gateway, err); a == nil || s.pays(random, a) {
			return
		}
	}
}

// chooses presses the button of a gateway, once or twice; nil where nothing can be paid there.
func (s *storm) chooses(random *rand.Rand, v e2e.Visitor, registration, gateway string) (*attempt, error) {
	presses := 1 + random.IntN(5)/4
	started, errs := make([]Attempt, presses), make([]error, presses)
	var pressing sync.WaitGroup
	for i := range presses {
		tab := v
		pressing.Go(func() { started[i], errs[i] = Start(&tab, registration, gateway) })
	}
	pressing.Wait()
	if presses == 2 && errs[0] == nil && errs[1] == nil {
		s.counts("double click")
	}
	chosen := started[0]
	if len(chosen.Fields) == 0 && presses == 2 {
		chosen = started[1]
	}
	if len(chosen.Fields) == 0 { // the provider's answer was lost, or the site refused
		return nil, errors.Join(errs...)
	}
	s.leaks.payer(chosen)
	return s.keep(chosen, v)
}

// keep is the attempt that the site has started, of which another tab may know.
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

// pays is a payer at the provider, and on the way back; it reports whether the payer thinks to have paid.
func (s *storm) pays(random *rand.Rand, a *attempt) (paid bool) {
	if fails := random.IntN(4) == 0; fails {
		s.tries(random, a, "is declined", Bank.Decline, a.OneTry)
	}
	switch random.IntN(20) {
	case 0, 1:
		s.tries(random, a, "leaves", Bank.Leave, a.OneTry)
		return false
	case 2, 3:
		s.tries(random, a, "waits for the bank", Bank.Wait, true)
	case 4:
		s.tries(random, a, "pays another sum", func(b Bank, order string) url.Values { return b.PayWrong(order, a.Minor-100, a.Currency) }, true)
	default:
		s.tries(random, a, "pays", Bank.Pay, true)
	}
	return true
}

// tries is a try at the provider and the way back from there, which may be lost; last tells that nothing is tried after it.
func (s *storm) tries(random *rand.Rand, a *attempt, what string, try func(Bank, string) url.Values, last bool) {
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
	s.counts(what)
	s.leaks.brought(back)
	if lost := random.IntN(4) == 0; lost {
		s.counts("the way back is lost")
		return
	}
	var coming sync.WaitGroup
	for range 1 + random.IntN(6)/5 {
		tab := a.visitor
		coming.Go(func() { s.comesBack(&tab, a.Txn, back) })
	}
	coming.Wait()
	if random.IntN(2) == 0 {
		s.asks(a)
	}
}

// comesBack is the payer's browser that is led back to the site, and tries again where the site is gone.
func (s *storm) comesBack(v *e2e.Visitor, txn string, back url.Values) {
	var err error
	for range 3 {
		var broken *url.Error
		if _, err = ComeBack(v, txn, back); err == nil || !errors.As(err, &broken) {
			break
		}
		<-time.After(500 * time.Millisecond)
	}
	s.allows("come back", err)
}

// asks is the page that waits for the outcome; what it is told to be paid is a promise.
func (s *storm) asks(a *attempt) {
	tab := a.visitor
	outcome, err := tab.Verify(a.Txn)
	s.allows("verify", err)
	if outcome == "PAYMENT_PAID" {
		a.mutex.Lock()
		a.promised = true
		a.mutex.Unlock()
	}
}
