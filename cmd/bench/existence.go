package main

import (
	"errors"
	"fmt"
	"time"

	"hiresure/e2e"
)

const (
	samples   = 1000
	knownOnes = 10
)

// existence compares what the two questions about a phone number tell a stranger by time and by length, beside their
// answer: each known number's sample is followed by one of an unknown number.
func (b *bench) existence(s *setup) (err error) {
	if *only != "" && *only != "existence" {
		return nil
	}
	var known []*e2e.Visitor
	for n := range knownOnes {
		visitor := e2e.NewVisitor("http://"+s.site.addr, n)
		if err := enrol(visitor); err != nil {
			return fmt.Errorf("enrol: %w", err)
		}
		known = append(known, visitor)
	}
	for _, question := range []struct{ name, path, body string }{
		{"check-existence", "/user/check-existence", `{"identifiers":{"mobile_number":"%[1]s"}}`},
		{"check-scholarship-registered-phone", "/ks-website/v1/check-scholarship-registered-phone",
			`{"email":"%[2]s","phone_number":"%[1]s","scholarship_code":"KS_Mgrow"}`},
	} {
		ask := func(v *e2e.Visitor) []byte {
			return post(s.site.addr, question.path, fmt.Sprintf(question.body, v.Phone, v.Email))
		}
		if err := b.ask(s, question.name, known, ask); err != nil {
			return err
		}
	}
	return nil
}

// ask adds the lines of one question.
func (b *bench) ask(s *setup, name string, known []*e2e.Visitor, ask func(*e2e.Visitor) []byte) (err error) {
	c, err := dial(s.site.addr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	var times comparison
	var knownLength, unknownLength int
	for n := range samples {
		took, length, err := c.timed(ask(known[n%len(known)]))
		if err != nil {
			return err
		}
		times.site, knownLength = append(times.site, took), length
		if took, length, err = c.timed(ask(e2e.NewVisitor("", knownOnes+n))); err != nil {
			return err
		}
		times.bare, unknownLength = append(times.bare, took), length
	}
	for _, p := range []int{50, 95} {
		k, u := percentile(times.site, p), percentile(times.bare, p)
		b.table.add(row{
			what: fmt.Sprintf("%s, %s: known beside unknown, p%d", name, s.name, p), unit: "µs", site: k, bare: u, ratios: []float64{k / u},
			target: "0.80–1.25", met: k/u >= 0.8 && k/u <= 1.25,
		})
	}
	b.table.note("%s, %s: the body has %d bytes for a known number, %d for an unknown one", name, s.name, knownLength, unknownLength)
	return nil
}

// timed answers how long an answer took, in microseconds, and its length.
func (c *client) timed(request []byte) (took float64, length int, err error) {
	started := time.Now()
	_, length, err = c.exchange(request)
	return float64(time.Since(started).Nanoseconds()) / 1e3, length, err
}

// enrol makes the visitor's number known.
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
