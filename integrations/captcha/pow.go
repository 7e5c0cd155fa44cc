// Package captcha tells people from scripts: by a proof of work, by a ticket where there are no scripts, by reCAPTCHA or
// by Turnstile. Each implements admission.HumanCheck.
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
	"time"

	"hiresure/admission"
	"hiresure/admission/access"
)

// Life is how long a challenge or a ticket may be used.
const Life = 2 * time.Hour

const (
	usualBits = 15 // 33,000 hashes in the mean: about 100 ms on a cheap phone
	maxBits   = 24
	saltSize  = 16 // bytes
)

// Challenge is a riddle: find a number such that SHA-256(Salt + number in decimal digits) begins with Difficulty zero
// bits. Salt has 22 characters, so that what is hashed fits into one block.
type Challenge struct {
	Salt       string `json:"salt"`
	Difficulty int    `json:"difficulty"`
	Expires    int64  `json:"expires"` // Unix seconds
	Signature  string `json:"signature"`
}

// Solution is what a token holds, as base64url of its JSON.
type Solution struct {
	Challenge
	Number uint64 `json:"number"`
}

// Needs is everything that a PoW works with.
type Needs struct {
	Key   []byte // 32 bytes, the same in all processes
	Clock func() time.Time
	Bits  int // difficulty; 0 is 15
}

// PoW is the check that needs no account and no third party. It keeps no state: challenges and tickets are signed.
type PoW struct {
	Tickets
	bits int
}

var _ access.HumanCheck = (*PoW)(nil)

// NewPoW refuses needs that are missing.
func NewPoW(n Needs) (*PoW, error) {
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

// Needed is true.
func (p *PoW) Needed() bool { return true }

// NotReady names no company: the work is ours.
func (p *PoW) NotReady() string { return notReady }

const notReady = "The human check is not ready yet. Please try again."

// Challenge is a new riddle, good for two hours.
func (p *PoW) Challenge() Challenge {
	c := Challenge{Salt: randomText(), Difficulty: p.bits, Expires: p.clock().Add(Life).Unix()}
	c.Signature = p.sign(c)
	return c
}

func (p *PoW) sign(c Challenge) string {
	return p.mac("challenge", c.Salt+"\n"+strconv.Itoa(c.Difficulty)+"\n"+strconv.FormatInt(c.Expires, 10))
}

// Check takes a solution or a ticket, and returns its salt as the key that may be spent once.
func (p *PoW) Check(ctx context.Context, token string, from admission.Visitor) (access.Pass, error) {
	if IsTicket(token) {
		return p.Tickets.Check(ctx, token, from)
	}
	body, err := base64.RawURLEncoding.DecodeString(token)
	var s Solution
	if err != nil || json.Unmarshal(body, &s) != nil {
		return access.Pass{}, access.ErrNotHuman
	}
	if !hmac.Equal([]byte(s.Signature), []byte(p.sign(s.Challenge))) || p.clock().Unix() >= s.Expires {
		return access.Pass{}, access.ErrNotHuman
	}
	if zeroBits(sha256.Sum256([]byte(s.Salt+strconv.FormatUint(s.Number, 10)))) < s.Difficulty {
		return access.Pass{}, access.ErrNotHuman
	}
	return access.Pass{Once: s.Salt}, nil
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

// Solve finds the smallest number that solves a challenge, and returns the token: what the browser does, for tests and
// for programs of ours.
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

// Off asks nothing of anybody.
type Off struct{}

// Needed is false.
func (Off) Needed() bool { return false }

// NotReady is never told.
func (Off) NotReady() string { return "" }

// Check lets everybody pass.
func (Off) Check(context.Context, string, admission.Visitor) (access.Pass, error) {
	return access.Pass{}, nil
}

var errKey = errors.New("human check needs Clock and a Key of 32 bytes")
