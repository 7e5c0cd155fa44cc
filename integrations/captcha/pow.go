// Package captcha implements access.HumanCheck: by proof of work, by a ticket for browsers without scripts, by reCAPTCHA and
// by Turnstile.
package captcha

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

// Life is how long a challenge or a ticket is valid.
const Life = 2 * time.Hour

const (
	usualBits = 15 // 33,000 hashes on average: about 100 ms on a cheap phone
	maxBits   = 24
	hardBits  = 23 // most of Work: half a minute on a cheap phone
	saltSize  = 16 // bytes
	tagSize   = 6  // characters of a salt that name the subject of Work

	workLife = 10 * time.Minute // of Work, which is made for one call
)

// Challenge is a proof of work: find a number such that SHA-256(Salt + number in decimal digits) begins with Difficulty zero
// bits. Salt has 22 characters, so that the hash input fits one block.
type Challenge struct {
	Salt       string `json:"salt"`
	Difficulty int    `json:"difficulty"`
	Expires    int64  `json:"expires"` // Unix seconds
	Signature  string `json:"signature"`
}

// Solution is the content of a token, as base64url of its JSON.
type Solution struct {
	Challenge
	Number uint64 `json:"number"`
}

// Config configures a PoW.
type Config struct {
	Key   []byte // 32 bytes, the same in all processes
	Clock func() time.Time
	Bits  int // difficulty; 0 means 15
}

// PoW checks a proof of work. It needs no account and no third party, and keeps no state: challenges and tickets are signed.
type PoW struct {
	Tickets
	bits int
}

var _ access.HumanCheck = (*PoW)(nil)

// NewPoW returns a PoW, or an error for a missing or invalid field.
func NewPoW(n Config) (*PoW, error) {
	if n.Bits == 0 {
		n.Bits = usualBits
	}
	if n.Bits < 0 || n.Bits > maxBits {
		return nil, fmt.Errorf("proof of work of %d bits: at most %d", n.Bits, maxBits)
	}
	tickets, err := NewTickets(n.Key, n.Clock)
	if err != nil {
		return nil, err
	}
	return &PoW{*tickets, n.Bits}, nil
}

// Needed returns true.
func (p *PoW) Needed() bool { return true }

// NotReady returns a message that names no company.
func (p *PoW) NotReady() string { return notReady }

const notReady = "The human check is not ready yet. Please try again."

// Challenge returns a new challenge, valid for two hours.
func (p *PoW) Challenge() Challenge { return p.challenge(randomText(), p.bits, Life) }

func (p *PoW) challenge(salt string, bits int, life time.Duration) Challenge {
	c := Challenge{Salt: salt, Difficulty: bits, Expires: p.clock().Add(life).Unix()}
	c.Signature = p.sign(c)
	return c
}

// ForBrowser is a challenge as islands/runtime/human.ts parses it.
type ForBrowser struct {
	Provider string `json:"provider"` // pow
	Challenge
}

// Work returns a challenge of so many steps above the usual difficulty, for one subject.
func (p *PoW) Work(subject string, steps int) any {
	salt := randomText()
	return ForBrowser{"pow", p.challenge(salt[:len(salt)-tagSize]+p.tag(subject), p.workBits(steps), workLife)}
}

// Worked reports whether a token solves Work for a subject.
func (p *PoW) Worked(token, subject string, steps int) (once string, proven bool) {
	s, solved := p.solution(token)
	return s.Salt, solved && strings.HasSuffix(s.Salt, p.tag(subject)) && s.Difficulty >= p.workBits(steps)
}

// workBits begins at the usual difficulty, also where p is the harder work in place of a service's token.
func (p *PoW) workBits(steps int) int { return min(min(p.bits, usualBits)+steps, hardBits) }

func (p *PoW) tag(subject string) string { return p.mac("subject", subject)[:tagSize] }

func (p *PoW) sign(c Challenge) string {
	return p.mac("challenge", c.Salt+"\n"+strconv.Itoa(c.Difficulty)+"\n"+strconv.FormatInt(c.Expires, 10))
}

// Check verifies a solution or a ticket and returns its salt as the one-time key.
func (p *PoW) Check(ctx context.Context, token string, from admission.Visitor) (access.Pass, error) {
	if IsTicket(token) {
		return p.Tickets.Check(ctx, token, from)
	}
	s, solved := p.solution(token)
	if !solved {
		return access.Pass{}, access.ErrNotHuman
	}
	return access.Pass{Once: s.Salt}, nil
}

// solution returns the content of a token, and whether it solves a challenge of ours that has not expired.
func (p *PoW) solution(token string) (s Solution, solved bool) {
	body, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || json.Unmarshal(body, &s) != nil {
		return s, false
	}
	if !hmac.Equal([]byte(s.Signature), []byte(p.sign(s.Challenge))) || p.clock().Unix() >= s.Expires {
		return s, false
	}
	return s, zeroBits(sha256.Sum256([]byte(s.Salt+strconv.FormatUint(s.Number, 10)))) >= s.Difficulty
}

func zeroBits(sum [sha256.Size]byte) (n int) {
	for _, b := range sum {
		if b != 0 {
			return n + bits.LeadingZeros8(b)
		}
		n += 8
	}
	return n
}

// Solve finds the smallest number that solves a challenge and returns the token, as the browser does; for tests and bench.
func Solve(c Challenge) (string, error) {
	s := Solution{Challenge: c}
	for zeroBits(sha256.Sum256([]byte(c.Salt+strconv.FormatUint(s.Number, 10)))) < c.Difficulty {
		s.Number++
	}
	body, err := json.Marshal(s)
	return base64.RawURLEncoding.EncodeToString(body), err
}

func randomText() string {
	random := make([]byte, saltSize)
	rand.Read(random) // fills, or ends the process
	return base64.RawURLEncoding.EncodeToString(random)
}

// Off is the HumanCheck that accepts everybody.
type Off struct{}

// Needed returns false.
func (Off) Needed() bool { return false }

// Work returns no challenge: without a human check, limits are walls.
func (Off) Work(string, int) any { return nil }

// Worked accepts nothing.
func (Off) Worked(string, string, int) (string, bool) { return "", false }

// NotReady is never shown.
func (Off) NotReady() string { return "" }

// Check accepts every token.
func (Off) Check(context.Context, string, admission.Visitor) (access.Pass, error) {
	return access.Pass{}, nil
}

var errKey = errors.New("human check needs Clock and a Key of 32 bytes")
