package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"hiresure/e2e"
)

const (
	asks      = 200 // pairs of requests
	knownOnes = asks
)

// question is a call whose time or length might reveal whether a person is known. Each pair asks about one known and one
// unknown person, in alternating order.
type question struct {
	name, path, body string // body with the phone as its first argument and the e-mail as its second
	known, unknown   people
	pairs            int
	status           int // of both answers
	percentiles      []int
	least, most      float64 // of the ratio known to unknown
}

// people returns the two people of pair n.
type people func(n int) *e2e.Visitor

// strangers returns people that no other set uses.
func strangers(set int) people {
	return func(n int) *e2e.Visitor { return e2e.NewVisitor("", set*10_000+n) }
}

const (
	leadPath = "/ks-website/v1/abandoned-enrolment"
	leadBody = `{"fullname":"Asha Verma","email":"%[2]s","phone_number":"%[1]s","scholarship_code":"KS_Mgrow","consents":["reminders"]}`
	codePath = "/scholarship/v1/user-verification-request"
	codeBody = `{"email":"%[2]s","phone_number":"%[1]s","scholarship_code":"KS_Mgrow"}`
)

// existence compares time and length of public calls about known and unknown people, whom strangers must not learn.
func (b *bench) existence(s *setup) error {
	if *only != "" && *only != "existence" {
		return nil
	}
	var enrolled []*e2e.Visitor
	for n := range knownOnes {
		visitor := e2e.NewVisitor("http://"+s.site.addr, n)
		if err := enrol(visitor); err != nil {
			return fmt.Errorf("enrol: %w", err)
		}
		enrolled = append(enrolled, visitor)
	}
	rested := time.Now().Add(time.Minute) // then each phone may get another code
	known := func(n int) *e2e.Visitor { return enrolled[n%len(enrolled)] }
	reached := strangers(5)
	mailOf := func(n int) *e2e.Visitor {
		return &e2e.Visitor{Phone: reached(n).Phone, Email: known(n).Email}
	}
	silent := question{pairs: asks, percentiles: []int{50}, least: 0.9, most: 1.1}
	for _, q := range []question{
		silent.of("check-existence", "/user/check-existence", `{"identifiers":{"mobile_number":"%[1]s"}}`).answers(http.StatusOK, known, strangers(1)),
		silent.of("check-scholarship-registered-phone", "/ks-website/v1/check-scholarship-registered-phone",
			`{"email":"%[2]s","phone_number":"%[1]s","scholarship_code":"KS_Mgrow"}`).answers(http.StatusOK, known, strangers(4)),
		silent.of("abandoned-enrolment of somebody who has enrolled", leadPath, leadBody).answers(http.StatusNoContent, known, strangers(2)),
		silent.of("abandoned-enrolment of somebody who is kept", leadPath, leadBody).answers(http.StatusNoContent, strangers(2), strangers(3)),
		silent.of("a code, with an e-mail that has enrolled", codePath, codeBody).answers(http.StatusOK, mailOf, strangers(6)),
		silent.of("a code for a phone that has enrolled", codePath, codeBody).answers(http.StatusOK, known, strangers(7)),
	} {
		if q.path == codePath {
			time.Sleep(time.Until(rested))
		}
		if err := b.ask(s, q); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	return nil
}

func (q question) of(name, path, body string) question {
	q.name, q.path, q.body = name, path, body
	return q
}

func (q question) answers(status int, known, unknown people) question {
	q.status, q.known, q.unknown = status, known, unknown
	return q
}

// ask measures one question and adds its lines.
func (b *bench) ask(s *setup, q question) (err error) {
	c, err := dial(s.site.addr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	var took [2][]float64 // known, unknown
	var lengths [2]int
	for n := range q.pairs {
		for turn := range 2 {
			which := (n + turn) % 2
			person := []people{q.known, q.unknown}[which](n)
			started := time.Now()
			status, length, err := c.exchange(post(s.site.addr, q.path, "", fmt.Sprintf(q.body, person.Phone, person.Email)))
			if err != nil {
				return err
			}
			if status != q.status {
				return fmt.Errorf("pair %d is answered with %d, want %d", n, status, q.status)
			}
			took[which] = append(took[which], float64(time.Since(started).Nanoseconds())/1e3)
			lengths[which] = length
		}
	}
	for _, p := range q.percentiles {
		k, u := percentile(took[0], p), percentile(took[1], p)
		b.table.add(row{
			what: fmt.Sprintf("%s, %s: known beside unknown, p%d", q.name, s.name, p), unit: "µs", site: k, bare: u, ratios: []float64{k / u},
			target: fmt.Sprintf("%.2f–%.2f", q.least, q.most), met: k/u >= q.least && k/u <= q.most,
		})
	}
	b.table.note("%s, %s: the body has %d bytes for somebody who is known, %d for somebody who is not", q.name, s.name, lengths[0], lengths[1])
	return nil
}

// enrol enrols the visitor, so that the number is known.
func enrol(v *e2e.Visitor) error {
	request, err := v.AskCode()
	if err != nil {
		return err
	}
	code := ""
	for deadline := time.Now().Add(30 * time.Second); code == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if code, err = v.ReadCode(); err != nil {
			return err
		}
	}
	if err := v.GiveCode(request, code); err != nil {
		return err
	}
	_, err = v.Enrol("")
	return err
}
