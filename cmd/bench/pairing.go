package main

import (
	"cmp"
	"errors"
	"time"
)

// server is a process with the requests that measure it.
type server struct {
	*process
	requests *requests
}

// pairing measures the site and a bare server in rounds of short turns, so that other load slows both. One is stopped while
// the other has its turn.
type pairing struct {
	site, bare server
	clients    int
}

// comparison has one number per round, in order.
type comparison struct{ site, bare []float64 }

type result struct {
	perSecond comparison
	cpuEach   comparison // microseconds
}

const (
	turn         = 250 * time.Millisecond
	turnsOfRound = 8 // of inTurns
)

func (p *pairing) run() (r result, err error) {
	if err := errors.Join(p.bare.pause(), p.site.pause()); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.bare.resume(), p.site.resume()) }()
	for n := range rounds + 1 {
		bare, site := tally{server: p.bare}, tally{server: p.site}
		sides := []*tally{&bare, &site}
		for i := range 2 * int(max(*lasting/turn, 1)) {
			if err := sides[(i+i/2)%2].turn(p.clients); err != nil { // bare, site, site, bare, …
				return r, err
			}
		}
		if n == 0 {
			continue // both warm up
		}
		r.perSecond.add(site.perSecond(), bare.perSecond())
		r.cpuEach.add(site.cpuEach(), bare.cpuEach())
	}
	return r, nil
}

func (c *comparison) add(site, bare float64) {
	c.site, c.bare = append(c.site, site), append(c.bare, bare)
}

// tally adds up a server's turns of one round.
type tally struct {
	server
	answered  int
	took, cpu time.Duration
}

func (t *tally) turn(clients int) error {
	if err := t.resume(); err != nil {
		return err
	}
	before, err := t.process.cpu()
	if err != nil {
		return err
	}
	answered, took, err := load(t.addr, t.requests, clients, min(turn, *lasting))
	if err != nil {
		return err
	}
	after, err := t.process.cpu()
	t.answered, t.took, t.cpu = t.answered+answered, t.took+took, t.cpu+after-before
	return cmp.Or(err, t.pause())
}

func (t *tally) perSecond() float64 { return float64(t.answered) / t.took.Seconds() }
func (t *tally) cpuEach() float64   { return float64(t.cpu.Microseconds()) / float64(t.answered) }

// timed repeats work for a while, and returns how often and how long.
type timed func(lasting time.Duration) (done int, took time.Duration, err error)

// inTurns compares the seconds of two kinds of work in rounds of short turns, as pairing does.
func inTurns(site, bare timed, number func(done int, seconds float64) float64) (each comparison, err error) {
	for n := range rounds + 1 {
		done, took := [2]int{}, [2]time.Duration{}
		for i := range turnsOfRound {
			side := (i + i/2) % 2 // bare, site, site, bare, …
			n, t, err := []timed{bare, site}[side](max(*lasting/turnsOfRound, turn))
			if err != nil {
				return each, err
			}
			done[side], took[side] = done[side]+n, took[side]+t
		}
		if n > 0 { // both warm up
			each.add(number(done[1], took[1].Seconds()), number(done[0], took[0].Seconds()))
		}
	}
	return each, nil
}
