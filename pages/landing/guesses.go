package landing

import (
	"net/netip"
	"sync"
	"time"
)

const (
	maxGuesses  = 50 // wrong referral codes of a network, in a window
	guessWindow = time.Hour
	maxGuessers = 10_000
)

// guesses counts wrong referral codes by network, since a code shows its owner's first name and course. The counts are in memory: guesses
// must not cause writes.
type guesses struct {
	clock func() time.Time
	mutex sync.Mutex
	until time.Time // end of the window of all counts
	wrong map[string]int
}

// guesser returns the network of a visitor's address: its IPv6 /56, or the IPv4 address itself.
func guesser(ip string) string {
	prefix, err := netip.ParsePrefix(ip)
	if err != nil {
		return ip
	}
	network, _ := prefix.Addr().Prefix(56)
	return network.String()
}

// exhausted reports whether the network of ip may try no more codes.
func (g *guesses) exhausted(ip string) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.clock().Before(g.until) && g.wrong[guesser(ip)] >= maxGuesses
}

func (g *guesses) count(ip string) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if now := g.clock(); !now.Before(g.until) || g.until.Sub(now) > guessWindow || len(g.wrong) >= maxGuessers {
		g.until, g.wrong = now.Add(guessWindow), map[string]int{}
	}
	g.wrong[guesser(ip)]++
}
